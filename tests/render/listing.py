"""Collections in memory, and the material and context that the pages of a whole collection are made with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import get_args

from building import source
from jinja2 import DictLoader, Environment
from markupsafe import Markup

from paper_notes.corpus.load import load
from paper_notes.corpus.model import Corpus
from paper_notes.diagnostics import has_errors
from paper_notes.languages.language import Words
from paper_notes.languages.text import Lang
from paper_notes.markdown.bodies import render_bodies
from paper_notes.render.links import LinkResolver, link_resolver
from paper_notes.render.pages.collection import CollectionContext, View
from paper_notes.render.pages.note import relations
from paper_notes.render.site_pages import COLLECTION_PAGES
from paper_notes.render.theme.fonts import MathFont
from paper_notes.render.theme.theme import PageKind, Theme
from paper_notes.render.view_factory import PageContext

ZH, EN = Lang("zh"), Lang("en")
SITE = {
    "site.yaml": "title: {zh: 笔记, en: Notes}\ntopics: [one, two]\n",
    "one/topic.yaml": "title: {zh: 一, en: One}\nemoji: 🔵\n",
    "two/topic.yaml": "title: {zh: 二, en: Two}\n",
}
THEME = Theme(
    Words.of("zh", "en"),
    Environment(loader=DictLoader({}), autoescape=True),
    dict.fromkeys(get_args(PageKind), Markup("")),
    Markup(""),
    MathFont(b""),
)


def note(name: str, facts: str = "", zh: str = "文\n", en: str = "") -> dict[str, str]:
    """The files of a note: `one/01_A`, its lines of YAML besides the title, and its texts."""
    files = {f"{name}/note.yaml": f"title: {{zh: 题{name[-1]}, en: Title {name[-1]}}}\n{facts}", f"{name}/zh.md": zh}
    return files | ({f"{name}/en.md": en} if en else {})


def corpus_of(*files: Mapping[str, str]) -> Corpus:
    every = {name: text for part in (SITE, *files) for name, text in part.items()}
    corpus, problems = load(tuple(source(f"notes_src/{name}", text) for name, text in every.items()))
    assert corpus is not None
    assert not has_errors(problems), "\n".join(map(str, problems))
    return corpus


def collection_of(*files: Mapping[str, str]) -> tuple[CollectionContext, LinkResolver]:
    corpus = corpus_of(*files)
    bodies, _ = render_bodies(corpus.notes, corpus.terms, words=corpus.site.words)
    resolver = link_resolver(corpus, bodies.outlines)
    return CollectionContext(corpus, bodies.outlines, relations(corpus, bodies.outlines, resolver)), resolver


def names_of(*files: Mapping[str, str]) -> list[str]:
    """The pages that such a collection has."""
    collection, _ = collection_of(*files)
    return [page.name for page in COLLECTION_PAGES if page.wanted(collection)]


def page_of(name: str, *files: Mapping[str, str], view: View | None = None) -> object:
    """The view of a page, or another `view` of such a collection."""
    material, resolver = collection_of(*files)
    page = next(page for page in COLLECTION_PAGES if page.name == name)
    context = PageContext(
        material.corpus, resolver, THEME, PurePosixPath(f"{name}.html"), "list", material.corpus.topics[0].id, _fail
    )
    return (view or page.view)(material, context)


def _fail(problem: object) -> None:
    raise AssertionError(str(problem))
