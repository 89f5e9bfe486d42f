"""`evidence.tsv` beside a note: where its papers say its numbers, as `paper-notes verify` found it.

It is generated and committed, so that whoever has no PDFs sees the same. Each section has the digest of its text: what
is kept of a section is used only while its text is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from paper_notes.sources.tree import Source

NAME = "evidence.tsv"
_HEAD = b"# Where the papers say it. Written by `paper-notes verify --keep`: commit it, do not edit it."
_FIELDS = 9


@dataclass(frozen=True, slots=True)
class Spot:
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


@dataclass(frozen=True, slots=True)
class KeptNumber:
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


@dataclass(frozen=True, slots=True)
class KeptSection:
    """The numbers of a section in one language, without those too small to say anything."""

    lang: str
    section: str
    digest: str
    numbers: tuple[KeptNumber, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that is kept for a note."""

    pdfs: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of the PDFs that were searched, by the key of the paper."""
    sections: tuple[KeptSection, ...] = ()

    def of(self, lang: str, digest: str) -> KeptSection | None:
        """What is kept of a section with this text."""
        return next((kept for kept in self.sections if kept.lang == lang and kept.digest == digest), None)


def written(evidence: Evidence) -> bytes:
    """The file."""
    lines = [_HEAD.decode(), *(f"pdf\t{key}\t{digest}" for key, digest in sorted(evidence.pdfs.items()))]
    for section in evidence.sections:
        lines.append(f"{section.lang}\t{section.section}\t{section.digest}")
        lines += ["\t".join(_cells(number)) for number in section.numbers]
    return "".join(f"{line}\n" for line in lines).encode()


def _cells(number: KeptNumber) -> Iterable[str]:
    spot = number.spot
    where = (spot.kind, spot.number, str(spot.page or ""), spot.key) if spot else ("", "", "", "")
    cells = (str(number.place), number.text, number.verdict, *where, number.remark, f"{number.chance:.2f}")
    return (" ".join(cell.split()) for cell in cells)


def read_evidence(source: Source | None) -> Evidence | None:
    """What is kept in the file; None if there is none, or if it was edited and cannot be read."""
    try:
        return _read(source.text) if source else None
    except (ValueError, IndexError):
        return None


def _number(*cells: str) -> KeptNumber:
    place, text, verdict, kind, number, page, key, remark, chance = cells
    spot = Spot(kind, number, int(page or 0), key) if kind else None
    return KeptNumber(int(place), text, verdict, spot, remark, float(chance))


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
