"""Findings as the terminal shows them."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from paper_notes.diagnostics import Diagnostic, Location, did_you_mean

WHERE = Location(PurePosixPath("a.bib"), 3, 5)


@pytest.mark.parametrize("end", ["\n", "\r\n", " \n\n ", "\u2028", "\x85"])
def test_a_finding_is_one_line_and_one_of_hint_whatever_it_quotes(end: str) -> None:
    found = Diagnostic(WHERE, "bad-doi", f'"10.1234{end}/x" is not a DOI', f"write it{end}on one line")
    assert str(found) == 'a.bib:3:5: error[bad-doi]: "10.1234 /x" is not a DOI\n  hint: write it on one line'


def test_spaces_on_one_line_stay() -> None:
    assert Diagnostic(WHERE, "lost-syntax", '"a  b"', "x  y").message == '"a  b"'


def test_a_hint_lists_what_is_known_only_while_that_is_short() -> None:
    assert did_you_mean("nothing like it", ["b", "a"]) == "known: a, b"
    assert did_you_mean("nothing like it", [str(number) for number in range(31)]) == ""
    assert did_you_mean("nothing like it", ["x" * 300, "y" * 300]) == ""
    assert did_you_mean("x" * 199, ["x" * 300, "y" * 300]) == f'did you mean "{"x" * 300}"?'
    assert did_you_mean("x" * 201, ["x" * 202, "y" * 300]) == "", "to compare longer words takes too long"
    assert did_you_mean("nothing like it", []) == ""
