"""What pages show, for programs that accept no mistakes: XML, links that lead out, drawings in plain colours."""

from __future__ import annotations

import base64
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import PurePosixPath
from urllib.parse import unquote

from markupsafe import escape

from paper_notes.addresses import LEAD_OUT
from paper_notes.features.diagrams.colours import INK
from paper_notes.patterns import regex
from paper_notes.render.links import absolute
from paper_notes.sources.characters import unescape
from paper_notes.sources.pdf.picture import for_every_program
from paper_notes.values import Struct, field

_TAG = regex(r'<(/?)([A-Za-z][\w:-]*)((?:[^>"]|"[^"]*")*?)(/?)>')
_ATTRIBUTE = regex(r'([^\s=/"]+)(?:="([^"]*)")?')
_NAMED = regex(r"&(?!(?:amp|lt|gt|quot);)[A-Za-z][A-Za-z0-9]*;")
_VOID = frozenset("br col hr img input wbr".split())
SVG, MATH = "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"


class StartTag(Struct):
    """A start tag, which may be changed."""

    name: str
    attributes: dict[str, str]
    """Names and values, without escapes."""
    above: Sequence[str] = ()
    """The names of the elements that it is in; empty for one that was left out."""
    inside: str = ""
    """XML that is put right behind the tag."""

    @property
    def classes(self) -> tuple[str, ...]:
        return tuple(self.attributes.get("class", "").split())


LEFT_OUT = StartTag("", {})
"""In place of a tag: the element is not there, with all that is in it."""
Change = Callable[[StartTag], StartTag | None]


def as_xml(html: str, change: Change) -> str:
    """The HTML as XML. `change` gives each start tag as it is to be; without it (None) the content stays.

    Only for HTML that we have made: all elements but the void ones are closed.
    """
    parts: list[str] = []
    names: list[str] = []
    """What is open; empty for a tag that was left out."""
    done = skipped = 0
    for match in _TAG.finditer(html):
        closed = bool(match[4]) or match[2] in _VOID
        if skipped:
            skipped += -1 if match[1] else 0 if closed else 1
            done = match.end()
            continue
        parts.append(_text(html[done : match.start()]))
        done = match.end()
        if match[1]:
            name = names.pop() if names else ""
            parts.append(f"</{name}>" if name else "")
            continue
        tag = change(_tag(match, names))
        if tag is LEFT_OUT:
            skipped = not closed
            continue
        if not closed:
            names.append(tag.name if tag else "")
        if tag:
            parts.append(_written(tag, closed=closed))
    parts.append(_text(html[done:]))
    return "".join(parts)


def _tag(match: re.Match[str], above: Sequence[str]) -> StartTag:
    pairs = ((pair[1], pair[1] if pair[2] is None else unescape(pair[2])) for pair in _ATTRIBUTE.finditer(match[3]))
    return StartTag(match[2], dict(pairs), above)


def _written(tag: StartTag, *, closed: bool) -> str:
    attributes = dict(tag.attributes)
    if tag.name in ("svg", "math"):
        attributes.setdefault("xmlns", SVG if tag.name == "svg" else MATH)
    written = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    return f"<{tag.name}{written}/>" if closed else f"<{tag.name}{written}>{tag.inside}"


def _text(text: str) -> str:
    """Text with named characters as they are: XML knows the names of five."""
    return _NAMED.sub(lambda match: str(escape(unescape(match[0]))), text) if "&" in text else text


def pieces(xml: str, name: str = "") -> Iterator[str]:
    """XML that `as_xml` has made in pieces: each outermost element, or each of this name, and what is between them."""
    start = depth = 0
    for tag in _TAG.finditer(xml):
        if name not in ("", tag[2]):
            continue
        if not depth:
            yield xml[start : tag.start()]
            start = tag.start()
        depth += -1 if tag[1] else 0 if tag[4] else 1
        if not depth:
            yield xml[start : tag.end()]
            start = tag.end()
    yield xml[start:]


Outward = Callable[[str], str | None]
"""The address for a link; None if there is none, so that only its words stay."""


def outward(page: PurePosixPath, base_url: str | None) -> Outward:
    """To the published site for links of this page, if there is one; other addresses are as they are."""

    def address(href: str) -> str | None:
        if href.startswith(LEAD_OUT):
            return href
        if not base_url:
            return None
        target, anchor = target_of(href, page)
        return absolute(target, base_url) + anchor

    return address


