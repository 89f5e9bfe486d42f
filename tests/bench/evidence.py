"""How well `paper-notes verify` notices mistakes: plants them, one at a time, and looks again. Not a test.

    python tests/bench/evidence.py PDFS [--notes FOLDER] [--each 20] [--seed 16] [--one-language] [--missed] [--alarms]
    python tests/bench/evidence.py PDFS --notes FOLDER --planted MISTAKES.json

PDFS is a folder with the PDFs of the notes, named by arXiv id or BibTeX key. Mistakes of eleven kinds are planted by
rules, in both languages of a note or in one, or those of a file are: a list of `{"note", "kind", "edits": [{"file",
"line", "old", "new"}]}`. One is noticed if a finding that was not there before points at an edited line. Findings about
the papers and those of comparing the languages are counted apart. What `--alarms` lists is found in the untouched
texts, which an author compared with the papers: it is false, but where it asks for a number that `undeclared.json`
beside the mistakes names for the note, as one that the author computed without saying so.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from pathlib import Path

from paper_notes.commands.collection import open_collection
from paper_notes.corpus.model import Lang, Note, NoteText
from paper_notes.diagnostics import Diagnostic
from paper_notes.features.verify.differences import differences
from paper_notes.features.verify.evidence import NAME, read_evidence
from paper_notes.features.verify.quantities import Quantity, agreement, quantities_in
from paper_notes.features.verify.report import NoteReport, examine, reports_on
from paper_notes.features.verify.rows import NumberRow, Sections
from paper_notes.features.verify.statements import Statement, read_statements
from paper_notes.features.verify.tables import PaperTable, TableCell, table_of
from paper_notes.languages.language import Words
from paper_notes.markdown.body import Body
from paper_notes.values import replace

PROJECT = Path(__file__).resolve().parents[2]
_TRUE = ("bound", "ambiguous", "elsewhere")
"""Verdicts of numbers that the paper has."""
_TRIES = 100

Key = tuple[str, int, str, str]
"""File, line, rule and message of a finding."""
Edits = dict[tuple[str, int], str]
"""New lines, by file and number."""


@dataclass(frozen=True)
class Subject:
    """A note, and what is found out about it."""

    note: Note
    body: Body
    report: NoteReport
    words: Words

    @cached_property
    def texts(self) -> Mapping[Lang, NoteText]:
        return {text.lang: text for text in self.note.texts}

    def line(self, path: str, number: int) -> str:
        text = next(text for text in self.note.texts if str(text.path) == path)
        return text.text.split("\n")[number - text.first_line]

    def findings(self, edits: Edits) -> set[Key]:
        """What is found after some edits."""
        if not edits:
            return set(map(_key, self.report.findings))
        kept = read_evidence(self.note.files.get(NAME))
        return set(map(_key, examine(self._edited(edits), self.body, self.report.held, kept, self.words).findings))

    def differing(self, edits: Edits) -> set[Key]:
        """What comparing the languages finds by itself: no finding is left out for one that says more."""
        sections: dict[Lang, dict[str, list[Statement]]] = {}
        texts = {text.lang: text for text in self._edited(edits).texts}
        for lang, text in texts.items():
            where = Sections(self.body, lang)
            for statement in read_statements(text, self.words):
                sections.setdefault(lang, {}).setdefault(where.at(statement.line)[0], []).append(statement)
        return set(map(_key, differences(sections, texts)))

    def _edited(self, edits: Edits) -> Note:
        return replace(self.note, texts=tuple(_edited(text, edits) for text in self.note.texts))

    @cached_property
    def before(self) -> tuple[set[Key], set[Key]]:
        return self.findings({}), self.differing({})

    @cached_property
    def tables(self) -> Sequence[PaperTable]:
        """Those of the papers that the note is about."""
        indexes = [item.index for item in self.report.held if item.index and item.paper.key in self.note.papers]
        tables = (table_of(part.passage) for index in indexes for part in index.all)
        return [table for table in tables if table]

    @cached_property
    def printed(self) -> Sequence[tuple[PaperTable, TableCell, Sequence[Quantity]]]:
        """The cells of the papers with their numbers."""
        every = ((table, cell) for table in self.tables for cell in table.cells)
        return [(table, cell, [*quantities_in(cell.text, in_paper=True)]) for table, cell in every]

    def cells(self, row: NumberRow) -> Iterator[tuple[PaperTable, TableCell]]:
        """The cells of the papers that have a number."""
        for table, cell, quantities in self.printed:
            if any(agreement(row.result.number.figures, one) == "same" for one in quantities):
                yield table, cell

    @cached_property
    def counted(self) -> Sequence[tuple[int, re.Match[str], int]]:
        """The numbers in words of the English text that the papers have before the same noun, with their lines."""
        english = next((text for lang, text in self.texts.items() if lang.startswith("en")), None)
        indexes = [item.index for item in self.report.held if item.index and item.paper.key in self.note.papers]
        said = " ".join(row for index in indexes for part in index.all for row in part.rows).lower()
        counted = []
        for number, line in enumerate(english.text.split("\n"), english.first_line) if english else ():
            for match in re.finditer(rf"\b({'|'.join(_WORDS)}) ([a-z]{{4,}})", line, re.IGNORECASE):
                value = 2 + _WORDS.index(match[1].lower())
                if re.search(rf"\b(?:{match[1].lower()}|{value}) {match[2][:-1].lower()}", said):
                    counted.append((number, match, value))
        return counted

    def path(self, row: NumberRow) -> str:
        return str(self.texts[row.lang].path)

    def rows(self, lang: Lang | None = None) -> Sequence[NumberRow]:
        return [row for row in self.report.rows if lang in (None, row.lang)]

    def counterpart(self, row: NumberRow) -> NumberRow | None:
        """The same number in the other language; None if it is not clear which that is."""

        def same(lang: str) -> list[NumberRow]:
            figures = row.result.number.figures
            return [
                other
                for other in self.report.rows
                if (other.lang, other.section) == (lang, row.section)
                and other.result.number.figures.plain == figures.plain
                and (other.result.statement.table < 0) == (row.result.statement.table < 0)
            ]

        others = [lang for lang in self.texts if lang != row.lang]
        mine, theirs = same(row.lang), same(others[0]) if others else []
        return theirs[mine.index(row)] if len(mine) == len(theirs) else None


def _edited(text: NoteText, edits: Edits) -> NoteText:
    lines = text.text.split("\n")
    for (path, number), line in edits.items():
        if path == str(text.path):
            lines[number - text.first_line] = line
    return replace(text, content="\n".join(lines), start=0)


def _key(finding: Diagnostic) -> Key:
    where = finding.location
    return str(where.path), where.line or 0, finding.rule, finding.message


@dataclass(frozen=True)
class Mistake:
    """A planted mistake."""

    kind: str
    note: str
    edits: Edits
    what: str
    """What was changed, to be shown."""


Change = Callable[[random.Random, Subject, NumberRow], Edits]
"""The edits of one language; none if such a mistake cannot be planted there. It must choose the same in both."""


def _with(subject: Subject, row: NumberRow, pattern: str, change: Callable[[re.Match[str]], str]) -> Edits:
    """The line of a number with what matches from it on changed."""
    path, at = subject.path(row), row.column - 1
    line = subject.line(path, row.line)
    match = re.compile(pattern).match(line, at)
    if match is None or not (new := change(match)):
        return {}
    return {(path, row.line): line[:at] + new + line[match.end() :]}


_DIGITS = r"[\d.]+"


def digit(dice: random.Random, subject: Subject, row: NumberRow) -> Edits:
    """Another digit, not the first as zero."""

    def change(match: re.Match[str]) -> str:
        text = match[0]
        places = [at for at, sign in enumerate(text) if sign.isdigit()]
        at = dice.choice(places)
        leading = at == places[0] and text[at + 1 : at + 2] not in (".", "")
        return (
            text[:at]
            + dice.choice([one for one in "0123456789" if one != text[at] and (one != "0" or not leading)])
            + text[at + 1 :]
        )

    return _with(subject, row, _DIGITS, change)


def rounding(dice: random.Random, subject: Subject, row: NumberRow) -> Edits:
    """One digit less, rounded the wrong way."""

    def change(match: re.Match[str]) -> str:
        whole, _, part = match[0].partition(".")
        if not part or (len(part) == 1 and len(whole) == 1):
            return ""
        short, last = Decimal(match[0][:-1].rstrip(".")), int(part[-1])
        if last == 0:
            return ""
        return str(short if last >= 5 else short + Decimal(1).scaleb(1 - len(part)))

    return _with(subject, row, r"\d+\.\d+(?!\d)", change)


_UNITS = (
    ("ms", "s"), ("µs", "ms"), ("s", "ms"), ("GB", "MB"), ("MB", "GB"), ("K", "M"), ("k", "M"), ("M", "B"), ("B", "M"),
    ("×", "%"), ("x", "%"), ("倍", "%"), ("%", "×"), ("毫秒", "秒"), ("秒", "毫秒"), ("万", "亿"), ("亿", "万"),
    ("million", "billion"), ("billion", "million"), ("hours", "days"),
    ("小时", "天"), ("minutes", "hours"), ("分钟", "小时"),
)  # fmt: skip


def unit(dice: random.Random, subject: Subject, row: NumberRow) -> Edits:
    """The unit after the number is another one."""
    del dice
    for old, new in _UNITS:
        end = r"(?![A-Za-z])" if old.isascii() and old.isalpha() else ""
        pattern = rf"(?P<number>{_DIGITS})(?P<space>\s?\\?(?:times)?){re.escape(old)}{end}"
        if edits := _with(subject, row, pattern, lambda match, new=new: f"{match['number']}{match['space']}{new}"):  # type: ignore[misc]
            return edits
    return {}


def points(dice: random.Random, subject: Subject, row: NumberRow) -> Edits:
    """A difference in points as percent; or a share in percent as points."""
    del dice
    pattern = rf"({_DIGITS})\s?(?:percentage points?|points?|个?百分点|个点)"
    if edits := _with(subject, row, pattern, lambda match: f"{match[1]}%"):
        return edits
    words = " 个百分点" if row.lang.startswith("zh") else " points"
    return _with(subject, row, rf"({_DIGITS})\s?\\?%(?!\d)", lambda match: f"{match[1]}{words}")


_OPPOSITES = (
    ("higher", "lower"), ("lower", "higher"), ("increases", "decreases"), ("increase", "decrease"), ("rises", "falls"),
    ("falls", "rises"), ("gains", "loses"), ("faster", "slower"), ("slower", "faster"), ("improves", "worsens"),
    ("drops", "rises"), ("above", "below"), ("below", "above"), ("up by", "down by"), ("more", "less"),
    ("fewer", "more"), ("提高", "下降"), ("提升", "下降"), ("上升", "下降"), ("增加", "减少"), ("减少", "增加"),
    ("下降", "上升"), ("降低", "提高"), ("高出", "低出"), ("低于", "高于"), ("高于", "低于"), ("涨", "跌"),
    ("降到", "升到"), ("快", "慢"),
)  # fmt: skip


def sign(dice: random.Random, subject: Subject, row: NumberRow) -> Edits:
    """Minus for plus, or a word of direction near the number for its opposite."""
    del dice
    path, at = subject.path(row), row.column - 1
    line = subject.line(path, row.line)
    before = re.search(r"[-−+]\s?$", line[:at])
    if before and not re.search(r"[\w%)}]\s?$", line[: before.start()]):
        other = "+" if before[0][0] != "+" else "-"
        return {(path, row.line): line[: before.start()] + other + line[before.start() + 1 :]}
    if row.result.statement.table >= 0:
        return {}
    near = (max(0, at - 30), min(len(line), at + 30))
    for old, new in _OPPOSITES:
        pattern = rf"\b{old}\b" if old.isascii() else old
        for match in re.finditer(pattern, line[near[0] : near[1]]):
            start = near[0] + match.start()
            between = line[min(start, at) : max(start, at)]
            if not _END.search(between):
                return {(path, row.line): line[:start] + new + line[start + len(old) :]}
    return {}


def wrong_table(dice: random.Random, subject: Subject, row: NumberRow) -> Edits:
    """Another table named for a number, which does not have it."""
    spot, statement, path = row.result.spot, row.result.statement, subject.path(row)
    if spot is None or spot.kind not in ("table", "figure") or statement.table >= 0:
        return {}
    start, end = statement.sentence(row.result.number.figures.start)
    if not any(
        (place.kind, place.number) == (spot.kind, spot.number) and start <= place.start < end
        for place in statement.places
    ):
        return {}
    index = next((item.index for item in subject.report.held if item.paper.key == spot.key), None)
    others = [part for part in (index.all if index else ()) if part.passage.kind == spot.kind]
    free = [part.passage.number for part in others if not part.find(row.result.number.figures)]
    free = [number for number in free if len(number) == len(spot.number)]
    line = subject.line(path, row.line)
    named = re.compile(r"((?:Tables?|表|Figs?\.?|Figures?|图)\s*)" + re.escape(spot.number) + r"(?![\w.]*\w)")
    if not free or len(named.findall(line)) != 1:
        return {}
    return {(path, row.line): named.sub(rf"\g<1>{dice.choice(sorted(free))}", line)}


def _swapped_label(dice: random.Random, subject: Subject, row: NumberRow, *, of_row: bool) -> Edits:
    """Another label of the table's rows or columns beside a number that is of this one, in the same sentence."""
    path, spot = subject.path(row), row.result.spot
    figures = row.result.number.figures
    elsewhere = spot is not None and spot.kind != "table"
    if row.result.statement.table >= 0 or elsewhere or len(figures.digits.replace(".", "")) < 2:
        return {}
    line, at = subject.line(path, row.line), row.column - 1
    options: set[tuple[int, str, str]] = set()
    for table, cell in subject.cells(row):
        own, across = (cell.row_path, cell.column_path) if of_row else (cell.column_path, cell.row_path)
        if spot and spot.number != table.number:
            continue
        for level, label in enumerate(own):
            if start := _beside(label, line, at):
                theirs = {
                    new[level]
                    for other in table.cells
                    for new, beside in [
                        (other.row_path, other.column_path) if of_row else (other.column_path, other.row_path)
                    ]
                    if beside == across
                    and len(new) == len(own)
                    and (new[:level], new[level + 1 :]) == (own[:level], own[level + 1 :])
                    and other.text != cell.text
                    and any(map(str.isdigit, other.text))
                }
                options |= {(start, label, new) for new in theirs if new not in line and len(new) < _LONGEST}
    if not options:
        return {}
    start, label, new = dice.choice(sorted(options))
    return {(path, row.line): line[:start] + new + line[start + len(label) :]}


