"""The source of a page made fit for `html.parser`: drawings cut out, and only tags of HTML left as tags."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from paper_notes.foreign.html.elements import KNOWN
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
_IN_DRAWING = re.compile(r"<(/?)svg(?=[\s/>])[^>]*?(/?)>", re.IGNORECASE)
_AFTER_DRAWING = re.compile(r"</(?:div|figure|p|section|td|li|main|body)\s*>|<(?:figcaption|h[1-6]|table|ul|hr)\b", re.IGNORECASE)
"""What ends a drawing that its author did not end."""
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
    drawings: list[CutDrawing] = []
    styles: list[str] = []
    starts = [0, *(found.end() for found in re.finditer("\n", source))]

    def place(offset: int) -> tuple[int, int]:
        line = _last_not_after(starts, offset)
        return line + 1, offset - starts[line] + 1

    kept: list[str] = []
    remnants: Counter[str] = Counter()
    done = 0
    for found, kind in _pieces(source):
        if found.start() < done:
            continue
        kept.append(source[done : found.start()])
        done = found.end()
        piece = found[0]
        if kind == "drawing":
            done, closed = _end_of_drawing(source, found.start())
            piece = source[found.start() : done]
            drawings.append(CutDrawing(piece, *place(found.start()), closed))
            kept.append(f'<drawing number="{len(drawings) - 1}"{_blank(piece)}>')
        elif kind == "cdata":
            kept.append((found["cdata"] or "").replace("<", OPENING).replace("&", "&amp;"))
        elif kind == "tag" and found["name"].lower() in KNOWN:
            kept.append(piece)
        elif kind == "tag" and _is_drawn(piece, found["name"], remnants):
            kept.append(_blank(piece))
            report("stray-end", f"{_shown(piece)} is outside of a drawing", *place(found.start()))
        elif kind in ("tag", "sign"):
            kept.append(OPENING + piece[1:])
            if kind == "tag" or (swallowed := _SWALLOWED.match(source, found.start())) and swallowed[1].lower() not in KNOWN:
                report("swallowed-tag", f"{_shown(piece if kind == 'tag' else swallowed[0])} is no tag of HTML, but words", *place(found.start()))
        else:
            if kind == "hidden" and found["hides"].lower() == "style":
                styles.append(re.sub(r"^<[^>]*>|</[^<]*$", "", piece))
            kept.append(_blank(piece))
    kept.append(source[done:])
    return Prepared("".join(kept), tuple(drawings), tuple(styles))


def _is_drawn(tag: str, name: str, remnants: Counter[str]) -> bool:
    """Whether a tag was left over of a drawing. A `<text>` without attributes is a word of the author's."""
    name = name.lower()
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


def _pieces(source: str) -> Iterator[tuple[re.Match[str], str]]:
    done = 0
    while found := _PIECE.search(source, done):
        kind = next(name for name in ("comment", "hidden", "drawing", "cdata", "other", "tag", "sign") if found[name] is not None)
        yield found, kind
        done = found.end() if kind != "drawing" else _end_of_drawing(source, found.start())[0]


def _end_of_drawing(source: str, start: int) -> tuple[int, bool]:
    """Where the drawing ends, and whether its author ended it."""
    depth = 0
    for found in _IN_DRAWING.finditer(source, start):
        depth += -1 if found[1] else 0 if found[2] else 1
        if depth <= 0:
            between = _AFTER_DRAWING.search(source, start, found.start())
            if found[1] and between and _IN_DRAWING.search(source, start + 4, found.start()):
                break  # another drawing has the end of this one
            return found.end(), True
    ended = _AFTER_DRAWING.search(source, start)
    return (ended.start() if ended else len(source)), False


def _blank(piece: str) -> str:
    return re.sub(r"[^\n]", " ", piece)


def _last_not_after(starts: list[int], offset: int) -> int:
    from bisect import bisect_right  # noqa: PLC0415

    return bisect_right(starts, offset) - 1


def _shown(piece: str) -> str:
    return piece if len(piece) <= 40 else f"{piece[:39]}…"
