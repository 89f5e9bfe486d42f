"""Numbers in plain words that may mean a note."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from building import note

from paper_notes.markdown.render import render_body

CASES = yaml.safe_load((Path(__file__).parent / "plain_references.yaml").read_text("utf-8"))


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[case[0][:30] for case in CASES])
def test_what_may_mean_a_note_is_found_where_it_stands(text: str, expected: list[str]) -> None:
    slots = [slot for slot in render_body(note({"en": text})).halves["en"].slots if slot.kind == "plain"]
    assert [f"{slot.target} {slot.location.line}:{slot.location.column}" for slot in slots] == expected


def test_the_text_itself_stays_as_it_is() -> None:
    assert render_body(note({"en": "See #4, \\#5."})).halves["en"].lead.strip() == "<p>See #4, #5.</p>"
