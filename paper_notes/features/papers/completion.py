"""Completes papers of which only an id was known, and notes made on them: only what is unknown is filled in.

So are their entries in .bib files: nothing that one says is changed but its key, which is rewritten wherever notes have
it.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from paper_notes.corpus.bibliography.tex import plain_text
from paper_notes.corpus.load import load
from paper_notes.corpus.model import Corpus, Fact, Note, NoteId
from paper_notes.corpus.notes import NOTE_FILE
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import Diagnostic, Location, UserError
from paper_notes.features.moving.edits import FileEdit, with_edits
from paper_notes.features.moving.keys import rekeyed
from paper_notes.features.moving.move import errors_in
from paper_notes.features.papers.arxiv import ArxivReference, offline_draft
from paper_notes.features.papers.bibtex import draft_of
from paper_notes.features.papers.draft import Draft, bibtex_entry, free_key, proposed_key
from paper_notes.features.papers.importer import Importer, PaperReference
from paper_notes.features.papers.note_template import missing_box, quotation
from paper_notes.features.papers.resolve import recognise
from paper_notes.features.papers.scaffold import folder_name, missing_facts, safe_key, source_of
from paper_notes.markdown.render import render_body
from paper_notes.patterns import regex
from paper_notes.sources.bibtex import BibEntry, parse_bibtex
from paper_notes.sources.tree import Source, text_position
from paper_notes.sources.yaml import YamlDocument, parse_yaml
from paper_notes.sources.yaml_edit import block_of
from paper_notes.values import Struct, replace

_VENUE = frozenset(
    "journal journaltitle booktitle howpublished series volume number pages publisher school institution editor "
    "address organization".split()
)
"""Fields that are added only if there is none of them: those of two venues do not go together."""
_SAME = {"year": "date", "month": "date", "abstract": "abstract", "url": "doi"}
"""Fields that are not added beside another one which says the same."""
_SPELLING = {"archiveprefix": "archivePrefix", "primaryclass": "primaryClass"}
_HEAD = regex(r"@(\w+)(\s*[{(]\s*)")


class Unfinished(Struct, frozen=True):
    """A paper, what is known of it, and the note on it, if there is one."""

    corpus: Corpus
    sources: tuple[Source, ...]
    """Of the whole collection."""
    note: Note | None
    paper: Paper
    source: Source
    """The file of its entry."""
    entry: BibEntry
    skeleton: Draft
    """What its entry was made of, if nothing was known but an id or an address."""
    unknown: tuple[Fact, ...]

    @property
    def name(self) -> str:
        """How messages name it."""
        return self.note.id if self.note else self.paper.key


class Completion(Struct, frozen=True):
    """What completing a paper and its note means for the files of the collection."""

    paper: BibKey
    """The key that it had."""
    filled: tuple[tuple[str, str], ...]
    """What was unknown, with its value."""
    edits: tuple[FileEdit, ...]
    moved: tuple[NoteId, NoteId] | None
    """The name of the note, and the one that it should have, if that is another one."""
    missing: tuple[Fact, ...]
    """What is still unknown."""


def unfinished(corpus: Corpus, sources: tuple[Source, ...], note: Note) -> Unfinished:
    """The note with what is unknown of its paper. Raises UserError if it is on no paper."""
    if not note.papers:
        raise UserError(f"{note.id} is on no paper", "name one in `papers:` of its note.yaml")
    key = note.papers[0]
    return _unfinished(corpus, sources, note, key, *entry_of(sources, key))


def unfinished_papers(corpus: Corpus, sources: tuple[Source, ...]) -> Iterator[Unfinished]:
    """The papers without a title or without authors, each with the first note on it, in the order of their entries."""
    notes = {note.papers[0]: note for note in reversed(corpus.notes) if note.papers}
    for source in sources:
        for entry in parse_bibtex(source)[0] if source.path.suffix == ".bib" else ():
            key = BibKey(entry.key)
            if key in corpus.papers:
                work = _unfinished(corpus, sources, notes.get(key), key, source, entry)
                if {"title", "authors"} & {*work.unknown}:
                    yield work


def _unfinished(
    corpus: Corpus, sources: tuple[Source, ...], note: Note | None, key: BibKey, source: Source, entry: BibEntry
) -> Unfinished:
    paper = corpus.papers[key]
    address = entry.fields["url"].value if "url" in entry.fields else ""
    fields = {"url": address} if address and not (paper.arxiv or paper.doi) else {}
    known = offline_draft(ArxivReference(paper.arxiv, paper.version)) if paper.arxiv else Draft("id", fields=fields)
    skeleton = replace(known, doi=paper.doi)
    unknown = missing_facts(paper, skeleton)
    return Unfinished(corpus, sources, note, paper, source, entry, skeleton, unknown)


def reference_of(work: Unfinished) -> tuple[Importer[Any], PaperReference[Any]]:
    """How to ask for the paper: by its id, its address, or its title. Raises UserError if it has none of them."""
    paper, address = work.paper, work.skeleton.fields.get("url", "")
    version = f"v{paper.version}" if paper.version else ""
    title = "" if "title" in work.unknown else f"title: {paper.title}"
    name = f"{paper.arxiv}{version}" if paper.arxiv else paper.doi or address or title
    if not name:
        hint = f"say which paper it is: paper-notes lookup {work.name} --from 2510.26475"
        raise UserError(f"nothing says which paper {work.name} is on", hint)
    return recognise(name, (), lambda path: False)


def complete(works: Sequence[tuple[Unfinished, Draft | None]], today: datetime.date) -> tuple[Completion, ...]:
    """Fill in the facts of drafts, or without one only the names that follow from what is known. Raises UserError.

    All are of one collection, and no two of one paper.
    """
    if not works:
        return ()
    corpus, sources = works[0][0].corpus, works[0][0].sources
    first = [edit for work, draft in works for edit in fill(work, draft, work.paper.key)]
    papers = _loaded(with_edits(sources, first)).papers
    taken = {*corpus.papers}
    completions, keys = [], []
    for work, draft in works:
        old = work.paper.key
        key = _key(work, papers[old], draft, taken - {old})
        taken.add(key)
        keys.append(key)
        paper = replace(papers[old], key=key)
        missing = missing_facts(paper, work.skeleton)
        edits = [*fill(work, draft, key), *(rekeyed(corpus, sources, old, key) if key != old else ())]
        moved = None
        if work.note:
            edits += _note_edits(work, work.note, paper, draft, missing, today)
            edits += _text_edits(work, work.note, paper, draft, missing)
            now = NoteId(f"{work.note.topic}/{_folder(work, work.note, paper)}")
            moved = (work.note.id, now) if now != work.note.id else None
        new_key = (("key", f"{old} -> {key}"),) if key != old else ()
        changing = tuple(edit for edit in edits if edit.new != edit.old)
        completions.append(Completion(old, (*_facts(work, paper, missing), *new_key), changing, moved, missing))
    after = with_edits(sources, [edit for completion in completions for edit in completion.edits])
    loaded = _loaded(after)
    for (work, _), key in zip(works, keys, strict=True):
        _check(loaded, after, work, key)
    return tuple(completions)


def fill(work: Unfinished, draft: Draft | None, key: BibKey) -> tuple[FileEdit, ...]:
    """The edits that give the entry of a paper its key, and the facts of `draft` that it lacks. Raises UserError."""
    with_title = "title" in work.unknown
    if draft and with_title and not plain_text(draft.title or "").strip():
        raise UserError(f"what was found on {work.name} has no title, either", "write it into the .bib yourself")
    return filled(work.source, work.entry, work.skeleton, draft, key, with_title=with_title)


def _facts(work: Unfinished, paper: Paper, missing: tuple[Fact, ...]) -> Iterator[tuple[str, str]]:
    values: Mapping[Fact, str] = {
        "title": paper.title,
        "authors": paper.short_authors,
        "year": f"{paper.year}",
        "abstract": f"{paper.abstract[:60]}{'…' * (len(paper.abstract) > 60)}",
    }
    for fact in work.unknown:
        if fact not in missing:
            yield fact, values[fact]


def _key(work: Unfinished, paper: Paper, draft: Draft | None, taken: set[BibKey]) -> BibKey:
    """The key, not `taken`, that the filled entry should have: a better one than the skeleton's, unless a PDF has that.

    It is that of the entry that was found, as Better BibTeX keeps it in Zotero, or else the one that `new` would give.
    """
    old = work.paper.key
    by_title = None if work.paper.authors or "title" in work.unknown else work.paper.title
    proposed = proposed_key(replace(work.skeleton, title=by_title))
    of_skeleton = re.fullmatch(rf"{re.escape(proposed)}(?:[a-z]|x\d+)?", old)
    has_pdf = any(source.path.suffix == ".pdf" and source.path.stem == safe_key(old) for source in work.sources)
    if not of_skeleton or has_pdf or "title" in missing_facts(paper, work.skeleton):
        return old
    own = _HEAD.match(draft.entry) if draft else None
    key = re.split(r"[,\s]", draft.entry[own.end() :], maxsplit=1)[0] if draft and own else ""
    return free_key(key or proposed_key(draft_of(paper)), taken)


def _folder(work: Unfinished, note: Note, paper: Paper) -> str:
    """The name of the folder; in place of the one that `new` gave it, the one that it would give now."""
    number, _, _ = note.name.partition("_")
    if note.name not in (folder_name(number, work.paper, work.skeleton, name) for name in ("", None)):
        return note.name
    return folder_name(number, paper, work.skeleton, None)


def _note_edits(
    work: Unfinished, note: Note, paper: Paper, draft: Draft | None, missing: tuple[Fact, ...], today: datetime.date
) -> Iterator[FileEdit]:
    """The title in `note.yaml`, if it is still the skeleton's, and the record of where the facts come from."""
    path = note.location.path
    source = next(source for source in work.sources if source.path == path)
    document = parse_yaml(path, source.text) if path.name == NOTE_FILE else None
    if not isinstance(document, YamlDocument) or not isinstance(document.value, dict):
        return
    title = document.value.get("title")
    lines = source.text.split("\n")
    for at, value in (
        [(("title", lang), text) for lang, text in title.items()] if isinstance(title, dict) else [(("title",), title)]
    ):
        if value != work.paper.title or "title" not in work.unknown or "title" in missing:
            continue
        where = document.location(at)
        written = re.compile(rf"(['\"]?){re.escape(value)}\1(?=\s*(?:$|[,}}]|\s#))").match(
            lines[where.line - 1], where.column - 1
        )
        if written:
            yield FileEdit(where, written[0], "'" + paper.title.replace("'", "''") + "'")
    record = note.metadata
    if record and draft and ("metadata",) in document.key_positions:
        line, column = document.key_positions["metadata",]
        block = source.text[slice(*block_of(source.text, "metadata"))].rstrip("\n")
        facts = f", missing: [{', '.join(missing)}]" if missing else ""
        if "#" not in block:
            new = f"metadata: {{source: {draft.source}, date: {today}{facts}}}"
            yield FileEdit(Location(path, line, column), block[column - 1 :], new)


