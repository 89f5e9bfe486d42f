"""The small views that several pages share: links, paper facts, texts in both languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from markupsafe import Markup

from paper_notes.corpus.model import BibKey, Corpus, Lang, Note, NoteId, Paper, Text, Topic, TopicId
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.markdown.body import Slot, fill
from paper_notes.markdown.render import render_snippet
from paper_notes.render.links import HOME, Linker, note_path, relative, topic_path
from paper_notes.render.theme import GENERATOR, PageKind, Theme
from paper_notes.render.views import Bi, Chrome, LinkView, NoteLink, PaperView, TopicLink


@dataclass(frozen=True)
class Maker:
    """Makes the parts of one page: `page` is its path in the site, `topic` the one whose notes `#4` means."""

    corpus: Corpus
    linker: Linker
    theme: Theme
    page: PurePosixPath
    kind: PageKind
    topic: TopicId
    report: Callable[[Diagnostic], None]

    def chrome(self, title: Bi, description: Bi, current: TopicId | None) -> Chrome:
        root = relative(PurePosixPath("."), self.page)
        return Chrome(
            languages=self.corpus.site.languages,
            site_title=bi(self.corpus.site.title),
            title=title,
            description=description,
            root="" if root == "." else f"{root}/",
            home_href=relative(HOME, self.page),
            topics=tuple(self.topic_link(topic, current) for topic in self.corpus.topics),
            style=self.theme.styles[self.kind],
            script=self.theme.script,
            reading=self.theme.more_script.get(self.kind, Markup()) if self.kind != "home" else Markup(),
            csp=self.theme.csp(self.kind),
            generator=GENERATOR,
        )

    def topic_link(self, topic: Topic, current: TopicId | None) -> TopicLink:
        href = relative(topic_path(topic.id), self.page)
        return TopicLink(topic.id, topic.emoji, bi(topic.title), href, topic.id == current)

    def note_link(self, note_id: NoteId) -> NoteLink:
        note = self.corpus.note(note_id)
        href = relative(note_path(note), self.page)
        return NoteLink(note.label, bi(note.title), href, self.corpus.topic(note.topic).emoji)

    def paper(self, paper: Paper) -> PaperView:
        notes = tuple(map(self.note_link, self.linker.readers.get(paper.key, ())))
        return PaperView(
            key=paper.key,
            title=paper.title,
            authors=tuple(name.full for name in paper.authors),
            more_authors=paper.more_authors,
            team=paper.team,
            venue=paper.venue,
            date=paper.date_label,
            links=tuple(LinkView(link.label, link.url) for link in paper.links),
            abstract=paper.abstract,
            bibtex=paper.bibtex,
            notes=notes,
        )

    def papers(self, keys: tuple[BibKey, ...]) -> tuple[PaperView, ...]:
        return tuple(self.paper(self.corpus.papers[key]) for key in keys)

    def snippet(self, text: Text | None, location: Location, *, inline: bool = False) -> Bi | None:
        """A Markdown text of a YAML file in both languages; what is wrong with it is reported."""
        if text is None:
            return None
        return Bi(*(self._snippet(text[lang], lang, location, inline) for lang in ("zh", "en")))

    def _snippet(self, text: str, lang: Lang, location: Location, inline: bool) -> Markup:
        made = render_snippet(text, lang, location, inline=inline)
        for problem in (*made.diagnostics, *self.linker.check(made.slots, self.topic)):
            self.report(problem)
        return self.filled(made.html, made.slots, lang, listed=False)

    def filled(self, html: str, slots: tuple[Slot, ...], lang: Lang, *, listed: bool = True) -> Markup:
        def link(slot: Slot) -> str:
            return self.linker.html(slot, self.page, self.topic, lang, listed=listed)

        return Markup(fill(html, slots, link))


def bi(text: Text) -> Bi:
    """A plain text in both languages, each standing in for the other where it is missing."""
    return Bi(text["zh"], text["en"])


def note_papers_in(notes: tuple[Note, ...]) -> tuple[BibKey, ...]:
    """The papers that notes read, each once."""
    return tuple(dict.fromkeys(key for note in notes for key in note.papers))
