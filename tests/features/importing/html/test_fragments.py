"""Pieces of HTML within another text: their blocks and words as nodes, with holes for what is no HTML."""

from __future__ import annotations

import pytest

from paper_notes.document import nodes
from paper_notes.document.nodes import Document
from paper_notes.document.parse import parse, parse_inline
from paper_notes.document.write import write_inlines, write_markdown
from paper_notes.features.importing.html.fragments import read_fragment, read_inline_fragment
from paper_notes.features.importing.html.page import Page

BLOCKS = {
    "<p>a <b>b</b></p>": "a **b**\n",
    "<h3>1.2 a</h3>": "### 1.2 a\n",
    '<table><tr><th>a<th>b</tr><tr><td rowspan="2">c|d<td><ul><li>e<li>f</ul></tr><tr><td>g</tr></table>': (
        "| a | b |\n|---|---|\n| c\\|d | e<br>f |\n| ^^ | g |\n"
    ),
    '<table><tr><td rowspan="2">a<td>b</tr><tr><td>c</tr></table>': "|  |  |\n|---|---|\n| a | b |\n| ^^ | c |\n",
    '<table><tr><th rowspan="2">a<th>b</tr><tr><td>c</tr></table>': "| a | b |\n|---|---|\n|  | c |\n",
    '<figure><img src="a b.png" alt="x"><figcaption>y</figcaption></figure>': (
        ":::figure\n![x](a%20b.png)\n\ny\n:::\n"
    ),
    '<pre><code class="language-python">a\n b</code></pre>': "```python\na\n b\n```\n",
    "<b>unclosed <p>x</div>": "**unclosed**\n\nx\n",
    '<a href="https://e.org">x</a> and <a href="#y">z</a>': "[x](https://e.org) and z\n",
    "<pn-block number=7>x": "x\n",
}


@pytest.mark.parametrize("html", BLOCKS)
def test_a_piece_of_html_is_blocks(html: str) -> None:
    assert write_markdown(Document(read_fragment(html))) == BLOCKS[html]


def test_what_is_no_html_stands_where_its_hole_is() -> None:
    html = "<details><summary>a <pn-inline number=0></summary><pn-block number=1></details>"
    blocks = read_fragment(html, holes=[parse_inline("*b*"), parse("- c\n\n[[#15]]").blocks])
    assert write_markdown(Document(blocks)) == ":::details a *b*\n- c\n\n[[#15]]\n:::\n"
    cell = read_fragment("<table><tr><td><pn-block number=0></table>", holes=[parse("- c\n- d").blocks])
    assert write_markdown(Document(cell)) == "|  |\n|---|\n| c<br>d |\n"


def test_the_text_around_says_what_links_pictures_and_words_are() -> None:
    page = Page(
        words=lambda words, _: parse_inline(words) if words.strip() else [nodes.Text(words)],
        link=lambda element, inside: (nodes.Reference(element.attributes["href"], "x"),),
        picture=lambda element, beside: [nodes.Image(str(len(element.attributes.get("source", ""))))],
    )
    inlines = read_inline_fragment('<a href="#15">y</a> *z* <u>`c`</u> <svg><g/></svg>', page)
    assert write_inlines(inlines) == "[[#15|x]] *z* <u>`c`</u> ![](15)"
