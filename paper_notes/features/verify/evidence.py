"""`evidence.tsv` beside a note: where its papers say its numbers, as `paper-notes verify` found it.

It is generated and committed, so that whoever has no PDFs sees the same. Each section has the digest of its text: what
is kept of a section is used only while its text is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify import NAME as NAME
from paper_notes.features.verify.bindings import (
    Binding,
    CellBinding,
    FigureBinding,
    OwnBinding,
    QuoteBinding,
    SumBinding,
    parse_binding,
)
from paper_notes.markdown.body import CellRegion
from paper_notes.sources.tree import Source
from paper_notes.values import Struct, field, replace

_HEAD = "# Where the papers say it. Written by `paper-notes verify --keep`: commit it, do not edit it."
_FIELDS = 12


class Spot(Struct, frozen=True):
    """A place in a paper."""

    kind: str
    """`table`, `figure`, `section` or `front`."""
    number: str
    """Of the table, figure or section; the title of one without a number."""
    page: int
    key: str
    """The paper."""

    @property
    def name(self) -> str:
        """`Table 2, p. 5`"""
        words = {"table": "Table ", "figure": "Fig. ", "section": "§", "front": ""}
        return f"{words[self.kind]}{self.number}, p. {self.page}" if self.number else f"p. {self.page}"


class KeptNumber(Struct, frozen=True):
    """A number of a note, and what was found out about it."""

    place: int
    """The how many-th number of its section it is, from 0."""
    text: str
    verdict: str
    spot: Spot | None = None
    """Where it was found."""
    remark: str = ""
    """What is declared: `own`, `derived 1/(1-0.86)`, `figure 10`, `other @key`; the places that the note names, if the
    number is not there; or the `line 12` where the same number has its place."""
    chance: float = 0.0
    """From 0 to 1: how likely any other number of its shape would have been found as well."""
    binding: Binding | None = None
    accepted: str = ""
    """If a person accepted the binding: a digest of the number's sentence, with which that holds."""

    @property
    def kind(self) -> str:
        """What it is bound to, one of `KINDS`; its verdict, if it is not bound."""
        if self.binding and self.verdict in ("bound", "declared"):
            return _OF_BINDING[type(self.binding)]
        origin = self.remark.partition(" ")[0] if self.verdict == "declared" else ""
        return _OF_ORIGIN.get(origin, "place" if self.verdict == "bound" else self.verdict)


KINDS: Mapping[str, str] = MappingProxyType(
    {
        "cell": "in a cell",
        "sentence": "in a sentence",
        "sum": "by a sum",
        "reading": "read off a figure",
        "place": "at the place named",
        "own": "the note's own",
        "other": "another source",
        "ambiguous": "several cells fit",
        "contradicted": "the paper differs",
        "elsewhere": "somewhere else",
        "missing": "not found",
        "no-pdf": "without a PDF",
        "unchecked": "cannot be wrong",
    }
)
"""What a number can be bound to, the best first, and why it may not be; and what the terminal calls that."""
_OF_BINDING: Mapping[type[object], str] = MappingProxyType(
    {CellBinding: "cell", QuoteBinding: "sentence", SumBinding: "sum", FigureBinding: "reading", OwnBinding: "own"}
)
_OF_ORIGIN = MappingProxyType({"own": "own", "derived": "sum", "figure": "reading", "other": "other"})


class KeptSection(Struct, frozen=True):
    """The numbers of a section in one language, without those too small to say anything."""

    lang: str
    section: str
    digest: str
    numbers: tuple[KeptNumber, ...]


