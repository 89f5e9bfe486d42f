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
class KeptNumber:
    """A number of a note, and what was found out about it."""

    place: int
    """The how many-th number of its section it is, from 0."""
    text: str
    verdict: str
    kind: str = ""
    """`table`, `figure`, `section` or `front`, where it was found."""
    number: str = ""
    """Of the table, figure or section; the title of a section without a number."""
    page: int = 0
    key: str = ""
    """The paper."""
    remark: str = ""
    """What is declared; the places that the note names, if it is not there; or the `line 12` that has its place."""
    chance: float = 0.0
    """How likely any number of this shape would have been found, from 0 to 1."""


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
    cells = (str(number.place), number.text, number.verdict, number.kind, number.number)
    more = (str(number.page or ""), number.key, number.remark, f"{number.chance:.2f}")
    return (" ".join(cell.split()) for cell in (*cells, *more))


def read_evidence(source: Source | None) -> Evidence | None:
    """What is kept in the file; None if there is none, or if it was edited and cannot be read."""
    try:
        return _read(source.text) if source else None
    except (ValueError, IndexError):
        return None


def _number(*cells: str) -> KeptNumber:
    place, text, verdict, kind, number, page, key, remark, chance = cells
    return KeptNumber(int(place), text, verdict, kind, number, int(page or 0), key, remark, float(chance))


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
