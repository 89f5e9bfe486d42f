"""Words and their marks: the values between a page's tree and Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from paper_notes.features.importing.html.read_back import Letters, Seen


@dataclass(frozen=True, slots=True)
class Words:
    """Plain words; spaces as in the source."""

    text: str


@dataclass(frozen=True, slots=True)
class Marked:
    """Words with a mark: an element of MARKS, or a class of ours."""

    mark: str
    inside: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """Words that lead to an address, or to `#section` of the same note."""

    target: str
    inside: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """Words that lead to another note: `agents/#4`, `agents/#4#method`."""

    target: str
    text: str


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula as TeX, and what a reader sees of it."""

    tex: str
    shown: str
    display: bool = False
    """On a line of its own."""


@dataclass(frozen=True, slots=True)
class Picture:
    """An image of the note's folder."""

    file: str
    alt: str
    words: str = ""
    """Those in the drawing."""


@dataclass(frozen=True, slots=True)
class Break:
    """The end of a line."""


Inline = Words | Marked | Link | Reference | Formula | Picture | Break


def plain(parts: Sequence[Inline]) -> str:
    """The words without marks, on one line."""
    return " ".join("".join(_plain(parts)).split())


def _plain(parts: Sequence[Inline]) -> Iterator[str]:
    for part in parts:
        match part:
            case Words(text):
                yield text
            case Marked(_, inside) | Link(_, inside):
                yield from _plain(inside)
            case Reference(_, text):
                yield text
            case Formula(_, shown, _):
                yield shown
            case Break():
                yield " "
            case Picture():
                pass


def meant(parts: Sequence[Inline]) -> Seen:
    """The characters and marks that a reader should see."""
    letters = Letters()
    _collect(parts, frozenset(), letters)
    return letters.seen()


def _collect(parts: Sequence[Inline], marks: frozenset[str], letters: Letters) -> None:
    for part in parts:
        match part:
            case Words(text):
                letters.add(text, marks)
            case Marked(mark, inside):
                _collect(inside, marks | {mark}, letters)
            case Link(_, inside):
                _collect(inside, marks | {"a"}, letters)
            case Reference(_, text):
                letters.add(text, marks | {"a"})
            case Formula(_, shown, _):
                letters.add(shown, ["math"])
            case Break() | Picture():
                pass


_SPACES = re.compile(r"[ \t\n\r\f]+")


def tidy(parts: Sequence[Inline]) -> tuple[Inline, ...]:
    """The same with single spaces, none at the ends or beside a line's end, and without empty marks."""
    merged = list(_trimmed(_joined(parts)))
    while merged and isinstance(merged[-1], Break):
        merged.pop()
    while merged and isinstance(merged[0], Break):
        merged.pop(0)
    return tuple(merged)


def _joined(parts: Sequence[Inline]) -> list[Inline]:
    """Spaces out of marks, empty marks away, neighbouring words together."""
    found: list[Inline] = []
    for part in parts:
        if isinstance(part, Marked | Link):
            inside = _joined(part.inside)
            before = after = ""
            if inside and isinstance(first := inside[0], Words) and first.text[:1].isspace():
                before, inside[0] = " ", Words(first.text.lstrip())
            if inside and isinstance(last := inside[-1], Words) and last.text[-1:].isspace():
                after, inside[-1] = " ", Words(last.text.rstrip())
            inside = [one for one in inside if one != Words("")]
            made = [_with_inside(part, tuple(inside))] if inside else []
            new: list[Inline] = [Words(before), *made, Words(after)]
        elif isinstance(part, Words):
            new = [Words(_SPACES.sub(" ", part.text))]
        else:
            new = [part]
        for one in new:
            if isinstance(one, Words) and found and isinstance(last := found[-1], Words):
                found[-1] = Words(_SPACES.sub(" ", last.text + one.text))
            elif isinstance(one, Marked) and found and isinstance(last := found[-1], Marked) and last.mark == one.mark:
                found[-1] = Marked(one.mark, tuple(_joined((*last.inside, *one.inside))))
            elif one != Words(""):
                found.append(one)
    return found


def _with_inside(part: Marked | Link, inside: tuple[Inline, ...]) -> Inline:
    if isinstance(part, Marked):
        if len(inside) == 1 and isinstance(inside[0], Marked) and inside[0].mark == part.mark:
            return inside[0]
        return Marked(part.mark, inside)
    return Link(part.target, inside)


def _trimmed(parts: list[Inline]) -> Iterator[Inline]:
    for place, part in enumerate(parts):
        if isinstance(part, Words):
            text = part.text
            if place == 0 or isinstance(parts[place - 1], Break):
                text = text.lstrip()
            if place == len(parts) - 1 or isinstance(parts[place + 1], Break):
                text = text.rstrip()
            if text:
                yield Words(text)
        else:
            yield part
