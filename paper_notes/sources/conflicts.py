"""Merges that git could not finish: the places where it left both sides, and the text with one of them."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.patterns import regex
from paper_notes.values import Struct

_MARK = regex(r"^(<{7}|\|{7}|={7}|>{7})(?:$| [^\n]*)", re.MULTILINE)
_MARKS = regex(rb"^(?:<{7}|>{7})(?:[ \r]|$)", re.MULTILINE)
_BEGINS = regex(r"^(?=(?:<{7}|>{7})(?: |$))", re.MULTILINE)
_HINT = "keep one side, or what is right of both, and delete the lines of <<<<<<<, ======= and >>>>>>>"

MAX_CONFLICTS = 100
"""Of a file, that are reported."""


def may_be_unmerged(data: bytes) -> bool:
    """False if `read_conflicts` would find nothing in the text that these bytes are."""
    return (b"<<<<<<<" in data or b">>>>>>>" in data) and _MARKS.search(data) is not None


class Conflicts(Struct, frozen=True):
    """What git left in a file."""

    problems: tuple[Diagnostic, ...]
    """One for each conflict, where it begins."""
    ours: str
    """The text with the first side of each. The rest of it is empty lines, so that places stay what they are."""


def with_marks_indented(text: str) -> str:
    """A text that shows marks of git, such as one about merging, so that none is taken for a conflict."""
    return _BEGINS.sub(" ", text) if may_be_unmerged(text.encode()) else text


def read_conflicts(path: PurePosixPath, text: str) -> Conflicts:
    """The conflicts in a text with plain line ends. The marks of git begin a line: to show some, indent them.

    Where only some of the marks are left, they are found too; but a line of `=======` alone makes a heading in
    Markdown, and `>>>>>>>` quotes.
    """
    starts: list[int] = []
    kept: list[str] = []
    markdown = path.suffix.lower() in (".md", ".markdown")
    done, side, lone = 0, "both", None
    for mark in _MARK.finditer(text):
        sign = mark[1][0]
        if side == "both" and sign != "<":
            if sign == "|" or (markdown and (sign == "=" or lone is None)):
                lone = mark if sign == "=" else None
                continue
            if lone:
                kept.append(text[done : lone.start()])
                done = lone.end()
        if side == "both" or sign == "<":
            starts.append(lone.start() if lone else mark.start())
        before = text[done : mark.start()]
        kept.append("\n" * before.count("\n") if side == "theirs" else before)
        side = {"<": "ours", "|": "theirs", "=": "theirs" if side != "both" else "both", ">": "both"}[sign]
        done, lone = mark.end(), None
    kept.append(text[done:])
    message = "an unresolved merge conflict: git left both sides here"
    places = (Location(path, text.count("\n", 0, start) + 1) for start in starts[:MAX_CONFLICTS])
    return Conflicts(tuple(Diagnostic(place, "merge-conflict", message, _HINT) for place in places), "".join(kept))
