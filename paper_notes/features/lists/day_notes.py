"""The papers of a day as a note that lists them: a new one, or the one that is there, to which only is added."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import BASE
from paper_notes.corpus.model import Corpus, Note
from paper_notes.corpus.notes import NOTE_FILE
from paper_notes.corpus.paper import BibKey
from paper_notes.corpus.schema import MAX_ENTRIES
from paper_notes.diagnostics import UserError
from paper_notes.features.lists.daily import DailyPaper, DailySource, Day
from paper_notes.features.lists.entry_sections import heading, plain_markdown, with_sections
from paper_notes.features.lists.yaml_edit import dumped, with_items, with_values
from paper_notes.features.papers.known_papers import LIBRARY, KnownPapers
from paper_notes.features.papers.scaffold import appended, check_builds, next_number
from paper_notes.sources.tree import Source


@dataclass(frozen=True)
class DayFilter:
    """Which papers of a day are wanted."""

    top: int | None = None
    """So many from the beginning."""
    min_votes: int | None = None
    votes: bool = False
    """Whether votes of papers that are there are brought up to date."""

    def of(self, day: Day) -> tuple[DailyPaper, ...]:
        """The papers that are wanted."""
        liked = (paper for paper in day.papers if (paper.upvotes or 0) >= (self.min_votes or 0))
        return tuple(liked)[: self.top]


@dataclass(frozen=True)
class Merged:
    """What the papers of a day change."""

    folder: PurePosixPath | None
    """None if there is no note, because there are no papers."""
    artifacts: tuple[Artifact, ...] = ()
    is_new: bool = False
    added: int = 0
    before: int = 0
    """Papers that were in the note already."""
    votes: int = 0
    """Votes that changed."""


def merge_days(
    days: Iterable[Day],
    origin: DailySource,
    wanted: DayFilter,
    corpus: Corpus,
    sources: tuple[Source, ...],
    *,
    topic: str,
) -> tuple[Merged, ...]:
    """The changes that put the wanted papers of each day into its note. Raises UserError.

    The BibTeX entries of new papers go into a file beside the note: a year of them would be too much for one file.
    """
    papers, day_notes, sources_now = _Papers(KnownPapers(corpus)), list[Merged](), sources
    for day in days:
        note = next((note for note in corpus.notes if _is_of(note, day.date, origin)), None)
        if note:
            merged = _merged_into(note, day, wanted, papers, sources)
        else:
            merged = _new_note(day, origin, wanted, papers, sources_now, topic)
            sources_now = (
                *sources_now,
                *(Source(file.path, b"") for file in merged.artifacts),
            )  # their numbers are taken
        day_notes.append(merged)
    changed = [day_note.folder for day_note in day_notes if day_note.artifacts and day_note.folder]
    try:
        if changed:
            check_builds(sources, [file for day_note in day_notes for file in day_note.artifacts], *changed)
    except UserError as error:
        raise UserError(error.message, "leave it out with --min-votes or --top, and please report it") from error
    return tuple(day_notes)


def _new_note(
    day: Day, origin: DailySource, wanted: DayFilter, papers: _Papers, sources: tuple[Source, ...], topic: str
) -> Merged:
    chosen = wanted.of(day)[:MAX_ENTRIES]
    if not chosen:
        return Merged(None)
    corpus = papers.corpus
    folder = BASE / topic / "_".join(filter(None, (next_number(topic, sources), f"{day.date}", origin.category)))
    values = [papers.entry(paper) for paper in chosen]
    files = [Artifact.text(folder / NOTE_FILE, dumped(_facts(day.date, origin, corpus, values)))]
    headings = [heading(papers.known.papers[BibKey(value["paper"])], corpus.site.words) for value in values]
    files += [Artifact.text(folder / f"{tag}.md", "\n".join(headings)) for tag in corpus.site.words.tags]
    return Merged(folder, (*files, *papers.library(folder, sources)), is_new=True, added=len(chosen))


def _is_of(note: Note, day: datetime.date, origin: DailySource) -> bool:
    source = note.source
    same = source is not None and (source.format, source.date) == (origin.format, day)
    return bool(same and source and (not origin.category or origin.category in source.terms))


def _merged_into(note: Note, day: Day, wanted: DayFilter, papers: _Papers, sources: tuple[Source, ...]) -> Merged:
    folder = BASE / note.id
    places: dict[BibKey | None, int] = {entry.paper: place for place, entry in enumerate(note.entries)}
    known = {paper.draft.arxiv: places.get(papers.key(paper)) for paper in day.papers}
    chosen = [paper for paper in wanted.of(day) if known[paper.draft.arxiv] is None]
    chosen = chosen[: MAX_ENTRIES - len(note.entries)]
    values = [papers.entry(paper) for paper in chosen]
    order = [known[paper.draft.arxiv] for paper in day.papers]
    at = {paper.draft.arxiv: place for place, paper in enumerate(day.papers)}
    spots = [_spot(order, at[paper.draft.arxiv], len(note.entries)) for paper in chosen]
    votes = _new_votes(note, day, known) if wanted.votes else {}
    before = len(note.entries)
    if not values and not votes:
        return Merged(folder, before=before)
    if note.location.path.name != NOTE_FILE:
        message = f"{note.location.path} is a note in a single file, to which nothing can be added"
        raise UserError(message, f"make a folder of it, with {NOTE_FILE} and a text")
    data = next(source.data for source in sources if source.path == note.location.path)
    data = with_values(note.location.path, data, "entries", votes) if votes else data
    data = with_items(note.location.path, data, "entries", zip(spots, values, strict=True)) if values else data
    files = [Artifact(note.location.path, data)]
    if values:
        new = [(spot, papers.known.papers[BibKey(value["paper"])]) for spot, value in zip(spots, values, strict=True)]
        files += with_sections(note, new, papers.corpus, sources)
    return Merged(
        folder, (*files, *papers.library(folder, sources)), added=len(values), before=before, votes=len(votes)
    )


def _spot(order: Sequence[int | None], place: int, end: int) -> int:
    """Where a paper goes among those of a note: behind the one before it, or in front of the one after it."""
    before = next((known for known in reversed(order[:place]) if known is not None), None)
    after = next((known for known in order[place:] if known is not None), end)
    return before + 1 if before is not None else after


def _new_votes(note: Note, day: Day, known: Mapping[Any, int | None]) -> dict[int, tuple[str, str]]:
    changed: dict[int, tuple[str, str]] = {}
    for paper in day.papers:
        place = known[paper.draft.arxiv]
        if place is not None and paper.upvotes is not None and note.entries[place].upvotes != paper.upvotes:
            changed[place] = ("upvotes", f"{paper.upvotes}")
    return changed


@dataclass
class _Papers:
    """Entries for papers of days, and BibTeX for those that the collection does not have."""

    known: KnownPapers
    _bibtex: list[str] = field(default_factory=list)
    """Of the note that is being made."""

    @property
    def corpus(self) -> Corpus:
        """The collection."""
        return self.known.corpus

    def key(self, paper: DailyPaper) -> BibKey | None:
        """Its key in the collection."""
        known_paper = self.known.find(paper.draft)
        return known_paper.key if known_paper else None

    def entry(self, paper: DailyPaper) -> dict[str, Any]:
        """Its entry in `note.yaml`."""
        key = self.key(paper)
        if key is None:
            added, text = self.known.add(paper.draft)
            key = added.key
            self._bibtex.append(text)
        value: dict[str, Any] = {"paper": str(key)}
        value |= {"upvotes": paper.upvotes} if paper.upvotes is not None else {}
        value |= {"keywords": list(paper.keywords)} if paper.keywords else {}
        words = self.corpus.site.words
        value |= {"headline": {"en": plain_markdown(paper.headline, words)}} if paper.headline else {}
        return value

    def library(self, folder: PurePosixPath, sources: Iterable[Source]) -> tuple[Artifact, ...]:
        """The BibTeX file in the folder of a note, with the papers that were new since the last call."""
        entries, self._bibtex = self._bibtex, []
        path = folder / LIBRARY
        return (Artifact(path, appended(sources, "\n".join(entries), path)),) if entries else ()


def _facts(day: datetime.date, origin: DailySource, corpus: Corpus, entries: list[dict[str, Any]]) -> dict[str, Any]:
    words = corpus.site.words
    name = "list.of-day-in" if origin.category else "list.of-day"
    title = words(name, date=day.isoformat(), name=origin.category)
    if origin.format == "arxiv":
        source: dict[str, Any] = {"url": f"https://arxiv.org/list/{origin.category}/recent", "date": day}
        source |= {"terms": [origin.category]}
    else:
        source = {"url": f"https://huggingface.co/papers/date/{day}", "date": day}
    return {
        "title": {str(lang): title[lang] for lang in corpus.site.languages},
        "kind": "digest",
        "created": day.replace(),  # a copy: the same object would be written as an anchor and an alias
        "status": "todo",
        "source": {"format": origin.format, **source},
        "entries": entries,
    }
