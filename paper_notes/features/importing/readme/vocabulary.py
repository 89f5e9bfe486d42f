"""Words by which the parts of a hand-kept README are known: heads of columns, marks, titles of reading paths."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from paper_notes.features.importing.html.page import data
from paper_notes.patterns import regex

Column = Literal[
    "number", "note", "title", "about", "size", "team", "date", "links", "code", "project", "data", "venue", "notes"
]
_WORDS = data(__package__, "vocabulary.yaml")
OWN = regex(rf"\s*[*_]*[(（\[【]\s*(?:{'|'.join(_WORDS['own'])})\s*[)）\]】][*_]*", re.IGNORECASE)
"""The mark of papers by whoever keeps the list."""
PATH = regex(
    r"阅读(?:建议|顺序|路线|路径|指南|次序)|閱讀(?:建議|順序|路線)|学习路线|路线图|読む順"
    r"|\breading (?:order|path|guide|list|plan|track)s?\b|\b(?:suggested|recommended) order\b"
    r"|\b(?:where to (?:start|begin)|start here|read in this order|roadmap|how to read|series)\b",
    re.IGNORECASE,
)
"""What the title of a reading path has."""
NOTHING, GENERIC = frozenset(_WORDS["nothing"]), frozenset(_WORDS["generic"])
"""What a cell says that says nothing, and labels of links that are no name of what they lead to."""
COUNT = regex(
    r"\s*[(（\[]\s*\d+\s*(?:篇(?:笔记|论文)?|個|个|件|本|notes?|papers?|entries|items)?\s*[)）\]]\s*$", re.IGNORECASE
)
"""At the end of a heading: how many there are."""
ARROW = regex(r"\s*(?:→|⟶|➜|➔|⇒|=>|->|—>|>>)\s*")


def column_of(head: str) -> Column | None:
    """What a column with this head has, as plain text."""
    columns: Mapping[Column, Sequence[str]] = _WORDS["columns"]
    return next((column for column, heads in columns.items() if head.casefold().strip() in heads), None)
