"""Cards as a package of Anki: one kind of note, a deck for each topic, the same bytes for the same cards."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from importlib import resources

import genanki

from paper_notes.features.cards.card_texts import fields_of
from paper_notes.features.cards.cards import Card
from paper_notes.features.epub.epub import file_in, zipped

NOTE_TYPE = "paper-notes"
FIELDS = ("Question", "Answer", "About", "Link")
_MODEL_ID = 1_607_392_001
"""Anki knows the kind of note by it, in every collection and forever."""
_FRONT = '<header>{{About}}</header><div class="question">{{Question}}</div>'
_BACK = '{{FrontSide}}<hr id="answer"><div class="answer">{{Answer}}</div><footer>{{Link}}</footer>'


class _Note(genanki.Note):  # type: ignore[misc] # genanki has no types
    """A note with a time of its own: Anki takes over what is newer than what it has."""

    def __init__(self, changed: int, **values: object) -> None:
        super().__init__(**values)
        self._changed = changed

    def write_to_db(self, cursor: object, _timestamp: float, deck_id: int, id_gen: object) -> None:
        super().write_to_db(cursor, self._changed, deck_id, id_gen)


def package(cards: Iterable[Card], files: Mapping[str, bytes], changed: Mapping[str, int]) -> bytes:
    """The cards as an `.apkg` file with these pictures. `changed` says when each note was, in seconds, by its id."""
    model = genanki.Model(
        _MODEL_ID,
        NOTE_TYPE,
        fields=[{"name": name} for name in FIELDS],
        templates=[{"name": "Card", "qfmt": _FRONT, "afmt": _BACK}],
        css=resources.files(__package__).joinpath("cards.css").read_text("utf-8"),
    )
    decks: dict[str, genanki.Deck] = {}
    for card in cards:
        topic = card.note.topic
        deck = decks.setdefault(topic, genanki.Deck(_deck_id(topic), card.deck))
        fields, tags = list(fields_of(card)), list(card.tags)
        deck.add_note(_Note(changed[card.note.id], model=model, fields=fields, guid=card.id, tags=tags))
    buffer = io.BytesIO()
    genanki.Package(list(decks.values())).write_to_file(buffer, timestamp=max(changed.values(), default=0))
    names = {str(number): name for number, name in enumerate(sorted(files))}
    return zipped(
        {
            "collection.anki2": file_in(buffer.getvalue(), "collection.anki2"),
            "media": json.dumps(names).encode(),
            **{number: files[name] for number, name in names.items()},
        }
    )


def _deck_id(topic: str) -> int:
    return (1 << 30) + int(sha256(f"paper-notes {topic}".encode()).hexdigest()[:7], 16)
