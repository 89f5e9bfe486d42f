"""Cards as a package of Anki: one kind of note, a deck for each topic, the same bytes for the same cards."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping
from hashlib import sha256

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
CSS = """.card{font:18px/1.6 system-ui,"Noto Sans CJK SC","Noto Sans",sans-serif;text-align:left}
.card{color:#1b1d22;background:#fdfdfc}
.card>*{max-width:720px;margin-inline:auto}
header,footer{color:#595f6a;font-size:.8em}
header{margin-bottom:1em}
header b{color:#a83216;font-weight:600}
footer{margin-top:1.5em}
hr{border:0;border-top:1px solid #dfe1e6;margin-block:1.2em}
.question{font-size:1.1em}
.side+.side{margin-top:.7em;padding-top:.7em;border-top:1px dotted #dfe1e6}
.question .side+.side{border:0;padding:0;font-size:.9em;color:#595f6a}
.side>:first-child{margin-top:0}
.side>:last-child{margin-bottom:0}
dt{font-weight:600}
dd{margin:0 0 .5em 1.2em}
img{max-width:100%;height:auto}
img.drawing,img.crop{display:block;box-sizing:border-box;padding:.5em;background:#fff;border-radius:6px}
figure{margin:1em 0}
figcaption,.footnotes,.cites{color:#595f6a;font-size:.85em}
table{border-collapse:collapse}
td,th{padding:.2em .6em;border:1px solid #dfe1e6}
pre{overflow-x:auto}
code{font-size:.9em}
a{color:#1c4a94}
.math-block{overflow-x:auto}
.nightMode.card,.nightMode .card{color:#e2e5ea;background:#131519}
.nightMode :is(header,footer,figcaption,.footnotes,.cites,.question .side+.side){color:#a3aab6}
.nightMode header b{color:#ff9478}
.nightMode :is(hr,td,th,.side+.side){border-color:#31363f}
.nightMode a{color:#9dbdf5}
"""


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
        css=CSS,
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
