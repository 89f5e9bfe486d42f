"""Views that several pages share, plain and frozen: templates only lay them out. PageContext makes them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from markupsafe import Markup

from paper_notes.citation.formats import FORMATS
from paper_notes.citation.page_metadata import context_object
from paper_notes.corpus.model import BUILT_IN_KINDS, NO_COLOUR, Corpus, Lang, Note, NoteId, Text, Topic, TopicId
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.corpus.references import NO_TOPIC
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.languages.language import Words
from paper_notes.languages.text import in_each
from paper_notes.markdown.body import Slot, fill
from paper_notes.markdown.short_texts import render_snippet
from paper_notes.render.labels import link_label, name_of, sign_of
from paper_notes.render.links import (
    HOME,
    TAGS,
    LinkResolver,
    NavigationLink,
    absolute,
    bibliography,
    feed_path,
    feed_title,
    list_name,
    list_path,
    note_path,
    relative,
    topic_of,
    topic_path,
    with_one_card_each,
)
from paper_notes.render.mistakes import MistakeView, box
from paper_notes.render.signs import drawn, without_drawn
from paper_notes.render.theme.templates import TemplateProblem
from paper_notes.render.theme.theme import GENERATOR, PageKind, Theme, inline_text
from paper_notes.typography import typographic
from paper_notes.values import Struct, field, replace


class LinkView(Struct, frozen=True):
    """A link: `href` is relative to the page, or absolute for other sites."""

    label: str | Text
    href: str


class NoteLink(Struct, frozen=True):
    """A link to a note."""

    label: str
    """`#4`"""
    topic: Text
    """The sign of its topic, as HTML, if that is not the page's own, else empty: `🟡 #4`."""
    name: Text
    """Its `short`, or the title up to its colon."""
    title: Text
    """Its `short`, or the title."""
    href: str
    about: Text | None = None
    """The note in a sentence, for a card beside the link; None if there is none, or if the collection is too large."""

    @property
    def rest(self) -> Text:
        """The part of the title after the name: `: speculative decoding inside RL training`."""
        return in_each(self.title.languages, lambda lang: self.title[lang].strip().removeprefix(self.name[lang]))


class ListLink(Struct, frozen=True):
    """A link to a page of the whole collection (papers, tags ...), or an entry of the user's own navigation."""

    title: Text
    href: str
    current: bool
    tab: bool = True
    """Whether the row of tabs has it: of the others, the foot of each page and the palette have a link."""


class FeedLink(Struct, frozen=True):
    """A feed that a page announces."""

    lang: Lang
    title: str
    address: str
    """On the web."""
    href: str
    """From the page."""


class Published(Struct, frozen=True):
    """The addresses of a page and its feeds on the web, if the site's address is known."""

    address: str
    """Absolute address of the page."""
    languages: tuple[Lang, ...]
    """Languages of the page."""
    feeds: tuple[FeedLink, ...]


class TagLink(Struct, frozen=True):
    """A link to a tag."""

    name: Text
    href: str
    count: int
    """Number of notes with this tag; 0 if it is not shown."""


class TopicLink(Struct, frozen=True):
    """A link to a topic; `current` if the page belongs to it."""

    id: str
    emoji: Markup
    title: Text
    href: str
    current: bool


class PageFrame(Struct, frozen=True):
    """The frame of every page, around its content."""

    languages: tuple[Lang, ...]
    """Languages of the site; the first is shown first."""
    site_title: Text
    title: Text
    """Title of the page."""
    description: Text
    home_href: str
    topics: tuple[TopicLink, ...]
    """All topics, for the navigation."""
    lists: tuple[ListLink, ...]
    """The pages of the whole collection, for the navigation."""
    published: Published | None
    style: Markup
    script: Markup
    """Both are contents of `<style>` and `<script>`."""
    late_script: Markup
    """The script at the end of the page; see `Theme.late_script`."""
    csp: str
    generator: str
    mistakes: tuple[MistakeView, ...] = ()
    logo: Markup = field(default_factory=Markup)
    """HTML, beside the site's title; may be empty."""
    favicon: str = "data:,"
    navigation: tuple[ListLink, ...] = ()
    """The user's own; may be empty."""
    footer: Text | None = None
    """HTML."""


