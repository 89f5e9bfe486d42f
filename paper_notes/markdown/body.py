"""The values of this stage: a note's body in sections, with slots for what depends on the corpus."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from paper_notes.corpus.model import Lang
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.patterns import regex
from paper_notes.values import Struct, field, replace

SLOT = regex("\ufdd0(\\d+)\ufdd1")
"""The marker of a slot in rendered HTML. Sources cannot hold these noncharacters (`sources.tree` refuses them)."""
LEAD = "lead"
"""Names the text before the first heading where a section would have its id."""


class Unread(Struct, frozen=True):
    """A section whose text in `lang` is the draft of a model, which no one has read."""

    section: str
    lang: Lang
    model: str


SlotKind = Literal["note", "cite", "paper", "crop", "table", "source", "plain", "mistake", "number"]


class Slot(Struct, frozen=True):
    """Something that only the corpus can render.

    kind `note`: `target` is a reference such as `models/#19`, maybe with `#section`; `text` the author's link text.
    kind `cite`: `target` is a BibTeX key; `text` the place in the paper, such as `Table 2`.
    kind `paper`: `target` is the BibTeX key of a paper whose facts are shown as a card.
    kind `crop`: `target` is a part of a paper's PDF, such as `2510.26475#figure-3`; `text` says what it shows.
    kind `table`: such a `target`, a space, and the SHA-256 of the PDF in which cells of it are known; cards of numbers
    show it, so that it has no marker in the HTML.
    kind `source`: the same `target` as `crop`; its credit line, after the paper's own caption if `text` is not empty.
    kind `plain`: `target` is a number such as `#15` in plain words, which may mean a note. It is only checked, and has
    no marker in the HTML.
    kind `mistake`: `target` is the number of a mistake in the block before, where a build goes on in spite of it;
    `text` is not empty if another language of the note has the same mark.
    kind `number`: the opening tag of the link around a number; `target` is the place of its source in `Body.sources`,
    `text` what it says, if that is a formula.
    """

    kind: SlotKind
    target: str
    text: str
    location: Location
    bare: bool = False
    """True for a citation without the author's name, `[-@key]`."""
    embedded: bool = False
    """True for a note whose section or block is shown in place, `![[#4#method]]`."""


class CellRegion(Struct, frozen=True):
    """Where a cell of a table stands, in points from the top left of the page."""

    part: str
    """The table, as the target of a slot `crop`."""
    pdf: str
    """SHA-256 of the file."""
    page: int
    box: tuple[float, float, float, float]
    body: tuple[float, float]
    """How far labels of rows reach from the left and heads from the top; 0 if that is unknown."""

    @property
    def table(self) -> str:
        """The target of its slot."""
        return f"{self.part} {self.pdf}"


class NumberSource(Struct, frozen=True):
    """Where numbers of a note come from, in words of no language."""

    kind: Literal["cell", "sentence", "reading", "place", "sum", "own", "other", "several"]
    key: str = ""
    """The paper; empty for that of the note."""
    part: tuple[str, str] = ("", "")
    """`table`, `figure` or `section`, and its number."""
    page: int = 0
    """0 if it is not known."""
    words: tuple[str, ...] = ()
    """The labels of a cell, the words of a sentence, the point of a figure and its value, the operands of a sum; of
    another source its address or the place in the paper."""
    formula: str = ""
    """A sum as MathML; its operands have the class `op`."""
    operands: tuple[int, ...] = ()
    """The places of the sources of its operands, in `Half.sources` or `Body.sources`."""
    region: CellRegion | None = None
    """Of a cell, if its table is to be shown."""


class SectionHalf(Struct, frozen=True):
    """A section in one language."""

    heading: str
    html: str
    digest: str
    """Digest of the Markdown, heading included; see `sections.digest`."""
    location: Location
    """Where the heading is."""
    blocks: tuple[str, ...] = ()
    """The kinds of its blocks, in order: languages that agree in them are set side by side block by block."""
    unwritten: bool = False
    """There is nothing below the heading yet but what `paper-notes new` asks for: bodies do not have such sections."""


