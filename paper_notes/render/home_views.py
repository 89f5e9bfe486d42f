"""The view of the home page."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from paper_notes.render.views import Bi, Chrome, LinkView, NoteLink, NoteRow, TopicLink


@dataclass(frozen=True, slots=True)
class PlainRow:
    """A note in a long list: plain texts only. The script of the home page reads it too."""

    number: int
    href: str
    title: Bi
    summary: Bi | None


@dataclass(frozen=True, slots=True)
class HomeTopic:
    """A topic on the home page."""

    link: TopicLink
    intro: Bi | None
    count: Bi
    """`8 篇`, `8 notes`."""
    total: int
    aside: bool
    """It tells about something else than papers, as a guide does, and is shown after the others and quieter."""
    notes: tuple[NoteRow, ...]
    """Those that are shown at once."""
    rest: tuple[PlainRow, ...]
    """All others: shown where there is no script, which else fetches them from there when they are wanted."""


@dataclass(frozen=True, slots=True)
class StartView:
    """The first reading path of the collection."""

    href: str
    steps: tuple[NoteLink, ...]
    """The first few."""
    more: int
    """How many follow."""


@dataclass(frozen=True, slots=True)
class SearchView:
    """What searching needs."""

    data: Markup
    """JSON, ready to stand inside `<script>`."""
    script: Markup


@dataclass(frozen=True, slots=True)
class HomePage:
    """The site's first page: all topics with all notes."""

    chrome: Chrome
    description: Bi | None
    count: Bi
    start: StartView | None
    topics: tuple[HomeTopic, ...]
    search: SearchView
    exports: tuple[LinkView, ...]
    """All papers of the collection as files to take along."""
