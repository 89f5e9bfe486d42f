"""Views that several pages share. A view is complete, plain and frozen: templates only lay it out."""

from __future__ import annotations

from dataclasses import dataclass, field

from markupsafe import Markup

from paper_notes.languages.text import Lang, Text, in_each


@dataclass(frozen=True, slots=True)
class LinkView:
    """A link: `href` is relative to the page, or absolute for other sites."""

    label: str
    href: str


@dataclass(frozen=True, slots=True)
class PaperLink:
    """A link of a paper: to itself, its code, its project."""

    label: Text
    href: str


@dataclass(frozen=True, slots=True)
class NoteLink:
    """A link to a note."""

    label: str
    """`#4`"""
    topic: str
    """The folder of its topic if that is not the page's own, else empty: with it the label is `models/#4`."""
    name: Text
    """Its `short`, or the title up to its colon."""
    title: Text
    """Its `short`, or the title."""
    href: str
    about: Text | None = None
    """The summary, for a card beside the link; None if there is none, or if the collection is too large."""

    @property
    def rest(self) -> Text:
        """The part of the title after the name: `: speculative decoding inside RL training`."""
        return in_each(self.title.languages, lambda lang: self.title[lang].strip().removeprefix(self.name[lang]))


@dataclass(frozen=True, slots=True)
class ListLink:
    """A link to a page of the whole collection (papers, tags ...), or an entry of the user's own navigation."""

    id: str
    title: Text
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
    """The addresses of a page and its feeds on the web, if the site's address is known."""

    address: str
    """Absolute address of the page."""
    languages: tuple[Lang, ...]
    """Languages of the page."""
    feeds: tuple[FeedLink, ...]


@dataclass(frozen=True, slots=True)
class TagLink:
    """A link to a tag."""

    name: Text
    href: str
    count: int
    """Number of notes with this tag; 0 if it is not shown."""


@dataclass(frozen=True, slots=True)
class MistakeView:
    """A mistake that a page marks, because the build goes on in spite of it. Its words are those of the terminal.

    They are English where that does not speak the language of the page.
    """

    place: str
    """`notes_src/rl/04_ReSpec/en.md:3:5`"""
    rule: str
    message: Text
    hint: Text
    href: str
    """Where it is marked; empty if it has no place in a page."""


@dataclass(frozen=True, slots=True)
class PageFrame:
    """The frame of every page, around its content."""

    languages: tuple[Lang, ...]
    """Languages of the site; the first is shown first."""
    site_title: Text
    title: Text
    """Title of the page."""
    description: Text
    root: str
    """Path from the page to the site's root, with a final slash; empty for pages in the root."""
    home_href: str
    topics: tuple[TopicLink, ...]
    """All topics, for the navigation."""
    lists: tuple[ListLink, ...]
    """The pages of the whole collection, for the navigation."""
    published: Published | None
    style: Markup
    script: Markup
    """Both are contents of `<style>` and `<script>`."""
    late_script: Markup
    """The script at the end of the page; see `Theme.late_script`."""
    csp: str
    generator: str
    mistakes: tuple[MistakeView, ...] = ()
    logo: Markup = field(default_factory=Markup)
    """HTML, beside the site's title; may be empty."""
    favicon: str = "data:,"
    navigation: tuple[ListLink, ...] = ()
    """The user's own; may be empty."""
    footer: Text | None = None
    """HTML."""


@dataclass(frozen=True, slots=True)
class TopicLink:
    """A link to a topic; `current` if the page belongs to it."""

    id: str
    emoji: str
    title: Text
    href: str
    current: bool


@dataclass(frozen=True, slots=True)
class PaperView:
    """The facts of one paper, from BibTeX."""

    key: str
    title: str
    name: str
    """Its `shorttitle`, or the title: for lists."""
    authors: tuple[str, ...]
    more_authors: bool
    team: str
    teams: tuple[str, ...]
    """The organizations of `team`, one by one."""
    venue: str
    date: str
    """`2025-10`, as precise as is known; may be empty."""
    versions: tuple[str, ...]
    """`2025-01 (v1)`, `2025-11 (v8)`; empty if only the date is known."""
    badges: tuple[str, ...]
    arxiv: str
    """The id on arXiv; may be empty."""
    links: tuple[PaperLink, ...]
    remarks: tuple[Text, ...]
    """Said beside the links: `no official code`."""
    abstract: str
    bibtex: str
    coins: str
    """The ContextObject of a COinS span, for lists of papers."""
    notes: tuple[NoteLink, ...]
    """Notes that read this paper (on lists of papers; the page of a note knows two of them at most)."""


@dataclass(frozen=True, slots=True)
class ImageView:
    """A picture in a page; `width` and `height` in pixels on the page."""

    src: str
    width: int
    height: int
