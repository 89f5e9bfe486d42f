"""The values of this stage: a note's body in sections, with slots for what depends on the corpus."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from paper_notes.corpus.model import Lang
from paper_notes.diagnostics import Diagnostic, Location

SLOT = re.compile("\ufdd0(\\d+)\ufdd1")
"""The marker of a slot in rendered HTML. Sources cannot hold these noncharacters (`sources.tree` refuses them)."""
LEAD = "lead"
"""Names the text before the first heading where a section would have its id."""


SlotKind = Literal["note", "cite", "paper", "crop", "source", "plain", "mistake"]


@dataclass(frozen=True, slots=True)
class Slot:
    """Something that only the corpus can render.

    kind `note`: `target` is a reference such as `models/#19`, maybe with `#section`; `text` the author's link text.
    kind `cite`: `target` is a BibTeX key; `text` the place in the paper, such as `Table 2`.
    kind `paper`: `target` is the BibTeX key of a paper whose facts are shown as a card.
    kind `crop`: `target` is a part of a paper's PDF, such as `2510.26475#figure-3`; `text` says what it shows.
    kind `source`: the same `target`; its credit line, after the paper's own caption if `text` is not empty.
    kind `plain`: `target` is a number such as `#15` in plain words, which may mean a note. It is only checked, and has
    no marker in the HTML.
    kind `mistake`: `target` is the number of a mistake in the block before, where a build goes on in spite of it.
    """

    kind: SlotKind
    target: str
    text: str
    location: Location
    bare: bool = False
    """True for a citation without the author's name, `[-@key]`."""


@dataclass(frozen=True, slots=True)
class SectionHalf:
    """A section in one language. `heading` holds no links, so that it can be put inside one."""

    heading: str
    html: str
    digest: str
    """Digest of the Markdown, heading included; see `sections.digest`."""
    location: Location
    """Where the heading is."""
    blocks: tuple[str, ...] = ()
    """The kinds of its blocks, in order: languages that agree in them are set side by side block by block."""


@dataclass(frozen=True, slots=True)
class BodySection:
    """A heading (level 2 to 4) and what follows it, in the languages that have it."""

    id: str
    level: int
    halves: Mapping[Lang, SectionHalf]


@dataclass(frozen=True, slots=True)
class Half:
    """The part of a body in one language, except its sections."""

    lead: str
    """HTML before the first heading."""
    footnotes: str
    slots: tuple[Slot, ...]
    words: int
    """Number of words in scripts that separate words by spaces."""
    characters: int
    """Number of Chinese and Japanese characters, whose scripts do not."""
    terms: tuple[str, ...] = ()
    """Ids of the terms of the glossary that the text uses."""
    lead_digest: str = ""
    """Digest of the lead's Markdown, see `sections.digest`; empty if there is no lead."""
    lead_blocks: tuple[str, ...] = ()
    """As in `SectionHalf`."""


@dataclass(frozen=True, slots=True)
class Body:
    """A note's rendered text. Slot markers in a half's HTML index that half's `slots`."""

    halves: Mapping[Lang, Half]
    sections: tuple[BodySection, ...]
    diagnostics: tuple[Diagnostic, ...]
    outdated: tuple[str, ...] = ()
    """Ids of the sections that changed in one language since they were recorded as translated, in reading order."""

    @property
    def outline(self) -> Outline:
        slots = [slot for half in self.halves.values() for slot in half.slots]
        return Outline(
            mentions=tuple(dict.fromkeys((slot.kind, slot.target) for slot in slots)),
            sections=tuple((section.id, tuple(section.halves)) for section in self.sections),
            counts={lang: (half.words, half.characters) for lang, half in self.halves.items()},
            terms=tuple(dict.fromkeys(term for half in self.halves.values() for term in half.terms)),
            outdated=self.outdated,
        )


@dataclass(frozen=True, slots=True)
class Outline:
    """What later stages need to know of a body: all but its text."""

    mentions: tuple[tuple[SlotKind, str], ...]
    """Kinds and targets of its slots in order of appearance, without duplicates."""
    sections: tuple[tuple[str, tuple[Lang, ...]], ...]
    """Ids of the sections, and the languages that have each."""
    counts: Mapping[Lang, tuple[int, int]]
    """Words and characters, as in `Half`."""
    terms: tuple[str, ...]
    """Ids of the terms of the glossary that it uses."""
    outdated: tuple[str, ...]
    """As in `Body`."""

    @property
    def bare(self) -> Outline:
        """The outline without what changes with every word."""
        return replace(self, counts={}, outdated=())


NO_OUTLINE = Outline((), (), {}, (), ())


@dataclass(frozen=True, slots=True)
class Snippet:
    """A short text rendered, with the same kind of slots."""

    html: str
    slots: tuple[Slot, ...]
    diagnostics: tuple[Diagnostic, ...]


def section_numbers(body: Body) -> tuple[str, ...]:
    """`2`, `2.1` for each section of a body; empty below level 3."""
    numbers: list[str] = []
    first = second = 0
    for section in body.sections:
        if section.level == 2:
            first, second = first + 1, 0
        elif section.level == 3:
            second += 1
        parts = (first, second) if section.level == 3 else (first,)
        numbers.append(".".join(map(str, parts)) if section.level < 4 and first else "")
    return tuple(numbers)


def fill(html: str, slots: tuple[Slot, ...], render: Callable[[Slot], str]) -> str:
    """The HTML with each slot replaced by what `render` gives for it."""
    return SLOT.sub(lambda match: render(slots[int(match[1])]), html)
