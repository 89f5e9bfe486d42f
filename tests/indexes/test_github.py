"""Short Markdown as GitHub reads it. The fuzz tests compare what GitHub shows with what a text says."""

from __future__ import annotations

import pytest

from paper_notes.corpus.model import Lang
from paper_notes.document import nodes
from paper_notes.document.github import GITHUB
from paper_notes.document.nodes import Document
from paper_notes.document.parse import AS_SHOWN, parse, parse_inline
from paper_notes.document.write import write_cell, write_markdown
from paper_notes.indexes.readme import on_github
from paper_notes.languages.language import BUILT_IN_WORDS
from paper_notes.render.plain_markdown import LinkTexts

LINKS = LinkTexts({"#1": ("note #1", "1.html")}, {"k": ("K 2020", "2020", "https://k.example")}, "", {})


def shown(document: Document, label: str = "") -> Document:
    return on_github(document, LINKS, BUILT_IN_WORDS[Lang("en")], label)


def written(text: str) -> str:
    return write_markdown(shown(parse(text, AS_SHOWN), "1.0-"), GITHUB).rstrip("\n")


SAME = (
    "one\ntwo *a* **b** ~~c~~ `d` snake_case 1 > 2",
    "a\\\nb",
    "- a\n  - b\n- c",
    "1. a\n\n   b\n\n2. c",
    "- a\n  1. b\n- c\n  ```\n  d\n  ```",
    "3. a\n4. b",
    "> a\n>\n> - b",
    "- [ ] to do\n- [x] done",
    '## A heading\n\n___\n\n[x](https://a.example/b "its title")',
    "| a | b |\n|---:|---|\n| 1 | `x\\|y` |",
    "```py\ncode\n```",
    "> [!NOTE]\n> a",
    "<div>\n<b>x</b>\n</div>\n\ny",
    r"5\. a, \*b\*, \$5, \[c\], \<d>, \&lt;",
    "so $x_1 + y_{2}$ and (\\$5) and $$x$$ on",
)


@pytest.mark.parametrize("text", SAME)
def test_what_github_knows_stays_as_it_is(text: str) -> None:
    assert written(text) == text


CHANGED = {
    "costs $5 or $6": r"costs \$5 or \$6",
    "`[[#1]]` [[#1]] [[#2|b]]": "`[[#1]]` [note #1](1.html) b",
    "[see @k; -@l, p. 3]": "(see [K 2020](https://k.example); l, p. 3)",
    "[a]{.term} b": "a b",
    "“a”--'b'": "“a”–‘b’",
    "https://a.example/b，c": "<https://a.example/b>，c",
    "arXiv:2310.00001": "[arXiv:2310.00001](https://arxiv.org/abs/2310.00001)",
    "**重点（一）**是": "<strong>重点（一）</strong>是",
    "**重点**是": "**重点**是",
    "<think>\na <b>b</b></think>": "\\<think>\na **b**\\</think>",
    "***a***": "*__a__*",
    "中文\n换行": "中文换行",
    "公式$x$中": "公式$`x`$中",
    r"$\{x\}$ $a*b$": r"$`\{x\}`$ $`a*b`$",
    "$$\nx\n$$": "```math\nx\n```",
    "    code": "```\ncode\n```",
    "A\n: b\n\n  c": "- **A**: b\n\n  c",
    ":::details More\na\n:::": "> **More**\n>\n> a",
    ":::demo T\na [[#1]]\n:::": "> **T**\n>\n> a [note #1](1.html)",
    ":::warning\na\n:::": "> [!WARNING]\n> a",
    "a[^x] b[^x]\n\n[^x]: c\n\n    d": "a[^1.0-x] b[^1.0-x]\n\n[^1.0-x]: c\n\n    d",
    "[^x]: c\n\n> [^x]\\: a": "[^1.0-x]: c\n\n> [^1.0-x]\\: a",
    "a^[b *c*] d": "a[^1.0-1-] d\n\n[^1.0-1-]: b *c*",
    r"a $$[x](y)`$$": "a `` [x](y)` ``",
    "a\n    <!-- b -->": "a\n    <!-- b -->",
    r"wow\![x](https://a.example)": r"wow\![x](https://a.example)",
    "| a | b |\n|---|---|\n| c | ✓ |\n| d | ✗ no |": "| a | b |\n|---|---|\n| c | ✓ |\n| d | ✗ no |",
    "- a\n  %% c %%\n  2. d": "- a\n\n  2. d",
    "- a\n  %%\n  c\n  %%\n  -\n  - d": "- a\n\n  -\n  - d",
    "\\- a\n\\# b\n1\\. c": "\\- a\n\\# b\n1\\. c",
}


@pytest.mark.parametrize("text", CHANGED)
def test_what_github_does_not_know(text: str) -> None:
    assert written(text) == CHANGED[text]


LINES = {
    "- a # b": "- a # b",
    "a  \nb": "a<br>b",
    "a^[b *c*] d": "a (b *c*) d",
    r"$\|x\|$ `a\|b`": r"$\Vert x\Vert $ <code>a\\&#124;b</code>",
}


@pytest.mark.parametrize("text", LINES)
def test_a_text_in_one_line(text: str) -> None:
    (block,) = shown(Document((nodes.Paragraph(parse_inline(text, AS_SHOWN)),))).blocks
    assert isinstance(block, nodes.Paragraph)
    assert write_cell(block.inlines, GITHUB) == LINES[text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Good. %%nobody's business", "Good."),
        ("a **b** %%secret **c** d", "a **b**"),
        ("Rises 5%% on MATH", "Rises 5%% on MATH"),
        (r"a \%% b, `%% c`", "a %% b, `%% c`"),
    ],
)
def test_what_follows_an_open_comment_is_for_nobody_and_percentages_are_no_comments(text: str, expected: str) -> None:
    assert written(text) == expected
