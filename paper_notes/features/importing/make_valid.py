"""An imported text with which the collection builds, with its rendered body."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import PurePosixPath

from paper_notes.corpus.load import BASE
from paper_notes.corpus.model import Corpus, GlossaryTerm, Lang, Note, NoteText, TopicId
from paper_notes.corpus.paper import BibKey
from paper_notes.corpus.references import Dangling, NoteIndex, split_section
from paper_notes.diagnostics import Location
from paper_notes.document.nodes import Image, Link
from paper_notes.document.parse import parse
from paper_notes.features.importing.placement import PlacedNote
from paper_notes.features.importing.types import ImportedText, ImportFinding
from paper_notes.features.papers.make_safe import Demotion, Refused, demote
from paper_notes.languages.language import Words
from paper_notes.markdown.bodies import RenderedBody, summarised
from paper_notes.markdown.body import Body, Slot
from paper_notes.markdown.render import render_body
from paper_notes.sources.conflicts import with_marks_indented
from paper_notes.sources.tree import Source, text_position


@dataclass(frozen=True)
class KnownNames:
    """What texts may refer to."""

    words: Words
    index: NoteIndex
    terms: tuple[GlossaryTerm, ...]
    papers: frozenset[BibKey]


@dataclass(frozen=True, slots=True)
class ValidText:
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
        (
            *(section.id for section in page.sections),
            *(f"^{block}" for half in halves for block in half.ids),
        ),
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
    texts = {note.folder: own for note, own in groups}
    return replace(
        corpus, notes=tuple(_with_texts(note, texts.get(BASE / note.id, ()), valid) for note in corpus.notes)
    )


def _with_texts(note: Note, texts: Iterable[ImportedText], valid: Mapping[PurePosixPath, ValidText]) -> Note:
    bodies = {text.lang: valid[text.outline.path].body for text in texts}
    if not bodies:
        return note
    own = (
        NoteText(text.lang, text.path, Source(text.path, bodies[text.lang].encode())) if text.lang in bodies else text
        for text in note.texts
    )
    return replace(note, texts=tuple(own))


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