def target_of(href: str, page: PurePosixPath) -> tuple[PurePosixPath, str]:
    """The file of the site that a link of this page leads to, and its anchor with `#`, or empty."""
    path, mark, anchor = href.partition("#")
    target = posixpath.normpath(posixpath.join(str(page.parent), unquote(path))) if path else str(page)
    return PurePosixPath(target), mark + anchor


_PAIR = regex(r"--([\w-]+):light-dark\(((?:[^(),]|\([^()]*\))+),((?:[^()]|\([^()]*\))+)\)")


class Palette(Struct, frozen=True):
    """The colours of pages: by the name of a variable that of the day and that of the night."""

    colours: Mapping[str, tuple[str, str]]

    @classmethod
    def of(cls, style: str) -> Palette:
        """Those that a style sheet defines."""
        return cls({name: (day.strip(), night.strip()) for name, day, night in _PAIR.findall(style)})

    def __call__(self, name: str, *, night: bool = False) -> str:
        return self.colours.get(name, (INK, "#e2e5ea"))[night]

    def rules(self) -> Iterator[str]:
        """The rules that give what is `painted` the colours of the night."""
        for name in ("ink", *(name for name in self.colours if name.startswith("fig-"))):
            for attribute, letter in _LETTERS.items():
                yield f".{letter}-{name}{{{attribute}:{self(name, night=True)}}}"


_LETTERS = {"fill": "f", "stroke": "s", "stop-color": "p", "flood-color": "d", "color": "c"}


_COLOUR = regex(r"var\(--fig-[\w-]+, (#[0-9a-f]+)\)")


def for_file(svg: str) -> str:
    """A drawing in the colours of paper, for a file of its own."""
    plain = _COLOUR.sub(r"\1", svg).replace("var(--mono)", "monospace").replace("var(--sans)", "sans-serif")
    return re.sub(r"^<svg\b", f'<svg color="{INK}" font-family="sans-serif"', plain, count=1)


_VARIABLE = regex(r"var\(--(?:fig-([\w-]+), #[0-9a-f]+|(mono|sans))\)|currentColor")
_BOX = regex(r"\s*(-?[\d.]+)[\s,]+(-?[\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)")


def painted(tag: StartTag, palette: Palette) -> StartTag:
    """A tag of a drawing in the colours of the day, with the classes that give it those of the night.

    The drawing has a ground of its own: no reader's theme makes its words as dark as what is behind them.
    """

    def paint(variable: re.Match[str]) -> str:
        if variable[2]:
            return "monospace" if variable[2] == "mono" else "sans-serif"
        return palette(f"fig-{variable[1]}" if variable[1] else "ink")

    attributes, classes = dict(tag.attributes), list[str]()
    for name, value in tag.attributes.items():
        colour = _VARIABLE.fullmatch(value) if name in _LETTERS else None
        if colour:
            classes.append(f"{_LETTERS[name]}-{f'fig-{colour[1]}' if colour[1] else 'ink'}")
        attributes[name] = _VARIABLE.sub(paint, value)
    if classes:
        attributes["class"] = " ".join(classes)
    ground, box = "", _BOX.match(tag.attributes.get("viewBox", "")) if "svg" not in tag.above else None
    if box:
        size = " ".join(f'{name}="{box[at]}"' for at, name in enumerate(("x", "y", "width", "height"), 1))
        ground = f'<rect class="f-fig-paper" {size} fill="{palette("fig-paper")}"/>'
    return StartTag(tag.name, attributes, inside=ground)


_DATA = regex(r"data:image/([a-z]+);base64,(.+)")
_EVERYWHERE = frozenset({"png", "jpg", "gif", "svg"})
"""Formats that every reader of books knows."""


class PictureFiles(Struct):
    """Files by name."""

    for_all: bool = False
    """Whether newer formats are made pictures that every program can show."""
    files: dict[str, bytes] = field(default_factory=dict)

    def keep(self, data: bytes, suffix: str) -> str:
        """Keep a picture, and give its name."""
        if self.for_all and suffix not in _EVERYWHERE:
            data, suffix = for_every_program(data)
        name = f"pn-{sha256(data).hexdigest()[:16]}.{suffix}"
        self.files[name] = data
        return name

    def of_address(self, src: str) -> str | None:
        """Keep the picture of a `data:` address, and give its name; None for any other address."""
        data = _DATA.fullmatch(src)
        return self.keep(base64.b64decode(data[2]), "jpg" if data[1] == "jpeg" else data[1]) if data else None
