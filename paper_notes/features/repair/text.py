"""Repairs a garbled text: importers call this before they parse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from paper_notes.features.repair.damage import Damage, by_line, find_damage
from paper_notes.features.repair.garbling import Unit
from paper_notes.features.repair.model import CharacterModel, Ranked, counted, folded, load_tables, read_line
from paper_notes.features.repair.multibyte import find_misread
from paper_notes.values import Struct

CERTAIN = 0.98
"""A character that is less likely than this is doubtful: a person should look at it."""
TURNING = frozenset("不非无無未没沒勿毋莫否别別半零〇一二两兩三四五六七八九十百千万萬亿億")
"""Characters that turn what is said into something else: no, and how many."""
_CERTAIN_OF_MEANING, _POSSIBLE = 0.999, 0.001
"""A character must be this likely if it, or another that is this likely, turns the meaning."""
_MANY = 40
"""Characters that tell whether a text is in traditional or simplified ones; fewer leave it open."""


class Guess(Struct, frozen=True):
    """One character of a repaired text of which bytes were lost."""

    offset: int
    """Its place in the repaired text."""
    damaged: str
    """What was left of it."""
    ranked: Ranked
    """What it may have been; the first is what the repaired text has."""

    @property
    def choice(self) -> str:
        return self.ranked[0][0]

    @property
    def probability(self) -> float:
        return self.ranked[0][1]

    @property
    def is_doubtful(self) -> bool:
        turning = any(sign in TURNING for sign, share in self.ranked if share >= _POSSIBLE)
        return self.probability < (_CERTAIN_OF_MEANING if turning else CERTAIN)


class Repaired(Struct, frozen=True):
    """A text without its damage. Garbling the characters that were repaired gives the damaged text again."""

    text: str
    garbling: str = ""
    """How it had been garbled; empty if nothing was."""
    characters: int = 0
    """How many were damaged."""
    lost: int = 0
    """Bytes of them that were lost."""
    guesses: tuple[Guess, ...] = ()
    """Those of which bytes were lost, in order."""
    hopeless: int = 0
    """Lines of which too much was lost; they are as they were."""

    @property
    def doubts(self) -> tuple[Guess, ...]:
        return tuple(guess for guess in self.guesses if guess.is_doubtful)


def repair_text(text: str, others: Iterable[str] = ()) -> Repaired:
    """The text as it was before it was garbled, as far as that can be told; text that is as it should be stays so.

    `others` are texts of the same collection, whose ways with words are learned: never the damaged text itself, of
    which it would make mistakes certain.
    """
    damage = find_damage(text)
    misread = None if damage else find_misread(text)
    if misread:
        text, damage = misread.text, misread.damage
    hopeless = misread.hopeless if misread else 0
    if not damage:
        return Repaired(text, misread.encoding if misread else "", hopeless=hopeless)
    tables = load_tables()
    model = CharacterModel(tables, counted(others, tables.folds), _traditional(text, damage))
    guesses: list[Guess] = []
    parts: list[str] = []
    done = length = 0
    for start, units in by_line(damage.units, text):
        for unit, ranked in _read(model, text, start, units):
            parts += [text[done : unit.start], ranked[0][0]]
            length += unit.start - done + 1
            done = unit.end
            if len(ranked) > 1:
                guesses.append(Guess(length - 1, text[unit.start : unit.end], ranked))
    repaired = "".join([*parts, text[done:]])
    lost = sum(unit.lost for unit in damage.units)
    return Repaired(repaired, damage.garbling.name, len(damage.units), lost, tuple(guesses), hopeless)


def _read(model: CharacterModel, text: str, start: int, units: list[Unit]) -> Iterator[tuple[Unit, Ranked]]:
    """The damaged characters of one line, with what they may have been."""
    end = text.find("\n", units[-1].end)
    cells: list[tuple[str, ...]] = [("\n",)]
    places = []
    done = start
    for unit in units:
        cells += [(sign,) for sign in folded(text[done : unit.start])]
        places.append(len(cells))
        cells.append(unit.candidates)
        done = unit.end
    cells += [(sign,) for sign in folded(text[done : len(text) if end < 0 else end])]
    cells.append(("\n",))
    ranked = read_line(model, cells)
    yield from ((unit, ranked[place]) for unit, place in zip(units, places, strict=True))


def _traditional(text: str, damage: Damage) -> float:
    """The share of traditional characters in what is certain."""
    folds = load_tables().folds
    simplified = frozenset(folds.values())
    certain = [unit.candidates[0] for unit in damage.units if len(unit.candidates) == 1]
    old = sum(sign in folds for sign in (*certain, *text))
    new = sum(sign in simplified for sign in (*certain, *text))
    return min(0.995, max(0.005, (old + 0.005 * _MANY) / (old + new + _MANY)))
