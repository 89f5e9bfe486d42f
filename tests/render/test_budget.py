"""The size of a page without content: styles, scripts and frame.

The metadata in the head counts as content, as titles and authors on the page do: it is measured separately, with a
limit of its own.
"""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from statistics import median

import pytest
from running import PROJECT, write

from paper_notes.artifacts import Artifact
from paper_notes.build import build
from paper_notes.render.theme.theme import PageKind

RAW, PACKED = 33_000, 11_700
HOME_RAW, HOME_PACKED = 55_000, 19_000
"""Limits of the home page, the only one with the script of the search."""
MATH_FONT = 13 * 1024
"""Limit of the font in base64, as in the page."""

MEDIAN_SHARE, MOST_SHARE = 17_900, 31_200
"""Limits of `own_share` over the pages of the sample, which have more formulas than most."""
SAMPLE, SAMPLE_PACKED = "site/spec-rl/notes/04_ReSpec_2510.26475.html", 82_500
"""A long note with most of what notes may have: half of it is its text, figures and formulas."""

EMPTY = {
    "notes_src/site.yaml": "title: {zh: 空, en: Empty}\ntopics: [topic, path]\n",
    "notes_src/topic/topic.yaml": "title: {zh: 空, en: Empty}\n",
    "notes_src/path/topic.yaml": (
        "title: {zh: 空, en: Empty}\nreading_paths: [{id: a, title: {zh: 空, en: Empty}, steps: [1]}]\n"
    ),
    "notes_src/path/01_Empty/note.yaml": "title: {zh: 空, en: Empty}\n",
    "notes_src/path/01_Empty/zh.md": "## 动机\n",
    "notes_src/path/01_Empty/en.md": "## Motivation\n",
    "notes_src/topic/01_Empty/note.yaml": "title: {zh: 空, en: Empty}\n",
    "notes_src/topic/01_Empty/zh.md": "## 动机\n",
    "notes_src/topic/01_Empty/en.md": "## Motivation\n",
}
METADATA = 600
"""Bytes of the metadata of a note without papers."""
_METADATA = re.compile(r'(?:<meta name="citation_[^>]*>\s*)*<script type="application/ld\+json">.*?</script>')
_TITLE = re.compile(r':root(?::has\(#pn-view-en:checked\))?\{--t:"[^"]*"\}')
_FACE = re.compile(r'@font-face\{font-family:"PN Math";src:url\(data:font/woff2;base64,([^)]*)\)')


def pages_of(root: Path) -> dict[str, str]:
    """All pages of a collection, not written."""
    made = build(root)
    assert made.plan is not None, "\n".join(map(str, made.diagnostics))
    wanted: list[Artifact] = [*made.plan.create, *made.plan.update]
    return {str(page.path): page.data.decode() for page in wanted if page.path.suffix == ".html"}


def test_the_overhead_of_every_kind_of_page(tmp_path: Path) -> None:
    pages = pages_of(write(tmp_path, EMPTY))
    wanted = {"site/index.html", "site/topic/index.html", "site/topic/notes/01_Empty.html", "site/stats.html"}
    assert wanted <= pages.keys()
    for path, html in pages.items():
        metadata = "".join(_METADATA.findall(html))
        assert bool(metadata) == ("/notes/" in path)
        assert len(metadata.encode()) <= METADATA, f"{path}: {metadata}"
        data = _METADATA.sub("", html).encode()
        most, most_packed = (HOME_RAW, HOME_PACKED) if path == "site/index.html" else (RAW, PACKED)
        assert '@font-face{font-family:"PN Math"' not in html
        assert len(data) <= most, f"{path}: {len(data):,} bytes"
        packed = len(gzip.compress(data, 9))
        assert packed <= most_packed, f"{path}: {packed:,} bytes with gzip"


@pytest.fixture(scope="module")
def sample() -> dict[str, str]:
    """The pages of the sample collection as they are committed: `make check` knows that they are current."""
    return {str(path.relative_to(PROJECT)): path.read_text("utf-8") for path in (PROJECT / "site").rglob("*.html")}


def test_the_math_font_comes_only_with_formulas_and_is_small(sample: dict[str, str]) -> None:
    assert any("<math" in html for html in sample.values())
    for path, html in sample.items():
        fonts = _FACE.findall(html)
        assert len(fonts) == ("<math" in html), path
        assert sum(map(len, fonts)) <= MATH_FONT, f"{path}: {len(fonts[0]):,} bytes"


def kind_of(path: str) -> PageKind:
    if "/notes/" in path:
        return "note"
    return "path" if path.count("/") == 2 else "home" if path == "site/index.html" else "list"


def test_the_script_is_the_same_bytes_on_every_page_of_a_kind(sample: dict[str, str]) -> None:
    for kind in ("note", "path", "home", "list"):
        pages = [html for path, html in sample.items() if kind_of(path) == kind]
        assert len({html[html.index("<script>") : html.index("</script>")] for html in pages}) == 1, kind


def own_share(html: str) -> int:
    """Bytes that the styles, scripts and the font of a page add to it, packed."""
    bare = re.sub(r"<(style|script)>.*?</\1>", "", html, flags=re.DOTALL)
    return len(gzip.compress(html.encode(), 9)) - len(gzip.compress(bare.encode(), 9))


def test_the_own_share_of_pages_and_the_largest_pages_are_bounded(sample: dict[str, str]) -> None:
    shares = {path: own_share(html) for path, html in sample.items()}
    assert median(shares.values()) <= MEDIAN_SHARE, sorted(shares.items(), key=lambda item: item[1])
    assert max(shares.values()) <= MOST_SHARE, max(shares.items(), key=lambda item: item[1])
    packed = len(gzip.compress(sample[SAMPLE].encode(), 9))
    assert packed <= SAMPLE_PACKED, f"{SAMPLE}: {packed:,} bytes with gzip"
