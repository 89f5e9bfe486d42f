"""Sections of papers in the texts of a note that lists them: added at their places; all else stays, byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus, Lang, Note, NoteText
from paper_notes.corpus.paper import Paper, entry_id
from paper_notes.diagnostics import Location, UserError
from paper_notes.features.papers.note_template import as_markdown
from paper_notes.languages.language import Language, Words
from paper_notes.markdown.body import Body
from paper_notes.markdown.render import render_body
from paper_notes.markdown.short_texts import render_snippet
from paper_notes.patterns import regex
from paper_notes.sources.tree import Source, with_plain_ends
from paper_notes.values import replace

_PUNCTUATION = regex(r"[!-'*-/:-@\[-`{-~]")
"""Without parentheses: escaped ones may be a formula of LaTeX."""


def plain_markdown(text: str, words: Words) -> str:
    """One line of plain text from outside as Markdown that says just this, without warnings and references."""
    written = as_markdown(text)
    return written if _is_plain(written, words) else _PUNCTUATION.sub(r"\\\g<0>", text)


def _is_plain(text: str, words: Words) -> bool:
    snippet = render_snippet(text, Lang("en"), Location(PurePosixPath("text.md")), words)
    return not snippet.diagnostics and all(slot.kind == "plain" for slot in snippet.slots)


def heading(paper: Paper, words: Words) -> str:
    """The heading of a paper's section, which has no text yet: nothing of it is shown but the title."""
    return f"## {plain_markdown(paper.title, words)} {{#{entry_id(paper)}}}\n"


def has_note(words: Language, note: str) -> str:
    """What takes the place of the text about a paper that has a note of its own."""
    return words("list.has-note", note=f"[[{note}]]")


def with_sections(
    note: Note,
    papers: Iterable[tuple[int, Paper]],
    corpus: Corpus,
    sources: Iterable[Source],
    below: Mapping[Lang, str] | None = None,
) -> list[Artifact]:
    """The texts of a note with a section for each paper, which goes before the entry of that number, or to the end.

    `below` is the text of such a section. Raises UserError if a text is such that they would be no sections of it.
    """
    words, papers = corpus.site.words, tuple(papers)
    body = render_body(note, words=words)
    data = {source.path: source.data for source in sources}
    artifacts: list[Artifact] = []
    texts: list[NoteText] = []
    for text in note.texts:
        tops = {
            section.id: section.halves[text.lang].location.line
            for section in body.sections
            if section.level == 2 and text.lang in section.halves
        }
        pieces: dict[int | None, str] = {}
        for place, paper in papers:
            if entry_id(paper) not in tops:
                line = _line(note, place, tops, corpus)
                own = f"\n{below[text.lang]}\n" if below and text.lang in below else ""
                pieces[line] = "\n".join(filter(None, (pieces.get(line, ""), heading(paper, words) + own)))
        if pieces:
            artifacts.append(Artifact(text.path, inserted(data[text.path], pieces)))
            texts.append(replace(text, content=with_plain_ends(artifacts[-1].data.decode("utf-8-sig")), start=0))
    _check(replace(note, texts=tuple(texts)), papers, words)
    return artifacts


def _line(note: Note, place: int, tops: Mapping[str, int], corpus: Corpus) -> int | None:
    """The line before which the section of an entry goes; None is the end."""
    ids = [entry_id(corpus.papers[entry.paper]) for entry in note.entries]
    before = next((tops[name] for name in reversed(ids[:place]) if name in tops), None)
    if before is not None:
        return min((line for line in tops.values() if line > before), default=None)
    return next((tops[name] for name in ids[place:] if name in tops), None)


def inserted(data: bytes, pieces: Mapping[int | None, str]) -> bytes:
    """A text with pieces before some of its lines, or at the end, each with an empty line around."""
    whole = data.decode()
    newline = "\r\n" if "\r\n" in whole else "\n"
    lines = re.findall(r"[^\n]*\n|[^\n]+", whole)
    written: list[str] = []
    for number, line in enumerate(lines, 1):
        if number in pieces:
            gap = newline if written and written[-1].strip() else ""
            written.append(gap + pieces[number].replace("\n", newline) + newline)
        written.append(line)
    if None in pieces:
        last = written[-1] if written else "\n"
        gap = ("" if last.endswith("\n") else newline) + (newline if last.strip() else "")
        written.append(gap + pieces[None].replace("\n", newline))
    return "".join(written).encode()


def _check(note: Note, papers: Iterable[tuple[int, Paper]], words: Words) -> None:
    """Raise UserError unless the sections are there: what is in an unclosed block of code is none."""
    body: Body = render_body(note, words=words)
    for text in note.texts:
        own = {section.id for section in body.sections if section.level == 2 and text.lang in section.halves}
        if lost := next((paper for _, paper in papers if entry_id(paper) not in own), None):
            message = f"{text.path}: the section of {lost.key} would be inside of a block"
            raise UserError(message, "close the code or box that goes to the end of the text")
