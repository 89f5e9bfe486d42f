"""Which labels of a table a text names: in full, in short, translated, in a glossary's words."""

from __future__ import annotations

import pytest

from paper_notes.features.verify.counted import counts_in, otherwise, printed_counts
from paper_notes.features.verify.labels import Axis, Vocabulary, axes_of

TEAS = ("Green-2", "Green-3", "Oolong (16)", "Oolong (10)", "Pu'er without leaves")
MODELS = ("Qwen3-8B", "Qwen3-4B", "LLaMA-3.1-8B")
SETS = ("GSM8K", "HotpotQA", "Natural Questions", "Avg.", "Speedup", "Tokens / forward")


@pytest.mark.parametrize(
    ("labels", "text", "named"),
    [
        (TEAS, "Green-3 is best", "Green-3"),
        (TEAS, "Green 3", "Green-3"),
        (TEAS, "Green", "Green-2|Green-3"),
        (("Primary", "Good"), "with p = 0.089", ""),
        (TEAS, "Oolong，16 克的", "Oolong (16)"),
        (("Green-Leaf", "MATH"), "GreenLeaf", "Green-Leaf"),
        (TEAS, "Oolong(16) 对 Oolong", "Oolong (10)|Oolong (16)"),
        (TEAS, "去掉 leaves", "Pu'er without leaves"),
        (TEAS, "of 3 and 16", ""),
        (MODELS, "Q3-8B", "Qwen3-8B"),
        (MODELS, "Llama 3.1", "LLaMA-3.1-8B"),
        (MODELS, "8B", "LLaMA-3.1-8B|Qwen3-8B"),
        (SETS, "平均", "Avg."),
        (SETS, "加速比", "Speedup"),
        (SETS, "NQ 与 Hotpot", "HotpotQA|Natural Questions"),
        (SETS, "3 tokens", ""),
        (("2", "4", "64"), "batch size 64 of 4", "64"),
    ],
)
def test_a_text_names_these_labels(labels: tuple[str, ...], text: str, named: str) -> None:
    axis = Axis(labels, Vocabulary(), "Batch size")
    assert "|".join(sorted(axis.named(text))) == named


def test_a_head_in_short_names_the_numbers_below_it() -> None:
    axis = Axis(("21", "22"), Vocabulary(), "Func.")
    assert [axis.named(text) for text in ("on function 21", "in run 21")] == [{"21"}, frozenset()]


def test_a_glossary_and_a_caption_say_what_labels_mean() -> None:
    vocabulary = Vocabulary([("绿茶", "green tea")])
    assert Axis(("Green tea", "Black tea"), vocabulary).named("绿茶最好") == {"Green tea"}
    axes = axes_of(
        {"row": [("G1", "x"), ("B2", "x")]}, vocabulary, (), "G1 represents Gunpowder, B2 denotes Breakfast."
    )
    assert axes["row", 1].named("Gunpowder") == {"G1"}


@pytest.mark.parametrize(
    ("said", "paper", "finds"),
    [
        ("It has five kinds of tea.", "We study four kinds of tea.", 4),
        ("论文比较了五个基准。", "on four public benchmarks", 4),
        ("It has four kinds of tea.", "We study four kinds of tea.", None),
        ("Two of the kinds, five other kinds.", "We study four kinds of tea.", None),
        ("It has five kinds of tea.", "Three kinds, four kinds, six kinds.", None),
        ("检索 5 段，再答。", "We set the number of retrieved passages to 3.", 3),
        ("检索 3 段，再答。", "We set the number of retrieved passages to 3.", None),
        ("表中三个数据集列都小。", "on four datasets", None),
        ("它在四个模型中赢了三个。", "two types of models", None),
        ("the two larger ones saw more", "3 suggestions on code", None),
        ("三个基准", "two tightly coupled and public benchmarks", None),
        ("Fifteen guests drink tea.", "We invite 16 imaginary guests.", 16),
        ("十五个虚构的用户", "with 16 virtual users", 16),
        ("二十五个用户", "with twenty-five users", None),
        ("It has five hundred users.", "on six users", None),
        ("The five stations are high.", "four stations of the 69 stations", 4),
        ("It has five pots.", "We study four kinds of tea.", None),
    ],
)
def test_a_number_in_words_is_compared_with_what_the_paper_counts(said: str, paper: str, finds: int | None) -> None:
    found = [printed.value for count in counts_in(said) if (printed := otherwise(count, printed_counts([[paper]])))]
    assert found == ([finds] if finds else [])
