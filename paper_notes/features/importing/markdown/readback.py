"""What we wrote, read with our own parser: whether it builds, and whether each word of the original is there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from html import escape, unescape
from pathlib import PurePosixPath
from typing import Any

from paper_notes.corpus.model import Note, NoteId, NoteText, Text, TopicId
from paper_notes.corpus.references import split_section
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.features.importing.completeness import with_typed_labels
from paper_notes.features.importing.markdown.headings import words_in
from paper_notes.features.importing.markdown.words import Piece
from paper_notes.markdown.body import SLOT, Body
from paper_notes.markdown.render import render_body
from paper_notes.sources.tree import Source

PATH = PurePosixPath("notes_src/foreign/01_note/text.md")
_MATH = re.compile(r"<math\b.*?</math>|<svg\b.*?</svg>", re.DOTALL)
_UNSEEN = re.compile(r'<span class="(?:vh|th)"[^>]*>.*?</span>', re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_WINDOW = 600
"""How many letters more the page may have between two words."""
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class ReadBack:
    """What our parser makes of a text."""

    problems: tuple[Diagnostic, ...]
    letters: str
    """Of all that readers see."""


def read_back(text: str, lang: str, files: Mapping[str, bytes], titles: Mapping[str, str]) -> ReadBack:
    """The text as its page has it; `titles` are those of the notes that it may refer to."""
    words = words_in(lang)
    tag = words.tags[0]
    known: dict[str, Any] = {
        "id": NoteId("foreign/01_note"),
        "topic": TopicId("foreign"),
        "name": "01_note",
        "title": Text(((tag, "x"),)),
        "texts": (NoteText(tag, PATH, text),),
        "files": {name: Source(PATH.parent / name, data) for name, data in files.items()},
        "location": Location(PATH),
        "number": 1,
        "translated": {},
        "drafted": {},
    }
    note = Note(**{one.name: known.get(one.name, ()) for one in fields(Note)})  # no other fact concerns its text
    body = render_body(note, (), words)
    return ReadBack(body.diagnostics, letters(_shown(body, titles)))


def _shown(body: Body, titles: Mapping[str, str]) -> str:
    (lang, half), *_ = body.halves.items()
    html = [half.lead]
    for section in body.sections:
        html += [section.halves[lang].heading, " ", section.halves[lang].html]
    html.append(half.footnotes)

    def slot(found: re.Match[str]) -> str:
        one = half.slots[int(found[1])]
        return escape(one.text or titles.get(split_section(one.target)[0], one.target))

    text = SLOT.sub(slot, with_typed_labels("".join(html)))
    return unescape(_TAG.sub("", _UNSEEN.sub("", _MATH.sub("", text))))


def letters(text: str) -> str:
    """What counts when words are compared: letters and digits."""
    return "".join([sign for sign in text if sign.isalnum()])


def missing(wanted: Sequence[Piece], shown: str) -> list[Piece]:
    """The words that are not on the page, in order, with their lines in the original."""
    place = 0
    lost: list[Piece] = []
    for number, text in wanted:
        piece = letters(text)
        if not piece:
            continue
        if shown.startswith(piece, place):
            place += len(piece)
            continue
        found = shown.find(piece, place, place + _window(piece))
        if found >= 0:
            place = found + len(piece)
            continue
        gone, after = _by_words(text, shown, place)
        lost += [(number, word) for word in gone]
        place = after
    return lost


def _by_words(text: str, shown: str, start: int) -> tuple[list[str], int]:
    """The words of a piece that are not there, and where the page goes on: at the start unless most are there."""
    gone: list[str] = []
    place, words = start, _WORD.findall(text)
    for word in words:
        part = letters(word)
        found = shown.find(part, place, place + _window(part))
        if found >= 0:
            place = found + len(part)
        elif part:
            gone.append(word)
    return gone, place if len(gone) * 3 < len(words) else start


def _window(part: str) -> int:
    """How far a word may be from the one before it: a short one is found anywhere, and is another one there."""
    return min(_WINDOW, 60 * len(part)) + len(part)
