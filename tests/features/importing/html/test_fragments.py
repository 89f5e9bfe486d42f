"""Pieces of HTML within another text: their blocks and words as nodes."""

from __future__ import annotations

import pytest

from paper_notes.document import nodes
from paper_notes.document.nodes import Document
from paper_notes.document.parse import parse_inline
from paper_notes.document.write import write_markdown
from paper_notes.features.importing.html.format import read_fragment
from paper_notes.features.importing.html.page import Page

PAGE = Page(
    link=lambda element, inside: (nodes.Link(element.attributes["href"], inside),),
    picture=lambda element, beside: [nodes.Image(element.attributes["src"], (nodes.Text(element.attributes["alt"]),))],
)
BLOCKS = {
    "<p>a <b>b</b></p>": "a **b**\n",
    "<h3>1.2 a</h3>": "### 1.2 a\n",
    '<table><tr><th>a<th>b</tr><tr><td rowspan="2">c|d<td><ul><li>e<li>f</ul></tr><tr><td>g</tr></table>': (
        "| a | b |\n|---|---|\n| c\\|d | e<br>f |\n| ^^ | g |\n"
    ),
    '<table><tr><td rowspan="2">a<td>b</tr><tr><td>c</tr></table>': "|  |  |\n|---|---|\n| a | b |\n| ^^ | c |\n",
    '<table><tr><th rowspan="2">a<th>b</tr><tr><td>c</tr></table>': "| a | b |\n|---|---|\n|  | c |\n",
    '<figure><img src="a%20b.png" alt="x"><figcaption>y</figcaption></figure>': (
        ":::figure\n![x](a%20b.png)\n\ny\n:::\n"
    ),
    '<pre><code class="language-python">a\n b</code></pre>': "```python\na\n b\n```\n",
    "<b>unclosed <p>x</div>": "**unclosed**\n\nx\n",
    '<a href="https://e.org">x</a> and <a href="#y">z</a>': "[x](https://e.org) and [z](#y)\n",
}


@pytest.mark.parametrize("html", BLOCKS)
def test_a_piece_of_html_is_blocks(html: str) -> None:
    assert write_markdown(Document(read_fragment(html, PAGE))) == BLOCKS[html]


def test_the_text_around_says_what_links_pictures_and_words_are() -> None:
    page = Page(
        words=lambda words, _: parse_inline(words) if words.strip() else [nodes.Text(words)],
        link=lambda element, inside: (nodes.Reference(element.attributes["href"], "x"),),
        picture=lambda element, beside: [nodes.Image(str(len(element.attributes.get("source", ""))))],
    )
    blocks = read_fragment('<a href="#15">y</a> *z* <u>`c`</u> <svg><g/></svg>', page)
    assert write_markdown(Document(blocks)) == "[[#15|x]] *z* <u>`c`</u> ![](15)\n"
