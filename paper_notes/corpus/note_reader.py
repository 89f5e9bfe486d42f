"""Reads the notes of a topic, each again only when its files say something new."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from types import MappingProxyType

from paper_notes.corpus.model import Note, NoteText, Site, TopicId
from paper_notes.corpus.notes import FRONT_MATTER, ReadNote, UnresolvedNote, below_front_matter
from paper_notes.corpus.unread_files import by_folder, own_names
from paper_notes.diagnostics import Diagnostic, naming
from paper_notes.engine.cache import CacheTable, digest_of
from paper_notes.macros import Macros
from paper_notes.sources.tree import SOURCE_FOLDER, Source
from paper_notes.values import Struct, replace

_TEXTS = frozenset({".md", ".markdown", ".yml", ".yaml"})
"""What a misnamed file of a note has at the end of its name."""


def read_notes(
    site: Site,
    topic: TopicId,
    members: Iterable[Source],
    problems: list[Diagnostic],
    table: CacheTable,
    macros: Macros = MappingProxyType({}),
) -> tuple[UnresolvedNote, ...]:
    """All notes of a topic in the order of their numbers. `members` are the sources in its folder, `macros` its own.

    Of notes that are in the table, only those whose files have changed are read.
    """
    reader = _NoteReader(site, topic, table, problems)
    folders, loose = by_folder(members)
    notes = [reader.note(source.path, {"": source}, {}) for source in loose if source.path.suffix == ".md"]
    names = own_names(site)
    for folder, files in folders.items():
        if own := {name: files[name] for name in names if name in files}:
            figures = {name: file for name, file in files.items() if name not in own}
            notes.append(reader.note(PurePosixPath(SOURCE_FOLDER, topic, folder), own, figures))
    numbered = [_with_macros(read, macros) if macros or read.note.macros else read for read in notes if read]
    numbered.sort(key=lambda read: (read.note.number, read.note.draft, read.note.name))
    _report_clashes([read.note for read in numbered], problems)
    return tuple(numbered)


class _NoteReader(Struct, frozen=True):
    site: Site
    topic: TopicId
    table: CacheTable
    problems: list[Diagnostic]

    def note(
        self, path: PurePosixPath, own: Mapping[str, Source], figures: Mapping[str, Source]
    ) -> UnresolvedNote | None:
        """The note in a folder, or in the single file whose name in `own` is empty; None if it has no number."""
        others = {
            name: file for name, file in figures.items() if "/" not in name and file.path.suffix.lower() in _TEXTS
        }
        around = [(name, file.sha256) for name, file in others.items()]
        common = self.site.languages, [kind.id for kind in self.site.kinds], around

        def read() -> ReadNote:
            form = digest_of(*common, [_form(name, file) for name, file in own.items()])
            former = self.table.former(str(path), ReadNote)
            if former and former.form == form:
                return former  # only words changed: the schema, whose library is slow to import, has nothing to say
            from paper_notes.corpus.note_files import folder, single_file

            with naming(path):
                if single := own.get(""):
                    now = single_file(single, self.topic, self.site)
                else:
                    now = folder(path, own, others, self.topic, self.site)
            return replace(now, form=form)

        inputs = *common, [(name, file.sha256) for name, file in own.items()]
        known = self.table.memo(str(path), inputs, ReadNote, read)
        self.problems.extend(known.diagnostics)
        if known.draft is None:
            return None
        texts = tuple(NoteText(lang, own[name].path, own[name], line, start) for lang, name, line, start in known.texts)
        return replace(known.draft, note=replace(known.draft.note, texts=texts, files=figures))


def _with_macros(read: UnresolvedNote, of_topic: Macros) -> UnresolvedNote:
    """The note with texts that know its macros and those of its topic."""
    items = tuple(sorted({**of_topic, **read.note.macros}.items()))
    texts = tuple(replace(text, macros=items) for text in read.note.texts)
    return replace(read, note=replace(read.note, texts=texts))


def _report_clashes(notes: Sequence[Note], problems: list[Diagnostic]) -> None:
    """Report notes with the same number. So no two names differ only in case, which some disks do not distinguish."""
    numbers: dict[int, Note] = {}
    for note in sorted(notes, key=lambda note: note.created or datetime.date.max):  # the newest one is to move
        first = numbers.setdefault(note.number, note)
        if first is not note:
            message = f'the number {note.label} is already taken by "{first.name}"'
            free = f"{max(note.number for note in notes) + 1:02}"
            hint = f"rename it: `paper-notes move {note.id} {free}` gives it the next free number"
            problems.append(Diagnostic(note.location, "duplicate-number", message, hint))


def _form(name: str, file: Source) -> object:
    """What a file of a note says of the note itself."""
    if name and not name.endswith(".md"):
        return name, file.sha256
    text = file.text
    if name:
        return name, not text.strip(), below_front_matter(text)
    match = FRONT_MATTER.match(text)
    return (match[0], not text[match.end() :].strip()) if match else file.sha256
