"""The law of the tree: what is written is read as the same tree."""

from __future__ import annotations

from pathlib import Path

import pytest
from document.trees import documents, lines, texts
from hypothesis import given, settings
from hypothesis import strategies as st
from running import EXAMPLES, PROJECT, some

from paper_notes.corpus.notes import FRONT_MATTER
from paper_notes.document import nodes
from paper_notes.document.nodes import Document, Inline
from paper_notes.document.parse import parse
from paper_notes.document.write import write_markdown

NOTES = some(sorted((PROJECT / "notes_src").rglob("*.md")), 3)


def body(path: Path) -> str:
    return FRONT_MATTER.sub("", path.read_text("utf-8"), count=1)


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("path", NOTES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_each_text_of_the_sample_is_read_back_as_it_was_written(path: Path) -> None:
    read = parse(body(path))
    assert parse(write_markdown(read)) == read


MANY = settings(max_examples=EXAMPLES or 40)
"""Trees are small, and the law is what all that writes stands on."""


@MANY
@given(texts)
def test_any_words_are_read_back(words: str) -> None:
    document = Document((nodes.Paragraph((nodes.Text(words),)),))
    assert parse(write_markdown(document)) == document


@MANY
@given(lines())
def test_any_paragraph_is_read_back(inlines: tuple[Inline, ...]) -> None:
    document = Document((nodes.Paragraph(inlines),))
    assert parse(write_markdown(document)) == document


@pytest.mark.nightly
@MANY
@given(documents)
def test_any_document_is_read_back(document: Document) -> None:
    assert parse(write_markdown(document)) == document


@MANY
@given(st.text("ab \n-*_`[]()$|>#:{}!^~=%\\<&1.中，", max_size=80))
def test_any_text_is_a_document_whose_writing_is_stable(text: str) -> None:
    written = write_markdown(parse(text))
    assert write_markdown(parse(written)) == written


WRITTEN = {
    "a b": "a b",
    "snake_case, 2 * 3, a~b, x=y, 100%, $5 and $6": "snake_case, 2 * 3, a~b, x=y, 100%, $5 and $6",
    "$5 or 6$, $x$": "\\$5 or 6\\$, \\$x\\$",
    "C:\\dir, F[X], {a, b}": "C:\\dir, F[X], {a, b}",
    "as in [1] and [2, 3]": "as in [1] and [2, 3]",
    "- not a list": "\\- not a list",
    "1. not a list": "1\\. not a list",
    "# not a heading": "\\# not a heading",
    "*not* `marked` <b>": "\\*not\\* \\`marked\\` \\<b>",
    ":rocket: and :no_such_name:": "\\:rocket: and :no_such_name:",
    "see http://x.y": "see http\\://x.y",
    "\\(x_1\\)": "&#92;(x_1&#92;)",
    "a ^b c^d e ^ f g^[h]": "a \\^b c^d e \\^ f g\\^\\[h]",
    "a!b !c ![d] x|y": "a!b !c \\!\\[d] x|y",
    "[a]: b [a]: b": "&#91;a]: b \\[a]: b",
    "[a](b) c [d](e)": "&#91;a&#93;(b) c \\[d&#93;(e)",
}


@pytest.mark.parametrize(("words", "markdown"), WRITTEN.items())
def test_words_are_escaped_only_where_they_must_be(words: str, markdown: str) -> None:
    assert write_markdown(Document((nodes.Paragraph((nodes.Text(words),)),))) == f"{markdown}\n"


@pytest.mark.parametrize(
    "text",
    [
        "> [!NOTE]\n> a\n",
        "> [!NOTE]\n>\n> - a\n",
        "> [!tip]- More\n>\n> ```py\n> a\n> ```\n",
        "> [!NOTE]\n\na\n",
        "a[^x] b[^y]\n\n[^x]: c\n\n    d\n\n[^y]: e\n",
        "> a\n>\n> > b\n",
        "- a\n  - b\n- c\n",
        "- a\n\n  b\n\n- d\n",
        "3. a\n4. b\n",
        "a $`x`$1 b\n",
        "$a$\\(b\\)\n",
        "- [ ] a\n- [x] b\n",
        "a\n: b\n\n  c\n\n: d\n",
        ":::note A *b* {#c}\na\n\n- b\n:::\n",
        "| a | b |\n|:---|---:|\n| c | d \\| e |\n",
        "````md\n```\na\n```\n````\n",
        "$$\na\n$$\n\n___\n\n[TOC]\n",
        "## A {#b}\n\na\\\nb ^named\n",
        "%%\na\n%%\n\n<!-- b -->\n",
        "a\n    <!-- b --> c\n",
        "- a\n\n-\n\n- b\n",
        "a | b\nc | d\n",
        "a https://x.y/z, <a@b.cc> and /<https://x.y>\n",
    ],
)
def test_each_block_is_written_in_one_way(text: str) -> None:
    assert write_markdown(parse(text)) == text


def test_emphasis_that_no_sign_can_mark_is_an_element() -> None:
    spaced = Document((nodes.Paragraph((nodes.Text("a"), nodes.Strong((nodes.Text(" b "),)), nodes.Text("c"))),))
    assert write_markdown(spaced) == "a<strong> b </strong>c\n"
    chinese = Document((nodes.Paragraph((nodes.Strong((nodes.Text("重点（一）"),)), nodes.Text("是"))),))
    assert write_markdown(chinese) == "**重点（一）**是\n"


@pytest.mark.parametrize("tex", ["1", "\\{1\\}", "x", "\\$"])
def test_a_dollar_right_before_a_formula_is_no_part_of_it(tex: str) -> None:
    document = Document((nodes.Paragraph((nodes.Text("US$"), nodes.Formula(tex, display=False))),))
    assert write_markdown(document) == f"US&#36;${tex}$\n"
    assert parse(write_markdown(document)) == document


def test_lists_next_to_each_other_stay_two() -> None:
    def bullets(word: str) -> nodes.List:
        return nodes.List((nodes.Item((nodes.Paragraph((nodes.Text(word),)),)),))

    assert write_markdown(Document((bullets("a"), bullets("b")))) == "- a\n\n* b\n"
