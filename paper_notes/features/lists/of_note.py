"""A note that lists papers as the document that it is, or was made from; and a BibTeX file as a list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest
from pathlib import PurePosixPath
from typing import Any

from paper_notes.corpus.bibliography.from_bibtex import papers_from
from paper_notes.corpus.model import EntriesFrom, Lang, Note
from paper_notes.corpus.paper import BibKey, Paper, entry_id
from paper_notes.diagnostics import NOWHERE, Diagnostic
from paper_notes.features.lists.paper_list import anchor_of
from paper_notes.features.lists.values import Form, Listed, PaperDocument, Part
from paper_notes.sources.bibtex import parse_bibtex
from paper_notes.sources.tree import Source

SOURCES = {"HTML": "html", "ArXiv Abs": "abstract", "PDF": "pdf", "Code": "code"}
"""What reports call that which was read."""
DERIVED = ("address", "month", "code", "anchor", "source", "preface", "abstract")
"""What a document says that mostly follows from the paper."""
_READ = {source: name for name, source in SOURCES.items()}
_HF = "https://huggingface.co/papers/"
_SECTION = re.compile(r"(?m)^(#{2,4}) (?P<name>.*?) \{#(?P<id>p-[a-z0-9-]+)\}[ \t]*\n")


def document_of(
    note: Note, lang: Lang, papers: Mapping[BibKey, Paper], *, as_found: bool, form: Form | None = None
) -> PaperDocument:
    """The document of a note that lists papers: with `as_found` the one that it was made from."""
    text = next((text.text for text in note.texts if text.lang == lang), "")
    source = note.source or EntriesFrom("terms", None, note.created, None, ())
    rows = [(papers[entry.paper], entry.reading_source, entry.as_found if as_found else {}) for entry in note.entries]
    return document_from(source, rows, text, as_found=as_found, form=form)


Row = tuple[Paper, str | None, Mapping[str, Any]]
"""A paper, what was read of it, and what the document said of it."""


def document_from(
    source: EntriesFrom, rows: Iterable[Row], text: str, *, as_found: bool, form: Form | None = None
) -> PaperDocument:
    """The document of these papers, with the texts of a note. Its form follows from the source if none is given."""
    own = source.format in ("hf-daily", "arxiv")
    day = form == "report" if form else own
    slices = {heading["id"]: (heading["name"], text[heading.end() : end].strip()) for heading, end in _cut(text)}
    return PaperDocument(
        "report" if day else "list",
        str(source.as_found.get("title", "")) if as_found and day == own else "",
        tuple(_listed(row, slices, day=day) for row in rows),
        source.date,
        source.url or "",
        source.bib or "",
        source.terms,
    )


def _cut(text: str) -> Iterator[tuple[re.Match[str], int]]:
    """The headings of papers and of their parts, each with the end of its text."""
    headings = list(_SECTION.finditer(text))
    for head, following in zip_longest(headings, headings[1:]):
        yield head, following.start() if following else len(text)


def _listed(row: Row, slices: Mapping[str, tuple[str, str]], *, day: bool) -> Listed:
    paper, read, oddities = row
    section = entry_id(paper)
    originals: Mapping[str, str] = oddities.get("texts", {})
    title, lead = slices.get(section, (paper.title, ""))
    heads = oddities.get("heads", "")
    parts: list[Part] = []
    for name, (heading, content) in slices.items():
        if not name.startswith(f"{section}-"):
            continue
        part, number = name.removeprefix(f"{section}-"), len(parts)
        if isinstance(heads, str):
            head = heads.replace("{number}", str(number + 1))
        else:
            head = heads[number] if number < len(heads) else ""
        parts.append(Part(part, originals.get(f"{part}-name", heading), originals.get(part, content), head))
    listed = Listed(
        title=originals.get("title", title),
        location=NOWHERE,
        address="",
        arxiv=paper.arxiv,
        version=paper.version,
        anchor="" if day else "-",
        source=_READ.get(read or "", ""),
        lead=originals.get("lead", lead),
        parts=tuple(parts),
        fenced=bool(oddities.get("fenced")),
    )
    said = {name: str(oddities[name]) for name in DERIVED if name in oddities}
    return replace(usual(listed, paper), **said)  # type: ignore[arg-type]


def usual(listed: Listed, paper: Paper) -> Listed:
    """What the document would say of the paper if it were made from the collection."""
    version = f"v{listed.version}" if listed.version else ""
    links = {link.label: link.url for link in reversed(paper.links)}
    code = links.get("Code") or links.get("Project", "")  # of `[[Code/Page]]`
    if listed.anchor or listed.month:
        address = f"https://arxiv.org/pdf/{paper.arxiv}{version}" if paper.arxiv else ""
        month = f"{paper.arxiv[:2]}/{paper.arxiv[2:4]}" if paper.arxiv and "/" not in paper.arxiv else ""
        return replace(
            listed,
            address=address,
            month=month,
            code=code,
            anchor=anchor_of(listed.title),
            preface="",
            abstract=paper.abstract,
        )
    address = f"{_HF}{paper.arxiv}" if paper.arxiv else ""
    known = listed.source if listed.source in SOURCES else ""
    return replace(listed, address=address, source=known, preface="", month="", code="", anchor="", abstract="")


def document_of_bibtex(name: str, data: bytes) -> tuple[PaperDocument, tuple[Diagnostic, ...]]:
    """The list of the papers of a BibTeX file, and its mistakes."""
    entries, problems = parse_bibtex(Source(PurePosixPath(name), data))
    papers, mistakes = papers_from(entries)
    empty = Listed("", NOWHERE, "", None, anchor="-")
    listed = (
        usual(replace(empty, title=paper.title, arxiv=paper.arxiv, version=paper.version), paper)
        for paper in papers.values()
    )
    return PaperDocument("list", "", tuple(listed), bib=name), (*problems, *mistakes)
