"""Short Markdown as GitHub reads it. The fuzz tests compare what GitHub shows with what a text says."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from paper_notes.corpus.model import Lang
from paper_notes.diagnostics import Location
from paper_notes.indexes.github import GithubWriter
from paper_notes.markdown.short_texts import read_short, render_snippet

WHERE = Location(PurePosixPath("notes_src/a/topic.yaml"), 3, 5)


def written(text: str, lang: Lang = "en", *, inline: bool = False) -> str:
    writer = GithubWriter(lambda slot: f"<{slot.kind} {slot.target}>", "1.0-")
    tokens = read_short(text, lang, WHERE, inline=inline).tokens
    return writer.line(tokens) if inline else writer.blocks(tokens)


SAME = (
    "one\ntwo *a* **b** ~~c~~ `d` snake_case 1 > 2",
    "a\\\nb",
    "- a\n  - b\n- c",
    "1. a\n\n   b\n\n2. c",
    "- a\n  1. b\n- c\n  ```\n  d\n  ```",
    "3) a\n4) b",
    "> a\n>\n> - b",
    "- [ ] to do\n- [x] done",
    '## A heading\n\n___\n\n[x](https://a.example/b "its title")',
    "| a | b |\n| --: | --- |\n| 1 | `x\\|y` |",
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
    "`[[#1]]` [[#1]]": "`[[#1]]` <note #1>",
    "[see @k; -@l, p. 3]": "(see <cite k>; <cite l>)",
    "[a]{.term} b": "a b",
    "“a”--'b'": "“a”–‘b’",
    "https://a.example/b，c": "<https://a.example/b>，c",
    "arXiv:2310.00001": "[arXiv:2310.00001](https://arxiv.org/abs/2310.00001)",
    "**重点（一）**是": "<strong>重点（一）</strong>是",
    "**重点**是": "**重点**是",
    "***a***": "*<strong>a</strong>*",
    "中文\n换行": "中文换行",
    "公式$x$中": "公式$`x`$中",
    r"$\{x\}$ $a*b$": r"$`\{x\}`$ $`a*b`$",
    "$$\nx\n$$": "```math\nx\n```",
    "    code": "```\ncode\n```",
    "A\n: b\n\n  c": "- A\n\n  b\n\n  c",
    ":::details More\na\n:::": "> **More**\n>\n> a",
    ":::warning\na\n:::": "> [!WARNING]\n> a",
    "a[^x] b[^x]\n\n[^x]: c\n\n    d": "a[^1.0-1] b[^1.0-1]\n\n[^1.0-1]: c\n\n    d",
    "[^x]: c\n\n> [^x]\\: a": "> [^1.0-1]\\: a\n\n[^1.0-1]: c",
    r"a $$[x](y)`$$": "a `` [x](y)` ``",
    "a\n    <!-- b -->": "a <!-- b -->",
    r"wow\![x](https://a.example)": r"wow\![x](https://a.example)",
    "| a | b |\n|---|---|\n| c | ✓ |\n| d | ✗ no |": "| a | b |\n| --- | --- |\n| c | ✓ |\n| d | ✗ no |",
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
    r"$\|x\|$ `a\|b`": r"$\Vert x\Vert $ <code>a\\|b</code>",
}


@pytest.mark.parametrize("text", LINES)
def test_a_text_in_one_line(text: str) -> None:
    assert written(text, inline=True) == LINES[text]


def test_writing_html_before_changes_nothing() -> None:
    text = ":::figure A\n![b](pdf:2310.00001#figure-1)\nc\n:::"
    first = written(text)
    render_snippet(text, "en", WHERE)
    assert written(text) == first == "> **A**\n>\n> b\n> c"
