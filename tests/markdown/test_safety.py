"""Nothing that a note or a figure holds runs a program, takes over the page or asks for another file."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath

import pytest
import yaml
from building import note

from paper_notes.diagnostics import Location
from paper_notes.markdown.render import render_body, render_snippet
from paper_notes.markdown.sanitise import TAGS
from paper_notes.markdown.svg import ELEMENTS

PAYLOADS = yaml.safe_load((Path(__file__).parent / "payloads.yaml").read_text("utf-8"))
MATHML = frozenset(
    "math mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd"
    " mpadded mphantom merror mstyle menclose semantics".split()
)
FORBIDDEN_ATTRIBUTE = re.compile(r"on|srcdoc|style|src$|action|formaction|xlink|http-equiv", re.IGNORECASE)
FORBIDDEN_VALUE = re.compile(r"(javascript|vbscript|data)\s*:|url\(\s*['\"]?(?!#)|evil\.example", re.IGNORECASE)


class Reader(HTMLParser):
    """What a browser would see: elements, attributes, and what is wrong with them."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS | MATHML | {name.lower() for name in ELEMENTS}:
            self.wrong.append(f"<{tag}>")
        for name, value in attrs:
            self.ids += [value or ""] if name == "id" else []
            is_address = name in ("href", "attributename", "mask", "fill", "to", "values") or "url(" in (value or "")
            if FORBIDDEN_ATTRIBUTE.match(name) or (is_address and FORBIDDEN_VALUE.search(value or "")):
                self.wrong.append(f'<{tag} {name}="{value}">')


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader


def html_of(text: str, files: dict[str, str]) -> str:
    body = render_body(note({"zh": text}, dict(files)))
    parts = [half.lead + half.footnotes for half in body.halves.values()]
    parts += [half.heading + half.html for section in body.sections for half in section.halves.values()]
    return "".join(parts)


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: (payload.get("svg") or payload["text"])[:50])
def test_no_payload_survives(payload: dict[str, str]) -> None:
    html = html_of(payload["text"], {"a.svg": payload["svg"]} if "svg" in payload else {})
    reader = read(html)
    assert reader.wrong == []
    assert len(reader.ids) == len(set(reader.ids))
    assert not re.search("[\ufdd2-\ufdef]", html)


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: payload["text"][:50])
def test_no_payload_survives_in_a_yaml_text(payload: dict[str, str]) -> None:
    where = Location(PurePosixPath("notes_src/topic/topic.yaml"), 3, 5)
    for inline in (False, True):
        snippet = render_snippet(payload["text"], "en", where, inline=inline)
        assert read(snippet.html).wrong == []


def test_the_reader_would_see_an_attack() -> None:
    seen = read('<p onclick="x"><script></script><a href="JavaScript:x">y</a><rect fill="url(//evil.example)">').wrong
    assert len(seen) == 4
