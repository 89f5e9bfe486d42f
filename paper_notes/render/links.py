"""Paths of files in the site, links between pages, feeds, navigation, and the resolution of references."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from pathlib import PurePosixPath
from urllib.parse import quote

from markupsafe import Markup, escape

from paper_notes.addresses import is_outside
from paper_notes.corpus.load import index_of
from paper_notes.corpus.model import Corpus, Lang, NavigationEntry, Note, NoteId, Pdf, Text, TopicId
from paper_notes.corpus.paper import BibKey
from paper_notes.corpus.references import NO_TOPIC, Dangling, NoteIndex, split_section
from paper_notes.diagnostics import Diagnostic, Location, Suggestions
from paper_notes.identifiers import slugs
from paper_notes.languages.language import BUILT_IN, FALLBACK, language
from paper_notes.languages.text import in_each
from paper_notes.markdown.body import Anchors, Outline, Slot, fill, no_such_number
from paper_notes.markdown.render import without_links
from paper_notes.markdown.short_texts import plain_text
from paper_notes.patterns import regex
from paper_notes.render.crops import Crops
from paper_notes.render.excerpts import ELSEWHERE, OWN, Excerpt, Excerpts, no_excerpts, place_of_excerpt
from paper_notes.render.labels import author_names, cite_label, link_label, reference, short_title
from paper_notes.render.signs import drawn
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.sources.tree import OWN_FILES, Source
from paper_notes.typography import is_cjk, typographic
from paper_notes.values import Struct, field, replace

CARDS = 400
"""In collections of more notes, lists have no cards beside their links, which would double their size."""
SITE = PurePosixPath("site")
HOME = PurePosixPath("index.html")
TAGS = PurePosixPath("tags.html")
PAPERS = PurePosixPath("papers.html")
DIGESTS = PurePosixPath("digests.html")
MISSING = PurePosixPath("404.html")
NO_ANCHORS = Anchors({}, {})
Feed = tuple[Lang, TopicId | None]
"""The language of a feed, and its topic; None for all topics."""
_CARD = regex(r'(<a class="note-ref" href="([^"#]*)[^"]*" data-card="note")( data-title="[^"]*" data-summary="[^"]*")')
_UNSAFE = regex(r"[^\w.+-]")
"""Characters that are replaced in file names."""


def topic_path(topic: TopicId) -> PurePosixPath:
    """The topic's page, relative to the site."""
    return PurePosixPath(topic, "index.html")


def topic_papers(topic: TopicId) -> PurePosixPath:
    """Names the bibliographies of a topic, which has no such page: `rl/papers.bib`."""
    return PurePosixPath(topic, PAPERS)


def list_path(name: str, part: str = "") -> PurePosixPath:
    """A page of the whole collection, relative to the site; or a `part` of it, where the collection is large."""
    return PurePosixPath(f"{name}-{part}.html" if part else f"{name}.html")


def list_name(page: PurePosixPath) -> str:
    """The name of the page of the whole collection that this is, or is a part of; empty if it is another page."""
    return page.stem.partition("-")[0] if len(page.parts) == 1 else ""


def note_path(note: Note) -> PurePosixPath:
    """The page of a note, or one of the user's own, relative to the site."""
    return page_of(note.topic, note.name) if note.topic else PurePosixPath(f"{note.name}.html")


def markdown_path(note: Note, lang: Lang) -> PurePosixPath:
    """The Markdown of a note in a language, beside its page, relative to the site."""
    return note_path(note).with_name(f"{note.name}.{lang}.md")


@lru_cache(maxsize=50_000)
def page_of(topic: TopicId, name: str) -> PurePosixPath:
    """The page of a note of this name, relative to the site. Cached: each is linked from many pages."""
    return PurePosixPath(topic, "notes", f"{name}.html")


def own_file(source: Source) -> PurePosixPath:
    """The path of a file of `static/`, relative to the site."""
    return source.path.relative_to(OWN_FILES)


def topic_of(page: PurePosixPath) -> TopicId:
    """The topic whose notes a page names without the topic: that of the folder of the page."""
    return TopicId(page.parts[0])


