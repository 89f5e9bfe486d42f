"""Gives the key of a paper or the id of a section another name: the name itself, and all that refers to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from paper_notes.corpus.model import Corpus, Note, NoteText
from paper_notes.corpus.paper import BibKey
from paper_notes.corpus.references import NoteIndex, name_of
from paper_notes.diagnostics import Location, UserError
from paper_notes.document.nodes import Citation, Component, Heading, Image, Link
from paper_notes.document.parse import parse
from paper_notes.features.moving.edits import FileEdit
from paper_notes.features.moving.move import Move, relocated
from paper_notes.features.moving.references import (
    CollectionFiles,
    Relocation,
    edit_at,
    edit_of,
    facts_of,
    values_of,
    written_references,
)
from paper_notes.markdown.render import render_body
from paper_notes.output.renaming import in_order
from paper_notes.patterns import regex
from paper_notes.sources.filenames import unusable
from paper_notes.sources.tree import Source, text_position
from paper_notes.sources.yaml import Path, YamlDocument, parse_yaml

_KEY = regex(r"[A-Za-z0-9](?:[\w:.+/-]*\w)?", re.ASCII)
_ID = regex(r"[A-Za-z][\w-]*")
_ENDS = r"(?![:.+/-]*\w)"
_NAMING = frozenset({("papers",), ("entries", "paper")})
"""Where a YAML file names papers by their keys alone."""
_BY_SECTION = ("translated", "drafted", "highlights")
_NOTHING_MOVES = Relocation({}, {})


def rename_paper(files: CollectionFiles, key: BibKey, now: str) -> Move:
    """Give a paper another key: its entry, all that cites it, and a PDF of its name. Raises UserError."""
    if not _KEY.fullmatch(now) or now.isdigit():
        raise UserError(f'"{now}" cannot be the key of a paper', "use letters, digits and _ : . + / - as in li2025")
    if now in files.corpus.papers:
        raise UserError(f'"{now}" is the key of another paper', "choose one that no .bib file has")
    of_pictures = re.compile(rf"pdf:{re.escape(key)}[#\t]", re.IGNORECASE)
    pdfs = []
    for source in files.sources:
        if source.path.stem == key and source.path.suffix.lower() == ".pdf":
            pdfs.append(source.path)
        elif source.path.suffix in (".md", ".yaml", ".tsv") and of_pictures.search(source.text):
            raise UserError(
                f"{source.path} shows parts of the PDF by this key", "write its arXiv id in the entry first"
            )
    if pdfs and ("/" in now or unusable(f"{now}.pdf")):
        raise UserError(f'"{now}" cannot be the name of {pdfs[0]}', "choose a key that a file can have")
    edits = [*rekeyed(files.corpus, files.sources, key, now)]
    edits += (edit for source in files.sources for edit in _beside(source, key, now))
    renamed = in_order({path: path.with_name(f"{now}{path.suffix}") for path in pdfs})
    return relocated(files, _NOTHING_MOVES, renamed, more=edits)


def _beside(source: Source, key: str, now: str) -> Iterator[FileEdit]:
    """In its entry, in those that inherit from it, and in what features keep beside notes."""
    name = re.escape(key)
    match source.path.suffix:
        case ".bib":
            field = rf"\b(?:crossref|xdata)\s*=\s*[{{\"]\s*({name})(?=\s*[}}\"])"
            pattern = rf"^[ \t]*@\w+[ \t]*[{{(]\s*({name})(?=[ \t]*,)|{field}"
        case ".tsv":
            pattern = rf"(?<=\t)({name})(?=\t|$)|@({name}){_ENDS}"
        case ".json":
            pattern = rf"(?<![\w.])@({name}){_ENDS}"
        case _:
            return
    for match in re.finditer(pattern, source.text, re.MULTILINE) if key in source.text else ():
        yield edit_at(source, match.start(match.lastindex or 0), key, now)


def rekeyed(corpus: Corpus, sources: Iterable[Source], old: BibKey, new: str) -> Iterator[FileEdit]:
    """The edits that rewrite a key in all notes, topics and the glossary; none in code, formulas and comments."""
    token = re.compile(rf"(?<![\w:.+/-]){re.escape(old)}{_ENDS}")
    for note in corpus.written:
        for text in note.texts:
            if old in text.text:
                yield from _in_text(text, token, old, new)
    with_front_matter = {note.location.path for note in corpus.written if note.location.path.suffix == ".md"}
    for source in sources:
        if (source.path.suffix == ".yaml" or source.path in with_front_matter) and old.encode() in source.data:
            yield from _in_yaml(source, token, old, new)


def _in_text(text: NoteText, token: re.Pattern[str], old: BibKey, new: str) -> Iterator[FileEdit]:
    """In citations, cards and figures of the paper, and where a number is said to be from it."""
    offsets: set[int] = set()
    for node in parse(text.text).walk():
        start, end = node.span
        if isinstance(node, Component):
            end = start + len(text.text[start:].partition("\n")[0]) if node.name == "paper" else start
        if isinstance(node, Citation | Image | Component):
            offsets |= {match.start() for match in token.finditer(text.text, start, end)}
        origin = getattr(node, "origin", None)
        if origin and origin.value.startswith("@"):
            sources = re.compile(rf"from=[\"“]?@(?={token.pattern})")
            offsets |= {match.end() for match in sources.finditer(text.text, start, end)}
    for offset in sorted(offsets):
        line, column = text_position(text.text, offset)
        yield FileEdit(Location(text.path, line + text.first_line - 1, column), old, new)


def _in_yaml(source: Source, token: re.Pattern[str], old: BibKey, new: str) -> Iterator[FileEdit]:
    """Where papers are named by their keys alone, and citations in texts."""
    facts, first_line = facts_of(source)
    document = parse_yaml(source.path, facts, first_line)
    if not isinstance(document, YamlDocument):
        return
    papers = {
        document.positions[at]
        for at, value in values_of(document.value, ())
        if value == old and tuple(part for part in at if isinstance(part, str)) in _NAMING
    }
    for match in token.finditer(facts):
        line, column = text_position(facts, match.start())
        line += first_line - 1
        cited = facts.startswith("@", match.start() - 1)
        if cited or {(line, column), (line, column - 1)} & papers:  # one more for a quotation mark
            yield FileEdit(Location(source.path, line, column), match[0], new)


def rename_section(files: CollectionFiles, note: Note, section: str, now: str) -> Move:
    """Give a section another id, where its headings have one: there, and wherever it is named. Raises UserError."""
    corpus, by_path = files.corpus, {source.path: source for source in files.sources}
    known = {known.id for known in render_body(note, words=corpus.site.words).sections}
    if not _ID.fullmatch(now) or now in known:
        hint = (
            f"its sections are {', '.join(sorted(known))}"
            if now in known
            else "letters, digits, - and _, a letter first"
        )
        raise UserError(f'"{now}" cannot be the id of this section', hint)
    edits = [edit for text in note.texts for edit in _of_section(by_path[text.path], text.start, section, now)]
    if not any(edit.old == f"#{section}" for edit in edits):
        raise UserError(f'no heading has the id "{section}"', f"write {{#{section}}} behind its heading first")
    index = NoteIndex([name_of(known.id) for known in corpus.notes], corpus.site.topics)
    of_section = re.compile(rf"\s*#({re.escape(section)})(?![\w-])")
    for reference in written_references(corpus, files.sources):
        if reference.name and index.find(reference.name, reference.topic) == note.id:
            source, where = by_path[reference.location.path], reference.location
            line = source.text.split("\n")[where.line - 1]
            if found := of_section.match(line, where.column - 1 + len(reference.name)):
                edits.append(FileEdit(Location(where.path, where.line, found.start(1) + 1), section, now))
    return relocated(
        files, _NOTHING_MOVES, (), more=[*edits, *_records(note, by_path[note.location.path], section, now)]
    )


def _of_section(source: Source, start: int, section: str, now: str) -> Iterator[FileEdit]:
    """Its heading, and the links to it within its own text."""
    text = source.text
    for node in parse(text[start:]).walk():
        before, after = node.span.start + start, node.span.end + start
        if isinstance(node, Heading) and node.id == section:
            match = re.compile(rf"(?<=[{{\s:])#{re.escape(section)}(?=[\s}}])").search(text, before, after)
        elif isinstance(node, Link) and node.href == f"#{section}":
            match = re.compile(rf"(?<=\()#{re.escape(section)}(?=[\s)])").search(text, before, after)
        else:
            continue
        if match:
            yield edit_at(source, match.start(), f"#{section}", f"#{now}")


def _records(note: Note, source: Source, section: str, now: str) -> Iterator[FileEdit]:
    """What is kept of the section by its id."""
    document = parse_yaml(source.path, *facts_of(source))
    keys: list[Path] = [(name, section) for name in _BY_SECTION]
    for at in keys:
        if isinstance(document, YamlDocument) and at in document.key_positions:
            yield edit_of(source, document, at, section, now, key=True)
    for kept in note.files.values():
        if kept.path.suffix == ".tsv":
            for match in re.finditer(rf"^[\w-]+\t({re.escape(section)})\t\w+$", kept.text, re.MULTILINE):
                yield edit_at(kept, match.start(1), section, now)
