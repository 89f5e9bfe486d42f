"""The views of the pages that are made of the whole collection."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from paper_notes.render.views import Bi, Chrome, LinkView, NoteLink, PaperView, TagLink


@dataclass(frozen=True, slots=True)
class PaperEntry:
    """A paper on the timeline. `paper.notes` read it; `cited` are other notes that cite it."""

    paper: PaperView
    month: Bi
    """`10 月`, `Oct`; empty where only the year is known."""
    by: str
    """`Leviathan et al.`"""
    cited: tuple[NoteLink, ...]


@dataclass(frozen=True, slots=True)
class YearBlock:
    """Papers of a year; `year` is empty for those without a date."""

    id: str
    year: str
    read: int
    """How many of its papers notes read; they come to `shares[0]` per cent of the fullest year, the others to
    `shares[1]`: the heights of its columns in the strip of years."""
    shares: tuple[int, int]
    papers: tuple[PaperEntry, ...]
    """The latest first."""


@dataclass(frozen=True, slots=True)
class PapersPage:
    """`papers.html`."""

    chrome: Chrome
    count: Bi
    total: int
    read: int
    years: tuple[YearBlock, ...]
    """The latest first."""
    exports: tuple[LinkView, ...]


@dataclass(frozen=True, slots=True)
class TagEntry:
    """A tag with what it holds."""

    id: str
    name: Bi
    words: tuple[str, ...]
    """What else stands for it."""
    notes: tuple[NoteLink, ...]
    papers: tuple[LinkView, ...]
    """Those that its notes read, on the page of papers; the first few."""
    more_papers: int
    """How many others they read."""
    related: tuple[TagLink, ...]
    """Tags that its notes have too, the most frequent ones first; each with the number of notes that have both."""


@dataclass(frozen=True, slots=True)
class TagsPage:
    """`tags.html`."""

    chrome: Chrome
    count: Bi
    cloud: tuple[TagLink, ...]
    """By name, where there are so many that one is hard to find; else empty."""
    tags: tuple[TagEntry, ...]
    """The most used first."""


@dataclass(frozen=True, slots=True)
class TermEntry:
    """A row of the glossary."""

    id: str
    zh: str
    en: str
    aliases: tuple[str, ...]
    avoid: tuple[str, ...]
    definition: Bi | None
    notes: tuple[NoteLink, ...]
    """Those that use it, the first few."""
    more: int
    """How many others do."""


@dataclass(frozen=True, slots=True)
class GlossaryPage:
    """`glossary.html`."""

    chrome: Chrome
    count: Bi
    groups: tuple[tuple[str, tuple[TermEntry, ...]], ...]
    """By the first letter of the English name; `#` for all that is no letter."""


@dataclass(frozen=True, slots=True)
class ErratumEntry:
    """A correction between two notes."""

    open: bool
    """The corrected note was not changed since."""
    note: NoteLink
    by: NoteLink
    claim: Bi
    correction: Bi
    date: str


@dataclass(frozen=True, slots=True)
class ErrataPage:
    """`errata.html`."""

    chrome: Chrome
    count: Bi
    errata: tuple[ErratumEntry, ...]
    """The open ones first, then the latest first."""


@dataclass(frozen=True, slots=True)
class PersonEntry:
    """A person or team; `papers` are links to their papers further up on the page, the latest first."""

    id: str
    name: str
    papers: tuple[LinkView, ...]


@dataclass(frozen=True, slots=True)
class PaperPeople:
    """A paper with those who wrote it."""

    id: str
    title: str
    date: str
    link: LinkView | None
    authors: tuple[tuple[str, str], ...]
    """Name, and the id of those who wrote several of the papers, else empty."""
    more_authors: bool
    teams: tuple[str, ...]
    notes: tuple[NoteLink, ...]


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """`people.html`."""

    chrome: Chrome
    count: Bi
    several: tuple[PersonEntry, ...]
    """Authors of more than one paper, the busiest first."""
    papers: tuple[PaperPeople, ...]
    """The latest first."""
    teams: tuple[PersonEntry, ...]
    """Those with the most papers first."""
    authors: tuple[tuple[str, tuple[PersonEntry, ...]], ...]
    """All of them, by first letter."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A part of the map: wide, and narrow for phones."""

    title: Bi
    about: Bi
    wide: Markup
    narrow: Markup
    left_out: int
    """Notes that are not drawn, as they have the fewest references."""


@dataclass(frozen=True, slots=True)
class MapRow:
    """What a note refers to and is referred to by: the map in words."""

    note: NoteLink
    to: tuple[NoteLink, ...]
    by: tuple[NoteLink, ...]


@dataclass(frozen=True, slots=True)
class MapPage:
    """`map.html`."""

    chrome: Chrome
    count: Bi
    legend: tuple[tuple[int, Bi], ...]
    """The number of each topic's colour, and its name."""
    drawings: tuple[Drawing, ...]
    rows: tuple[tuple[Bi, tuple[MapRow, ...]], ...]
    """By topic."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot, and the same numbers as a table."""

    id: str
    title: Bi
    drawing: Markup
    series: tuple[Bi, ...]
    """For the legend; empty where the title says it all."""
    head: tuple[Bi, ...]
    rows: tuple[tuple[Bi, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class StatsPage:
    """`stats.html`."""

    chrome: Chrome
    numbers: tuple[tuple[Bi, Bi], ...]
    """The number, and what it counts."""
    plots: tuple[Plot, ...]


@dataclass(frozen=True, slots=True)
class MissingPage:
    """`404.html`."""

    chrome: Chrome
