"""A folder of notes that exist, read: which files are notes, what their bytes mean, where each goes, what it says."""

from __future__ import annotations

import datetime
import re
import shlex
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from posixpath import commonpath
from typing import Literal
from urllib.parse import unquote

from paper_notes.corpus.load import BASE
from paper_notes.corpus.model import Corpus, Lang, NoteId
from paper_notes.corpus.notes import NOTE_FILE, PAGES
from paper_notes.diagnostics import Location, UserError
from paper_notes.document.nodes import Document, Paragraph, Text
from paper_notes.document.write import write_markdown
from paper_notes.engine.workers import Packed, Workers
from paper_notes.features.importing.formats import formats
from paper_notes.features.importing.import_record import EarlierImports, Record, renamed
from paper_notes.features.importing.markdown.conversion import PICTURES
from paper_notes.features.importing.markdown.dialects import is_skipped
from paper_notes.features.importing.papers import Bibliography, bibliography
from paper_notes.features.importing.placement import PlacedNote, placed, places_of, safe_name
from paper_notes.features.importing.types import (
    Folder,
    ImportedText,
    ImportFinding,
    NoteFormat,
    NoteHeader,
    NotePlace,
    NotePlaces,
    Original,
    ReaderOptions,
)
from paper_notes.features.pandoc.pandoc import READS, program
from paper_notes.features.papers.make_safe import make_safe_markdown
from paper_notes.features.repair.doubts import DecodedText, decode_text, learned_from
from paper_notes.languages.language import Words
from paper_notes.markdown.short_texts import is_plain
from paper_notes.patterns import regex
from paper_notes.sources.characters import bad_character, likely_encoding, lines
from paper_notes.sources.tree import MAX_NOTE_BYTES, Source, ignored
from paper_notes.values import Struct, field, replace

REST = "notes"
"""The topic of files beside all folders."""


class ImportRequest(Struct, frozen=True):
    """What of a folder is taken in, and how."""

    folder: Folder
    name: str
    """Of the folder."""
    homes: EarlierImports = field(default_factory=lambda: EarlierImports(()))
    """How the record names what is in it."""
    asked: frozenset[PurePosixPath] | None = None
    """The files that were named, if that is not the whole folder."""
    only: str | None = None
    """The name of the format that all files have."""
    topic: str | None = None
    left: Mapping[PurePosixPath, str] = field(default_factory=dict)
    """What is there and no file of the folder, and why: `link`, `unreadable`, `lossy`."""
    options: ReaderOptions = field(default_factory=ReaderOptions)
    dates: Mapping[PurePosixPath, tuple[datetime.date, datetime.date]] = field(default_factory=dict)
    """When each original was first and last changed, from version control."""
    readme: PurePosixPath | None = None
    """A README of the folder that lists its notes, and is none."""
    arranged: Mapping[PurePosixPath, tuple[str, int | None]] = field(default_factory=dict)
    """Topics and numbers of originals, where that README lists them."""
    place: PurePosixPath = field(default_factory=PurePosixPath)
    """Where the folder is, for commands that the user may type."""
    documents: Mapping[PurePosixPath, PurePosixPath] = field(default_factory=dict)
    """What pandoc has read, by the page that it has made of each: a user knows no place in that."""

    def without(self, paths: Collection[PurePosixPath]) -> ImportRequest:
        """The same without notes that would lose words. What is read from them otherwise stays known."""
        files = replace(self.folder, files=self.folder.files - {*paths})
        return replace(self, folder=files, left={**self.left, **dict.fromkeys(paths, "lossy")})


class ReadFolder(Struct, frozen=True):
    """The originals of a folder as they are read."""

    notes: tuple[PlacedNote, ...]
    texts: Mapping[PurePosixPath, ImportedText]
    originals: Mapping[PurePosixPath, Original]
    looks: Mapping[PurePosixPath, FirstLook]
    """What is known of each original without the others."""
    unread: Mapping[PurePosixPath, str]
    """Files that are no notes and that no note shows, and why: `unused` pictures, `other-kind`, `empty`, `no-note`,
    `link` and reasons of `Unfit`; and those that were taken in and are not there any more, `deleted`."""
    gone: tuple[PlacedNote, ...]
    """Notes that a person has deleted since they were taken in: they stay deleted."""
    before: Mapping[PurePosixPath, str]
    """The keys in the record of originals that were taken in earlier."""
    places: NotePlaces
    bibliography: Bibliography


