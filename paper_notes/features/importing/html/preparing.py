"""The source of a page made fit for `html.parser`: drawings cut out, and only tags of HTML left as tags."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from paper_notes.features.importing.html.elements import KNOWN
from paper_notes.markdown.figures.svg import ELEMENTS

OPENING = "\ufdda"
"""A `<` that is a sign of the author's. A single character, so that columns stay what they are."""
Report = Callable[[str, str, int, int], None]

_ATTRIBUTE = r"""\s+[A-Za-z_:@][\w:.@-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?"""
_PIECE = re.compile(
    rf"""(?P<comment><!--(?:-?>|.*?-->))
    |(?P<hidden><(?P<hides>script|style|template|noscript|title)\b[^>]*>.*?</(?P=hides)\s*>)
    |(?P<drawing><svg(?=[\s/>]))
    |<!\[CDATA\[(?P<cdata>.*?)\]\]>
    |(?P<other><!doctype[^>]*>|<\?[^>]*>)
    |(?P<tag></?(?P<name>[A-Za-z][\w:-]*)(?:{_ATTRIBUTE})*\s*/?>)
    |(?P<sign><)""",
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
_HIDDEN = frozenset("script style template noscript title".split())
_IN_DRAWING = re.compile(r"<(/?)svg(?=[\s/>])[^>]*?(/?)>", re.IGNORECASE)
_SVG_END = re.compile(r"(?:</svg\s*|^<svg[^>]*/)>$", re.IGNORECASE)
_GOES_ON = re.compile(rf"\s*<(?:{'|'.join(sorted(ELEMENTS - {'svg', 'a', 'title', 'set'}))})\s+[\w:-]+=", re.IGNORECASE)
"""What shows that a drawing was ended too early."""
_AFTER_DRAWING = re.compile(
    r"</(?:div|figure|p|section|td|li|main|body)\s*>|<(?:figcaption|h[1-6]|table|ul|hr)\b", re.IGNORECASE
)
"""What ends a drawing that its author did not end."""
_SCRIPT = re.compile(r"<script[^>]*\btype\s*=\s*[\"']?math/tex(?P<type>[^>]*)>(?P<tex>.*)</", re.IGNORECASE | re.DOTALL)
_COMMENT = re.compile(r"%?\s*(?:<!\[CDATA\[|\]\]>)|(?<!\\)%[^\n]*")
_SWALLOWED = re.compile(r"</?([A-Za-z][\w:-]*)[^<>\n]*>")


@dataclass(frozen=True, slots=True)
class CutDrawing:
    """The source of a drawing, and where it begins."""

    source: str
    line: int
    column: int
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Prepared:
    """A page for the parser: as many lines as before."""

    text: str
    drawings: tuple[CutDrawing, ...]
    styles: tuple[str, ...]
    """The content of its style sheets."""


def prepare(source: str, report: Report) -> Prepared:
    """Cut drawings, scripts and comments out of a page, and turn each `<` that begins no tag of HTML into a sign."""
    preparer = _Preparer(source, report)
    kept: list[str] = []
    done = 0
    while token := _PIECE.search(source, done):
        kind, start = token.lastgroup or "", token.start()
        end = _end_of_drawing(source, start) if kind == "drawing" else token.end()
        kept += [source[done:start], preparer.piece(token, kind, source[start:end])]
        done = end
    kept.append(source[done:])
    return Prepared("".join(kept), tuple(preparer.drawings), tuple(preparer.styles))


class _Preparer:
    def __init__(self, source: str, report: Report) -> None:
        self.source, self.report = source, report
        self.drawings: list[CutDrawing] = []
        self.styles: list[str] = []
        self.remnants: Counter[str] = Counter()
        """How many elements of drawings are open outside of any."""
        self.starts = [0, *(token.end() for token in re.finditer("\n", source))]

    def place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset) - 1
        return line + 1, offset - self.starts[line] + 1

    def piece(self, token: re.Match[str], kind: str, piece: str) -> str:
        """What the parser gets for a piece of the page."""
        match kind:
            case "drawing":
                closed = bool(_SVG_END.search(piece))
                self.drawings.append(CutDrawing(piece, *self.place(token.start()), closed))
                return _as_long(f'<drawing number="{len(self.drawings) - 1}"', piece)
            case "cdata":
                return (token["cdata"] or "").replace("<", OPENING).replace("&", "&amp;")
            case "tag" | "sign":
                return self.tag(token, piece)
        if kind == "hidden" and (script := _SCRIPT.match(piece)):
            return _as_long(tex_tag(script["tex"], display="mode=display" in script["type"]), piece)
        if kind == "hidden" and token["hides"].lower() == "style":
            self.styles.append(re.sub(r"^<[^>]*>|</[^<]*$", "", piece))
        return _blank(piece)

    def tag(self, token: re.Match[str], piece: str) -> str:
        name = (token["name"] or "").lower()
        if name in _HIDDEN:
            self.report("unclosed-element", f"<{name}> is not closed", *self.place(token.start()))
            return _blank(piece)
        if name in KNOWN or name.startswith("mjx-"):
            return piece
        if name and _is_drawn(piece, name, self.remnants):
            self.report("stray-end", f"{_shown(piece)} is outside of a drawing", *self.place(token.start()))
            return _blank(piece)
        if swallowed := piece if name else _swallowed(self.source, token.start()):
            message = f"{_shown(swallowed)} is no tag of HTML, but words"
            self.report("swallowed-tag", message, *self.place(token.start()))
        return OPENING + piece[1:]


