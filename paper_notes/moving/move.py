"""A note in another place: its folder (or file) renamed, and every reference to it and in it written anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from paper_notes.corpus.load import BASE, load
from paper_notes.corpus.model import Corpus, Note, NoteId
from paper_notes.corpus.references import Dangling, NoteIndex, NoteName, name_of
from paper_notes.diagnostics import Diagnostic, Location, UserError
from paper_notes.markdown.render import render_body
from paper_notes.markdown.translations import digests
from paper_notes.moving.edits import Edit, edited
from paper_notes.moving.former_addresses import with_address
from paper_notes.moving.references import Written, facts_of, written_references
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml import YamlDocument, parse_yaml


@dataclass(frozen=True, slots=True)
class Move:
    """What moving a note means for the files of the collection."""

    was: NoteId
    now: NoteId
    place: PurePosixPath
    """The folder or file of the note after it."""
    renamed: tuple[PurePosixPath, PurePosixPath] | None
    """The folder or file of the note, before and after; None if it is there already."""
    edits: tuple[Edit, ...]
    """In the files as they are before."""
    sources: tuple[Source, ...]
    """The changed files, in their places after."""
    before: Mapping[PurePosixPath, str]
    """The SHA-256 of these files as they are before, by their places after."""

    def after(self, edit: Edit) -> Location:
        """The location of a change in its file after the move; lines may be further down."""
        path = edit.location.path
        if self.renamed and path.is_relative_to(self.renamed[0]):
            return replace(edit.location, path=self.renamed[1] / path.relative_to(self.renamed[0]))
        return edit.location


def move(corpus: Corpus, sources: tuple[Source, ...], note: Note, now: NoteName) -> Move:
    """Move a note. Raises UserError."""
    if now.id == note.id:
        raise UserError(f"{note.id} is there already", "name another topic, number or name")
    holder = next((alias.note for alias in corpus.aliases if alias.former == now.id and alias.note != note.id), None)
    if holder:
        message = f"{now.id} is a former address of {holder}, which leads there"
        raise UserError(message, f"choose another name, or delete it from `aliases:` of {holder}")
    return _moved(corpus, sources, note, name_of(note.id), now)


def moved_by_hand(corpus: Corpus, sources: tuple[Source, ...], note: Note, was: NoteName) -> Move:
    """What is left to do after a note's folder was renamed by hand: references and the former address."""
    return _moved(corpus, sources, note, was, name_of(note.id))


def _moved(corpus: Corpus, sources: tuple[Source, ...], note: Note, was: NoteName, now: NoteName) -> Move:
    by_path = {source.path: source for source in sources}
    here = note.location.path if note.location.path.suffix == ".md" else note.location.path.parent
    there = BASE / f"{now.id}{here.suffix if here == note.location.path else ''}"
    references = _References(corpus, note.id, was, now)
    written = tuple(written_references(corpus, sources))
    edits = [edit for found in written if (edit := references.edit(found))]
    if edit := _alias(by_path[note.location.path], was.id, now.id):
        edits.append(edit)
    edits += _records(corpus, by_path, edits)
    changed: dict[PurePosixPath, list[Edit]] = {}
    for edit in dict.fromkeys(edits):
        changed.setdefault(edit.location.path, []).append(edit)

    def place(path: PurePosixPath) -> PurePosixPath:
        return there / path.relative_to(here) if path.is_relative_to(here) else path

    after = tuple(
        Source(place(source.path), edited(source, changed[source.path]) if source.path in changed else source.content)
        for source in sources
    )
    paths = {place(path): path for path in changed}
    files = {source.path: source for source in after if source.path in paths}
    made = Move(
        was.id,
        now.id,
        there,
        None if here == there else (here, there),
        tuple(sorted(dict.fromkeys(edits), key=lambda edit: edit.location)),
        tuple(files.values()),
        {path: by_path[paths[path]].sha256 for path in files},
    )
    meant = Counter((place(found.location.path), target) for found in written if (target := references.target(found)))
    _check(corpus, sources, after, meant)
    return made


