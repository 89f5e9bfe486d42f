"""What a README adds to the notes that are taken in, to those that are there, and to their topics."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from paper_notes.corpus.paper import Paper
from paper_notes.features.importing.readme.matching import Notes, reference_to
from paper_notes.features.importing.readme.values import (
    Guide,
    HandKeptReadme,
    ListedPaper,
    ReadmeNote,
    ReadmeSection,
    ReadmeStep,
    ReadmeTable,
)
from paper_notes.features.importing.readme.wording import NoteNames, in_our_words
from paper_notes.features.importing.types import ImportedText
from paper_notes.features.papers.draft import ascii_words
from paper_notes.identifiers import folded_title
from paper_notes.languages.text import Lang

PaperOf = Callable[[ListedPaper], Paper]
"""The paper of a row, as the collection has it."""
_BASE = re.compile(r"\s*[(（].*", re.DOTALL)


@dataclass(frozen=True)
class Listing:
    """A README, and what its rows lead to."""

    readme: HandKeptReadme
    lang: Lang
    topics: Mapping[int, str]
    """Of sections, by their lines."""
    notes: Notes

    @cached_property
    def found(self) -> Mapping[int, str]:
        """The id of each row's note, by the line of the row."""
        rows = [(section, row) for section in self.readme.sections for table in section.tables for row in table.notes]
        sure = {row.line: note for _, row in rows if (note := self.notes.at.find(row.address))}
        taken = frozenset(sure.values())
        for section, row in rows:
            note = self.notes.find(row, self.topics[section.line], taken)
            if note and row.line not in sure:
                sure[row.line] = note
        return sure

    @cached_property
    def rows(self) -> Mapping[str, ReadmeNote]:
        """The first row of each note, by its id."""
        by_note: dict[str, ReadmeNote] = {}
        for section in self.readme.sections:
            for table in section.tables:
                for row in table.notes:
                    if row.line in self.found:
                        by_note.setdefault(self.found[row.line], row)
        return by_note

    def papers_of(self, note: str) -> tuple[ListedPaper, ...]:
        """Rows about the papers of a note: in its own row, or with its label."""
        row = self.rows.get(note)
        return tuple(paper for paper in self._papers_by_note.get(note, ()) if row)

    @cached_property
    def _papers_by_note(self) -> Mapping[str, tuple[ListedPaper, ...]]:
        by_note: dict[str, list[ListedPaper]] = {}
        labels = {name: note for note, row in reversed([*self.rows.items()]) for name in _names(row.label)}
        for section in self.readme.sections:
            for paper in (paper for table in section.tables for paper in table.papers):
                note = self.notes.at.find(paper.note) if paper.note else _first(labels, _names(paper.title))
                if note:
                    by_note.setdefault(note, []).append(paper)
        return {note: tuple(papers) for note, papers in by_note.items()}

    def sections_of(self, topic: str) -> Iterator[ReadmeSection]:
        """The sections about a topic."""
        return (section for section in self.readme.sections if self.topics[section.line] == topic)

    def tables_of(self, topic: str) -> Iterator[ReadmeTable]:
        """The tables and lists of a topic."""
        return (table for section in self.sections_of(topic) for table in section.tables)


def _bare(label: str) -> str:
    """A label without what is in parentheses, and signs."""
    return folded_title(_BASE.sub("", label)) or folded_title(label)


def _names(label: str) -> list[str]:
    """A label without what is in parentheses, behind a colon, and behind a name in Latin letters, in another script."""
    base = _BASE.sub("", label)
    latin = re.match(r"[^\u3040-\u9fff]*", base)
    names = (base, re.split("[:：]", base)[0], latin[0] if latin else "")
    return [name for name in dict.fromkeys(map(folded_title, names)) if len(name) > 1]


def _first(labels: Mapping[str, str], names: Iterable[str]) -> str | None:
    return next((labels[name] for name in names if name in labels), None)


def row_facts(row: ReadmeNote, lang: Lang, names: NoteNames, title: str) -> dict[str, Any]:
    """Keys of note.yaml that a row tells; `title` is the note's."""
    facts: dict[str, Any] = {}
    if row.label and folded_title(row.label) != folded_title(title):
        facts["short"] = {lang: row.label}
    if row.summary:
        facts["summary"] = {lang: in_our_words(row.summary, lang, names)}
    return facts | ({"own": True} if row.own else {})


def with_row(text: ImportedText, row: ReadmeNote, lang: Lang, names: NoteNames) -> ImportedText:
    """A text that is taken in, with what its row tells."""
    facts = row_facts(row, lang, names, text.title)
    if "summary" in facts:
        facts["summary"] = facts["summary"][lang]  # `facts_of` puts it together
        if text.lang != lang:
            del facts["summary"]
    return replace(text, facts={**text.facts, **facts}, extra={**text.extra, **row.others})


