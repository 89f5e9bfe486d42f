"""The text of a note as statements, each with its numbers, the places in papers that it names, and the papers."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from markdown_it.token import Token

from paper_notes.corpus.model import NoteText
from paper_notes.features.verify.quantities import Quantity, folded, quantities_in
from paper_notes.languages.language import BUILT_IN_WORDS, Words
from paper_notes.markdown.context import Context, place_of
from paper_notes.markdown.parser import parse_note
from paper_notes.markdown.syntax.declared import Origin
from paper_notes.patterns import regex
from paper_notes.values import Struct, replace

PlaceKind = Literal["table", "figure", "section", "page"]
_FORMULAS = (
    r"eqs?\b\.?|equations?|algorithms?|alg\.|theorems?|lemmas?|propositions?|definitions?|corollary|listing"
    r"|式|公式|算法|演算法|定理|引理|命题|命題|推论|推論|定义|步骤"
)
_KINDS: tuple[tuple[PlaceKind, str], ...] = (
    ("table", r"tables?|tabs?\.|(?<![词詞列代发發])表"),
    ("figure", r"figures?|figs?\b\.?|[图圖図]"),
    ("section", r"sections?|sects?\.|secs?\.|§§?|appendix|appendices|apps?\.|附[录錄]|付録"),
    ("page", r"pp?\.|pages?"),
)
_ITEM = r"(?:[A-Z]{1,2}\.?)?\d{1,3}(?:\.\d{1,3})*(?!\s?[\d%×万亿千])|[A-Z](?:\.\d{1,3})*(?![\w])"
_AND = r"\s?(?:,\s?and|,|、|，|和|与|及|and|&|to|-|/|;)\s?"
_PLACES = regex(
    r"(?<![A-Za-z])(?:" + "|".join(f"(?P<{kind}>(?i:{words}))" for kind, words in _KINDS) + rf"|(?i:{_FORMULAS}))"
    rf"\s*(?P<items>(?:{_ITEM})(?:[a-z]\b)?(?:{_AND}(?:{_ITEM})(?![\w.]*[%×倍]))*)"
    r"|(?P<part>(?<![A-Za-z])(?i:abstract|introduction)(?![A-Za-z])|摘要(?=[里中说称写给、，（）)]|$)|引言)"
    r"|第\s?(?P<cjk>[\d.]+)\s?(?P<unit>[节節页頁章])"
)
_COUNTED = regex(r"\d|^[IVX]{2,}$")
_ONE = regex(_ITEM)
HIDDEN = "\0"
"""Stands for a character in which no number is looked for."""
_PARTS = {"ab": "abstract", "in": "introduction", "摘要": "abstract", "引言": "introduction"}


class PaperPlace(Struct, frozen=True):
    """A place in a paper that a text names; `start` is where in the statement."""

    kind: PlaceKind
    number: str
    key: str
    """The paper, if it is cited right there."""
    start: int

    @property
    def name(self) -> str:
        """`Table 2`, `Fig. 3`, `§3.2`, `p. 5`"""
        words = {"table": "Table ", "figure": "Fig. ", "section": "§", "page": "p. "}
        return self.number if self.number in _PARTS.values() else f"{words[self.kind]}{self.number}"


def places_in(text: str, key: str, start: int) -> list[PaperPlace]:
    """The places that a text names: tables, figures, sections, pages."""
    places: list[PaperPlace] = []
    for match in _PLACES.finditer(folded(text)):
        if match["cjk"]:
            kind: PlaceKind = "page" if match["unit"] in "页頁" else "section"
            places.append(PaperPlace(kind, match["cjk"].rstrip("."), key, start + match.start()))
            continue
        if match["part"]:
            places.append(PaperPlace("section", _PARTS[match["part"].lower()[:2]], key, start + match.start()))
            continue
        of_kind = next((kind for kind, _ in _KINDS if match[kind]), None)
        if of_kind is None:
            continue  # a formula or algorithm, which no caption or heading shows
        lettered = of_kind not in ("table", "figure")
        items = (item for item in _ONE.finditer(match["items"]) if lettered or _COUNTED.search(item[0]))
        places += [PaperPlace(of_kind, item[0], key, start + match.start()) for item in items]
    return places


def without_places(text: str) -> str:
    """The text of the same length, with the numbers of places blanked."""
    return _PLACES.sub(lambda match: HIDDEN * len(match[0]), folded(text))


VERDICTS = frozenset({"good", "bad", "partial"})
_LONE = regex(r"[\d.,e%-]+")
"""Code that is nothing but a number."""


class VisibleText:
    """The visible text of a block, made of its tokens."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.text = self.countable = ""
        self.cites: list[tuple[int, str]] = []
        self.formulas: list[str] = []
        self.verdicts: list[str] = []
        self.notes: list[str] = []
        self._starts: list[tuple[int, int, Origin | None]] = []
        self._places: list[PaperPlace] = []
        self._open: list[Origin | None] = []
        self._link = False

    def add(self, number: int, token: Token) -> None:
        """Add a token of the block."""
        if token.type in ("text", "text_special"):
            self._put(number, token.content, "" if self._link else token.content)
        elif token.type.startswith("math_inline"):
            self.formulas.append(token.content)
            self._put(number, token.content, blank_tex(token.content))
        elif token.type == "code_inline":
            self._put(number, token.content, token.content if _LONE.fullmatch(token.content) else "")
        elif token.type in ("softbreak", "hardbreak"):
            self._put(number, " ", " ")
        elif token.type == "slot":
            self._add_citations(token)
            self._put(number, " ", " ")
        else:
            self._open_or_close(token)

    def _open_or_close(self, token: Token) -> None:
        if token.type == "span_open":
            self._open.append(token.meta.get("from"))
            self.verdicts += VERDICTS.intersection(str(token.attrs.get("class", "")).split())
        elif token.type == "span_close" and self._open:
            self._open.pop()
        elif token.type in ("link_open", "link_close"):
            self._link = token.type == "link_open" and token.info == "auto"

    def _add_citations(self, token: Token) -> None:
        for part in token.meta.get("shown", ()):
            if not isinstance(part, str) and part.kind == "note":
                self.notes.append(part.target)
            elif not isinstance(part, str) and part.kind == "cite":
                self.cites.append((len(self.text), part.target))
                self._places += places_in(part.text, part.target, len(self.text))

    def _put(self, number: int, text: str, countable: str) -> None:
        origin = next((origin for origin in reversed(self._open) if origin), None)
        self._starts.append((len(self.text), number, origin))
        self.text += text
        self.countable += countable or HIDDEN * len(text)

    def child_at(self, at: int) -> tuple[int, int, Origin | None]:
        """The token at a place of the text, the offset in it, and the origin that it declares."""
        start, number, origin = [item for item in self._starts if item[0] <= at][-1]
        return number, at - start, origin

    def all_places(self) -> Iterator[PaperPlace]:
        """The places that the text names, and those in its citations."""
        for place in places_in(self.text, "", 0):
            after = ((at - place.start, self.text[place.start + 5 : at], key) for at, key in self.cites)
            near = [key for gap, between, key in after if 0 <= gap < 40 and "." not in between]
            yield replace(place, key=near[0] if near else "")
        yield from self._places