class PaperView(Struct, frozen=True):
    """The facts of one paper, from BibTeX."""

    key: str
    title: str
    name: str
    """Its `shorttitle`, or the title: for lists."""
    authors: tuple[str, ...]
    more_authors: bool
    team: str
    teams: tuple[str, ...]
    """The organizations of `team`, one by one."""
    venue: str
    date: str
    """`2025-10`, as precise as is known; may be empty."""
    versions: tuple[str, ...]
    """`2025-01 (v1)`, `2025-11 (v8)`; empty if only the date is known."""
    badges: tuple[str, ...]
    arxiv: str
    """The id on arXiv; may be empty."""
    links: tuple[LinkView, ...]
    """To itself, its code, its project."""
    remarks: tuple[Text, ...]
    """Said beside the links: `no official code`."""
    abstract: str
    bibtex: str
    coins: str
    """The ContextObject of a COinS span, for lists of papers."""
    notes: tuple[NoteLink, ...]
    """Notes that read this paper (on lists of papers; the page of a note knows two of them at most)."""


class ImageView(Struct, frozen=True):
    """A picture in a page; `width` and `height` in pixels on the page."""

    src: str
    width: int
    height: int


_NO_TABS = frozenset({"tags"})


class PageContext(Struct, frozen=True):
    """Makes the views of one page: `page` is its path in the site; `#4` means a note of `topic`."""

    corpus: Corpus
    resolver: LinkResolver
    theme: Theme
    page: PurePosixPath
    kind: PageKind
    topic: TopicId
    report: Callable[[Diagnostic], None]
    lists: tuple[str, ...] = ()
    """The pages of the whole collection that exist, in order."""
    checks: bool = True
    """Whether references are checked, which needs all notes of the collection."""
    anywhere: bool = False
    """The page is shown at any address (as 404.html is), so its links are absolute."""
    mistakes: tuple[MistakeView, ...] = ()
    """What the page marks."""
    navigation: tuple[NavigationLink, ...] = ()
    """The user's own."""

    def of_topic(self, topic: TopicId) -> PageContext:
        """The same page for texts of a topic, which name its notes without it: `#4`."""
        return self if topic == self.topic else replace(self, topic=topic)

    @property
    def words(self) -> Words:
        return self.corpus.site.words

    @property
    def languages(self) -> tuple[Lang, ...]:
        """The languages of the site."""
        return self.words.tags

    @property
    def sorting(self) -> Lang:
        """The language whose names sort lists: the first in Latin script, else the first."""
        languages = self.words.languages
        return next((language for language in languages if language.script == "Latn"), languages[0]).tag

    def href(self, target: PurePosixPath) -> str:
        """The link from the page to another file of the site."""
        base_url = self.corpus.site.base_url
        return absolute(target, base_url) if self.anywhere and base_url else relative(target, self.page)

    def chrome(
        self, title: Text, description: Text, current: TopicId | None, languages: tuple[Lang, ...] | None = None
    ) -> PageFrame:
        """The frame of a page: `current` is its topic, if any; `languages` are its own, by default the site's."""
        languages = self.corpus.site.languages if languages is None else languages
        current_list = list_name(self.page) if self.kind == "list" else ""
        return PageFrame(
            languages=self.corpus.site.languages,
            site_title=self.corpus.site.title,
            title=title,
            description=description,
            home_href=self.href(HOME),
            topics=tuple(self.topic_link(topic, current) for topic in self.corpus.topics),
            lists=tuple(
                ListLink(
                    self.words(f"page.{name}.title"),
                    self.href(list_path(name)),
                    name == current_list,
                    name not in _NO_TABS,
                )
                for name in self.lists
            ),
            published=self._published(current, languages),
            style=self.theme.styles[self.kind]
            + kind_colours(self.corpus)
            + running_title(title, self.corpus.site.languages),
            script=self.theme.script,
            late_script=self.theme.late_script(self.kind),
            csp=self.theme.csp(self.kind),
            generator=GENERATOR,
            mistakes=self.mistakes,
            logo=Markup(self.theme.look.logo),
            favicon=self.theme.look.favicon or "data:,",
            navigation=tuple(map(self._entry, self.navigation)),
            footer=self._footer(),
        )

    def _published(self, topic: TopicId | None, languages: tuple[Lang, ...]) -> Published | None:
        """The page's own address, and its feeds: the site's and those of its topic."""
        base_url = self.corpus.site.base_url
        if self.anywhere or base_url is None:
            return None
        feeds = (
            FeedLink(
                lang,
                f"{feed_title(self.corpus, lang, feed_topic)} ({self.words[lang].name})",
                absolute(feed_path(lang, feed_topic), base_url),
                self.href(feed_path(lang, feed_topic)),
            )
            for lang, feed_topic in self.resolver.feeds
            if feed_topic in (None, topic)
        )
        return Published(absolute(self.page, base_url), languages, tuple(feeds))

    def _entry(self, link: NavigationLink) -> ListLink:
        href = (self.href(link.target) if link.target else "") + link.rest
        return ListLink(link.title, href, link.target == self.page and not link.rest)

    def _footer(self) -> Text | None:
        """The text at the foot, whose mistakes the home page reports. Its links are those of a page with an address."""
        footer = self.corpus.site.footer
        if footer is None or self.anywhere:
            return None
        report = self.report if self.page == HOME else lambda _: None
        return replace(self.of_topic(NO_TOPIC), report=report).snippet(footer.text, footer.location)

    def list_frame(self, name: str, part: Text | None = None, **values: object) -> PageFrame:
        """The frame of a page of the whole collection, or of a `part` of it; `values` are of its description."""
        title = self.words(f"page.{name}.title")
        title = in_each(title.languages, lambda lang: f"{title[lang]} · {part[lang]}") if part else title
        return self.chrome(title, self.words(f"page.{name}.description", **values), None)

    def topic_link(self, topic: Topic, current: TopicId | None) -> TopicLink:
        href = self.href(topic_path(topic.id))
        return TopicLink(topic.id, drawn(topic.emoji), topic.title, href, topic.id == current)

    def _sign(self, topic: TopicId) -> Text:
        return sign_of(self.corpus.topic(topic)).map(drawn) if topic else Text()

    def note_link(self, note_id: NoteId, within: TopicId | None = None) -> NoteLink:
        """A link to a note, with its topic unless that is the page's, or the one that a part of it is `within`."""
        note = self.corpus.note(note_id)
        about = (self.resolver.about(note) or None) if self.resolver.cards else None
        return NoteLink(
            label=f"#{note.number}",
            topic=Text() if note.topic in (topic_of(self.page), within) else self._sign(note.topic),
            name=name_of(note),
            title=note.label_in_lists,
            href=self.href(note_path(note)),
            about=about,
        )

    def step_link(self, note: NoteId, words: Text | None, within: TopicId | None = None) -> NoteLink:
        """A link to a step of a reading path, which may have words of its own."""
        link = self.note_link(note, within)
        return replace(link, name=words, title=words) if words else link

    def tag_links(self, notes: Iterable[Note]) -> tuple[TagLink, ...]:
        """The tags of these notes, the most used first."""
        return self.counted_tags(Counter(tag for note in notes for tag in note.tags))

    def counted_tags(self, counts: Counter[str]) -> tuple[TagLink, ...]:
        """Links to tags with their counts, the highest first."""
        page, ids = self.href(TAGS), self.resolver.tags
        return tuple(
            TagLink(tag_name(tag, self.corpus), f"{page}#{ids[tag]}", number) for tag, number in counts.most_common()
        )

    def paper(self, paper: Paper) -> PaperView:
        notes = tuple(map(self.note_link, self.resolver.readers.get(paper.key, ())))
        return PaperView(
            key=paper.key,
            title=typographic(paper.title),
            name=typographic(paper.label_in_lists),
            authors=tuple(name.full for name in paper.authors),
            more_authors=paper.more_authors,
            team=paper.team,
            teams=paper.teams,
            venue=paper.venue,
            date=paper.date_label,
            versions=paper.versions,
            badges=paper.badges,
            arxiv=paper.arxiv or "",
            links=self._links(paper),
            remarks=(*([self.words("label.no-code")] if paper.no_code else []), *map(self.words.alike, paper.remarks)),
            abstract=paper.abstract,
            bibtex=paper.bibtex,
            coins=context_object(paper),
            notes=notes,
        )

    def _links(self, paper: Paper) -> tuple[LinkView, ...]:
        """Links of the paper; if the site publishes its PDF, to that one."""
        own = self.resolver.published.get(paper.key)
        links = [(link.label, link.url) for link in paper.links if own is None or link.label != "PDF"]
        links += [("PDF", relative(own, self.page))] if own else []
        return tuple(LinkView(link_label(label, self.words), href) for label, href in links)

    def papers(self, keys: tuple[BibKey, ...]) -> tuple[PaperView, ...]:
        return tuple(self.paper(self.corpus.papers[key]) for key in keys)

    def exports(self, beside: PurePosixPath, any_papers: bool) -> tuple[LinkView, ...]:
        """Links to a bibliography in each format, see `bibliography`; none without papers."""
        offered = FORMATS if any_papers else ()
        return tuple(LinkView(form.name, relative(bibliography(beside, form.suffix), self.page)) for form in offered)

    def snippet(self, text: Text | None, location: Location, *, inline: bool = False) -> Text | None:
        """A Markdown text of a YAML file as HTML in each language; its diagnostics are reported."""
        if text is None:
            return None
        return in_each(self.languages, lambda lang: self._snippet(text[lang], lang, location, inline))

    def _snippet(self, text: str, lang: Lang, location: Location, inline: bool) -> Markup:
        snippet = render_snippet(text, lang, location, self.words, inline=inline)
        for problem in (*snippet.diagnostics, *(self.resolver.check(snippet.slots, self.topic) if self.checks else ())):
            self.report(problem)
        return self.filled(snippet.html, snippet.slots, lang, listed=False)

    def render(self, template: str, page: object) -> str:
        """The view of the page as HTML; empty if its template has a mistake, which is reported."""
        try:
            return with_one_card_each(self.theme.render(template, page))
        except TemplateProblem as problem:
            self.report(problem.diagnostic)
            return ""

    def filled(self, html: str, slots: tuple[Slot, ...], lang: Lang, *, listed: bool = True) -> Markup:
        def link(slot: Slot) -> str:
            if slot.kind == "mistake":
                return box(int(slot.target), bool(slot.text), self.mistakes, self.words[lang])
            if slot.kind == "number" and listed:
                label = Markup(' aria-label="{}"').format(slot.text) if slot.text else ""
                return f'<a class="at" href="#pn-{slot.target}"{label}>'
            return self.resolver.html(slot, self.page, self.topic, lang, listed=listed)

        return Markup(fill(html, slots, link))


