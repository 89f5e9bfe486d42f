"""Renders the page of one note, and its text for the search. A pure function, for any process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from paper_notes.corpus.model import Lang
from paper_notes.diagnostics import Diagnostic, naming
from paper_notes.engine.cache import unpack
from paper_notes.markdown.bodies import unpacked
from paper_notes.markdown.body import Slot
from paper_notes.render.html_links import links_of
from paper_notes.render.links import HOME, SITE, note_path
from paper_notes.render.loaded_files import loaded_file
from paper_notes.render.mistakes import of_note
from paper_notes.render.page_inputs import PageInputs, SiteContext, corpus_of, relations_of, resolver_of
from paper_notes.render.pages.note import note_page
from paper_notes.render.search.cards import cards_of
from paper_notes.render.search.texts import entry
from paper_notes.render.theme.templates import TemplateProblem
from paper_notes.render.theme.theme import PageKind, Theme, theme_of
from paper_notes.render.view_factory import PageContext


@dataclass(frozen=True, slots=True)
class NoteWork:
    """A note to be rendered: the inputs of its page, and its body from `Bodies.packed`."""

    inputs: PageInputs
    body: bytes


@dataclass(frozen=True, slots=True)
class NotePageFile:
    """The result: the page of a note and what was found out about it."""

    path: PurePosixPath
    """Relative to the site."""
    page: bytes
    text: str
    """The text of the note as an entry of a search file."""
    links: tuple[str, ...]
    """Links of the page that have to be checked."""
    loads: str
    """The address of a file that the page would load; empty if there is none."""
    diagnostics: tuple[Diagnostic, ...]


def note_file(common: bytes, work: NoteWork) -> NotePageFile:
    """Render the page of a note. `common` is a packed SiteContext."""
    with naming(SITE / note_path(work.inputs.note)):
        return _note_file(common, work)


def _note_file(common: bytes, work: NoteWork) -> NotePageFile:
    shared, theme = _opened(common)
    inputs = work.inputs
    note, body, path = inputs.note, unpacked(work.body), note_path(inputs.note)
    resolver, problems = resolver_of(shared, inputs), list[Diagnostic]()
    corpus = corpus_of(shared, inputs)
    kind: PageKind = "step" if inputs.steps else "note"
    context = PageContext(
        corpus,
        resolver,
        theme,
        path,
        kind,
        note.topic,
        problems.append,
        shared.lists,
        checks=False,
        navigation=shared.navigation,
        mistakes=of_note(note, inputs.mistakes, shared.site.languages),
    )
    try:
        page = theme.render("note.html", note_page(note, body, context, relations_of(inputs))).encode()
    except TemplateProblem as problem:
        problems.append(problem.diagnostic)
        page = b""

    def words(slot: Slot, lang: Lang) -> str:
        return resolver.html(slot, HOME, note.topic, lang, listed=False)

    text = entry(note.id, body, words, shared.site.languages, cards_of(note, corpus.papers))
    links = links_of(page, absolute=bool(shared.site.base_url))
    return NotePageFile(path, page, text, links, loaded_file(page), tuple(problems))


@lru_cache(maxsize=2)
def _opened(common: bytes) -> tuple[SiteContext, Theme]:
    """The unpacked context and the theme, cached in each process."""
    shared = unpack(SiteContext, common)
    assert shared is not None, "packed by this very version"
    return shared, theme_of(shared.theme, shared.site.words)
