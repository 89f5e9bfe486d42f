"""Reads the notes of a topic, each again only when its files say something new."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from types import MappingProxyType

from paper_notes.corpus.model import Note, NoteText, Site, TopicId
from paper_notes.corpus.notes import FRONT_MATTER, ReadNote, UnresolvedNote, below_front_matter
from paper_notes.corpus.unread_files import own_names
from paper_notes.diagnostics import Diagnostic, naming
from paper_notes.engine.cache import Cache, digest_of
from paper_notes.macros import Macros
from paper_notes.sources.tree import SOURCE_FOLDER, Source

_TEXTS = frozenset({".md", ".markdown", ".yml", ".yaml"})
"""What a misnamed file of a note has at the end of its name."""


class NoteReader:
    """Reads the notes of a site. With a cache, only those whose files have changed."""

    def __init__(self, site: Site, cache: Cache | None = None) -> None:
        self._site = site
        self._table = (cache or Cache()).table("notes")

    def notes(
        self,
        topic: TopicId,
        members: Iterable[Source],
        problems: list[Diagnostic],
        macros: Macros = MappingProxyType({}),
    ) -> tuple[UnresolvedNote, ...]:
        """All notes of a topic in the order of their numbers. `members` are the sources in the topic's folder.

        `macros` are those of the topic.
        """
        drafts: list[UnresolvedNote] = []
        folders: dict[str, dict[str, Source]] = {}
        for source in members:
            first, _, rest = str(source.path).split("/", 2)[2].partition("/")
            if rest:
                folders.setdefault(first, {})[rest] = source
            elif source.path.suffix == ".md":
                drafts += self._note(topic, source.path, {"": source}, {}, problems)
        base = PurePosixPath(SOURCE_FOLDER, topic)
        names = own_names(self._site)
        for name, files in folders.items():
            own = {name: files[name] for name in names if name in files}
            if own:
                figures = {name: file for name, file in files.items() if name not in own}
                drafts += self._note(topic, base / name, own, figures, problems)
        drafts = [_with_macros(draft, macros) if macros or draft.note.macros else draft for draft in drafts]
        drafts.sort(key=lambda draft: (draft.note.number, draft.note.draft, draft.note.name))
        return _without_clashes(drafts, problems)

    def save(self) -> None:
        """Write the cache."""
        self._table.save()

    def _note(
        self,
        topic: TopicId,
        path: PurePosixPath,
        own: Mapping[str, Source],
        figures: Mapping[str, Source],
        problems: list[Diagnostic],
    ) -> list[UnresolvedNote]:
        """The note in a folder, or in the single file whose name in `own` is empty; empty if it has no number."""
        others = {
            name: file for name, file in figures.items() if "/" not in name and file.path.suffix.lower() in _TEXTS
        }

        kinds = [kind.id for kind in self._site.kinds]
        inputs = self._site.languages, kinds, [(name, file.sha256) for name, file in (*own.items(), *others.items())]

        def read() -> ReadNote:
            around = [(name, file.sha256) for name, file in others.items()]
            form = digest_of(self._site.languages, kinds, around, [_form(name, file) for name, file in own.items()])
            former = self._table.former(str(path), ReadNote)
            if former and former.form == form:
                return former  # only words changed: the schema, whose library is slow to import, has nothing to say
            from paper_notes.corpus.note_files import folder, single_file

            with naming(path):
                if single := own.get(""):
                    now = single_file(single, topic, self._site)
                else:
                    now = folder(path, own, others, topic, self._site)
            return replace(now, form=form)

        known = self._table.memo(str(path), inputs, ReadNote, read)
        problems += known.diagnostics
        if known.draft is None:
            return []
        texts = tuple(NoteText(lang, own[name].path, own[name], line, start) for lang, name, line, start in known.texts)
        return [replace(known.draft, note=replace(known.draft.note, texts=texts, files=figures))]


def _with_macros(draft: UnresolvedNote, of_topic: Macros) -> UnresolvedNote:
    """The note with texts that know its macros and those of its topic."""
    items = tuple(sorted({**of_topic, **draft.note.macros}.items()))
    texts = tuple(replace(text, macros=items) for text in draft.note.texts)
    return replace(draft, note=replace(draft.note, texts=texts))


def _without_clashes(drafts: list[UnresolvedNote], problems: list[Diagnostic]) -> tuple[UnresolvedNote, ...]:
    """Report notes with the same number. So no two names differ only in case, which some disks do not distinguish."""
    numbers: dict[int, Note] = {}
    for draft in sorted(drafts, key=lambda draft: draft.note.created or datetime.date.max):  # the newest one is to move
        note = draft.note
        first = numbers.setdefault(note.number, note)
        if first is not note:
            message = f'the number {note.label} is already taken by "{first.name}"'
            free = f"{max(d.note.number for d in drafts) + 1:02}"
            hint = f"rename it: `paper-notes move {note.id} {free}` gives it the next free number"
            problems.append(Diagnostic(note.location, "duplicate-number", message, hint))
    return tuple(drafts)


def _form(name: str, file: Source) -> object:
    """What a file of a note says of the note itself."""
    if name and not name.endswith(".md"):
        return name, file.sha256
    text = file.text
    if name:
        return name, not text.strip(), below_front_matter(text)
    match = FRONT_MATTER.match(text)
    return (match[0], not text[match.end() :].strip()) if match else file.sha256
