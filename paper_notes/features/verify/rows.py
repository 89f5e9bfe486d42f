"""Numbers of a note with what was found out about each, by section and language: as they are kept."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import sha256

from paper_notes.corpus.model import Lang
from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.bindings import CellBinding
from paper_notes.features.verify.evidence import Evidence, KeptNumber, KeptSection
from paper_notes.features.verify.results import Result
from paper_notes.features.verify.surroundings import Surroundings
from paper_notes.markdown.body import LEAD, Body
from paper_notes.values import Struct, replace


class NumberRow(Struct, frozen=True):
    """A number, and what was found out about it."""

    lang: Lang
    section: str
    digest: str
    """Of the section."""
    result: Result
    sentence: str
    """That it is in; of a cell, its row and the head of its column."""
    kept: KeptNumber
    from_kept: bool = False
    """Whether it was taken from what is kept, for want of a PDF."""

    @property
    def line(self) -> int:
        return self.result.number.line

    @property
    def column(self) -> int:
        return self.result.number.column

    @property
    def claim(self) -> str:
        """Digest of the sentence, with which what a person accepted holds."""
        return sha256(" ".join(self.sentence.split()).encode()).hexdigest()[:10]

    @property
    def place(self) -> str:
        """In words."""
        kept = self.kept
        if isinstance(kept.binding, CellBinding) and kept.spot:
            return f"Table {kept.binding.table}, {' × '.join(kept.binding.labels)}, p. {kept.spot.page}"
        bound = str(kept.binding) if kept.binding and kept.kind != "own" else ""
        return "; ".join(filter(None, (kept.spot.name if kept.spot else "", bound or kept.remark)))


class Sections:
    """Which section a line of a text is in."""

    def __init__(self, body: Body, lang: Lang) -> None:
        halves = [(part.id, part.halves[lang]) for part in body.sections if lang in part.halves]
        starts = sorted((half.location.line, name, half.digest) for name, half in halves)
        half = body.halves.get(lang)
        self._all = [(0, LEAD, half.lead_digest if half else ""), *starts]

    def at(self, line: int) -> tuple[str, str]:
        """Id and digest."""
        _, name, digest = self._all[bisect_right(self._all, line, key=lambda entry: entry[0]) - 1]
        return name, digest


def rows_of(
    results: Sequence[Result],
    lang: Lang,
    sections: Sections,
    around: Surroundings,
    kept: Evidence | None,
    missing: Collection[BibKey],
) -> Iterator[NumberRow]:
    """A row for each number: as a person accepted it, or as it was kept where PDFs are missing that were there then.

    `missing` are the papers without a PDF.
    """
    lost = kept if kept and any(key in missing for key in kept.pdfs) else None
    accepted = {key: list(numbers) for key, numbers in kept.accepted().items()} if kept else {}
    counts: Counter[str] = Counter()
    for result in results:
        section, digest = sections.at(result.statement.line)
        index, number, text = counts[section], result.number, result.number.figures.text
        counts[section] += 1
        now = KeptNumber(
            index, text, result.verdict, result.spot, result.remark, round(result.chance, 2), result.binding
        )
        row = NumberRow(lang, section, digest, result, around.sentence_of(result.statement, number), now)
        saved = lost.of(lang, digest) if lost else None
        before = next((item for item in saved.numbers if item.place == index), None) if saved else None
        if mine := accepted.get((lang, row.claim, text)):
            row = replace(row, kept=replace(mine.pop(0), place=index))
        elif before and before.text == text:
            row = replace(row, kept=before, from_kept=True)
        yield row


_OPEN = frozenset({"elsewhere", "ambiguous", "missing"})


def shared(rows: Sequence[NumberRow]) -> Iterator[NumberRow]:
    """The rows; what a person accepted in one language holds in the other, if both say the number once in a section."""
    same = defaultdict[object, list[NumberRow]](list)
    for row in rows:
        same[_said(row)].append(row)
    for row in rows:
        pair = same[_said(row)]
        once = pair if len(pair) == 2 else ()
        other = next((other for other in once if other.kept.accepted and other.lang != row.lang), None)
        if other and row.kept.verdict in _OPEN:
            row = replace(row, kept=replace(other.kept, place=row.kept.place, text=row.kept.text, accepted=row.claim))
        yield row


def _said(row: NumberRow) -> object:
    figures = row.result.number.figures
    return row.section, figures.plain.normalize(), figures.unit, figures.sign


def kept_sections(rows: Iterable[NumberRow]) -> Iterator[KeptSection]:
    """All but what is too small to be wrong."""
    by_section: dict[tuple[Lang, str, str], list[KeptNumber]] = {}
    for row in rows:
        if row.kept.verdict != "unchecked":
            by_section.setdefault((row.lang, row.section, row.digest), []).append(row.kept)
    for section, numbers in by_section.items():
        yield KeptSection(*section, tuple(numbers))
