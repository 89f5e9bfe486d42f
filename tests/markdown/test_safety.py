"""Nothing that a note or a figure holds runs a program, takes over the page or asks for another file."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

import pytest
import yaml
from building import note
from reading_html import read

from paper_notes.diagnostics import Location
from paper_notes.markdown.render import render_body
from paper_notes.markdown.short_texts import render_snippet

PAYLOADS = yaml.safe_load((Path(__file__).parent / "payloads.yaml").read_text("utf-8"))
ATTACKS = yaml.safe_load((Path(__file__).parents[1] / "browser/attacks.yaml").read_text("utf-8"))
"""Of which the browser tries some; `make nightly` lets it try all."""
SPOKEN = [*ATTACKS["html"], *(url for place, url in enumerate(ATTACKS["urls"]) if place % 5)]
PAYLOADS += [{"text": f"{text}\n\n- x {text}\n\n[x](<{text}>)"} for text in SPOKEN]
PAYLOADS += [{"text": "![a](a.svg)", "svg": text} for text in ATTACKS["svg"]]


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
