"""What others say about every page: the HTML validator of the W3C, and axe about accessibility."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import cannot
from pages import PAGES, choose, views_of
from playwright.sync_api import Page

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

NOTE = "spec-rl/notes/04_ReSpec_2510.26475.html"
OPTIONS = {"resultTypes": ["violations"], "iframes": False, "preload": False}
DIVERSE = {NOTE, "guide/notes/01_Writing_a_note.html"}
"""Pages with something of everything."""
COLOURS = {**OPTIONS, "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


@cache
def axe_of(judges: Path) -> str:
    return (judges / "axe-core/axe.min.js").read_text("utf-8")


def violations(page: Page, options: dict[str, Any] = OPTIONS) -> list[str]:
    """What axe finds on a page that it was loaded into: the rule, the elements, and what to mend."""
    found = page.evaluate("options => axe.run(document, options)", options)["violations"]
    return [
        f"{finding['id']}: {node['html'][:200]} at {' '.join(map(str, node['target']))}: "
        + " ".join(node["failureSummary"].split())[:300]
        for finding in found
        for node in finding["nodes"][:3]
    ]


def load_axe(page: Page, judges: Path) -> None:
    """`evaluate` is not bound by the page's policy, under which no script but ours runs."""
    page.evaluate(axe_of(judges))


def test_the_validator_finds_no_error_on_any_page(site: Path, judges: Path) -> None:
    java = shutil.which("java") or cannot("there is no java on this machine (Debian: apt-get install default-jre)")
    jar = judges / "vnu-jar/build/dist/vnu.jar"
    pages = sorted(map(str, site.rglob("*.html")))
    command = [java, "-jar", str(jar), "--errors-only", "--format", "json", "--exit-zero-always", *pages]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=120)
    found = [
        f"{message['url'].removeprefix(site.as_uri())}:{message.get('lastLine')}: {message['message']}"
        f" in {message.get('extract', '')}"
        for message in json.loads(done.stderr)["messages"]
    ]
    assert not found, "\n".join(found)


def test_the_validator_would_say_so(judges: Path, tmp_path: Path) -> None:
    java = shutil.which("java") or cannot("there is no java on this machine (Debian: apt-get install default-jre)")
    page = tmp_path / "bad.html"
    page.write_text("<!doctype html><title>x</title><p id=a><p id=a>", "utf-8")
    jar = judges / "vnu-jar/build/dist/vnu.jar"
    done = subprocess.run([java, "-jar", jar, "--errors-only", page], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Duplicate ID" in done.stderr


@pytest.mark.parametrize("address", PAGES)
def test_axe_finds_nothing_in_any_view(open_page: Open, judges: Path, address: str) -> None:
    page = open_page(address)
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    load_axe(page, judges)
    found: list[str] = []
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        for view in views_of(page):
            choose(page, view)
            found += [f"{view}, {width} px: {what}" for what in violations(page)]
            whole = view == views_of(page)[-1]  # in the last view, `both`, everything is shown
            if address in DIVERSE or (whole and width == 1280):
                page.emulate_media(color_scheme="dark")  # nothing but colours differs from light
                found += [f"{view}, {width} px, dark: {what}" for what in violations(page, COLOURS)]
                page.emulate_media(color_scheme="light")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_what_opens_over_the_page(open_page: Open, judges: Path, scheme: str) -> None:
    wide = open_page(f"{NOTE}?lang=en", color_scheme=scheme)
    load_axe(wide, judges)
    for link in ("a.cite", ".footnote-ref a", "a[data-card]", "a.gl"):
        shown = wide.locator(f"{link}:visible")
        if shown.count():
            shown.first.hover()
            wide.wait_for_selector("#pn-card", state="visible")
            assert violations(wide) == [], link
    wide.keyboard.press("?")
    wide.wait_for_selector("dialog[open]")
    assert violations(wide) == [], "help of the keys"
    phone = open_page(f"{NOTE}?lang=zh", width=390, height=844, color_scheme=scheme)
    load_axe(phone, judges)
    phone.locator("button.toc-open").click()
    assert violations(phone) == [], "contents"


def test_axe_would_say_so(open_page: Open, judges: Path) -> None:
    page = open_page("index.html")
    load_axe(page, judges)
    page.evaluate("""() => {
        document.querySelector('h1').style.color = '#8888';
        document.querySelector('main').append(Object.assign(document.createElement('img'), {src: 'data:,'}));
    }""")
    assert {finding.partition(":")[0] for finding in violations(page)} == {"color-contrast", "image-alt"}