_LONGEST = 40
_END = re.compile(r"[.;。；！？](?!\d)")


def _beside(label: str, line: str, at: int) -> int:
    """Where a label is in the sentence of a place, the nearest; 0 if nowhere."""
    if not re.search(r"[A-Za-z]{2}", label):
        return 0
    starts = (match.start() for match in re.finditer(rf"(?<![\w-]){re.escape(label)}(?![\w-])", line))
    near = [start for start in starts if not _END.search(line[min(start, at) : max(start, at)])]
    return min(near, key=lambda start: abs(start - at), default=0)


def wrong_baseline(dice: random.Random, subject: Subject, row: NumberRow) -> Edits:
    return _swapped_label(dice, subject, row, of_row=True)


def wrong_dataset(dice: random.Random, subject: Subject, row: NumberRow) -> Edits:
    return _swapped_label(dice, subject, row, of_row=False)


def _cells(line: str) -> list[str]:
    return re.split(r"(?<!\\)\|", line)


def _other_rows(subject: Subject, row: NumberRow) -> list[NumberRow]:
    """The numbers of the same table of the note that are in another row."""
    mine = row.result.statement
    same = (other for other in subject.rows(row.lang) if other.result.statement.table == mine.table >= 0)
    return [other for other in same if other.result.statement.row != mine.row and other.line != row.line]


