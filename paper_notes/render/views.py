"""Views: the complete, plain, frozen value that one template gets. Decisions are made here, layout in templates."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from paper_notes.corpus.model import LANGS, Lang


@dataclass(frozen=True, slots=True)
class Bi:
    """A text in both languages, ready to show; `Markup` where it is HTML. Equal halves are shown once."""

    zh: str
    en: str

    @property
    def same(self) -> bool:
        return self.zh == self.en

    def __getitem__(self, lang: Lang) -> str:
        return self.zh if lang == "zh" else self.en

    def joined(self, languages: tuple[Lang, ...]) -> str:
        """Where languages cannot be switched: all of them, one after the other."""
        return " · ".join(dict.fromkeys(self[lang] for lang in languages))


@dataclass(frozen=True, slots=True)
class LinkView:
    """A link: `href` is relative to the page, or absolute for the outside."""

    label: str
    href: str


@dataclass(frozen=True, slots=True)
class NoteLink:
    """A note as other pages point at it."""

    label: str
    """`#4`"""
    topic: str
    """The folder of its topic where that is not the page's own, else empty: with it the label is `models/#4`."""
    name: Bi
    """The title up to its colon."""
    title: Bi
    href: str
    about: Bi | None = None
    """The summary, for a card beside the link; None where there is none, or where the collection is too large."""

    @property
    def rest(self) -> Bi:
        """What the title has after the name: `: speculative decoding inside RL training`."""
        return Bi(*(self.title[lang].strip().removeprefix(self.name[lang]) for lang in LANGS))


@dataclass(frozen=True, slots=True)
class ListLink:
    """A page made of the whole collection (papers, tags ...) as every page points at it."""

    id: str
    title: Bi
    href: str
    current: bool


@dataclass(frozen=True, slots=True)
class FeedLink:
    """A feed that a page announces."""

    lang: Lang
    title: str
    href: str


@dataclass(frozen=True, slots=True)
class Published:
    """What a page says about its place on the web, if the site's address is known."""

    address: str
    """The page's own, absolute."""
    languages: tuple[Lang, ...]
    """Those that it can be read in."""
    feeds: tuple[FeedLink, ...]


@dataclass(frozen=True, slots=True)
class TagLink:
    """A tag as notes and lists show it."""

    name: Bi
    href: str
    count: int
    """Notes that have it; where that does not matter, 0."""


@dataclass(frozen=True, slots=True)
class Chrome:
    """What every page has around its content."""

    languages: tuple[Lang, ...]
    """Of the site; the first is shown first."""
    site_title: Bi
    title: Bi
    """Of the page."""
    description: Bi
    root: str
    """Path from the page to the site's root, with a final slash; empty for pages in the root."""
    home_href: str
    topics: tuple[TopicLink, ...]
    """All topics, for the navigation."""
    lists: tuple[ListLink, ...]
    """The pages made of the whole collection, for the navigation."""
    published: Published | None
    style: Markup
    script: Markup
    """Both ready to stand inside `<style>` and `<script>`."""
    late_script: Markup
    """What runs at the end of the page; see `Theme.late_script`."""
    csp: str
    generator: str


@dataclass(frozen=True, slots=True)
class TopicLink:
    """A topic as navigation and lists point at it; `current` marks the one the page belongs to."""

    id: str
    emoji: str
    title: Bi
    href: str
    current: bool


@dataclass(frozen=True, slots=True)
class PaperView:
    """The facts of one paper, from BibTeX."""

    key: str
    title: str
    authors: tuple[str, ...]
    more_authors: bool
    team: str
    teams: tuple[str, ...]
    """The organizations of `team`, one by one."""
    venue: str
    date: str
    """`2025-10`, as precise as is known; may be empty."""
    links: tuple[LinkView, ...]
    abstract: str
    bibtex: str
    coins: str
    """The ContextObject of a COinS span; on lists of papers."""
    notes: tuple[NoteLink, ...]
    """Notes that read this paper (on lists of papers; the page of a note knows two of them at most)."""


@dataclass(frozen=True, slots=True)
class ImageView:
    """A picture that stands in the page; `width` and `height` in pixels of the page."""

    src: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Section:
    """One row of a note: a heading and what follows up to the next heading, in both languages.

    A half is None where that language has no such section. The lead (before the first heading) is not a Section.
    """

    id: str
    level: int
    """2 to 4: the heading level."""
    number: str
    """`2`, `2.1`; empty below level 3."""
    zh_heading: Markup | None
    zh_body: Markup | None
    en_heading: Markup | None
    en_body: Markup | None
    aligned: bool
    """Both halves have the same kinds of blocks in the same order."""


@dataclass(frozen=True, slots=True)
class ReferenceView:
    """One entry of a note's reference list."""

    key: str
    label: str
    """`Leviathan et al., 2022`: the text of the citations that lead here."""
    paper: PaperView


@dataclass(frozen=True, slots=True)
class TermView:
    """A term of the glossary that the note uses."""

    id: str
    """Where `a.gl` links in the text lead."""
    zh: str
    en: str
    definition: Bi | None


@dataclass(frozen=True, slots=True)
class PathStep:
    """Where a note stands in a reading path it belongs to."""

    title: Bi
    position: int
    """From 1."""
    length: int
    previous: NoteLink | None
    next: NoteLink | None


@dataclass(frozen=True, slots=True)
class CorrectionView:
    """A correction between this note and another one."""

    note: NoteLink
    claim: Bi
    correction: Bi
    date: str


@dataclass(frozen=True, slots=True)
class NotePage:
    """A note's page."""

    chrome: Chrome
    languages: tuple[Lang, ...]
    """The note's own; a one-language note shows a quiet line in the other language's view."""
    topic: TopicLink
    number: str
    """`#4`"""
    kind: Bi
    kind_id: str
    title: Bi
    status: Bi
    status_id: str
    rating: int | None
    own: bool
    created: str
    updated: str
    reading_source: Bi | None
    reviewed: bool
    minutes: Bi
    """Reading time: `约 12 分钟`, `about 12 min`."""
    tags: tuple[TagLink, ...]
    summary: Bi | None
    tldr: bool
    """The text opens with a TL;DR card, which says more than the summary."""
    papers: tuple[PaperView, ...]
    """The first is the main one."""
    thumbnail: ImageView | None
    """The first page of the main paper."""
    metadata: tuple[tuple[str, str], ...]
    """Names and contents of `meta` elements about the main paper."""
    json_ld: Markup
    """Ready to stand inside its `<script>`."""
    zh_lead: Markup | None
    en_lead: Markup | None
    lead_aligned: bool
    sections: tuple[Section, ...]
    zh_notes: Markup | None
    """Footnotes."""
    en_notes: Markup | None
    terms: tuple[TermView, ...]
    """Of the glossary, those that the text uses."""
    references: tuple[ReferenceView, ...]
    exports: tuple[LinkView, ...]
    """The papers it reads and cites, as a file in each format; may be empty."""
    outdated: tuple[str, ...]
    """Ids of the sections that changed in one language since they were recorded as translated, in the order of the
    page; `lead` is the text before the first heading."""
    backlinks: tuple[NoteLink, ...]
    paths: tuple[PathStep, ...]
    corrects: tuple[CorrectionView, ...]
    corrected_by: tuple[CorrectionView, ...]
