"""Tables of pipes: rows whose bars in formulas, code and wiki links would end cells."""

from __future__ import annotations

import re
from collections.abc import Sequence

from paper_notes.features.importing.markdown.conversion import Conversion
from paper_notes.features.importing.markdown.lines import Line

RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_GUARDED = re.compile(
    r"\\.|(?P<code>(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<tex>\$\$(?:\\.|[^$])+?\$\$|\$(?!\s)(?:\\.|[^$\\])+?(?<!\s)\$(?!\d))|(?P<wiki>!?\[\[[^\[\]]+\]\])"
)


def table_end(lines: Sequence[Line], start: int) -> int:
    """The index after the table that begins at `start`; `start` if none does."""
    if start + 1 >= len(lines) or "|" not in lines[start].text:
        return start
    rule = lines[start + 1].words
    if "-" not in rule or not RULE.fullmatch(rule) or ("|" not in rule and ":" not in rule):
        return start
    indent = lines[start].indent
    end = start + 2
    while end < len(lines) and (words := lines[end].words) and "|" in words and lines[end].indent >= min(indent, 3):
        if words.startswith(("```", "~~~", ">", "#")):
            break
        end += 1
    return end


def table(conversion: Conversion, lines: Sequence[Line]) -> list[Line]:
    """The rows, each with as many cells as the head has, as our parser counts them."""
    columns = len(cells(lines[1].words))
    head = _row(lines[0].words, columns)
    width = len(cells(head))
    made = [lines[0].with_text(_indented(lines[0], head))]
    rule = lines[1].words
    if width != columns:
        conversion.report(
            "mended", "table-head", f"the head of a table has {width} cells, its rule {columns}", lines[1].number
        )
        marks = [*cells(rule), *["---"] * width][:width]
        rule = f"| {' | '.join(mark.strip() for mark in marks)} |"
    elif head != lines[0].words:
        conversion.report("mended", "table-bar", "a bar in a table does not end its cell", lines[0].number)
    if width == 1 and not rule.startswith("|"):
        rule = f"| {rule} |"
    made.append(lines[1].with_text(_indented(lines[1], rule)))
    for line in lines[2:]:
        row = _row(line.words, width)
        found = cells(row)
        if len(found) > width:
            conversion.report(
                "mended", "table-row", f"a row of a table has {len(found)} cells, not {width}", line.number
            )
            last = r" \| ".join(cell.strip() for cell in found[width - 1 :])
            row = f"| {' | '.join([*(cell.strip() for cell in found[: width - 1]), last])} |"
        elif row != line.words:
            conversion.report("mended", "table-bar", "a bar in a table does not end its cell", line.number)
        made.append(line.with_text(_indented(line, row)))
    return made


def _indented(line: Line, words: str) -> str:
    return " " * line.indent + words


def _row(row: str, columns: int) -> str:
    """The row with its bars in formulas, code and wiki links guarded, if it then has the right number of cells.

    A row that has it already is left alone.
    """
    if len(cells(row)) == columns:
        return row
    guarded = _GUARDED.sub(_guard, row)
    return guarded if len(cells(guarded)) <= columns or len(cells(guarded)) < len(cells(row)) else row


def _guard(found: re.Match[str]) -> str:
    if found["tex"]:
        return re.sub(r"(?<!\\)\|", r"\\vert ", found[0])
    return re.sub(r"(?<!\\)\|", r"\\|", found[0]) if found["code"] or found["wiki"] else found[0]


def cells(row: str) -> list[str]:
    """The cells of a row, cut at its bars."""
    parts = re.split(r"(?<!\\)\|", row.strip())
    if len(parts) > 1 and not parts[0].strip():
        parts = parts[1:]
    if len(parts) > 1 and not parts[-1].strip():
        parts = parts[:-1]
    return parts
