"""Cards to remember notes by: HTML fields that any program may show, with pictures as files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from markupsafe import escape

from paper_notes.corpus.model import Corpus, Lang, Note, NoteId
from paper_notes.features.cards.flashcards import Flashcard, Kind, Side, flashcards, identity
from paper_notes.features.cards.tex import Marks
from paper_notes.features.epub.xhtml import LEFT_OUT, Outward, PictureFiles, StartTag, as_xml, for_file, outward, pieces
from paper_notes.markdown.body import Body, Slot, fill
from paper_notes.markdown.sanitise import TAGS
from paper_notes.patterns import regex
from paper_notes.render.labels import name_of
from paper_notes.render.links import NO_ANCHORS, LinkResolver, absolute, note_path
from paper_notes.values import Struct, field

_WIDTH = regex(r'^<svg\b[^>]*? width="([\d.]+em)"')
_LABEL = regex(r' aria-label="([^"]*)"')
_HTML = TAGS | {"img"}
_KEPT = frozenset("href src alt lang title colspan rowspan start width height open type checked disabled".split())
"""Attributes that cards have. Ids would be there twice."""
_CLASSES = frozenset("footnotes math-block callout-title thm-title thm-label thm-name code crop cites tex".split())
_SPACE = regex(r"\s+")


class Card(Struct, frozen=True):
    """A card, ready for any program."""

    id: str
    kind: Kind
    deck: str
    """`Paper Notes::Models`"""
    tags: tuple[str, ...]
    """Without spaces."""
    question: str
    """HTML."""
    answer: str
    about: str
    """The name of the note: HTML."""
    address: str
    """That of the section; empty if the site has none."""
    place: str
    """Note and section in words: `spec-rl/#4 §3.2`."""
    note: Note

    @property
    def link(self) -> str:
        """To the section; in words if the site has no address."""
        place = escape(self.place)
        return f'<a href="{escape(self.address)}">{place}</a>' if self.address else str(place)


class CardMaker(Struct, frozen=True):
    """Makes the cards of notes in these languages, each below the other."""

    corpus: Corpus
    resolver: LinkResolver
    languages: tuple[Lang, ...]
    marks: Marks
    kinds: frozenset[Kind]
    pictures: PictureFiles = field(default_factory=PictureFiles)
    place: Callable[[str], str] = str
    """The address of a picture on a card, from its name."""

    def cards(self, notes: Iterable[Note], bodies: Mapping[NoteId, Body]) -> Iterator[Card]:
        """The cards of these notes."""
        for note in notes:
            owner = identity(note, self.corpus.aliases)
            numbers = self.resolver.anchors.get(note.id, NO_ANCHORS).sections
            for flashcard in flashcards(note, bodies[note.id], self.corpus.site.words, self.marks):
                if flashcard.kind in self.kinds and (sides := self._sides(flashcard)):
                    yield self._card(note, flashcard, sides, owner, numbers)

    def _sides(self, flashcard: Flashcard) -> Sequence[tuple[Lang, Side]]:
        return [(lang, flashcard.sides[lang]) for lang in self.languages if lang in flashcard.sides]

    def _card(
        self,
        note: Note,
        flashcard: Flashcard,
        sides: Sequence[tuple[Lang, Side]],
        owner: str,
        numbers: Mapping[str, str],
    ) -> Card:
        words, page, base = self.corpus.site.words, note_path(note), self.corpus.site.base_url
        spoken = [lang for lang, _ in sides]
        number = next(
            (name for name, section in numbers.items() if section == flashcard.section and name[:1] == "§"), ""
        )

        def question(lang: Lang, side: Side) -> tuple[str, ...]:
            """A sign or a title is no question: notes use the same sign for different things."""
            if flashcard.kind == "point":
                return side.question
            return (str(escape(words[lang](f"card.{flashcard.kind}", note=name_of(note)[lang]))), *side.question)

        name = " · ".join(dict.fromkeys(name_of(note)[lang] for lang in spoken))
        anchor = f"#{flashcard.section}" if flashcard.section else ""
        topic = self.corpus.topic(note.topic)
        first = self.languages[0]
        deck = "::".join(
            part.replace("::", ":").strip() for part in (self.corpus.site.title[first], topic.title[first])
        )
        tags = (note.topic, *note.tags, f"kind::{flashcard.kind}")
        return Card(
            id=flashcard.id_in(owner),
            kind=flashcard.kind,
            deck=deck,
            tags=tuple(dict.fromkeys(_SPACE.sub("_", tag) for tag in tags)),
            question=self._below_each_other([(lang, side.slots, question(lang, side)) for lang, side in sides], note),
            answer=self._below_each_other([(lang, side.slots, side.answer) for lang, side in sides], note),
            about=str(escape(name)),
            address=absolute(page, base) + anchor if base else "",
            place=f"{note.reference} {number}".strip(),
            note=note,
        )

    def _below_each_other(self, sides: Sequence[tuple[Lang, tuple[Slot, ...], tuple[str, ...]]], note: Note) -> str:
        """The pieces in each language; one that is the same in all is there once."""
        rows: list[str] = []
        for row in zip_longest(*([self._html(piece, *side[:2], note) for piece in side[2]] for side in sides)):
            written = [(lang, piece) for (lang, *_), piece in zip(sides, row, strict=True) if piece]
            if len(written) > 1 and len({piece for _, piece in written}) == 1:
                rows.append(f"<div>{written[0][1]}</div>")
                continue
            for lang, piece in written:
                tag = escape(self.corpus.site.words[lang].html)
                rows.append(f'<div class="side" lang="{tag}">{piece}</div>')
        return "".join(rows)

    def _html(self, html: str, lang: Lang, slots: tuple[Slot, ...], note: Note) -> str:
        page = note_path(note)

        def filled(slot: Slot) -> str:
            return str(self.resolver.html(slot, page, note.topic, lang, listed=False))

        xml = as_xml(fill(html, slots, filled), self._changing(outward(page, self.corpus.site.base_url)))
        parts = (self._picture(part) if part.startswith("<svg") else part for part in pieces(xml, "svg"))
        return "".join(parts).strip()

    def _changing(self, leads: Outward) -> Callable[[StartTag], StartTag | None]:
        def change(tag: StartTag) -> StartTag | None:
            if tag.name not in _HTML:  # of a drawing
                return tag
            if not {"vh", "th"}.isdisjoint(tag.classes):
                return LEFT_OUT
            kept = {name: value for name, value in tag.attributes.items() if name in _KEPT}
            if classes := " ".join(name for name in tag.classes if name in _CLASSES):
                kept["class"] = classes
            if tag.name == "a":
                address = leads(kept["href"]) if "href" in kept else None
                return StartTag("a", {"href": address}) if address else None
            if tag.name == "img" and (name := self.pictures.of_address(kept.get("src", ""))):
                kept["src"] = self.place(name)
            return None if tag.name == "span" and not kept else StartTag(tag.name, kept)

        return change

    def _picture(self, svg: str) -> str:
        """A drawing as a file, in the colours of paper: Anki's night mode is none that a file could know of."""
        if 'class="wider"' in svg[: svg.index(">")]:
            return ""
        label, width = _LABEL.search(svg), _WIDTH.match(svg)
        plain = for_file(re.sub(r' (?:width="[\d.]+em"|role="img"|aria-\w+="[^"]*")', "", svg, count=3))
        name = self.pictures.keep(plain.encode(), "svg")
        style = f' style="width:{width[1]}"' if width else ""
        return f'<img class="drawing" src="{self.place(name)}" alt="{label[1] if label else ""}"{style}/>'
