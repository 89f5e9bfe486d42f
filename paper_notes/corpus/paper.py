"""A paper, as described by its BibTeX entry."""

from __future__ import annotations

from typing import NewType

from paper_notes.diagnostics import Location
from paper_notes.identifiers import ArxivId
from paper_notes.patterns import regex
from paper_notes.values import Struct

BibKey = NewType("BibKey", str)
_OTHER = regex(r"[^a-z0-9]+")
_AND = regex(r"\s*;\s*|\s+and\s+")


_EASTERN = regex("[\u3005\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]+")
_KATAKANA = regex("[\u30a0-\u30ff]+")


def is_eastern(name: str) -> bool:
    """True for Chinese, Japanese and Korean names in their own script; katakana alone writes foreign names."""
    return _EASTERN.fullmatch(name) is not None and not _KATAKANA.fullmatch(name)


class PersonName(Struct, frozen=True):
    """A name in BibTeX's parts. A corporate author has only `last`."""

    first: str = ""
    von: str = ""
    last: str = ""
    jr: str = ""

    @property
    def full(self) -> str:
        """In reading order: `Charles Louis de la Vallée Poussin`; an East Asian name is written family name first."""
        if self._is_eastern:
            return self.last + self.first
        parts = (self.first, self.von, self.last)
        name = " ".join(part for part in parts if part)
        return f"{name}, {self.jr}" if self.jr else name

    @property
    def family(self) -> str:
        """The name in a citation: the family name, or the whole name if it is East Asian."""
        return self.full if self._is_eastern else self.surname

    @property
    def surname(self) -> str:
        """The family name with its particle: `de la Vallée Poussin`."""
        return f"{self.von} {self.last}".strip()

    @property
    def _is_eastern(self) -> bool:
        return bool(self.first) and is_eastern(self.first + self.last)


class LabelledLink(Struct, frozen=True):
    """A labelled web address: `arXiv`, `Code`, `DOI` ..."""

    label: str
    url: str


class Imprint(Struct, frozen=True):
    """Where a paper was published, for exports; unknown fields are empty."""

    journal: str = ""
    book: str = ""
    """Title of the proceedings or book it is part of."""
    series: str = ""
    volume: str = ""
    number: str = ""
    """Issue of a journal, number of a report."""
    pages: str = ""
    """`1797–1807`"""
    publisher: str = ""
    """For theses and reports the school or institution."""
    place: str = ""
    edition: str = ""
    kind: str = ""
    """The field `type`: `Master's thesis`, `Technical Report`."""
    isbn: str = ""
    issn: str = ""
    note: str = ""
    language: str = ""
    """The field `langid` or `language`, as it is written."""
    editors: tuple[PersonName, ...] = ()


class Paper(Struct, frozen=True):
    """A paper, from its BibTeX entry."""

    key: BibKey
    entry_type: str
    title: str
    authors: tuple[PersonName, ...]
    more_authors: bool
    """The entry says `and others`."""
    team: str
    """`organization`, or empty."""
    venue: str
    """Journal, book title or publisher, or empty."""
    imprint: Imprint
    year: int | None
    month: int | None
    """1 to 12."""
    day: int | None
    arxiv: ArxivId | None
    doi: str | None
    links: tuple[LabelledLink, ...]
    abstract: str
    bibtex: str
    """The entry for export: as in the file, with its inherited fields."""
    location: Location
    version: int | None = None
    """Version of the paper on arXiv, if its entry names one."""
    short: str = ""
    """`shorttitle`: the title in lists, where that is too long."""
    versions: tuple[str, ...] = ()
    """`2025-01 (v1)`, `2025-11 (v8)`: each a date and what came out then."""
    badges: tuple[str, ...] = ()
    """`Tech Report`, `Oral`."""
    remarks: tuple[str, ...] = ()
    """Said among its links without an address: `weights on request`."""
    no_code: bool = False
    """The entry says that there is no official code."""

    @property
    def label_in_lists(self) -> str:
        return self.short or self.title

    @property
    def span(self) -> str:
        """All versions with their dates, `2025-01 (v1) → 2025-11 (v8)`, or the date alone."""
        return " → ".join(self.versions) or self.date_label

    @property
    def date_label(self) -> str:
        """As precise as is known: `2025-10-30`, `2025-10`, `2025` or empty."""
        if self.year is None:
            return ""
        if self.month is None:
            return f"{self.year:04}"
        day = f"-{self.day:02}" if self.day else ""
        return f"{self.year:04}-{self.month:02}{day}"

    @property
    def teams(self) -> tuple[str, ...]:
        """The organizations of `team`: `A; B` and `A and B` are two, `University of X, City` is one."""
        return tuple(team for team in map(str.strip, _AND.split(self.team)) if team)

    @property
    def short_authors(self) -> str:
        """For citations: `Leviathan et al.`, `Li and Wei`, `Google`."""
        families = [name.family for name in self.authors[:3]]
        if len(families) > 2 or (self.more_authors and families):
            return f"{families[0]} et al."
        return " and ".join(families) or self.team or self.title


def entry_id(paper: Paper) -> str:
    """The id of the section of a paper in a note that lists it: `p-2601-05110`, of a part `p-2601-05110-area`.

    Without an arXiv id it is made from the BibTeX key.
    """
    return f"p-{_OTHER.sub('-', (paper.arxiv or paper.key).lower()).strip('-')}"