def tex_tag(tex: str, *, display: bool) -> str:
    """The start of an element `pn-tex` for TeX, without its comments."""
    tex = " ".join(_COMMENT.sub("", tex).split())
    return f'<pn-tex tex="{escape(tex)}"{" display" if display else ""}'


def _swallowed(source: str, start: int) -> str:
    """What a browser would take for a tag, if it begins here."""
    token = _SWALLOWED.match(source, start)
    return token[0] if token and token[1].lower() not in KNOWN else ""


def _is_drawn(tag: str, name: str, remnants: Counter[str]) -> bool:
    """Whether a tag was left over of a drawing. A `<text>` without attributes is a word of the author's."""
    if name == "svg":
        return True
    if name not in _DRAWN:
        return False
    if tag.startswith("</"):
        remnants[name] -= 1
        return remnants[name] >= 0
    if "=" in tag:
        remnants[name] += not tag.endswith("/>")
        return True
    return False


_DRAWN = frozenset(name.lower() for name in ELEMENTS) - {"a", "title"}


def _end_of_drawing(source: str, start: int) -> int:
    """Where the drawing ends, though its author may not have ended it."""
    depth = 0
    for token in _IN_DRAWING.finditer(source, start):
        depth += -1 if token[1] else 0 if token[2] else 1
        if depth <= 0:
            between = _AFTER_DRAWING.search(source, start, token.start())
            if token[1] and between and _IN_DRAWING.search(source, start + 4, token.start()):
                break  # another drawing has the end of this one
            if not (token[1] and _GOES_ON.match(source, token.end())):
                return token.end()
            depth = 1
    ended = _AFTER_DRAWING.search(source, start)
    return ended.start() if ended else len(source)


def _as_long(tag: str, piece: str) -> str:
    """A tag that takes the place of a piece, so that what follows keeps its line and column."""
    *lines, last = piece.split("\n")
    if lines and not last:
        return tag + "\n" * (len(lines) - 1) + ">\n"
    room = len(last) - 1 - (0 if lines else len(tag))
    return tag + "\n" * len(lines) + " " * room + ">"


def _blank(piece: str) -> str:
    return re.sub(r"[^\n]", " ", piece)


def _shown(piece: str) -> str:
    return piece if len(piece) <= 40 else f"{piece[:39]}…"
