"""Ids for addresses, made of names."""

from __future__ import annotations

from paper_notes.corpus.slugs import slugs


def test_a_slug_is_made_of_the_words_of_a_name() -> None:
    names = ["speculative decoding", "KV cache", "C++", "投机解码", "draft  model (small)", "**"]
    assert list(slugs(names, "term")) == [
        "term-speculative-decoding",
        "term-kv-cache",
        "term-c",
        "term-投机解码",
        "term-draft-model-small",
        "term-sign",
    ]


def test_names_that_are_alike_are_numbered_and_the_first_keeps_its_id() -> None:
    assert list(slugs(["RL", "rl", "rl-2", "r.l", "rl"], "t")) == ["t-rl", "t-rl-2", "t-rl-2-2", "t-r-l", "t-rl-3"]


def test_a_new_name_changes_no_other_id() -> None:
    before = list(slugs(["rate", "draft"], "term"))
    assert [*slugs(["new", "rate", "draft"], "term")][1:] == before
