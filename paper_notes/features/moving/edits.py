"""Changes of a few characters in a file: every other byte stays, line ends and byte order mark included."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from paper_notes.diagnostics import Location
from paper_notes.document import edit
from paper_notes.document.nodes import Span
from paper_notes.patterns import regex
from paper_notes.sources.tree import Source, text_position
from paper_notes.values import Struct

_LINE_END = regex(r"\r\n|\r|\n")
_BYTE_ORDER_MARK = "\ufeff"


class FileEdit(Struct, frozen=True):
    r"""Writes `new` where `old` is, which may be empty. Both may hold `\n`, for the file's own line end."""

    location: Location
    old: str
    new: str


def by_file(edits: Iterable[FileEdit]) -> dict[PurePosixPath, list[FileEdit]]:
    """The changes of each file, each once."""
    edits_by_path: dict[PurePosixPath, list[FileEdit]] = {}
    for file_edit in dict.fromkeys(edits):
        edits_by_path.setdefault(file_edit.location.path, []).append(file_edit)
    return edits_by_path


def edit_between(path: PurePosixPath, before: str, after: str, first_line: int = 1) -> FileEdit:
    """The change that makes one text another; it begins on a line of the file."""
    start = _same(before, after)
    same = _same(before[start:][::-1], after[start:][::-1])
    line, column = text_position(before, start)
    old, new = (text[start : len(text) - same] for text in (before, after))
    return FileEdit(Location(path, line + first_line - 1, column), old, new)


def _same(text: str, other: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(text, other, strict=False))
    return next((at for at, (mine, theirs) in pairs if mine != theirs), min(len(text), len(other)))


def with_edits(sources: Iterable[Source], edits: Iterable[FileEdit]) -> tuple[Source, ...]:
    """The files after these changes."""
    edits_by_path = by_file(edits)
    return tuple(
        Source(source.path, edited(source, edits_by_path[source.path])) if source.path in edits_by_path else source
        for source in sources
    )


def edited(source: Source, edits: Iterable[FileEdit]) -> bytes:
    """The bytes of the file after these changes, none of which touches another. Raises ValueError if one is wrong."""
    text = source.data.decode()
    starts = [len(_BYTE_ORDER_MARK) if text.startswith(_BYTE_ORDER_MARK) else 0]
    starts += (end.end() for end in _LINE_END.finditer(text))
    line_end = _LINE_END.search(text)
    newline = line_end[0] if line_end else "\n"

    def by_span(change: FileEdit) -> edit.Edit:
        start = starts[change.location.line - 1] + change.location.column - 1
        old, new = (part.replace("\n", newline) for part in (change.old, change.new))
        if not text.startswith(old, start):
            raise ValueError(f"{change.location}: {change.old!r} is not there")
        return edit.Edit(Span(start, start + len(old)), new)

    in_order = sorted(edits, key=lambda change: (change.location, change.old))
    return edit.apply(text, map(by_span, in_order)).encode()
