"""A document that became a note, given back: each piece as it stands there, where the note still says the same.

It is kept beside the note, so nothing of it has to be spelled again: a list that nobody has changed is what it was,
byte for byte.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from paper_notes.corpus.model import Corpus, Lang, Note
from paper_notes.corpus.paper import entry_id
from paper_notes.document.edit import Edit, apply
from paper_notes.document.nodes import Reference, Span
from paper_notes.document.parse import parse_inline
from paper_notes.features.lists.documents import (
    Said,
    draft_of,
    kept,
    language_of,
    listed_of,
    parts_of,
    sections_of,
    text_in,
)
from paper_notes.features.lists.entry_sections import has_note
from paper_notes.features.lists.forms import (
    RULE,
    Listed,
    PaperDocument,
    Part,
    document_in,
    listed_in,
    reported,
    section_of,
)
from paper_notes.features.papers.known_papers import KnownPapers

AS_FOUND = "as-found.txt"
"""In the folder of a note: the document that it was made from."""

_ITEM = re.compile(r"\s*\d[.)]\s+")


@dataclass(frozen=True, slots=True)
class AsFound:
    """A document with what was changed in its note since."""

    text: str
    moved: tuple[tuple[str, str], ...]
    """Papers with notes of their own, and these: what the list said of them is as it was."""


def as_found(note: Note, lang: Lang | None, corpus: Corpus, original: str) -> AsFound:
    """The document that a note was made from: each piece as it stands there, if the note still says the same.

    `lang` is the language of the note's text; by default that of the document.
    """
    mark = "\ufeff" if original.startswith("\ufeff") else ""
    newline = "\r\n" if "\r\n" in original else "\n"
    text = original.removeprefix(mark).replace(newline, "\n")
    document = document_in(text)
    if document is None:
        return AsFound(original, ())
    spoken = language_of(text)
    lang = lang or next((lang for lang in note.languages if lang.split("-")[0] == spoken), note.languages[0])
    back = _WayBack(document, text, note, lang, corpus)
    changed = apply(text, back.edits())
    return AsFound(original if changed == text else mark + changed.replace("\n", newline), tuple(back.moved))


class _WayBack:
    """Compares a document with its note."""

    def __init__(self, document: PaperDocument, text: str, note: Note, lang: Lang, corpus: Corpus) -> None:
        self.document, self.text, self.note, self.lang, self.corpus = document, text, note, lang, corpus
        self.said = sections_of(text_in(note, lang))
        self.moved: list[tuple[str, str]] = []

    def edits(self) -> Iterator[Edit]:
        """What is not as it was."""
        papers = {entry_id(self.corpus.papers[entry.paper]): entry for entry in self.note.entries}
        known, seen = KnownPapers(self.corpus), set[str]()
        for listed in self.document.papers:
            paper = known.find(draft_of(listed))
            section = entry_id(paper) if paper else ""
            if not section or section in seen:
                continue  # it is listed twice, or it is not to be found by what the document says of it
            seen.add(section)
            if section not in papers:
                yield from (Edit(self._with_rule(whole), "") for whole in listed.wholes)
            elif section in self.said:
                yield from self._changed(listed, section)
        new = [entry for section, entry in papers.items() if section not in seen]
        form = self.document.form
        listed_now = [
            listed_of(self.corpus.papers[entry.paper], entry.reading_source, self.said, form) for entry in new
        ]
        yield from self._added(listed_now)

    def _with_rule(self, whole: Span) -> Span:
        """An entry with the row of `=` before it."""
        before = self.text[: whole.start].rstrip()
        return Span(before.rfind("\n") + 1, whole.end) if before.endswith(RULE) else whole

    def _changed(self, listed: Listed, section: str) -> Iterator[Edit]:
        own = self.said[section]
        note = self._note_of(own)
        if note:
            self.moved.append((listed.title, note))
        elif self._differs(own.text, listed.lead):
            yield Edit(listed.led, f"{own.text}\n\n" if listed.led.start == listed.led.end else own.text)
        if self._differs(own.name, listed.title or listed.arxiv or listed.address):
            yield Edit(listed.titled, own.name)
        for part in listed.parts:
            now = self.said.get(f"{section}-{part.id}")
            if now is None and not note:
                yield Edit(part.whole, "")
            elif now is not None:
                yield from self._part(part, now)
        old = {part.id for part in listed.parts}
        new = [part for name, part in parts_of(section, self.said) if name not in old]
        end = listed.wholes[-1].end
        yield from (Edit(Span(end, end), f"\n\n### {part.name}\n{part.text}") for part in new)

    def _note_of(self, said: Said) -> str:
        """The note to which the text has moved, and a reference is in its place, see `promote`."""
        target = next((node.target for node in parse_inline(said.text) if isinstance(node, Reference)), "")
        return target if said.text == has_note(self.corpus.site.words[self.lang], target) else ""

    def _part(self, part: Part, now: Said) -> Iterator[Edit]:
        if self._differs(now.name, part.name):
            start = self.text.index(part.name, part.whole.start)
            yield Edit(Span(start, start + len(part.name)), now.name)
        if self._differs(now.text, part.text):
            lines = self.text[slice(*part.below)].split("\n")
            before = self.text[self.text.rfind("\n", 0, part.below.start) + 1 : part.below.start]
            begins_behind_heading = bool(before.strip())
            item = _ITEM.match(before) if begins_behind_heading else None
            indents = (line[: len(line) - len(line.lstrip())] for line in lines[begins_behind_heading:] if line.strip())
            text = textwrap.indent(now.text, min(indents, key=len, default=" " * len(item[0]) if item else ""))
            yield Edit(part.below, text.lstrip() if begins_behind_heading else text)

    def _differs(self, now: str, then: str) -> bool:
        """Whether a text says something else than what was taken in: what had to be escaped is the same."""
        if _bare(now) == _bare(then):
            return False
        safe = kept(then, self.lang, self.corpus.site.words)
        return _bare(now) != _bare(safe)

    def _added(self, papers: Iterable[Listed]) -> Iterator[Edit]:
        """Entries that are new go to the end."""
        wholes = [whole for listed in self.document.papers for whole in listed.wholes]
        last = max((whole.end for whole in wholes), default=len(self.text.rstrip()))
        for paper in papers:
            if self.document.form == "report":
                yield Edit(Span(last, last), f"\n\n{RULE}\n\n{reported(paper)}".rstrip())
                continue
            line = max((listed.wholes[0].end for listed in self.document.papers), default=last)
            yield Edit(Span(line, line), f"\n\n{listed_in(paper)}".rstrip())
            if section := section_of(paper):
                yield Edit(Span(last, last), f"\n\n{section}".rstrip())


def _bare(text: str) -> str:
    """A text without white space and without what escapes its signs."""
    return re.sub(r"[\s\\]", "", text)
