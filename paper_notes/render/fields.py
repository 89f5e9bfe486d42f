"""Fields of application of the papers in a list, from what their sections `-area` say, for a filter."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from paper_notes.corpus.model import Lang, Text

AREA = "area"
"""Ends the id of the section that names the fields of a paper."""
MOST = 20
"""Fields to choose from at most."""
LONGEST = 40
"""Characters of a field at most, counting those of CJK twice: what is longer is a sentence."""
_ASIDE = re.compile(r"\s*[（(]([^（）()]*)[）)]")
_CJK = "\u2e80-\u9fff"
_BETWEEN = re.compile(
    rf"\s*[/·•、,，;；|:：。]\s*|\s+[-–—]+\s+|——|(?<=[A-Za-z0-9])-(?=[{_CJK}])|(?<=[{_CJK}])-(?=[A-Za-z0-9])"
)
_WIDE = re.compile(f"[{_CJK}]")


@dataclass(frozen=True, slots=True)
class Field:
    """A field that some papers of a list have."""

    id: str
    """Its name in the first language of the note."""
    name: Text
    count: int


@dataclass(frozen=True, slots=True)
class _Named:
    name: str
    short: str
    """Another name behind it: `NLP` of `natural language processing (NLP)`."""


def fields_of(
    areas: Sequence[Mapping[Lang, str]], languages: tuple[Lang, ...]
) -> tuple[tuple[tuple[str, ...], ...], tuple[Field, ...]]:
    """The ids of the fields of each paper, and the fields to choose from: those of several papers, but not of all.

    `areas` are the plain texts of the sections; `languages` those of the note.
    """
    if len(areas) < 2 or not languages:
        return ((),) * len(areas), ()
    said = [{lang: _split(text) for lang, text in area.items()} for area in areas]
    first = languages[0]
    known = _other_names(named for area in said for named in area.get(first, ()))
    ids = [dict.fromkeys(_id(named, known) for named in area.get(first, ())) for area in said]
    counts = Counter(name for own in ids for name in own if name)
    names = _names(said, known, languages)
    chosen = [(name, count) for name, count in counts.most_common() if 1 < count < len(areas)][:MOST]
    if len(chosen) < 2:
        return ((),) * len(areas), ()
    shown = {name for name, _ in chosen}
    fields = tuple(Field(name, names.get(name) or Text.of({first: name}), count) for name, count in chosen)
    return tuple(tuple(name for name in own if name in shown) for own in ids), fields


def _split(text: str) -> tuple[_Named, ...]:
    """The fields that a text names."""
    shorts: list[str] = []

    def aside(match: re.Match[str]) -> str:
        shorts.append(match[1].strip())
        return f"\ufdd0{len(shorts) - 1}\ufdd0"

    fields = []
    for part in _BETWEEN.split(re.sub(r"\ufdd0\s*-", "\ufdd0 - ", _ASIDE.sub(aside, text))):
        name, _, rest = part.partition("\ufdd0")
        short = shorts[int(rest.partition("\ufdd0")[0])] if rest else ""
        if name := name.strip(" .。"):
            fields.append(_Named(name, short))
    return tuple(fields)


def _other_names(fields: Iterable[_Named]) -> Mapping[str, str]:
    """The id of a field by any of its names, in lower case: the shortest of those that share a name behind them."""
    fields = tuple(fields)
    best: dict[str, str] = {}
    for field in fields:
        short = field.short.lower()
        best[short] = min(best.get(short, field.name), field.name, key=len)
    known: dict[str, str] = {}
    for field in fields:
        if field.short:
            shortest = known.setdefault(field.short.lower(), best[field.short.lower()])
            known.setdefault(field.name.lower(), shortest)
    for field in fields:
        known.setdefault(field.name.lower(), field.name)
    return known


def _id(field: _Named, known: Mapping[str, str]) -> str:
    name = known[field.name.lower()]
    return name if len(name) + len(_WIDE.findall(name)) <= LONGEST else ""


def _names(
    said: Iterable[Mapping[Lang, tuple[_Named, ...]]], known: Mapping[str, str], languages: tuple[Lang, ...]
) -> Mapping[str, Text]:
    """The name of each field in all languages, where both texts of a section name equally many."""
    names: dict[str, Text] = {}
    for area in said:
        if len({len(area.get(lang, ())) for lang in languages}) == 1:
            for together in zip(*(area[lang] for lang in languages if lang in area), strict=True):
                name, *others = together
                own = _id(name, known)
                parts = zip(languages, (own, *(other.name for other in others)), strict=True)
                names.setdefault(own, Text(tuple(parts)))
    return names