def running_title(title: Text, languages: tuple[Lang, ...]) -> Markup:
    """CSS rules with the title for the margins of printed pages, in the chosen language."""
    rules = [f":root{{--t:{_css_string(title[languages[0]])}}}"]
    if not title.same:
        rules += [f":root:has(#pn-view-{lang}:checked){{--t:{_css_string(title[lang])}}}" for lang in languages[1:]]
    return inline_text("".join(["@media print{", *rules, "}"]))


TEXT_AND_GROUND = (
    "--h:light-dark(oklch(.45 .13 {hue}),oklch(.82 .09 {hue}));--s:light-dark(oklch(.95 .03 {hue}),oklch(.3 .05 {hue}))"
)
"""The shades of a hue. Perceived lightness is the same for all hues, so each can be read on light and dark pages."""


def kind_colours(corpus: Corpus) -> Markup:
    """CSS rules for the kinds of these notes, where the style sheet does not have their colour already."""
    used = {note.kind for note in corpus.notes}
    kinds = [kind for kind in corpus.site.kinds if kind.id in used]
    other = [kind for kind in kinds if kind.colour != BUILT_IN_KINDS.get(kind.id, NO_COLOUR)]
    return inline_text("".join(f".kind-{kind.id}{{{_shades(kind.colour)}}}" for kind in other))


