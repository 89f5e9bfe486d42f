"""Texts put into a file between its lines."""

from __future__ import annotations

import pytest

from paper_notes.features.drafting.applying import Put, with_puts


@pytest.mark.parametrize(
    ("before", "puts", "after"),
    [
        ("a\nb\n", [Put(1, 1, "X")], "a\n\nX\n\nb\n"),
        ("a\n\nb\n", [Put(2, 2, "X\nY")], "a\n\nX\nY\n\nb\n"),
        ("a\n\nold\n\nb\n", [Put(2, 3, "X")], "a\n\nX\n\nb\n"),
        ("a\r\n", [Put(1, 1, "X\nY")], "a\r\n\r\nX\r\nY\r\n"),
        ("a", [Put(1, 1, "X")], "a\n\nX\n"),
        ("", [Put(1, 1, "X"), Put(1, 1, "Y")], "X\n\nY\n"),
        ("a\nb\n", [Put(1, 1, "X"), Put(1, 2, "Y"), Put(2, 2, "Z")], "a\n\nX\n\nY\n\nZ\n"),
        ("\ufeffa\n", [Put(0, 0, "X")], "\ufeffX\n\na\n"),
    ],
)
def test_texts_stand_between_empty_lines_and_all_others_stay(before: str, puts: list[Put], after: str) -> None:
    assert with_puts(before.encode(), 0, puts) == after.encode()


def test_lines_before_the_text_are_skipped() -> None:
    assert with_puts(b"---\ntitle: T\n---\na\n", 3, [Put(0, 1, "X")]) == b"---\ntitle: T\n---\n\nX\n"
