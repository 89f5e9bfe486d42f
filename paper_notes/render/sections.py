"""The sections of a note on its page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

from paper_notes.corpus.model import Text
from paper_notes.markdown.body import Body, section_numbers
from paper_notes.markdown.render import without_links
from paper_notes.render.view_factory import PageContext


@dataclass(frozen=True, slots=True)
class SectionView:
    """One row of a note: a heading and the text up to the next heading, in the languages that have it.

    The lead (before the first heading) is not a Section.
    """

    id: str
    level: int
    """Heading level: 2 to 4."""
    number: str
    """`2`, `2.1`; empty below level 3."""
    heading: Text
    body: Text
    """HTML, as the heading."""
    aligned: bool
    """True if both languages have the same kinds of blocks in the same order."""


def sections_of(body: Body, context: PageContext) -> tuple[SectionView, ...]:
    """The sections of a note, with their links filled in."""
    sections: list[SectionView] = []
    for section, number in zip(body.sections, section_numbers(body.sections), strict=True):
        halves = [(lang, half, body.halves[lang].slots) for lang, half in section.halves.items()]
        # slots become links, which headings must not contain: only their text is kept
        headings = ((lang, without_links(context.filled(half.heading, slots, lang))) for lang, half, slots in halves)
        heading = Text(tuple((lang, Markup(html)) for lang, html in headings))
        text = Text(tuple((lang, context.filled(half.html, slots, lang)) for lang, half, slots in halves))
        aligned = agree(half.blocks for half in section.halves.values())
        sections.append(SectionView(section.id, section.level, number, heading, text, aligned))
    return tuple(sections)


def agree(blocks: Iterable[tuple[str, ...]]) -> bool:
    """True if both languages have the same kinds of blocks in the same order."""
    first, *other = [*blocks, ()][:2]
    return bool(first) and other == [first]
