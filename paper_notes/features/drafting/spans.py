"""The sections of a note's text by their lines, so that one can be read, replaced or added without touching others."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from paper_notes.corpus.model import Lang, Note, NoteText
from paper_notes.languages.language import Words
from paper_notes.markdown.body import LEAD, Body
from paper_notes.markdown.parser import parse_note
from paper_notes.markdown.sections import digest, usual_id

_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")


@dataclass(frozen=True, slots=True)
class SectionSpan:
    """A section of one text, from its heading to the next one of any level."""

    id: str
    """`lead` for the text before the first heading."""
    start: int
    """Its first line in the text, from 0."""
    end: int
    """The line after it."""
    text: str
    """Its Markdown without what `paper-notes new` asks for; empty if there is nothing else."""

    @property
    def digest(self) -> str:
        """As in `markdown.sections`."""
        return digest(self.text.split("\n"))


def spans_of(note: Note, body: Body, words: Words) -> Mapping[Lang, tuple[SectionSpan, ...]]:
    """The sections of each text of a note, in their order, those among them in which nothing is written yet."""
    return {text.lang: _spans(text, body, words) for text in note.texts}


def _spans(text: NoteText, body: Body, words: Words) -> tuple[SectionSpan, ...]:
    parsed = parse_note(text, words)
    tokens, context, lines = parsed.tokens, parsed.context, parsed.context.lines
    known = {
        section.halves[text.lang].location.line - text.first_line: section.id
        for section in body.sections
        if text.lang in section.halves
    }
    ids = {0: LEAD}
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0:
            line = (token.map or [0])[0]
            usual = usual_id(tokens[at + 1].content, (context.language, *words.languages))
            ids[line] = known.get(line) or str(token.meta.get("id") or usual)
    starts = sorted(ids)
    return tuple(
        SectionSpan(
            ids[start], start, end, "" if start in context.unwritten else "\n".join(lines[start:end]).strip("\n")
        )
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)
    )


@dataclass(frozen=True, slots=True)
class Put:
    """A text that goes in place of some lines, or between two."""

    start: int
    end: int
    text: str


def places(order: Sequence[str], spans: Iterable[SectionSpan], texts: Mapping[str, str]) -> list[Put]:
    """Where these texts go, by the ids of their sections; `order` is that of the page.

    A section that is there is replaced. One that is not goes behind the one before it.
    """
    by_id = {span.id: span for span in spans}
    if LEAD not in by_id:
        by_id[LEAD] = SectionSpan(LEAD, 0, 0, "")
    puts: list[Put] = []
    after = by_id[LEAD].end
    for name in dict.fromkeys((LEAD, *order)):
        span = by_id.get(name)
        after = span.end if span else after
        if name in texts:
            puts.append(Put(span.start if span else after, after, texts[name]))
    return puts


def with_puts(data: bytes, skipped: int, puts: Iterable[Put]) -> bytes:
    """The bytes of a file with texts put into it, an empty line around each; `skipped` lines are before its text.

    All other lines keep their bytes, line ends included.
    """
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    whole = data.decode("utf-8-sig")
    newline = "\r\n" if "\r\n" in whole else "\n"
    lines: list[str] = _LINE.findall(whole)
    count = len(lines)
    for put in sorted(puts, key=lambda put: put.start)[::-1]:  # the last first, so that the others keep their lines
        start, end = (min(line + skipped, count) for line in (put.start, put.end))
        written = [f"{line}{newline}" for line in put.text.strip("\n").split("\n")]
        if start and lines[start - 1].strip():
            written.insert(0, newline)
        if start and not lines[start - 1].endswith(("\n", "\r")):
            lines[start - 1] += newline
        if end < len(lines) and lines[end].strip():
            written.append(newline)
        lines[start:end] = written
    return mark + "".join(lines).encode()