class BodySection(Struct, frozen=True):
    """A heading (level 2 to 4) and what follows it, in the languages that have it."""

    id: str
    level: int
    halves: Mapping[Lang, SectionHalf]
    number: str | None = None
    """Its own number, empty for none; sections with None are counted."""


class Half(Struct, frozen=True):
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
    prompts: int = 0
    """How many prompts of `paper-notes new` are left in the text; they are not in the HTML."""
    ids: tuple[str, ...] = ()
    """Names of blocks: `^name`, and ids of components and formulas. On the page each ends with the language."""
    sources: tuple[NumberSource, ...] = ()
    """Those of its numbers, those of operands before the sums; here slots of kind `number` index these."""

    @property
    def marks(self) -> int:
        """How many links lead from numbers to their sources."""
        return sum(slot.kind == "number" for slot in self.slots)

    gist: str = ""
    """The sentence that says it all: the first of the TL;DR card; empty if there is none, or it is no plain text."""


class Body(Struct, frozen=True):
    """A note's rendered text. Slot markers in a half's HTML index that half's `slots`."""

    halves: Mapping[Lang, Half]
    sections: tuple[BodySection, ...]
    diagnostics: tuple[Diagnostic, ...]
    outdated: tuple[str, ...] = ()
    """Ids of the sections that changed in one language since they were recorded as translated, in reading order."""
    unread: tuple[Unread, ...] = ()
    """The sections that a model wrote and no one has read, in reading order."""
    sources: tuple[NumberSource, ...] = ()
    """Those of the numbers of all languages, each once."""

    @property
    def outline(self) -> Outline:
        slots = [slot for half in self.halves.values() for slot in half.slots]
        return Outline(
            mentions=tuple(dict.fromkeys((slot.kind, slot.target) for slot in slots if slot.kind != "number")),
            sections=tuple((section.id, tuple(section.halves)) for section in self.sections),
            counts={lang: (half.words, half.characters) for lang, half in self.halves.items()},
            terms=tuple(dict.fromkeys(term for half in self.halves.values() for term in half.terms)),
            outdated=self.outdated,
            prompts=sum(half.prompts for half in self.halves.values()),
            numbers=section_numbers(self.sections),
            blocks={lang: half.ids for lang, half in self.halves.items() if half.ids},
            unread=self.unread,
            embedded=tuple(dict.fromkeys(self._embedded())),
            gists={lang: half.gist for lang, half in self.halves.items() if half.gist},
        )

    def _embedded(self) -> Iterator[tuple[str, str]]:
        """See `Outline.embedded`."""
        for lang, whole in self.halves.items():
            shown = {number: slot.target for number, slot in enumerate(whole.slots) if slot.embedded}
            parts = [
                (LEAD, whole.lead),
                *((part.id, part.halves[lang].html) for part in self.sections if lang in part.halves),
            ]
            for section, html in parts if shown else ():
                yield from ((section, shown[int(number)]) for number in SLOT.findall(html) if int(number) in shown)


class Anchors(Struct, frozen=True):
    """The places in a note that a reference may name."""

    sections: Mapping[str, str]
    """Ids of sections by their names: the id itself, and the number as `§3.2`. Empty: two have the number."""
    blocks: Mapping[str, tuple[Lang, ...]]
    """The languages that have each named block."""

    def find(self, name: str, lang: Lang | None = None) -> str:
        """The id on the page; empty if there is none. Of a block `^name` that in `lang`, if that language has it."""
        if section := self.sections.get(name):
            return section
        block = name.removeprefix("^")
        languages = self.blocks.get(block, ())
        return f"{block}-{lang if lang in languages else languages[0]}" if languages else ""

    def only(self, names: Collection[str]) -> Anchors:
        """Those that have one of these names."""
        blocks = {block: named for block, named in self.blocks.items() if block in names or f"^{block}" in names}
        return Anchors({name: section for name, section in self.sections.items() if name in names}, blocks)

    @property
    def names(self) -> tuple[str, ...]:
        """What a reference may say, but for numbers."""
        return (*(name for name in self.sections if not name.startswith("§")), *self.blocks)


