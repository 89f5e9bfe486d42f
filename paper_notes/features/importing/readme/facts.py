"""What a README adds to note.yaml of the notes that it lists, and to topic.yaml."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, count
from typing import Any

from paper_notes.corpus.paper import Paper
from paper_notes.features.importing.readme.listing import Listing, number_of, reference_to
from paper_notes.features.importing.readme.reading import ReadmeSection
from paper_notes.features.importing.readme.rows import ReadmeRow
from paper_notes.features.importing.types import ImportedText
from paper_notes.features.papers.draft import ascii_words
from paper_notes.identifiers import folded_title
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
