"""What must hold for the build of any collection whatever: it ends in a plan or in findings that can be read."""

from __future__ import annotations

import os
import re
import time
import traceback
from functools import lru_cache
from pathlib import Path

from mutating import Files, Link

from paper_notes.build import build
from paper_notes.diagnostics import Diagnostic, has_errors
from paper_notes.output.disk import MANIFEST, apply, compare
from paper_notes.sources.tree import TEXT_SUFFIXES

SLOW = 20
"""Seconds of work that no mutant may take."""


def write_mutant(root: Path, files: Files) -> None:
    """Put a collection on the disk."""
    for name, data in files.items():
        path = Path(os.fsdecode(os.fsencode(root / name)))
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(data, Link):
            path.symlink_to(data.target)
        else:
            path.write_bytes(data)


def what_is_wrong(root: Path, *, write: bool) -> str:
    """Empty if the build does what it must, else the reason why not. With `write` the plan is carried out too."""
    start = time.process_time()
    try:
        made = build(root)
        if made.plan is None and not has_errors(made.diagnostics):
            return "no plan, but no error either"
        for diagnostic in made.diagnostics:
            if problem := unreadable(diagnostic, _text(root / diagnostic.location.path)):
                return f"{problem}: {diagnostic!r}"
        if made.plan and write:
            wanted = (*made.plan.create, *made.plan.update)
            apply(root, made.plan)
            again = compare(root, [a for a in wanted if a.path != MANIFEST], None)
            if not again.empty:
                return "what was written is not what was planned"
            if not (second := build(root)).plan or not second.plan.empty:
                return "the second build has something to write"
    except Exception:
        return traceback.format_exc()
    taken = time.process_time() - start
    return f"took {taken:.0f} seconds" if taken > SLOW else ""


def unreadable(diagnostic: Diagnostic, text: str | None) -> str:
    """Why a finding does not say where it is and what it means; `text` is that of its file, if there is one."""
    try:
        said = str(diagnostic).encode().decode()
    except UnicodeEncodeError:
        return "cannot be printed"
    if len(said.splitlines()) != 1 + bool(diagnostic.hint) or len(diagnostic.hint) > 1000 or not diagnostic.message:
        return "it is not one line and one of hint"
    if re.search(r"[\ufdd0-\ufdef\x00-\x08]", said):
        return "shows an internal character"
    where = diagnostic.location
    if where.line < 1 or where.column < 1:
        return "a position before the file"
    if text is not None:
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if where.line > len(lines):
            return "a line behind the end of the file"
        if where.column > len(lines[where.line - 1]) + 1:
            return "a column behind the end of the line"
    return ""


@lru_cache(maxsize=1)
def _text(path: Path) -> str | None:
    """The text of a file, if it is one."""
    is_text = path.suffix.lower() in TEXT_SUFFIXES and path.is_file()
    return path.read_bytes().decode("utf-8-sig", "replace") if is_text else None
