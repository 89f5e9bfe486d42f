"""Which findings concern some notes or topics only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from paper_notes.commands.completing import ENTRY
from paper_notes.commands.naming import (
    SITE_FOLDER,
    below,
    entries,
    find_name,
    find_topic,
    here,
    names_on_disk,
    taken_apart,
)
from paper_notes.diagnostics import Diagnostic, UserError
from paper_notes.sources.input_file import read_input_file
from paper_notes.sources.tree import SOURCE_FOLDER

_KEY = re.compile(r"@([\w:.+/-]*\w)")
_WORD = re.compile(r"[\w:.+/-]+")


@dataclass(frozen=True, slots=True)
class Concern:
    """Files and folders of the collection, and what to call them."""

    paths: tuple[PurePosixPath, ...]
    names: tuple[str, ...]

    def splits(
        self, diagnostics: Iterable[Diagnostic], root: Path
    ) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
        """The findings that concern these, and the others: those in their files, and in the papers they name."""
        all_found = tuple(diagnostics)
        bib = {finding.location.path for finding in all_found if finding.location.path.suffix == ".bib"}
        entries = set(self._entries(root, bib)) if bib else set()

        def concerns(finding: Diagnostic) -> bool:
            where = finding.location
            inside = any(where.path == path or path in where.path.parents for path in self.paths)
            return inside or (where.path, where.line) in entries

        return tuple(filter(concerns, all_found)), tuple(other for other in all_found if not concerns(other))

    def _entries(self, root: Path, bib: Iterable[PurePosixPath]) -> Iterator[tuple[PurePosixPath, int]]:
        """The lines of the BibTeX entries that the notes cite or are about."""
        keys = set(self._keys(root))
        for path in bib:
            text = _text(root / path)
            starts = [(match.start(1), match[1]) for match in ENTRY.finditer(text)]
            for (start, key), (end, _) in zip(starts, [*starts[1:], (len(text), "")], strict=True):
                if key in keys:
                    first, last = text.count("\n", 0, start) + 1, text.count("\n", 0, end) + 1
                    yield from ((path, line) for line in range(first, last + (end == len(text))))

    def _keys(self, root: Path) -> Iterator[str]:
        """What may be keys of papers in the notes: words of facts, and what follows an @ in texts."""
        for path in self.paths:
            for file in _texts(root / path):
                text = _text(file)
                yield from _KEY.findall(text)
                facts = text if file.suffix == ".yaml" else text.split("\n---", 1)[0] * text.startswith("---")
                yield from _WORD.findall(facts)


def concern(root: Path, typed: Iterable[str]) -> Concern:
    """The notes and topics that were meant, and any other file or folder of sources. Raises UserError."""
    known, now = names_on_disk(root), here(root)
    paths: list[PurePosixPath] = []
    names: list[str] = []
    for name in typed:
        wanted = below(root, name)
        path = taken_apart(wanted, now).path
        if topic := find_topic(known, wanted, now):
            paths += [PurePosixPath(SOURCE_FOLDER, topic), PurePosixPath(SITE_FOLDER, topic)]
            names.append(topic)
        elif path.startswith(f"{SOURCE_FOLDER}/") and path.count("/") == 1 and (root / path).is_file():
            paths.append(PurePosixPath(path))
            names.append(path)
        else:
            note = find_name(known, wanted, now)
            folder = PurePosixPath(SOURCE_FOLDER, note.topic)
            page = PurePosixPath(SITE_FOLDER, note.topic, "notes", f"{note.name}.html")
            paths += [folder / note.name, folder / f"{note.name}.md", page]
            names.append(f"{note.topic}/#{note.number}")
    return Concern(tuple(paths), tuple(names))


def _texts(place: Path) -> Iterator[Path]:
    """The Markdown and YAML files at or below a place; links are passed over."""
    if place.suffix in (".md", ".yaml") and place.is_file() and not place.is_symlink():
        yield place
    for entry in entries(place):
        if not entry.is_symlink():
            yield from _texts(Path(entry.path))


def _text(file: Path) -> str:
    try:
        return read_input_file(file).decode(errors="replace")
    except UserError:
        return ""
