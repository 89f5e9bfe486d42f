"""When the files of a folder were first and last changed, as git knows it, under whatever names they had."""

from __future__ import annotations

import datetime
import unicodedata
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from paper_notes.commands.terminal import say
from paper_notes.features.git.repository import NoAnswer, git, top_of

Dates = dict[PurePosixPath, tuple[datetime.date, datetime.date]]


def dates_of(folder: Path) -> Dates:
    """The days of the first and the last change of each file of a folder, by its path in it."""
    try:
        inside = PurePosixPath(folder.resolve().relative_to(top_of(folder)).as_posix())
        said = git(folder, "log", "--format=%x01%as", "--name-status", "-M", "-z")
    except NoAnswer as reason:
        say(f"git knows no dates of these files: {reason}")
        return {}
    dates = {PurePosixPath(path): days for path, days in dates_in(said.decode(errors="replace")).items()}
    return {
        PurePosixPath(unicodedata.normalize("NFC", str(path.relative_to(inside)))): days
        for path, days in dates.items()
        if path.is_relative_to(inside)
    }


def dates_in(log: str) -> dict[str, tuple[datetime.date, datetime.date]]:
    """The days of each file in a log from the newest commit on. What is only renamed has not changed that day."""
    dates: dict[str, tuple[datetime.date, datetime.date]] = {}
    now: dict[str, str] = {}
    for day, status, old, new in _changes(log):
        path = now.pop(new, new)
        if path and status != "R100":
            first, last = dates.get(path, (day, day))
            dates[path] = (min(first, day), max(last, day))
        if status == "A":
            now[new] = ""  # what had the name before is another file
        elif status.startswith("R"):
            now[old] = path
            now.setdefault(new, "")
        else:
            now[new] = path
    return dates


def _changes(log: str) -> Iterator[tuple[datetime.date, str, str, str]]:
    """The day, the status, and the names before and after, of each change in a log of records that end with NUL."""
    parts = iter(log.replace("\n", "\0").split("\0"))
    day = datetime.date.min
    for part in parts:
        if part.startswith("\x01"):
            day = datetime.date.fromisoformat(part[1:11])
        elif part:
            old = next(parts)
            yield day, part, old, next(parts) if part[0] in "RC" else old
