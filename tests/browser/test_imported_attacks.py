"""Whatever the pages of others hold: imported and built, nothing of it runs or loads, and their words are there.

As in `test_attacks`, a server takes the policy of the pages away, and tells of all that it would have stopped.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from functools import partial
from html import escape
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from attacks import PAYLOADS, TABLE
from playwright.sync_api import Request
from running import Once, built, paper_notes
from test_attacks import _BAD_VALUE, Disarmed
from windows import Windows

pytestmark = pytest.mark.browser

_TOGETHER = 8
"""Payloads that are in one file, if none of them hides others."""


def groups() -> Iterator[Sequence[str]]:
    """The payloads of each page of HTML."""
    payloads = [*TABLE["imported"], *PAYLOADS]
    yield from ([one] for one in payloads if hides(one))
    yield from together([one for one in payloads if not hides(one)])


def together(payloads: Sequence[str]) -> Iterator[Sequence[str]]:
    yield from (payloads[start : start + _TOGETHER] for start in range(0, len(payloads), _TOGETHER))


def hides(payload: str) -> bool:
    """Whether something in the payload is not closed, so that what follows may be a part of it."""
    lower = payload.lower()
    raw = "script style title textarea xmp template noscript select iframe svg math plaintext body html meta".split()
    return (
        lower.count("<!--") != lower.count("-->")
        or any(len(re.findall(rf"<{name}\b", lower)) != lower.count(f"</{name}") for name in raw)
        or any(payload.count(quote) % 2 for quote in "\"'`")
        or payload.rfind("<") > payload.rfind(">")
    )


def as_html(name: str, payloads: Sequence[str]) -> str:
    parts = []
    for number, payload in enumerate(payloads):
        value = escape(payload)
        parts.append(
            f'<h2>Part {number}</h2><p title="{value}" style="{value}" onclick="{value}">attr{name}x{number}'
            f' <a href="{value}" ping="{value}">link{name}x{number}</a>'
            f' <img src="{value}" alt="{value}" srcset="{value}"></p>'
            f'<div class="{value}">{payload}</div><p>after{name}x{number}</p>'
        )
    title = f"<title>Title{name}</title>" if len(payloads) > 1 else f"<title>Title{name} {escape(payloads[0])}</title>"
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8">{title}</head><body onload="pwned=1">'
        f"<h1>Title{name}</h1><p>before{name}</p>{''.join(parts)}</body></html>"
    )


def as_markdown(name: str, payloads: Sequence[str]) -> str:
    parts = [
        f"## Part {number}\n\nx {payload}\n\n[link{name}x{number}]({payload}) ![y]({payload})\n\n{payload}\n\n"
        f"after{name}x{number}\n"
        for number, payload in enumerate(payloads)
    ]
    return f"# Title{name}\n\nbefore{name}\n\n" + "\n".join(parts)


def collection() -> tuple[dict[str, str | bytes], dict[str, list[str]]]:
    """The files to import, and the words that each has."""
    files: dict[str, str | bytes] = {
        "site/notes_src/site.yaml": "title: A\nlanguages: [en]\ntopics: [t]\n",
        "site/notes_src/t/topic.yaml": "title: T\n",
    }
    words: dict[str, list[str]] = {}
    texts = [*together([one for group in groups() for one in group])]
    for kind, made, several in (("html", as_html, [*groups()]), ("md", as_markdown, texts)):
        for number, payloads in enumerate(several):
            name = f"{kind}{number:02}"
            files[f"in/{kind}/{name}.{kind}"] = made(name, payloads)
            parts = [f"{part}{name}x{one}" for one in range(len(payloads)) for part in ("link", "after")]
            if made is not as_html or "http-equiv=refresh" not in payloads[0]:  # leads elsewhere: named as left out
                words[name] = [f"before{name}", *parts]
    script = "<h1>Titleutf</h1><p>before</p><script>pwned=1</script><img src=x onerror=pwned=1><p>after</p>"
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-7", "utf-8-sig"):
        files[f"in/html/{encoding}.html"] = script.encode(encoding)
    rows = "".join(f"- [Title {one}](md/md{n:02}.md) {one}\n" for n, group in enumerate(texts) for one in group)
    files["in/README.md"] = f"# Notes\n\nbeforereadme\n\n{rows}"
    return files, words


@pytest.fixture(scope="module")
def imported(once: Once) -> Path:
    """The folder `site/` of what became of them."""

    def make(root: Path) -> None:
        files, _ = collection()
        for name, content in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        done = paper_notes("import", root / "in", "--offline", "--keep-going", "--root", root / "site")
        assert done.exit_code == 0, done.stderr
        built(root / "site")

    return once("imported", make) / "site" / "site"


@pytest.fixture(scope="module")
def address(imported: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Disarmed, directory=str(imported)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.nightly(but_every=2)
@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_nothing_of_imported_pages_runs_or_loads_and_their_words_stay(
    imported: Path, address: str, windows: Windows, scripts: bool
) -> None:
    """All pages at once, each in a frame of one window."""
    pages = {f"{address}/{path.relative_to(imported).as_posix()}": path.stem for path in imported.rglob("notes/*.html")}
    _, words = collection()

    def itself(request: Request) -> bool:
        return request.is_navigation_request() and request.url in pages

    shown: dict[str, str] = {}
    with windows.watched(itself):
        page = windows.open(java_script_enabled=scripts, alone=True)
        page.set_content("".join(f'<iframe src="{one}"></iframe>' for one in pages), wait_until="load")
        for frame in page.frames[1:]:
            assert not frame.evaluate("'pwned' in window"), frame.url
            shown[pages[frame.url].partition("_")[2]] = frame.evaluate("document.querySelector('main').innerText")
    assert [what for what in windows.wrong if not _BAD_VALUE.match(what)] == []
    assert words.keys() - shown.keys() == set()
    lost = {name: [word for word in several if word not in shown[name]] for name, several in words.items()}
    assert {name: several for name, several in lost.items() if several} == {}
