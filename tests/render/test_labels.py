"""Words and numbers as people read them."""

from __future__ import annotations

from typing import get_args

import pytest

from paper_notes.corpus.model import BUILT_IN_KINDS, ReadingSource, Status
from paper_notes.languages.language import Words, language
from paper_notes.languages.text import Lang, Text
from paper_notes.render.labels import joined, language_name, language_names, minutes_to_read, size_of
from paper_notes.values import replace

ZH, EN = Lang("zh"), Lang("en")
FRENCH = replace(language(EN), tag=Lang("fr"), html="fr", name="français")
BOTH = Words.of("zh", "en")


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
    assert BOTH("count.notes", count=0) == Text.of(zh="0 篇", en="0 notes")
    assert BOTH("count.notes", count=1) == Text.of(zh="1 篇", en="1 note")
    assert BOTH("count.notes", count=1200) == Text.of(zh="1,200 篇", en="1,200 notes")
    assert joined(BOTH, BOTH("count.tags", count=1), BOTH("count.terms", count=2)) == Text.of(
        zh="1 个标签，2 条术语", en="1 tag, 2 terms"
    )


def test_texts_of_ideographic_scripts_are_read_by_characters_and_others_by_words() -> None:
    japanese = replace(language(ZH), tag=Lang("ja"), script="Jpan")
    assert minutes_to_read(0, 0, language(ZH)) == 1
    assert minutes_to_read(100, 3000, language(ZH)) == 11
    assert minutes_to_read(0, 3000, replace(language(ZH), tag=Lang("zh-Hant"), script="Hant")) == 10
    assert minutes_to_read(0, 4000, japanese) == 10
    assert minutes_to_read(1800, 0, language(EN)) == minutes_to_read(1800, 0, FRENCH) == 10


@pytest.mark.parametrize(
    ("section", "values"),
    [("kind", tuple(BUILT_IN_KINDS)), ("status", get_args(Status)), ("read_from", get_args(ReadingSource))],
)
def test_every_value_has_its_word_in_each_language(section: str, values: tuple[str, ...]) -> None:
    assert all(BOTH(f"{section}.{value}")[lang] for value in values for lang in BOTH.tags)


def test_languages_are_named_in_each_language() -> None:
    assert language_name(ZH, BOTH) == Text.of(zh="中文", en="Chinese")
    assert language_names(BOTH) == Text.of(zh="中英", en="Chinese and English")
    assert language_names(Words.of("en")) == Text.of(en="English")


def test_a_language_without_a_word_for_it_is_called_as_it_calls_itself() -> None:
    words = Words((language(ZH), FRENCH))
    assert language_name(FRENCH.tag, words) == Text.of(zh="français", fr="français")
    assert language_names(words) == Text.of(zh="中français", fr="Chinese and français")
    assert language_name(Lang("zh-TW"), BOTH) == Text.of(zh="繁体中文", en="Traditional Chinese"), "one that is near"
