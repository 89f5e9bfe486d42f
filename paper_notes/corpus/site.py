"""What `site.yaml` says, as values: the site and its look, its kinds of notes, its tags, the READMEs that it keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Literal, NewType

from paper_notes.diagnostics import NOWHERE, Location
from paper_notes.languages.language import Words
from paper_notes.languages.text import Lang, Text
from paper_notes.sources.tree import Source

FontUse = Literal["text", "headings", "code"]


@dataclass(frozen=True, slots=True)
class Accent:
    """The colour of a site on light and on dark grounds, as `#rrggbb`."""

    light: str
    dark: str | None
    """None to make it from the light one."""
    light_location: Location
    dark_location: Location


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A picture of the collection that `site.yaml` names."""

    source: Source
    location: Location


@dataclass(frozen=True, slots=True)
class Look:
    """How pages look: all that is not given is as it comes."""

    accent: Accent | None = None
    logo: NamedFile | None = None
    logo_dark: NamedFile | None = None
    """The logo on dark grounds, if that is another one."""
    favicon: NamedFile | None = None
    fonts: Mapping[FontUse, tuple[str, ...]] = field(default_factory=dict)
    """Names of font families, before those that come with the style sheets."""


@dataclass(frozen=True, slots=True)
class NavigationEntry:
    """A link in the navigation of all pages."""

    link: str
    """An address, a file of `static/`, or the name of a page, topic or note."""
    title: Text | None
    """None for the title of what it leads to."""
    location: Location


@dataclass(frozen=True, slots=True)
class Footer:
    """Text at the foot of all pages."""

    text: Text
    """Markdown."""
    location: Location = NOWHERE


NO_LOOK = Look()


TopicId = NewType("TopicId", str)
"""A folder name below `notes_src/`, for example `spec-rl`."""
KindId = NewType("KindId", str)
"""The name of a kind of note in files: `paper`, `idea`."""
Content = Literal[
    "all", "notes", "paths", "papers", "directories", "list", "recent", "summary", "contents", "digest", "entries"
]
"""What a marked region of a README can hold."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag that `site.yaml` describes: `id` is how notes and pages write it."""

    id: str
    name: Text
    """The name shown on pages; empty if there are only aliases."""
    aliases: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """Other ways to write it in a note, besides `id`."""
        return (*(name for _, name in self.name.parts if name), *self.aliases)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of note: built in, or described by `site.yaml`."""

    id: KindId
    name: Text
    """The name shown on pages."""
    colour: str
    """One of `schema.COLOURS`, or a hue of the colour circle: `0` to `359`."""


BUILT_IN_KINDS: Mapping[KindId, str] = MappingProxyType(
    {
        KindId("paper"): "blue",
        KindId("evolution"): "purple",
        KindId("comparison"): "teal",
        KindId("landscape"): "green",
        KindId("tutorial"): "orange",
        KindId("industry"): "red",
        KindId("note"): "grey",
        KindId("digest"): "grey",
        KindId("list"): "grey",
    }
)
"""The colour of each, which the style sheet of all pages has; their names are words of the pages: `kind.paper`."""
DEFAULT_KIND, NO_COLOUR = KindId("paper"), "grey"


@dataclass(frozen=True, slots=True)
class ReadmeTarget:
    """A Markdown file with marked regions that builds keep up to date."""

    file: PurePosixPath
    """Relative to the collection's root."""
    region: str
    """Name of its regions; empty for all regions of the file without a target of their own."""
    content: Content | None
    """Their content, where the marker does not say it."""
    lang: Lang | None
    topic: TopicId | None
    location: Location


@dataclass(frozen=True, slots=True)
class Site:
    """`site.yaml`."""

    title: Text
    words: Words
    """The words of its pages, in its languages."""
    topics: tuple[TopicId, ...]
    description: Text | None
    base_url: str | None
    """With a final slash, or None when the site is not published."""
    readme: tuple[ReadmeTarget, ...]
    """The files with marked regions."""
    author: Text | None = None
    """Who keeps the collection, for feeds."""
    tags: tuple[Tag, ...] = ()
    publish_fields: tuple[str, ...] = ()
    """Fields of BibTeX entries that are published besides those that describe a publication, in lower case."""
    look: Look = NO_LOOK
    navigation: tuple[NavigationEntry, ...] = ()
    footer: Footer | None = None
    kinds: tuple[Kind, ...] = ()
    """All kinds that a note may have: the built-in ones first. Empty if nobody knows."""

    @property
    def languages(self) -> tuple[Lang, ...]:
        """One or two; the first is the default."""
        return self.words.tags

    @property
    def default_language(self) -> Lang:
        return self.languages[0]

    def kind_name(self, kind: KindId) -> Text:
        """The name of a kind, as pages show it."""
        return next((known.name for known in self.kinds if known.id == kind), Text.of({self.default_language: kind}))
