"""A Markdown text cut at its headings, and a new version of it merged into one that somebody has changed since."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from paper_notes.markdown.sections import digest

LEAD = ""
"""The key of the text before the first heading."""
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]+(.*?))?[ \t]*$")
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|\w+")
_NUMBERED = re.compile(r"(.*) \(\d+\)", re.DOTALL)
_ID = re.compile(r"\{[^}]*#([^\s}]+)[^}]*\}")


@dataclass(frozen=True, slots=True)
class Piece:
    """A heading and what follows it, up to the next heading of any level."""

    key: str
    """Its id, or else its words; with a number if several have them."""
    title: str
    """The key without such a number."""
    text: str
    """With the line end of its last line."""

    @property
    def digest(self) -> str:
        """Of its Markdown; empty lines at its end do not count."""
        return digest(self.text.split("\n"))

    @property
    def below(self) -> str:
        """The digest of what follows the heading."""
        return digest(self.text.split("\n")[1:])

    @property
    def words(self) -> frozenset[str]:
        """The words below the heading, to compare."""
        return frozenset(_WORD.findall(self.text.partition("\n")[2]))


def pieces_of(text: str) -> tuple[Piece, ...]:
    """The pieces of a text, whose texts together are the text."""
    sections: list[tuple[str, list[str]]] = [(LEAD, [])]
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
            sections.append((f"#{own[1]}" if own else " ".join((heading[1] or "").split()), []))
        sections[-1][1].append(line)
    keys = FreeKeys()
    return tuple(Piece(keys.key(title), title, "".join(lines)) for title, lines in sections if lines or title != LEAD)


class FreeKeys:
    """Gives titles keys that are not taken: the title, or with the first number that is free."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken, self._last = {*taken}, Counter[str]()

    def key(self, title: str) -> str:
        """A key, which then is taken. Numbers are counted on: thousands of headings may be the same."""
        key = title
        while key in self._taken:
            self._last[title] += 1
            key = f"{title} ({self._last[title] + 1})"
        self._taken.add(key)
        return key


def digests_of(text: str) -> dict[str, str]:
    """What is recorded of each piece by its key: its digest, and that of what is below its heading."""
    return {piece.key: f"{piece.digest} {piece.below}".strip() for piece in pieces_of(text)}


def aligned(
    mine: Sequence[Piece], new: Sequence[Piece], was: Mapping[str, str]
) -> tuple[dict[str, Piece], dict[str, Piece]]:
    """The pieces of two texts by the keys that they had in the version before, in their own orders.

    Of several with the same heading, those are the same that say the same; then those that share the most words with
    what the other text says, and then those in the same order. What is below a heading tells where it had another one.
    """
    digests = {key: value.split(" ")[0] for key, value in was.items()}
    ours, theirs = _by_digest(mine, digests), _by_digest(new, digests)
    _by_words(mine, ours, digests, {key: new[place].words for place, key in theirs.items()})
    _by_words(new, theirs, digests, {key: mine[place].words for place, key in ours.items()})
    below = {value.split(" ")[1]: key for key, value in was.items() if " " in value}
    for place, piece in enumerate(new):
        key = below.get(piece.below) if piece.below and place not in theirs else None
        if key is not None and key not in theirs.values():
            theirs[place] = key
    return _keyed(mine, ours, digests), _keyed(new, theirs, digests)


def _title(key: str, was: Container[str]) -> str:
    """The title of a piece by its key."""
    numbered = _NUMBERED.fullmatch(key)
    return numbered[1] if numbered and numbered[1] in was else key


def _by_digest(pieces: Sequence[Piece], was: Mapping[str, str]) -> dict[int, str]:
    """The former keys of the pieces that are as they were, by their places."""
    former = {place: piece.key for place, piece in enumerate(pieces) if was.get(piece.key) == piece.digest}
    free: dict[tuple[str, str], list[str]] = {}
    same = {*former.values()}
    for key, value in was.items():
        if key not in same:
            free.setdefault((_title(key, was), value), []).append(key)
    for place, piece in enumerate(pieces):
        if place not in former and (keys := free.get((piece.title, piece.digest))):
            former[place] = keys.pop(0)
    return former


