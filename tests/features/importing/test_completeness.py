"""Words of an original that have not arrived are named."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import PurePosixPath

import pytest

from paper_notes.features.importing import completeness
from paper_notes.features.importing.completeness import Kept, compare_words, plain_lines, with_plain_lines, words_of
from paper_notes.features.importing.markdown.rewriting import without_remarks
from paper_notes.features.importing.types import Original


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
    assert compare_words("x alpha", "x α", lambda: r"\alpha").lost == ()


def test_a_line_whose_words_are_torn_apart_is_named() -> None:
    far = "filler " * 200
    assert compare_words("alpha beta gamma\nother line", f"alpha gamma {far} beta other line").moved == (
        "alpha beta gamma",
    )


def test_lines_in_another_order_are_whole() -> None:
    assert not compare_words("first line\nsecond line", "second line\nfirst line").moved


def test_each_line_is_read_once_to_find_the_words_that_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(completeness, "words_of", lambda line: read.append(line) or words_of(line))
    original = Original(PurePosixPath("a.html"), "tea " * 100 + "\nmilk tea\nteapot")
    found = completeness.lost_words(original, Kept(0, ("tea", "milk", "tea", "gone"), ()))
    places = [(finding.location.line, finding.location.column) for finding in found]
    assert places == [(2, 6), (2, 1), (1, 397), (1, 1)]
    assert len(read) == 3, "a page is one long line, and may lose a thousand words"


def test_lines_of_plain_words_are_known_without_any_syntax() -> None:
    text = "---\ntitle: Not this line of the front\n---\n# A title of words\n\nA line of plain words.\n"
    text += "## A heading of words\n- an item\nWords and <b>a tag</b> among words\n"
    text += "<!--\nA comment of plain words\n-->\n```\nCode of plain words\n```\n一行普通的字。\n"
    assert [*plain_lines(text)] == ["A line of plain words.", "A heading of words", "an item", "一行普通的字。"]


@pytest.mark.parametrize("look", [lambda text: [*plain_lines(text)], without_remarks])
@pytest.mark.parametrize("opening", ["<!--", "%%", "{>>", "<svg>", "\\[", "{{", "~~", "`", "\\begin{"])
def test_an_end_that_is_missing_is_looked_for_once(opening: str, look: Callable[[str], object]) -> None:
    def cost(count: int) -> float:
        start = time.process_time()
        assert "words" in str(look(f"a {opening * count}\n\nA line of plain words.\n"))
        return time.process_time() - start

    assert cost(24_000) < 20 * cost(3_000) + 0.5, "it took minutes: each opening looked through the rest"


def test_a_line_that_the_reader_has_not_seen_is_among_the_words_of_the_file() -> None:
    original = Original(PurePosixPath("a.md"), "One line of words.\n\nAnother line of words.\n")
    assert with_plain_lines("One line of words.", original) == "One line of words.\nAnother line of words."
    assert with_plain_lines("x", Original(PurePosixPath("a.html"), original.text)) == "x"
