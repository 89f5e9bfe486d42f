"""How well `paper-notes verify` notices wrong numbers: changes some at random, one at a time, and looks again.

    python tests/bench/evidence.py PDFS [--changes 300] [--seed 16] [--notes FOLDER] [--alarms]

PDFS is a folder with the PDFs of the notes, named by arXiv id or BibTeX key. Three kinds of changes are made to numbers
that are at the place named: another digit, the cells of a table swapped, and another table or figure named for them,
which does not have the number. A change is caught if the number is no longer at the place named; of two swapped ones,
if one is not. `--alarms` lists untouched numbers that are reported: a person has to say which are in the paper.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from paper_notes.corpus.model import Note, NoteText
from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.commands.verify import examined
from paper_notes.features.verify.index import PaperIndex
from paper_notes.features.verify.report import short_name
from paper_notes.features.verify.statements import read_statements
from paper_notes.features.verify.verify import Result, verify

PROJECT = Path(__file__).resolve().parents[2]
KINDS = ("another digit", "swapped cells", "wrong table")


@dataclass(frozen=True)
class Text:
    """A text of a note, with what is needed to look for its numbers again."""

    note: Note
    text: NoteText
    papers: dict[BibKey, PaperIndex | None]
    names: dict[BibKey, str]

    def results(self, written: str) -> tuple[Result, ...]:
        statements = read_statements(replace(self.text, content=written, start=0))
        return verify(statements, self.papers, self.note.papers, self.names)


@dataclass(frozen=True)
class Change:
    """A text with one number changed; `at` are line and column of what must be noticed."""

    kind: str
    written: str
    at: tuple[tuple[int, int], ...]


def texts_of(root: Path) -> Iterator[Text]:
    corpus, reports = examined(root, (), 1)
    for report in reports:
        note = corpus.note(report.note)
        papers = {one.paper.key: one.index for one in report.held}
        if any(papers.get(key) for key in note.papers):
            names = {one.paper.key: name for one in report.held if (name := short_name(one.paper))}
            yield from (Text(note, text, papers, names) for text in note.texts)


def other_digit(
    dice: random.Random, lines: Sequence[str], target: Result, _all: Sequence[Result], _text: Text
) -> Change | None:
    number = target.number
    written = number.figures.text
    places = [place for place, sign in enumerate(written) if sign.isascii() and sign.isdigit()]
    place = dice.choice(places)
    first = place == places[0] and len(places) > 1 and written[place + 1 : place + 2] != "."
    digit = dice.choice([sign for sign in "0123456789" if sign != written[place] and not (first and sign == "0")])
    changed = put(lines, number.line, number.column, written, written[:place] + digit + written[place + 1 :])
    return Change(KINDS[0], changed, ((number.line, number.column),)) if changed else None


def swapped(
    dice: random.Random, lines: Sequence[str], target: Result, results: Sequence[Result], _text: Text
) -> Change | None:
    one = target.number
    same = [
        other.number
        for other in results
        if other.statement.table == target.statement.table >= 0
        and other.verdict == "bound"
        and other.number.figures.value != one.figures.value
        and len(other.number.figures.text) == len(one.figures.text)
        and (other.statement.row, other.statement.column) != (target.statement.row, target.statement.column)
    ]
    if not same or target.statement.column < 1:
        return None
    other = dice.choice(same)
    changed = put(lines, one.line, one.column, one.figures.text, other.figures.text)
    changed = put(changed.split("\n"), other.line, other.column, other.figures.text, one.figures.text)
    return Change(KINDS[1], changed, ((one.line, one.column), (other.line, other.column))) if changed else None


def wrong_place(
    dice: random.Random, lines: Sequence[str], target: Result, _all: Sequence[Result], text: Text
) -> Change | None:
    spot, line = target.spot, lines[target.statement.line - 1]
    if spot is None or spot.kind not in ("table", "figure") or target.remark or target.statement.table >= 0:
        return None
    named = re.compile(r"((?:Tables?|表|Figs?\.?|Figures?|图)\s*)" + re.escape(spot.number) + r"(?![\w.]*\w)")
    start, end = target.statement.sentence(target.number.figures.start)
    inside = [place for place in target.statement.places if start <= place.start < end]
    beside = inside or target.statement.places
    if not any((place.kind, place.number) == (spot.kind, spot.number) for place in beside):
        return None
    if len(named.findall(line)) != 1:
        return None
    index = text.papers[spot.key]
    others = [
        one.passage.number
        for one in (index.all if index else ())
        if one.passage.kind == spot.kind and not one.find(target.number.figures)
    ]
    others = [number for number in others if len(number) == len(spot.number)]
    if not others:
        return None
    other = dice.choice(others)
    changed = named.sub(rf"\g<1>{other}", line)
    if len(changed) != len(line):
        return None
    written = "\n".join([*lines[: target.statement.line - 1], changed, *lines[target.statement.line :]])
    return Change(KINDS[2], written, ((target.number.line, target.number.column),))


def put(lines: Sequence[str], line: int, column: int, old: str, new: str) -> str:
    """The text with `new` for `old`; empty if that is not there."""
    row = lines[line - 1]
    if not row[column - 1 :].startswith(old):
        return ""
    row = row[: column - 1] + new + row[column - 1 + len(old) :]
    return "\n".join([*lines[: line - 1], row, *lines[line:]])


MAKERS = (other_digit, swapped, wrong_place)


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pdfs", type=Path)
    parser.add_argument("--changes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("--notes", type=Path, default=PROJECT / "notes_src")
    parser.add_argument("--alarms", action="store_true")
    parser.add_argument("--missed", action="store_true", help="show what was not caught")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        shutil.copytree(options.notes, root / "notes_src")
        shutil.copytree(options.pdfs, root / "notes_src" / "pdfs", dirs_exist_ok=True)
        measure(list(texts_of(root)), options)


def measure(texts: Sequence[Text], options: argparse.Namespace) -> None:
    dice = random.Random(options.seed)
    before = {place: text.results(text.text.text) for place, text in enumerate(texts)}
    all_results = [(place, result) for place, results in before.items() for result in results]
    counts = Counter(result.verdict for _, result in all_results)
    say("untouched:", ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common()))
    checked = [(place, result) for place, result in all_results if result.verdict in ("bound", "elsewhere", "missing")]
    alarms = [(place, result) for place, result in checked if is_alarm(result)]
    say(f"alarms on untouched numbers: {len(alarms)} of {len(checked)}, right ones (undeclared) included")
    if options.alarms:
        for place, result in alarms:
            path = texts[place].text.path
            say(f"{path}:{result.number.line}:{result.number.column} {result.verdict} {context(result)}")
    sure = [(place, result) for place, result in all_results if result.verdict == "bound"]
    made, caught = Counter[str](), Counter[str]()
    by_place: dict[str, Counter[str]] = defaultdict(Counter)
    upset = 0
    while sum(made.values()) < options.changes:
        place, target = dice.choice(sure)
        text, results = texts[place], before[place]
        maker = MAKERS[sum(made.values()) % len(MAKERS)]
        change = maker(dice, text.text.text.split("\n"), target, results, text)
        if change is None:
            continue
        after = text.results(change.written)
        there = {(one.number.line, one.number.column): one for one in after}
        seen = [there.get(at) for at in change.at]
        noticed = any(one is None or one.verdict != "bound" for one in seen)
        made[change.kind] += 1
        caught[change.kind] += noticed
        where = "table" if target.statement.table >= 0 else "text"
        by_place[change.kind][f"{where} {'caught' if noticed else 'missed'}"] += 1
        untouched = {(one.number.line, one.number.column): one for one in results}
        upset += sum(
            one.verdict == "bound" and at in there and there[at].verdict != "bound"
            for at, one in untouched.items()
            if at not in change.at
        )
        if options.missed and not noticed:
            say(f"missed {change.kind}: {text.text.path}:{change.at} {context(target)}")
    for kind in KINDS:
        say(f"{kind:15} {caught[kind]:4} of {made[kind]:4} = {caught[kind] / made[kind]:.0%}  {dict(by_place[kind])}")
    total = sum(made.values())
    say(f"{'all':15} {sum(caught.values()):4} of {total:4} = {sum(caught.values()) / total:.0%}")
    say(f"untouched numbers that lost their place, per change: {upset / total:.2f}")


def is_alarm(result: Result) -> bool:
    return result.verdict == "missing" or (result.verdict == "elsewhere" and bool(result.named))


def context(result: Result) -> str:
    figures, text = result.number.figures, result.statement.text
    around = text[max(0, figures.start - 50) : figures.end + 30].replace("\n", " ")
    return f"{figures.text!r} {', '.join(result.named)} | {around}"


if __name__ == "__main__":
    main(sys.argv[1:])
