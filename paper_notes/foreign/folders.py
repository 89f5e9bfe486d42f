"""A folder of notes that exist, read: which files are notes, where each goes, and what it says."""

from __future__ import annotations

import datetime
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from paper_notes.corpus.load import BASE
from paper_notes.corpus.model import Corpus, NoteId
from paper_notes.diagnostics import Location, UserError
from paper_notes.engine.workers import Workers
from paper_notes.foreign.decoding import Decoded, decoded
from paper_notes.foreign.markdown.dialects import is_skipped
from paper_notes.foreign.placing import Placed, placed, places_of, safe_name
from paper_notes.foreign.record import Record, key_of, places_in
from paper_notes.foreign.table import FORMATS
from paper_notes.foreign.values import Finding, Folder, Foreign, Format, Options, Original, Outline, Place, Places
from paper_notes.languages.language import Words
from paper_notes.sources.tree import Source, ignored

REST = "notes"
"""The topic of files beside all folders."""
PART = 100
"""So many notes are sent to a process at a time, as all of them are named in what is sent with each part."""


@dataclass(frozen=True)
class Wanted:
    """What of a folder is taken in, and how."""

    folder: Folder
    name: str
    """Of the folder: the record names originals by it."""
    place: str = ""
    """Ten hex digits of its path."""
    only: str | None = None
    """The name of the format that all files have."""
    topic: str | None = None
    options: Options = field(default_factory=Options)
    dates: Mapping[PurePosixPath, tuple[datetime.date, datetime.date]] = field(default_factory=dict)
    """When each original was first and last changed, from version control."""
    readme: PurePosixPath | None = None
    """A README of the folder that lists its notes, and is none."""
    arranged: Mapping[PurePosixPath, tuple[str, int | None]] = field(default_factory=dict)
    """Topics and numbers of originals, where that README lists them."""


@dataclass(frozen=True)
class Read:
    """The originals of a folder as they are read."""

    notes: tuple[Placed, ...]
    texts: Mapping[PurePosixPath, Foreign]
    originals: Mapping[PurePosixPath, Original]
    decoded: Mapping[PurePosixPath, Decoded]
    unread: tuple[PurePosixPath, ...]
    """Files that are no notes and that no note shows."""


def read_folder(
    wanted: Wanted,
    corpus: Corpus,
    sources: Sequence[Source],
    record: Record,
    workers: Workers,
    known_formats: Sequence[Format] = FORMATS,
) -> Read:
    """Read all notes of a folder. Raises UserError if there are none."""
    formats: dict[PurePosixPath, Format] = {}
    originals: dict[PurePosixPath, Original] = {}
    as_read: dict[PurePosixPath, Decoded] = {}
    outlines: list[Outline] = []
    for path in sorted(wanted.folder.files, key=str):
        if path == wanted.readme or (wanted.only is None and is_skipped(path, wanted.folder)):
            continue
        rows = [row for row in known_formats if path.suffix.lower() in row.suffixes and wanted.only in (None, row.name)]
        found = decoded(path, wanted.folder.read, sources) if rows else None
        if found is None:
            continue
        original = found.original
        row = next((row for row in rows if wanted.only or row.recognises(original)), None)
        if row:
            formats[path], originals[path], as_read[path] = row, original, found
            outlines.append(_arranged(row.outline(original, wanted.folder), wanted))
    if not outlines and wanted.readme is None:
        suffixes = sorted({suffix for row in known_formats for suffix in row.suffixes})
        raise UserError(f"there are no notes in {wanted.name}", f"files that end with {', '.join(suffixes)} are read")
    taken: dict[str, set[str]] = defaultdict(set)
    for source in sources:
        if len(source.path.parts) > 2:
            taken[source.path.parts[1]].add(source.path.parts[2])
    moved = {alias.former: BASE / alias.note for alias in corpus.aliases if alias.former and alias.note}
    known = {
        path: moved.get(NoteId(str(folder.relative_to(BASE))), folder)
        for path, folder in places_in(record, wanted.name).items()
        if path in originals
    }
    _refuse_another(wanted, record, originals)
    outlines = [one for one in outlines if originals[one.path].text.strip()]
    for topic in corpus.site.topics:
        taken.setdefault(topic, set())
    notes = placed(outlines, taken, known, topic=wanted.topic, rest=safe_name(wanted.name) or REST)
    places = _with_earlier(places_of(notes), wanted, corpus, record, moved)
    jobs = [(formats[one.path], originals[one.path], one) for one in outlines]
    read = workers.map(_read, (places, wanted.folder, wanted.options), jobs, PART)
    texts = {one.outline.path: _with_text(_with_plain_summary(_with_language(one, corpus.site.words))) for one in read}
    shown = {path for one in texts.values() for path in one.used}
    others = wanted.folder.files - texts.keys() - shown - {wanted.readme}
    unread = tuple(sorted((path for path in others if not any(map(ignored, path.parts))), key=str))
    return Read(notes, texts, originals, as_read, unread)


