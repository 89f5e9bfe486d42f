"""Words of an original that have not arrived are named."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from paper_notes.features.importing import losses
from paper_notes.features.importing.kept import Kept, compare_words, words_of
from paper_notes.features.importing.values import Original


def test_words_are_compared_without_signs_case_and_width() -> None:
    assert words_of("Ｗｉｄｅ, **bold** 中文 ① ²") == ["wide", "bold", "中", "文", "1", "2"]


def test_a_lost_word_is_named_and_counted() -> None:
    kept = compare_words("one two three\n中文字", "one three 中字")
    assert (kept.lost, kept.characters, kept.kept) == (("two", "文"), 14, 10)


def test_of_a_word_that_is_there_too_rarely_the_last_is_lost() -> None:
    assert compare_words("a b a b a", "a b b").lost == ("a", "a")


def test_more_words_than_before_do_no_harm() -> None:
    kept = compare_words("one two", "Contents one extra two Next")
    assert not kept.lost
    assert not kept.moved


def test_words_of_a_formula_may_be_in_its_source() -> None:
    assert compare_words("x alpha", "x α", r"\alpha").lost == ()


def test_a_line_whose_words_are_torn_apart_is_named() -> None:
    far = "filler " * 200
    assert compare_words("alpha beta gamma\nother line", f"alpha gamma {far} beta other line").moved == (
        "alpha beta gamma",
    )


def test_lines_in_another_order_are_whole() -> None:
    assert not compare_words("first line\nsecond line", "second line\nfirst line").moved


def test_each_line_is_read_once_to_find_the_words_that_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(losses, "words_of", lambda line: read.append(line) or words_of(line))
    original = Original(PurePosixPath("a.html"), "tea " * 100 + "\nmilk tea\nteapot")
    found = losses.lost_words(original, Kept(0, ("tea", "milk", "tea", "gone"), ()))
    places = [(finding.location.line, finding.location.column) for finding in found]
    assert places == [(2, 6), (2, 1), (1, 397), (1, 1)]
    assert len(read) == 3, "a page is one long line, and may lose a thousand words"