def published_pdfs(corpus: Corpus) -> Mapping[BibKey, tuple[PurePosixPath, Pdf]]:
    """The PDFs that notes publish, by paper, with their paths relative to the site."""
    pdfs: dict[BibKey, tuple[PurePosixPath, Pdf]] = {}
    taken: dict[str, BibKey] = {}
    for key in (note.papers[0] for note in corpus.notes if note.publish_pdf and note.papers):
        pdf = corpus.pdf_of(key)
        if pdf and not pdf.problem:
            version = f"v{pdf.version}" if pdf.version else ""
            name = f"{corpus.papers[key].arxiv}{version}" if corpus.papers[key].arxiv else key
            safe = _UNSAFE.sub("-", name)
            while taken.setdefault(safe.casefold(), key) != key:  # of two keys such as `a:b` and `a/b`
                safe += "-2"
            pdfs[key] = PurePosixPath("pdfs", f"{safe}.pdf"), pdf
    return pdfs


def bibliography(beside: PurePosixPath, suffix: str) -> PurePosixPath:
    """The bibliography of what the page `beside` shows, in the format of this suffix: `papers.bib` of `papers.html`."""
    return PurePosixPath(f"{beside.with_suffix('')}.{suffix}")


def relative(target: PurePosixPath, start: PurePosixPath) -> str:
    """The link from the page `start` to the page `target`."""
    return _relative(str(target), str(start.parent))


_relative = lru_cache(maxsize=50_000)(posixpath.relpath)
"""Cached: pages of one folder share most links."""


def absolute(path: PurePosixPath, base_url: str) -> str:
    """The absolute address of a file of the site, percent-encoded; that of `index.html` is its folder."""
    name = str(path).removesuffix("index.html") if path.name == "index.html" else str(path)
    return base_url + quote(name, safe="/+")


def feed_path(lang: Lang, topic: TopicId | None) -> PurePosixPath:
    """The path of a feed, relative to the site."""
    return PurePosixPath(topic or "", f"feed.{lang}.xml")


def in_feed(corpus: Corpus, lang: Lang, topic: TopicId | None) -> tuple[Note, ...]:
    """The notes of a feed, the latest first: those with a text in the language and a date."""
    notes = [
        note
        for note in corpus.notes
        if lang in note.languages and (note.updated or note.created) and topic in (None, note.topic)
    ]
    notes.sort(key=lambda note: str(note.updated or note.created), reverse=True)
    return tuple(notes)


def feeds(corpus: Corpus) -> Iterator[Feed]:
    """All feeds that have an entry: those of the site, then those of each topic."""
    if corpus.site.base_url:
        for topic in (None, *(topic.id for topic in corpus.topics)):
            for lang in corpus.site.languages:
                if in_feed(corpus, lang, topic):
                    yield lang, topic


def feed_title(corpus: Corpus, lang: Lang, topic: TopicId | None) -> str:
    """The title of a feed: `Paper Notes · Models`."""
    title = corpus.site.title[lang]
    return f"{title} · {corpus.topic(topic).title[lang]}" if topic else title


def tag_ids(corpus: Corpus) -> Mapping[str, str]:
    """The HTML id of each tag on the page of tags."""
    tags = sorted({tag for note in corpus.notes for tag in note.tags})
    return dict(zip(tags, slugs(tags, "tag"), strict=True))


def link_resolver(
    corpus: Corpus,
    outlines: Mapping[NoteId, Outline],
    crops: Crops | None = None,
    excerpts: Excerpts = no_excerpts,
) -> LinkResolver:
    """The resolver of a whole collection, built once."""
    readers: dict[BibKey, dict[NoteId, None]] = {}
    for note in corpus.notes:
        for key in note.papers:
            readers.setdefault(key, {})[note.id] = None
    return LinkResolver(
        corpus,
        crops or Crops(corpus, PdfReader()),
        index_of(corpus.written, (topic.id for topic in corpus.topics), corpus.aliases, corpus.drafts),
        {key: tuple(notes) for key, notes in readers.items()},
        {paper: path for paper, (path, _) in published_pdfs(corpus).items()},
        {note: outline.cited for note, outline in outlines.items()},
        tag_ids(corpus),
        tuple(feeds(corpus)),
        {note: outline.anchors for note, outline in outlines.items()},
        len(corpus.notes) <= CARDS,
        gists={note: Text(tuple(outline.gists.items())) for note, outline in outlines.items() if outline.gists},
        excerpts=excerpts,
    )


