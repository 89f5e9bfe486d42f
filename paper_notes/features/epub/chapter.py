"""One note as a chapter of a book: its languages below each other, block by block."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from markupsafe import Markup, escape

from paper_notes.corpus.model import Corpus, CorrectedClaim, Lang, Note, Text, TopicId
from paper_notes.corpus.paper import BibKey, Paper, entry_id
from paper_notes.diagnostics import Location
from paper_notes.features.epub.xhtml import (
    LEFT_OUT,
    Change,
    Palette,
    PictureFiles,
    StartTag,
    as_xml,
    outward,
    painted,
    pieces,
    target_of,
)
from paper_notes.markdown.body import Body, BodySection, Slot, fill, section_numbers
from paper_notes.markdown.render import without_links
from paper_notes.markdown.short_texts import render_snippet
from paper_notes.patterns import regex
from paper_notes.render.labels import author_names, cite_label, language_name, name_of
from paper_notes.render.links import LinkResolver, note_path
from paper_notes.typography import typographic
from paper_notes.values import Struct, field

GLOSSARY = "glossary.xhtml"
_CHECKBOX = regex(r"<input\b([^>]*)>")
_TAGS = regex(r"<[^>]*>")
_DROPPED = frozenset("tabindex role aria-label aria-hidden data-card data-title data-summary".split())

_PLAIN = ("<p>", "<ul", "<ol", "<dl", "<h")

LanguageParts = Sequence[tuple[Lang, str]]
"""The XML of a text in each language that it is shown in."""


class Place(NamedTuple):
    """The page on which a text is shown, and the topic in which its references are read."""

    page: PurePosixPath
    topic: TopicId


class ContentsLine(Struct, frozen=True):
    """A line of the contents."""

    anchor: str
    level: int
    words: str
    """Without markup."""


class Chapter(Struct, frozen=True):
    """A file of the book."""

    file: str
    title: str
    """Without markup."""
    xml: str
    """What its `<body>` holds."""
    kind: str = "chapter"
    """As EPUB calls it."""
    headings: tuple[ContentsLine, ...] = ()
    inside: bool = False
    """Whether it is of the part that began before."""


class ChapterMaker(Struct, frozen=True):
    """Makes chapters in these languages. Links lead to other chapters, or to the published site."""

    corpus: Corpus
    resolver: LinkResolver
    languages: tuple[Lang, ...]
    files: Mapping[PurePosixPath, str]
    """The file of each chapter, by the page of its note."""
    palette: Palette
    pictures: PictureFiles = field(default_factory=lambda: PictureFiles(for_all=True))

    def chapter(self, note: Note, body: Body, *, inside: bool = False) -> Chapter:
        """The chapter of a note."""
        spoken = [lang for lang in self.languages if lang in note.languages] or list(note.languages)
        place = Place(note_path(note), note.topic)
        parts = [self._head(note, spoken, place), self._lead(body, spoken, place)]
        headings: list[ContentsLine] = []
        entries = {entry_id(paper): paper for entry in note.entries if (paper := self.corpus.papers.get(entry.paper))}
        for section, number in zip(body.sections, section_numbers(body.sections), strict=True):
            heading, xml = self._section(section, number, body, spoken, place)
            facts = self.facts(entries[section.id]) if section.id in entries else ""
            headings.append(heading)
            parts.append(xml.replace("<!--facts-->", facts, 1))
        notes = [(lang, body.halves[lang].footnotes) for lang in spoken if body.halves[lang].footnotes.strip()]
        written = [(lang, self._xml(html, body.halves[lang].slots, lang, place)) for lang, html in notes]
        parts.append(f'<section class="notes">{self.rows(written)}</section>' if written else "")
        references, heading = self._references(body, spoken)
        parts.append(references)
        headings += [heading] if references else []
        title = f"{note.number} {self.plain(name_of(note), spoken)}" if note.topic else self.plain(note.title, spoken)
        return Chapter(self.files[place.page], title, "".join(parts), headings=tuple(headings), inside=inside)

    def _head(self, note: Note, spoken: Sequence[Lang], place: Place) -> str:
        topic = self.corpus.topic(note.topic)
        kicker = " · ".join((f"{topic.emoji} {self.plain(topic.title, spoken)}".strip(), f"#{note.number}"))
        summary = self.snippet(note.summary, note.summary_location, place, spoken)
        papers = "".join(self.facts(self.corpus.papers[key]) for key in note.papers if key in self.corpus.papers)
        return (
            f'<header><p class="kicker">{escape(kicker)}</p><h1>{self.inline(note.title, spoken)}</h1>'
            f"{self.rows(summary, 'dek') if summary else ''}{papers}{self._corrections(note, spoken)}</header>"
        )

    def _corrections(self, note: Note, spoken: Sequence[Lang]) -> str:
        """What later notes correct of this one."""
        corrections = [(other, item) for other in self.corpus.notes for item in other.corrects if item.note == note.id]
        if not corrections:
            return ""
        head = self.inline(self.corpus.site.words("ui.note.corrected"), spoken)
        items = "".join(f"<li>{self._correction(other, item, spoken)}</li>" for other, item in corrections)
        return f'<aside class="fix"><p class="box-title">{head}</p><ul>{items}</ul></aside>'

    def _correction(self, by: Note, item: CorrectedClaim, spoken: Sequence[Lang]) -> str:
        words = self.corpus.site.words
        claim, correction = (self.inline(words(f"ui.base.{name}"), spoken) for name in ("claim", "correction"))
        name = escape(f"{by.topic}/#{by.number} {self.plain(name_of(by), spoken)}")
        target = self.files.get(note_path(by))
        link = f'<a href="{target}">{name}</a>' if target else name
        return (
            f"{link}<dl><dt>{claim}</dt><dd>{self.inline(item.claim, spoken)}</dd>"
            f"<dt>{correction}</dt><dd>{self.inline(item.correction, spoken)}</dd></dl>"
        )

    def _lead(self, body: Body, spoken: Sequence[Lang], place: Place) -> str:
        halves = [(lang, body.halves[lang]) for lang in spoken if body.halves[lang].lead.strip()]
        written = [(lang, self._xml(half.lead, half.slots, lang, place)) for lang, half in halves]
        return f'<section id="lead">{self.rows(written)}</section>' if written else ""

    def _section(
        self, section: BodySection, number: str, body: Body, spoken: Sequence[Lang], place: Place
    ) -> tuple[ContentsLine, str]:
        words = self.corpus.site.words
        present = [lang for lang in spoken if lang in section.halves] or list(section.halves)
        alone = [lang for lang in spoken if lang not in section.halves]
        heading: list[tuple[Lang, str]] = []
        text: list[tuple[Lang, str]] = []
        for lang in present:
            half, slots = section.halves[lang], body.halves[lang].slots
            heading.append((lang, without_links(self._xml(half.heading, slots, lang, place))))
            text.append((lang, self._xml(half.html, slots, lang, place)))
        only = "".join(
            f'<p class="none"{self.lang(lang)}>'
            f"{escape(words[lang]('ui.note.section-only', language=language_name(present[0], words)[lang]))}</p>"
            for lang in alone
        )
        sign = f'<span class="sn">{escape(number)}</span> ' if number else ""
        shown = sign + self.inline_xml(heading)
        plain = " · ".join(dict.fromkeys(Markup(_TAGS.sub("", xml)).unescape().strip() for _, xml in heading))
        xml = (
            f'<section id="{escape(section.id)}"><h{section.level}>{shown}</h{section.level}><!--facts-->'
            f"{only}{self.rows(text)}</section>"
        )
        return ContentsLine(section.id, section.level, f"{number} {plain}".strip()), xml

    def _references(self, body: Body, spoken: Sequence[Lang]) -> tuple[str, ContentsLine]:
        """The papers that the text cites, in the order of their labels."""
        slots = [slot for lang in spoken for slot in body.halves[lang].slots]
        keys = [slot.target for slot in slots if slot.kind == "cite"]
        crops = [self.resolver.crops.find(slot.target) for slot in slots if slot.kind == "crop"]
        keys += [crop.paper.key for crop in crops if crop]
        cited = [self.corpus.papers[BibKey(key)] for key in dict.fromkeys(keys) if key in self.corpus.papers]
        cited.sort(key=lambda paper: (cite_label(paper).casefold(), paper.key))
        word = self.corpus.site.words("ui.note.references")
        items = "".join(
            f'<li id="ref-{escape(paper.key)}"><b>{escape(cite_label(paper))}</b> {self.facts(paper, "span")}</li>'
            for paper in cited
        )
        heading = ContentsLine("references", 2, self.plain(word, spoken))
        xml = f'<section id="references"><h2>{self.inline(word, spoken)}</h2><ul class="refs">{items}</ul></section>'
        return (xml if cited else "", heading)

    def facts(self, paper: Paper, tag: str = "p") -> str:
        """A paper in a line."""
        known = " · ".join(filter(None, (author_names(paper, 6) or paper.team, paper.venue, paper.span)))
        links = Markup(" ").join(Markup('<a href="{}">{}</a>').format(link.url, link.label) for link in paper.links)
        title = typographic(paper.title)
        stop = "" if title[-1:] in ".?!。？！" else "."
        line = Markup("<cite>{}</cite>{} {} {}").format(title, stop, known, links)
        return f'<{tag} class="src">{line}</{tag}>'

    def rows(self, halves: LanguageParts, css: str = "") -> str:
        """A text in each language: block by block if all have as many blocks, and what is the same in all once."""
        parts = [(lang, [*filter(None, map(str.strip, pieces(xml)))]) for lang, xml in halves]
        if len(parts) > 1 and len({len(several) for _, several in parts}) == 1:
            rows = zip(*(several for _, several in parts), strict=True)
            return "".join(
                self._row([(lang, xml) for (lang, _), xml in zip(parts, row, strict=True)], css) for row in rows
            )
        return "".join(self._half(lang, xml, css, second=index > 0) for index, (lang, xml) in enumerate(halves))

    def _row(self, halves: LanguageParts, css: str) -> str:
        if len({xml for _, xml in halves}) == 1:
            return halves[0][1]
        return "".join(self._half(lang, xml, css, second=index > 0) for index, (lang, xml) in enumerate(halves))

    def _half(self, lang: Lang, xml: str, css: str, *, second: bool) -> str:
        beside = "beside" if second and xml.startswith(_PLAIN) else ""  # a box has a frame of its own
        classes = " ".join(part for part in (css, "second" if second else "first", beside) if part)
        return f'<div class="{classes}"{self.lang(lang)}>{xml}</div>'

    def lang(self, lang: Lang) -> str:
        """The attributes of an element in this language."""
        tag = escape(self.corpus.site.words[lang].html)
        return f' lang="{tag}" xml:lang="{tag}"'

    def inline(self, text: Text, spoken: Iterable[Lang]) -> str:
        """A text without markup in each language, each once."""
        return self.inline_xml([(lang, str(escape(text[lang]))) for lang in spoken])

    def inline_xml(self, halves: LanguageParts) -> str:
        """The same of XML."""
        distinct = {xml: lang for lang, xml in reversed(halves)}
        kept = [(lang, xml) for lang, xml in halves if distinct.get(xml) == lang]
        return " ".join(
            f'<span class="{"second" if index else "first"}"{self.lang(lang)}>{xml}</span>'
            for index, (lang, xml) in enumerate(kept)
        )

    def plain(self, text: Text, spoken: Iterable[Lang]) -> str:
        """The same without any markup."""
        return " · ".join(dict.fromkeys(text[lang] for lang in spoken))

    def snippet(
        self, text: Text | None, where: Location, place: Place, spoken: Sequence[Lang], *, inline: bool = True
    ) -> list[tuple[Lang, str]]:
        """A Markdown text of a YAML file."""
        parts: list[tuple[Lang, str]] = []
        for lang in spoken if text else ():
            snippet = render_snippet(text[lang] if text else "", lang, where, self.corpus.site.words, inline=inline)
            xml = self._xml(snippet.html, snippet.slots, lang, place, listed=False)
            parts.append((lang, f"<p>{xml}</p>" if inline else xml))
        return parts

    def _xml(self, html: str, slots: tuple[Slot, ...], lang: Lang, place: Place, *, listed: bool = True) -> str:
        def filled(slot: Slot) -> str:
            return str(self.resolver.html(slot, *place, lang, listed=listed))

        whole = _CHECKBOX.sub(lambda box: "☑" if "checked" in box[1] else "☐", fill(html, slots, filled))
        return as_xml(whole, self._changing(place.page))

    def _address(self, href: str, page: PurePosixPath) -> str | None:
        if href.startswith("#"):
            return f"{GLOSSARY}{href}" if href.startswith("#term-") else href
        if "://" not in href and not href.startswith("mailto:"):
            target, anchor = target_of(href, page)
            if target in self.files:
                return self.files[target] + anchor
        return outward(page, self.corpus.site.base_url)(href)

    def _changing(self, page: PurePosixPath) -> Change:
        def change(tag: StartTag) -> StartTag | None:
            kept = dict(tag.attributes)
            if tag.name == "a":
                address = kept.pop(
                    "href", ""
                )  # without one, it is a number whose source only the page of the note shows
                href = self._address(address, page) if address and "math" not in tag.above else None
                return StartTag("a", _with_meaning(kept, href)) if href else None
            if tag.name == "img":
                name = self.pictures.of_address(kept["src"])
                return StartTag("img", {**kept, "src": f"../images/{name}"} if name else kept)
            if tag.name == "svg" and "wider" in tag.classes:
                return LEFT_OUT
            if "svg" in (tag.name, *tag.above):
                return painted(tag, self.palette)
            if not {"vh", "th"}.isdisjoint(tag.classes):  # said elsewhere, in tables that are cards on a phone
                return LEFT_OUT
            if "footnote-item" in tag.classes:
                kept["epub:type"] = "footnote"
            return tag if "math" in (tag.name, *tag.above) else StartTag(tag.name, _plain(kept))

        return change


def _plain(attributes: Mapping[str, str]) -> dict[str, str]:
    """The attributes that a book has."""
    kept = {name: value for name, value in attributes.items() if name not in _DROPPED}
    return {**kept, "xml:lang": kept["lang"]} if "lang" in kept else kept


def _with_meaning(attributes: Mapping[str, str], href: str) -> dict[str, str]:
    meaning = {"epub:type": "noteref"} if attributes.get("role") == "doc-noteref" else {}
    return {"href": href, **_plain(attributes), **meaning}
