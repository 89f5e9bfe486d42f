"""Texts in GitHub's Markdown, read back by a Markdown parser."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from paper_notes.document.github import cell, link, paragraph, plain
from paper_notes.indexes.gfm import AnchoredHeading, anchors, closed, headings, slug

PLAIN = (
    "Stone: A|B",
    "*not* _emphasis_ **at** __all__",
    "snake_case_name and _private",
    "`code` and ``more``",
    "[x](y) and [[#3]] and ![z](w)",
    "<think> and <b>bold</b>, 1 < 2 & 3 > 2",
    "&lt; is a word, AT&T too",
    r"back\slash \* and \|",
    "$5 and $10",
    "~~gone~~",
    "投机解码：把 *它* 搬进 RL（二）",
    "f[i](x) and a\\](b)",
    "<script>alert(1)</script> <!-- <? <![CDATA[",
)


def shown(markdown: str) -> list[list[str]]:
    """The texts of a table's cells, as a reader sees them."""
    page = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown)
    rows = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
    return [
        [html.unescape(re.sub(r"<[^>]*>", "", text)) for text in re.findall(r"<t[dh].*?>(.*?)</t[dh]>", row)]
        for row in rows
    ]


@pytest.mark.parametrize("text", PLAIN)
def test_a_plain_text_is_shown_as_it_is(text: str) -> None:
    table = f"| a | b |\n|---|---|\n| {plain(text)} | {link(plain(text), 'x')} |"
    assert shown(table)[1] == [text.replace("$", "$"), text]


def test_ordinary_titles_are_not_cluttered() -> None:
    for text in ("ReSpec: speculative decoding inside RL", "A+B = 50%, x_1 (2nd ed.) #3", "动机：为什么"):
        assert plain(text) == text
    assert plain("$5") == r"\$5", "GitHub reads $..$ as a formula"


def test_a_cell_is_one_line_and_keeps_its_bars() -> None:
    assert cell("a | b\n\n`c|d`  and \\| e") == "a \\| b `c\\|d` and \\| e"
    assert shown(f"| a |\n|---|\n| {cell('x | **y** `p|q`')} |")[1] == ["x | y p|q"]


def test_an_address_does_not_end_the_link() -> None:
    made = link("the [first] paper", "https://doi.org/10.1/(A)2:3<4|5 6")
    assert made == r"[the \[first\] paper](https://doi.org/10.1/%28A%292:3%3C4%7C5%206)"
    assert 'href="https://doi.org/10.1/(A)2:3%3C4%7C5%206"' in MarkdownIt().render(made).replace("%28", "(").replace(
        "%29", ")"
    )


@pytest.mark.parametrize("text", ["# a", "- a", "> a", "1. a", "12) a", "+ a", "---", "=== a"])
def test_a_plain_paragraph_is_no_other_block(text: str) -> None:
    assert MarkdownIt().render(paragraph(text)) == f"<p>{html.escape(text)}</p>\n"


def test_a_bar_behind_backslashes_does_not_end_a_cell() -> None:
    assert [cell("\\" * times + "|") for times in range(4)] == ["\\|", "\\|", "\\\\&#124;", "\\\\\\|"]


def test_code_that_stays_open_ends_with_its_text() -> None:
    assert closed("a\n\n~~~~\nb") == "a\n\n~~~~\nb\n~~~~"
    assert closed("```\na\n```") == "```\na\n```"


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
        ("\U0001f130\U0001f149\U0001f14a\U0001f169\U0001f16a", "\U0001f130\U0001f149\U0001f169"),
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
