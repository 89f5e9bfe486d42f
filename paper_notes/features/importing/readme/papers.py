"""Papers of a README as entries of a bibliography: what its rows say of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from paper_notes.corpus.model import ArxivId
from paper_notes.corpus.paper import LabelledLink
from paper_notes.features.importing.readme.rows import ReadmeRow
from paper_notes.features.papers.arxiv import ArxivReference, offline_draft
from paper_notes.features.papers.draft import Draft
from paper_notes.identifiers import DOI_SITE, DOI_START, folded_title, parse_arxiv

_DOI = re.compile(rf"{DOI_SITE}({DOI_START}\S+)", re.IGNORECASE)
_FIELDS = {"Code": "code", "Project": "project", "HF": "hf", "Blog": "blog", "PDF": "pdf", "Link": "url"}
"""Labels that a field of an entry has on pages."""
_NO_VENUE = re.compile(r"https?:|arxiv\b", re.IGNORECASE)
"""What an entry would take for an address, and what its link to arXiv says."""
_DATE = re.compile(r"(?P<year>\d{4})(?:-(?P<month>0[1-9]|1[0-2]))?")


def arxiv_of(row: ReadmeRow) -> ArxivReference | None:
    """The first arXiv id of a row."""
    known = next(filter(None, (parse_arxiv(link.url) for link in row.links)), None)
    return ArxivReference(*known) if known else None


def is_own(link: LabelledLink) -> bool:
    """Whether a link leads to the paper itself by its id."""
    return bool(parse_arxiv(link.url) or _DOI.fullmatch(link.url))


def draft_of(row: ReadmeRow, known: Mapping[ArxivId, Draft]) -> Draft:
    """The paper of a row, with what arXiv says of it if that was asked. Labels, dates and links are the row's."""
    arxiv = arxiv_of(row)
    dois = [(link, match[1]) for link in row.links if (match := _DOI.fullmatch(link.url)) and not parse_arxiv(link.url)]
    own = [link for link in row.links if arxiv and (parse_arxiv(link.url) or ("",))[0] == arxiv.id]
    own += [link for link, _ in dois[:1]]
    draft = (known.get(arxiv.id) or offline_draft(arxiv)) if arxiv else Draft("page", title=row.title)
    fields = dict(draft.fields) | _fields(row, [link for link in row.links if link not in own])
    if draft.title != row.title and folded_title(draft.title or "") != folded_title(row.title):
        fields["shorttitle"] = row.title
    if row.venue and not _NO_VENUE.match(row.venue):
        fields["howpublished"] = row.venue
    date = _DATE.match(row.versions[0]) if row.versions else None
    year, month = (int(date["year"]), int(date["month"] or 0) or None) if date else (draft.year, draft.month)
    return replace(draft, doi=draft.doi or next((doi for _, doi in dois), None), year=year, month=month, fields=fields)


def _fields(row: ReadmeRow, links: Sequence[LabelledLink]) -> dict[str, str]:
    """Fields of an entry. Links keep their order: if one needs a label, all are in `links`."""
    bare = [link for link in links if not link.label]
    fields = {"url": bare[0].url} if bare else {}
    listed = [link for link in links if link.label] + bare[1:]
    labels = [link.label for link in listed]
    if all(label in _FIELDS for label in labels) and len({*labels}) == len(labels) and not row.remarks:
        fields |= {_FIELDS[link.label]: link.url for link in listed if _FIELDS[link.label] not in fields}
    else:
        parts = (f"[{link.label.translate(_BRACKETS) or 'Link'}]({link.url})" for link in listed)
        fields["links"] = "; ".join((*parts, *row.remarks))
    fields |= {"organization": row.team} if row.team else {}
    is_month = len(row.versions) == 1 and _DATE.fullmatch(row.versions[0])
    fields |= {"versions": " -> ".join(row.versions)} if row.versions and not is_month else {}
    return fields | ({"badge": "; ".join(row.badges)} if row.badges else {})


_BRACKETS = str.maketrans("[]", "()")