def read_folder(
    wanted: ImportRequest,
    corpus: Corpus,
    sources: Sequence[Source],
    record: Record,
    workers: Workers,
    known_formats: Sequence[NoteFormat] = (),
    with_more: ReadFolder | None = None,
) -> ReadFolder:
    """Read all notes of a folder. Raises UserError if there are none.

    `with_more` is the same folder as it was read with more notes: only what may differ is read again.
    """
    known_formats = known_formats or formats()
    _refuse_own(wanted, corpus.site.words)
    learned = tuple(learned_from(sources))
    looks, unfit = _looked_at(wanted, learned, known_formats, workers, with_more.looks if with_more else {})
    originals = {path: look.original for path, look in looks.items()}
    outlines = [_arranged(look.header, wanted, corpus) for look in looks.values()]
    if not outlines and wanted.readme is None:
        suffixes = sorted({suffix for row in known_formats for suffix in row.suffixes})
        hint = f"files that end with {', '.join(suffixes)} are read"
        hints = other_programs(wanted.place / path for path in wanted.folder.files)
        raise UserError(f"there are no notes in {wanted.name}", "; ".join(hints) or hint)
    taken: dict[str, set[str]] = defaultdict(set)
    for source in sources:
        if len(source.path.parts) > 2:
            taken[source.path.parts[1]].add(source.path.parts[2])
    moved = {alias.former: BASE / alias.note for alias in corpus.aliases if alias.former and alias.note}
    earlier = wanted.homes.taken(record)
    texts_now = {path: original.text for path, original in originals.items()}
    before = {path: key for path, key in earlier.items() if path in originals}
    folder = wanted.folder
    before |= renamed(texts_now, lambda path: path in folder.files or folder.read(path) is not None, earlier, record)
    folders = {path: BASE / record[key].note for path, key in {**earlier, **before}.items()}
    folders = {path: moved.get(NoteId(str(folder.relative_to(BASE))), folder) for path, folder in folders.items()}
    _refuse_another(wanted, record, originals)
    unfit |= {outline.path: "empty" for outline in outlines if not originals[outline.path].text.strip()}
    outlines = [outline for outline in outlines if outline.path not in unfit]
    for topic in corpus.site.topics:
        taken.setdefault(topic, set())
    known = {outline.path: note.folder for note in (with_more.notes if with_more else ()) for outline in note.outlines}
    known |= {path: folders[path] for path in before}
    notes = placed(outlines, taken, known, topic=wanted.topic, rest=safe_name(wanted.name) or REST)
    present = {source.path for source in sources}
    gone = tuple(
        note
        for note in notes
        if note.folder / NOTE_FILE not in present and any(outline.path in before for outline in note.outlines)
    )
    notes = tuple(note for note in notes if note not in gone)
    left = {outline.path for note in gone for outline in note.outlines}
    outlines = [outline for outline in outlines if outline.path not in left]
    others = [path for path in earlier if path not in originals]
    linked = _linked_sections(originals.values()) if others else set()
    jobs = [(path, _formats_of(path, known_formats)) for path in others if path.stem.casefold() in linked]
    seen = workers.map(_first_look, (wanted.folder, learned), jobs, "Looking at files", len(jobs))
    outlined = {look.header.path: look.header for look in seen if isinstance(look, FirstLook)}
    here = {path: folders[path] for path in earlier if path not in left}
    places = _with_earlier(places_of(notes), here, outlined, corpus)
    same = _not_changed(with_more, places) if with_more else {}
    cited = bibliography(wanted.folder, corpus)
    places = replace(places, citations=cited.keys)
    new = [(*looks[outline.path].to_read, outline) for outline in outlines if outline.path not in same]
    shared = (places, wanted.folder, wanted.options, corpus.site.words)
    read = workers.map(_read, shared, new, "Converting notes", len(new))
    again = {text.outline.path: text for text in read}
    texts = {outline.path: again.get(outline.path) or same[outline.path] for outline in outlines}
    shown = {path for text in texts.values() for path in text.used}
    cites = {written for text in texts.values() for _, written in text.cites}
    shown |= {file for key, file in cited.files.items() if key in cites}
    rest = (wanted.folder.files if wanted.asked is None else wanted.asked) - texts.keys() - shown - left
    unread = {path: "unused" if path.suffix.lower() in PICTURES else "other-kind" for path in rest} | unfit
    listed = wanted.folder.files | wanted.left.keys()
    missing = [path for path, key in earlier.items() if path not in listed and key not in before.values()]
    missing = [path for path in missing if wanted.asked is None and folders[path] / NOTE_FILE in present]
    unread |= dict.fromkeys(missing, "deleted")
    unread = {path: why for path, why in unread.items() if path != wanted.readme and not any(map(ignored, path.parts))}
    unread = dict(sorted(unread.items(), key=lambda item: str(item[0])))
    return ReadFolder(notes, texts, originals, looks, unread, gone, before, places, cited)