class LinkResolver(Struct, frozen=True):
    """Fills the slots of bodies, and reports dangling references."""

    corpus: Corpus
    crops: Crops
    index: NoteIndex
    readers: Mapping[BibKey, tuple[NoteId, ...]]
    """The notes that read each paper."""
    published: Mapping[BibKey, PurePosixPath]
    """Paths of published PDFs, relative to the site."""
    cited: Mapping[NoteId, tuple[BibKey, ...]]
    """The papers that each note's text cites or shows, in the order of the text."""
    tags: Mapping[str, str]
    """The id of each tag on the page of tags."""
    feeds: tuple[Feed, ...]
    """The feeds of the published site."""
    anchors: Mapping[NoteId, Anchors]
    """What references may name in each note."""
    cards: bool = True
    """Whether lists have cards beside their links."""
    gists: Mapping[NoteId, Text] = field(default_factory=dict)
    """The sentence that says all of each note, where it has one: for the cards beside links."""
    suggestions: Suggestions = field(default_factory=Suggestions)
    marked: frozenset[Location] = frozenset()
    """Places of the mistakes that the page marks."""
    excerpts: Excerpts = no_excerpts
    """What the page shows of other notes."""

    def papers_of_note(self, note_id: NoteId) -> tuple[BibKey, ...]:
        """The papers that a note reads or lists, then those that it only cites, each once."""
        note = self.corpus.note(note_id)
        listed = (entry.paper for entry in note.entries)
        keys = dict.fromkeys((*note.papers, *listed, *self.cited.get(note_id, ())))
        return tuple(key for key in keys if key in self.corpus.papers)

    def papers_of_topic(self, topic: TopicId) -> tuple[BibKey, ...]:
        """The papers that notes of a topic read or cite, and those that it has without a note, each once.

        Not those that its notes only list.
        """
        notes = self.corpus.notes_of(topic)
        read = (key for note in notes for key in (*note.papers, *self.cited.get(note.id, ())))
        keys = dict.fromkeys((*read, *self.corpus.topic(topic).papers))
        return tuple(key for key in keys if key in self.corpus.papers)

    def target(self, slot: Slot, topic: TopicId, lang: Lang | None = None) -> tuple[NoteId, str] | Diagnostic:
        """The note and the id in it (may be empty) that a reference in a text of `topic` means, see `Anchors.find`."""
        resolved = self.find(slot.target, topic, lang)
        if isinstance(resolved, tuple):
            return resolved
        if resolved is not None:
            return resolved.at(slot.location)
        name, section = split_section(slot.target)
        note = self.index.find(name, topic)
        anchors = NO_ANCHORS if isinstance(note, Dangling) else self.anchors.get(note, NO_ANCHORS)
        if section.startswith("§"):
            message, hint = no_such_number(name, section, anchors.sections)
        else:
            message = f'the note "{name}" has no section or block "{section}"'
            hint = self.suggestions.did_you_mean(section.removeprefix("^"), anchors.names)
        return Diagnostic(slot.location, "unknown-anchor", message, hint)

    def find(self, target: str, topic: TopicId, lang: Lang | None = None) -> tuple[NoteId, str] | Dangling | None:
        """The note and the id in it (may be empty) of a reference in a text of `topic`; None for an unknown section."""
        name, section = split_section(target)
        note = self.index.find(name, topic)
        if isinstance(note, Dangling):
            return note
        known = self.anchors.get(note, NO_ANCHORS).find(section, lang) if section else ""
        return (note, known) if known or not section else None

    def shown_in(self, note: Note, outline: Outline) -> Mapping[str, Excerpt]:
        """What the page of a note shows of others, by `place_of_excerpt`."""
        excerpts: dict[str, Excerpt] = {}
        for _, target in outline.embedded:
            for lang in note.languages:
                place = self.find(target, note.topic, lang)
                if isinstance(place, tuple) and (excerpt := self.excerpts(*place, lang)):
                    excerpts[place_of_excerpt(*place, lang)] = excerpt
        return excerpts

    def check(self, slots: tuple[Slot, ...], topic: TopicId, own: NoteId | None = None) -> tuple[Diagnostic, ...]:
        """The diagnostics of references in a text of `topic`; `own` is the note that the text belongs to."""
        problems = []
        for slot in slots:
            if slot.kind == "note":
                target = self.target(slot, topic)
                problems += [target] if isinstance(target, Diagnostic) else []
            elif slot.kind in ("crop", "source"):
                problems += self.crops.check(slot) if slot.kind == "crop" else ()
            elif slot.kind == "table":
                problems += self.crops.check_table(slot)
            elif slot.kind == "plain":
                found_note = self.index.numbered(int(slot.target.removeprefix("#")), topic)
                if found_note not in (None, own):
                    message = f'"{slot.target}" is plain text; the note {found_note} has this number'
                    hint = f"write [[{slot.target}]] to link it, or \\{slot.target} if no note is meant"
                    problems.append(Diagnostic(slot.location, "plain-reference", message, hint, "warning"))
            elif slot.kind != "number" and slot.target not in self.corpus.papers:
                message = f'no entry "{slot.target}" in the .bib files'
                close = self.suggestions.did_you_mean(slot.target, self.corpus.papers)
                hint = close or f"add it to a .bib file, or write \\@{slot.target} where no paper is meant"
                about = f"paper {slot.target}"
                problems.append(Diagnostic(slot.location, "unknown-bibkey", message, hint, about=about))
        return tuple(problems)

    def about(self, note: Note) -> Text:
        """What the card beside a link to a note says: the sentence of its TL;DR, else its summary. May be empty."""
        gist, summary = self.gists.get(note.id, Text()), self.plain_summary(note)
        every = self.corpus.site.words.tags
        return in_each(every, lambda lang: gist[lang] if gist.has(lang) else summary[lang] or gist[lang])

    def plain_summary(self, note: Note, most: int | None = None) -> Text:
        """The summary of a note without markup, or its beginning: for search engines and feeds as much as is LONG."""
        return self.plain(note.summary or Text(), note.summary_location, note.topic, most)

    def plain(self, text: Text, where: Location, topic: TopicId, most: int | None = None) -> Text:
        """A text of `topic` without markup. As any page may show it, references have their topic: `rl/#4 ReSpec`."""

        def words(slot: Slot, lang: Lang) -> str:
            if slot.kind == "note":
                note = self.index.find(split_section(slot.target)[0], topic)
                if slot.text or isinstance(note, Dangling):
                    return slot.text or slot.target
                return reference(self.corpus, self.corpus.note(note), lang, NO_TOPIC)
            paper = self.corpus.papers.get(BibKey(slot.target)) if slot.kind == "cite" else None
            if paper is None:
                return slot.text or slot.target
            return cite_label(paper, bare=slot.bare) + (f", {slot.text}" if slot.text else "")

        every = self.corpus.site.words
        return in_each(
            every.tags, lambda lang: plain_text(text[lang], lang, where, lambda slot: words(slot, lang), every, most)
        )

    def html(self, slot: Slot, page: PurePosixPath, topic: TopicId, lang: Lang, *, listed: bool) -> Markup:
        """The slot as HTML on `page`; with `listed`, a citation links to the reference list of the page."""
        if slot.kind == "mistake":
            return Markup("")  # only pages show it
        if slot.kind == "number":
            return Markup("<a>")  # the list that it leads to is on the note's page only
        if slot.kind == "cite":
            return self._citation(slot, listed=listed)
        if slot.kind == "paper":
            return self._paper_card(slot, page, lang)
        if slot.kind == "crop":
            crop = self.crops.find(slot.target)
            if crop is None:
                return self._wrong(slot, f"![{slot.text}](pdf:{slot.target})", slot.text)
            return self.crops.image(slot, cite_label(crop.paper), self.corpus.site.words[lang])
        if slot.kind == "source":
            return self._source(slot, lang, listed=listed)
        target = self.target(slot, topic, lang)
        if isinstance(target, Diagnostic):
            source = "!" * slot.embedded + (f"[[{slot.target}|{slot.text}]]" if slot.text else f"[[{slot.target}]]")
            return self._wrong(slot, source, slot.text or split_section(slot.target)[0])
        if slot.embedded and (excerpt := self.excerpts(*target, lang)):
            return self._excerpt(slot, excerpt, target[0], page, lang)
        note = self.corpus.note(target[0])
        label = slot.text or drawn(reference(self.corpus, note, lang, topic_of(page), slot.target))
        anchor = f"#{target[1]}" if target[1] else ""
        href = relative(note_path(note), page) + anchor
        about = Markup(' data-title="{}" data-summary="{}"').format(note.title[lang], self.about(note)[lang])
        return Markup('<a class="note-ref" href="{}" data-card="note"{}>{}</a>').format(href, about, label)

    def _excerpt(self, slot: Slot, excerpt: Excerpt, note_id: NoteId, page: PurePosixPath, lang: Lang) -> Markup:
        """A part of another note, below a link to where it is. What that shows of further notes are links."""
        note = self.corpus.note(note_id)

        def filled(html: str) -> str:
            def inner(slot: Slot) -> str:
                return self.html(replace(slot, embedded=False), page, note.topic, excerpt.lang, listed=False)

            own = f"in-{slot.location.line}-{slot.location.column}-{lang}-"
            return (
                fill(html, excerpt.slots, inner).replace(OWN, own).replace(ELSEWHERE, relative(note_path(note), page))
            )

        source = self.html(
            replace(slot, embedded=False, text=slot.text or drawn(reference(self.corpus, note, lang, topic_of(page)))),
            page,
            note.topic,
            lang,
            listed=False,
        )
        heading = (
            Markup(" · <span>{}</span>").format(Markup(without_links(filled(excerpt.heading))))
            if excerpt.heading and not slot.text
            else ""
        )
        spoken = "" if excerpt.lang == lang else Markup(' lang="{}"').format(self.corpus.site.words[excerpt.lang].html)
        return Markup('<aside class="embed"{}><p class="embed-source">{}{}</p>{}</aside>\n').format(
            spoken, source, heading, Markup(filled(excerpt.html))
        )

    def _wrong(self, slot: Slot, source: str, otherwise: str | None = None) -> Markup:
        """What stands in place of a slot that cannot be filled: its source where the page marks it."""
        if slot.location in self.marked:
            return Markup('<mark class="mistake">{}</mark>').format(source)
        return escape(slot.text or slot.target if otherwise is None else otherwise)

    def _citation(self, slot: Slot, *, listed: bool) -> Markup:
        paper = self.corpus.papers.get(BibKey(slot.target))
        if paper is None:
            return self._wrong(slot, f"@{slot.target}", slot.target)
        locator = f", {slot.text}" if slot.text else ""
        outside = next((link.url for link in paper.links), "")
        href = f"#ref-{slot.target}" if listed else outside
        label = cite_label(paper, bare=slot.bare)
        if not href:
            return escape(f"{label}{locator}")
        template = Markup('<a class="cite" href="{}" title="{}">{}</a>{}')
        return template.format(href, typographic(paper.title), label, locator)

    def _source(self, slot: Slot, lang: Lang, *, listed: bool) -> Markup:
        """The citation for a part of a paper, after the paper's own caption if the slot wants it."""
        crop = self.crops.find(slot.target)
        if crop is None:
            return Markup("")
        part = crop.label(self.corpus.site.words[lang])
        cited = self._citation(Slot("cite", crop.paper.key, part, slot.location), listed=listed)
        source = Markup(' <span class="cites">[{}]</span>').format(cited)
        caption = crop.record.caption if slot.text else ""
        if not caption:
            return source
        return Markup('<span lang="{}">{}</span>').format(self.language_of(caption), caption) + source

    def language_of(self, caption: str) -> str:
        """The HTML tag of the likely language of a paper: English, or one that uses CJK characters."""
        if not any(map(is_cjk, caption)):
            return language(FALLBACK).html
        likely = chain(self.corpus.site.words.languages, map(language, BUILT_IN))
        return next(known.html for known in likely if known.ideographic)

    def _paper_card(self, slot: Slot, page: PurePosixPath, lang: Lang) -> Markup:
        """The facts of a paper as a card; its title links to a note that reads it, if there is one."""
        paper = self.corpus.papers.get(BibKey(slot.target))
        if paper is None:
            return self._wrong(slot, f"@{slot.target}", slot.target)
        pages = [note_path(self.corpus.note(note)) for note in self.readers.get(paper.key, ())]
        href = next((relative(path, page) for path in pages if path != page), "")
        name = typographic(paper.title)
        title = Markup('<a class="note-ref" href="{}">{}</a>').format(href, name) if href else escape(name)
        facts = "\u00a0· ".join(filter(None, (author_names(paper, 3), paper.team, paper.venue, paper.date_label)))
        words, link = self.corpus.site.words, Markup('<a class="external" href="{}">{}</a>')
        links = Markup(" ").join(link.format(item.url, link_label(item.label, words)[lang]) for item in paper.links)
        template = Markup('<p class="pc-title">{}</p><p class="pc-facts">{}</p>{}')
        return template.format(title, facts, Markup('<p class="pc-links">{}</p>').format(links) if links else "")