class Evidence(Struct, frozen=True):
    """All that is kept for a note."""

    pdfs: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of the PDFs that were searched, by the key of the paper."""
    sections: tuple[KeptSection, ...] = ()

    def accepted(self) -> Mapping[tuple[str, str, str], list[KeptNumber]]:
        """What people accepted, by language, digest of the sentence and number, in their order."""
        numbers: dict[tuple[str, str, str], list[KeptNumber]] = {}
        for section in self.sections:
            for number in section.numbers:
                if number.accepted:
                    numbers.setdefault((section.lang, number.accepted, number.text), []).append(number)
        return numbers

    def of(self, lang: str, digest: str) -> KeptSection | None:
        """What is kept of a section with this text."""
        return next((kept for kept in self.sections if kept.lang == lang and kept.digest == digest), None)


_OfPaper = CellBinding | QuoteBinding | FigureBinding


def written(evidence: Evidence) -> bytes:
    """The file."""
    lines = [_HEAD, *(f"pdf\t{key}\t{digest}" for key, digest in sorted(evidence.pdfs.items()))]
    for section in evidence.sections:
        lines.append(f"{section.lang}\t{section.section}\t{section.digest}")
        lines += ["\t".join(_cells(number)) for number in section.numbers]
    return "".join(f"{line}\n" for line in lines).encode()


def _cells(number: KeptNumber) -> Iterable[str]:
    spot = number.spot
    where = (spot.kind, spot.number, str(spot.page or ""), spot.key) if spot else ("", "", "", "")
    binding = number.binding
    if spot and isinstance(binding, _OfPaper) and binding.key == spot.key:
        binding = replace(binding, key=BibKey(""))
    by = ("accepted", number.accepted) if number.accepted else ()
    bound = (str(binding), *by) if binding else ()
    cells = str(number.place), number.text, number.verdict, *where, number.remark, f"{number.chance:.2f}", *bound
    return (" ".join(cell.split()) for cell in cells)


def read_evidence(source: Source | None) -> Evidence | None:
    """What is kept in the file; None if there is none, or if it was edited and cannot be read."""
    try:
        return _read(source.text) if source else None
    except (ValueError, IndexError):
        return None


def _number(*cells: str) -> KeptNumber:
    place, text, verdict, kind, number, page, key, remark, chance, *bound = cells
    spot = Spot(kind, number, int(page or 0), key) if kind else None
    binding, accepted = parse_binding("".join(bound[:1])), "".join(bound[2:])
    if spot and isinstance(binding, _OfPaper) and not binding.key:
        binding = replace(binding, key=BibKey(spot.key))
    verdict = "bound" if verdict == "place" else verdict  # as files say that have no bindings
    return KeptNumber(int(place), text, verdict, spot, remark, float(chance), binding, accepted)


def _read(text: str) -> Evidence:
    pdfs: dict[str, str] = {}
    sections: list[tuple[str, str, str, list[KeptNumber]]] = []
    for line in text.splitlines()[1:]:
        cells = line.split("\t")
        if cells[0].isdecimal():
            sections[-1][3].append(_number(*cells[:_FIELDS]))
        elif cells[0] == "pdf":
            pdfs[cells[1]] = cells[2]
        else:
            lang, section, digest = cells
            sections.append((lang, section, digest, []))
    kept = (KeptSection(lang, section, digest, tuple(numbers)) for lang, section, digest, numbers in sections)
    return Evidence(pdfs, tuple(kept))


CELLS = "cells.tsv"
"""Beside a note: where in pictures of tables the cells stand that its numbers are bound to.

It is there if its writer asked for pictures in the cards of numbers, `verify --crops`; deleting it takes them away.
"""
_CELLS_HEAD = (
    "# Where cells stand. Written by `paper-notes verify --crops`: commit it, or delete it and no table is shown."
)
_AS_NAMED = "pdf:"
"""Before a part of a paper, as texts have it: a picture that is named somewhere is not deleted."""
Cells = Mapping[CellBinding, CellRegion]
"""With the keys of papers in the bindings."""


def written_cells(cells: Cells) -> bytes:
    """The file."""
    lines = [_CELLS_HEAD]
    for part, pdf in sorted({(region.part, region.pdf) for region in cells.values()}):
        lines.append(f"{_AS_NAMED}{part}\t{pdf}")
        own = ((region, str(binding)) for binding, region in cells.items() if (region.part, region.pdf) == (part, pdf))
        lines += sorted(f"{region.page}\t{_box(region)}\t{binding}" for region, binding in own)
    return "".join(f"{line}\n" for line in lines).encode()


def _box(region: CellRegion) -> str:
    return "\t".join(",".join(f"{number:g}" for number in numbers) for numbers in (region.box, region.body))


def read_cells(source: Source | None) -> Cells:
    """What the file says; nothing if there is none, or if it was edited and cannot be read."""
    try:
        return _cells_in(source.text.splitlines()[1:]) if source else {}
    except (ValueError, TypeError):
        return {}


def _cells_in(lines: Iterable[str]) -> Cells:
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
