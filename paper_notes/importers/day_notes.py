"""The papers of a day as a note that lists them: a new one, or the one that is there, to which only is added."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import BASE
from paper_notes.corpus.model import Corpus, Note
from paper_notes.corpus.notes import NOTE_FILE
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.corpus.schema import MAX_ENTRIES
from paper_notes.diagnostics import UserError
from paper_notes.importers.daily import DailyPaper, Day, Origin
from paper_notes.importers.draft import bibtex_entry
from paper_notes.importers.entry_sections import heading, plain_markdown, with_sections
from paper_notes.importers.scaffold import LIBRARY, appended, known_paper, next_number, read_back
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml_edit import dumped, with_items, with_values


@dataclass(frozen=True)
class Wanted:
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
    there: int = 0
    """Papers that were in the note already."""
    votes: int = 0
    """Votes that changed."""


def merge_day(
    day: Day, origin: Origin, wanted: Wanted, corpus: Corpus, sources: tuple[Source, ...], *, topic: str
) -> Merged:
    """The changes that put the wanted papers of a day into its note. Raises UserError."""
    papers = _Papers(corpus)
    note = next((note for note in corpus.notes if _is_of(note, day.date, origin)), None)
    if note is None:
        chosen = wanted.of(day)[:MAX_ENTRIES]
        if not chosen:
            return Merged(None)
        folder = BASE / topic / "_".join(filter(None, (next_number(topic, sources), f"{day.date}", origin.category)))
        values = [papers.entry(paper) for paper in chosen]
        keys = [BibKey(value["paper"]) for value in values]
        facts = dumped(_facts(day.date, origin, corpus, values))
        files = [Artifact.text(folder / NOTE_FILE, facts)]
        for language in corpus.site.words.languages:
            headings = (papers.heading(key, corpus) for key in keys)
            files.append(Artifact.text(folder / f"{language.tag}.md", "\n".join(headings)))
        return Merged(folder, (*files, *papers.library(sources)), is_new=True, added=len(chosen))
    return _merged_into(note, day, wanted, papers, corpus, sources)


def _is_of(note: Note, day: datetime.date, origin: Origin) -> bool:
    found = note.source
    same = found is not None and (found.format, found.date) == (origin.format, day)
    return bool(same and found and (not origin.category or origin.category in found.terms))


def _merged_into(
    note: Note, day: Day, wanted: Wanted, papers: _Papers, corpus: Corpus, sources: tuple[Source, ...]
) -> Merged:
    folder = BASE / note.id
    places: dict[BibKey | None, int] = {entry.paper: place for place, entry in enumerate(note.entries)}
    known = {paper.draft.arxiv: places.get(papers.known(paper)) for paper in day.papers}
    chosen = [paper for paper in wanted.of(day) if known[paper.draft.arxiv] is None]
    chosen = chosen[: MAX_ENTRIES - len(note.entries)]
    values = [papers.entry(paper) for paper in chosen]
    order = [known[paper.draft.arxiv] for paper in day.papers]
    at = {paper.draft.arxiv: place for place, paper in enumerate(day.papers)}
    spots = [_spot(order, at[paper.draft.arxiv], len(note.entries)) for paper in chosen]
    votes = _new_votes(note, day, known) if wanted.votes else {}
    there = len(note.entries)
    if not values and not votes:
        return Merged(folder, there=there)
    if note.location.path.name != NOTE_FILE:
        message = f"{note.location.path} is a note in a single file, to which nothing can be added"
        raise UserError(message, f"make a folder of it, with {NOTE_FILE} and a text")
    data = next(source.data for source in sources if source.path == note.location.path)
    data = with_values(note.location.path, data, "entries", votes) if votes else data
    data = with_items(note.location.path, data, "entries", zip(spots, values, strict=True)) if values else data
    files = [Artifact(note.location.path, data)]
    if values:
        new = [(spot, papers.by_key[BibKey(value["paper"])]) for spot, value in zip(spots, values, strict=True)]
        files += with_sections(note, new, corpus, sources)
    return Merged(folder, (*files, *papers.library(sources)), added=len(values), there=there, votes=len(votes))


def _spot(order: Sequence[int | None], place: int, end: int) -> int:
    """Where a paper goes among those of a note: behind the one before it, or in front of the one after it."""
    before = next((known for known in reversed(order[:place]) if known is not None), None)
    after = next((known for known in order[place:] if known is not None), end)
    return before + 1 if before is not None else after


def _new_votes(note: Note, day: Day, known: Mapping[Any, int | None]) -> dict[int, tuple[str, str]]:
    found: dict[int, tuple[str, str]] = {}
    for paper in day.papers:
        place = known[paper.draft.arxiv]
        if place is not None and paper.upvotes is not None and note.entries[place].upvotes != paper.upvotes:
            found[place] = ("upvotes", f"{paper.upvotes}")
    return found


@dataclass
class _Papers:
    """Finds the papers of a day in the collection, and collects BibTeX for those that it does not have."""

    corpus: Corpus
    by_key: dict[BibKey, Paper] = field(init=False)
    bibtex: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.by_key = dict(self.corpus.papers)

    def known(self, paper: DailyPaper) -> BibKey | None:
        """Its key in the collection."""
        found = known_paper(replace(self.corpus, papers=self.by_key), paper.draft)
        return found.key if found else None

    def entry(self, paper: DailyPaper) -> dict[str, Any]:
        """Its entry in `note.yaml`."""
        key = self.known(paper)
        if key is None:
            text = bibtex_entry(paper.draft, self.by_key)
            made = read_back(text)
            self.by_key[made.key] = made
            self.bibtex.append(text)
            key = made.key
        value: dict[str, Any] = {"paper": str(key)}
        value |= {"upvotes": paper.upvotes} if paper.upvotes is not None else {}
        value |= {"keywords": list(paper.keywords)} if paper.keywords else {}
        words = self.corpus.site.words
        value |= {"headline": {"en": plain_markdown(paper.headline, words)}} if paper.headline else {}
        return value

    def heading(self, key: BibKey, corpus: Corpus) -> str:
        """The heading of its section, in any language."""
        return heading(self.by_key[key], corpus.site.words)

    def library(self, sources: Iterable[Source]) -> tuple[Artifact, ...]:
        """`library.bib` with the papers that are new."""
        return (Artifact(LIBRARY, appended(sources, "\n".join(self.bibtex))),) if self.bibtex else ()


def _facts(day: datetime.date, origin: Origin, corpus: Corpus, entries: list[dict[str, Any]]) -> dict[str, Any]:
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
