"""The files of one note: its page, its bibliographies and its words to search in. A pure function, for any process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from paper_notes.corpus.model import Lang
from paper_notes.diagnostics import Diagnostic, naming
from paper_notes.engine.codec import unpack
from paper_notes.markdown.bodies import unpacked
from paper_notes.markdown.body import Slot
from paper_notes.render.html_links import asks_for, leads_to
from paper_notes.render.links import HOME, SITE, note_path
from paper_notes.render.page_inputs import PageInputs, SiteContext, corpus_of, relations_of, resolver_around
from paper_notes.render.pages.note import note_page
from paper_notes.render.parts import PageContext
from paper_notes.render.search.texts import entry
from paper_notes.render.theme.templates import TemplateProblem
from paper_notes.render.theme.theme import PageKind, Theme, theme_of


@dataclass(frozen=True, slots=True)
class NoteWork:
    """A note to be made into files: what it shows of others, and its body as `Bodies.packed` gives it."""

    around: PageInputs
    body: bytes


@dataclass(frozen=True, slots=True)
class NotePageFile:
    """What became of it."""

    path: PurePosixPath
    """Relative to the site."""
    page: bytes
    text: str
    """Its words, as a line of a file that the home page searches in."""
    links: tuple[str, ...]
    """Where the page leads, as far as that is to be checked."""
    loads: str
    """A file that the page would load; empty if all is well."""
    diagnostics: tuple[Diagnostic, ...]


def note_file(common: bytes, work: NoteWork) -> NotePageFile:
    """The page of a note. `common` is a packed SiteContext."""
    with naming(SITE / note_path(work.around.note)):
        return _note_file(common, work)


def _note_file(common: bytes, work: NoteWork) -> NotePageFile:
    shared, theme = _opened(common)
    around = work.around
    note, body, path = around.note, unpacked(work.body), note_path(around.note)
    resolver, problems = resolver_around(shared, around), list[Diagnostic]()
    corpus = corpus_of(shared, around)
    kind: PageKind = "step" if around.steps else "note"
    context = PageContext(corpus, resolver, theme, path, kind, note.topic, problems.append, shared.lists, checks=False)
    try:
        page = theme.render("note.html", note_page(note, body, context, relations_of(around))).encode()
    except TemplateProblem as problem:
        problems.append(problem.diagnostic)
        page = b""

    def words(slot: Slot, lang: Lang) -> str:
        return resolver.html(slot, HOME, note.topic, lang, listed=False)

    links = leads_to(page, absolute=bool(shared.site.base_url))
    return NotePageFile(
        path, page, entry(note.id, body, words, shared.site.languages), links, asks_for(page), tuple(problems)
    )


@lru_cache(maxsize=2)
def _opened(common: bytes) -> tuple[SiteContext, Theme]:
    """What all notes share, once in a process."""
    shared = unpack(SiteContext, common)
    assert shared is not None, "packed by this very version"
    return shared, theme_of(shared.theme, shared.site.words)
