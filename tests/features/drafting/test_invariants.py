"""What a translation must not change, and how that is said."""

from __future__ import annotations

import pytest

from paper_notes.corpus.model import Lang
from paper_notes.features.drafting.invariants import differences, in_other_language, read_piece
from paper_notes.features.verify.numbers import changed, numbers
from paper_notes.languages.language import BUILT_IN_WORDS


def differing(one: str, other: str) -> list[str]:
    pieces = (read_piece(text, Lang("en"), BUILT_IN_WORDS) for text in (one, other))
    return list(differences(*pieces))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3K, 3 thousand, 3千, 3,000", 3_000),
        ("3万, 3 萬, 30K", 30_000),
        ("3M, 3 million, 3百万, 300 萬", 3_000_000),
        ("3千万, 3千萬", 30_000_000),
        ("3亿, 3億, 300M", 300_000_000),
        ("3B, 3-billion, 3十亿, 3 十億", 3_000_000_000),
        ("3T, 3 trillion, 3万亿, 3 兆", 3_000_000_000_000),
    ],
)
def test_words_and_letters_behind_a_number_are_powers_of_ten(text: str, value: int) -> None:
    assert numbers(text) == {value: len(text.split(", "))}


@pytest.mark.parametrize(
    ("source", "translation", "lacks", "adds"),
    [
        ("7B of 3 萬", "70億，30K", (), ()),
        ("1T", "1亿", ("1000000000000",), ("100000000",)),
        ("Tables 2, 2 and 30", "表 2 和 30", (), ()),
        ("30 and 30", "30", ("30",), ()),
        ("12 of 1,200.50", "一打，1200.5", ("12",), ()),
        ("twelve, or 2", "12，两个", (), ()),
    ],
)
def test_a_translation_has_the_same_numbers(
    source: str, translation: str, lacks: tuple[str, ...], adds: tuple[str, ...]
) -> None:
    assert changed(source, translation) == (lacks, adds)


@pytest.mark.parametrize(
    ("what", "one", "other", "was", "now"),
    [
        ("formula", "Words $a$.", "Words $b$.", "a", "b"),
        ("formula", "$$\na\n$$", "$$\nb\n$$", "a", "b"),
        ("citation", "Words [@lee2020].", "Words [@lee2021].", "lee2020", "lee2021"),
        ("reference", "See [[#4]].", "See [[#5]].", "#4", "#5"),
        (
            "link",
            "See [it](https://a.example).",
            "See [it](https://b.example).",
            "https://a.example",
            "https://b.example",
        ),
        ("picture", "![x](a.png)", "![x](b.png)", "a.png", "b.png"),
        ("piece of code", "Run `ls`.", "Run `cd`.", "ls", "cd"),
        ("piece of code", "```py\nx\n```", "```py\ny\n```", "py x", "py y"),
        ("id", "## Words {#one}", "## Words {#two}", "one", "two"),
        ("footnote", "Words[^a].\n\n[^a]: More.", "Words[^b].\n\n[^b]: More.", "a", "b"),
    ],
)
def test_what_is_no_language_stays_as_it_is(what: str, one: str, other: str, was: str, now: str) -> None:
    said = [f'a {what} is missing or changed: "{was}"', f'a {what} is new or changed: "{now}"']
    assert differing(one, other) == said
    assert differing(one, one) == []


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("H<sub>2</sub>O", "H<sup>2</sup>O", 'a HTML is missing or changed: "<sub>", "</sub>"'),
        ("One 3.5 and 4.5.", "One 4.5 and 3.5.", "its numbers are in another order: 4.5, 3.5"),
        ("Uses Qwen3.", "Uses Qwen4.", "a name is missing or changed: Qwen3"),
        ("It is 25.", "It is 26.", "a number is missing or changed: 25"),
        ("- a\n- b", "1. a\n2. b", "its block 1 is `ordered_list ol` where the original has `bullet_list ul`"),
        ("A.\n\nB.", "A.", "it ends before the block `paragraph p` of the original"),
        ("A.", "A.\n\nB.", "it has a block that the original has not: `paragraph p`"),
        ("Words x.", "Words [x]{.new}.", "it has what the original has not: span"),
        ("Words.", ":::nothing\nWords.\n:::", "it has a mistake that the original has not: unknown-component"),
        ("Words " * 40, "Words " * 130, "it has 325% of the original's length, so it says less or more than that"),
        ("Words " * 130, "Words " * 40, "it has 31% of the original's length, so it says less or more than that"),
    ],
)
def test_structure_order_and_length_stay(one: str, other: str, said: str) -> None:
    assert differing(one, other)[0] == said
    assert differing(one, one) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("It has 0 errors.", "It has no errors."), ("It has 12 cups.", "It has a dozen cups."), ("1,000 cups", "1K cups")],
)
def test_small_numbers_may_be_words_and_large_ones_have_several_forms(one: str, other: str) -> None:
    assert differing(one, other) == []


def test_languages_stress_and_break_lines_in_other_places() -> None:
    assert differing("Some **words** of\nit.", "Some words *of* it.") == []


@pytest.mark.parametrize(
    ("lang", "words", "english", "signs", "is_other"),
    [
        ("en", 0, 0, "水" * 4, False),
        ("en", 0, 0, "水" * 5, True),
        ("en", 17, 17, "水" * 5, False),
        ("en", 16, 16, "水" * 5, True),
        ("en", 25, 2, "", True),
        ("en", 25, 3, "", False),
        ("en", 24, 0, "", False),
        ("zh", 15, 0, "", False),
        ("zh", 16, 0, "水" * 7, True),
        ("zh", 16, 0, "水" * 8, False),
        ("zh", 0, 0, "水" * 8 + "のはに", True),
        ("zh", 0, 0, "水" * 9 + "のは", False),
        ("zh", 0, 0, "水" * 12 + "のはに", False),
        ("zh", 0, 0, "水" * 7 + "のはに", False),
        ("ja", 0, 0, "水" * 20, False),
        ("ja", 0, 0, "水" * 21, True),
        ("ja", 0, 0, "水" * 18 + "のはに", False),
        ("ja", 0, 0, "水" * 19 + "のは", True),
        ("ja", 0, 0, "水" * 27 + "のはに", False),
        ("ja", 0, 0, "水" * 28 + "のはに", True),
    ],
)
def test_a_text_is_in_another_language_from_so_many_of_its_signs_on(
    lang: str, words: int, english: int, signs: str, is_other: bool
) -> None:
    text = " ".join(["lorem"] * (words - english) + ["the"] * english + [signs])
    piece = read_piece(text, Lang(lang), BUILT_IN_WORDS)
    assert bool(in_other_language(piece, Lang(lang), BUILT_IN_WORDS)) is is_other


def test_names_in_short_lines_are_in_no_language() -> None:
    for length, said in ((12, ""), (13, "it is not in English")):
        piece = read_piece("\n\n".join([" ".join(["lorem"] * length)] * 3), Lang("en"), BUILT_IN_WORDS)
        assert in_other_language(piece, Lang("en"), BUILT_IN_WORDS) == said
