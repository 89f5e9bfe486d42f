"""Pages written by hand come in whole: every word, in order, and a note that builds without an error."""

from __future__ import annotations

import pytest
from running import PROJECT

from paper_notes.foreign.html import classes
from paper_notes.foreign.html.format import FORMAT
from taking_in import NOTES, files_of, lost, rendered, taken_in

REFERENCE = PROJECT.parent / "shared" / "reference" / "notes"
FILES = files_of(NOTES)
FOREIGN = taken_in(FILES)


@pytest.mark.parametrize("name", FOREIGN)
def test_every_word_arrives_in_order_and_nothing_is_wrong(name: str) -> None:
    shown, problems = rendered(FOREIGN[name])
    assert lost(FOREIGN[name].words, shown) == []
    assert [str(problem) for problem in problems] == []
