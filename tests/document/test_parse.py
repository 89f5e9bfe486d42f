"""Texts as trees: what each node is, and where it stands."""

from __future__ import annotations

import pytest
from document.test_write import NOTES, body

from paper_notes.document import nodes
from paper_notes.document.nodes import Node, Text
from paper_notes.document.parse import parse, parse_inline
from paper_notes.markdown.syntax import inline
from paper_notes.markdown.syntax.declared import Origin
from paper_notes.markdown.syntax.references import CitedPaper

OWN = Origin("own", "")
INLINES: dict[str, Node] = {
    "*a*": nodes.Emphasis((Text("a"),)),
    "<em>a</em>": nodes.Emphasis((Text("a"),)),
    "**a**": nodes.Strong((Text("a"),)),
    "~~a~~": nodes.Strikethrough((Text("a"),)),
    "==a==": nodes.Highlight((Text("a"),)),
    "<sub>2</sub>": nodes.Element("sub", (Text("2"),)),
    "`a  b`": nodes.Code("a  b"),
    "$x$": nodes.Formula("x"),
    "\\(x_1\\)": nodes.Formula("x_1"),
    "\\eqref{eq}": nodes.EquationReference("eq", brackets=True),
    "[a](https://b.c 'd')": nodes.Link("https://b.c", (Text("a"),), "d"),
    "https://b.c": nodes.Link("https://b.c", (Text("https://b.c"),)),
    "arXiv:2510.26475": nodes.Link("https://arxiv.org/abs/2510.26475", (Text("arXiv:2510.26475"),)),
    "![a](b.svg)": nodes.Image("b.svg", (Text("a"),)),
    "[[models/#19|it]]": nodes.Reference("models/#19", "it"),
    "[[§3.2]]": nodes.Reference("§3.2"),
    "[see @key, Table 2]": nodes.Citation((CitedPaper("key", "see ", "Table 2"),)),
    "[a]{.term from=own}": nodes.Marked((Text("a"),), ("term",), OWN),
    "^[a *b*]": nodes.InlineFootnote((Text("a "), nodes.Emphasis((Text("b"),)))),
    "%%no%%": nodes.Comment("no"),
    '<span class="x">': nodes.RawInline('<span class="x">'),
}


@pytest.mark.parametrize(("markdown", "node"), INLINES.items())
def test_words_are_nodes_with_their_place(markdown: str, node: Node) -> None:
    assert parse_inline(f"前 {markdown} 后") == (Text("前 "), node, Text(" 后"))
    text = f"> 前\n> 中 {markdown} 后"
    read = next(part for part in parse(text).walk() if part == node)
    assert text[slice(*read.span)] == markdown


def test_escapes_entities_and_emoji_are_the_words_they_mean() -> None:
    assert parse_inline("\\* &amp; :rocket: x") == (Text("* & 🚀 x"),)


BLOCKS: dict[str, Node] = {
    "## a {#b n=2}": nodes.Heading(2, (Text("a"),), "b", "2"),
    "a ^name": nodes.Paragraph((Text("a"),), ("name",)),
    "a {from=own}": nodes.Paragraph((Text("a"),), (), OWN),
    "- [x] a": nodes.List((nodes.Item((nodes.Paragraph((Text("a"),)),), done=True),)),
    "3. a": nodes.List((nodes.Item((nodes.Paragraph((Text("a"),)),)),), start=3),
    "> a": nodes.Quote((nodes.Paragraph((Text("a"),)),)),
    "> [!tip]- t\n> a": nodes.Alert("tip", (Text("t"),), (nodes.Paragraph((Text("a"),)),), "-"),
    ":::note t {#i}\na\n:::": nodes.Component("note", (Text("t"),), (nodes.Paragraph((Text("a"),)),), "i"),
    "```python\na\n```": nodes.CodeBlock("a", "python"),
    "$$\nx\n$$": nodes.FormulaBlock("x"),
    "```math\nx\n```": nodes.FormulaBlock("x"),
    "<div>\nx\n</div>": nodes.RawBlock("<div>\nx\n</div>"),
    "%%\nx\n%%": nodes.CommentBlock("%%\nx\n%%"),
    "***": nodes.ThematicBreak(),
    "[TOC]": nodes.Contents(),
    "[^a]: b": nodes.FootnoteDefinition("a", (nodes.Paragraph((Text("b"),)),)),
    "a\n: b": nodes.DefinitionList(
        (nodes.DefinedTerm((Text("a"),)), nodes.Definition((nodes.Paragraph((Text("b"),)),)))
    ),
    "| a | b |\n|---|--:|\n| c {.best} | ^^ |": nodes.Table(
        ("", "right"),
        (
            nodes.Row((nodes.Cell((Text("a"),)), nodes.Cell((Text("b"),)))),
            nodes.Row((nodes.Cell((Text("c"),)), nodes.Cell((), merged="above")), "best"),
        ),
    ),
}


@pytest.mark.parametrize(("markdown", "node"), BLOCKS.items())
def test_blocks_are_nodes_with_their_place(markdown: str, node: Node) -> None:
    text = f"before\n\n{markdown}\n\nafter\n"
    _, read, _ = parse(text).blocks
    assert read == node
    assert text[slice(*read.span)] == markdown


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("path", NOTES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_all_words_of_the_sample_stand_where_their_spans_say(path: object) -> None:
    text = body(path)  # type: ignore[arg-type]
    for node in parse(text).walk():
        if isinstance(node, Text) and node.span != nodes.NOWHERE:
            written = text[slice(*node.span)]
            assert written == node.text or any(sign in written for sign in "\\&:"), node
        if isinstance(node, nodes.Reference):
            assert text[slice(*node.span)].startswith("[[")


def test_walking_names_each_node_before_its_children() -> None:
    kinds = [type(node).__name__ for node in parse("- a **b**\n\nc").walk()]
    assert kinds == "Document List Item Paragraph Text Strong Text Paragraph Text".split()


def test_addresses_are_as_people_read_them() -> None:
    (image, link) = parse_inline("![](茶%20é.png)[x](https://e.org/%E8%8C%B6)")
    assert isinstance(image, nodes.Image)
    assert isinstance(link, nodes.Link)
    assert (image.src, link.href) == ("茶%20é.png", "https://e.org/茶")


def test_inlines_are_replaced_everywhere_and_words_stay_together() -> None:
    document = parse(":::note [t](#a)\n- x *[y](#b)* z\n:::\n\n| [h](#c) |\n|---|\n")
    bare = nodes.with_inlines(document, lambda part: part.inlines if isinstance(part, nodes.Link) else (part,))
    assert bare == parse(":::note t\n- x *y* z\n:::\n\n| h |\n|---|\n")


def test_what_is_too_tangled_stays_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inline, "MAX_LOOKAHEAD", 100_000)  # the limit is the same, only sooner reached
    tangled = "[" * 30_000
    (paragraph,) = parse(tangled).blocks
    assert paragraph == nodes.Paragraph((Text(tangled),))


def test_marks_of_words_stand_where_their_spans_say() -> None:
    marks = ["*b*", "**c**", "~~d~~", "***e***", "*f **g***", "==h==", "`i`", "$j$", "[k](https://l.m)", "_n_", "__o__"]
    marks += ["**p**", "[[#3|r]]", "^[s]", "[t]{.term}", "![u](v.svg)", "%%w%%", "<b>x</b>", "[@y, p. 3]"]
    text = " ".join(marks)
    [paragraph] = parse(text).blocks
    read = [node for node in paragraph.inlines if not isinstance(node, Text)]  # type: ignore[union-attr]
    assert [text[slice(*node.span)] for node in read] == marks
