"""Words of a README become words of ours: none is lost, and none gets a meaning that it had not."""

from __future__ import annotations

import pytest

from paper_notes.document.parse import parse
from paper_notes.features.importing.readme.words import HAND_KEPT, in_our_words, links_of, words_of
from paper_notes.languages.language import Words
from paper_notes.languages.text import Lang

NOTES = {"a/01_X.html": "a/#1"}


def ours(markdown: str, *, inline: bool = True) -> str:
    return in_our_words(markdown, Lang("en"), Words.of("en"), NOTES.get, {1: "a/#1"}, inline=inline)


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("see [the *X*](a/01_X.html), [[x]](a/01_X.html)", "see [[a/#1|the X]], [[a/#1|x]]"),
        ('<a href="a/01_X.html">an <b>X</b></a>', "[[a/#1|an X]]"),
        ("[![](a.png)](a/01_X.html)", "[[a/#1]]"),
        ("see #01, in `#1` or [#1](https://x.org/#1)", "see [[a/#1|#01]], in `#1` or [#1](https://x.org/#1)"),
        ("[gone](b/c.txt), <https://x.org>, [me](mailto:a@x.org)", "gone, <https://x.org>, [me](mailto:a@x.org)"),
        ("[[Code]](https://x.org/a_b)", "[Code](https://x.org/a_b)"),
        ("<strong>bold <em>both</em></strong><br>and <code>a_b*c*</code>", "**bold *both*** and `a_b*c*`"),
        ("p_{ij}, $x^2$ and `a | b`", "p_{ij}, $x^2$ and `a | b`"),
        ("[[weird]], [see @key] and [^1]", r"\[[weird]], [see \@key] and [^1]"),
        ("$\\bad{x}$ \n of two  lines", "`$\\bad{x}$` of two lines"),
    ],
)
def test_links_become_references_and_what_only_our_syntax_has_stays_words(markdown: str, expected: str) -> None:
    assert ours(markdown) == expected


def test_a_text_of_blocks_keeps_its_lines() -> None:
    assert ours("- [X](a/01_X.html)\n- y\n\n> z\n", inline=False) == "- [[a/#1|X]]\n- y\n\n> z"


def test_links_are_those_that_github_shows() -> None:
    blocks = parse("[[Paper]](https://x.org/p) arXiv:2401.00001 <a href='https://x.org/é'>*b*</a>", HAND_KEPT).blocks
    assert words_of(blocks) == "[Paper] arXiv:2401.00001 b"
    assert [link.href for link in links_of(blocks)] == ["https://x.org/p", "https://x.org/é"]