def _text_edits(
    work: Unfinished, note: Note, paper: Paper, draft: Draft | None, missing: tuple[Fact, ...]
) -> Iterator[FileEdit]:
    """The box of what is missing, as far as it is there: what is left of it, and the abstract."""
    box = re.compile(rf"^:::note\n(?=.*`\.bib`).*`{re.escape(work.paper.key)}`.*\n:::(?:\n\n?|$)", re.MULTILINE)
    is_new = "abstract" in work.unknown and "abstract" not in missing
    for text in note.texts:
        if match := box.search(text.text):
            language = work.corpus.site.words[text.lang]
            abstract = (paper.abstract or plain_text(draft.abstract if draft else "")) if is_new else ""
            quoted = quotation(language, abstract, source_of(draft or draft_of(paper), paper))
            new = "".join(f"{part}\n\n" for part in (missing_box(language, missing, paper.key), quoted) if part)
            line, column = text_position(text.text, match.start())
            yield FileEdit(Location(text.path, line + text.first_line - 1, column), match[0], new)


def _loaded(sources: tuple[Source, ...]) -> Corpus:
    return _without_errors(*load(sources))


def _without_errors(corpus: Corpus | None, problems: Iterable[Diagnostic]) -> Corpus:
    errors = tuple(errors_in(corpus, problems))
    if corpus is None or errors:
        raise UserError("the collection would have errors with it", "write the facts into the .bib yourself", errors)
    return corpus


