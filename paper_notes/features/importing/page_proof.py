"""Each imported text, proven on the page of its note as the next build makes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, TypeVar

from paper_notes.corpus.load import BASE
from paper_notes.corpus.model import Corpus, Lang, Note
from paper_notes.diagnostics import Location
from paper_notes.document.edit import Edit, apply
from paper_notes.document.nodes import Span
from paper_notes.document.parse import parse
from paper_notes.engine.cache import Cache
from paper_notes.engine.workers import Workers
from paper_notes.features.importing.make_valid import ValidText, with_valid_texts
from paper_notes.features.importing.placement import NoteTexts
from paper_notes.features.importing.proof.compare import NO_PROOF, Known, Proof, Removed, prove, with_columns
from paper_notes.features.importing.proof.originals import FORMATS, html, pieces_of
from paper_notes.features.importing.proof.visible import page_words, spaced, words_of
from paper_notes.features.importing.types import FindingGroup, ImportedText, ImportFinding, Original
from paper_notes.languages.language import Language
from paper_notes.markdown.bodies import render_bodies
from paper_notes.render.notes import NoteWork, note_html
from paper_notes.render.site_pages import prepared
from paper_notes.render.theme.theme import ThemeFiles
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.values import Struct, field, replace

K = TypeVar("K")
R = TypeVar("R")
S = TypeVar("S")
T = TypeVar("T")

_MOST, _WORDS = 20, 30
"""So many findings are told of each kind, and so many words of each."""
_WEB = ("https", "http")
_SAID: Mapping[str, tuple[FindingGroup, str, str]] = {
    "lost": ("lost", "lost-word", "not on the page"),
    "moved": ("doubtful", "moved-words", "in another place on the page"),
    "twice": ("doubtful", "repeated-words", "more often on the page than in the original"),
}


class Tools(Struct, frozen=True):
    """What the pages of a collection are made with."""

    theme: ThemeFiles
    cache: Cache
    workers: Workers
    known: dict[Callable[..., Any], tuple[Any, dict[Any, tuple[Any, Any]]]] = field(default_factory=dict)
    """What was made, by its work and what it is of: a folder is taken in again without notes that would lose words."""

    def made(self, work: Callable[[S, T], R], shared: S, jobs: Mapping[K, T], same: object, doing: str) -> dict[K, R]:
        """`work(shared, job)` for each job. What was made of an equal one before is taken from there.

        `same` is what of `shared` may change results: with another one, nothing is taken from before.
        """
        known_with, before = self.known.get(work, (same, {}))
        before = before if known_with == same else {}
        new = {key: job for key, job in jobs.items() if key not in before or before[key][0] != job}
        results = dict(zip(new, self.workers.map(work, shared, new.values(), doing, len(new)), strict=True))
        results |= {key: before[key][1] for key in jobs if key not in new}
        self.known[work] = same, {key: (job, results[key]) for key, job in jobs.items()}
        return results


def prove_on_pages(
    corpus: Corpus,
    groups: Sequence[NoteTexts],
    facts: Mapping[PurePosixPath, Mapping[str, Any]],
    originals: Mapping[PurePosixPath, Original],
    valid: Mapping[PurePosixPath, ValidText],
    tools: Tools,
) -> dict[PurePosixPath, Proof]:
    """Render the pages of notes, and compare each original with its page. `facts` are by their folders.

    `corpus` has the notes as if they were new. What is rendered goes into the cache, so that the next build has it.
    Nothing is said of lists of papers: their pages say them in a form of their own, and the files are kept beside them.
    """
    texts = {note.folder: own for note, own in groups}
    corpus = with_valid_texts(corpus, groups, valid)
    rendered = {
        note.id: valid[own[0].outline.path].rendered
        for note in corpus.notes
        if len(own := texts.get(BASE / note.id, ())) == 1 == len(note.texts)
    }
    bodies, _ = render_bodies(
        corpus.written, corpus.terms, tools.cache, tools.workers, corpus.site.words, rendered=rendered
    )
    maker = prepared(corpus, bodies, tools.theme, PdfReader()).notes
    titles = frozenset("".join(words_of(title)) for note in corpus.notes for _, title in note.title.parts)
    jobs = {
        note.id: (
            (maker.collector.of(note), bodies.packed(note.id)),
            tuple((text, originals[text.outline.path]) for text in own),
            _facts_of(note, own, facts[BASE / note.id], corpus),
            titles & {"".join(words_of(line)) for text in own for line in _navigation(text)},
            {key: written for text in own for key, written in text.cites},
        )
        for note in corpus.notes
        if (own := texts.get(BASE / note.id, ())) and not own[0].lists
    }
    shared = maker.common, corpus.site.languages
    proofs = tools.made(_proven, shared, jobs, shared, "Comparing notes with their pages")
    proven = {path: proof for some in proofs.values() for path, proof in some}
    return {path: proven.get(path, NO_PROOF) for path in valid}


def _facts_of(note: Note, texts: Iterable[ImportedText], values: Mapping[str, Any], corpus: Corpus) -> tuple[str, ...]:
    """All that is known of a note besides its texts."""
    topic = (title for _, title in corpus.topic(note.topic).title.parts)
    papers = (paper for text in texts for paper in papers_of(text))
    status = (corpus.site.words[lang](f"status.{note.status}") for lang in corpus.site.languages)
    return (*_facts(values), note.topic, *topic, note.name, *status, *papers)


def _navigation(text: ImportedText) -> Iterator[str]:
    """What was left out as navigation, which names other notes."""
    for removed in text.removed:
        yield from removed.words.split("\n") if removed.kind == "navigation" else ()


_Job = tuple[NoteWork, tuple[tuple[ImportedText, Original], ...], tuple[str, ...], frozenset[str], dict[str, str]]


def _proven(shared: tuple[bytes, tuple[Lang, ...]], job: _Job) -> list[tuple[PurePosixPath, Proof]]:
    common, languages = shared
    work, texts, facts, titles, keys = job
    shown = note_html(common, work)
    proofs: list[tuple[PurePosixPath, Proof]] = []
    for text, original in texts:
        page = page_words(shown, [lang for lang in languages if lang != text.lang], keys)
        known = Known((*facts, text.lang), titles)
        pieces = pieces_of(original.path.suffix, original.text)
        proof = prove(pieces, page, known, removed_words(text, original.path.suffix))
        proofs.append((original.path, with_columns(proof, original.text)))
    return proofs


def papers_of(text: ImportedText) -> Iterator[str]:
    """The papers of a text, by all that may name them."""
    dois = [*text.dois, *(f"10.48550/arXiv.{arxiv}" for arxiv in text.arxiv)]
    yield from (*text.arxiv, *(f"{scheme}://arxiv.org/abs/{arxiv}" for arxiv in text.arxiv for scheme in _WEB))
    yield from (*dois, *(f"https://doi.org/{doi}" for doi in dois))


def removed_words(text: ImportedText, suffix: str) -> Iterator[Removed]:
    """What was left out, as its words: of Markdown it is told as it is written."""
    for removed in text.removed:
        if FORMATS.get(suffix.lower()) is html:
            yield removed
        else:
            pieces = pieces_of(suffix, f"\n{removed.words}")  # the beginning of a file may be facts
            yield replace(removed, words="\n".join(piece.text for piece in pieces if not piece.is_tip))


def _facts(values: object) -> Iterator[str]:
    """Each value of note.yaml."""
    if isinstance(values, Mapping):
        for value in values.values():
            yield from _facts(value)
    elif isinstance(values, list | tuple):
        for value in values:
            yield from _facts(value)
    else:
        yield str(values).lower() if isinstance(values, bool) else str(values)


# What is said of differences


def findings_of(original: Original, proof: Proof) -> Iterator[ImportFinding]:
    """A finding for each part of an original that is not on its page as it was."""
    if original.path.suffix.lower() not in FORMATS:
        message = f"its words are not compared with the page: nothing here reads {original.path.suffix}"
        yield ImportFinding("doubtful", "not-proven", message, Location(original.path))
    counts = dict.fromkeys(_SAID, 0)
    for difference in proof.differences:
        counts[difference.kind] += 1
        if difference.kind == "lost" or counts[difference.kind] <= _MOST:
            group, kind, said = _SAID[difference.kind]
            message = f'{said}: "{" ".join(difference.words[:_WORDS])}"'
            yield ImportFinding(group, kind, message, Location(original.path, difference.line, difference.column))


def with_lost_marked(body: str, original: Original, proof: Proof, words: Language) -> str:
    """The text of a note with a box for each part that lost words, behind what is before them in the original."""
    file = f"`{original.path.name.replace('`', '')}`"
    for lost in reversed(proof.lost):
        kind, number = (lost.part, lost.number) if lost.number else ("line", lost.line)
        part = words(f"lost.{kind}", number=str(number))
        said = words("lost.words", part=part, file=file, words=" ".join(lost.words))
        body = _with_box(body, said, lost.before)
    return body


def _with_box(body: str, said: str, before: Sequence[str]) -> str:
    """The text with a warning behind the block that has most of these words, or else at its beginning."""
    spans = [block.span for block in parse(body).blocks]
    texts = [spaced(words_of(body[slice(*span)])) for span in spans]
    rows = (before[start:end] for end in range(len(before), 0, -1) for start in range(end))
    named = (spaced(row) for row in rows if not "".join(row).isdigit())  # pages number headings by themselves
    block = next((at for row in named for at, text in enumerate(texts) if row in text), None)
    box = f":::warning\n{said}\n:::"
    if block is None:
        return f"{box}\n\n{body}"
    end = spans[block].end
    return apply(body, [Edit(Span(end, end), f"\n\n{box}")])