def swapped_cells(dice: random.Random, subject: Subject, row: NumberRow) -> Edits:
    """Two cells of a column of the note's table are swapped."""
    column, path = row.result.statement.column, subject.path(row)
    others = [other for other in _other_rows(subject, row) if other.result.statement.column == column > 0]
    others = [
        other
        for other in others
        if other.result.number.figures.plain != row.result.number.figures.plain and other.kept.verdict in _TRUE
    ]
    if not others:
        return {}
    other = dice.choice(others)
    return _exchanged(
        subject.line(path, row.line), subject.line(path, other.line), path, row.line, other.line, column + 1
    )


def transposed(dice: random.Random, subject: Subject, row: NumberRow) -> Edits:
    """The labels of two rows of the note's table are swapped."""
    path = subject.path(row)
    others = [other for other in _other_rows(subject, row) if other.kept.verdict in _TRUE]
    others = [other for other in others if _numbers(subject, other) != _numbers(subject, row)]
    if not others:
        return {}
    other = dice.choice(others)
    return _exchanged(subject.line(path, row.line), subject.line(path, other.line), path, row.line, other.line, 1)


def _numbers(subject: Subject, row: NumberRow) -> list[Decimal]:
    return [other.result.number.figures.plain for other in subject.rows(row.lang) if other.line == row.line]


