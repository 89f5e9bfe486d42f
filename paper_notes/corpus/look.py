"""What `site.yaml` says about the look of the site and the ways through it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from paper_notes.diagnostics import NOWHERE, Location
from paper_notes.languages.text import Text
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