def _arranged(outline: Outline, wanted: Wanted) -> Outline:
    """The outline with the topic and number that the folder's README gives it."""
    topic, number = wanted.arranged.get(outline.path, (outline.topic, None))
    return replace(outline, topic=topic, number=outline.number if number is None else number)


def _read(shared: tuple[Places, Folder, Options], job: tuple[Format, Original, Outline]) -> Foreign:
    places, folder, options = shared
    row, original, outline = job
    return row.read(original, outline, places, folder, options)


def _refuse_another(wanted: Wanted, record: Record, originals: Mapping[PurePosixPath, Original]) -> None:
    """Raise UserError for a folder that has the name of another one, whose notes it would overwrite."""
    before = {path: taken for path in originals if (taken := record.get(key_of(wanted.name, path)))}
    if not wanted.place or not before or any(one.place in (wanted.place, "") for one in before.values()):
        return
    if not any(one.original == originals[path].digest for path, one in before.items()):
        hint = "give this one another name, so that the two can be told apart"
        raise UserError(f'another folder called "{wanted.name}" was taken in before', hint)


def _with_earlier(
    places: Places, wanted: Wanted, corpus: Corpus, record: Record, moved: Mapping[NoteId, PurePosixPath]
) -> Places:
    """The places, and those of notes of the same folder that were taken in earlier."""
    notes = {BASE / note.id: note for note in corpus.notes}
    earlier: dict[PurePosixPath, Place] = {}
    for path, folder in places_in(record, wanted.name).items():
        note = notes.get(moved.get(NoteId(str(folder.relative_to(BASE))), folder))
        if note and path not in places.by_path:
            title = note.title[note.languages[0]]
            earlier[path] = Place(Outline(path, title, note.topic, note.name, note.number), note.reference)
    return replace(places, by_path={**places.by_path, **earlier}) if earlier else places


def _with_plain_summary(one: Foreign) -> Foreign:
    """The note with a summary in which nothing is a reference: those of other programs name nothing here."""
    said = one.facts.get("summary")
    if not isinstance(said, str) or "[" not in said:
        return one
    return replace(one, facts={**one.facts, "summary": re.sub(r"(?<!\\)\[(?=\[|@)", r"\[", said)})


def _with_text(one: Foreign) -> Foreign:
    """The note; one that has only a title says it again, as a note needs a text."""
    if one.body.strip():
        return one
    found = Finding("changed", "no-text", "there is only a title, which is its text, too", Location(one.outline.path))
    title = re.sub(r"([\\`*_\[\]<>$#{}@:!|])", r"\\\1", one.title or one.outline.path.stem)
    return replace(one, body=f"{title}\n", findings=(*one.findings, found))


def _with_language(one: Foreign, words: Words) -> Foreign:
    """The text in one of the site's languages: that of its tag, or the first."""
    tags = words.tags
    near = next((tag for tag in tags if tag.split("-")[0] == one.lang.split("-")[0]), None)
    return replace(one, lang=one.lang if one.lang in tags else near or tags[0])
