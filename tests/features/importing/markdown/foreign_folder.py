"""Folders of foreign notes for tests: from disk, or from texts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from paper_notes.corpus.model import Note, NoteId, NoteText, Text, TopicId
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.features.importing.folders import ImportRequest
from paper_notes.features.importing.formats import formats
from paper_notes.features.importing.markdown.headings import words_in
from paper_notes.features.importing.page_proof import papers_of, removed_words
from paper_notes.features.importing.proof.compare import Known, prove
from paper_notes.features.importing.proof.originals import pieces_of
from paper_notes.features.importing.proof.visible import page_words
from paper_notes.features.importing.types import (
    Folder,
    ImportedText,
    NoteHeader,
    NotePlace,
    NotePlaces,
    Original,
    ReaderOptions,
)
from paper_notes.features.importing.unpacking import unpacked
from paper_notes.markdown.body import fill, section_numbers
from paper_notes.markdown.render import render_body
from paper_notes.sources.tree import Source

FOLDERS = Path(__file__).with_name("folders")

TEXT = PurePosixPath("notes_src/foreign/01_note/text.md")


def read_back(note: ImportedText, titles: Mapping[str, str]) -> tuple[tuple[Diagnostic, ...], str]:
    """What our parser reports of a note that was read, and the HTML of its page.

    `titles` are those of the notes that it may refer to, by the references to them.
    """
    words = words_in(note.lang)
    tag = words.tags[0]
    known: dict[str, Any] = {
        "id": NoteId("foreign/01_note"),
        "topic": TopicId("foreign"),
        "name": "01_note",
        "title": Text(((tag, "x"),)),
        "texts": (NoteText(tag, TEXT, note.body),),
        "files": {name: Source(TEXT.parent / name, data) for name, data in note.files.items()},
        "location": Location(TEXT),
        "number": 1,
        "translated": {},
        "drafted": {},
    }
    body = render_body(Note(**{name: known.get(name, ()) for name in Note.__struct_fields__}), (), words)
    half, parts = body.halves[tag], list[str]()
    for section, number in zip(body.sections, section_numbers(body.sections), strict=True):
        own = section.halves[tag]
        parts.append(f"<h{section.level}>{number} {own.heading}</h{section.level}>\n{own.html}")
    html = "\n".join([half.lead, *parts, half.footnotes])
    return body.diagnostics, fill(html, half.slots, lambda slot: slot.text or titles.get(slot.target, slot.target))


def lost_words(original: str, note: ImportedText, titles: Mapping[str, str]) -> tuple[str, ...]:
    """The words of the original that the page of a note does not have; its front matter is not looked at."""
    page = f"<h1>{note.title}</h1></header>{read_back(note, titles)[1]}</article>"
    pieces = [piece for piece in pieces_of(note.outline.path.suffix, original) if piece.part != "fact"]
    known = Known((note.title, *map(str, note.facts.values()), *map(str, note.extra.values()), *papers_of(note)))
    proof = prove(pieces, page_words(page, ()), known, removed_words(note, note.outline.path.suffix))
    return tuple(word for lost in proof.lost for word in lost.words)


def folder_of(files: Mapping[str, str | bytes]) -> tuple[Folder, tuple[Original, ...]]:
    """A folder that holds these files, and the notes in it."""
    data = {
        PurePosixPath(path): content.encode() if isinstance(content, str) else content
        for path, content in files.items()
    }
    folder = unpacked(ImportRequest(Folder(frozenset(data), data.get), "folder")).folder
    originals = (
        Original(path, (folder.read(path) or b"").decode()) for path in sorted(folder.files) if format_of(path)
    )
    return folder, tuple(original for original in originals if format_of(original.path).recognises(original))


def format_of(path: PurePosixPath) -> Any:
    """The format of a file; HTML and lists of papers have tests of their own."""
    rows = (row for row in formats() if path.suffix in row.suffixes and row.name not in ("html", "list"))
    return next(rows, None)


def on_disk(name: str) -> dict[str, str | bytes]:
    """The files of a folder of the fixtures."""
    root = FOLDERS / name
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def places_of(outlines: tuple[NoteHeader, ...]) -> NotePlaces:
    """Places as the frame gives them: numbers in order, beside those of the files."""
    numbers: Counter[str] = Counter()
    places: dict[PurePosixPath, NotePlace] = {}
    names: defaultdict[str, list[NotePlace]] = defaultdict(list)
    for outline in outlines:
        topic = outline.topic or "notes"
        numbers[topic] += 1
        place = places[outline.path] = NotePlace(outline, f"{topic}/#{numbers[topic]}")
        for name in dict.fromkeys((outline.path.stem, outline.title, *outline.aliases)):
            if place not in names[name.casefold()]:
                names[name.casefold()].append(place)
    return NotePlaces(places, {name: tuple(found) for name, found in names.items()}, {})


def titles_of(files: Mapping[str, str | bytes]) -> dict[str, str]:
    """The titles of the notes by the references to them."""
    folder, originals = folder_of(files)
    parsed = ((format_of(original.path), original) for original in originals)
    places = places_of(tuple(row.outline(row.parse(original, folder), folder) for row, original in parsed))
    return {place.reference: place.outline.title for place in places.by_path.values()}


def read_all(files: Mapping[str, str | bytes]) -> dict[str, ImportedText]:
    """All notes of a folder by their paths."""
    folder, originals = folder_of(files)
    rows = [format_of(original.path) for original in originals]
    parsed = [row.parse(original, folder) for row, original in zip(rows, originals, strict=True)]
    outlines = tuple(row.outline(text, folder) for row, text in zip(rows, parsed, strict=True))
    places = places_of(outlines)
    return {
        outline.path.as_posix(): row.read(text, outline, places, folder, ReaderOptions())
        for row, text, outline in zip(rows, parsed, outlines, strict=True)
    }


def read_one(text: str, path: str = "x.md", **others: str | bytes) -> ImportedText:
    """One note, read alone or beside others, whose names have `__` for a slash and `_md` for a suffix."""
    files = {name.replace("__", "/").replace("_md", ".md"): content for name, content in others.items()}
    return read_all({path: text, **files})[path]