def _not_changed(with_more: ReadFolder, places: NotePlaces) -> dict[PurePosixPath, ImportedText]:
    """The texts of notes that are where they were, and refer to no note that is not there now."""
    then, now = with_more.places.by_path, places.by_path
    stayed = {path for path, place in then.items() if now.get(path) == place}
    moved = re.compile("|".join(re.escape(then[path].reference) for path in then.keys() - stayed) or "(?!)")
    return {path: text for path, text in with_more.texts.items() if path in stayed and not moved.search(text.body)}


def _formats_of(path: PurePosixPath, known: Sequence[NoteFormat], only: str | None = None) -> list[NoteFormat]:
    """The formats that a file may have; the `only` one has been asked for, and recognises all."""
    rows = [row for row in known if path.suffix.lower() in row.suffixes and only in (None, row.name)]
    return rows if only is None else [replace(row, recognises=bool) for row in rows]


def _looked_at(
    wanted: ImportRequest,
    learned: Sequence[str],
    known_formats: Sequence[NoteFormat],
    workers: Workers,
    known: Mapping[PurePosixPath, FirstLook],
) -> tuple[dict[PurePosixPath, FirstLook], dict[PurePosixPath, str]]:
    """The notes among the files, and why others are none."""
    looks: dict[PurePosixPath, FirstLook | Unfit | None] = {}
    unfit: dict[PurePosixPath, str] = dict(wanted.left)
    for path in sorted(wanted.folder.files - {wanted.readme}, key=str):
        if path not in known and wanted.only is None and is_skipped(path, wanted.folder):
            unfit |= {path: "no-note"} if path.suffix.lower() not in PICTURES else {}
        else:
            looks[path] = known.get(path)
    asked = [path for path in looks if path not in known]
    jobs = [(path, rows) for path in asked if (rows := _formats_of(path, known_formats, wanted.only))]
    first_looks = workers.map(_first_look, (wanted.folder, learned), jobs, "Looking at files", len(jobs))
    for (path, _), look in zip(jobs, first_looks, strict=True):
        looks[path] = look
        if not isinstance(look, FirstLook) and (look or path.suffix.lower() != ".csv"):
            unfit[path] = look or "no-note"
    return {path: look for path, look in looks.items() if isinstance(look, FirstLook)}, unfit


def _arranged(outline: NoteHeader, wanted: ImportRequest, corpus: Corpus) -> NoteHeader:
    """The outline with the topic and number that the README gives it, but no topic where pages of the user's are."""
    topic, number = wanted.arranged.get(outline.path, (outline.topic, None))
    if corpus.pages and safe_name(topic).casefold() == PAGES:
        topic = f"{topic}-{wanted.name}"
    return replace(outline, topic=topic, number=outline.number if number is None else number)


def _first_look(
    shared: tuple[Folder, Sequence[str]], job: tuple[PurePosixPath, Sequence[NoteFormat]]
) -> FirstLook | Unfit | None:
    """A file, looked at alone; why it cannot be read, or None if it is no note. `shared` has texts to learn from."""
    folder, learned = shared
    path, rows = job
    decoded = _decoded(path, folder.read, learned)
    if isinstance(decoded, str):
        return decoded
    original, meant, findings = decoded
    row = next((row for row in rows if row.recognises(original)), None)
    if row is None:
        return None
    parsed = row.parse(original, folder)
    try:
        packed = Packed.of(parsed)
    except RecursionError:  # a tree so deep is parsed again
        packed = None
    return FirstLook(row, original, meant, findings, row.outline(parsed, folder), packed)


