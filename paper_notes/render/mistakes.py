"""Mistakes as pages show them where a build goes on: in a box at the top, and one after the block that has each."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from markupsafe import Markup

from paper_notes.corpus.marks import Marks
from paper_notes.corpus.model import Corpus, Note
from paper_notes.diagnostics import Diagnostic
from paper_notes.languages.language import Language
from paper_notes.render.links import note_path, relative
from paper_notes.render.views import MistakeView

TOP = "pn-mistakes"
"""The id of the box at the top of a page."""


def of_note(note: Note, mistakes: Iterable[Diagnostic]) -> tuple[MistakeView, ...]:
    """The mistakes of a note; those in its texts lead to their places in its page."""
    texts = {text.path for text in note.texts}
    return tuple(
        _view(mistake, f"#{_anchor(number)}" if mistake.location.path in texts else "")
        for number, mistake in enumerate(mistakes)
    )


def of_collection(
    marks: Marks, wanted: Iterable[Diagnostic], corpus: Corpus, page: PurePosixPath
) -> tuple[MistakeView, ...]:
    """Some of the `marks` for a page of the collection; they lead to the pages of notes, to their places there."""
    places: dict[Diagnostic, str] = {}
    for note in corpus.notes if marks.errors else ():
        found = marks.of_note(note.id)
        href = relative(note_path(note), page) if found else ""
        places |= {
            mistake: f"{href}{view.href or '#' + TOP}"
            for mistake, view in zip(found, of_note(note, found), strict=True)
        }
    return tuple(_view(mistake, places.get(mistake, "")) for mistake in wanted)


def box(number: int, mistakes: tuple[MistakeView, ...], language: Language) -> Markup:
    """What is wrong in the block before."""
    mistake = mistakes[number]
    hint = Markup('<p class="how" lang="en">{}</p>').format(mistake.hint) if mistake.hint else ""
    title = language("mistake.title", rule=mistake.rule)
    template = Markup(
        '<div class="mistake" role="note" id="{}"><p><b>{}</b> <code>{}</code></p><p lang="en">{}</p>{}</div>\n'
    )
    return template.format(_anchor(number), title, mistake.place, mistake.message, hint)


def _anchor(number: int) -> str:
    return f"pn-mistake-{number + 1}"


def _view(mistake: Diagnostic, href: str) -> MistakeView:
    return MistakeView(str(mistake.location), mistake.rule, mistake.message, mistake.hint, href)
