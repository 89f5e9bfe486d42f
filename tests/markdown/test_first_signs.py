"""Rules that are asked only where they may begin find the same as those that are asked everywhere."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from paper_notes.corpus.model import NoteText
from paper_notes.languages.text import Lang
from paper_notes.markdown.parser import parse_text, parser
from paper_notes.markdown.syntax.first_signs import SignRuler

SIGNS = "a字 \n\n#*_-+=~`<>![](){}|:;^$%&@\\/1.\t"
PIECES = (
    "# h\n|- item\n|1. item\n|> q\n|```\nx\n```\n|$$\nx\n$$\n|:::note\n\n:::\n|[a]: b\n|[^1]: note\n|<div>\nx\n</div>\n"
    "|| a | b |\n|---|---|\n|term\n: definition\n|%%c%%|[^1]|^[note]|[[#1]]|[@key]|[a](b)|![a](b)|<b>x</b>|&amp;|==m=="
    "|~~s~~|**b**|*i*|`c`|$x$|$`x`$|\\(x^2\\)|\\[\nx\n\\]\n|\\ref{a}|\\*|[a]{.term}|<http://a.b>|http://a.b|***\n|===\n"
).split("|")
TEXTS = st.lists(st.sampled_from([*PIECES, *SIGNS]), max_size=30).map("".join)


def tokens(text: str) -> str:
    return repr(parse_text(NoteText(Lang("zh"), PurePosixPath("x.md"), text)).tokens)


@given(TEXTS)
@example("\n\n".join(PIECES))
def test_no_rule_begins_with_a_sign_that_its_row_does_not_name(text: str) -> None:
    rulers = parser().block.ruler, parser().inline.ruler
    expected = tokens(text)
    with pytest.MonkeyPatch.context() as everywhere:
        for ruler in rulers:
            assert isinstance(ruler, SignRuler)
            everywhere.setattr(ruler, "begins", {})
            everywhere.setattr(ruler, "__cache__", None)
        assert tokens(text) == expected
    for ruler in rulers:
        ruler.__cache__ = None


@pytest.mark.parametrize("kind", ["block", "inline"])
def test_every_row_names_a_rule(kind: str) -> None:
    ruler: Any = getattr(parser(), kind).ruler
    assert isinstance(ruler, SignRuler)
    assert ruler.begins.keys() <= {*ruler.get_all_rules()}
