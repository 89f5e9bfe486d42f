"""Papers from RIS files, which publishers and reference managers export.

Each line is a tag of two characters, two spaces, a hyphen and a value; `TY` begins a record and `ER` ends it. The tags
are those of https://en.wikipedia.org/wiki/RIS_(file_format); programs differ in which they use for the same fact.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence

from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import UserError
from paper_notes.features.papers.doi import parse_doi
from paper_notes.features.papers.draft import Draft, inverted_name
from paper_notes.features.papers.importer import Choice, Fetched, Importer, PaperReference, Services
from paper_notes.features.papers.records import without_markup, year_and_month
from paper_notes.identifiers import arxiv_in_field
from paper_notes.patterns import regex
from paper_notes.values import replace

MAX_RECORDS = 5_000
_LISTED = 12
_FILE = regex(r"(?P<path>.*?\.ris)(?::(?P<number>[0-9]{1,6}))?", re.IGNORECASE)
_LINE = regex(r"([A-Z][A-Z0-9])  ?-(?: (.*))?")
_ENTRY_TYPES: Mapping[str, tuple[str, str, str]] = {
    **dict.fromkeys(("JOUR", "EJOUR", "MGZN"), ("article", "journal", "publisher")),
    **dict.fromkeys(("CONF", "CPAPER"), ("inproceedings", "booktitle", "publisher")),
    **dict.fromkeys(("CHAP", "ECHAP"), ("incollection", "booktitle", "publisher")),
    **dict.fromkeys(("BOOK", "EBOOK"), ("book", "series", "publisher")),
    "THES": ("phdthesis", "series", "school"),
    "RPRT": ("techreport", "series", "institution"),
}
"""For each type of record: BibTeX's entry type, its field for the container, and that for the publisher."""
_TITLES, _AUTHORS = ("TI", "T1", "CT"), ("AU", "A1")
_CONTAINERS = ("T2", "JO", "JF", "JA", "J2", "BT", "C3")
_DATES = ("PY", "Y1", "DA", "Y2")

Record = Mapping[str, Sequence[str]]
"""The values of each tag."""


def recognise(text: str, keys: Container[BibKey]) -> PaperReference[int] | None:
    """A file, or the record of a number in it."""
    match = _FILE.fullmatch(text)
    return PaperReference(int(match["number"] or 0), file=match["path"]) if match else None


def fetch(reference: PaperReference[int], services: Services) -> Fetched:
    """The record that is named; of several, that which the user chooses."""
    records = _read(reference, services)
    number = reference.id
    if not number and len(records) > 1:
        choices = [Choice(f"{reference.file}:{row}", draft_of(record)) for row, record in enumerate(records, 1)]
        titles = ", ".join(f'{row} "{choice.draft.title}"' for row, choice in enumerate(choices[:_LISTED], 1))
        more = ", ..." if len(choices) > _LISTED else ""
        hint = f"name one of them by its number, like {choices[0].reference}; --all makes a note of each"
        problem = UserError(f"{reference.file} holds {len(choices)} records: {titles}{more}", hint)
        number = 1 + services.choose(choices, problem)
    if not 0 <= number <= len(records):
        raise UserError(f"{reference.file} holds no record {number}", f"it holds {len(records)}")
    return Fetched(draft_of(records[max(number, 1) - 1]))


def members(reference: PaperReference[int], services: Services) -> tuple[PaperReference[int], ...]:
    """A reference to each record."""
    numbers = [reference.id] if reference.id else range(1, len(_read(reference, services)) + 1)
    return tuple(replace(reference, id=number) for number in numbers)


def _read(reference: PaperReference[int], services: Services) -> Sequence[Record]:
    records = records_of(services.text_of(reference.file))
    if not records:
        raise UserError(f"{reference.file} holds no record that can be read", "is it a RIS file?")
    if len(records) > MAX_RECORDS:
        message = f"{reference.file} holds {len(records):,} records, more than the {MAX_RECORDS:,} allowed"
        raise UserError(message, "export fewer")
    return records


def records_of(text: str) -> Sequence[Record]:
    """The records with a title. A line without a tag goes on with the value before it."""
    records: list[dict[str, list[str]]] = []
    values: list[str] = []
    for line in text.splitlines():
        match = _LINE.match(line.strip("\ufeff \t"))
        if match is None:
            if values:
                values[-1] += f" {line}"
            continue
        tag, value = match[1], match[2] or ""
        if tag == "TY":
            records.append({})
        values = records[-1].setdefault(tag, []) if records and tag != "ER" else []
        values.append(value)
    return [record for record in records if _first(record, _TITLES)]


def _first(record: Record, tags: Iterable[str]) -> str:
    return next((value for tag in tags for raw in record.get(tag, ()) if (value := without_markup(raw))), "")


def draft_of(record: Record) -> Draft:
    """The facts of a record."""
    kind, container, publisher = _ENTRY_TYPES.get(_first(record, ("TY",)), ("misc", "howpublished", "publisher"))
    authors = (inverted_name(without_markup(name)) for tag in _AUTHORS for name in record.get(tag, ()))
    year, month = year_and_month(_first(record, _DATES))
    first, last = _first(record, ("SP",)), _first(record, ("EP",))
    address = _first(record, ("UR", "L2", "LK"))
    doi = parse_doi(_first(record, ("DO",))) or parse_doi(address)
    papers = (arxiv_in_field(_first(record, (tag,))) for tag in ("UR", "DO", "AN", "M3"))
    arxiv, version = next(filter(None, papers), (None, None))
    fields = {
        container: _first(record, _CONTAINERS),
        "volume": _first(record, ("VL",)),
        "number": _first(record, ("IS",)),
        "pages": f"{first}--{last}" if first and last and "-" not in first else first,
        publisher: _first(record, ("PB",)),
        "url": address if not doi and re.fullmatch(r"https?://[^\s{}\\]+", address) else "",
    }
    return Draft(
        source="ris",
        arxiv=arxiv,
        version=version,
        year=year,
        month=month,
        title=_first(record, _TITLES),
        authors=tuple(filter(None, authors)),
        abstract=_first(record, ("AB", "N2")),
        doi=doi,
        entry_type=kind,
        fields=fields,
    )


IMPORTER = Importer(
    recognise,
    fetch,
    form="a .ris file",
    is_local=True,
    help=(("refs.ris, refs.ris:2", "a record of a .ris file, by its number"),),
    members=members,
)