def blank_tex(tex: str) -> str:
    """TeX of the same length, with its commands, indices and exponents blanked."""
    tex = re.sub(r"[_^]\s*(?:\{[^{}]*\}|\\[A-Za-z]+|.)", lambda match: " " * len(match[0]), tex)
    tex = re.sub(r"\\times", "  ×   ", tex)
    tex = re.sub(r"\\[dt]?frac\d\d", lambda match: " " * len(match[0]), tex)
    return re.sub(r"\\[A-Za-z]+|\{(?!,\})|(?<!,)\}", lambda match: " " * len(match[0]), tex)


_SENTENCE = regex(
    r"(?<=[。！？；;])|(?<=[.!?])(?<!\b[A-Z]\.)(?<!Fig\.)(?<!Figs\.)(?<!Tab\.)(?<!Sec\.)(?<!App\.)(?<!Eq\.)(?<!vs\.)(?<!al\.)"
    r"(?<!e\.g\.)(?<!i\.e\.)\s+(?=\S)"
)


class StatedNumber(Struct, frozen=True):
    """A number of a note."""

    figures: Quantity
    line: int
    """In the file, from 1."""
    column: int
    """From 1."""
    child: int
    """The token of the block that it begins in, and where in that one's content: for marking it there."""
    offset: int
    origin: Origin | None


