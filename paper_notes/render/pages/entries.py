"""The papers that a note lists: a card each, of its entry, its paper and its sections, and their fields as a filter."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from paper_notes.corpus.model import Entry, Lang, Note, NoteId, Text
from paper_notes.corpus.paper import BibKey, entry_id
from paper_notes.identifiers import folded_title
from paper_notes.patterns import regex
from paper_notes.render.labels import drafted_labels
from paper_notes.render.pages.text_parts import SectionView
from paper_notes.render.plain import plain
from paper_notes.render.view_factory import NoteLink, PageContext, PaperView, keyword_name
from paper_notes.values import Struct

SUMMARY = "contribution"
"""Ends the id of the section that says in one sentence what a paper is about, where the entry has no headline."""
AREA = "area"
"""Ends the id of the section that names the fields of a paper."""
MOST = 20
"""Fields to choose from at most."""
LONGEST = 40
"""Characters of a field at most, counting those of CJK twice: what is longer is a sentence."""
_ASIDE = regex(r"\s*[（(]([^（）()]*)[）)]")
_CJK = "\u2e80-\u9fff"
_BETWEEN = regex(
    rf"\s*[/·•、,，;；|:：。]\s*|\s+[-–—]+\s+|——|(?<=[A-Za-z0-9])-(?=[{_CJK}])|(?<=[{_CJK}])-(?=[A-Za-z0-9])"
)
_WIDE = regex(f"[{_CJK}]")


class Field(Struct, frozen=True):
    """A field that some papers of a list have."""

    id: str
    """Its name in the first language of the note."""
    name: Text
    count: int


_Named = tuple[str, str]
"""The name of a field, and another one behind it: `NLP` of `natural language processing (NLP)`."""


class EntryView(Struct, frozen=True):
    """A paper of the list."""

    id: str
    paper: PaperView
    title: Text
    """HTML: the heading of its section, or the paper's title."""
    retitled: bool
    """Whether the heading is another one than the paper's title in some language."""
    headline: Text | None
    """HTML: what it is about in one sentence."""
    body: Text
    """HTML between the heading and the first of `sections`."""
    sections: tuple[SectionView, ...]
    keywords: tuple[tuple[str, Text], ...]
    """As the author wrote each, and by language."""
    fields: tuple[str, ...]
    """Ids of fields of application that can be chosen."""
    votes: int | None
    share: int
    """Its votes in percent of the most that an entry of the list has."""
    reading_source: Text | None
    notes: tuple[NoteLink, ...]
    """Notes about the paper."""
    before: tuple[NoteLink, ...]
    """Other lists that have it."""
    drafted: Mapping[Lang, str]
    """`drafted by ..., not reviewed`, in the languages in which it is."""


def entries(
    note: Note,
    sections: Sequence[SectionView],
    lists: Mapping[BibKey, tuple[NoteId, ...]],
    context: PageContext,
) -> tuple[tuple[EntryView, ...], tuple[Field, ...], tuple[SectionView, ...]]:
    """The entries of a note in their order, their fields, and the sections that belong to none of them."""
    ids = [entry_id(context.corpus.papers[entry.paper]) for entry in note.entries]
    groups: dict[str, list[SectionView]] = {name: [] for name in ids}
    rest: list[SectionView] = []
    into = rest
    for section in sections:
        if section.level == 2:
            into = groups.get(section.id, rest)
        into.append(section)
    most = max((entry.upvotes or 0 for entry in note.entries), default=0)
    fields, chosen = fields_of([_area(name, groups[name]) for name in ids], note.languages)
    rows = zip(note.entries, ids, fields, strict=True)
    views = tuple(_entry(note, entry, name, groups[name], most, lists, own, context) for entry, name, own in rows)
    return views, chosen, tuple(rest)


def _area(name: str, group: Iterable[SectionView]) -> Mapping[Lang, str]:
    """What the section about the fields of a paper says, as plain text."""
    body = next((section.body for section in group if section.id == f"{name}-{AREA}"), Text())
    return {lang: plain(html) for lang, html in body.parts}