class _References:
    """What references mean before and after the move."""

    def __init__(self, corpus: Corpus, note: NoteId, was: NoteName, now: NoteName) -> None:
        self._note, self._was, self._now = note, was, now
        self._is_there = note == now.id
        names = [name_of(other.id) for other in corpus.notes]
        topics = {*corpus.site.topics, was.topic}
        self._before = NoteIndex([*names, *([was] if self._is_there else ())], topics)
        self._after = NoteIndex([now if name.id == note else name for name in names], topics)

    def target(self, found: Written) -> NoteId | None:
        """The note that a reference means, by its new id; None if it leads nowhere."""
        own = found.owner == self._note
        if own and self._is_there:
            here = self._after.find(found.name, self._now.topic)
            if not isinstance(here, Dangling):  # corrected by hand already
                return here
        meant = self._before.find(found.name, self._was.topic if own else found.topic)
        if isinstance(meant, Dangling):
            return None
        return self._now.id if meant in (self._note, self._was.id) else meant

    def edit(self, found: Written) -> Edit | None:
        """The new form of a reference, if it needs one. Raises UserError if its place is not clear."""
        topic = self._now.topic if found.owner == self._note else found.topic
        target = self.target(found)
        if target is None or self._after.find(found.name, topic) == target:
            return None
        if not found.exact:
            message = f'{found.location}: the place of the reference "{found.name}" is not clear'
            raise UserError(message, "write it in a line of its own, in YAML in single quotes")
        new = _in_form(found.name, name_of(target), in_topic=topic)
        return Edit(found.location, found.name, new)


def _in_form(written: str, note: NoteName, in_topic: str) -> str:
    """The name of a note in the form of another reference: by number or name, with or without the topic."""
    _, slash, rest = written.rpartition("/")
    mark = "#" if rest.startswith("#") else ""
    digits = rest.removeprefix("#")
    width = len(digits) if digits.startswith("0") else 1
    named = f"{mark}{note.number:0{width}}" if digits.isdigit() else note.name
    return f"{note.topic}/{named}" if slash or note.topic != in_topic else named


def _alias(source: Source, was: NoteId, now: NoteId) -> Edit | None:
    part = facts_of(source)
    document = parse_yaml(source.path, *part)
    return with_address(document, part, was, now) if isinstance(document, YamlDocument) else None


def _records(corpus: Corpus, by_path: Mapping[PurePosixPath, Source], edits: Iterable[Edit]) -> Iterator[Edit]:
    """The digests in `translated:` of sections in which only references change."""
    changed: dict[PurePosixPath, list[Edit]] = {}
    for edit in edits:
        changed.setdefault(edit.location.path, []).append(edit)
    for note in corpus.notes:
        if not note.translated or not any(text.path in changed for text in note.texts):
            continue
        source = by_path[note.location.path]
        document = parse_yaml(source.path, source.text)
        new = {
            text.path: replace(text, content=Source(text.path, edited(by_path[text.path], changed[text.path])))
            for text in note.texts
            if text.path in changed
        }
        changed_note = replace(note, texts=tuple(new.get(text.path, text) for text in note.texts))
        words = corpus.site.words
        before, after = (digests(render_body(which, words=words)) for which in (note, changed_note))
        for section, record in note.translated.items():
            for lang, digest in record.digests.items():
                now = after.get(section, {}).get(lang, digest)
                if before.get(section, {}).get(lang) == digest != now and isinstance(document, YamlDocument):
                    where = document.location(("translated", section, lang))
                    line = source.text.split("\n")[where.line - 1]
                    yield Edit(replace(where, column=line.index(digest, where.column - 1) + 1), digest, now)


def _check(
    corpus: Corpus,
    sources: tuple[Source, ...],
    after: tuple[Source, ...],
    meant: Counter[tuple[PurePosixPath, NoteId]],
) -> None:
    """Raise UserError if the collection would have errors that it does not have, or a reference another meaning."""
    known = {(problem.rule, problem.message) for problem in _errors(load(sources))}
    new_corpus, found = load(after)
    new = tuple(problem for problem in _errors((new_corpus, found)) if (problem.rule, problem.message) not in known)
    if new or new_corpus is None:
        raise UserError("there would be errors after it", "fix what they name first", new)
    index = NoteIndex([name_of(note.id) for note in new_corpus.notes], new_corpus.site.topics)
    now: Counter[tuple[PurePosixPath, NoteId]] = Counter()
    places: dict[PurePosixPath, Location] = {}
    for reference in written_references(new_corpus, after):
        target = index.find(reference.name, reference.topic)
        if not isinstance(target, Dangling):
            now[reference.location.path, target] += 1
            places.setdefault(reference.location.path, reference.location)
    if now != meant:
        path = next(path for path, _ in ((now - meant) or (meant - now)))
        raise UserError(f"{path}: a reference would mean another note after it", "this is a bug of ours: report it")


def _errors(loaded: tuple[Corpus | None, tuple[Diagnostic, ...]]) -> list[Diagnostic]:
    corpus, problems = loaded
    judged = corpus.severities.judged(problems) if corpus else problems
    return [problem for problem in judged if problem.severity == "error"]
