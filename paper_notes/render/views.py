"""Views that several pages share. A view is complete, plain and frozen: Python decides, templates only lay out."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from paper_notes.languages.text import Lang, Text, in_each


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
    name: Text
    """The title up to its colon."""
    title: Text
    href: str
    about: Text | None = None
    """The summary, for a card beside the link; None where there is none, or where the collection is too large."""

    @property
    def rest(self) -> Text:
        """What the title has after the name: `: speculative decoding inside RL training`."""
        return in_each(self.title.languages, lambda lang: self.title[lang].strip().removeprefix(self.name[lang]))


@dataclass(frozen=True, slots=True)
class ListLink:
    """A page made of the whole collection (papers, tags ...) as every page points at it."""

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
    """What a page says about its place on the web, if the site's address is known."""

    address: str
    """The page's own, absolute."""
    languages: tuple[Lang, ...]
    """Those that it can be read in."""
    feeds: tuple[FeedLink, ...]


@dataclass(frozen=True, slots=True)
class TagLink:
    """A tag as notes and lists show it."""

    name: Text
    href: str
    count: int
    """Notes that have it; where that does not matter, 0."""


@dataclass(frozen=True, slots=True)
class Chrome:
    """What every page has around its content."""

    languages: tuple[Lang, ...]
    """Of the site; the first is shown first."""
    site_title: Text
    title: Text
    """Of the page."""
    description: Text
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
    title: Text
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
