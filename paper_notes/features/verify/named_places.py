"""Places in papers as texts name them: `Table 2`, `Fig. 3`, `§3.2`, `p. 5`, `表 2`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from paper_notes.features.verify.numbers import folded

PlaceKind = Literal["table", "figure", "section", "page", "other"]
_FORMULAS = (
    r"eqs?\b\.?|equations?|algorithms?|alg\.|theorems?|lemmas?|propositions?|definitions?|corollary|listing"
    r"|式|公式|算法|演算法|定理|引理|命题|命題|推论|推論|定义|步骤"
)
_KINDS: tuple[tuple[PlaceKind, str], ...] = (
    ("table", r"tables?|tabs?\.|(?<![词詞列代发發])表"),
    ("figure", r"figures?|figs?\b\.?|[图圖図]"),
    ("section", r"sections?|sects?\.|secs?\.|§§?|appendix|appendices|apps?\.|附[录錄]|付録"),
    ("page", r"pp?\.|pages?"),
    ("other", _FORMULAS),
)
_ITEM = r"(?:[A-Z]{1,2}\.?)?\d{1,3}(?:\.\d{1,3})*(?!\s?[\d%×万亿千])|[A-Z](?:\.\d{1,3})*(?![\w])"
_AND = r"\s?(?:,\s?and|,|、|，|和|与|及|and|&|to|-|/|;)\s?"
_PLACES = re.compile(
    r"(?<![A-Za-z])(?:" + "|".join(f"(?P<{kind}>(?i:{words}))" for kind, words in _KINDS) + r")"
    rf"\s*(?P<items>(?:{_ITEM})(?:[a-z]\b)?(?:{_AND}(?:{_ITEM})(?![\w.]*[%×倍]))*)"
    r"|(?P<part>(?<![A-Za-z])(?i:abstract|introduction)(?![A-Za-z])|摘要(?=[里中说称写给、，（）)]|$)|引言)"
    r"|第\s?(?P<cjk>[\d.]+)\s?(?P<unit>[节節页頁章])"
)
_COUNTED = re.compile(r"\d|^[IVX]{2,}$")
_ONE = re.compile(_ITEM)
HIDDEN = "\0"
"""Stands for a character in which no number is looked for."""
_PARTS = {"ab": "abstract", "in": "introduction", "摘要": "abstract", "引言": "introduction"}


@dataclass(frozen=True, slots=True)
class PaperPlace:
    """A place in a paper that a text names; `start` is where in the statement."""

    kind: PlaceKind
    number: str
    key: str
    """The paper, if it is cited right there."""
    start: int

    @property
    def name(self) -> str:
        """`Table 2`, `Fig. 3`, `§3.2`, `p. 5`"""
        words = {"table": "Table ", "figure": "Fig. ", "section": "§", "page": "p. ", "other": ""}
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
        of_kind = next(kind for kind, _ in _KINDS if match[kind])
        lettered = of_kind not in ("table", "figure")
        items = (item for item in _ONE.finditer(match["items"]) if lettered or _COUNTED.search(item[0]))
        places += [PaperPlace(of_kind, item[0], key, start + match.start()) for item in items]
    return places


def without_places(text: str) -> str:
    """The text of the same length, with the numbers of places blanked."""
    return _PLACES.sub(lambda match: HIDDEN * len(match[0]), folded(text))
