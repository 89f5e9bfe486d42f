"""Step two of rendering: bodies and corpus to pages. Cheap, and where dangling references are found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus, Lang, NoteId, TopicId
from paper_notes.diagnostics import Diagnostic
from paper_notes.markdown.body import Body, Slot
from paper_notes.render.home_page import home_page
from paper_notes.render.links import HOME, Linker, note_path, topic_path
from paper_notes.render.list_pages import topic_page
from paper_notes.render.note_page import note_page, relations
from paper_notes.render.parts import Maker
from paper_notes.render.search_texts import shards
from paper_notes.render.theme import PageKind, TemplateProblem, Theme

SITE = PurePosixPath("site")


@dataclass(frozen=True)
class Pages:
    """The HTML pages (and the texts that the home page searches in) as artifacts, and the bytes of each note's page."""

    artifacts: tuple[Artifact, ...]
    sizes: Mapping[NoteId, int]
    linker: Linker


def render_pages(corpus: Corpus, bodies: Mapping[NoteId, Body], theme: Theme) -> tuple[Pages, tuple[Diagnostic, ...]]:
    """All pages of the site. With diagnostics that are errors they are incomplete and must not be written."""
    problems: list[Diagnostic] = []
    linker = Linker(corpus, bodies)
    others = relations(corpus, bodies, linker)
    first_topic = corpus.topics[0].id if corpus.topics else TopicId("")

    def maker(page: PurePosixPath, kind: PageKind, topic: TopicId) -> Maker:
        return Maker(corpus, linker, theme, page, kind, topic, problems.append)

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
        page = rendered(note_path(note), "note.html", view)
        artifacts.append(page)
        sizes[note.id] = len(page.data)
    for topic in corpus.topics:
        path = topic_path(topic.id)
        artifacts.append(
            rendered(
                path,
                "topic.html",
                topic_page(topic, sizes, maker(path, "topic" if topic.reading_paths else "index", topic.id)),
            )
        )

    def words_of(slot: Slot, note: NoteId, lang: Lang) -> str:
        return linker.html(slot, HOME, corpus.note(note).topic, lang, listed=False)

    texts = shards(corpus, bodies, words_of)
    artifacts += (Artifact.text(SITE / shard.path, shard.script) for shard in texts)
    artifacts.append(rendered(HOME, "home.html", home_page(sizes, texts, maker(HOME, "home", first_topic))))
    return Pages(tuple(artifacts), sizes, linker), tuple(problems)
