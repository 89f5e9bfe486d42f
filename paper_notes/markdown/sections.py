"""Sections: cut a text at its headings, give each an id, and pair the two languages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from paper_notes.corpus.model import LANGS, Lang
from paper_notes.diagnostics import Location
from paper_notes.markdown.body import BodySection, SectionHalf

USUAL: Mapping[str, tuple[str, ...]] = {
    "motivation": ("动机", "motivation"),
    "background": ("背景速查", "背景", "background", "background cheat sheet"),
    "method": ("核心方法", "方法", "method", "methods", "core method", "approach"),
    "formulas": ("公式", "公式逐行翻译", "关键公式", "formulas", "formulas line by line", "key formulas"),
    "experiments": ("实验", "实验亮点", "实验结果", "experiments", "results"),
    "related-work": ("同类工作", "相关工作", "与同类工作对比", "related work"),
    "limitations": ("局限", "局限性", "limitations"),
    "open-questions": ("待验证问题", "开放问题", "open questions"),
    "memory-points": ("记忆点", "memory points"),
    "my-take": ("个人看法", "个人 take", "my take", "take"),
    "conclusion": ("结论", "小结", "总结", "conclusion", "summary"),
    "introduction": ("引言", "简介", "introduction"),
    "discussion": ("讨论", "discussion"),
}
"""The usual section names and the ids they get. A heading matches by its text before a colon."""
RESERVED = frozenset("toc main theme references backlinks paths footnotes view-zh view-en view-both".split())
"""Ids that the page itself has."""
_ID_OF = {name: section for section, names in USUAL.items() for name in names}
_COLON = re.compile(r"\s*[:：]")


@dataclass(frozen=True, slots=True)
class RawSection:
    """A section of one text. `id` is empty where only the other language may know it. `words` is the heading's text."""

    id: str
    level: int
    words: str
    half: SectionHalf
    location: Location


Row = Mapping[Lang, RawSection]


def usual_id(heading: str) -> str:
    """The id of a usual section name, or empty."""
    return _ID_OF.get(_COLON.split(heading.strip(), maxsplit=1)[0].strip().lower(), "")


def slug(heading: str) -> str:
    """An id from a heading's words: letters, digits and Chinese characters, joined by `-`."""
    words = re.findall(r"\w+", heading.lower())
    made = "-".join(words)
    return made if made[:1].isalpha() else f"s-{made}" if made else "section"


def pair(texts: Mapping[Lang, Sequence[RawSection]]) -> tuple[BodySection, ...]:
    """The sections of both languages as one sequence.

    Sections meet by id; between two that meet, headings without an id meet in their order if the levels agree. An id
    that nobody gave is made from the English heading, else the Chinese one.
    """
    languages = [lang for lang in LANGS if lang in texts]
    if len(languages) < 2:
        rows: list[Row] = [{lang: section} for lang in languages for section in texts[lang]]
    else:
        rows = _rows(texts["zh"], texts["en"])
    return _named(rows)


def _rows(zh: Sequence[RawSection], en: Sequence[RawSection]) -> list[Row]:
    rows: list[Row] = []
    en_place = {section.id: place for place, section in enumerate(en) if section.id}
    zh_done = en_done = 0
    for place, section in enumerate(zh):
        meets = en_place.get(section.id, -1) if section.id else -1
        if meets >= en_done:
            rows += _between(zh[zh_done:place], en[en_done:meets])
            rows.append({"zh": section, "en": en[meets]})
            zh_done, en_done = place + 1, meets + 1
    return rows + _between(zh[zh_done:], en[en_done:])


def _between(zh: Sequence[RawSection], en: Sequence[RawSection]) -> list[Row]:
    same = [s.level for s in zh] == [s.level for s in en] and all(
        not a.id or not b.id for a, b in zip(zh, en, strict=True)
    )
    if same:
        return [{"zh": a, "en": b} for a, b in zip(zh, en, strict=True)]
    only_zh: list[Row] = [{"zh": section} for section in zh]
    only_en: list[Row] = [{"en": section} for section in en]
    return only_zh + only_en


def _named(rows: Sequence[Row]) -> tuple[BodySection, ...]:
    taken = set(RESERVED) | {section.id for row in rows for section in row.values() if section.id}
    made: list[BodySection] = []
    for row in rows:
        given = next((section.id for section in row.values() if section.id), "")
        name = given or _free(slug((row.get("en") or row["zh"]).words), taken)
        taken.add(name)
        level = next(iter(row.values())).level
        made.append(BodySection(name, level, {lang: section.half for lang, section in row.items()}))
    return tuple(made)


def _free(name: str, taken: set[str]) -> str:
    number = 2
    candidate = name
    while candidate in taken:
        candidate, number = f"{name}-{number}", number + 1
    return candidate