def _shades(colour: str) -> str:
    """Declarations of `--h` for text and `--s` for the ground below it."""
    if colour.isdecimal():
        return TEXT_AND_GROUND.format(hue=colour)
    if colour == NO_COLOUR:
        return "--h:var(--fig-muted);--s:var(--fig-soft)"
    return f"--h:var(--fig-{colour});--s:var(--fig-{colour}-soft)"


def _css_string(text: str) -> str:
    """A CSS string; characters that could end it, or the style sheet, are escaped."""
    return '"' + re.sub(r'[\\"<\x00-\x1f\x7f]', lambda sign: f"\\{ord(sign[0]):x} ", text) + '"'


def tag_name(tag: str, corpus: Corpus) -> Text:
    """The name of a tag in each language: from `site.yaml`, or the tag itself."""
    names = dict(next((known.name.parts for known in corpus.site.tags if known.id == tag), ()))
    return in_each(corpus.site.languages, lambda lang: names.get(lang) or tag)


def keyword_name(word: str, corpus: Corpus) -> Text:
    """A keyword as the author wrote it; in a language of another script the name of the tag that it is written as."""
    written = folded_keyword(word)
    names = next(
        (dict(tag.name.parts) for tag in corpus.site.tags if written in map(folded_keyword, (tag.id, *tag.words))), {}
    )
    return in_each(
        corpus.site.languages,
        lambda lang: names[lang] if names.get(lang) and names[lang].isascii() != word.isascii() else word,
    )


def folded_keyword(word: str) -> str:
    """Equal for `synthetic-data` and `Synthetic data`."""
    return word.replace("-", " ").casefold()


def emoji_title(topic: Topic) -> Text:
    """The title of a topic, after its emoji if that needs no drawing."""
    return topic.title.map(lambda title: f"{without_drawn(topic.emoji)} {title}".strip())


def note_papers_in(notes: tuple[Note, ...]) -> tuple[BibKey, ...]:
    """The papers that notes read, each once."""
    return tuple(dict.fromkeys(key for note in notes for key in note.papers))


def newest_first(papers: Iterable[Paper]) -> list[Paper]:
    """Papers by date, the newest first; without a date last, and in a year those without a month last."""
    by_title = sorted(papers, key=lambda paper: paper.title.casefold())
    return sorted(by_title, key=lambda paper: (paper.year or 0, paper.month or 0, paper.day or 0), reverse=True)
