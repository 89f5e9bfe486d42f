"""The notes of one topic: folders with `note.yaml`, `zh.md`, `en.md`, and single Markdown files with front matter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TypeVar

from paper_notes.corpus.model import LANGS, Lang, Metadata, Note, NoteId, NoteText, Site, TopicId, Translated
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.corpus.schema import FrontMatter, NoteFile, TextValue, validate
from paper_notes.diagnostics import Diagnostic, Location, Suggestions
from paper_notes.sources.filenames import unusable
from paper_notes.sources.tree import SOURCE_FOLDER, Source
from paper_notes.sources.yaml import YamlDocument, parse_yaml

F = TypeVar("F", bound=NoteFile)

NOTE_FILE = "note.yaml"
TEXT_FILES: Mapping[str, Lang] = {f"{lang}.md": lang for lang in LANGS}
_NAME = re.compile(r"(\d{1,6})[_-](.+)")
_SAFE_NAME = re.compile(r"[\w.+-]+")
_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)


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
    """Two notes with one number are errors; so no two names differ only in case, which some disks take for one."""
    numbers: dict[int, Note] = {}
    for draft in drafts:
        note = draft.note
        first = numbers.setdefault(note.number, note)
        if first is not note:
            message = f'the number {note.label} is already taken by "{first.name}"'
            hint = f"rename it: the next free number is {max(d.note.number for d in drafts) + 1:02}"
            problems.append(Diagnostic(note.location, "duplicate-number", message, hint))
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
    document, file = _facts(FrontMatter, source.path, (match[1], 2), site, problems)
    lang = (file.language if file else None) or site.default_language
    if lang not in site.languages:
        message = f'the language "{lang}" is not among the languages of site.yaml'
        hint = f"known: {', '.join(site.languages)}"
        problems.append(Diagnostic(document.location(("language",)), "unlisted-language", message, hint))
        lang = site.default_language
    first_line = source.text.count("\n", 0, match.end()) + 1
    text = NoteText(lang, source.path, source.text[match.end() :], first_line)
    if not text.text.strip():
        hint = "write it below the front matter"
        problems.append(Diagnostic(Location(source.path), "note-without-text", "the note has no text", hint))
    return _draft(source.path.stem, topic, document, file or _unknown(source.path.stem), (text,), {}, papers, problems)


def _folder(
    path: PurePosixPath,
    files: Mapping[str, Source],
    topic: TopicId,
    site: Site,
    papers: Mapping[BibKey, Paper],
    problems: list[Diagnostic],
) -> NoteDraft | None:
    where = Location(path / NOTE_FILE)
    written = [(lang, files[name]) for name, lang in TEXT_FILES.items() if name in files and files[name].text.strip()]
    texts = tuple(NoteText(lang, source.path, source.text) for lang, source in written if lang in site.languages)
    for lang, source in written:
        if lang not in site.languages:
            message = f'"{lang}" is not among the languages of site.yaml, so this text is left out'
            hint = f"add {lang} to `languages:` in site.yaml"
            problems.append(Diagnostic(Location(source.path), "unlisted-language", message, hint, "warning"))
    if not texts:
        wanted = " or ".join(f"{lang}.md" for lang in site.languages)
        message = "the note has no text in any language of the site"
        problems.append(Diagnostic(where, "note-without-text", message, f"write {wanted} beside {NOTE_FILE}"))
    facts = files.get(NOTE_FILE)
    if facts is None:
        hint = "write `title: {zh: ..., en: ...}` into it"
        problems.append(Diagnostic(where, "missing-note-file", f"the note has no {NOTE_FILE}", hint))
        document, file = YamlDocument(where.path, {}, {}, {}), None
    else:
        document, file = _facts(NoteFile, where.path, (facts.text, 1), site, problems)
    figures = {name: member for name, member in files.items() if name != NOTE_FILE and name not in TEXT_FILES}
    return _draft(path.name, topic, document, file or _unknown(path.name), texts, figures, papers, problems)


def _facts(
    model: type[F], path: PurePosixPath, text: tuple[str, int], site: Site, problems: list[Diagnostic]
) -> tuple[YamlDocument, F | None]:
    """The facts in a YAML text that starts on a line of the file."""
    document = parse_yaml(path, *text)
    if isinstance(document, Diagnostic):
        problems.append(document)
        return YamlDocument(path, {}, {}, {}), None
    file, found = validate(model, document, site.default_language)
    problems += found
    return document, file


def _unknown(name: str) -> NoteFile:
    """Stands in for facts that could not be read, so that the note's text and references to it are still checked."""
    return NoteFile(title=TextValue(zh=name, en=name))


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
    if not _SAFE_NAME.fullmatch(name) or unusable(name):
        reason = unusable(name)
        message = f'the name "{name}" cannot be the name of a page' + (f": it {reason}" if reason else "")
        problems.append(Diagnostic(where, "bad-note-name", message, "use letters, digits and . _ + -"))
        return None
    keys = tuple(BibKey(key) for key in file.papers)
    suggestions = Suggestions()
    for position, key in enumerate(keys):
        if key not in papers:
            message = f'no entry "{key}" in the .bib files'
            hint = suggestions.did_you_mean(key, papers) or "add it to library.bib"
            problems.append(Diagnostic(document.location(("papers", position)), "unknown-bibkey", message, hint))
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
        thumbnail=file.thumbnail,
        publish_pdf=file.publish_pdf,
        extra=file.extra,
        translated={
            section: Translated({"zh": value.zh, "en": value.en}, document.location(("translated", section), key=True))
            for section, value in file.translated.items()
        },
        texts=texts,
        files=files,
        location=where,
        metadata=_metadata(file),
    )
    return NoteDraft(note, document, file)


def _metadata(file: NoteFile) -> Metadata | None:
    told = file.metadata
    return Metadata(told.source, told.date, told.missing) if told else None
