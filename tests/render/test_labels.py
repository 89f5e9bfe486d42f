"""Words and numbers as people read them."""

from __future__ import annotations

from typing import get_args

import pytest

from paper_notes.corpus.model import LANGS, Kind, ReadingSource, Status, Text
from paper_notes.languages.text import zh_en
from paper_notes.render.labels import KINDS, READING_SOURCES, STATUSES, count_of_notes, reading_time, size_of


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (0, "1 KB"),
        (1, "1 KB"),
        (1_499, "1 KB"),
        (1_501, "2 KB"),
        (53_900, "54 KB"),
        (999_499, "999 KB"),
        (999_500, "1.0 MB"),
        (1_249_999, "1.2 MB"),
        (12_345_678, "12.3 MB"),
    ],
)
def test_size_of(count: int, expected: str) -> None:
    assert size_of(count) == expected


def test_counts() -> None:
    assert count_of_notes(0) == zh_en("0 篇", "0 notes")
    assert count_of_notes(1) == zh_en("1 篇", "1 note")
    assert count_of_notes(12) == zh_en("12 篇", "12 notes")


def test_reading_time() -> None:
    assert reading_time(0, 0, "zh") == "约 1 分钟"
    assert reading_time(100, 3000, "zh") == "约 11 分钟"
    assert reading_time(1800, 0, "en") == "about 10 min"


@pytest.mark.parametrize(
    ("words", "values"),
    [(KINDS, get_args(Kind)), (STATUSES, get_args(Status)), (READING_SOURCES, get_args(ReadingSource))],
)
def test_every_value_has_its_word_in_both_languages(words: dict[str, Text], values: tuple[str, ...]) -> None:
    assert tuple(words) == values
    assert all(text.has(lang) and text[lang] for text in words.values() for lang in LANGS)