def _check(corpus: Corpus, sources: tuple[Source, ...], work: Unfinished, key: BibKey) -> None:
    """Raise UserError if its note would not build, or anything would still have the former key."""
    note, former = work.note, work.paper.key
    left = next(rekeyed(corpus, sources, former, key), None) if former != key else None
    if left:
        hint = "write it in brackets, on a line of its own"
        raise UserError(f"{left.location}: the reference to {former} cannot be rewritten", hint)
    if note is None:
        return
    after = corpus.note(note.id)
    _without_errors(corpus, render_body(after, words=corpus.site.words).diagnostics)
    if after.papers[:1] != (key,):
        message = f"{note.location.path}: the key in `papers:` cannot be rewritten"
        raise UserError(message, "write it on a line of its own")


def entry_of(sources: Iterable[Source], key: BibKey) -> tuple[Source, BibEntry]:
    """The entry of this key, and its file. Raises UserError."""
    for source in sources:
        if source.path.suffix == ".bib" and key.encode() in source.data:
            for entry in parse_bibtex(source)[0]:
                if entry.key == key:
                    return source, entry
    raise UserError(f'the entry "{key}" is not in the .bib files as it stands', "write it without @string")


def filled(
    source: Source, entry: BibEntry, skeleton: Draft, draft: Draft | None, key: BibKey, *, with_title: bool
) -> tuple[FileEdit, ...]:
    """The edits that give an entry its key, and the facts of `draft` that it lacks; and its title, if `with_title`.

    An entry that is as it was made of the `skeleton` is written anew. Raises UserError.
    """
    text = source.text
    start = _offset(text, entry.location)
    end, head = start + len(entry.raw), _HEAD.match(text, start)
    if text[start:end] != entry.raw or head is None:
        message = f"{entry.location}: the entry uses @string or #, so nothing can be added to it"
        raise UserError(message, "write its values in braces")

    def at(offset: int) -> Location:
        return Location(source.path, *text_position(text, offset))

    same_ids = draft and all(
        old in (None, new) for old, new in ((skeleton.arxiv, draft.arxiv), (skeleton.doi, draft.doi))
    )
    if draft and same_ids and not draft.entry and _body(entry.raw) == _body(bibtex_entry(skeleton, ())):
        kind, body = draft.entry_type, _body(bibtex_entry(draft, ()))
        return (FileEdit(at(start), entry.raw, f"@{kind}{{{key},{body}"),)
    edits = [FileEdit(at(head.end()), entry.key, key)] if key != entry.key else []
    if draft is None:
        return tuple(edits)
    new_entry = parse_bibtex(Source(PurePosixPath("new.bib"), (draft.entry or bibtex_entry(draft, ())).encode()))[0][0]
    has_venue = bool(_VENUE & entry.fields.keys())
    if entry.entry_type == "misc" != new_entry.entry_type and not has_venue:
        edits.append(FileEdit(at(head.start(1)), head[1], new_entry.entry_type))
    if with_title and draft.title and (title := entry.fields.get("title")):
        value = _offset(text, title.location)
        edits.append(FileEdit(at(value), _braced(text, value, end), f"{{{new_entry.fields['title'].value}}}"))
    added = [
        f"\n  {_SPELLING.get(name, name)} = {field.value[:3].lower() if name == 'month' else f'{{{field.value}}}'},"
        for name, field in new_entry.fields.items()
        if name not in entry.fields and not (has_venue and name in _VENUE) and _SAME.get(name) not in entry.fields
    ]
    if added:
        before = text[start : end - 1].rstrip()
        comma = "" if before.endswith(",") else ","
        edits.append(FileEdit(at(start + len(before)), "", comma + "".join(added)))
    return tuple(edits)


def _offset(text: str, where: Location) -> int:
    before = text.split("\n")[: where.line - 1]
    return sum(map(len, before)) + len(before) + where.column - 1


def _body(entry: str) -> str:
    """What follows after the key."""
    return entry.strip().partition(",")[2]


def _braced(text: str, start: int, end: int) -> str:
    """The value in braces or quotation marks that starts here. Raises UserError."""
    depth = 0
    for mark in re.finditer(r'[{}"]', text[start:end]):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if depth == 0 and mark.start():
            return text[start : start + mark.end()]
    raise UserError("the title of the entry has no end", "write it in braces")
