"""The texts of new collections: complete, alike, and each in its language."""

from __future__ import annotations

import re

import pytest
from running import PROJECT

from paper_notes.languages.language import BUILT_IN, places
from paper_notes.languages.text import Lang
from paper_notes.starter.beginning import starting_words

ENGLISH = starting_words(Lang("en")).languages[0].words
EACH = pytest.mark.parametrize("tag", BUILT_IN)
ONLY_IN = {"zh": "这说语读译论对页题结发关们", "zh-Hant": "這說讀譯對發關們裡", "ja": "読訳対発関図でをはの"}
"""Characters that one of them has, and the others do not."""


@EACH
def test_each_language_has_the_texts_of_english_with_the_same_places(tag: Lang) -> None:
    words = starting_words(tag).languages[0].words
    assert set(words) == set(ENGLISH)
    assert {name: places(text) for name, text in words.items()} == {
        name: places(text) for name, text in ENGLISH.items()
    }


@EACH
def test_no_text_is_in_another_language(tag: Lang) -> None:
    words = starting_words(tag).languages[0].words
    texts = "".join(map(str, words.values()))
    for other, characters in ONLY_IN.items():
        assert other == tag or not set(texts) & set(characters), other
    assert tag == "en" or set(texts) & set(ONLY_IN[tag])
    assert tag == "en" or not [name for name, text in words.items() if text == ENGLISH[name]]


@EACH
def test_the_note_has_the_same_formulas_and_citations(tag: Lang) -> None:
    def shape(note: object) -> list[str]:
        return sorted(re.findall(r"\\softmax.*|\[@[^\]]*\]|^:::[a-z]+|^## ", str(note), re.MULTILINE))

    assert shape(starting_words(tag).languages[0].words["note"]) == shape(ENGLISH["note"])


def test_each_text_is_used() -> None:
    module = (PROJECT / "paper_notes/starter/beginning.py").read_text("utf-8")
    assert [name for name in ENGLISH if not re.search(rf"[\"']{name}[\"']", module)] == []


def test_a_variant_has_the_texts_of_its_language_and_others_have_none() -> None:
    assert starting_words(Lang("en-GB")).languages[0].words == ENGLISH
    with pytest.raises(KeyError):
        starting_words(Lang("fr"))