def _exchanged(one: str, two: str, path: str, first: int, second: int, at: int) -> Edits:
    left, right = _cells(one), _cells(two)
    if (
        not (one.lstrip().startswith("|") and two.lstrip().startswith("|"))
        or len(left) != len(right)
        or at >= len(left)
    ):
        return {}
    if left[at] == right[at]:
        return {}
    left[at], right[at] = right[at], left[at]
    return {(path, first): "|".join(left), (path, second): "|".join(right)}


KINDS: Mapping[str, Change] = {
    "digit changed": digit,
    "wrong table named": wrong_table,
    "cells swapped": swapped_cells,
    "unit": unit,
    "rounding": rounding,
    "wrong baseline": wrong_baseline,
    "wrong dataset": wrong_dataset,
    "rows transposed": transposed,
    "sign": sign,
    "percent against points": points,
}
_WORDS = "two three four five six seven eight nine ten eleven twelve".split()
_CHARACTERS = "两三四五六七八九十"
_COUNTED = "个種种次项倍步层組组类篇位路台段级家处张套轮"


def number_words(dice: random.Random, subject: Subject, langs: Sequence[Lang]) -> Edits:
    """A number in words that the paper has before the same noun is one more."""
    english = next((text for lang, text in subject.texts.items() if lang.startswith("en")), None)
    chinese = next((text for lang, text in subject.texts.items() if lang.startswith("zh")), None)
    if english is None or chinese is None:
        return {}
    found = list(subject.counted)
    dice.shuffle(found)
    for number, match, value in found:
        line = match.string
        word = _WORDS[(value - 1) % len(_WORDS)]
        edits: Edits = {}
        if english.lang in langs:
            word = word.capitalize() if match[1][0].isupper() else word
            edits[str(english.path), number] = line[: match.start()] + word + line[match.end(1) :]
        if chinese.lang in langs:
            other = _chinese_line(subject, english, chinese, number, value)
            if other is None:
                continue
            place, new = other
            edits[str(chinese.path), place] = new
        return edits
    return {}


