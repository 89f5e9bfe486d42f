"""Excerpts: a section, figure or formula of a note, cut out of its body to be shown in the text of another."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from paper_notes.corpus.model import Lang, NoteId
from paper_notes.markdown.body import SLOT, Body, Slot
from paper_notes.markdown.render import without_links
from paper_notes.patterns import regex
from paper_notes.values import Struct

OWN, ELSEWHERE = "\ufdd4", "\ufdd5"
"""In the HTML of an excerpt: before its own ids, which are to be unique on any page; and the page that it is from."""
_BLOCKS = frozenset("aside blockquote details div dl figure ol p pre section table ul".split())
"""What may stand alone: of the elements around an id, the innermost of these is cut out."""
_VOID = frozenset("area br col embed hr img input link meta source track wbr".split())


class Excerpt(Struct, frozen=True):
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


_TAG = regex(r'<(?P<closes>/?)(?P<name>[a-zA-Z][^\s/>]*)(?:[^>"]|"[^"]*")*>')
"""A tag of sanitised HTML: what is no tag is escaped there, and values are between double quotes."""
_ATTRIBUTE = regex(r'(?<=\s)([\w:-]+)="([^"]*)"')


def _block(html: str, anchor: str) -> str:
    """The block around the element with this id."""
    opened: list[re.Match[str]] = []
    cut: re.Match[str] | None = None
    for tag in _TAG.finditer(html):
        if tag["closes"]:
            last = opened.pop() if opened else None
            if last and last is cut:
                return html[cut.start() : tag.end()]
        elif tag["name"] not in _VOID and not tag[0].endswith("/>"):
            opened.append(tag)
            if f' id="{anchor}"' in tag[0]:
                cut = next((around for around in reversed(opened) if around["name"] in _BLOCKS), opened[0])
    return html


def _at_home(html: str) -> str:
    """The HTML with its own ids marked, and with links to other places of its page that lead there."""
    tags = [tag[0] for tag in _TAG.finditer(html)]
    own = {value for tag in tags for name, value in _ATTRIBUTE.findall(tag) if name == "id"}

    def marked(attribute: re.Match[str]) -> str:
        name, value = attribute.groups()
        if name in ("id", "aria-labelledby", "aria-describedby"):
            value = " ".join(f"{OWN}{part}" if part in own else part for part in value.split())
        elif name in ("href", "xlink:href") and value.startswith("#"):
            value = f"#{OWN}{value[1:]}" if value[1:] in own else f"{ELSEWHERE}{value}"
        value = _PAINT.sub(lambda use: f"url(#{OWN}{use[1]})" if use[1] in own else use[0], value)
        return f'{name}="{value}"'

    return _TAG.sub(lambda tag: _ATTRIBUTE.sub(marked, tag[0]), html)


_PAINT = regex(r"url\(#([^)]*)\)")
