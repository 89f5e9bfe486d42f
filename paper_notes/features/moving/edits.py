"""Changes of a few characters in a file: every other byte stays, line ends and byte order mark included."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from paper_notes.diagnostics import Location
from paper_notes.sources.tree import Source

_LINE_END = re.compile(r"\r\n|\r|\n")
_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Edit:
    r"""Writes `new` where `old` is, which may be empty. Both may hold `\n`, for the file's own line end."""

    location: Location
    old: str
    new: str


def by_file(edits: Iterable[Edit]) -> dict[PurePosixPath, list[Edit]]:
    """The changes of each file, each once."""
    found: dict[PurePosixPath, list[Edit]] = {}
    for edit in dict.fromkeys(edits):
        found.setdefault(edit.location.path, []).append(edit)
    return found


def edited(source: Source, edits: Iterable[Edit]) -> bytes:
    """The bytes of the file after these changes, none of which touches another. Raises ValueError if one is wrong."""
    text = source.data.decode()
    starts = [len(_MARK) if text.startswith(_MARK) else 0, *(end.end() for end in _LINE_END.finditer(text))]
    newline = found[0] if (found := _LINE_END.search(text)) else "\n"
    for edit in sorted(edits, key=lambda edit: (edit.location, edit.old), reverse=True):
        start = starts[edit.location.line - 1] + edit.location.column - 1
        old, new = (part.replace("\n", newline) for part in (edit.old, edit.new))
        if not text.startswith(old, start):
            raise ValueError(f"{edit.location}: {edit.old!r} is not there")
        text = text[:start] + new + text[start + len(old) :]
    return text.encode()