def _chinese_line(
    subject: Subject, english: NoteText, chinese: NoteText, number: int, value: int
) -> tuple[int, str] | None:
    """The Chinese line at the same place among those that are not empty, with its number in words one more."""
    blocks = [
        [n for n, line in enumerate(text.text.split("\n"), text.first_line) if line.strip()]
        for text in (english, chinese)
    ]
    if value > 9 or len(blocks[0]) != len(blocks[1]) or number not in blocks[0]:
        return None
    place = blocks[1][blocks[0].index(number)]
    line = subject.line(str(chinese.path), place)
    match = [*re.finditer(rf"{_CHARACTERS[value - 2]}(?=[{_COUNTED}])", line)]
    if len(match) != 1:
        return None
    return place, line[: match[0].start()] + _CHARACTERS[value - 1] + line[match[0].end() :]


def planted(dice: random.Random, subjects: Sequence[Subject], each: int, *, one_language: bool) -> Iterator[Mistake]:
    """Mistakes of each kind, as many as there are or `each`."""
    for kind in (*KINDS, "number words"):
        told: set[tuple[tuple[str, int, str], ...]] = set()
        for _ in range(_TRIES * each):
            if len(told) == each:
                break
            subject = dice.choice(subjects)
            edits, what = _mistake(dice, subject, kind, one_language=one_language)
            key = tuple((path, number, line) for (path, number), line in edits.items())
            if edits and key not in told:
                told.add(key)
                yield Mistake(kind, str(subject.note.id), edits, what)


