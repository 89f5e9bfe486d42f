"""`verify --accept`: each claim on a screen of a terminal, with what is proposed, and a key for what to do with it."""

from __future__ import annotations

from collections.abc import Iterator

from paper_notes.commands.help import columns, wrapped
from paper_notes.commands.terminal import plain, translated, wait_for_key
from paper_notes.corpus.model import Corpus, Note
from paper_notes.features.verify.accepting import Dialogue, OpenClaim
from paper_notes.features.verify.bindings import Binding, CellBinding
from paper_notes.features.verify.evidence import KINDS, Spot
from paper_notes.features.verify.origins import Found, find_cells
from paper_notes.features.verify.report import NoteReport

_WIDTH = 80


class Screens:
    """What is shown of the claims of a note."""

    def __init__(self, corpus: Corpus, report: NoteReport) -> None:
        self._note: Note = corpus.note(report.note)
        self._report = report

    def spot(self, binding: Binding) -> Spot | None:
        """Where a cell is."""
        if (found := self._find(binding)) is None:
            return None
        key, table, cell = found
        return Spot("table", table.number, cell.page, key)

    def _find(self, binding: Binding) -> Found | None:
        if not isinstance(binding, CellBinding):
            return None
        return next(iter(find_cells(binding, self._report.papers, self._note.papers)[0]), None)

    def lines(self, dialogue: Dialogue) -> Iterator[str]:
        """The screen of the next claim."""
        claim = dialogue.claims[dialogue.at]
        row = claim.rows[0]
        path = next(text.path for text in self._note.texts if text.lang == row.lang)
        head = f"{dialogue.at + 1}/{len(dialogue.claims)}  {self._note.reference}  {path.name}:{row.line}"
        done = translated(f"accepted so far {dialogue.accepted}")
        yield ""
        yield f"{head}{' ' * max(_WIDTH - columns(head) - columns(done), 2)}{done}"
        yield ""
        yield from (f"  {line}" for line in wrapped(plain(_shown(claim)), _WIDTH - 2))
        yield ""
        for number, binding in enumerate(claim.proposals, 1):
            texts = wrapped(plain(self._proposal(binding)), _WIDTH - 6)
            yield from (f"  {number if at == 0 else ' '} {line}" for at, line in enumerate(texts))
        if not claim.proposals:
            yield f"  {translated(KINDS[row.kept.kind])}  {translated(row.place)}".rstrip()
        yield ""
        yield from _keys(dialogue, claim)

    def _proposal(self, binding: Binding) -> str:
        """What is printed in a cell, and the labels of its row and column; another binding as it is written."""
        if (found := self._find(binding)) is None:
            return str(binding)
        key, table, cell = found
        paper = f"@{key} " if key != self._note.papers[0] else ""
        place = translated(f"Table {table.number}, p. {cell.page}")
        row = translated(f"row {' > '.join(cell.row_path)}")
        column = translated(f"column {' > '.join(cell.column_path)}")
        return f"{cell.text} · {paper}{place} · {row} · {column}"


def _shown(claim: OpenClaim) -> str:
    """The sentence with its number between marks; of a table the row, and the head of the column."""
    row = claim.rows[0]
    number, statement = row.result.number.figures, row.result.statement
    is_whole = statement.table >= 0 or statement.kind == "term"
    start, end = (0, len(statement.text)) if is_whole else statement.sentence(number.start)
    marked = f"{statement.text[start : number.start]}»{number.text}«{statement.text[number.end : end]}"
    return row.sentence.replace(statement.text, marked, 1) if is_whole else marked


def _keys(dialogue: Dialogue, claim: OpenClaim) -> list[str]:
    """What can be pressed, in lines."""
    keys = []
    if claim.proposals:
        keys.append(translated("[y] accept the first" if len(claim.proposals) > 1 else "[y] accept it"))
    if len(claim.proposals) > 1:
        keys.append(translated(f"[1-{len(claim.proposals)}] choose one"))
    if places := dialogue.of_table():
        keys.append(translated(f"[t] accept this table ({len(places)})"))
    lines = [""]
    for key in (*keys, *map(translated, ("[n] go on", "[o] of my own", "[b] go back", "[q] stop here"))):
        if columns(lines[-1]) + columns(key) + 2 > _WIDTH:
            lines.append("")
        lines[-1] += f"  {key}"
    return lines


def ask(dialogue: Dialogue, screens: Screens) -> bool:
    """Show claims and read keys until all are decided, or until q, Ctrl-C or Ctrl-D; whether to go on with others."""
    key = ""
    while key != "q" and not dialogue.is_done:
        key = wait_for_key(screens.lines(dialogue))
        while key != "q" and not dialogue.press(key):
            key = wait_for_key(())
    return key != "q"
