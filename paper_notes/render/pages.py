"""Step two of rendering: bodies and corpus to pages. Cheap, and where dangling references are found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus, Lang, NoteId, TopicId
from paper_notes.diagnostics import Diagnostic
from paper_notes.markdown.body import Body, Slot
from paper_notes.render.crops import Crops
from paper_notes.render.home_page import home_page
from paper_notes.render.links import HOME, Linker, note_path, topic_path
from paper_notes.render.list_pages import topic_page
from paper_notes.render.lists.catalogue import MISSING, list_pages, missing_page
from paper_notes.render.lists.material import Material
from paper_notes.render.note_page import note_page, relations
from paper_notes.render.parts import Maker
from paper_notes.render.search_texts import shards
from paper_notes.render.theme import PageKind, TemplateProblem, Theme
from paper_notes.sources.pdf.reader import PdfReader

SITE = PurePosixPath("site")


@dataclass(frozen=True)
class Pages:
    """The HTML pages (and the texts that the home page searches in) as artifacts, and the bytes of each note's page."""

    artifacts: tuple[Artifact, ...]
    sizes: Mapping[NoteId, int]
    linker: Linker


def render_pages(
    corpus: Corpus, bodies: Mapping[NoteId, Body], theme: Theme, reader: PdfReader | None = None
) -> tuple[Pages, tuple[Diagnostic, ...]]:
    """All pages of the site. With diagnostics that are errors they are incomplete and must not be written."""
    problems: list[Diagnostic] = []
    linker = Linker(corpus, bodies, Crops(corpus, reader or PdfReader()))
    others = relations(corpus, bodies, linker)
    first_topic = corpus.topics[0].id if corpus.topics else TopicId("")

    material = Material(corpus, bodies, others)
    lists = list_pages(material)
    names = tuple(page.name for page in lists)

    def maker(page: PurePosixPath, kind: PageKind, topic: TopicId) -> Maker:
        return Maker(corpus, linker, theme, page, kind, topic, problems.append, names)

    def rendered(path: PurePosixPath, template: str, view: object) -> Artifact:
        try:
            html = theme.render(template, view)
        except TemplateProblem as problem:
            problems.append(problem.diagnostic)
            html = ""
        return Artifact.text(SITE / path, html)

    artifacts: list[Artifact] = []
    sizes: dict[NoteId, int] = {}
    for note in corpus.notes:
        body = bodies[note.id]
        for half in body.halves.values():
            problems += linker.check(half.slots, note.topic, note.id)
        view = note_page(
            note, body, maker(note_path(note), "step" if note.id in others.paths else "note", note.topic), others
        )
        artifact = rendered(note_path(note), "note.html", view)
        artifacts.append(artifact)
        sizes[note.id] = len(artifact.data)
    for topic in corpus.topics:
        path = topic_path(topic.id)
        artifacts.append(
            rendered(
                path,
                "topic.html",
                topic_page(topic, sizes, maker(path, "path" if topic.reading_paths else "topic", topic.id)),
            )
        )
    for page in lists:
        path = page.name.path
        made = page.make(material, maker(path, "list", first_topic))
        artifacts.append(rendered(path, f"{page.name.id}.html", made))
    if corpus.site.base_url:
        anywhere = replace(maker(MISSING.path, "list", first_topic), anywhere=True)
        artifacts.append(rendered(MISSING.path, "404.html", missing_page(anywhere)))

    def words_of(slot: Slot, note: NoteId, lang: Lang) -> str:
        return linker.html(slot, HOME, corpus.note(note).topic, lang, listed=False)

    texts = shards(corpus, bodies, words_of)
    artifacts += (Artifact.text(SITE / shard.path, shard.script) for shard in texts)
    artifacts.append(rendered(HOME, "home.html", home_page(sizes, texts, maker(HOME, "home", first_topic))))
    return Pages(tuple(artifacts), sizes, linker), tuple(problems)