def _mistake(dice: random.Random, subject: Subject, kind: str, *, one_language: bool) -> tuple[Edits, str]:
    langs = list(subject.texts)
    chosen = [dice.choice(langs)] if one_language else langs
    if kind == "number words":
        edits = number_words(dice, subject, chosen)
        return edits, ""
    rows = [
        row for row in subject.rows(chosen[0]) if row.kept.verdict in _TRUE and not row.result.number.figures.in_words
    ]
    if not rows:
        return {}, ""
    row, seed = dice.choice(rows), dice.random()
    edits = KINDS[kind](random.Random(seed), subject, row)
    if edits and not one_language:
        other = subject.counterpart(row)
        theirs = KINDS[kind](random.Random(seed), subject, other) if other else {}
        edits = {**edits, **theirs} if theirs else {}
    return edits, f"{row.result.number.figures.text!r}"


@dataclass
class Counts:
    """Of a kind."""

    planted: int = 0
    by_papers: int = 0
    by_languages: int = 0
    noticed: int = 0
    missed: list[Mistake] = field(default_factory=list)


def measured(subjects: Sequence[Subject], mistakes: Iterator[Mistake]) -> Mapping[str, Counts]:
    """How many of the mistakes are noticed."""
    by_note = {str(subject.note.id): subject for subject in subjects}
    counts = {kind: Counts() for kind in (*KINDS, "number words")}
    for mistake in mistakes:
        subject, count = by_note[mistake.note], counts.setdefault(mistake.kind, Counts())
        new = subject.findings(mistake.edits) - subject.before[0]
        papers = any(key[:2] in mistake.edits and key[2] != "languages-differ" for key in new)
        languages = any(key[:2] in mistake.edits for key in subject.differing(mistake.edits) - subject.before[1])
        count.planted += 1
        count.by_papers += papers
        count.by_languages += languages
        count.noticed += papers or languages
        if not (papers or languages):
            count.missed.append(mistake)
    return counts


