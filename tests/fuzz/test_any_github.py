"""What GitHub shows of any short text is what the text says: each word, mark, link and block, and no other."""

from __future__ import annotations

import re
from collections.abc import Iterable

from hypothesis import HealthCheck, assume, given, settings
from markdown_it.token import Token
from planted import Planted, short_texts
from test_any_word import GITHUB as PARSER
from test_any_word import LOST, WHERE
from texts import texts

from paper_notes.corpus.model import Lang
from paper_notes.document.github import GITHUB
from paper_notes.document.parse import AS_SHOWN, parse
from paper_notes.document.write import write_markdown
from paper_notes.indexes.readme import on_github
from paper_notes.languages.language import BUILT_IN_WORDS
from paper_notes.markdown.body import Slot
from paper_notes.markdown.short_texts import read_short
from paper_notes.render.plain_markdown import LinkTexts

MARKS = {
    **{f"{name}_{end}": f"<{'/' * (end == 'close')}{tag}>" for end in ("open", "close") for name, tag in
       (("em", "em"), ("strong", "strong"), ("mark", "strong"), ("s", "del"), ("link", "a"))},
    "footnote_ref": "<note>",
}  # fmt: skip
BLOCKS = {
    **{name: name for name in ("bullet_list_open", "ordered_list_open", "list_item_open", "table_open", "td_open")},
    **{name: name for name in ("heading_open", "hr", "html_block")},
    **dict.fromkeys(("fence", "code_block", "math_block"), "code"),
}
_OTHERWISE = re.compile(r"[\s()^$`–-]|\\displaystyle|</?code>|<br>")
"""Spaces, and what is written in another way: the signs around formulas, citations and footnotes in a line."""

_BOLD = re.compile("<(/?)b>")


def said(tokens: Iterable[Token]) -> str:
    """Words, marks and blocks of a text, ours or GitHub's."""
    parts: list[str] = []
    for token in tokens:
        parts.append(BLOCKS.get(token.type, "") or MARKS.get(token.type, ""))
        if token.type == "image" and token.content and "://" not in str(token.attrs["src"]):
            parts.append(f"<em>{said(token.children or ())}</em>")  # GitHub cannot find the files of a note
        elif token.type in ("inline", "image"):
            parts.append(said(token.children or ()))
        elif token.type == "slot":
            parts += [words_of(part) if isinstance(part, Slot) else part for part in token.meta.get("shown", ())]
        elif token.type == "html_inline" and token.content.startswith("<input"):
            parts.append("[x]" if "checked=" in token.content else "[ ]")
        elif token.type == "html_inline":
            parts.append(_BOLD.sub(r"<\1strong>", token.content))
        else:
            parts.append(token.content)
    return _OTHERWISE.sub("", "".join(parts))


def words_of(slot: Slot) -> str:
    """What is shown of a reference that leads nowhere."""
    return (slot.text or slot.target) if slot.kind == "note" else f"{slot.target}{slot.text and ', '}{slot.text}"


def as_github_has_it(text: str) -> None:
    short = read_short(text, "en", WHERE)
    problems = short.snippet.diagnostics
    assume(not any(problem.severity == "error" or problem.rule in LOST for problem in problems))
    assume(not {token.type for token in short.tokens} & {"dl_open", "component_open"})  # which GitHub does not know
    assume("pdf:" not in text)
    tree = on_github(parse(text, AS_SHOWN), LinkTexts({}, {}, "", {}), BUILT_IN_WORDS[Lang("en")], "1.0-")
    assert said(PARSER.parse(write_markdown(tree, GITHUB))) == said(short.tokens)


@settings(suppress_health_check=[HealthCheck.filter_too_much])  # as many of the texts have findings as happen to
@given(short_texts)
def test_planted_words(given: Planted) -> None:
    as_github_has_it(given.text)


@given(texts)
def test_pieces_of_syntax(text: str) -> None:
    as_github_has_it(text)
