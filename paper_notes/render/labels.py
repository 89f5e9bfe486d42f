"""What pages call things: notes, papers, languages, initials, reading times and sizes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from paper_notes.corpus.model import Corpus, DraftedSections, Lang, Note, Text, Topic, TopicId
from paper_notes.corpus.paper import Paper
from paper_notes.corpus.references import split_section
from paper_notes.languages.language import FALLBACK, Language, Words, language, nearest
from paper_notes.languages.text import in_each
from paper_notes.patterns import regex

_AFTER_COLON = regex(r"\s*[:：].*", re.DOTALL)


def short_title(title: str) -> str:
    """A title up to its colon, as references in running text show it."""
    return _AFTER_COLON.sub("", title).strip() or title


def name_of(note: Note) -> Text:
    """The name of a note in texts: its `short`, or its title up to the colon."""
    return note.short or note.title.map(short_title)


def reference(corpus: Corpus, note: Note, lang: Lang, topic: TopicId, target: str = "") -> str:
    """The name of a note in texts of a topic: `#4 ReSpec`, or `🟡 #1 MTP` for a note of another topic.

    That of a page of the user's own is its title. The number of the section in `target`, `#4§3.2`, comes after it.
    """
    section = split_section(target)[1]
    after = f" {section}" if section.startswith("§") else ""
    name = f"{number(corpus, note, lang, topic)} {name_of(note)[lang]}" if note.topic else note.title[lang]
    return name + after


def number(corpus: Corpus, note: Note, lang: Lang, topic: TopicId) -> str:
    """The number of a note in texts of a topic: `#4`, or `🟡 #1` for a note of another topic."""
    own = f"#{note.number}"
    return own if note.topic == topic else f"{sign_of(corpus.topic(note.topic))[lang]} {own}"


def sign_of(topic: Topic) -> Text:
    """What stands for a topic beside the number of a note: its emoji, or else its title."""
    return topic.title.map(lambda title: topic.emoji or title)


def cite_label(paper: Paper, *, bare: bool = False) -> str:
    """The text of a citation: `Leviathan et al., 2022`, or `2022` alone."""
    if bare and paper.year:
        return str(paper.year)
    return f"{paper.short_authors}, {paper.year}" if paper.year else paper.short_authors


def author_names(paper: Paper, most: int) -> str:
    """The first authors of a paper: `Yaniv Leviathan, Matan Kalman et al.`; empty if none is known."""
    more = " et al." if len(paper.authors) > most or paper.more_authors else ""
    return ", ".join(name.full for name in paper.authors[:most]) + more


_NAMED_LINKS = frozenset({"Code", "Project", "Blog", "Link"})
"""Labels that are words; the others are names."""


def link_label(label: str, words: Words) -> Text:
    """What a link of a paper is called in each language: `Code`, `代码`; a name such as `arXiv` is the same in all."""
    return words(f"label.link-{label.lower()}") if label in _NAMED_LINKS else words.alike(label)


CHARACTERS_PER_MINUTE = 300
"""Chinese technical prose, read with care."""
KANA_AND_KANJI_PER_MINUTE = 400
"""Japanese, which takes more characters to say the same."""
WORDS_PER_MINUTE = 180
"""English and other languages with spaces between words."""


def language_name(lang: Lang, words: Words) -> Text:
    """The name of a language in each language of the site (`Chinese`, `中文`), or else in itself."""
    return _name_of("ui.language", lang, words)


def language_names(words: Words) -> Text:
    """The languages of a site in one phrase: `Chinese and English`, `中英`."""
    first, *more = words.tags
    if not more:
        return language_name(first, words)
    before, other = (_name_of("label.in-pair", lang, words) for lang in (first, *more))
    return words("label.pair", first=before, second=other)


def _name_of(section: str, lang: Lang, words: Words) -> Text:
    word = f"{section}.{nearest(lang)}"
    known = word in language(FALLBACK).words
    return words(word) if known else words.alike(words[lang].name)


def drafted_labels(drafted: DraftedSections, words: Words, *, count: bool = False) -> Mapping[Lang, str]:
    """`drafted by qwen3, not reviewed`, and how many sections are, in each language with sections of a model."""
    labels: dict[Lang, str] = {}
    for lang in words.tags:
        records = [known[lang] for known in drafted.values() if lang in known]
        if records:
            models = ", ".join(dict.fromkeys(record.model for record in records))
            word = "ui.note.sections-drafted" if count else "ui.note.drafted"
            labels[lang] = words[lang](word, models=models, count=len(records))
    return labels


def joined(words: Words, *parts: Text) -> Text:
    """The texts, separated by commas."""
    return in_each(words.tags, lambda lang: words[lang]("label.comma").join(part[lang] for part in parts))


def initial(name: str) -> str:
    """The letter that a name is listed under: A to Z, a character of another script, or `#`."""
    first = unicodedata.normalize("NFKD", name)[:1].upper()
    return first if first.isalpha() else "#"


def initial_order(name: str) -> tuple[bool, str, str]:
    """A key that sorts names by their initials, `#` last."""
    letter = initial(name)
    return letter == "#", letter, name.casefold()


def minutes_to_read(words: int, characters: int, language: Language) -> int:
    """Minutes to read a text in a language, from its words and its characters of scripts without spaces."""
    speed = KANA_AND_KANJI_PER_MINUTE if language.script == "Jpan" else CHARACTERS_PER_MINUTE
    return max(1, round(characters / speed + words / WORDS_PER_MINUTE))


def size_of(count: int) -> str:
    """A number of bytes for people: `54 KB`, `1.2 MB` (1 KB is 1000 bytes)."""
    if count < 999_500:
        return f"{max(1, round(count / 1000))} KB"
    return f"{count / 1_000_000:.1f} MB"
