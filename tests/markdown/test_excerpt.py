"""Where long texts are divided."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from paper_notes.diagnostics import Location
from paper_notes.languages.text import Lang, Text
from paper_notes.markdown.short_texts import LONG, divided, is_long, plain_text, read_short, width

HERE = Location(PurePosixPath("notes_src/rl/01_N/note.yaml"), 1, 1)
EN = Lang("en")


def begins(text: str, most: int) -> str:
    return plain_text(text, EN, HERE, lambda slot: slot.target, most=most)


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("Short.", 10, "Short."),
        ("One is here. Two is there. Three", 28, "One is here. Two is there. …"),
        ("版本 v2.5 快。第二句很长很长。第三句", 24, "版本 v2.5 快。 …"),
        ("first part / second part, with more / third", 38, "first part / second part, with more / …"),
        ("one clause, another clause and more words", 26, "one clause, …"),
        ("words without any sign of an end", 20, "words without any …"),
        ("没有标点的一句很长的话", 10, "没有标点的 …"),
        ("Averylongwordthatcannotbedivided", 10, "Averylongwordthatcannotbedivided"),
        ("Averylongword. Next", 5, "Averylongword. …"),
    ],
)
def test_a_text_ends_at_the_best_place_within_the_width(text: str, most: int, shown: str) -> None:
    assert begins(text, most) == shown


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("see ![a *drawing*](x.svg) here", "see a drawing here"),
        ("a<br>b <b>c</b>", "a b c"),
        ("$x_1$ and `code`", "x_1 and code"),
        ("a^[a *note* of [[#3]]] b", "a (a note of #3) b"),
        ("[[#3]], [@k, p. 3] and [x](https://e.example) ==m== ~~s~~", "#3, [k] and x m s"),
        ("a\\\nb\nc", "a b c"),
        ("字\n字", "字字"),
        ("a %%x%% b <!-- y --> &amp; \\* c", "a b & * c"),
    ],
)
def test_a_text_without_its_marks_has_all_its_words(text: str, words: str) -> None:
    assert plain_text(text, EN, HERE, lambda slot: slot.target) == words


@pytest.mark.parametrize("mark", ["$a. B c$", "`a. B c`", "[a. B c](https://x.example)", "**a. B c**", "[[#1|a. B c]]"])
def test_nothing_is_divided_inside_a_formula_a_link_or_other_marks(mark: str) -> None:
    text = f"Before {mark} after it. Then the rest of it all."
    for most in range(1, 50):
        shown = begins(text, most)
        assert "a. B" not in shown or "a. B c" in shown or "#1" in shown, most
    tokens = read_short(text, EN, HERE, inline=True).tokens[0].children or []
    for most in range(1, 60):
        first, rest = divided(tokens, most)
        assert sum(token.nesting for token in first) == 0
        assert "".join(t.content for t in (*first, *rest)).replace(" ", "") == "".join(
            t.content for t in tokens
        ).replace(" ", "")


def test_dividing_leaves_the_tokens_as_they_were() -> None:
    text = "One is here. Two is there."
    tokens = read_short(text, EN, HERE, inline=True).tokens[0].children or []
    divided(tokens, 14)
    assert [token.content for token in tokens] == [text]


def test_an_ideograph_is_as_wide_as_two_letters() -> None:
    assert (width("ab"), width("字b")) == (2, 3)
    assert not is_long(Text.of(zh="字" * (LONG // 2), en="a" * LONG))
    assert is_long(Text.of(zh="字" * (LONG // 2 + 1), en="a"))
