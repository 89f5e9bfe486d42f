"""Imported texts and merged notes with which the collection builds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import BASE, index_of, load
from paper_notes.corpus.model import Corpus, GlossaryTerm, Lang, Note, NoteText, TopicId
from paper_notes.corpus.paper import BibKey
from paper_notes.corpus.references import NO_TOPIC, Dangling, NoteIndex, split_section
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.document.nodes import Image, Inline, Link, Reference
from paper_notes.document.parse import parse, parse_inline
from paper_notes.features.importing.merging import Gone, MergedNote
from paper_notes.features.importing.placement import NoteTexts, PlacedNote
from paper_notes.features.importing.types import ImportedText, ImportFinding
from paper_notes.features.papers.make_safe import Demotion, Refused, demote
from paper_notes.features.papers.scaffold import sources_with
from paper_notes.languages.language import Words
from paper_notes.markdown.bodies import RenderedBody, summarised
from paper_notes.markdown.body import Body, Slot
from paper_notes.markdown.render import render_body
from paper_notes.sources.conflicts import with_marks_indented
from paper_notes.sources.tree import Source, text_position
from paper_notes.values import Struct, replace


class KnownNames(Struct, frozen=True):
    """What texts may refer to."""

    words: Words
    index: NoteIndex
    terms: tuple[GlossaryTerm, ...]
    papers: frozenset[BibKey]


class ValidText(Struct, frozen=True):
    """A text that was taken in, after all that had to be changed so that it builds."""

    body: str
    rendered: RenderedBody
    sections: tuple[str, ...]
    """The ids of its sections, and the names of its blocks with a `^`."""
    references: tuple[tuple[str, str], ...]
    """Notes, empty for its own, and sections that it refers to."""
    findings: tuple[ImportFinding, ...]
    warnings: Mapping[str, int]
    """How many warnings the next check will have, by rule."""


def make_valid(known: KnownNames, job: tuple[Note, ImportedText, Collection[BibKey]]) -> ValidText:
    """What a text has become.

    `job` has the note as it is loaded, one of its texts as it was read, and the papers that this may cite: with others
    it is made again.
    """
    note, foreign, _ = job
    lang = Lang(foreign.lang)
    path = next(text.path for text in note.texts if text.lang == lang)

    @cache
    def rendered(body: str) -> Body:
        return render_body(
            replace(note, texts=(NoteText(lang, path, body),), translated={}), terms=known.terms, words=known.words
        )

    def refused(body: str) -> Iterator[Refused]:
        return _refused(NoteText(lang, path, body), rendered(body), note.topic, known)

    body, demotions = demote(with_marks_indented(foreign.body), refused)
    page = rendered(body)
    halves, where = page.halves.values(), Location(foreign.outline.path)
    return ValidText(
        body,
        summarised(page),
        (*(section.id for section in page.sections), *(f"^{block}" for half in halves for block in half.ids)),
        (
            *(split_section(slot.target) for half in halves for slot in half.slots if slot.kind == "note"),
            *_links_within(body),
        ),
        (
            *(_finding(demotion, where) for demotion in demotions),
            *(
                ImportFinding("unmapped", problem.rule, f"{problem.message}: {problem.hint}", where)
                for problem in page.diagnostics
                if problem.rule == "missing-extra"
            ),
        ),
        Counter(problem.rule for problem in page.diagnostics if problem.severity == "warning"),
    )


def with_valid_texts(
    corpus: Corpus,
    groups: Iterable[tuple[PlacedNote, Sequence[ImportedText]]],
    valid: Mapping[PurePosixPath, ValidText],
) -> Corpus:
    """The collection with these texts of its notes."""
    bodies = {note.folder: {text.lang: valid[text.outline.path].body for text in own} for note, own in groups}

    def with_own(note: Note) -> Note:
        own = bodies.get(BASE / note.id, {})
        texts = (
            NoteText(text.lang, text.path, Source(text.path, own[text.lang].encode())) if text.lang in own else text
            for text in note.texts
        )
        return replace(note, texts=tuple(texts)) if own else note

    return replace(corpus, notes=tuple(map(with_own, corpus.notes)))


def _links_within(body: str) -> Iterator[tuple[str, str]]:
    links = (node for node in parse(body).walk() if isinstance(node, Link)) if "](#" in body else ()
    return (("", link.href[1:]) for link in links if link.href.startswith("#"))


def _refused(text: NoteText, body: Body, topic: TopicId, known: KnownNames) -> Iterator[Refused]:
    """Rules and places of what would be a mistake in the text; a figure that is one is refused where it is shown."""
    for problem in body.diagnostics:
        where = problem.location
        if problem.severity == "error" and where.path == text.path:
            yield problem.rule, where
        elif problem.severity == "error":
            name = where.path.relative_to(text.path.parent).as_posix()
            shown = (node for node in parse(text.text).walk() if isinstance(node, Image) and node.src == name)
            yield from (
                (problem.rule, Location(text.path, *text_position(text.text, node.span.start))) for node in shown
            )
    for half in body.halves.values():
        yield from (("reference", slot.location) for slot in half.slots if _dangles(slot, topic, known))


def _dangles(slot: Slot, topic: TopicId, known: KnownNames) -> bool:
    """Whether a slot stays empty: parts of PDFs always do, as those that a foreign text means are not here."""
    if slot.kind == "note":
        return isinstance(known.index.find(split_section(slot.target)[0], topic), Dangling)
    return slot.kind == "crop" or (slot.kind in ("cite", "paper") and BibKey(slot.target) not in known.papers)


def _finding(demotion: Demotion, where: Location) -> ImportFinding:
    if demotion.is_code:
        message = f'the block with "{demotion.words}" would be a mistake here ({demotion.rule}), so it is shown as code'
        return ImportFinding("unmapped", "shown-as-written", message, where)
    message = f'"{demotion.words}" would be a mistake here ({demotion.rule}), so it is plain text'
    return ImportFinding("mended", "escaped", message, where)


Merge = Callable[[NoteTexts, Mapping[PurePosixPath, Sequence[Gone]], str], MergedNote]
"""Merges a note: with the sections that its texts lead to and that are not there, and why it is held back, if it is."""


def keep_links_valid(
    groups: Sequence[NoteTexts],
    valid: Mapping[PurePosixPath, ValidText],
    merge: Merge,
    sources: tuple[Source, ...],
    frame: Sequence[Artifact],
    fresh: Corpus,
) -> dict[PurePosixPath, MergedNote]:
    """What each note changes, by its folder. `sources` are those of before; `frame` is written besides the notes.

    `fresh` is the collection with all notes as if they were new: if they are, nothing is loaded again.

    First, links to sections that a person has deleted lead to the notes. Then, notes with which the build would stop
    are held back; and last, links to sections that only those would have had lead to the notes.
    """
    gone: dict[PurePosixPath, tuple[Gone, ...]] = dict.fromkeys(valid, ())
    held: dict[PurePosixPath, str] = {}
    merged = {group[0].folder: merge(group, gone, "") for group in groups}
    single = {note.folder: valid[texts[0].outline.path] for note, texts in groups if len(texts) == 1}

    def collection() -> _Collection:
        files = [*frame, *(file for note in merged.values() for file in note.artifacts)]
        after, _ = sources_with(sources, files)
        return _Collection(after, *load(after), single)

    def merge_again(folders: Iterable[PurePosixPath]) -> None:
        for group in groups:
            if (folder := group[0].folder) in folders:
                merged[folder] = merge(group, gone, held.get(folder, ""))

    def without_links_to_nothing(after: _Collection) -> bool:
        affected = set()
        for note, texts in groups:
            for path in (text.outline.path for text in texts):
                if new := set(after.gone(note, valid[path])) - {*gone[path]}:
                    gone[path] = (*gone[path], *sorted(new))
                    affected.add(note.folder)
        merge_again(affected)
        return bool(affected)

    is_fresh = all(note.state == "new" for note in merged.values())
    after = _Collection((), fresh, (), single) if is_fresh else collection()
    is_changed = without_links_to_nothing(after)
    changed = {folder for folder, note in merged.items() if note.state == "changed"}
    after = collection() if changed and is_changed else after
    held |= dict(_would_stop(changed, _Collection(sources, *load(sources), {}), after)) if changed else {}
    if held:
        merge_again(held.keys())
        without_links_to_nothing(collection())
    return merged


def _would_stop(
    changed: set[PurePosixPath], before: _Collection, after: _Collection
) -> Iterator[tuple[PurePosixPath, str]]:
    """The folders of changed notes with which the build would stop, and why."""
    for mistake in after.mistakes:
        if mistake.location.path.parent in changed:
            yield mistake.location.path.parent, f"{mistake.location}: {mistake.message}"
    for folder in sorted(changed):
        known = {error.message for error in before.errors(folder)}
        if new := [error for error in after.errors(folder) if error.message not in known]:
            yield folder, f"{new[0].location}: {new[0].message}"
    for source, line, target, folder in after.references():
        section = split_section(target)[1]
        if folder in changed and section not in after.names(folder) and section in before.names(folder):
            yield folder, f'"[[{target}]]" in {source}:{line} would lead to no section: change it there'


class _Collection:
    """A collection as it is, or would be. Notes are rendered when they are asked for."""

    def __init__(
        self,
        sources: tuple[Source, ...],
        corpus: Corpus | None,
        mistakes: Sequence[Diagnostic],
        valid: Mapping[PurePosixPath, ValidText],
    ) -> None:
        """`valid` are texts that were rendered already, by the folders of their notes."""
        self.mistakes = [mistake for mistake in mistakes if mistake.severity == "error"]
        self._sources, self._corpus = sources, corpus
        written = (*corpus.written, *corpus.drafts) if corpus else ()
        self._notes: dict[PurePosixPath, Note] = {BASE / note.id: note for note in written}
        self._index = index_of(written, corpus.site.topics if corpus else ())
        self._valid = valid
        self._rendered = dict[PurePosixPath, tuple[frozenset[str], Sequence[Diagnostic]]]()

    def _of(self, folder: PurePosixPath) -> tuple[frozenset[str], Sequence[Diagnostic]]:
        """The names of a note's sections and blocks, and the mistakes in its texts."""
        note, known = self._notes.get(folder), self._valid.get(folder)
        if note is None or self._corpus is None:
            return frozenset(), ()
        if known and len(note.texts) == 1 and note.texts[0].text == known.body:
            return frozenset(known.sections), ()
        if folder not in self._rendered:
            body = render_body(note, words=self._corpus.site.words)
            errors = [problem for problem in body.diagnostics if problem.severity == "error"]
            anchors = body.outline.anchors
            names = (*anchors.sections, *anchors.blocks, *(f"^{block}" for block in anchors.blocks))
            self._rendered[folder] = (frozenset(names), errors)
        return self._rendered[folder]

    def names(self, folder: PurePosixPath) -> frozenset[str]:
        """The names of the sections and blocks of the note in a folder."""
        return self._of(folder)[0]

    def errors(self, folder: PurePosixPath) -> Sequence[Diagnostic]:
        """The mistakes in the texts of a note."""
        return self._of(folder)[1]

    def gone(self, note: PlacedNote, text: ValidText) -> Iterator[Gone]:
        """The sections that a text leads to and that are not there."""
        for reference, section in text.references:
            folder = self._folder(reference, TopicId(note.topic)) if reference else note.folder
            was_there = section in text.sections if not reference else bool(section)
            if was_there and folder in self._notes and section not in self.names(folder):
                yield reference, section

    def _folder(self, reference: str, topic: TopicId) -> PurePosixPath | None:
        """The folder of the note that a reference means."""
        note = self._index.find(reference, topic)
        return None if isinstance(note, Dangling) else BASE / note

    def references(self) -> Iterator[tuple[PurePosixPath, int, str, PurePosixPath]]:
        """Where each reference to a section is written, the reference, and the folder of its note."""
        for source in self._sources:
            if source.path.suffix not in (".md", ".yaml") or b"[[" not in source.data:
                continue
            known = self._valid.get(source.path.parent)
            topic = TopicId(source.path.parts[1]) if len(source.path.parts) > 2 else NO_TOPIC
            for line, target in _references(source) if not known or known.body != source.text else ():
                name, section = split_section(target)
                folder = self._folder(name, topic) if section else None
                if folder:
                    yield source.path, line, target, folder


def _references(source: Source) -> Iterator[tuple[int, str]]:
    """The lines and targets of the references in a text, or in the values of a YAML file."""
    if source.path.suffix == ".md":
        for node in parse(source.text).walk():
            if isinstance(node, Reference):
                yield text_position(source.text, node.span.start)[0], node.target
        return
    for number, line in enumerate(source.text.split("\n"), 1):
        inlines: Sequence[Inline] = parse_inline(line) if "[[" in line else ()
        yield from (
            (number, node.target) for inline in inlines for node in inline.walk() if isinstance(node, Reference)
        )
