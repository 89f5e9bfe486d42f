"""Mistakes as pages show them where a build goes on: in a box at the top, and one after the block that has each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import PurePosixPath

from markupsafe import Markup, escape

from paper_notes.corpus.error_markers import ErrorMarkers
from paper_notes.corpus.model import Corpus, Note
from paper_notes.diagnostics import Diagnostic
from paper_notes.languages.language import Language
from paper_notes.languages.sentences import ENGLISH, TRANSLATED, translated
from paper_notes.languages.text import Lang, Text, in_each
from paper_notes.markdown.figures.images import FIGURES
from paper_notes.render.links import note_path, relative
from paper_notes.values import Struct

TOP = "pn-mistakes"
"""The id of the box at the top of a page."""


class MistakeView(Struct, frozen=True):
    """A mistake that a page marks, because the build goes on in spite of it. Its words are those of the terminal.

    They are English where that does not speak the language of the page.
    """

    place: str
    """`notes_src/rl/04_ReSpec/en.md:3:5`"""
    rule: str
    message: Text
    hint: Text
    href: str
    """Where it is marked; empty if it has no place in a page."""


def of_note(note: Note, mistakes: Iterable[Diagnostic], languages: tuple[Lang, ...]) -> tuple[MistakeView, ...]:
    """The mistakes of a note; those in its texts lead to their places in its page."""
    listed = tuple(mistakes)
    return tuple(_view(mistake, href, languages) for mistake, href in zip(listed, _hrefs(note, listed), strict=True))


def _hrefs(note: Note, mistakes: Iterable[Diagnostic]) -> Iterator[str]:
    """The places of a note's mistakes in its page; empty for those in none of its texts and figures."""
    texts = {text.path for text in note.texts}
    for number, mistake in enumerate(mistakes):
        path = mistake.location.path
        yield f"#{_anchor(number)}" if path in texts or path.suffix.lower() in FIGURES else ""


def of_collection(
    marks: ErrorMarkers, wanted: Iterable[Diagnostic], corpus: Corpus, page: PurePosixPath
) -> tuple[MistakeView, ...]:
    """Some of the `marks` for a page of the collection; they lead to the pages of notes, to their places there."""
    places: dict[Diagnostic, str] = {}
    for note in corpus.notes if marks.errors else ():
        own = marks.of_note(note.id)
        href = relative(note_path(note), page) if own else ""
        places |= {
            mistake: f"{href}{place or '#' + TOP}" for mistake, place in zip(own, _hrefs(note, own), strict=True)
        }
    return tuple(_view(mistake, places.get(mistake, ""), corpus.site.languages) for mistake in wanted)


def box(number: int, again: bool, mistakes: tuple[MistakeView, ...], language: Language) -> Markup:
    """What is wrong in the block before; `again` if the page has said it before, of a figure in another language."""
    mistake = mistakes[number]
    hint = Markup('<p class="how">{}</p>').format(mistake.hint[language.tag]) if mistake.hint else ""
    title = language("mistake.title", rule=mistake.rule)
    template = Markup('<div class="mistake" role="note"{}><p><b>{}</b> <code>{}</code></p><p>{}</p>{}</div>\n')
    anchor = "" if again else Markup(' id="{}"').format(_anchor(number))
    return template.format(anchor, title, mistake.place, mistake.message[language.tag], hint)


def _anchor(number: int) -> str:
    return f"pn-mistake-{number + 1}"


def _view(mistake: Diagnostic, href: str, languages: tuple[Lang, ...]) -> MistakeView:
    message, hint = (in_each(languages, partial(_said, words)) for words in (mistake.message, mistake.hint))
    return MistakeView(str(mistake.location), mistake.rule, message, hint, href)


def _said(sentence: str, lang: Lang) -> Markup:
    """A sentence of the terminal in a language; English where the terminal does not speak that."""
    known = translated(sentence, lang)
    return (
        escape(known)
        if lang in (ENGLISH, *TRANSLATED) or not known
        else Markup('<span lang="en">{}</span>').format(known)
    )
