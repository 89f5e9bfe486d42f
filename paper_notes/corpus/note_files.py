"""Reads the files of a note, or of a page of the user's own, when one of them says something new.

In `notes_src/pages/`, `about.zh.md` and `about.en.md` are one page in two languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from paper_notes.corpus.model import (
    Alias,
    CorrectedClaim,
    Drafted,
    EntriesFrom,
    Entry,
    Lang,
    Metadata,
    Note,
    NoteFacts,
    NoteId,
    NoteText,
    Site,
    Text,
    TopicId,
    Translated,
)
from paper_notes.corpus.notes import (
    FRONT_MATTER,
    NOTE_FILE,
    PAGES,
    ReadNote,
    UnresolvedNote,
    below_front_matter,
)
from paper_notes.corpus.paper import BibKey
from paper_notes.corpus.references import NO_TOPIC
from paper_notes.corpus.schema import FrontMatter, Markdown, NoteFile, Plain, YamlFile
from paper_notes.corpus.unread_files import for_others, unlisted_hint, usual_name, wanted_name
from paper_notes.corpus.validate import read_yaml
from paper_notes.diagnostics import NOWHERE, Diagnostic, Location, Severity
from paper_notes.languages.language import BUILT_IN, meant
from paper_notes.patterns import regex
from paper_notes.sources.filenames import unusable
from paper_notes.sources.tree import SOURCE_FOLDER, Source
from paper_notes.sources.yaml import YamlDocument

_NAME = regex(r"(\d{1,6})[_-](.+)")
_SAFE_NAME = regex(r"[\w.+-]+")
_SAYS_DRAFT = regex(r"^draft:[ \t]*true[ \t]*(?:#.*)?$", re.MULTILINE | re.IGNORECASE)


def single_file(source: Source, topic: TopicId, site: Site) -> ReadNote:
    """A note that is one file with front matter."""
    problems: list[Diagnostic] = []
    content = source.text
    match = FRONT_MATTER.match(content)
    if match is None:
        message = "a note that is a single file starts with front matter between two lines of `---`"
        hint = f"or make a folder with note.yaml and {_text_files(site)}"
        problems.append(Diagnostic(Location(source.path), "missing-front-matter", message, hint))
        document, name = YamlDocument(source.path), source.path.stem
        read = _draft(name, topic, document, _unknown(name, site, content), []) if _NAME.fullmatch(name) else None
        return ReadNote(read, (), tuple(problems))
    kinds = [kind.id for kind in site.kinds]
    document, file = read_yaml(FrontMatter, source.path, match[1], problems, site.languages, first_line=2, kinds=kinds)
    lang = Lang((file.language if file else None) or site.default_language)
    if lang not in site.languages:
        message = f'the language "{lang}" is not among the languages of site.yaml'
        other = meant(lang, site.languages)
        hint = f'did you mean "{other}"?' if other else f"known: {', '.join(site.languages)}"
        problems.append(document.finding(("language",), "unlisted-language", message, hint))
        lang = site.default_language
    first_line = content.count("\n", 0, match.end()) + 1
    if not content[match.end() :].strip():
        hint = "write it below the front matter"
        problems.append(Diagnostic(Location(source.path), "note-without-text", "the note has no text", hint))
    draft = _draft(source.path.stem, topic, document, file or _unknown(source.path.stem, site, match[1]), problems)
    return ReadNote(draft, ((lang, "", first_line, match.end()),), tuple(problems))


def folder(
    path: PurePosixPath, files: Mapping[str, Source], others: Mapping[str, Source], topic: TopicId, site: Site
) -> ReadNote:
    """A note in a folder. `others` are files that may have been meant to be among its own."""
    problems: list[Diagnostic] = []
    where = Location(path / NOTE_FILE)
    written = [(Lang(name.removesuffix(".md")), name) for name in files if name != NOTE_FILE]
    empty = [name for _, name in written if not files[name].text.strip()]
    written = [(lang, name) for lang, name in written if name not in empty]
    texts = tuple(
        (lang, name, *below_front_matter(files[name].text)) for lang, name in written if lang in site.languages
    )
    for lang, name in written:
        if lang not in site.languages:
            message = f'"{lang}" is not among the languages of site.yaml, so this text is left out'
            hint = unlisted_hint(lang, site)
            problems.append(Diagnostic(Location(files[name].path), "unlisted-language", message, hint, "warning"))
    for _, name in written:
        if below_front_matter(files[name].text)[1]:
            message = f"front matter is read in a note that is a single file, not beside a {NOTE_FILE}"
            hint = f"write what it says into {NOTE_FILE}, and delete it"
            problems.append(Diagnostic(Location(files[name].path), "lost-syntax", message, hint))
    for name in empty if texts else empty[:1]:
        hint = "write it, or delete the file" if texts else "write it"
        severity: Severity = "warning" if texts else "error"
        problems.append(Diagnostic(Location(files[name].path), "note-without-text", f"{name} is empty", hint, severity))
    if not texts and not empty:
        wanted = ((name, wanted_name(file, files, site)) for name, file in others.items())
        renamed = next((f"rename {name} to {text}" for name, text in wanted if text), "")
        hint = renamed or f"write {_text_files(site)} beside {NOTE_FILE}"
        message = "the note has no text in any language of the site"
        problems.append(Diagnostic(where, "note-without-text", message, hint))
    if facts := files.get(NOTE_FILE):
        kinds, only = [kind.id for kind in site.kinds], texts[0][0] if len(texts) == 1 else None
        document, file = read_yaml(NoteFile, where.path, facts.text, problems, site.languages, only=only, kinds=kinds)
    else:
        misnamed = next((name for name, file in others.items() if usual_name(file, (NOTE_FILE,))), "")
        form = ", ".join(f"{lang}: ..." for lang in site.languages)
        hint = f"rename {misnamed} to {NOTE_FILE}" if misnamed else f"write `title: {{{form}}}` into it"
        problems.append(Diagnostic(where, "missing-note-file", f"the note has no {NOTE_FILE}", hint))
        document, file = YamlDocument(where.path), None
    file = file or _unknown(path.name, site, facts.text if facts else "")
    draft = _draft(path.name, topic, document, file, problems)
    return ReadNote(draft, texts, tuple(problems))


def _text_files(site: Site) -> str:
    return " or ".join(f"{lang}.md" for lang in site.languages)


def _unknown(name: str, site: Site, text: str) -> NoteFile:
    """A placeholder for facts that could not be read, so that the note's text and references to it are checked.

    A draft stays one, so that half a line in it stops nothing.
    """
    facts = {"title": dict.fromkeys(site.languages, name), "draft": bool(_SAYS_DRAFT.search(text))}
    return NoteFile.model_validate(facts, context={"languages": site.languages})


def as_written(file: NoteFile) -> dict[str, Any]:
    """The fields of NoteFacts, as keyword arguments."""
    return {fact: getattr(file, fact) for fact in NoteFacts.__struct_fields__}


def _draft(
    name: str,
    topic: TopicId,
    document: YamlDocument,
    file: NoteFile,
    problems: list[Diagnostic],
) -> UnresolvedNote | None:
    where = Location(document.path)
    match = _NAME.fullmatch(name)
    if match is None:
        wanted = f"{name}_Name" if name.isdigit() else f"07_{name}"
        hint = f'its name starts with its number, as in "{wanted}"'
        message = f'the note "{name}" has no {"name after its number" if name.isdigit() else "number"}'
        problems.append(Diagnostic(where, "note-without-number", message, hint))
        return None
    if not _SAFE_NAME.fullmatch(name) or unusable(name):
        reason = unusable(name)
        message = f'the name "{name}" cannot be the name of a page' + (f": it {reason}" if reason else "")
        problems.append(Diagnostic(where, "bad-note-name", message, "use letters, digits and . _ + -"))
        return None
    note = Note(
        id=NoteId(f"{topic}/{name}"),
        topic=topic,
        number=int(match[1]),
        name=name,
        title=file.title,
        papers=tuple(BibKey(key) for key in file.papers),
        summary=file.summary,
        corrects=tuple(
            CorrectedClaim(NoteId(value.note), value.claim, value.correction, value.date) for value in file.corrects
        ),
        extra=file.extra,
        highlights=file.highlights,
        translated={
            section: Translated(
                {Lang(lang): digest for lang, digest in value.items()},
                document.location(("translated", section), key=True),
            )
            for section, value in file.translated.items()
        },
        drafted={
            section: {Lang(lang): Drafted(**dict(record)) for lang, record in records.items()}
            for section, records in file.drafted.items()
        },
        texts=(),
        files={},
        location=where,
        summary_location=document.location(("summary",)) if file.summary else NOWHERE,
        short=file.short,
        metadata=Metadata(**dict(file.metadata)) if file.metadata else None,
        source=EntriesFrom(**file.source.model_dump(exclude={"as_found"})) if file.source else None,
        macros=file.macros,
        entries=_entries(file, document, problems),
        **as_written(file),
    )
    return UnresolvedNote(
        note,
        tuple(where for _, where in document.each(file.papers, "papers")),
        tuple(document.each(file.tags, "tags")),
        tuple(document.location(("corrects", place, "note")) for place in range(len(file.corrects))),
        document.location(("publish_pdf",)),
        tuple(Alias(topic, note.id, address, where) for address, where in document.each(file.aliases, "aliases")),
    )


def _entries(file: NoteFile, document: YamlDocument, problems: list[Diagnostic]) -> tuple[Entry, ...]:
    """`entries` of a `note.yaml`. A paper that is listed twice is reported, and taken once."""
    entries: dict[BibKey, Entry] = {}
    for place, value in enumerate(file.entries):
        where = document.location(("entries", place, "paper"))
        key = BibKey(value.paper)
        if key in entries:
            message = f'the paper "{key}" is among the entries already, on line {entries[key].location.line}'
            problems.append(Diagnostic(where, "duplicate-entry", message, "delete one of the two"))
            continue
        entries[key] = Entry(key, value.reading_source, value.upvotes, value.keywords, value.headline, where)
    if file.entries and file.papers:
        message = "a note with `entries:` lists papers, and is about none of them"
        hint = "delete `papers:`, or move them to a note of their own"
        problems.append(document.finding(("papers",), "bad-value", message, hint, key=True))
    return tuple(entries.values())


_FOLDER = PurePosixPath(SOURCE_FOLDER, PAGES)
_PAGE_NAME = regex(r"[a-zA-Z][\w-]*")
_FORM = "write `---`, `title: ...` and `---` on the first three lines"


class PageFile(YamlFile):
    """The front matter of a page."""

    title: Plain
    description: Markdown | None = None


def read_pages(sources: Iterable[Source], site: Site, problems: list[Diagnostic]) -> tuple[Note, ...]:
    """The pages of these files, by name. They have no topic and no number; other files are their pictures."""
    files: dict[str, Source] = {}
    pages: dict[str, dict[Lang, Source]] = {}
    for source in sources:
        path = source.path.relative_to(_FOLDER)
        if path.suffix != ".md":
            files[str(path)] = source
        elif for_others(source):
            continue
        elif len(path.parts) > 1:
            hint = f"move it to {_FOLDER / path.name}"
            problems.append(Diagnostic(Location(source.path), "left-out-file", "this text is no page", hint, "warning"))
        elif named := _named(source, site, problems):
            name, lang = named
            if (first := pages.setdefault(name, {}).setdefault(lang, source)) is not source:
                message = f"{first.path.name} is this page in this language already"
                problems.append(
                    Diagnostic(Location(source.path), "left-out-file", message, "delete one of them", "warning")
                )
    return tuple(_page(name, pages[name], files, site, problems) for name in sorted(pages))


def _named(source: Source, site: Site, problems: list[Diagnostic]) -> tuple[str, Lang] | None:
    """Name and language of a page by the name of its file; what is wrong with it is reported."""
    where, (name, dot, tag) = Location(source.path), source.path.stem.partition(".")
    if not dot and len(site.languages) == 1:
        tag = site.languages[0]
    lang = next((lang for lang in site.languages if lang == tag), None)
    if lang is None:
        wanted = meant(tag, site.languages) if tag else None
        likely = [wanted] if wanted else list(site.languages)
        hint = f"rename it to {' or '.join(f'{name}.{lang}.md' for lang in likely)}"
        if tag in BUILT_IN:
            message = f'"{tag}" is not among the languages of site.yaml, so this text is left out'
            hint = hint if wanted else unlisted_hint(tag, site)
            problems.append(Diagnostic(where, "unlisted-language", message, hint, "warning"))
        else:
            message = "the name of the page does not say its language"
            problems.append(Diagnostic(where, "left-out-file", message, hint, "warning"))
        return None
    if not _PAGE_NAME.fullmatch(name) or unusable(name):
        message = f'the name "{name}" cannot be the name of a page'
        hint = "use letters, digits, _ and -, with a letter first: it becomes an address"
        problems.append(Diagnostic(where, "bad-note-name", message, hint))
        return None
    return name, lang


def _page(
    name: str, texts: Mapping[Lang, Source], files: Mapping[str, Source], site: Site, problems: list[Diagnostic]
) -> Note:
    """A page. Without a title it has its name, so that its text is checked, too."""
    parts = [_part(lang, texts[lang], problems) for lang in site.languages if lang in texts]
    titles = ((text.lang, facts.title[text.lang] if facts else name) for text, facts, _ in parts)
    about = ((text.lang, facts.description[text.lang]) for text, facts, _ in parts if facts and facts.description)
    title, description = Text(tuple(titles)), Text(tuple(about))
    first, _, described_at = parts[0]
    return Note(
        id=NoteId(name),
        topic=NO_TOPIC,
        number=0,
        name=name,
        title=title,
        papers=(),
        summary=description or None,
        corrects=(),
        extra={},
        translated={},
        texts=tuple(text for text, *_ in parts),
        files=files,
        location=Location(first.path),
        summary_location=described_at if description else NOWHERE,
        **as_written(NoteFile.model_validate({"title": name}, context={"languages": site.languages})),
    )


def _part(lang: Lang, source: Source, problems: list[Diagnostic]) -> tuple[NoteText, PageFile | None, Location]:
    """The text of a page in one language, its front matter, and where its description is, or else the file."""
    content, where = source.text, Location(source.path)
    match = FRONT_MATTER.match(content)
    start = match.end() if match else 0
    text = NoteText(lang, source.path, source, content.count("\n", 0, start) + 1, start)
    if not content[start:].strip():
        problems.append(Diagnostic(where, "note-without-text", "the page has no text", "write it, or delete the file"))
    if match is None:
        problems.append(Diagnostic(where, "missing-front-matter", "a page starts with its title", _FORM))
        return text, None, where
    document, facts = read_yaml(PageFile, source.path, match[1], problems, (lang,), first_line=2)
    return text, facts, document.location(("description",)) if facts and facts.description else where
