"""A Markdown text cut at its headings, and a new version of it merged into one that somebody has changed since."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from paper_notes.markdown.sections import digest

LEAD = ""
"""The key of the text before the first heading."""
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]+(.*?))?[ \t]*$")
_ID = re.compile(r"\{[^}]*#([^\s}]+)[^}]*\}")


@dataclass(frozen=True, slots=True)
class Piece:
    """A heading and what follows it, up to the next heading of any level."""

    key: str
    """Its id, or else its words; with a number if several have them."""
    text: str
    """With the line end of its last line."""

    @property
    def digest(self) -> str:
        """Of its Markdown; empty lines at its end do not count."""
        return digest(self.text.split("\n"))


def pieces_of(text: str) -> tuple[Piece, ...]:
    """The pieces of a text, whose texts together are the text."""
    found: list[tuple[str, list[str]]] = [(LEAD, [])]
    fence = ""
    for line in text.splitlines(keepends=True):
        bare = line.rstrip("\n")
        if fence:
            closing = _FENCE.match(bare)
            if closing and closing[1].startswith(fence) and not bare.strip(" `~"):
                fence = ""
        elif opening := _FENCE.match(bare):
            fence = opening[1]
        elif heading := _HEADING.match(bare):
            own = _ID.search(heading[1] or "")
            found.append((f"#{own[1]}" if own else " ".join((heading[1] or "").split()), []))
        found[-1][1].append(line)
    seen: Counter[str] = Counter()
    pieces = []
    for key, lines in found:
        seen[key] += 1
        if lines or key != LEAD:
            pieces.append(Piece(f"{key} ({seen[key]})" if seen[key] > 1 else key, "".join(lines)))
    return tuple(pieces)


def digests_of(text: str) -> dict[str, str]:
    """The digest of each piece, by its key."""
    return {piece.key: piece.digest for piece in pieces_of(text)}


@dataclass(frozen=True, slots=True)
class MergedText:
    """A text into which a new version was merged."""

    text: str
    taken: int = 0
    """Pieces of the new version that were taken, because nobody had changed them."""
    added: int = 0
    """Pieces that are new in the new version."""
    removed: int = 0
    """Pieces that the new version has no more, and that nobody had changed."""
    waiting: str = ""
    """Pieces that both have changed, as the new version has them: a person has to look at them."""


def merged(mine: str, new: str, was: Mapping[str, str]) -> MergedText:
    """`mine` with what is new in `new`. `was` has the digests of the version that was merged before.

    What a person wrote always stays: a piece is replaced or removed only if it still is as it was written then.
    """
    own = {piece.key: piece for piece in pieces_of(mine)}
    wanted = {piece.key: piece for piece in pieces_of(new)}
    untouched = {key for key, piece in own.items() if was.get(key) == piece.digest}
    if len(untouched) == len(own) and list(own) == list(was):
        changed = sum(piece.digest != was.get(key) for key, piece in wanted.items() if key in was)
        added, removed = len(wanted.keys() - was.keys()), len(was.keys() - wanted.keys())
        return MergedText(new if changed or added or removed else mine, changed, added, removed)
    taken = removed = 0
    waiting: list[str] = []
    result: list[Piece] = []
    for key, piece in own.items():
        update = wanted.get(key)
        if update is None and key in untouched:
            removed += 1
        elif update is None or update.digest == piece.digest:
            result.append(piece)
        elif key in untouched:
            taken += 1
            result.append(update)
        else:
            result.append(piece)
            if update.digest != was.get(key):
                waiting.append(update.text)
    deleted = (key for key in was if key not in own and key in wanted and wanted[key].digest != was[key])
    waiting += [wanted[key].text for key in deleted]
    fresh = [key for key in wanted if key not in own and key not in was]
    for key in fresh:
        result.insert(_place(key, wanted, result), wanted[key])
    return MergedText(_joined(result), taken, len(fresh), removed, _joined_texts(waiting))


def news(mine: str, new: str, was: Mapping[str, str]) -> str:
    """The pieces of a new version that neither `mine` nor the version before has so."""
    own = set(digests_of(mine).values())
    pieces = [piece for piece in pieces_of(new) if piece.digest != was.get(piece.key) and piece.digest not in own]
    return _joined(pieces)


def added_up(before: str, new: str) -> str:
    """The pieces that wait: those of before, and the new ones, which take the places of older ones."""
    pieces = {piece.key: piece for piece in (*pieces_of(before), *pieces_of(new))}
    return _joined(pieces.values())


def _place(key: str, wanted: Iterable[str], result: list[Piece]) -> int:
    """Where a new piece goes: behind the one before it that is there, or at the beginning."""
    order = list(wanted)
    keys = [piece.key for piece in result]
    before = next((one for one in reversed(order[: order.index(key)]) if one in keys), None)
    if before is not None:
        return keys.index(before) + 1
    return 1 if keys[:1] == [LEAD] else 0


def _joined(pieces: Iterable[Piece]) -> str:
    return _joined_texts(piece.text for piece in pieces)


def _joined_texts(texts: Iterable[str]) -> str:
    """The texts, with an empty line before each heading that follows another text."""
    made = ""
    for text in texts:
        if made and text and not made.endswith("\n\n"):
            made += "\n" if made.endswith("\n") else "\n\n"
        made += text
    return made
