"""The views of the pages that are made of the whole collection."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from paper_notes.render.views import Bi, Chrome, LinkView, NoteLink, PaperView, TagLink, TopicLink


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
class GraphNode:
    """A note on the map."""

    number: int
    """Its place in the drawing: `n4` is its class, and `t4` one of each box and line that touches it."""
    label: str
    """`#4`"""
    name: Bi
    """The title up to its colon."""
    title: Bi
    href: str
    near: tuple[int, ...]
    """The numbers of the notes that it refers to or is referred to by, and its own."""
    to: int
    by: int
    """How many it refers to, and how many refer to it, in the whole collection."""


@dataclass(frozen=True, slots=True)
class GraphGroup:
    """Notes of a topic below each other in a column of the map. A topic can go on in the next column."""

    topic: TopicLink | None
    """For the heading; None where the whole drawing is of one topic."""
    goes_on: bool
    """It is not the first of its topic."""
    hue: int
    nodes: tuple[GraphNode, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A part of the map: columns of notes, and the lines between them."""

    title: Bi | None
    """None where there is one drawing only."""
    about: Bi
    tracks: str
    """The CSS grid's columns, those between boxes among them."""
    height: float
    """Of the lines, in rem."""
    columns: tuple[tuple[GraphGroup, ...], ...]
    lines: Markup
    left_out: int
    """Notes that are not drawn, as they have the fewest references."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """How often notes of one topic refer to those of another."""

    count: int
    level: int | None
    """0 for none, to 4 for the most; None for a topic's references to itself."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """References between topics: a row for those that refer, a column for those that are referred to."""

    topics: tuple[TopicLink, ...]
    rows: tuple[tuple[MatrixCell, ...], ...]


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
    overview: Matrix | None
    """In a large collection, if notes refer to those of other topics."""
    drawings: tuple[Drawing, ...]
    highlights: Markup
    """Styles for what is pointed at."""
    rows: tuple[tuple[Bi, tuple[MapRow, ...]], ...]
    """By topic."""


@dataclass(frozen=True, slots=True)
class MissingPage:
    """`404.html`."""

    chrome: Chrome
