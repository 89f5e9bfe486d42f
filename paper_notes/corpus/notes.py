"""The notes of one topic: folders with `note.yaml`, `zh.md`, `en.md`, and single Markdown files with front matter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from paper_notes.corpus.model import LANGS, BibKey, Lang, Note, NoteId, NoteText, Paper, Site, TopicId
from paper_notes.corpus.schema import FrontMatter, NoteFile, validate
from paper_notes.diagnostics import Diagnostic, Location, did_you_mean
from paper_notes.sources.tree import SOURCE_FOLDER, Source
from paper_notes.sources.yaml import YamlDocument, parse_yaml

NOTE_FILE = "note.yaml"
TEXT_FILES: Mapping[str, Lang] = {f"{lang}.md": lang for lang in LANGS}
_NAME = re.compile(r"(\d{1,6})[_-](.+)")
_SAFE_NAME = re.compile(r"[\w.+-]+")
_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?)(?:^|\n)---[ \t]*(?:\n|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class NoteDraft:
    """A note before references to other notes are resolved, with the file they stand in."""

    note: Note
    document: YamlDocument
    file: NoteFile


def load_notes(
    topic: TopicId,
    members: tuple[Source, ...],
    site: Site,
    papers: Mapping[BibKey, Paper],
    problems: list[Diagnostic],
) -> tuple[NoteDraft, ...]:
    """All notes of a topic in the order of their numbers. `members` are the sources in the topic's folder."""
    drafts: list[NoteDraft] = []
    base = PurePosixPath(SOURCE_FOLDER, topic)
    folders: dict[str, dict[str, Source]] = {}
    for source in members:
        first, *rest = source.path.relative_to(base).parts
        if rest:
            folders.setdefault(first, {})["/".join(rest)] = source
        elif source.path.suffix == ".md":
            draft = _single_file(source, topic, site, papers, problems)
            drafts += [draft] if draft else []
    for name, files in folders.items():
        if NOTE_FILE in files or any(text in files for text in TEXT_FILES):
            draft = _folder(base / name, files, topic, site, papers, problems)
            drafts += [draft] if draft else []
    drafts.sort(key=lambda draft: (draft.note.number, draft.note.name))
    return _without_clashes(drafts, problems)


def _without_clashes(drafts: list[NoteDraft], problems: list[Diagnostic]) -> tuple[NoteDraft, ...]:
    """Two notes with one number, or names that are one file on some file systems, are errors."""
    numbers: dict[int, Note] = {}
    names: dict[str, Note] = {}
    for draft in drafts:
        note = draft.note
        first = numbers.setdefault(note.number, note)
        if first is not note:
            message = f'the number {note.label} is already taken by "{first.name}"'
            hint = f"rename the folder: the next free number is {max(d.note.number for d in drafts) + 1:02}"
            problems.append(Diagnostic(note.location, "duplicate-number", message, hint))
        twin = names.setdefault(note.name.casefold(), note)
        if twin is not note and first is note:
            message = f'the name "{note.name}" differs from "{twin.name}" only in case'
            problems.append(Diagnostic(note.location, "name-clash", message, "rename one of them"))
    return tuple(drafts)


def _single_file(
    source: Source, topic: TopicId, site: Site, papers: Mapping[BibKey, Paper], problems: list[Diagnostic]
) -> NoteDraft | None:
    match = _FRONT_MATTER.match(source.text)
    if match is None:
        message = "a note that is a single file starts with front matter between two lines of `---`"
        hint = "or make a folder with note.yaml and zh.md or en.md"
        problems.append(Diagnostic(Location(source.path), "missing-front-matter", message, hint))
        return None
    document = parse_yaml(source.path, match[1], first_line=2)
    if isinstance(document, Diagnostic):
        problems.append(document)
        return None
    file, found = validate(FrontMatter, document, site.default_language)
    problems += found
    if file is None:
        return None
    lang = file.language or site.default_language
    first_line = source.text.count("\n", 0, match.end()) + 1
    text = NoteText(lang, source.path, source.text[match.end() :], first_line)
    return _draft(source.path.stem, topic, document, file, (text,), {}, papers, problems)


def _folder(
    path: PurePosixPath,
    files: Mapping[str, Source],
    topic: TopicId,
    site: Site,
    papers: Mapping[BibKey, Paper],
    problems: list[Diagnostic],
) -> NoteDraft | None:
    where = Location(path / NOTE_FILE)
    texts = tuple(
        NoteText(lang, source.path, source.text)
        for name, lang in TEXT_FILES.items()
        if (source := files.get(name)) and lang in site.languages and source.text.strip()
    )
    if not texts:
        wanted = " or ".join(f"{lang}.md" for lang in site.languages)
        message = "the note has no text in any language of the site"
        problems.append(Diagnostic(where, "note-without-text", message, f"write {wanted} beside {NOTE_FILE}"))
    source = files.get(NOTE_FILE)
    if source is None:
        hint = "write `title: {zh: ..., en: ...}` into it"
        problems.append(Diagnostic(where, "missing-note-file", f"the note has no {NOTE_FILE}", hint))
        return None
    document = parse_yaml(source.path, source.text)
    if isinstance(document, Diagnostic):
        problems.append(document)
        return None
    file, found = validate(NoteFile, document, site.default_language)
    problems += found
    if file is None:
        return None
    figures = {name: member for name, member in files.items() if name != NOTE_FILE and name not in TEXT_FILES}
    return _draft(path.name, topic, document, file, texts, figures, papers, problems)


def _draft(
    name: str,
    topic: TopicId,
    document: YamlDocument,
    file: NoteFile,
    texts: tuple[NoteText, ...],
    files: Mapping[str, Source],
    papers: Mapping[BibKey, Paper],
    problems: list[Diagnostic],
) -> NoteDraft | None:
    where = Location(document.path)
    match = _NAME.fullmatch(name)
    if match is None:
        hint = f'its name starts with its number, as in "07_{name}"'
        problems.append(Diagnostic(where, "note-without-number", f'the note "{name}" has no number', hint))
        return None
    if not _SAFE_NAME.fullmatch(name):
        message = f'the name "{name}" cannot be the name of a page'
        problems.append(Diagnostic(where, "bad-name", message, "use letters, digits and . _ + -"))
        return None
    keys = tuple(BibKey(key) for key in file.papers)
    for position, key in enumerate(keys):
        if key not in papers:
            place = document.location(
                ("papers", position) if ("papers", position) in document.positions else ("papers",)
            )
            message = f'no entry "{key}" in the .bib files'
            problems.append(Diagnostic(place, "unknown-bibkey", message, did_you_mean(key, papers)))
    note = Note(
        id=NoteId(f"{topic}/{name}"),
        topic=topic,
        number=int(match[1]),
        name=name,
        title=file.title.text(),
        kind=file.kind,
        papers=tuple(key for key in keys if key in papers),
        summary=file.summary.text() if file.summary else None,
        tags=file.tags,
        created=file.created,
        updated=file.updated,
        status=file.status,
        rating=file.rating,
        own=file.own,
        reading_source=file.reading_source,
        reviewed=file.reviewed,
        corrects=(),
        extra=file.extra,
        texts=texts,
        files=files,
        location=where,
    )
    return NoteDraft(note, document, file)
