"""The papers of a collection as bytes and back, for a cache: a line of JSON each, read when the paper is asked for."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import PurePosixPath
from typing import Any

from paper_notes.corpus.paper import BibKey, Imprint, Link, Paper, PersonName
from paper_notes.diagnostics import Diagnostic, Location

Library = tuple[Mapping[BibKey, Paper], tuple[Diagnostic, ...]]
_IMPRINT = tuple(field.name for field in fields(Imprint) if field.name != "editors")


def packed(library: Library) -> bytes:
    """The first line tells whether the rest is whole, the second holds keys, paths and findings."""
    papers, problems = library
    paths = {
        where.path: 0 for where in (*(paper.location for paper in papers.values()), *(p.location for p in problems))
    }
    paths = {path: number for number, path in enumerate(paths)}

    def place(where: Location) -> list[int]:
        return [paths[where.path], where.line, where.column]

    rows = [_row(paper, place(paper.location)) for paper in papers.values()]
    said = [[*place(found.location), found.rule, found.message, found.hint, found.severity] for found in problems]
    head = [list(papers), [str(path) for path in paths], said]
    rest = "\n".join(json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in (head, *rows)).encode()
    return hashlib.sha256(rest).hexdigest().encode() + b"\n" + rest


def unpacked(data: bytes) -> Library | None:
    """What was packed, or None if these bytes are something else, or not all."""
    digest, _, rest = data.partition(b"\n")
    if hashlib.sha256(rest).hexdigest().encode() != digest:
        return None
    head, *rows = rest.decode().split("\n")
    keys, paths, said = json.loads(head)
    files = tuple(map(PurePosixPath, paths))
    problems = [Diagnostic(Location(files[file], line, column), *words) for file, line, column, *words in said]
    return StoredPapers(dict(zip(keys, rows, strict=True)), files), tuple(problems)


class StoredPapers(Mapping[BibKey, Paper]):
    """Papers by key. Most builds ask for a few of them only: a paper is read from its line the first time."""

    def __init__(self, rows: Mapping[BibKey, str], files: tuple[PurePosixPath, ...]) -> None:
        self._rows, self._files = rows, files
        self._papers: dict[BibKey, Paper] = {}

    def __getitem__(self, key: BibKey) -> Paper:
        if key not in self._papers:
            self._papers[key] = _paper(json.loads(self._rows[key]), self._files)
        return self._papers[key]

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    def __iter__(self) -> Iterator[BibKey]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def _row(paper: Paper, place: list[int]) -> list[Any]:
    imprint = {name: text for name in _IMPRINT if (text := getattr(paper.imprint, name))}
    links = [[link.label, link.url] for link in paper.links]
    return [
        *(paper.key, paper.entry_type, paper.title, _names(paper.authors), paper.more_authors, paper.team),
        *(paper.venue, imprint, _names(paper.imprint.editors), paper.year, paper.month, paper.day),
        *(paper.arxiv, paper.primary_class, paper.doi, links, paper.abstract, paper.bibtex, *place),
    ]


def _names(people: tuple[PersonName, ...]) -> list[list[str]]:
    return [[name.first, name.von, name.last, name.jr] for name in people]


def _paper(row: list[Any], files: tuple[PurePosixPath, ...]) -> Paper:
    (key, entry_type, title, authors, more_authors, team, venue, imprint, editors, *rest) = row
    (year, month, day, arxiv, primary_class, doi, links, abstract, bibtex, file, line, column) = rest
    return Paper(
        key=key,
        entry_type=entry_type,
        title=title,
        authors=tuple([PersonName(*name) for name in authors]),
        more_authors=more_authors,
        team=team,
        venue=venue,
        imprint=Imprint(**imprint, editors=tuple([PersonName(*name) for name in editors])),
        year=year,
        month=month,
        day=day,
        arxiv=arxiv,
        primary_class=primary_class,
        doi=doi,
        links=tuple([Link(*link) for link in links]),
        abstract=abstract,
        bibtex=bibtex,
        location=Location(files[file], line, column),
    )
