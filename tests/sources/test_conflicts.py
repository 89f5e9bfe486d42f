"""Merge conflicts in texts: which lines are marks of git, and what is left when one side is kept."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from paper_notes.sources.conflicts import MAX_CONFLICTS, may_be_unmerged, read_conflicts


@pytest.mark.parametrize(
    ("name", "text", "lines", "ours"),
    [
        ("a.md", "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\nd\n", [2], "a\n\nb\n\n\n\nd\n"),
        ("a.md", "<<<<<<< a\n1\n||||||| o\n0\n=======\n2\n>>>>>>> b", [1], "\n1\n\n\n\n\n"),
        ("a.md", "<<<<<<< a\n=======\n>>>>>>> b\n<<<<<<< a\n=======\n>>>>>>> b\n", [1, 4], "\n" * 6),
        ("a.bib", "<<<<<<<\n1\n", [1], "\n1\n"),
        ("a.md", "<<<<<<< HEAD\n1\n<<<<<<< HEAD\n2\n", [1, 3], "\n1\n\n2\n"),
        ("a.md", "1\n=======\n2\n>>>>>>> b\n3\n", [2], "1\n\n2\n\n3\n"),
        ("a.md", "1\n=======\n\n> q\n>>>>>>>q\n", [], "1\n=======\n\n> q\n>>>>>>>q\n"),
        ("a.md", ">>>>>>> deep\n", [], ">>>>>>> deep\n"),
        ("a.yaml", "a: 1\n>>>>>>> b\n", [2], "a: 1\n\n"),
        ("a.yaml", "a: 1\n=======\nb: 2\n", [2], "a: 1\n\nb: 2\n"),
        ("a.yaml", "a: |\n  <<<<<<< HEAD\n  =======\n", [], "a: |\n  <<<<<<< HEAD\n  =======\n"),
        ("a.md", "<<<<<<<HEAD\n|||||||\n========\n<<<<<<<<\n", [], "<<<<<<<HEAD\n|||||||\n========\n<<<<<<<<\n"),
    ],
)
def test_conflicts_are_found_and_our_side_is_kept_in_its_lines(
    name: str, text: str, lines: list[int], ours: str
) -> None:
    found = read_conflicts(PurePosixPath(name), text)
    assert [problem.location.line for problem in found.problems] == lines
    assert found.ours == ours


@pytest.mark.parametrize("text", ["<<<<<<< a\r\n", "x\n>>>>>>> b", "<<<<<<<"])
def test_bytes_of_a_conflict_are_worth_a_look(text: str) -> None:
    assert may_be_unmerged(text.encode())
    assert not may_be_unmerged(text.replace("<", " <", 1).replace("\n>", "\n >").encode())


def test_a_file_full_of_marks_is_read_at_once() -> None:
    found = read_conflicts(PurePosixPath("a.md"), "<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n" * 50_000)
    assert len(found.problems) == MAX_CONFLICTS
    assert found.ours == "\n1\n\n\n\n" * 50_000