def _by_words(
    pieces: Sequence[Piece], former: dict[int, str], was: Mapping[str, str], others: Mapping[str, frozenset[str]]
) -> None:
    """Find the former keys of pieces that have changed, among those of the same heading."""
    free: dict[str, list[str]] = {}
    same = {*former.values()}
    for key in was:
        if key not in same:
            free.setdefault(_title(key, was), []).append(key)
    for title, keys in free.items():
        places = [place for place, piece in enumerate(pieces) if piece.title == title and place not in former]
        while places and keys:
            likeness = {
                (place, key): _common(pieces[place].words, others.get(key, frozenset()))
                for place in places
                for key in keys
            }
            place, key = max(likeness, key=lambda pair: (likeness[pair], -places.index(pair[0]) - keys.index(pair[1])))
            former[place] = key
            places.remove(place)
            keys.remove(key)


def _common(words: frozenset[str], other: frozenset[str]) -> float:
    return len(words & other) / len(words | other) if words and other else 0.0


def _keyed(pieces: Sequence[Piece], former: Mapping[int, str], was: Mapping[str, str]) -> dict[str, Piece]:
    keys = FreeKeys((*former.values(), *was))
    return {former[at] if at in former else keys.key(piece.title): piece for at, piece in enumerate(pieces)}


class MergedText(NamedTuple):
    """A text into which a new version was merged."""

    text: str
    waiting: str = ""
    """Pieces that both have changed, as the new version has them: a person has to look at them."""


def merged(mine: str, new: str, was: Mapping[str, str]) -> MergedText:
    """`mine` with what is new in `new`.

    `was` has the digests of the version that was merged before. What a person wrote always stays: a piece is replaced
    or removed only if it still is as it was written then.
    """
    own, wanted = aligned(pieces_of(mine), pieces_of(new), was)
    before = {key: value.split(" ")[0] for key, value in was.items()}
    untouched = {key for key, piece in own.items() if before.get(key) == piece.digest}
    if len(untouched) == len(own) and list(own) == list(was):
        is_same = [(key, piece.digest) for key, piece in wanted.items()] == [*before.items()]
        return MergedText(mine if is_same else new)
    waiting: list[str] = []
    result: dict[str, Piece] = {}
    for key, piece in own.items():
        update = wanted.get(key)
        if key not in untouched or (update and update.digest == piece.digest):
            result[key] = piece
        elif update:
            result[key] = update
        if key not in untouched and update and update.digest not in (piece.digest, before.get(key)):
            waiting.append(update.text)
    deleted = (key for key in was if key not in own and key in wanted and wanted[key].digest != before[key])
    waiting += [wanted[key].text for key in deleted]
    order = list(result)
    for key in wanted:
        if key not in own and key not in was:
            order.insert(_place(key, wanted, order), key)
            result[key] = wanted[key]
    return MergedText(_joined(result[key].text for key in order), _joined(waiting))


def news(mine: str, new: str, was: Mapping[str, str]) -> str:
    """The pieces of a new version that neither `mine` nor the version before has so."""
    own, wanted = aligned(pieces_of(mine), pieces_of(new), was)
    digests = {piece.digest for piece in own.values()}
    known = {value.split(" ")[0] for value in was.values()}
    return _joined(piece.text for piece in wanted.values() if piece.digest not in digests | known)


def added_up(before: str, new: str) -> str:
    """The pieces that wait: those of before, and the new ones, which take the places of older ones."""
    pieces = {piece.key: piece for piece in (*pieces_of(before), *pieces_of(new))}
    return _joined(piece.text for piece in pieces.values())


def _place(key: str, wanted: Iterable[str], keys: list[str]) -> int:
    """Where a new piece goes: behind the one before it that is there, or at the beginning."""
    order = list(wanted)
    before = next((earlier for earlier in reversed(order[: order.index(key)]) if earlier in keys), None)
    if before is not None:
        return keys.index(before) + 1
    return 1 if keys[:1] == [LEAD] else 0


def _joined(texts: Iterable[str]) -> str:
    """The texts, with an empty line before each heading that follows another text."""
    joined = ""
    for text in texts:
        if joined and text and not joined.endswith("\n\n"):
            joined += "\n" if joined.endswith("\n") else "\n\n"
        joined += text
    return joined
