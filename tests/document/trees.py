"""Documents for tests of laws: any tree that a text could be read as."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import strategies as st

from paper_notes.document import nodes
from paper_notes.document.nodes import Block, Document, Inline
from paper_notes.markdown.syntax.declared import Origin
from paper_notes.markdown.syntax.references import CitedPaper

_SIGNS = "aZ9 .,:;!?-+*_~=^`$\\|<>[](){}#@&%/'\"“”，。：（）测试é 　"
_FRAGMENTS = st.sampled_from(
    r"""http://a.b/c arXiv:2510.26475 10.1234/abc :rocket: [1] [x] [^1] [[#15]] [@key] #·a 1.·a -·a >·a :::note
    |·a·|·b·| $x$ \(x_1\) \[x^2\] &amp; <b> </em> {#id} {.term} {from=own} %%a%% ==a== ~~a~~ **a** __a__
    snake_case a*b ^name --- === ![a](b) [TOC]""".split()
)
texts = st.lists(st.one_of(st.text(_SIGNS, min_size=1, max_size=6), _FRAGMENTS), min_size=1, max_size=3).map(
    lambda parts: "".join(parts).replace("·", " ")
)
_names = st.text("abcz09", min_size=1, max_size=4).map("n".__add__)
_hrefs = st.sampled_from(
    ["https://example.org/a_b(c)", "http://a.b/?x=1&copy;=2", "茶%20b.png", "#sec", "mailto:a@b.cd"]
)
_tex = st.sampled_from(
    ["x", "x_1^2", "\\frac{a}{b}", "n-1", "a|b", "\\{1\\}", "5", "a < b", "\\text{若 $a$}", "x\\\\y"]
)
_origins = st.sampled_from(
    [
        Origin("own", ""),
        Origin("figure", ""),
        Origin("figure", "10"),
        Origin("derived", "1/(1-0.86)=7.1"),
        Origin("other", "@key, Table 2"),
        Origin("other", "https://example.org/x"),
    ]
)
maybe_origin = st.one_of(st.none(), _origins)
_papers = st.lists(
    st.builds(
        CitedPaper,
        _names,
        st.sampled_from(["", "see ", "参见"]),
        st.sampled_from(["", "Table 2", "p. 3"]),
        st.booleans(),
    ),
    min_size=1,
    max_size=2,
).map(tuple)
_codes = st.one_of(st.text("ab`|\\$*", min_size=1, max_size=5), st.just("a  b"))


_leaves: st.SearchStrategy[Inline] = st.one_of(
    texts.map(nodes.Text),
    texts.map(nodes.Text),
    _codes.map(nodes.Code),
    _tex.map(nodes.Formula),
    st.builds(nodes.EquationReference, _names, st.booleans()),
    st.builds(
        nodes.Reference, st.sampled_from(["#15", "models/#19", "a/19_B#sec", "§3.2"]), st.sampled_from(["", "词 b"])
    ),
    st.builds(nodes.Citation, _papers),
    st.just(nodes.RawInline('<span class="x">')),
    st.sampled_from(["https://a.b/c", "http://a.b", "http://a.b/*$x$"]).map(
        lambda href: nodes.Link(href, (nodes.Text(href),), is_bare=True)
    ),
    st.just(nodes.Link("https://arxiv.org/abs/2510.26475", (nodes.Text("arXiv:2510.26475"),), is_bare=True)),
)


def _wrapped(inner: st.SearchStrategy[tuple[Inline, ...]]) -> st.SearchStrategy[Inline]:
    return st.one_of(
        st.builds(nodes.Emphasis, inner),
        st.builds(nodes.Strong, inner),
        st.builds(nodes.Strikethrough, inner),
        st.builds(nodes.Highlight, inner),
        st.builds(nodes.Element, st.sampled_from(["sub", "kbd"]), inner),
        st.builds(nodes.Marked, inner, st.just(("term",)), maybe_origin),
        st.builds(nodes.Link, _hrefs, inner, st.sampled_from(["", 'a "title"'])),
        st.builds(
            nodes.Image, _hrefs, texts.map(lambda text: (nodes.Text(text),)), st.just(""), st.sampled_from((0, 300))
        ),
        st.builds(nodes.InlineFootnote, inner),
    )


def _several(inline: st.SearchStrategy[Inline]) -> st.SearchStrategy[tuple[Inline, ...]]:
    return st.lists(inline, min_size=1, max_size=4).map(_joined).filter(_is_read)


def _joined(inlines: list[Inline]) -> tuple[Inline, ...]:
    kept: list[Inline] = []
    for inline in inlines:
        if kept and isinstance(inline, nodes.Text) and isinstance(kept[-1], nodes.Text):
            kept[-1] = nodes.Text(kept[-1].text + inline.text)
        else:
            kept.append(inline)
    return tuple(kept)


def _is_read(inlines: tuple[Inline, ...]) -> bool:
    """Whether a text can say this: two formulas with nothing between them, or a link within a link, it cannot."""
    touching = any(
        isinstance(first, nodes.Formula | nodes.Code) and isinstance(second, type(first))
        for first, second in pairwise(inlines)
    )
    inside = [(node, part) for inline in inlines for node in inline.walk() for part in [*node.walk()][1:]]
    nested = any(isinstance(node, nodes.Link) and isinstance(part, _LINKS) for node, part in inside)
    doubled = any(
        isinstance(node, nodes.Marked | nodes.Link) and isinstance(node.inlines[0], nodes.Citation)
        for node, _ in inside
    )
    return not (touching or nested or doubled) and not all(isinstance(inline, nodes.RawInline) for inline in inlines)


_LINKS = (nodes.Link, nodes.Reference, nodes.Citation, nodes.EquationReference, nodes.InlineFootnote, nodes.Marked)


_words = _several(_leaves)
inlines = _several(st.one_of(_leaves, _wrapped(_words), _wrapped(_several(st.one_of(_leaves, _wrapped(_words))))))
"""The words of a line."""
_breaks = st.sampled_from([nodes.SoftBreak(), nodes.HardBreak()])


@st.composite
def lines(draw: st.DrawFn) -> tuple[Inline, ...]:
    """The words of a paragraph."""
    words = draw(inlines)
    for _ in range(draw(st.integers(0, 2))):
        words = (*words, draw(_breaks), *draw(inlines))
    return words


# Blocks

_infos = st.sampled_from(["", "python", "text"])
_code_lines = st.lists(st.sampled_from(["", "a = 1", "```", "    x", ":::", "# a", "$$", "~~~"]), max_size=3)
_ids = st.sampled_from(["", "my-id"])
_heads = _several(_leaves)


def _paragraphs() -> st.SearchStrategy[Block]:
    names = st.sampled_from([(), ("name",), ("my-name",)])
    return st.builds(nodes.Paragraph, lines(), names, maybe_origin)


_simple: st.SearchStrategy[Block] = st.one_of(
    _paragraphs(),
    st.builds(nodes.CodeBlock, _code_lines.map("\n".join), _infos).filter(lambda code: code.code != "\n"),
    st.sampled_from(["x = 1", "a\n+ b", "a\n\nb", "\\begin{aligned}\nx &= 1\n\\end{aligned}"]).map(nodes.FormulaBlock),
    st.just(nodes.ThematicBreak()),
    st.just(nodes.RawBlock("<div>\n<p>a</p>\n</div>")),
    st.just(nodes.CommentBlock("%%\nno\n%%")),
)


@st.composite
def _tables(draw: st.DrawFn) -> Block:
    columns = draw(st.integers(1, 3))
    cells = st.builds(nodes.Cell, st.one_of(st.just(()), _heads), st.none(), st.just(""))
    rows = st.lists(cells, min_size=columns, max_size=columns).map(tuple).map(nodes.Row)
    alignments = st.sampled_from(["", "left", "center", "right"])
    return nodes.Table(
        tuple(draw(st.lists(alignments, min_size=columns, max_size=columns))),
        tuple(draw(st.lists(rows, min_size=1, max_size=3))),
    )


@st.composite
def _lists(draw: st.DrawFn, blocks: st.SearchStrategy[tuple[Block, ...]]) -> Block:
    start = draw(st.sampled_from([None, None, 1, 7]))
    done = st.sampled_from([None, None, True, False])
    if draw(st.booleans()):
        items = [nodes.Item((nodes.Paragraph(draw(lines())),), draw(done)) for _ in range(draw(st.integers(1, 3)))]
        return nodes.List(tuple(items), start)
    items = [nodes.Item((nodes.Paragraph(draw(lines())), *draw(blocks))) for _ in range(draw(st.integers(2, 3)))]
    return nodes.List(tuple(items), start, is_loose=True)


@st.composite
def _definitions(draw: st.DrawFn, blocks: st.SearchStrategy[tuple[Block, ...]]) -> Block:
    is_loose = draw(st.booleans())
    entries: list[nodes.DefinedTerm | nodes.Definition] = []
    for _ in range(draw(st.integers(1, 2))):
        entries.append(nodes.DefinedTerm(draw(_heads)))
        paragraph = nodes.Paragraph(draw(lines()))
        entries.append(nodes.Definition((paragraph, nodes.Paragraph(draw(lines()))) if is_loose else (paragraph,)))
    return nodes.DefinitionList(tuple(entries), is_loose)


def _nested(blocks: st.SearchStrategy[tuple[Block, ...]]) -> st.SearchStrategy[Block]:
    titles = st.one_of(st.just(()), _heads)
    return st.one_of(
        st.builds(nodes.Quote, blocks),
        st.builds(nodes.Component, st.sampled_from(["note", "tldr"]), titles, blocks, _ids, maybe_origin),
        st.builds(nodes.Alert, st.sampled_from(["NOTE", "question"]), titles, blocks, st.sampled_from(["", "-", "+"])),
        _lists(blocks),
        _definitions(blocks),
    )


def _few(block: st.SearchStrategy[Block]) -> st.SearchStrategy[tuple[Block, ...]]:
    return st.lists(block, min_size=1, max_size=3).map(tuple).filter(_are_apart)


def _are_apart(blocks: tuple[Block, ...]) -> bool:
    """Two definition lists next to each other are one."""
    return not any(
        isinstance(a, nodes.DefinitionList) and isinstance(b, nodes.DefinitionList) for a, b in pairwise(blocks)
    )


_numbers = st.sampled_from([None, "", "2.5"])
_headings = st.builds(nodes.Heading, st.integers(1, 6), _heads, _ids, _numbers, maybe_origin)
_flat = st.one_of(_simple, _headings, _tables())
documents = _few(st.one_of(_flat, _flat, _nested(_few(st.one_of(_flat, _nested(_few(_simple))))))).map(Document)
