"""The language of a text that nobody has named is told by its letters."""

from __future__ import annotations

import pytest

from paper_notes.features.importing.path_language import guessed


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "zh"),
        ("a", "en"),
        ("茶" + "a" * 8, "zh"),
        ("茶" + "a" * 9, "en"),
        ("の" * 5, "zh"),
        ("の" * 6 + "茶" * 113, "ja"),
        ("の" * 6 + "茶" * 114, "zh"),
        ("漢語說" + "话", "zh-Hant"),
        ("漢語" + "话", "zh"),
        ("漢語說" + "说话", "zh"),
    ],
)
def test_the_language_of_letters(text: str, language: str) -> None:
    assert guessed(text) == language
