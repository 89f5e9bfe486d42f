"""Changes of the collection's preprints: newer versions, publications, withdrawals."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from paper_notes.corpus.model import ArxivId, Corpus, MetadataSource, Note, NoteId
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.features.papers.draft import Draft

What = Literal["version", "published", "withdrawn"]


@dataclass(frozen=True, slots=True)
class Preprint:
    """A preprint in the collection."""

    key: BibKey
    arxiv: ArxivId
    title: str
    version: int | None
    since: datetime.date | None
    """When its facts were fetched, or else when the note on it was last changed."""
    source: MetadataSource | None
    venue: str
    doi: str | None
    notes: tuple[NoteId, ...]


@dataclass(frozen=True, slots=True)
class PreprintChange:
    """A preprint whose facts have changed, in the ways listed in `what`."""

    known: Preprint
    what: tuple[What, ...]
    version: int | None
    """The newest version."""
    updated: datetime.date | None
    """When that version appeared."""
    published_in: str
    doi: str | None
    comment: str

    def as_json(self) -> dict[str, object]:
        known = self.known
        return {
            "key": known.key,
            "arxiv": known.arxiv,
            "title": known.title,
            "notes": list(known.notes),
            "what": list(self.what),
            "known": {
                "version": known.version,
                "since": known.since.isoformat() if known.since else None,
                "source": known.source,
                "venue": known.venue,
                "doi": known.doi,
            },
            "now": {
                "version": self.version,
                "updated": self.updated.isoformat() if self.updated else None,
                "published_in": self.published_in,
                "doi": self.doi,
                "comment": self.comment,
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
    return tuple(sorted(by_id.values(), key=lambda known: known.key))


def _known(paper: Paper, arxiv: ArxivId, notes: Iterable[Note]) -> Preprint:
    own = [note for note in notes if note.kind == "paper" and note.papers[0] == paper.key]
    metadata = next((note.metadata for note in own if note.metadata), None)
    touched = [day for note in own for day in (note.updated or note.created,) if day]
    return Preprint(
        key=paper.key,
        arxiv=arxiv,
        title=paper.title,
        version=paper.version,
        since=metadata.date if metadata else max(touched, default=None),
        source=metadata.source if metadata else None,
        venue=paper.venue,
        doi=None if _is_arxivs(paper.doi) else paper.doi,
        notes=tuple(note.id for note in notes),
    )


def findings(known: Iterable[Preprint], drafts: Mapping[ArxivId, Draft]) -> tuple[PreprintChange, ...]:
    """The changes in arXiv's answers, `drafts`. Papers without an answer, or without changes, are left out."""
    changes = (_finding(paper, drafts[paper.arxiv]) for paper in known if paper.arxiv in drafts)
    return tuple(finding for finding in changes if finding.what)


def _finding(known: Preprint, draft: Draft) -> PreprintChange:
    doi = None if _is_arxivs(draft.doi) else draft.doi
    published = bool(draft.published_in or doi) and not (known.venue or known.doi)
    checks: dict[What, bool] = {
        "version": _is_newer(known, draft),
        "published": published,
        "withdrawn": draft.withdrawn,
    }
    return PreprintChange(
        known=known,
        what=tuple(what for what, is_so in checks.items() if is_so),
        version=draft.version,
        updated=draft.updated,
        published_in=draft.published_in,
        doi=doi,
        comment=draft.comment or "",
    )


def _is_newer(known: Preprint, draft: Draft) -> bool:
    """True if the draft is newer than the version in the entry, or without one, newer than the note."""
    if known.version and draft.version:
        return draft.version > known.version
    return bool((draft.version or 1) > 1 and draft.updated and known.since and draft.updated > known.since)


def _is_arxivs(doi: str | None) -> bool:
    return bool(doi and re.match(r"10\.48550/", doi))


def rows(findings: Iterable[PreprintChange]) -> tuple[tuple[str, str, str], ...]:
    """Rows of a table for the terminal: key of the paper, what is new, and its notes."""
    return tuple(
        (finding.known.key, "; ".join(_changes(finding)), ", ".join(finding.known.notes)) for finding in findings
    )


def _changes(finding: PreprintChange) -> list[str]:
    known, parts = finding.known, []
    if "withdrawn" in finding.what:
        parts.append(f"withdrawn: {finding.comment}" if finding.comment else "withdrawn")
    if "version" in finding.what:
        old = f"v{known.version}" if known.version else f"the version of {known.since}"
        day = f" ({finding.updated})" if finding.updated else ""
        parts.append(f"{old} → v{finding.version}{day}")
    if "published" in finding.what:
        doi = f"doi:{finding.doi}" if finding.doi else ""
        parts.append(f"published: {', '.join(filter(None, (finding.published_in, doi)))}")
    return parts