def topic_facts(listing: Listing, topic: str, paper_of: PaperOf, read: Iterable[str]) -> dict[str, Any]:
    """Keys of topic.yaml that the README tells. `read` are the keys of papers that the topic's notes read."""
    sections = list(listing.sections_of(topic))
    lang, names = listing.lang, listing.notes.names(topic)
    first = next((section for section in sections if any(table.notes for table in section.tables)), sections[0])
    facts: dict[str, Any] = {"title": {lang: first.title or topic}}
    if first.emoji:
        facts["emoji"] = first.emoji
    if first.intro:
        facts["intro"] = {lang: in_our_words(first.intro, lang, names, inline=False)}
    if paths := [path for section in sections for path in _paths(listing, section, topic)]:
        facts["reading_paths"] = _with_ids(paths)
    rows = [
        listing.found[row.line]
        for table in listing.tables_of(topic)
        for row in table.notes
        if row.line in listing.found
    ]
    own = [int(reference_to(note).rpartition("#")[2]) for note in dict.fromkeys(rows) if note.startswith(f"{topic}/")]
    if own != sorted(own):
        facts["order"] = own
    keys = list(dict.fromkeys(str(paper_of(row).key) for table in listing.tables_of(topic) for row in table.papers))
    if papers := keys if order_of(listing, topic) == "listed" else [key for key in keys if key not in set(read)]:
        facts["papers"] = papers
    return facts


def order_of(listing: Listing, topic: str) -> str:
    """How the topic's papers are ordered in the README: `newest`, `oldest`, or `listed` for any other order."""
    dates = [(row.versions or ("",))[0][:7] for table in listing.tables_of(topic) for row in table.papers]
    if not all(dates) or len({*dates}) < len(dates):
        return "listed"
    if dates == sorted(dates, reverse=True):
        return "newest"
    return "oldest" if dates == sorted(dates) else "listed"


def _paths(listing: Listing, section: ReadmeSection, topic: str) -> Iterator[dict[str, Any]]:
    lang, names = listing.lang, listing.notes.names(topic)
    for guide in section.guides:
        notes = [step_of(step, section, listing) for step in guide.steps]
        steps = [
            {"note": _name(note, topic), "words": {lang: step.words}} if step.words else _name(note, topic)
            for note, step in zip(notes, guide.steps, strict=True)
            if note
        ]
        if not steps:
            continue
        text = guide.text if is_whole(guide, section, listing) else f"{guide.line}\n\n{guide.text}".strip()
        path: dict[str, Any] = {"title": {lang: guide.title or section.title}, "steps": steps}
        if text:
            path["guide"] = {lang: in_our_words(text, lang, names, inline=False)}
        yield path


def is_whole(guide: Guide, section: ReadmeSection, listing: Listing) -> bool:
    """Whether all its steps are notes of the collection."""
    return all(step_of(step, section, listing) for step in guide.steps)


def _name(note: str, topic: str) -> str | int:
    """How a step of the topic names a note."""
    place, _, number = reference_to(note).rpartition("#")
    return int(number) if place == f"{topic}/" else f"{place}{number}"


def _with_ids(paths: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    taken: set[str] = set()
    named = []
    for path in paths:
        words = "-".join(ascii_words(next(iter(path["title"].values())))).lower()
        start = re.sub(r"^[^a-z]+", "", words)[:40].rstrip("-") or "path"
        name = next(option for option in (start, *(f"{start}-{n}" for n in range(2, 1000))) if option not in taken)
        taken.add(name)
        named.append({"id": name, **path})
    return named


def step_of(step: ReadmeStep, section: ReadmeSection, listing: Listing) -> str | None:
    """The note of a step: by its link, its number, its label, or what is short for it: `I-2` for `INTELLECT-2`."""
    if step.address:
        return listing.notes.at.find(step.address)
    rows = [row for table in section.tables for row in table.notes]
    if step.number is not None:
        matches = [row for row in rows if row.number == step.number]
    else:
        name = step.name or step.words
        matches = [row for row in rows if folded_title(row.label) == folded_title(name)]
        matches = matches or [row for row in rows if _bare(row.label) == folded_title(name)]
        matches = matches or [row for row in rows if is_short_for(name, row.label)]
    return listing.found.get(matches[0].line) if len(matches) == 1 else None


def is_short_for(name: str, label: str) -> bool:
    """Whether each run of letters begins one of the label, and all numbers are the same."""
    parts = re.findall(r"[^\W\d_]+|\d+", name)
    if not any(map(str.isdigit, parts)):
        return False
    pattern = r"[\W_]*".join(re.escape(part) if part.isdigit() else rf"{re.escape(part)}[^\W\d_]*" for part in parts)
    return bool(re.fullmatch(pattern, _BASE.sub("", label).strip(), re.IGNORECASE))


def language_of(path: PurePosixPath, text: str, tags: Sequence[Lang], ideographic: Iterable[Lang]) -> Lang:
    """The language of a README: that in its name (`README.en.md`), else the one whose script it has."""
    for part in re.split(r"[._-]", path.stem.lower())[1:]:
        if named := next((tag for tag in tags if tag.lower().split("-")[0] == part), None):
            return named
    letters = [sign for sign in text if sign.isalpha()]
    share = sum("\u3040" <= sign <= "\u9fff" for sign in letters) / (len(letters) or 1)
    own = set(ideographic)
    return next((tag for tag in tags if (tag in own) == (share > _SHARE)), tags[0])


_SHARE = 0.03
"""So many of its letters are ideographs in a text with many foreign words."""
