"""Excerpts: a section, figure or formula of a note, cut out of its body to be shown in the text of another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html.parser import HTMLParser
from typing import NamedTuple

from paper_notes.corpus.model import Lang, NoteId
from paper_notes.markdown.body import SLOT, Body, Slot
from paper_notes.markdown.render import without_links

OWN, ELSEWHERE = "\ufdd4", "\ufdd5"
"""In the HTML of an excerpt: before its own ids, which are to be unique on any page; and the page that it is from."""
_BLOCKS = frozenset("aside blockquote details div dl figure ol p pre section table ul".split())
"""What may stand alone: of the elements around an id, the innermost of these is cut out."""
_VOID = frozenset("area br col embed hr img input link meta source track wbr".split())


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a note in one language."""

    html: str
    slots: tuple[Slot, ...]
    lang: Lang
    heading: str = ""
    """HTML without links; empty for a block."""


Excerpts = Callable[[NoteId, str, Lang], Excerpt | None]
"""Gives what has this id on the page of a note, in a language if the note has it in that one."""


def no_excerpts(_note: NoteId, _anchor: str, _lang: Lang) -> Excerpt | None:
    """For pages that show none: references lead there instead."""
    return None


def place_of_excerpt(note: NoteId, anchor: str, lang: Lang) -> str:
    """Names an excerpt among those of a page."""
    return f"{note}#{anchor} {lang}"


def excerpts_of(bodies: Mapping[NoteId, Body]) -> Excerpts:
    """Excerpts of these bodies, of which few are wanted again and again."""
    body = lru_cache(maxsize=8)(bodies.__getitem__)
    return lambda note, anchor, lang: excerpt_of(body(note), anchor, lang) if note in bodies else None


def excerpt_of(body: Body, anchor: str, lang: Lang) -> Excerpt | None:
    """The section with what is below it, or the block that has this id; None if there is none."""
    for place, section in enumerate(body.sections):
        if section.id == anchor:
            spoken = lang if lang in section.halves else next(iter(section.halves))
            html = section.halves[spoken].html
            for below in body.sections[place + 1 :]:
                if below.level <= section.level:
                    break
                if half := below.halves.get(spoken):
                    html += f'<p class="embed-heading">{without_links(half.heading)}</p>\n{half.html}'
            return _excerpt(html, body.halves[spoken].slots, spoken, without_links(section.halves[spoken].heading))
    for spoken, whole in body.halves.items():
        parts = (whole.lead, *(section.halves[spoken].html for section in body.sections if spoken in section.halves))
        if html := next((html for html in parts if f' id="{anchor}"' in html), ""):
            return _excerpt(_block(html, anchor), whole.slots, spoken, "")
    return None


def _excerpt(html: str, slots: tuple[Slot, ...], lang: Lang, heading: str) -> Excerpt:
    used = [*dict.fromkeys(int(number) for number in SLOT.findall(heading + html))]
    numbers = {old: new for new, old in enumerate(used)}
    heading, html = (
        SLOT.sub(lambda match: f"\ufdd0{numbers[int(match[1])]}\ufdd1", text) for text in (heading, _at_home(html))
    )
    return Excerpt(html, tuple(slots[number] for number in used), lang, heading)


class _Tag(NamedTuple):
    start: int
    end: int
    name: str
    attributes: Mapping[str, str]
    closes: bool = False


class _Tags(HTMLParser):
    """The tags of sanitised HTML, with their places."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=False)
        self.tags: list[_Tag] = []
        self._html = html
        self._lines = [0]
        for line in html.split("\n"):
            self._lines.append(self._lines[-1] + len(line) + 1)
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        start = self._offset()
        end = start + len(self.get_starttag_text() or "")
        self.tags.append(_Tag(start, end, tag, {name: value or "" for name, value in attrs}))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)  # and no end

    def handle_endtag(self, tag: str) -> None:
        start = self._offset()
        self.tags.append(_Tag(start, self._html.index(">", start) + 1, tag, {}, closes=True))

    def _offset(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column


def _block(html: str, anchor: str) -> str:
    """The block around the element with this id."""
    opened: list[_Tag] = []
    cut: _Tag | None = None
    for tag in _Tags(html).tags:
        if tag.closes:
            last = opened.pop() if opened else None
            if last and last is cut:
                return html[cut.start : tag.end]
        elif tag.name not in _VOID and not html.startswith("/>", tag.end - 2):
            opened.append(tag)
            if tag.attributes.get("id") == anchor:
                cut = next((around for around in reversed(opened) if around.name in _BLOCKS), opened[0])
    return html


_NAMING = ("id", "href", "xlink:href", "aria-labelledby", "aria-describedby")


def _at_home(html: str) -> str:
    """The HTML with its own ids marked, and with links to other places of its page that lead there."""
    tags = _Tags(html).tags
    own = {tag.attributes["id"] for tag in tags if "id" in tag.attributes}
    parts, done = [], 0
    for tag in tags:
        written = html[tag.start : tag.end]
        for name in _NAMING:
            value = tag.attributes.get(name, "")
            if name == "id" or name.startswith("aria-"):
                ids = " ".join(f"{OWN}{part}" if part in own else part for part in value.split())
                written = written.replace(f'{name}="{value}"', f'{name}="{ids}"') if value else written
            elif value.startswith("#"):
                target = f"#{OWN}{value[1:]}" if value[1:] in own else f"{ELSEWHERE}{value}"
                written = written.replace(f'{name}="{value}"', f'{name}="{target}"')
        for identifier in own if "url(#" in written else ():
            written = written.replace(f"url(#{identifier})", f"url(#{OWN}{identifier})")
        parts += [html[done : tag.start], written]
        done = tag.end
    return "".join([*parts, html[done:]])