def _read(
    shared: tuple[NotePlaces, Folder, ReaderOptions, Words], job: tuple[NoteFormat, Packed | Original, NoteHeader]
) -> ImportedText:
    places, folder, options, words = shared
    row, packed, header = job
    parsed = packed.value if isinstance(packed, Packed) else row.parse(packed, folder)
    return _completed(row.read(parsed, header, places, folder, options), words)


def _refuse_another(wanted: ImportRequest, record: Record, originals: Mapping[PurePosixPath, Original]) -> None:
    """Raise UserError for a folder that has the name of another one, whose notes it would overwrite."""
    homes = wanted.homes
    taken = {path: record[homes.key(path)] for path in originals if homes.key(path) in record}
    unsure = {path: recorded for path, recorded in taken.items() if homes.name(path) not in homes.sure}
    if sum(recorded.original == originals[path].digest for path, recorded in unsure.items()) * 2 < len(unsure):
        hint = "give this one another name, so that the two can be told apart"
        raise UserError(f'another folder called "{homes.name(next(iter(unsure)))}" was taken in before', hint)


_SIGNS = r"\s()\[\]<>|\"'#/"
_BEFORE_SECTION = regex(rf"(?<![^{_SIGNS}])([^{_SIGNS}]++)#")
"""Only from the beginning of a word and without going back, as each place of a long word would be tried."""


def _linked_sections(originals: Iterable[Original]) -> set[str]:
    """The names, folded and without suffixes, that links to sections may mean."""
    names = (name for original in originals for name in _BEFORE_SECTION.findall(original.text))
    return {PurePosixPath(unquote(name)).stem.casefold() for name in set(names)}


def _with_earlier(
    places: NotePlaces,
    folders: Mapping[PurePosixPath, PurePosixPath],
    outlines: Mapping[PurePosixPath, NoteHeader],
    corpus: Corpus,
) -> NotePlaces:
    """The places, and those of notes of the same folder that were taken in earlier, by the paths of their originals."""
    notes = {BASE / note.id: note for note in corpus.notes}
    earlier: dict[PurePosixPath, NotePlace] = {}
    by_name = dict(places.by_name)
    for path, folder in folders.items():
        note = notes.get(folder)
        if note and path not in places.by_path:
            title = note.title[note.languages[0]]
            outline = outlines.get(path) or NoteHeader(path, title, note.topic, note.name, note.number)
            earlier[path] = NotePlace(outline, note.reference)
            for name in dict.fromkeys((path.stem.casefold(), title.strip().casefold())):
                others = by_name.get(name, ())
                if all(other.reference != note.reference for other in others):
                    by_name[name] = (*others, earlier[path])
    return replace(places, by_path={**places.by_path, **earlier}, by_name=by_name) if earlier else places


def _refuse_own(wanted: ImportRequest, words: Words) -> None:
    """Raise UserError for notes of our own form: read as others, they would lose their facts and their pairs."""
    files = wanted.folder.files
    for path in sorted(files):
        if path.name == NOTE_FILE and any(path.parent / f"{tag}.md" in files for tag in words.tags):
            hint = "copy the folder of its topic into notes_src/, list it in site.yaml, and copy the .bib files"
            raise UserError(f"{path.parent} is a note of paper-notes already", hint)


def _completed(text: ImportedText, words: Words) -> ImportedText:
    """The note with what each of ours has: a language of the site, a summary that note.yaml can hold, and a text.

    References of other programs name nothing here. A note that has only a title says it again.
    """
    near = next((tag for tag in words.tags if tag.split("-")[0] == text.lang.split("-")[0]), words.tags[0])
    text = replace(text, lang=text.lang if text.lang in words.tags else near)
    summary = text.facts.get("summary")
    if isinstance(summary, str) and not is_plain(summary):
        text = replace(text, facts={**text.facts, "summary": make_safe_markdown(summary, Lang(text.lang), words)})
    if text.body.strip() or (text.lists and text.lists.papers):
        return text
    message = "there is only a title, which is its text, too"
    finding = ImportFinding("changed", "no-text", message, Location(text.outline.path))
    title = Paragraph((Text(text.title or text.outline.path.stem),))
    return replace(text, body=write_markdown(Document((title,))), findings=(*text.findings, finding))


