"""Whatever is in an address or in what the browser keeps: pages work as ever, and their scripts go on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from naming import FILES
from playwright.sync_api import Page, expect
from running import Once, built, write
from windows import Windows, starting

pytestmark = pytest.mark.browser

WORDS = ["constructor", "颜色", "#%", "null", "x" * 99_999]
ENTRIES = [None, 7, {"id": "constructor", "no": {"a": 1}, "at": 0.5, "t": "x"}, {"at": {}, "t": None}]
KEPT = [*WORDS, *(json.dumps({"data/01_data": entry, "q/01_q": None, "constructor": 1}) for entry in ENTRIES)]
HASHES = ["#%", "#%E0%A4%A", "#constructor", "#'\"]", "#pn-q"]
QUERIES = [f"{name}={word}" for name in ("q", "topic", "kind", "tag", "sort", "lang") for word in ("__proto__", "%25")]
KEEP = """value => {
  for (const key of ['theme', 'size', 'width', 'view', 'read Names', 'place Names', 'test'])
    localStorage.setItem('pn-' + key, value);
}"""


@pytest.fixture(scope="session")
def names(once: Once) -> Path:
    """The folder `site/` of a collection that names everything as pages name their own things."""
    return once("names", lambda root: built(write(root, FILES))) / "site"


def works(page: Page) -> None:
    """The language and the colours can be switched; what is typed on the home page is found."""
    page.keyboard.press("l")
    expect(page.locator("#pn-view-en")).to_be_checked()
    page.keyboard.press("t")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    if page.locator("#pn-q").count():
        page.locator("#pn-q").fill("toString")
        expect(page.locator("#pn-results h3").first).to_have_text("toString")
        page.locator("#pn-q").fill("")


@pytest.mark.nightly
def test_pages_work_whatever_is_in_their_address_or_in_what_the_browser_keeps(names: Path, windows: Windows) -> None:
    note, topic, home = (
        f"{names.as_uri()}/{path}" for path in ("data/notes/01_data.html", "data/index.html", "index.html")
    )
    with windows.watched(lambda request: request.url.startswith(names.as_uri())):
        page = windows.open()
        for address in (note, topic, home):
            page.goto(address)
            works(page)
        for address in (
            *(note + end for end in HASHES),
            *(home + end for end in HASHES),
            f"{home}?{'&'.join(QUERIES)}",
        ):
            page.goto("about:blank")
            page.goto(address)
        for value in KEPT:
            with starting(page, f"({KEEP})({json.dumps(value)})"):
                for address in (note, home):
                    page.goto(address)
                    page.evaluate(
                        "scrollTo(0, 900); dispatchEvent(new Event('scroll')); dispatchEvent(new Event('pagehide'))"
                    )
        works(page)
        with starting(
            page, "Storage.prototype.getItem = localStorage.getItem = localStorage.setItem = () => { throw 1 }"
        ):
            for address in (note, home):
                page.goto(address)
                works(page)
        assert windows.wrong == []


@pytest.mark.nightly
def test_a_query_of_a_thousand_words_takes_no_longer_than_one_of_a_few(names: Path, windows: Windows) -> None:
    words = "+".join(f"data{place}" for place in range(1000))
    with windows.watched(lambda request: request.url.startswith(names.as_uri())):
        page = windows.open()
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})  # seconds of the processor
        page.goto(f"{names.as_uri()}/index.html?q=data+{words}")
        page.wait_for_function("() => performance.getEntriesByName('pn-ready').length")
        spent = {entry["name"]: entry["value"] for entry in session.send("Performance.getMetrics")["metrics"]}
        assert 0 < spent["ScriptDuration"] < 2
        session.detach()
        expect(page.locator("#pn-nothing")).to_contain_text("data0 data1")
        page.locator("#pn-q").fill("data")
        expect(page.locator("#pn-results h3").first).to_have_text("data")
        assert windows.wrong == []


INJECTED = """() => new Promise(done => {
  addEventListener('securitypolicyviolation', event => done(event.effectiveDirective));
  document.head.append(Object.assign(document.createElement('script'), {src: 'search-all.css'}));
})"""


@pytest.mark.parametrize("path", ["index.html", "data/notes/01_data.html"])
def test_no_further_script_runs_not_even_one_that_a_script_of_ours_adds(
    path: str, names: Path, windows: Windows
) -> None:
    with windows.watched(lambda request: request.url.startswith(names.as_uri())):
        page = windows.open()
        page.goto(f"{names.as_uri()}/{path}")
        assert page.evaluate(INJECTED) == "script-src-elem"
