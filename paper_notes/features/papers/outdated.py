"""Changes of the collection's preprints: newer versions, publications, withdrawals."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from paper_notes.corpus.model import ArxivId, Corpus, MetadataSource, Note, NoteId
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.features.papers.draft import Draft
from paper_notes.values import Struct

What = Literal["version", "published", "withdrawn"]


class Preprint(Struct, frozen=True):
    """A preprint in the collection."""

    paper: Paper
    arxiv: ArxivId
    since: datetime.date | None
    """When its facts were fetched, or else when the note on it was last changed."""
    source: MetadataSource | None
    notes: tuple[NoteId, ...]


class PreprintChange(Struct, frozen=True):
    """A preprint whose facts have changed, in the ways listed in `what`, and what arXiv says of it now."""

    known: Preprint
    what: tuple[What, ...]
    now: Draft

    def as_json(self) -> dict[str, object]:
        known, paper, now = self.known, self.known.paper, self.now
        return {
            "key": paper.key,
            "arxiv": known.arxiv,
            "title": paper.title,
            "notes": list(known.notes),
            "what": list(self.what),
            "known": {
                "version": paper.version,
                "since": known.since.isoformat() if known.since else None,
                "source": known.source,
                "venue": paper.venue,
                "doi": _publishers(paper.doi),
            },
            "now": {
                "version": now.version,
                "updated": now.updated.isoformat() if now.updated else None,
                "published_in": now.published_in,
                "doi": _publishers(now.doi),
                "comment": now.comment or "",
            },
        }


def preprints(corpus: Corpus) -> tuple[Preprint, ...]:
    """All papers of the collection that are on arXiv, sorted by key. Of two entries of one paper the first counts."""
    notes: dict[BibKey, list[Note]] = {}
    for note in corpus.notes:
        for key in note.papers:
            notes.setdefault(key, []).append(note)
    by_id: dict[ArxivId, Preprint] = {}
    for paper in corpus.own_papers.values():
        if paper.arxiv and paper.arxiv not in by_id:
            by_id[paper.arxiv] = _known(paper, paper.arxiv, notes.get(paper.key, []))
    return tuple(sorted(by_id.values(), key=lambda known: known.paper.key))


def _known(paper: Paper, arxiv: ArxivId, notes: Iterable[Note]) -> Preprint:
    own = [note for note in notes if note.kind == "paper" and note.papers[0] == paper.key]
    metadata = next((note.metadata for note in own if note.metadata), None)
    touched = [day for note in own for day in (note.updated or note.created,) if day]
    since, source = (metadata.date, metadata.source) if metadata else (max(touched, default=None), None)
    return Preprint(paper, arxiv, since, source, tuple(note.id for note in notes))


def findings(known: Iterable[Preprint], drafts: Mapping[ArxivId, Draft]) -> tuple[PreprintChange, ...]:
    """The changes in arXiv's answers, `drafts`. Papers without an answer, or without changes, are left out."""
    answered = ((paper, drafts[paper.arxiv]) for paper in known if paper.arxiv in drafts)
    changes = (PreprintChange(paper, tuple(_what(paper, now)), now) for paper, now in answered)
    return tuple(change for change in changes if change.what)


def _what(known: Preprint, now: Draft) -> Iterator[What]:
    paper = known.paper
    if paper.version and now.version:
        is_newer = now.version > paper.version
    else:  # the entry does not say which version it means: newer than the note
        is_newer = bool((now.version or 1) > 1 and now.updated and known.since and now.updated > known.since)
    if is_newer:
        yield "version"
    if (now.published_in or _publishers(now.doi)) and not (paper.venue or _publishers(paper.doi)):
        yield "published"
    if now.withdrawn:
        yield "withdrawn"


def _publishers(doi: str | None) -> str | None:
    """The DOI, unless it is that which arXiv gives each paper."""
    return None if doi and doi.startswith("10.48550/") else doi


def rows(findings: Iterable[PreprintChange]) -> tuple[tuple[str, str, str], ...]:
    """Rows of a table for the terminal: key of the paper, what is new, and its notes."""
    return tuple(
        (finding.known.paper.key, "; ".join(_changes(finding)), ", ".join(finding.known.notes)) for finding in findings
    )


def _changes(finding: PreprintChange) -> Iterator[str]:
    known, now = finding.known, finding.now
    if "withdrawn" in finding.what:
        yield f"withdrawn: {now.comment}" if now.comment else "withdrawn"
    if "version" in finding.what:
        version = known.paper.version
        old = f"v{version}" if version else f"the version of {known.since}"
        day = f" ({now.updated})" if now.updated else ""
        yield f"{old} → v{now.version}{day}"
    if "published" in finding.what:
        doi = _publishers(now.doi)
        yield f"published: {', '.join(filter(None, (now.published_in, f'doi:{doi}' if doi else '')))}"
