"""Which notes and topics the rows of a README are about, and what these say of them and of papers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, count
from pathlib import PurePosixPath
from typing import Any

from paper_notes.corpus.model import ArxivId, Corpus, NoteId
from paper_notes.corpus.paper import LabelledLink, Paper
from paper_notes.corpus.references import name_of
from paper_notes.features.importing.import_record import shared_end
from paper_notes.features.importing.placement import PlacedNote, safe_name
from paper_notes.features.importing.readme.reading import Guide, HandKeptReadme, ReadmeSection, ReadmeStep
from paper_notes.features.importing.readme.rows import ReadmeRow, ReadmeTable
from paper_notes.features.importing.readme.words import PAGES, in_our_words, path_of
from paper_notes.features.importing.types import ImportedText
from paper_notes.features.papers.arxiv import ArxivReference, offline_draft
from paper_notes.features.papers.draft import Draft, ascii_words
from paper_notes.identifiers import DOI_SITE, DOI_START, folded_title, parse_arxiv
from paper_notes.indexes.regions import PaperOrder
from paper_notes.languages.language import Words
from paper_notes.languages.text import Lang
from paper_notes.patterns import regex
from paper_notes.values import Struct, replace

_PLAIN_FOLDERS = frozenset({"notes", "note", "html", "docs", "doc", "pages", "papers", "posts", "src", "content", "md"})
"""Folders that are no topics."""
_PAGE = regex(r"\.(?:html?|md|markdown)$|/0*\d+[_-][^/]*/?$", re.IGNORECASE)
"""What addresses of notes end with."""
_INDEX = frozenset({"index", "readme", "_index"})
_IN_PARENTHESES = regex(r"\s*[(（].*", re.DOTALL)
_SHARE = 0.03
"""So many of its letters are ideographs in a text with many foreign words."""


def parts_of(address: str) -> tuple[str, ...]:
    """The folders and the name, without a suffix, that an address or a path has: `('rl', 'notes', '04_respec')`."""
    path = path_of(address)[1]
    parts = [part.casefold() for part in path.parts if part not in ("/", ".", "..")]
    if parts and path.suffix.lower() in PAGES:
        parts[-1] = parts[-1].removesuffix(path.suffix.lower())
    if parts and parts[-1] in _INDEX:
        parts.pop()
    return tuple(parts)


def by_address(pairs: Iterable[tuple[str, str]]) -> Callable[[str], str | None]:
    """A function that finds what is at an address, by as much of its end as several names share.

    `pairs` are addresses, or paths, and what is there. It finds None if there is nothing, or could be several things.
    """
    by_name: dict[str, dict[tuple[tuple[str, ...], str], None]] = defaultdict(dict)
    for address, what in pairs:
        if parts := parts_of(address):
            by_name[parts[-1]][parts, what] = None

    def find(address: str) -> str | None:
        wanted = parts_of(address)
        candidates = by_name.get(wanted[-1], ()) if wanted else ()
        scores = [(shared_end(wanted, parts), what) for parts, what in candidates]
        scheme, path = path_of(address)
        if scheme and not _PAGE.search(str(path)):
            scores = [(score, what) for score, what in scores if score > 1]  # any place on the web may have the name
        best = {what for score, what in scores if score == max(scores)[0]}
        return best.pop() if len(best) == 1 else None

    return find


def topics_of(readme: HandKeptReadme, corpus: Corpus, only: str | None) -> dict[int, str]:
    """The topic of each section, by its start. All are `only` if that is given.

    It is the folder in the heading or in the addresses of the rows; for papers a topic of the same title.
    """
    topics: dict[int, str] = {}
    titles: dict[str, str] = {folded_title(part): topic.id for topic in corpus.topics for _, part in topic.title.parts}
    for section in readme.sections:
        if folder := safe_name(section.folder) or _folder(section):
            topics[section.start] = folder
            titles.setdefault(folded_title(section.title), folder)
    for section in readme.sections:
        name = titles.get(folded_title(section.title)) or topics.get(section.start)
        topics[section.start] = only or name or _named(section, readme)
    return topics


def _folder(section: ReadmeSection) -> str:
    """The folder that the notes of a section are in."""
    folders = [
        [part for part in path_of(row.address)[1].parts[:-1] if part not in ("/", ".", "..", *_PLAIN_FOLDERS)]
        for table in section.tables
        for row in table.notes
    ]
    counts = Counter(inside[-1] if inside else "" for inside in folders)
    return safe_name(counts.most_common(1)[0][0]) if counts else ""


def _named(section: ReadmeSection, readme: HandKeptReadme) -> str:
    words = "-".join(ascii_words(re.sub(r"[^\w\s]", " ", section.title))).lower()
    return safe_name(words) or safe_name(section.title) or safe_name(readme.path.stem.lower()) or "papers"


def arranged(
    readme: HandKeptReadme, topics: Mapping[int, str], paths: Iterable[PurePosixPath]
) -> Iterator[tuple[PurePosixPath, str, int | None]]:
    """The topic and number that the README gives to files."""
    find = by_address((str(path), str(path)) for path in paths)
    for section, row in readme.rows:
        if row.address and (file := find(row.address)):
            yield PurePosixPath(file), topics[section.start], row.number


def reference_to(note: str) -> str:
    """`agents/#4` for `agents/04_Memory`."""
    name = name_of(NoteId(note))
    return f"{name.topic}/#{name.number}"


class Listing(Struct, frozen=True, dict=True):
    """A README, and what its rows lead to: notes that are taken in with it, and those that the collection has."""

    readme: HandKeptReadme
    lang: Lang
    words: Words
    topics: Mapping[int, str]
    """Of sections, by their starts."""
    at: Callable[[str], str | None]
    """The id of the note at an address: that of its original, its name, or a former one."""
    by_number: Mapping[tuple[str, int], str]
    """Ids by topic and number."""

    @cached_property
    def note_of(self) -> Mapping[int, str]:
        """The id of each row's note, by the start of the row: by its address, else by its number in the topic.

        A number means no note that another row leads to.
        """
        rows = [(section, row) for section, row in self.readme.rows if row.address]
        notes = {row.span.start: note for _, row in rows if (note := self.at(row.address))}
        named = frozenset(notes.values())
        for section, row in rows:
            numbered = self.by_number.get((self.topics[section.start], row.number or 0))
            if row.span.start not in notes and numbered and numbered not in named:
                notes[row.span.start] = numbered
        return notes

    @cached_property
    def rows(self) -> Mapping[str, ReadmeRow]:
        """The first row of each note, by its id."""
        rows = [row for _, row in self.readme.rows if row.span.start in self.note_of]
        return {self.note_of[row.span.start]: row for row in reversed(rows)}

    @cached_property
    def papers(self) -> Mapping[str, Sequence[ReadmeRow]]:
        """Rows about the papers of notes that have a row, by the ids of these: in that row, or with its label."""
        papers: dict[str, list[ReadmeRow]] = defaultdict(list)
        labels = {name: note for note, row in self.rows.items() for name in _names(row.title)}
        for _, row in self.readme.rows:
            named = (labels[name] for name in _names(row.title) if name in labels)
            note = self.at(row.address) if row.address else next(named, None)
            if row.is_paper and note and note in self.rows:
                papers[note].append(row)
        return papers

    def sections_of(self, topic: str) -> list[ReadmeSection]:
        """The sections about a topic."""
        return [section for section in self.readme.sections if self.topics[section.start] == topic]

    def tables_of(self, topic: str) -> list[ReadmeTable]:
        """The tables and lists of a topic."""
        return [table for section in self.sections_of(topic) for table in section.tables]

    def in_our_words(self, markdown: str, topic: str, *, inline: bool = True) -> str:
        """Markdown of the README as a text of a topic; `inline` is one line."""
        numbers = self._references.get(topic, {})
        return in_our_words(markdown, self.lang, self.words, self._reference, numbers, inline=inline)

    @cached_property
    def _references(self) -> Mapping[str, Mapping[int, str]]:
        """How texts refer to the notes of each topic, by number."""
        by_topic: dict[str, dict[int, str]] = defaultdict(dict)
        for (topic, number), note in self.by_number.items():
            by_topic[topic][number] = reference_to(note)
        return by_topic

    def _reference(self, address: str) -> str | None:
        note = self.at(address)
        return reference_to(note) if note else None

    def step_of(self, step: ReadmeStep, section: ReadmeSection) -> str | None:
        """The note of a step: by its link, its number, its label, or what is short for it: `I-2` for `INTELLECT-2`."""
        if step.address:
            return self.at(step.address)
        rows = [row for table in section.tables for row in table.notes]
        name = folded_title(step.name or step.words)
        tests: list[Callable[[ReadmeRow], bool]] = [
            lambda row: folded_title(row.title) == name,
            lambda row: _bare(row.title) == name,
            lambda row: _is_short_for(step.name or step.words, row.title),
        ]
        if step.number is not None:
            tests = [lambda row: row.number == step.number]
        matches = next(filter(None, ([row for row in rows if test(row)] for test in tests)), [])
        return self.note_of.get(matches[0].span.start) if len(matches) == 1 else None

    def is_whole(self, guide: Guide, section: ReadmeSection) -> bool:
        """Whether all steps of a reading path are notes of the collection."""
        return all(self.step_of(step, section) for step in guide.steps)


def listing_of(readme: HandKeptReadme, corpus: Corpus, placed: Iterable[PlacedNote], topic: str | None) -> Listing:
    """A README with all notes of the collection and those that are taken in; all go into one `topic` if it is given."""
    pairs: list[tuple[str, str]] = []
    by_number: dict[tuple[str, int], str] = {}
    for note in placed:
        names = [note.id, *(str(outline.path) for outline in note.outlines)]
        names += [alias for outline in note.outlines for alias in outline.aliases if "/" in alias]
        pairs += [(name, note.id) for name in names]
        by_number[note.topic, name_of(NoteId(note.id)).number] = note.id
    for known in (*corpus.notes, *corpus.drafts):
        pairs.append((known.id, known.id))
        by_number.setdefault((known.topic, known.number), known.id)
    pairs += [(alias.address, alias.note) for alias in corpus.aliases if alias.note]
    words = corpus.site.words
    lang = language_of(readme.path, readme.text, words)
    return Listing(readme, lang, words, topics_of(readme, corpus, topic), by_address(pairs), by_number)


def _bare(label: str) -> str:
    """A label without what is in parentheses, and signs."""
    return folded_title(_IN_PARENTHESES.sub("", label)) or folded_title(label)


def _names(label: str) -> list[str]:
    """A label without what is in parentheses, behind a colon, and behind a name in Latin letters, in another script."""
    base = _IN_PARENTHESES.sub("", label)
    latin = re.match(r"[^\u3040-\u9fff]*", base)
    names = (base, re.split("[:：]", base)[0], latin[0] if latin else "")
    return [name for name in dict.fromkeys(map(folded_title, names)) if len(name) > 1]


def _is_short_for(name: str, label: str) -> bool:
    """Whether each run of letters begins one of the label, and all numbers are the same."""
    parts = re.findall(r"[^\W\d_]+|\d+", name)
    if not any(map(str.isdigit, parts)):
        return False
    pattern = r"[\W_]*".join(re.escape(part) if part.isdigit() else rf"{re.escape(part)}[^\W\d_]*" for part in parts)
    return bool(re.fullmatch(pattern, _IN_PARENTHESES.sub("", label).strip(), re.IGNORECASE))


def language_of(path: PurePosixPath, text: str, words: Words) -> Lang:
    """The language of a README: that in its name (`README.en.md`), else the one whose script it has."""
    for part in re.split(r"[._-]", path.stem.lower())[1:]:
        if named := next((tag for tag in words.tags if tag.lower().split("-")[0] == part), None):
            return named
    letters = [sign for sign in text if sign.isalpha()]
    share = sum("\u3040" <= sign <= "\u9fff" for sign in letters) / (len(letters) or 1)
    fitting = (language.tag for language in words.languages if language.ideographic == (share > _SHARE))
    return next(fitting, words.tags[0])


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
    notes = (listing.note_of.get(row.span.start) for table in tables for row in table.notes)
    names = (name_of(NoteId(note)) for note in dict.fromkeys(filter(None, notes)))
    numbers = [name.number for name in names if name.topic == topic]
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
    name = name_of(NoteId(note))
    return name.number if name.topic == topic else f"{name.topic}/{name.number}"


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

_DOI = regex(rf"{DOI_SITE}({DOI_START}\S+)", re.IGNORECASE)
_FIELDS = {"Code": "code", "Project": "project", "HF": "hf", "Blog": "blog", "PDF": "pdf", "Link": "url"}
"""Labels that a field of an entry has on pages."""
_NO_VENUE = regex(r"https?:|arxiv\b", re.IGNORECASE)
"""What an entry would take for an address, and what its link to arXiv says."""
_DATE = regex(r"(?P<year>\d{4})(?:-(?P<month>0[1-9]|1[0-2]))?")


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
