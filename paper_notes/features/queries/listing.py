"""Filters and sorts notes for `list`, and collects all facts of one note for `show`."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from paper_notes.corpus.model import Corpus, CorrectedClaim, KindId, Lang, Note, NoteFacts, NoteId, Text, TopicId
from paper_notes.corpus.paper import Paper
from paper_notes.markdown.body import Body, BodySection
from paper_notes.markdown.syntax.cjk import count
from paper_notes.render.links import SITE, LinkResolver, note_path
from paper_notes.render.pages.note import Relations
from paper_notes.render.plain import plain, plain_sections
from paper_notes.render.search.data import year_of
from paper_notes.render.search.folding import fold
from paper_notes.render.search.matching import each, patterns
from paper_notes.values import Struct

Order = Literal["number", "newest", "papers", "rating", "title"]
_OF_ITS_PAGE = ("thumbnail", "publish_pdf")
"""Facts of a note that only concern its page, so `--json` omits them."""


class NoteFilter(Struct, frozen=True):
    """The filters, as on the home page: a note must match all of them, and any of several values of one."""

    topics: tuple[TopicId, ...] = ()
    kinds: tuple[KindId, ...] = ()
    tags: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    statuses: tuple[str, ...] = ()
    """As `Note.state`."""
    language: Lang | Literal["both"] | None = None
    rating: int = 0
    """Lowest number of stars."""
    text: str = ""
    """Words that must all be found in title, summary, tags, papers or text, in any language."""


def select(
    corpus: Corpus, wanted: NoteFilter, order: Order, lang: Lang, texts: Mapping[NoteId, str]
) -> tuple[Note, ...]:
    """The matching notes, sorted. `texts` are the words of their bodies (`words_of`), for a text to search."""
    tags = {fold(tag) for tag in wanted.tags}
    groups = patterns(corpus, wanted.text)
    matching = [
        note
        for note in corpus.notes
        if (not wanted.topics or note.topic in wanted.topics)
        and (not wanted.kinds or note.kind in wanted.kinds)
        and (not tags or tags & {fold(tag) for tag in note.tags})
        and (not wanted.years or year_of(note, corpus.papers) in wanted.years)
        and (not wanted.statuses or note.state in wanted.statuses)
        and _has_language(note, wanted.language)
        and (note.rating or 0) >= wanted.rating
        and (not groups or _has(note, corpus, groups, texts.get(note.id, "")))
    ]
    return tuple(_sorted(matching, order, corpus, lang))


def _has_language(note: Note, language: Lang | Literal["both"] | None) -> bool:
    return len(note.languages) > 1 if language == "both" else language is None or language in note.languages


def _sorted(notes: list[Note], order: Order, corpus: Corpus, lang: Lang) -> list[Note]:
    """Sort notes in place; equal ones stay in the order of topics and numbers."""
    if order == "newest":
        notes.sort(key=lambda note: str(note.updated or note.created or ""), reverse=True)
    elif order == "papers":
        notes.sort(key=lambda note: corpus.papers[note.papers[0]].date_label if note.papers else "", reverse=True)
    elif order == "rating":
        notes.sort(key=lambda note: note.rating or 0, reverse=True)
    elif order == "title":
        notes.sort(key=lambda note: fold(note.title[lang]))
    return notes


def _has(note: Note, corpus: Corpus, groups: Sequence[re.Pattern[str]], text: str) -> bool:
    words = fold("\n".join([*titles_of(note), *each(note.summary), *keys_of(note, corpus), text]))
    return all(group.search(words) for group in groups)


def titles_of(note: Note) -> tuple[str, ...]:
    """What a note is called."""
    return (f"#{note.number}", note.name, *each(note.title), *each(note.short))


def keys_of(note: Note, corpus: Corpus) -> tuple[str, ...]:
    """What else a note is found by: tags, keywords, and the facts of its papers."""
    parts = [*note.tags, *note.keywords]
    for paper in (corpus.papers[key] for key in note.papers):
        parts += (paper.key, paper.title, paper.team, paper.venue, paper.arxiv or "", paper.doi or "")
        parts += (name.full for name in paper.authors)
    return tuple(parts)


def words_of(body: Body) -> str:
    """The plain text of a note in all its languages."""
    return "\n".join(text for lang in body.halves for _, text in plain_sections(body, lang, lambda slot: slot.text))


def facts(note: Note, corpus: Corpus) -> dict[str, object]:
    """The facts of a note for `list --json`. Keys are only ever added."""
    languages = corpus.site.languages
    return {
        "id": note.id,
        "topic": note.topic,
        "number": note.number,
        "title": _by_language(note.title, languages),
        "short": _by_language(note.short, languages),
        "summary": _by_language(note.summary, languages),
        **{fact: _plain(getattr(note, fact)) for fact in NoteFacts.__struct_fields__ if fact not in _OF_ITS_PAGE},
        "languages": note.languages,
        "year": year_of(note, corpus.papers) or None,
        "papers": note.papers,
        "source": str(note.location.path.parent if note.location.path.name == "note.yaml" else note.location.path),
        "page": str(SITE / note_path(note)),
    }


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime.date) else value


def _by_language(text: Text | None, languages: Iterable[Lang]) -> dict[Lang, str] | None:
    return {lang: text[lang] for lang in languages} if text else None


def details(note: Note, body: Body, corpus: Corpus, resolver: LinkResolver, relations: Relations) -> dict[str, object]:
    """The facts of a note for `show --json`, with its sections and its links to other notes."""
    languages = corpus.site.languages
    corrected = relations.corrected_by.get(note.id, ())
    slots = [slot for half in body.halves.values() for slot in half.slots]
    targets = [resolver.target(slot, note.topic) for slot in slots if slot.kind == "note"]
    return {
        **facts(note, corpus),
        "papers": [paper_facts(corpus.papers[key]) for key in note.papers],
        "length": {lang: {"words": half.words, "characters": half.characters} for lang, half in body.halves.items()},
        "sections": [_section(section, languages) for section in body.sections],
        "cites": _unique(slot.target for slot in slots if slot.kind == "cite"),
        "links_to": _unique(target[0] for target in targets if isinstance(target, tuple)),
        "backlinks": relations.backlinks.get(note.id, ()),
        "paths": [
            {"title": _by_language(step.title, languages), "position": step.position, "length": step.length}
            for step in relations.steps.get(note.id, ())
            if step.position
        ],
        "corrects": [_correction(item.note, item, languages) for item in note.corrects],
        "corrected_by": [_correction(by, item, languages) for by, item in corrected],
    }


def _unique(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _correction(note: NoteId, item: CorrectedClaim, languages: Iterable[Lang]) -> dict[str, object]:
    claim, correction = (_by_language(text, languages) for text in (item.claim, item.correction))
    return {"note": note, "claim": claim, "correction": correction}


def paper_facts(paper: Paper) -> dict[str, object]:
    """The facts of a paper in those of a note. Keys are only ever added."""
    return {
        "key": paper.key,
        "title": paper.title,
        "authors": [name.full for name in paper.authors],
        "team": paper.team,
        "venue": paper.venue,
        "date": paper.date_label,
        "links": {item.label: item.url for item in paper.links},
    }


def _section(section: BodySection, languages: Iterable[Lang]) -> dict[str, object]:
    def half(lang: Lang) -> dict[str, object] | None:
        words = section.halves.get(lang)
        if words is None:
            return None
        text = plain(words.html)
        count_of_words, characters = count(text)
        return {"heading": plain(words.heading), "words": count_of_words, "characters": characters}

    return {"id": section.id, "level": section.level, **{lang: half(lang) for lang in languages}}
