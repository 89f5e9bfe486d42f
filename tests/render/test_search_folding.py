"""Which characters a search takes for the same."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from paper_notes.languages.language import Words, language
from paper_notes.languages.text import Lang
from paper_notes.render.search.folding import fold, has_chinese, simplified, traditional, variants
from paper_notes.values import replace

CASES: list[tuple[str, str]] = yaml.safe_load((Path(__file__).parent / "folding.yaml").read_text("utf-8"))


@pytest.mark.parametrize(("written", "compared"), CASES)
def test_folding(written: str, compared: str) -> None:
    assert fold(written) == compared


def test_folding_twice_changes_nothing_more() -> None:
    for written, compared in CASES:
        assert fold(compared) == compared, written
    for old, new in simplified().items():
        assert fold(old) == new
        assert fold(new) == new


def test_variants_are_those_that_occur() -> None:
    assert variants("Ré後（abc 中") == "é" + "e" + "後" + "后" + "（" + "("


def test_in_japanese_texts_characters_are_not_those_of_chinese() -> None:
    english = language(Lang("en"))
    japanese = replace(english, tag=Lang("ja"), script="Jpan")
    assert variants("機械Ré", chinese=False) == "ée"
    assert fold("機械", chinese=False) == "機械"
    assert not has_chinese(Words((japanese, english)))
    assert has_chinese(Words((japanese, language(Lang("zh")))))
    assert has_chinese(Words((english,))), "names of people in an English site"


def test_what_a_reader_may_type_is_given_for_characters_that_occur() -> None:
    pairs = traditional("后训")
    assert {pairs[place : place + 2] for place in range(0, len(pairs), 2)} >= {"後后", "訓训"}
    assert "練" not in pairs
    assert traditional("abc") == ""
