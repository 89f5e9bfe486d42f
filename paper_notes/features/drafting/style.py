"""Paragraphs of the writer's own in two languages, as examples of style for a translation: those most like its text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from paper_notes.corpus.model import Lang, Note
from paper_notes.features.drafting.applying import spans_of
from paper_notes.features.drafting.invariants import differences, read_piece
from paper_notes.languages.language import Words
from paper_notes.markdown.render import render_body
from paper_notes.markdown.translations import machine_written
from paper_notes.patterns import regex

MOST, SHORTEST, LONGEST = 2, 40, 700
"""How many examples are sent, and how many characters each has."""
_NOTES = 6
"""Notes of a topic that are looked through."""
_MARK = regex(r"[a-z][a-z-]{2,}|[\u4e00-\u9fff]{2}")
_NO_PROSE = regex(r"[ \t]*(?:[#|:>$`~<!]|[-*+] |\d+[.)] |\[\^)")


class Example(NamedTuple):
    """A paragraph in the language that is translated from, and in that to which it is."""

    source: str
    translation: str


def examples_of(notes: Iterable[Note], langs: tuple[Lang, Lang], words: Words) -> tuple[Example, ...]:
    """The paragraphs of these notes that people wrote in both languages."""
    both = (note for note in notes if {*langs} <= {*note.languages})
    return tuple(example for note in islice(both, _NOTES) for example in _of_note(note, langs, words))


def _of_note(note: Note, langs: tuple[Lang, Lang], words: Words) -> Iterator[Example]:
    body = render_body(note, words=words)
    machines = {section for section, _, _ in machine_written(note, body)}
    spans = spans_of(note, body, words)
    source, translation = ({span.id: _paragraphs(span.text) for span in spans[lang]} for lang in langs)
    for section, paragraphs in source.items():
        others = translation.get(section, [])
        if section not in machines and len(paragraphs) == len(others):
            yield from (
                Example(own, other)
                for own, other in zip(paragraphs, others, strict=True)
                if min(len(own), len(other)) >= SHORTEST and max(len(own), len(other)) <= LONGEST
            )


def _paragraphs(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"\n[ \t]*\n", text) if part.strip() and not _NO_PROSE.match(part)]


def likest(text: str, examples: Iterable[Example], langs: tuple[Lang, Lang], words: Words) -> tuple[Example, ...]:
    """The examples that have most words in common with a text, and are true translations as far as can be checked."""
    marks = _marks(text)
    ranked = sorted(examples, key=lambda example: -_likeness(marks, _marks(example.source)))
    true = (
        example
        for example in ranked
        if example.source not in text
        and not any(differences(*(read_piece(part, lang, words) for part, lang in zip(example, langs, strict=True))))
    )
    return tuple(islice(true, MOST))


def _marks(text: str) -> frozenset[str]:
    return frozenset(_MARK.findall(text.lower()))


def _likeness(these: frozenset[str], those: frozenset[str]) -> float:
    return len(these & those) / (len(these | those) or 1)
