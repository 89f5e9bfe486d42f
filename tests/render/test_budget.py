"""The size of a page without content: styles, scripts and frame.

The metadata in the head counts as content, as titles and authors on the page do: it is measured separately, with a
limit of its own.
"""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from running import PROJECT, write

from paper_notes.artifacts import Artifact
from paper_notes.build import build
from paper_notes.languages.language import Words
from paper_notes.render.theme.theme import PageKind, load_theme

RAW, PACKED = 40 * 1024, 12 * 1024
HOME_RAW, HOME_PACKED = 60 * 1024, 20_600
"""Limits of the home page, the only one with the script of the search."""
MATH_FONT = 16 * 1024
"""Limit of the font in base64, as in the page."""

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


def test_styles_and_script_are_the_same_bytes_on_every_page_of_a_kind(sample: dict[str, str]) -> None:
    theme, _ = load_theme(PROJECT, Words.of("zh", "en"))
    assert theme
    parts = [part for _, part in theme.parts]
    for kind in ("note", "path", "home", "list"):
        heads = set()
        for path, html in sample.items():
            if kind_of(path) == kind:
                style = _TITLE.sub("", _FACE.sub("", html[html.rindex("<style>") : html.rindex("</style>")]))
                for part in parts:
                    style = style.replace(part, "")
                script = html[html.index("<script>") : html.index("</script>")]
                heads.add((re.sub(r'\s*format\("woff2"\);font-display:block\}', "", style), script))
        assert len(heads) == 1, kind