def with_one_card_each(html: str) -> str:
    """A page on which the first link to a note has the text of its card in each language; scripts show it for all."""
    told = set[tuple[str, str]]()

    def first(link: re.Match[str]) -> str:
        card = (link[2], link[3])
        if card in told:
            return link[1]
        told.add(card)
        return link[0]

    return _CARD.sub(first, html)


class NavigationLink(Struct, frozen=True):
    """An entry of the navigation, for any page."""

    title: Text
    target: PurePosixPath | None
    """A file of the site; None for an address elsewhere."""
    rest: str
    """What follows: `#section`, or the whole address."""


def navigation(
    corpus: Corpus, resolver: LinkResolver, lists: Iterable[tuple[PurePosixPath, Text]]
) -> tuple[tuple[NavigationLink, ...], tuple[Diagnostic, ...]]:
    """The entries, and what is wrong with them. `lists` are the pages of the whole collection, with their titles."""
    pages = {path.stem: (path, title) for path, title in lists}
    pages |= {topic.id: (topic_path(topic.id), topic.title) for topic in corpus.topics}
    pages |= {page.name: (note_path(page), page.title) for page in corpus.pages}
    files = {str(path): path for path in map(own_file, corpus.own_files)}

    def link(entry: NavigationEntry) -> NavigationLink | Diagnostic:
        if is_outside(entry.link):
            return NavigationLink(entry.title or Text(), None, entry.link)
        if entry.link in pages:
            path, title = pages[entry.link]
            return NavigationLink(entry.title or title, path, "")
        if entry.link in files:
            if entry.title is None:
                hint = "write it as {title: ..., link: ...}"
                return Diagnostic(entry.location, "bad-value", "a link to a file needs a title", hint)
            return NavigationLink(entry.title, files[entry.link], "")
        target = resolver.find(entry.link, NO_TOPIC)
        if isinstance(target, tuple):
            note = corpus.note(target[0])
            section = f"#{target[1]}" if target[1] else ""
            return NavigationLink(entry.title or note.title.map(short_title), note_path(note), section)
        wrong = resolver.target(Slot("note", entry.link, "", entry.location), NO_TOPIC)
        if isinstance(wrong, Diagnostic) and (target is None or entry.link.partition("/")[0] in pages):
            return wrong  # a section or a note that is not there
        message = f'the navigation leads to "{entry.link}", which is no page, topic, note or file of static/'
        hint = Suggestions().did_you_mean(entry.link, [*pages, *files])
        return Diagnostic(entry.location, "dangling-reference", message, hint)

    links = [link(entry) for entry in corpus.site.navigation]
    return (
        tuple(link for link in links if isinstance(link, NavigationLink)),
        tuple(link for link in links if isinstance(link, Diagnostic)),
    )
