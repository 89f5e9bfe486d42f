"""`cells.tsv` beside a note: where in pictures of tables the cells stand that its numbers are bound to.

It is there if its writer asked for pictures in the cards of numbers, `verify --crops`; deleting it takes them away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from paper_notes.features.verify.bindings import CellBinding, parse_binding
from paper_notes.markdown.body import CellRegion
from paper_notes.sources.tree import Source

NAME = "cells.tsv"
_HEAD = b"# Where cells stand. Written by `paper-notes verify --crops`: commit it, or delete it and no table is shown."
_AS_NAMED = "pdf:"
"""Before a part of a paper, as texts have it: a picture that is named somewhere is not deleted."""
Cells = Mapping[CellBinding, CellRegion]
"""With the keys of papers in the bindings."""


def written_cells(cells: Cells) -> bytes:
    """The file."""
    lines = [_HEAD.decode()]
    for part, pdf in sorted({(region.part, region.pdf) for region in cells.values()}):
        lines.append(f"{_AS_NAMED}{part}\t{pdf}")
        own = ((region, str(binding)) for binding, region in cells.items() if (region.part, region.pdf) == (part, pdf))
        lines += sorted(f"{region.page}\t{_numbers(region)}\t{binding}" for region, binding in own)
    return "".join(f"{line}\n" for line in lines).encode()


def _numbers(region: CellRegion) -> str:
    return "\t".join(",".join(f"{number:g}" for number in numbers) for numbers in (region.box, region.body))


def read_cells(source: Source | None) -> Cells:
    """What the file says; nothing if there is none, or if it was edited and cannot be read."""
    try:
        return _read(source.text.splitlines()[1:]) if source else {}
    except (ValueError, TypeError):
        return {}


def _read(lines: Iterable[str]) -> Cells:
    cells: dict[CellBinding, CellRegion] = {}
    part = pdf = ""
    for line in lines:
        if line.startswith(_AS_NAMED):
            part, pdf = line.removeprefix(_AS_NAMED).split("\t")
            continue
        page, box, body, written = line.split("\t")
        (left, top, right, bottom), (beside, above) = (map(float, numbers.split(",")) for numbers in (box, body))
        if isinstance(binding := parse_binding(written), CellBinding):
            cells[binding] = CellRegion(part, pdf, int(page), (left, top, right, bottom), (beside, above))
    return cells