@dataclass(frozen=True)
class Statement:
    """A paragraph, an item, a cell or a heading."""

    section: int
    """0 before the first heading, then the number of the heading."""
    chapter: int
    """The section of level 2 around it."""
    unit: int
    """Statements of one unit belong together: a term and its explanation, the cells of a row."""
    text: str
    """As readers see it; formulas are TeX."""
    line: int
    kind: str
    """`heading`, `title` (of a component), `cell`, `head`, `term`, `formula` or `text`."""
    inside: tuple[str, ...]
    """The components around it."""
    numbers: tuple[StatedNumber, ...]
    places: tuple[PaperPlace, ...]
    cites: tuple[tuple[int, str], ...]
    """Where each citation is, and the key of its paper."""
    formulas: tuple[str, ...] = ()
    """In TeX."""
    verdicts: tuple[str, ...] = ()
    """`good`, `bad` or `partial`, of its words and its cell."""
    notes: tuple[str, ...] = ()
    """The notes that it refers to, as written."""
    table: int = -1
    """The number of the table whose cell it is."""
    row: int = -1
    column: int = -1
    tokens: int = field(default=0, compare=False)
    """The place of its inline token among the tokens."""
    block: tuple[str, int] = field(default=("", -1), compare=False)
    """The outermost block around it: its kind, and its place among the tokens."""

    def sentence(self, start: int) -> tuple[int, int]:
        """Beginning and end of the sentence that has this character."""
        ends = _ends(self.text)
        at = bisect_right(ends, start)
        return ends[at - 1] if at else 0, ends[at] if at < len(ends) else len(self.text)


@lru_cache(maxsize=8)
def _ends(text: str) -> tuple[int, ...]:
    """Where the sentences of a text end, in order; kept, as each of its numbers asks for its own."""
    return tuple(match.start() for match in _SENTENCE.finditer(text))


def read_statements(text: NoteText, words: Words = BUILT_IN_WORDS) -> tuple[Statement, ...]:
    """All statements of a text, in order."""
    parsed = parse_note(text, words)
    return tuple(statements(parsed.tokens, parsed.context))


def statements(tokens: Sequence[Token], context: Context, *, demos: bool = False) -> Iterator[Statement]:
    """The statements of parsed blocks; those of demonstrations too, if wanted."""
    walk = _Walk()
    end, block = (0, 0), ("", -1)
    for at, token in enumerate(tokens):
        walk.step(token)
        block = (token.type, at) if token.level == 0 and token.nesting >= 0 else block
        if token.type.startswith("math_block"):
            line = (token.map[0] if token.map else walk.line) + context.source.first_line
            around = walk.section, walk.chapter, walk.unit
            inside, formulas = tuple(walk.inside), (token.content,)
            yield Statement(*around, "", line, "formula", inside, (), (), (), formulas, tokens=at, block=block)
        if token.type == "inline" and (demos or not walk.is_demo):
            first = token.map[0] if token.map else walk.line
            place = place_of(context.lines, first, token.content, end)
            end = place.end
            seen = VisibleText(token.content)
            for number, child in enumerate(token.children or []):
                seen.add(number, child)
            numbers = _numbers(seen, place, context, walk.origin)
            table, row, column = (walk.table, walk.row, walk.column) if walk.in_cell else (-1, -1, -1)
            yield Statement(
                section=walk.section,
                chapter=walk.chapter,
                unit=walk.unit,
                text=seen.text,
                line=first + context.source.first_line,
                kind=walk.kind,
                inside=tuple(walk.inside),
                numbers=tuple(numbers),
                places=tuple(seen.all_places()),
                cites=tuple(seen.cites),
                formulas=tuple(seen.formulas),
                verdicts=(*seen.verdicts, *(walk.verdicts if walk.in_cell else ())),
                notes=tuple(seen.notes),
                table=table,
                row=row,
                column=column,
                tokens=at,
                block=block,
            )


