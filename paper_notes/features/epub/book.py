"""Notes as a book: a value with its chapters and its cover, whatever file is made of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from markupsafe import escape

from paper_notes.corpus.model import Corpus, GlossaryTerm, Lang, Note, NoteId, ReadingPath, Text, Topic
from paper_notes.corpus.references import NO_TOPIC
from paper_notes.features.epub.chapter import GLOSSARY, Chapter, ChapterMaker, Place
from paper_notes.features.epub.xhtml import Palette, StartTag, as_xml
from paper_notes.markdown.body import Body
from paper_notes.patterns import regex
from paper_notes.render.labels import name_of
from paper_notes.render.links import LinkResolver, note_path
from paper_notes.render.theme.theme import Theme
from paper_notes.render.view_factory import tag_name
from paper_notes.typography import is_cjk
from paper_notes.values import Struct, replace

WIDTH, HEIGHT, MARGIN = 1200, 1800, 110
_SERIF = "'Noto Serif CJK SC', 'Songti SC', 'Source Han Serif SC', Georgia, 'Noto Serif', serif"
_SANS = "'Noto Sans CJK SC', 'PingFang SC', 'Noto Sans', sans-serif"
_LISTED = 12
"""Notes that a cover names at most."""


def drawn_cover(titles: Sequence[str], notes: Sequence[str], site: str, emoji: str, palette: Palette) -> str:
    """The cover as SVG. `titles` are the title in each language; `notes` are names of what is in the book."""
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{palette("bg")}"/>',
        f'<rect width="{WIDTH}" height="26" fill="{palette("acc")}"/>',
    ]
    y = 330
    if emoji:
        out.append(_text(emoji, MARGIN, y - 100, 90, _SANS, palette("ink")))
    for index, title in enumerate(titles):
        size = (84 if index == 0 else 52) * (1 if len(titles[0]) < 40 else 0.85)
        for line in wrapped(title, (WIDTH - 2 * MARGIN) / size):
            y += round(size * 1.3)
            out.append(_text(line, MARGIN, y, size, _SERIF, palette("ink" if index == 0 else "quiet"), bold=index == 0))
        y += 40
    y = max(y + 60, 900)
    for name in [*notes[:_LISTED], *(["…"] if len(notes) > _LISTED else [])]:
        line = next(wrapped(name, (WIDTH - 2 * MARGIN) / 38), "")
        y += 58
        if y > HEIGHT - 260:
            break
        out.append(_text(line, MARGIN, y, 38, _SANS, palette("quiet")))
    rule = f'<rect x="{MARGIN}" y="{HEIGHT - 200}" width="90" height="6" fill="{palette("acc")}"/>'
    out += [rule, _text(site, MARGIN, HEIGHT - 120, 40, _SANS, palette("ink")), "</svg>"]
    return "".join(out)


def _text(words: str, x: float, y: float, size: float, family: str, colour: str, *, bold: bool = False) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-family="{family}" fill="{colour}"{weight}>'
        f"{escape(words)}</text>"
    )


def wrapped(text: str, room: float) -> Iterator[str]:
    """The lines of a text; `room` is the width of a line in em."""
    line, width = "", 0.0
    for piece in _pieces(text):
        wide = sum(1.0 if is_cjk(sign) or ord(sign) > 0x2E80 else 0.56 for sign in piece)
        if line and width + wide > room:
            yield line.strip()
            line, width = "", 0.0
        line, width = line + piece, width + wide
    if line.strip():
        yield line.strip()


def _pieces(text: str) -> Iterator[str]:
    """Where a line may break: after spaces, and after characters that need none between them."""
    word = ""
    for sign in text:
        if is_cjk(sign) and word:
            yield word
            word = ""
        word += sign
        if sign == " " or is_cjk(sign):
            yield word
            word = ""
    if word:
        yield word


_UNSAFE = regex(r"[^a-z0-9]+")
_ID = regex(r' id="([^"]+)"')


class BookRequest(Struct, frozen=True):
    """The notes of a book, and what it is called."""

    name: str
    """Of its file."""
    title: Text
    notes: tuple[Note, ...]
    topic: Topic | None = None
    path: ReadingPath | None = None


class Book(Struct, frozen=True):
    """A book, ready to be written."""

    title: str
    languages: tuple[str, ...]
    """Their tags; the first is that of the book itself."""
    author: str
    """Who keeps the collection; may be empty."""
    publisher: str
    address: str
    """Of the page that the book was made from; empty if it has none."""
    changed: str
    """The day of the last change that notes tell, or empty."""
    subjects: tuple[str, ...]
    sources: tuple[str, ...]
    """The papers: addresses or titles."""
    contents: str
    """The word over the table of contents."""
    chapters: tuple[Chapter, ...]
    cover: tuple[str, bytes]
    """The name of its file, and what it holds."""
    pictures: Mapping[str, bytes]
    palette: Palette


def make_book(
    wanted: BookRequest,
    corpus: Corpus,
    bodies: Mapping[NoteId, Body],
    resolver: LinkResolver,
    languages: tuple[Lang, ...],
    theme: Theme,
) -> Book:
    """The book of these notes in these languages."""
    files = _files(wanted, corpus)
    palette = Palette.of(str(theme.styles["note"]))
    maker = ChapterMaker(corpus, resolver, languages, files, palette)
    chapters = [*_chapters(wanted, maker, bodies)]
    if glossary := _glossary(chapters, maker):
        chapters.append(glossary)
    title = maker.plain(wanted.title, languages)
    papers = dict.fromkeys(key for note in wanted.notes for key in (*note.papers, *(e.paper for e in note.entries)))
    sources = [corpus.papers[key] for key in papers if key in corpus.papers]
    tags = Counter(tag for note in wanted.notes for tag in note.tags)
    dates = [str(date) for note in wanted.notes if (date := note.updated or note.created)]
    words, site = corpus.site.words, corpus.site
    return Book(
        title=title,
        languages=tuple(words[lang].html for lang in languages),
        author=maker.plain(site.author, languages[:1]) if site.author else "",
        publisher=maker.plain(site.title, languages),
        address=f"{site.base_url or ''}{wanted.name}",
        changed=max(dates, default=""),
        subjects=tuple(dict.fromkeys(tag_name(tag, corpus)[languages[0]] for tag, _ in tags.most_common())),
        sources=tuple(paper.links[0].url if paper.links else paper.title for paper in sources),
        contents=maker.plain(words("ui.note.contents"), languages),
        chapters=_with_whole_links(chapters),
        cover=_cover(wanted, maker, title),
        pictures=maker.pictures.files,
        palette=palette,
    )


def _files(wanted: BookRequest, corpus: Corpus) -> Mapping[PurePosixPath, str]:
    """The file of each note, by its page: `spec-rl-4.xhtml`, with plain letters only."""
    topics: dict[str, str] = {}
    for number, topic in enumerate(corpus.site.topics, 1):
        plain = _UNSAFE.sub("-", topic.lower()).strip("-")
        topics[topic] = plain if plain and plain not in topics.values() and topic.isascii() else f"topic-{number}"
    return {note_path(note): f"{topics[note.topic]}-{note.number}.xhtml" for note in wanted.notes}


def _chapters(wanted: BookRequest, maker: ChapterMaker, bodies: Mapping[NoteId, Body]) -> Iterator[Chapter]:
    corpus, topics = maker.corpus, dict.fromkeys(note.topic for note in wanted.notes)
    if wanted.path:
        yield _path_page(wanted.path, maker)
    elif wanted.topic:
        yield _topic_page(wanted.topic, maker, "introduction.xhtml")
    whole = not (wanted.topic or wanted.path) and len(wanted.notes) > 1
    if not whole:
        yield from (maker.chapter(note, bodies[note.id]) for note in wanted.notes)
        return
    for number, name in enumerate(topics, 1):
        yield _topic_page(corpus.topic(name), maker, f"part-{number}.xhtml")
        of_topic = (note for note in wanted.notes if note.topic == name)
        yield from (maker.chapter(note, bodies[note.id], inside=True) for note in of_topic)


def _topic_page(topic: Topic, maker: ChapterMaker, file: str) -> Chapter:
    spoken = maker.languages
    place = Place(PurePosixPath(topic.id, "index.html"), topic.id)
    intro = maker.snippet(topic.intro, topic.intro_location, place, spoken, inline=False)
    xml = f"<header><h1>{escape(topic.emoji)} {maker.inline(topic.title, spoken)}</h1></header>{maker.rows(intro)}"
    return Chapter(file, f"{topic.emoji} {maker.plain(topic.title, spoken)}".strip(), xml, "part")


def _path_page(path: ReadingPath, maker: ChapterMaker) -> Chapter:
    spoken, corpus = maker.languages, maker.corpus
    owner = next(topic for topic in corpus.topics if path in topic.reading_paths)
    place = Place(PurePosixPath(owner.id, "index.html"), owner.id)
    guide = maker.snippet(path.guide, path.location, place, spoken, inline=False)
    steps = "".join(
        f'<li><a href="{maker.files[note_path(note)]}">{maker.inline(words or name_of(note), spoken)}</a></li>'
        for note, words in ((corpus.note(step), words) for step, words in path.named_steps)
    )
    xml = f"<header><h1>{maker.inline(path.title, spoken)}</h1></header>{maker.rows(guide)}<ol>{steps}</ol>"
    return Chapter("introduction.xhtml", maker.plain(path.title, spoken), xml, "part")


def _glossary(chapters: Sequence[Chapter], maker: ChapterMaker) -> Chapter | None:
    """The terms that the chapters link to."""
    named = {name for chapter in chapters for name in re.findall(rf'"{GLOSSARY}#([^"]+)"', chapter.xml)}
    terms = [term for term in maker.corpus.terms if term.id in named]
    if not terms:
        return None
    spoken, word = maker.languages, maker.corpus.site.words("page.glossary.title")
    terms.sort(key=lambda term: term.name[spoken[0]].casefold())
    items = "".join(_term(term, maker) for term in terms)
    xml = f'<header><h1>{maker.inline(word, spoken)}</h1></header><div class="terms">{items}</div>'
    return Chapter(GLOSSARY, maker.plain(word, spoken), xml, "glossary")


def _term(term: GlossaryTerm, maker: ChapterMaker) -> str:
    place = Place(PurePosixPath(GLOSSARY), maker.corpus.topic_of_glossary or NO_TOPIC)
    meaning = maker.snippet(term.definition, term.location, place, maker.languages)
    names = maker.inline(term.name, dict(term.name.parts))
    return f'<section id="{escape(term.id)}"><h2>{names}</h2>{maker.rows(meaning)}</section>'


def _with_whole_links(chapters: Sequence[Chapter]) -> tuple[Chapter, ...]:
    """The chapters without ids that are there twice, and without links to what the book does not have."""
    chapters = [replace(chapter, xml=_without_twins(chapter.xml)) for chapter in chapters]
    known = {chapter.file: set(_ID.findall(chapter.xml)) for chapter in chapters}

    def checked(chapter: Chapter) -> Chapter:
        def change(tag: StartTag) -> StartTag | None:
            href = tag.attributes.get("href", "")
            if tag.name != "a" or "://" in href or href.startswith("mailto:"):
                return tag
            file, _, anchor = href.partition("#")
            ids = known.get(file or chapter.file)
            if ids is None or (anchor not in ids and not file):
                return None
            return tag if not anchor or anchor in ids else StartTag("a", {**tag.attributes, "href": file})

        return replace(chapter, xml=as_xml(chapter.xml, change))

    return tuple(map(checked, chapters))


def _without_twins(xml: str) -> str:
    seen = set[str]()

    def once(attribute: re.Match[str]) -> str:
        new = attribute[1] not in seen
        seen.add(attribute[1])
        return attribute[0] if new else ""

    return _ID.sub(once, xml)


def _cover(wanted: BookRequest, maker: ChapterMaker, title: str) -> tuple[str, bytes]:
    """The first page of the paper of a note that publishes it; otherwise a drawing."""
    note = wanted.notes[0]
    if len(wanted.notes) == 1 and note.publish_pdf and note.papers:
        crop = maker.resolver.crops.find(f"{note.papers[0]}#page-1")
        if crop:
            name = maker.pictures.keep(crop.picture.data, "webp")
            return name, maker.pictures.files.pop(name)
    titles = tuple(dict.fromkeys(wanted.title[lang] for lang in maker.languages))
    site = maker.plain(maker.corpus.site.title, maker.languages)
    emoji = wanted.topic.emoji if wanted.topic else ""
    lines = [name_of(listed)[maker.languages[0]] for listed in wanted.notes] if len(wanted.notes) > 1 else []
    return "cover.svg", drawn_cover(titles, lines, site, emoji, maker.palette).encode()
