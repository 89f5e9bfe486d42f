"""What a README says of notes, topics and papers: keys of note.yaml and topic.yaml, and entries of a bibliography."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import Any

from paper_notes.corpus.model import ArxivId
from paper_notes.corpus.paper import LabelledLink, Paper
from paper_notes.features.importing.readme.listing import Listing, number_of, reference_to
from paper_notes.features.importing.readme.reading import ReadmeSection
from paper_notes.features.importing.readme.rows import ReadmeRow
from paper_notes.features.importing.types import ImportedText
from paper_notes.features.papers.arxiv import ArxivReference, offline_draft
from paper_notes.features.papers.draft import Draft, ascii_words
from paper_notes.identifiers import DOI_SITE, DOI_START, folded_title, parse_arxiv
from paper_notes.indexes.regions import PaperOrder
from paper_notes.languages.text import Lang

PaperOf = Callable[[ReadmeRow], Paper]
"""The paper of a row, as the collection has it."""


def row_facts(listing: Listing, row: ReadmeRow, topic: str, lang: Lang, title: str) -> dict[str, Any]:
    """Keys of note.yaml that a row tells; `title` is the note's."""
    facts: dict[str, Any] = {}
    if row.title and folded_title(row.title) != folded_title(title):
        facts["short"] = {lang: row.title}
    if row.about:
        facts["summary"] = {lang: listing.in_our_words(row.about, topic)}
    return facts | ({"own": True} if row.own else {})


def with_row(listing: Listing, text: ImportedText, row: ReadmeRow, topic: str, lang: Lang) -> ImportedText:
    """A text that is taken in, with what its row tells."""
    facts = row_facts(listing, row, topic, lang, text.title)
    if summary := facts.pop("summary", None):
        facts |= {"summary": summary[lang]} if text.lang == lang else {}  # `facts_of` puts it together
    return replace(text, facts={**text.facts, **facts}, extra={**text.extra, **row.others})


def topic_facts(listing: Listing, topic: str, paper_of: PaperOf, read: Iterable[str]) -> dict[str, Any]:
    """Keys of topic.yaml that the README tells. `read` are the keys of papers that the topic's notes read."""
    sections, tables, lang = listing.sections_of(topic), listing.tables_of(topic), listing.lang
    first = next((section for section in sections if any(table.notes for table in section.tables)), sections[0])
    facts: dict[str, Any] = {"title": {lang: first.title or topic}}
    if first.emoji:
        facts["emoji"] = first.emoji
    if first.intro:
        facts["intro"] = {lang: listing.in_our_words(first.intro, topic, inline=False)}
    if paths := [path for section in sections for path in _paths(listing, section, topic)]:
        facts["reading_paths"] = _with_ids(paths)
    notes = (listing.note_of.get(row.span.start, "") for table in tables for row in table.notes)
    numbers = [number_of(note) for note in dict.fromkeys(notes) if note.startswith(f"{topic}/")]
    if numbers != sorted(numbers):
        facts["order"] = numbers
    keys = list(dict.fromkeys(str(paper_of(row).key) for table in tables for row in table.papers))
    if papers := keys if order_of(listing, topic) == "listed" else [key for key in keys if key not in set(read)]:
        facts["papers"] = papers
    return facts


def order_of(listing: Listing, topic: str) -> PaperOrder:
    """How the topic's papers are ordered in the README."""
    dates = [(row.versions or ("",))[0][:7] for table in listing.tables_of(topic) for row in table.papers]
    if not all(dates) or len({*dates}) < len(dates):
        return "listed"
    ordered = sorted(dates)
    return "newest" if dates == ordered[::-1] else "oldest" if dates == ordered else "listed"


def _paths(listing: Listing, section: ReadmeSection, topic: str) -> Iterator[dict[str, Any]]:
    lang = listing.lang
    for guide in section.guides:
        notes = [(listing.step_of(step, section), step.words) for step in guide.steps]
        steps = [
            {"note": _name(note, topic), "words": {lang: words}} if words else _name(note, topic)
            for note, words in notes
            if note
        ]
        if not steps:
            continue
        text = guide.text if len(steps) == len(notes) else f"{guide.line}\n\n{guide.text}".strip()
        path: dict[str, Any] = {"title": {lang: guide.title or section.title}, "steps": steps}
        yield path | ({"guide": {lang: listing.in_our_words(text, topic, inline=False)}} if text else {})


def _name(note: str, topic: str) -> str | int:
    """How a step of the topic names a note."""
    return number_of(note) if note.startswith(f"{topic}/") else reference_to(note).replace("#", "")


def _with_ids(paths: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    named: dict[str, dict[str, Any]] = {}
    for path in paths:
        words = "-".join(ascii_words(next(iter(path["title"].values())))).lower()
        start = re.sub(r"^[^a-z]+", "", words)[:40].rstrip("-") or "path"
        names = chain([start], (f"{start}-{number}" for number in count(2)))
        name = next(name for name in names if name not in named)
        named[name] = {"id": name, **path}
    return [*named.values()]


# Papers

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