def _numbers(seen: VisibleText, place: Any, context: Context, origin: Origin | None) -> Iterator[StatedNumber]:
    cursor = 0
    for figures in quantities_in(without_places(seen.countable)):
        child, offset, span = seen.child_at(figures.start)
        written = figures.text.split()[0].rstrip("%KkMGT千万亿")
        at = seen.source.find(written, cursor)
        cursor = at + len(written) if at >= 0 else cursor
        where = context.at(*place.at(max(at, 0)))
        yield StatedNumber(figures, where.line, where.column, child, offset, span or origin)


class _Walk:
    """Where among the blocks a token is."""

    def __init__(self) -> None:
        self.section = self.chapter = self.unit = self.line = 0
        self.kind = "text"
        self.inside: list[str] = []
        self.table = self.row = self.column = -1
        self.in_cell = self._explains = False
        self.verdicts: tuple[str, ...] = ()
        self._origins: list[Origin | None] = []
        self._of_section: list[tuple[int, Origin]] = []
        self._columns: dict[int, Origin] = {}

    @property
    def is_demo(self) -> bool:
        return "demo" in self.inside

    @property
    def origin(self) -> Origin | None:
        """What the innermost block around says; then the column, then the section."""
        own = next((origin for origin in reversed(self._origins) if origin), None)
        column = self._columns.get(self.column) if self.in_cell else None
        return own or column or next((origin for _, origin in reversed(self._of_section)), None)

    def step(self, token: Token) -> None:
        self.line = token.map[0] if token.map else self.line
        if token.nesting > 0:
            self._origins.append(token.meta.get("from") if token.type != "th_open" else None)
            self._open(token)
        elif token.nesting < 0:
            if self._origins:
                self._origins.pop()
            if token.type == "component_close":
                self.inside.pop()
            elif token.type in ("td_close", "th_close"):
                self.in_cell = False
            elif token.type == "dl_close":
                self._explains = False
            elif token.type == "heading_close":
                self.kind = "text"
        elif token.type == "inline":
            self.kind = "title" if token.meta.get("title") else self.kind
            self.unit += self.kind in ("title", "text") and not self.in_cell and not self._explains

    def _open(self, token: Token) -> None:
        kind = token.type
        self.kind = {"heading_open": "heading", "td_open": "cell", "th_open": "head", "dt_open": "term"}.get(
            kind, "text"
        )
        if kind == "heading_open" and token.level == 0:
            self.section, self.unit = self.section + 1, self.unit + 1
            level = int(token.tag[1])
            self.chapter = self.section if level <= 2 else self.chapter
            self._of_section = [(deep, origin) for deep, origin in self._of_section if deep < level]
            if "from" in token.meta:
                self._of_section.append((level, token.meta["from"]))
                self._origins[-1] = None
        elif kind == "component_open":
            self.inside.append(token.info)
        elif kind == "table_open":
            self.table, self.row, self._columns = self.table + 1, -1, {}
        elif kind == "tr_open":
            self.row, self.column, self.unit = self.row + 1, -1, self.unit + 1
        elif kind in ("td_open", "th_open"):
            self.column, self.in_cell = self.column + 1, True
            self.verdicts = tuple(VERDICTS.intersection(str(token.attrs.get("class", "")).split()))
            if kind == "th_open" and "from" in token.meta:
                self._columns[self.column] = token.meta["from"]
        elif kind == "dt_open":
            self.unit, self._explains = self.unit + 1, True
