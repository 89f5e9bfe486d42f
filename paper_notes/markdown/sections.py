"""Sections: cut a text at its headings, give each an id, and pair the two languages."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from paper_notes.corpus.model import LANGS, Lang
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.markdown.body import LEAD, BodySection, SectionHalf

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
RESERVED = frozenset(f"{LEAD} toc toc-title main theme terms references backlinks paths footnotes".split())
_RESERVED_START = re.compile("pn-|ref-|path-|fn-|fnref-|view-|term-|(?:zh|en)-[0-9]")
"""The last are ids in drawings."""


def is_reserved(section: str) -> bool:
    """True for ids that the page itself has, or had once: sections keep their addresses."""
    return section in RESERVED or bool(_RESERVED_START.match(section))


_ID_OF = {name: section for section, names in USUAL.items() for name in names}
_COLON = re.compile("[:：]")


@dataclass(frozen=True, slots=True)
class RawSection:
    """A section of one text. `id` is empty where only the other language may know it. `words` is the heading's text."""

    id: str
    level: int
    words: str
    half: SectionHalf

    @property
    def location(self) -> Location:
        return self.half.location


Row = Mapping[Lang, RawSection]


def usual_id(heading: str) -> str:
    """The id of a usual section name, or empty."""
    return _ID_OF.get(_COLON.split(heading.strip(), maxsplit=1)[0].strip().lower(), "")


def slug(heading: str) -> str:
    """An id from a heading's words: letters, digits and Chinese characters, joined by `-`."""
    words = re.findall(r"\w+", heading.lower())
    made = "-".join(words)
    if made[:1].isalpha() and not is_reserved(made):
        return made
    return f"s-{made}" if made else "section"


def digest(lines: Iterable[str]) -> str:
    """Ten hex digits that tell a piece of Markdown from a changed one; empty if it is blank.

    Spaces at the ends of lines and empty lines around the piece do not count.
    """
    text = "\n".join(line.rstrip() for line in lines).strip("\n")
    return hashlib.sha256(text.encode()).hexdigest()[:10] if text else ""


def pair(texts: Mapping[Lang, Sequence[RawSection]]) -> tuple[tuple[BodySection, ...], tuple[Diagnostic, ...]]:
    """The sections of both languages as one sequence, and where the languages differ.

    Sections meet by id; between two that meet, headings without an id meet in their order if the levels agree. An id
    that nobody gave is made from the English heading, else the Chinese one.
    """
    languages = [lang for lang in LANGS if lang in texts]
    if len(languages) < 2:
        return _named([{lang: section} for lang in languages for section in texts[lang]]), ()
    zh, en = texts["zh"], texts["en"]
    moved = _moved(zh, en)
    others = {section.id: section for section in zh}
    problems = [_differs(section, others[section.id]) for section in en if section.id in moved]
    rows = _rows(zh, [replace(section, id="") if section.id in moved else section for section in en])
    places = {section.location for section in (*zh, *en) if section.id in moved}
    problems += [problem for row in rows if not places & {s.location for s in row.values()} for problem in _unlike(row)]
    return _named(rows), tuple(problems)


def _moved(zh: Sequence[RawSection], en: Sequence[RawSection]) -> set[str]:
    """Ids that both languages have, but not in the same order."""
    places = {section.id: place for place, section in enumerate(en) if section.id}
    moved: set[str] = set()
    done = 0
    for section in zh:
        if section.id in places:
            if places[section.id] < done:
                moved.add(section.id)
            done = max(done, places[section.id] + 1)
    return moved


def _differs(section: RawSection, other: RawSection) -> Diagnostic:
    message = f'the section "{section.id}" stands in another order than in {_short(other.location)}'
    return Diagnostic(section.location, "section-order", message, "give both languages the same sections in one order")


def _unlike(row: Row) -> Iterator[Diagnostic]:
    """What tells the two languages of a section apart."""
    first, *second = row.values()
    if not second:
        other = "en.md" if "zh" in row else "zh.md"
        message = f'the section "{first.words}" has no counterpart in {other}'
        hint = "write it there too, or give both the same id: ## Title {#my-id}"
        yield Diagnostic(first.location, "section-mismatch", message, hint, "warning")
    elif first.level != second[0].level:
        message = f"a heading of level {second[0].level}; in {_short(first.location)} it has level {first.level}"
        yield Diagnostic(second[0].location, "section-mismatch", message, "give both the same level", "warning")


def _short(where: Location) -> str:
    return f"{where.path.name}, line {where.line}"


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
    taken = {section.id for row in rows for section in row.values() if section.id}
    made: list[BodySection] = []
    uses: Counter[str] = Counter()
    for row in rows:
        given = next((section.id for section in row.values() if section.id), "")
        name = given or _free(slug((row.get("en") or row["zh"]).words), taken, uses)
        taken.add(name)
        level = next(iter(row.values())).level
        made.append(BodySection(name, level, {lang: section.half for lang, section in row.items()}))
    return tuple(made)


def _free(name: str, taken: set[str], uses: Counter[str]) -> str:
    candidate = name
    while candidate in taken:
        uses[name] += 1
        candidate = f"{name}-{uses[name] + 1}"
    return candidate
