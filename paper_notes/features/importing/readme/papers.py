"""Papers of a README as entries of a bibliography: what its rows say of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from paper_notes.corpus.model import ArxivId
from paper_notes.features.importing.readme.blocks import FoundLink
from paper_notes.features.importing.readme.values import ListedPaper
from paper_notes.features.papers.arxiv import ArxivReference, offline_draft
from paper_notes.features.papers.draft import Draft
from paper_notes.identifiers import DOI_SITE, DOI_START, folded_title, parse_arxiv

_DOI = re.compile(rf"{DOI_SITE}({DOI_START}\S+)", re.IGNORECASE)
_FIELDS = {"Code": "code", "Project": "project", "HF": "hf", "Blog": "blog", "PDF": "pdf", "Link": "url"}
"""Labels that a field of an entry has on pages."""
_NO_VENUE = re.compile(r"https?:|arxiv\b", re.IGNORECASE)
"""What an entry would take for an address, and what its link to arXiv says."""
_MONTH = re.compile(r"(\d{4})(?:-(\d\d))?")


@dataclass(frozen=True, slots=True)
class PaperLinks:
    """The links of a row: the paper's own ids, and all others."""

    arxiv: ArxivId | None
    version: int | None
    doi: str | None
    others: tuple[FoundLink, ...]


def links_in(row: ListedPaper) -> PaperLinks:
    """The first arXiv id and DOI of a row, and its other links."""
    arxiv: tuple[ArxivId, int | None] | None = None
    doi: str | None = None
    others = []
    for link in row.links:
        known, by_doi = parse_arxiv(link.address), _DOI.fullmatch(link.address)
        if known and arxiv is None:
            arxiv = known
        elif by_doi and doi is None and not known:
            doi = by_doi[1]
        elif not known or arxiv is None or known[0] != arxiv[0]:
            others.append(link)
    return PaperLinks(arxiv[0] if arxiv else None, arxiv[1] if arxiv else None, doi, tuple(others))


def is_own(link: FoundLink) -> bool:
    """Whether a link leads to the paper itself by its id."""
    return bool(parse_arxiv(link.address) or _DOI.fullmatch(link.address))


def draft_of(row: ListedPaper, known: Mapping[ArxivId, Draft]) -> Draft:
    """The paper of a row, with what arXiv says of it if that was asked. Labels, dates and links are the row's."""
    links = links_in(row)
    draft = known.get(links.arxiv) if links.arxiv else None
    if draft is None and links.arxiv:
        draft = offline_draft(ArxivReference(links.arxiv, links.version))
    draft = draft or Draft("page", title=row.title)
    fields = dict(draft.fields) | _said(row, links.others)
    if draft.title != row.title and folded_title(draft.title or "") != folded_title(row.title):
        fields["shorttitle"] = row.title
    year, month = _date(row) or (draft.year, draft.month)
    venue = {"howpublished": row.venue} if row.venue and not _NO_VENUE.match(row.venue) else {}
    return replace(draft, doi=draft.doi or links.doi, year=year, month=month, fields=fields | venue)


def _said(row: ListedPaper, links: Sequence[FoundLink]) -> dict[str, str]:
    """Fields of an entry. Links keep their order: if one needs a label, all are in `links`."""
    fields: dict[str, str] = {}
    bare = [link for link in links if not link.label]
    fields |= {"url": bare[0].address} if bare else {}
    listed = [link for link in links if link.label] + bare[1:]
    labels = [link.label for link in listed]
    if all(label in _FIELDS for label in labels) and len({*labels}) == len(labels) and not row.remarks:
        fields |= {_FIELDS[link.label]: link.address for link in listed if _FIELDS[link.label] not in fields}
    elif listed or row.remarks:
        parts = [f"[{_label(link)}]({link.address})" for link in listed]
        fields["links"] = "; ".join((*parts, *row.remarks))
    fields |= {"organization": row.team} if row.team else {}
    fields |= {"versions": " -> ".join(row.versions)} if _is_more_than_a_month(row) else {}
    fields |= {"badge": "; ".join(row.badges)} if row.badges else {}
    return fields


def _label(link: FoundLink) -> str:
    return link.label.translate(str.maketrans("[]", "()")) or "Link"


def _is_more_than_a_month(row: ListedPaper) -> bool:
    return bool(row.versions) and (len(row.versions) > 1 or not _MONTH.fullmatch(row.versions[0]))


def _date(row: ListedPaper) -> tuple[int, int | None] | None:
    match = _MONTH.match(row.versions[0]) if row.versions else None
    if match is None:
        return None
    month = int(match[2]) if match[2] and 1 <= int(match[2]) <= 12 else None
    return int(match[1]), month