# What other programs make notes of


def other_programs(paths: Iterable[PurePosixPath]) -> Iterator[str]:
    """What makes notes of files that are none: a command for each kind."""
    every = sorted(paths, key=str)
    kinds = {path.suffix.lower(): path for path in reversed(every)}
    if foreign := sorted(kinds.keys() & READS.keys()) if not program() else []:
        yield f"{', '.join(foreign)} can be read with pandoc; `paper-notes doctor` has the line that installs the extra"
    if ".enex" in kinds:
        yield "Evernote can export notes as HTML, which is read here; .enex is not: export them again as HTML"
    if ".zip" in kinds:
        archive = shlex.quote(str(kinds[".zip"]))
        yield f"unpack {archive} and import the folder: in an archive of Notion's there may be another one"
    if pdfs := [path for path in every if path.suffix.lower() == ".pdf"]:
        named = str(pdfs[0]) if len(pdfs) == 1 else commonpath([path.parent for path in pdfs]) or "."
        yield f"a PDF of a paper becomes a note with `paper-notes new {shlex.quote(named)}`"
    for kind in sorted(kinds.keys() & {".bib", ".ris"}):  # as Zotero exports its library
        command = f"`paper-notes new {shlex.quote(str(kinds[kind]))} --all --topic TOPIC`"
        yield f"each paper in {kind} becomes a note with {command}, with its PDF if the entry names one"


# The bytes of an original as its author meant them

_ENCODINGS = {"UTF-16": "utf-16", "GBK": "gb18030", "CESU-8, with surrogates": "utf-8"}


Unfit = Literal["unreadable", "too-large", "binary"]
"""Why a file is no original."""


class FirstLook(Struct, frozen=True):
    """What is known of an original before all are read."""

    row: NoteFormat
    original: Original
    meant: DecodedText
    findings: tuple[ImportFinding, ...]
    """What was done to its bytes."""
    header: NoteHeader
    parsed: Packed | None
    """As its format takes it."""

    @property
    def to_read(self) -> tuple[NoteFormat, Packed | Original]:
        return self.row, self.parsed or self.original


def _decoded(
    path: PurePosixPath, read: Callable[[PurePosixPath], bytes | None], learned: Iterable[str]
) -> tuple[Original, DecodedText, tuple[ImportFinding, ...]] | Unfit:
    """The original at a path, or why it is none. What is garbled is repaired, as `repair` does it."""
    data = read(path)
    if data is None:
        return "unreadable"
    if len(data) > MAX_NOTE_BYTES:
        return "too-large"
    if b"\0" in data[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "binary"
    findings: list[ImportFinding] = []
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        name = likely_encoding(data, error.start)
        text = data.decode(_ENCODINGS.get(name, "utf-8"), errors="replace")
        place = Location(path)
        if name:
            message = f"the file is not UTF-8 but {name}"
        elif (wrong := text.count("\ufffd")) < sum(letter > "\x7f" for letter in text) - wrong:
            message = f"bytes that are not UTF-8, here and further down, are shown as \ufffd: {wrong:,}"
            before = data[: error.start].decode("utf-8-sig")
            place = Location(path, before.count("\n") + 1, len(before) - before.rfind("\n"))
        else:
            text = data.decode("cp1252", errors="replace")
            message = "the file is not UTF-8, and is read as Windows-1252"
        findings.append(ImportFinding("mended" if name else "doubtful", "encoding", message, place))
        data = text.encode()
    try:
        meant = decode_text(path, data, learned)
    except UserError:
        return "binary"
    if meant.repaired.characters:
        message = f"{meant.repaired.characters:,} garbled characters were repaired, {len(meant.doubts):,} are doubtful"
        findings.append(ImportFinding("doubtful" if meant.doubts else "mended", "garbled", message, Location(path)))
    if meant.repaired.hopeless:
        message = f"lines that stay garbled, as too much of them is lost: {meant.repaired.hopeless:,}"
        findings.append(ImportFinding("doubtful", "garbled", message, Location(path)))
    text = lines(meant.text) if bad_character(meant.text) else meant.text
    return Original(path, text), meant, tuple(findings)