class Outline(Struct, frozen=True):
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
    prompts: int = 0
    """Of all languages, see `Half`."""
    numbers: tuple[str, ...] = ()
    """The numbers of the sections, in their order."""
    blocks: Mapping[Lang, tuple[str, ...]] = field(default_factory=dict)
    """Names of blocks, see `Half.ids`."""
    unread: tuple[Unread, ...] = ()
    """As in `Body`."""
    embedded: tuple[tuple[str, str], ...] = ()
    """The sections in which a part of another note is shown, each with the reference to that."""
    gists: Mapping[Lang, str] = field(default_factory=dict)
    """See `Half.gist`."""

    @property
    def anchors(self) -> Anchors:
        """What references may name."""
        blocks: dict[str, tuple[Lang, ...]] = {}
        for lang, names in self.blocks.items():
            for name in names:
                blocks[name] = (*blocks.get(name, ()), lang)
        return Anchors(section_names([section for section, _ in self.sections], self.numbers), blocks)

    @property
    def cited(self) -> tuple[BibKey, ...]:
        """The papers that the text cites or shows, in its order."""
        return tuple(dict.fromkeys(BibKey(target) for kind, target in self.mentions if kind != "note"))

    @property
    def bare(self) -> Outline:
        """The outline without what changes with every word."""
        return replace(self, counts={}, outdated=(), prompts=0, unread=())


NO_OUTLINE = Outline((), (), {}, (), ())


class Snippet(Struct, frozen=True):
    """A short text rendered, with the same kind of slots."""

    html: str
    slots: tuple[Slot, ...]
    diagnostics: tuple[Diagnostic, ...]


def section_numbers(sections: Sequence[BodySection]) -> tuple[str, ...]:
    """`2`, `2.1` for each section; empty below level 3 and under a section without a number, if it has none of its own.

    Counting goes on from a section's own number if it is of the usual form.
    """
    numbers: list[str] = []
    above = ""
    first = second = 0
    for section in sections:
        number = section.number or ""
        if section.level == 2:
            first += section.number is None
            number = str(first) if section.number is None else number
            first = int(number) if number.isdecimal() else first
            above, second = number, 0
        elif section.level == 3:
            second += section.number is None
            if section.number is None:
                number = f"{above}.{second}" if above else ""
            elif number.startswith(f"{above}.") and (last := number[len(above) + 1 :]).isdecimal():
                second = int(last)
        numbers.append(number)
    return tuple(numbers)


def section_names(ids: Iterable[str], numbers: Iterable[str]) -> Mapping[str, str]:
    """See `Anchors.sections`."""
    names: dict[str, str] = {}
    by_number: dict[str, str] = {}
    for section, number in zip(ids, numbers, strict=True):
        names[section] = section
        if number:
            by_number[f"§{number}"] = "" if f"§{number}" in by_number else section
    return names | by_number


def no_such_number(note: str, wanted: str, names: Mapping[str, str]) -> tuple[str, str]:
    """What is wrong with the number of a section, `§3.2`, and what to write; `names` as in `Anchors.sections`.

    `note` is empty for the one whose text it is.
    """
    if wanted in names:
        message = f'the note "{note}" has two sections {wanted}' if note else f"this note has two sections {wanted}"
        return message, "refer to it by its id, #my-id, or give one of them another number"
    message = f'the note "{note}" has no section {wanted}' if note else f"this note has no section {wanted}"
    numbers = [name for name in names if name.startswith("§")]
    if not numbers:
        return message, "its sections have no numbers: refer to them by their ids, #my-id"
    if len(numbers) > 12:
        return message, f"it has {numbers[0]} to {numbers[-1]}"
    return message, f"it has {', '.join(numbers)}"


def fill(html: str, slots: tuple[Slot, ...], render: Callable[[Slot], str]) -> str:
    """The HTML with each slot replaced by what `render` gives for it."""
    return SLOT.sub(lambda match: render(slots[int(match[1])]), html)