def _entry(
    note: Note,
    entry: Entry,
    name: str,
    group: Sequence[SectionView],
    most: int,
    lists: Mapping[BibKey, tuple[NoteId, ...]],
    fields: tuple[str, ...],
    context: PageContext,
) -> EntryView:
    """The view of an entry; `group` are its sections, the one with its title first."""
    paper = context.paper(context.corpus.papers[entry.paper])
    first, others = (group[0], group[1:]) if group else (None, ())
    headline = context.snippet(entry.headline, entry.location, inline=True)
    said = next((section for section in others if section.id == f"{name}-{SUMMARY}"), None)
    if headline is None and said:
        headline, others = said.body, [section for section in others if section is not said]
    source = entry.reading_source
    return EntryView(
        id=name,
        paper=paper,
        title=first.heading if first else context.words.alike(paper.title),
        retitled=first is not None and not _says(first.heading, paper.title),
        headline=headline,
        body=first.body if first else Text(),
        sections=tuple(others),
        keywords=tuple((word, keyword_name(word, context.corpus)) for word in entry.keywords),
        fields=fields,
        votes=entry.upvotes,
        share=round(100 * (entry.upvotes or 0) / most) if most else 0,
        reading_source=context.words(f"read_from.{source}") if source else None,
        notes=paper.notes,
        before=tuple(context.note_link(other) for other in lists.get(entry.paper, ())),
        drafted=drafted_labels({part.id: note.drafted.get(part.id, {}) for part in group}, context.words),
    )


def _says(heading: Text, title: str) -> bool:
    """Whether a heading is the title in all its languages."""
    return all(folded_title(plain(html)) == folded_title(plain(title)) for _, html in heading.parts)


def fields_of(
    areas: Sequence[Mapping[Lang, str]], languages: tuple[Lang, ...]
) -> tuple[tuple[tuple[str, ...], ...], tuple[Field, ...]]:
    """The ids of the fields of each paper, and the fields to choose from: those of several papers, but not of all.

    `areas` are the plain texts of the sections; `languages` those of the note.
    """
    if len(areas) < 2 or not languages:
        return ((),) * len(areas), ()
    said = [{lang: _split(text) for lang, text in area.items()} for area in areas]
    first = languages[0]
    known = _other_names(named for area in said for named in area.get(first, ()))
    ids = [dict.fromkeys(_id(name, known) for name, _ in area.get(first, ())) for area in said]
    counts = Counter(name for own in ids for name in own if name)
    names = _names(said, known, languages)
    chosen = [(name, count) for name, count in counts.most_common() if 1 < count < len(areas)][:MOST]
    if len(chosen) < 2:
        return ((),) * len(areas), ()
    shown = {name for name, _ in chosen}
    fields = tuple(Field(name, names.get(name) or Text.of({first: name}), count) for name, count in chosen)
    return tuple(tuple(name for name in own if name in shown) for own in ids), fields


def _split(text: str) -> tuple[_Named, ...]:
    """The fields that a text names."""
    shorts: list[str] = []

    def aside(match: re.Match[str]) -> str:
        shorts.append(match[1].strip())
        return f"\ufdd0{len(shorts) - 1}\ufdd0"

    fields = []
    for part in _BETWEEN.split(re.sub(r"\ufdd0\s*-", "\ufdd0 - ", _ASIDE.sub(aside, text))):
        name, _, rest = part.partition("\ufdd0")
        short = shorts[int(rest.partition("\ufdd0")[0])] if rest else ""
        if name := name.strip(" .。"):
            fields.append((name, short))
    return tuple(fields)


def _other_names(fields: Iterable[_Named]) -> Mapping[str, str]:
    """The id of a field by any of its names, in lower case: the shortest of those that share a name behind them."""
    fields = tuple(fields)
    best: dict[str, str] = {}
    for name, short in fields:
        best[short.lower()] = min(best.get(short.lower(), name), name, key=len)
    known: dict[str, str] = {}
    for name, short in fields:
        if short:
            shortest = known.setdefault(short.lower(), best[short.lower()])
            known.setdefault(name.lower(), shortest)
    for name, _ in fields:
        known.setdefault(name.lower(), name)
    return known


def _id(field: str, known: Mapping[str, str]) -> str:
    name = known[field.lower()]
    return name if len(name) + len(_WIDE.findall(name)) <= LONGEST else ""


def _names(
    said: Iterable[Mapping[Lang, tuple[_Named, ...]]], known: Mapping[str, str], languages: tuple[Lang, ...]
) -> Mapping[str, Text]:
    """The name of each field in all languages, where both texts of a section name equally many."""
    names: dict[str, Text] = {}
    for area in said:
        if len({len(area.get(lang, ())) for lang in languages}) == 1:
            for together in zip(*(area[lang] for lang in languages if lang in area), strict=True):
                (name, _), *others = together
                own = _id(name, known)
                parts = zip(languages, (own, *(other for other, _ in others)), strict=True)
                names.setdefault(own, Text(tuple(parts)))
    return names
