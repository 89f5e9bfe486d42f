"""Sections: give each an id, and pair those of two languages."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from paper_notes.corpus.model import Lang
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.languages.language import Language, Words
from paper_notes.markdown.body import LEAD, BodySection, SectionHalf
from paper_notes.patterns import regex
from paper_notes.values import Struct, replace

RESERVED = frozenset(f"{LEAD} toc toc-title main theme terms references backlinks paths footnotes".split())
_RESERVED_START = regex("pn-|ref-|path-|fn-|fnref-|view-|term-")
_COLON = regex("[:：]")


def is_reserved(section: str, languages: Iterable[Lang]) -> bool:
    """True for ids that the page itself has or once had, which sections must not take.

    Drawings have ids such as `en-1`, in the languages of the site.
    """
    in_drawing = any(section.startswith(f"{lang}-") and section[len(lang) + 1 :][:1].isdecimal() for lang in languages)
    return in_drawing or section in RESERVED or bool(_RESERVED_START.match(section))


class RawSection(Struct, frozen=True):
    """A section of one text. `id` is empty if the heading has no known one. `words` is the heading's text."""

    id: str
    level: int
    words: str
    half: SectionHalf
    number: str | None = None
    """As in `BodySection`."""

    @property
    def location(self) -> Location:
        return self.half.location


Row = Mapping[Lang, RawSection]


def usual_id(heading: str, languages: Iterable[Language]) -> str:
    """The id of a usual section name, by the heading's text before a colon, or empty."""
    name = _COLON.split(heading.strip(), maxsplit=1)[0].strip().lower()
    return next((known.sections[name] for known in languages if name in known.sections), "")


def slug(heading: str, languages: Iterable[Lang]) -> str:
    """An id from a heading's words: letters and digits of any script, joined by `-`."""
    words = re.findall(r"\w+", heading.lower())
    name = "-".join(words)
    if name[:1].isalpha() and not is_reserved(name, languages):
        return name
    return f"s-{name}" if name else "section"


def digest(lines: Iterable[str]) -> str:
    """Ten hex digits of the SHA-256 of a piece of Markdown; empty if it is blank.

    Spaces at the ends of lines and empty lines around the piece do not count.
    """
    text = "\n".join(line.rstrip() for line in lines).strip("\n")
    return hashlib.sha256(text.encode()).hexdigest()[:10] if text else ""


def pair(
    texts: Mapping[Lang, Sequence[RawSection]], words: Words
) -> tuple[tuple[BodySection, ...], tuple[Diagnostic, ...]]:
    """The sections of one or two texts as one sequence, and diagnostics where the two languages differ.

    Sections are paired by id; between two pairs, headings without an id are paired in order if the levels agree. A
    section without an id gets one from its heading in Latin script if there is one, else from the first language's.
    """
    if len(texts) < 2:
        return _with_ids([{lang: section} for lang, sections in texts.items() for section in sections], words), ()
    (lang, first), (other, second) = texts.items()
    moved = _moved(first, second)
    others = {section.id: section for section in first}
    problems = [_differs(section, others[section.id]) for section in second if section.id in moved]
    unmoved = [replace(section, id="") if section.id in moved else section for section in second]
    rows = [
        {tag: section for tag, section in ((lang, left), (other, right)) if section}
        for left, right in _rows(first, unmoved)
    ]
    places = {section.location for section in (*first, *second) if section.id in moved}
    problems += [
        problem
        for row in rows
        if not places & {section.location for section in row.values()}
        for problem in _unlike(row, other if lang in row else lang)
    ]
    return _with_ids(rows, words), tuple(problems)


def _moved(first: Sequence[RawSection], second: Sequence[RawSection]) -> set[str]:
    """Ids that both languages have, but not in the same order."""
    places = {section.id: place for place, section in enumerate(second) if section.id}
    moved: set[str] = set()
    done = 0
    for section in first:
        if section.id in places:
            if places[section.id] < done:
                moved.add(section.id)
            done = max(done, places[section.id] + 1)
    return moved


def _differs(section: RawSection, other: RawSection) -> Diagnostic:
    message = f'the section "{section.id}" is in another order than in {_short(other.location)}'
    return Diagnostic(section.location, "section-order", message, "give both languages the same sections in one order")


def _unlike(row: Row, other: Lang) -> Iterator[Diagnostic]:
    """Report how the two languages of a section differ; `other` is the one that may lack it."""
    first, *second = row.values()
    if not second:
        message = f'the section "{first.words}" has no counterpart in {other}.md'
        hint = "write it there too, or give both the same id: ## Title {#my-id}"
        yield Diagnostic(first.location, "section-mismatch", message, hint, "warning")
    elif first.level != second[0].level:
        message = f"a heading of level {second[0].level}; in {_short(first.location)} it has level {first.level}"
        yield Diagnostic(second[0].location, "section-mismatch", message, "give both the same level", "warning")
    elif None not in (first.number, second[0].number) and first.number != second[0].number:
        own, theirs = (section.number or "none" for section in (first, second[0]))
        message = f"a heading with the number {theirs}; in {_short(first.location)} it is {own}"
        yield Diagnostic(second[0].location, "section-mismatch", message, "give both the same number", "warning")


def _short(where: Location) -> str:
    return f"{where.path.name}, line {where.line}"


_Pair = tuple[RawSection | None, RawSection | None]


def _rows(first: Sequence[RawSection], second: Sequence[RawSection]) -> list[_Pair]:
    rows: list[_Pair] = []
    places = {section.id: place for place, section in enumerate(second) if section.id}
    first_done = second_done = 0
    for place, section in enumerate(first):
        meets = places.get(section.id, -1) if section.id else -1
        if meets >= second_done:
            rows += _between(first[first_done:place], second[second_done:meets])
            rows.append((section, second[meets]))
            first_done, second_done = place + 1, meets + 1
    return rows + _between(first[first_done:], second[second_done:])


def _between(first: Sequence[RawSection], second: Sequence[RawSection]) -> list[_Pair]:
    same = [section.level for section in first] == [section.level for section in second]
    if same and all(not left.id or not right.id for left, right in zip(first, second, strict=True)):
        return list(zip(first, second, strict=True))
    return [*((section, None) for section in first), *((None, section) for section in second)]


def _with_ids(rows: Sequence[Row], words: Words) -> tuple[BodySection, ...]:
    taken = {section.id for row in rows for section in row.values() if section.id}
    languages = {*words.tags, *(lang for row in rows for lang in row)}
    sections: list[BodySection] = []
    uses: Counter[str] = Counter()
    for row in rows:
        known_id = next((section.id for section in row.values() if section.id), "")
        latin = [section for lang, section in row.items() if words[lang].script == "Latn"]
        name = known_id or _free(slug((latin or [*row.values()])[0].words, languages), taken, uses)
        taken.add(name)
        level = next(iter(row.values())).level
        number = next((section.number for section in row.values() if section.number is not None), None)
        sections.append(BodySection(name, level, {lang: section.half for lang, section in row.items()}, number))
    return tuple(sections)


def _free(name: str, taken: set[str], uses: Counter[str]) -> str:
    candidate = name
    while candidate in taken:
        uses[name] += 1
        candidate = f"{name}-{uses[name] + 1}"
    return candidate