def by_hand(subjects: Sequence[Subject], path: Path) -> Iterator[Mistake]:
    """The mistakes of a file; one whose old words are not there any more is said to be left out."""
    notes = {
        text_path: subject for subject in subjects for text in subject.note.texts for text_path in [str(text.path)]
    }
    for item in json.loads(path.read_text("utf-8")):
        edits: Edits = {}
        for edit in item["edits"]:
            file = edit["file"] if edit["file"] in notes else f"notes_src/{edit['file']}"
            line = edits.get((file, edit["line"])) or (notes[file].line(file, edit["line"]) if file in notes else "")
            if not line or edit["old"] not in line:
                say(f"left out, not there: {item['kind']} {edit['file']}:{edit['line']} {edit['old'][:60]!r}")
                edits = {}
                break
            edits[file, edit["line"]] = line.replace(edit["old"], edit["new"], 1)
        if edits:
            subject = notes[next(iter(edits))[0]]
            yield Mistake(item["kind"], str(subject.note.id), edits, "")


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def shown(subject: Subject, mistake: Mistake) -> Iterator[str]:
    """The words around what was changed, before and after."""
    for (path, number), line in mistake.edits.items():
        old = subject.line(path, number)
        start = next((at for at, (a, b) in enumerate(zip(old, line, strict=False)) if a != b), 0)
        around = slice(max(0, start - 50), start + 40)
        yield f"{mistake.kind}: {path}:{number} {old[around]!r} -> {line[around]!r}"


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pdfs", type=Path)
    parser.add_argument("--notes", type=Path, default=PROJECT / "notes_src")
    parser.add_argument("--each", type=int, default=20, help="of each kind")
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("--one-language", action="store_true", help="plant them in one language only")
    parser.add_argument("--planted", type=Path, help="the mistakes of a file, instead of random ones")
    parser.add_argument("--missed", action="store_true", help="show what was not noticed")
    parser.add_argument("--alarms", action="store_true", help="show what is found in the untouched texts")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        sources = options.notes / "notes_src" if (options.notes / "notes_src").is_dir() else options.notes
        shutil.copytree(sources, root / "notes_src")
        shutil.copytree(options.pdfs, root / "notes_src" / "pdfs", dirs_exist_ok=True)
        with open_collection(root) as collection:
            corpus, bodies = collection.corpus, collection.bodies(1)[0]
            notes = [note for note in corpus.written if note.papers and not note.entries]
            reports = reports_on(corpus, bodies, collection.pdfs, notes)
            subjects = [
                Subject(note, bodies[note.id], report, corpus.site.words)
                for note, report in zip(notes, reports, strict=True)
                if any(item.index and item.paper.key in note.papers for item in report.held)
            ]
            report(subjects, options)


def _asks_for(finding: Diagnostic, undeclared: Mapping[str, Sequence[str]]) -> bool:
    """Whether a finding is on a number that its author computed and did not declare."""
    asked = re.match(r'"([^"]*)"', finding.message)
    mine = {
        number for note, numbers in undeclared.items() if f"/{note}/" in str(finding.location) for number in numbers
    }
    return asked is not None and re.sub(r"[^\d.,]", "", asked[1]).strip(".,") in mine


def report(subjects: Sequence[Subject], options: argparse.Namespace) -> None:
    rows = [row for subject in subjects for row in subject.report.rows]
    say(
        "untouched:",
        ", ".join(f"{count} {kind}" for kind, count in Counter(row.kept.kind for row in rows).most_common()),
    )
    alarms = [finding for subject in subjects for finding in subject.report.findings]
    rules = Counter(finding.rule for finding in alarms)
    say(
        f"found in untouched texts, of {len(rows)} numbers:",
        ", ".join(f"{n} {rule}" for rule, n in rules.most_common()),
    )
    if options.planted:
        own = json.loads(options.planted.with_name("undeclared.json").read_text("utf-8"))
        false = sum(not _asks_for(finding, own) for finding in alarms)
        say(f"false alarms: {false} of {len(rows)} numbers")
    if options.alarms:
        for finding in alarms:
            say(f"  {finding.severity} {finding.rule} {finding.location}: {finding.message}")
    if options.planted:
        mistakes = by_hand(subjects, options.planted)
    else:
        mistakes = planted(random.Random(options.seed), subjects, options.each, one_language=options.one_language)
    counts = measured(subjects, mistakes)
    say(f"\n{'':24}{'planted':>8}{'noticed':>9}{'':>6}{'in papers':>11}{'by languages':>14}")
    total = Counts(
        *(
            sum(getattr(count, name) for count in counts.values())
            for name in ("planted", "by_papers", "by_languages", "noticed")
        )
    )
    for kind, count in (*counts.items(), ("all", total)):
        part = f"{count.noticed / count.planted:6.0%}" if count.planted else f"{'':6}"
        say(f"{kind:24}{count.planted:8}{count.noticed:9}{part}{count.by_papers:11}{count.by_languages:14}")
    if options.missed:
        by_note = {str(subject.note.id): subject for subject in subjects}
        for count in counts.values():
            for mistake in count.missed:
                for line in shown(by_note[mistake.note], mistake):
                    say(f"missed {line}")


if __name__ == "__main__":
    main(sys.argv[1:])
