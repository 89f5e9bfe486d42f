"""Numbers that a note declares or computes: a declaration is a claim, too."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from building import said

from paper_notes.corpus.model import Lang, NoteText
from paper_notes.markdown.parser import parse_note


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (r'[$-0.82$]{from="-0.4/sqrt(0.4*0.6)"}', ""),
        (r'[falls by 0.82]{from="-0.4/sqrt(0.4*0.6)"}', ""),
        (r'[$-0.82$]{from="0.4/sqrt(0.4*0.6)"}', 'is 0.816497, not "-0.82"'),
        (r'[+0.82]{from="-0.4/sqrt(0.4*0.6)"}', 'is -0.816497, not "+0.82"'),
        (r'[0.65-0.82]{from="0.4/sqrt(0.4*0.6)"}', ""),  # a range
        (r'[$74/164=45.1\%$]{from="74/164"}', ""),
        (r'[$74/164=45.3\%$]{from="74/164"}', 'is 0.45122, not "45.3'),
    ],
)
def test_a_result_is_compared_with_its_sign_and_percent_sign(text: str, problem: str) -> None:
    problems = said(parse_note(NoteText(Lang("en"), PurePosixPath("en.md"), f"It is {text}.")).context.problems)
    assert problem in problems if problem else not problems
