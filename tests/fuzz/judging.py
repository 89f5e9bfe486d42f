"""What must hold for any collection: a build ends in a plan or in findings that can be read, a command in words."""

from __future__ import annotations

import os
import re
import tempfile
import traceback
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from commands import SLOW, Session, TooSlow, Wrong, within
from mutating import Files, Link, how_broken, mutant
from running import CACHES

from paper_notes.build import build
from paper_notes.diagnostics import Diagnostic, has_errors
from paper_notes.sources.tree import TEXT_SUFFIXES

KNOWN: tuple[str, ...] = ()
"""Words of findings that are known, and passed over until they are mended: empty it then."""


@dataclass(frozen=True)
class Verdict:
    """What became of a collection."""

    problem: str
    """What is wrong, or empty."""
    built: bool
    codes: tuple[tuple[str, int], ...]
    """The commands that were run, with their exit codes."""


def write_collection(root: Path, files: Files) -> None:
    """Put a collection on the disk."""
    for name, data in files.items():
        path = Path(os.fsdecode(os.fsencode(root / name)))
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(data, Link):
            path.symlink_to(data.target)
        else:
            path.write_bytes(data)


def judged(seed: int, changes: int | None = None) -> Verdict:
    """What becomes of a seed's collection, with so many changes to a legal one."""
    changes = how_broken(seed) if changes is None else changes
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "collection")
        root.mkdir()
        write_collection(root, mutant(seed, changes))
        caches, os.environ[CACHES] = os.environ[CACHES], str(Path(folder, "caches"))
        session = Session(root, seed)
        try:
            problem, built = _walk(session, legal=not changes)
        finally:
            os.environ[CACHES] = caches
        known = any(words in problem for words in KNOWN)
        return Verdict("" if known else problem.replace(folder, "…"), built, tuple(session.codes))


def _walk(session: Session, *, legal: bool) -> tuple[str, bool]:
    """What is wrong with a collection, and whether it was built."""
    built = False
    try:
        problem, readmes = what_is_wrong(session.root)
        if problem:
            return problem, False
        built = session.build(*readmes)
        if legal and not built:
            return f"a legal collection does not build: {session.output}", False
        if built != (session.read("check", "-j", "1") == 0):
            return f"check and build do not agree: {session.output}", built
        if not built and session.chance.random() < 0.5:
            session.run("build", "--keep-going", "-j", "1")
        session.look()
        if built:
            session.edit()
    except Wrong as wrong:
        return f"{' && '.join(session.lines)}\n{wrong}", built
    except Exception:
        return f"{' && '.join(session.lines)}\n{traceback.format_exc()}", built
    return "", built


def what_is_wrong(root: Path) -> tuple[str, tuple[str, ...]]:
    """What is wrong with the build of a collection, or empty; and the READMEs that it would change."""
    try:
        with within(SLOW):
            made = build(root)
    except TooSlow:
        return f"more than {SLOW} seconds of processor\n{traceback.format_exc()}", ()
    except Exception:
        return traceback.format_exc(), ()
    if made.plan is None and not has_errors(made.diagnostics):
        return "no plan, but no error either", ()
    for diagnostic in made.diagnostics:
        if problem := unreadable(diagnostic, _text(root / diagnostic.location.path)):
            return f"{problem}: {diagnostic!r}", ()
    return "", tuple(str(readme.path) for readme in made.readmes)


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
