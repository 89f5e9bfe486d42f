"""GitHub's anchors. `anchors.json` has the result of github-slugger 2.0 for these headings in one file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paper_notes.indexes.gfm import AnchoredHeading, anchors, headings, slug

TABLE: list[list[str]] = json.loads((Path(__file__).parent / "anchors.json").read_text("utf-8"))


def test_anchors_are_those_of_github_slugger() -> None:
    assert len(TABLE) >= 60
    made = anchors(text for text, _ in TABLE)
    assert [[text, anchor] for (text, _), anchor in zip(TABLE, made, strict=True)] == TABLE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("🔵 投机解码 × RL（5 篇）", "-投机解码--rl5-篇"),
        ("❤️ 喜欢", "\ufe0f-喜欢"),
        ("C++ & C#", "c--c"),
        ("Ⓐ Ⅳ ² ½", "ⓐ-ⅳ--"),
        ("", ""),
    ],
)
def test_what_stays_and_what_goes(text: str, expected: str) -> None:
    assert slug(text) == expected


def test_a_name_that_is_taken_gets_the_next_free_number() -> None:
    assert anchors(["a", "a", "a-1", "a", "a-1"]) == ("a", "a-1", "a-1-1", "a-2", "a-1-2")


def test_headings_of_a_file_by_what_a_reader_sees_of_them() -> None:
    text = (
        "\ufeff# **Title** with `code`\r\n\r\n```\r\n# no heading\r\n```\r\n\r\n## [A link](x) & ~~more~~ \\*\r\n\r\n"
        "Below\n=====\n\n> ## Quoted\n\n### ![alt](x.png) picture ###\n\n####### seven\n"
    )
    assert headings(text) == (
        AnchoredHeading(1, "**Title** with `code`", "title-with-code"),
        AnchoredHeading(2, "[A link](x) & ~~more~~ \\*", "a-link--more-"),
        AnchoredHeading(1, "Below", "below"),
        AnchoredHeading(2, "Quoted", "quoted"),
        AnchoredHeading(3, "![alt](x.png) picture", "-picture"),
    )
