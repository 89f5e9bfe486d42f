"""Finds what of a text is garbled, and how: nothing if it is as it should be, or shows what garbling does."""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from string import ascii_letters

from paper_notes.features.repair.garbling import GARBLINGS, Garbling, Unit, is_lead, is_plain, units_in
from paper_notes.patterns import regex
from paper_notes.values import Struct

_ENOUGH = 5.0
"""Evidence that a line is garbled: what one whole damaged Chinese character gives, or a `Ã©` inside a word."""
_SIGNS = "".join(sorted({sign for garbling in GARBLINGS for sign in garbling.bytes_of}))
_LEADS = frozenset(sign for garbling in GARBLINGS for sign, of in garbling.bytes_of.items() if any(map(is_lead, of)))
_CHAIN = regex(f"[{re.escape(_SIGNS)}]+")
_WORD = regex(f"[A-Za-z]{{0,40}}(?:[{re.escape(_SIGNS)}]+[A-Za-z]{{0,40}})+")
_PAIR = regex(f"[À-ôĞİŞğış][{re.escape(_SIGNS)}]")
"""What every garbled line has; most lines in order have it nowhere."""
_HAS_HIGH = regex("[^\x00-\x7f]")
_OPENING, _CLOSING = "«“”„‘‚‹¿¡–—·•…\xa0", "»”“’‘›…–—·•\xa0™®°ªº¹²³"
_LETTERS = "[À-ÖØ-ÞŒŠŽŸĞİŞ]*[ß-öø-ÿœšžğışµ]*"
_CLEAN = regex(f"[{_OPENING}]*(?:{_LETTERS}(?:[{_CLOSING}][{_OPENING}{_CLOSING}]*)?)")
"""Chains that people write: letters of one case, perhaps with a capital first, between signs of punctuation."""
_ENDING = "»›™®°ªº¹"
"""What no letter follows."""
_JOINING = regex(f"{_LETTERS}(?:[’‘–—·•…\xa0]+{_LETTERS})?")
"""What is inside of words, or between two."""
_OF_WORDS = ascii_letters + _SIGNS
_LONGEST = 40
"""Characters of a word, at most."""
_CODE = regex(
    r"^ {0,3}(?P<fence>```+|~~~+).*?(?:^ {0,3}(?P=fence)|\Z)|(?P<tick>`+)[^\n]{1,400}?(?P=tick)|>>> [^\n]*",
    re.MULTILINE | re.DOTALL,
)
_NEAR = 3
"""Lines before and after, where an example of what is garbled may be as it should be."""
_WORDS = 100
"""Words of a line that are looked for there."""
_LEVELS = 3
"""How many times a text may have been garbled."""
_PART = 5000
"""Characters of one line that do."""
_SAMPLE = 40_000
"""Characters that tell how a text is garbled."""


class Damage(Struct, frozen=True):
    """How a text is garbled, and its damaged characters in order."""

    garbling: Garbling
    units: tuple[Unit, ...]


def find_damage(text: str) -> Damage | None:
    """What is garbled in the text; None if nothing is."""
    lines = [part for line in text.split("\n") if (part := _suspect(line))]
    step = -(-sum(map(len, lines)) // _SAMPLE)
    garbling = _garbling("\n".join(lines[::step])) if lines else None
    return _damage(text, garbling) if garbling else None


def _suspect(line: str) -> str:
    """The line from where it has what nobody would have written; empty if it has nothing of it."""
    if _PAIR.search(line):
        for chain in _CHAIN.finditer(line):
            start, end = chain.span()
            if not _is_clean(line[max(0, start - 1) : start], chain[0], line[end : end + 1]):
                part = line[max(0, start - _LONGEST) :]
                return part if len(part) <= _PART else part[:_PART].rstrip(_SIGNS) or part[:_PART]
    return ""


def _garbling(text: str, level: int = 1) -> Garbling | None:
    """How the text is garbled, perhaps several times."""
    if level < _LEVELS and (outer := _best(text, halfway=True)):
        inner = _garbling(_as_far_as_certain(text, outer.units), level + 1)
        both = _best(text, (outer.garbling.after(way) for way in (*GARBLINGS, inner))) if inner else None
        if both and _covered(both.units) > 0.9 * _covered(outer.units):
            return both.garbling
    once = _best(text)
    return once.garbling if once else None


def _covered(units: Iterable[Unit]) -> int:
    return sum(unit.end - unit.start for unit in units)


def _as_far_as_certain(text: str, units: Iterable[Unit], start: int = 0) -> str:
    """The text with what is certain repaired; for the rest a candidate that single bytes have, best one that leads."""
    parts, done = [], 0
    for unit in units:
        likely = max(unit.candidates, key=lambda sign: (sign in _LEADS, sign in _SIGNS))
        parts += [text[done : unit.start - start], likely]
        done = unit.end - start
    return "".join([*parts, text[done:]])


def _best(text: str, garblings: Iterable[Garbling] = GARBLINGS, *, halfway: bool = False) -> Damage | None:
    damages = filter(None, (_damage(text, garbling, halfway=halfway) for garbling in garblings))
    return max(damages, key=lambda damage: round(_likelihood(damage), 6), default=None)


def _likelihood(damage: Damage) -> float:
    """How well the garbling explains what is there and what is lost, on a logarithmic scale."""
    rare = math.log(max(len(damage.garbling.lost), 0.01) / 64)
    return sum(6.0 * (unit.end - unit.start) + unit.lost * rare for unit in damage.units)


class _Chain(Struct, frozen=True):
    """Signs next to each other that bytes may have become, with the damaged characters in them."""

    units: tuple[Unit, ...]
    weight: float
    """How much it speaks for its line being garbled; less than zero speaks against it."""
    is_clean: bool
    """True if a person may have written it."""


def _damage(text: str, garbling: Garbling, *, halfway: bool = False) -> Damage | None:
    """What is garbled in this way, line by line; all that can be if nothing in the whole text speaks against it."""
    all_units = list(units_in(text, garbling, halfway=halfway))
    if not all_units:
        return None
    code = [match.span() for match in _CODE.finditer(text)]
    lines = [(units, _chains(text, start, units, code)) for start, units in by_line(all_units, text)]
    garbled = [line for line in lines if sum(chain.weight for chain in line[1]) >= _ENOUGH]
    if not garbled:
        return None
    chains = [chain for _, chains in lines for chain in chains]
    mostly = 3 * len(garbled) > len(lines) and 10 * sum(chain.weight < 0 for chain in chains) <= len(chains)
    if mostly and len(_HAS_HIGH.findall(text)) == _covered(all_units):
        return Damage(garbling, tuple(all_units))
    meant = [chains for line, chains in garbled if not _is_shown(text, line)]
    if 3 * len(meant) < 2 * len(garbled):
        return None  # it is about garbled texts, so those that could not be shown as they should be are meant too
    units = tuple(unit for chains in meant for unit in _garbled_units(chains))
    return Damage(garbling, units) if units else None


def _is_shown(text: str, units: list[Unit]) -> bool:
    """True if a garbled word of the line is near as it should be: the text tells what garbling does."""
    start, end = units[0].start, units[-1].end
    for _ in range(1 + _NEAR):
        start = text.rfind("\n", 0, max(0, start))
        end = text.find("\n", end + 1) if end >= 0 else end
    near = text[max(0, start) : end if end >= 0 else len(text)]
    first = text.rfind("\n", 0, units[0].start) + 1
    starts = [unit.start for unit in units]
    for word in islice(_WORD.finditer(text, first, units[-1].end), _WORDS):
        inside = units[bisect_left(starts, word.start()) : bisect_left(starts, word.end())]
        if inside and not any(unit.lost for unit in inside):
            meant = _as_far_as_certain(word[0], inside, word.start())
            if any(map(str.isalpha, meant)) and meant in near:
                return True
    return False


def _garbled_units(chains: list[_Chain]) -> Iterator[Unit]:
    """The damaged characters of a garbled line; what reads well stays if something else in the line does."""
    mixed = any(chain.weight < 0 for chain in chains)
    for chain in chains:
        if not chain.is_clean or (not mixed and chain.units):
            yield from chain.units


def _chains(text: str, start: int, units: list[Unit], code: Sequence[tuple[int, int]]) -> list[_Chain]:
    """The chains of a line, in order; with one more if it has characters that no byte becomes."""
    end = text.find("\n", units[-1].end)
    end = len(text) if end < 0 else end
    chains = []
    position = high = 0
    for match in _CHAIN.finditer(text, start, end):
        first = position
        while position < len(units) and units[position].start < match.end():
            position += 1
        high += len(match[0])
        chains.append(_chain(text, match, tuple(units[first:position]), code))
    if high < len(_HAS_HIGH.findall(text, start, end)):
        chains.append(_Chain((), -3.0, True))
    return chains


def _chain(text: str, match: re.Match[str], units: tuple[Unit, ...], code: Sequence[tuple[int, int]]) -> _Chain:
    chain = match[0]
    before, after = text[max(0, match.start() - 1) : match.start()], text[match.end() : match.end() + 1]
    is_clean = _is_clean(before, chain, after)
    if not units:
        return _Chain(units, -3.0, True)
    weight = -3.0 * sum(not _is_plain(unit) for unit in units)
    if _covered(units) < len(chain):
        weight -= 3.0
        ends = {
            match.start(),
            *(unit.end for unit in units),
        }  # what is garbled has no gaps: after one, the rest is clean
        units = tuple(unit for unit in units if not unit.lost or unit.start in ends)
    if weight < 0 and (is_clean or not any(unit.lost for unit in units)):
        return _Chain(units, weight, is_clean)
    if any(unit.lost for unit in units):
        if is_clean:
            return _Chain(units, weight - 1.5, True)
        weight += sum((1.5 if unit.seen else -1.5) if unit.lost else 6.0 if unit.seen > 1 else 2.0 for unit in units)
    elif not is_clean:
        in_word = before.isalpha() or after.isalpha()
        weight += 6.0 if in_word or len(chain) > 2 or chain[0] in "ÂÃ" else 3.0
    is_short = len(units) < 3 or all(unit.candidates[0] < "\u3000" for unit in units)
    if weight > 0 and is_short and _is_quoted(text, match, code):
        weight = 0.0
    return _Chain(units, weight, is_clean)


def _is_quoted(text: str, match: re.Match[str], code: Sequence[tuple[int, int]]) -> bool:
    """True for what is shown rather than said: in code, or one word between quotes."""
    index = bisect_right(code, (match.start(), len(text))) - 1
    if index >= 0 and match.start() < code[index][1]:
        return True
    before = text[max(0, match.start() - _LONGEST) : match.start()].rstrip(_OF_WORDS)[-1:]
    after = text[match.end() : match.end() + _LONGEST].lstrip(_OF_WORDS)[:1]
    return before == after and before in ("'", '"', "`")


def _is_clean(before: str, chain: str, after: str) -> bool:
    """True if a person may have written the chain after and before these signs."""
    if len(chain) > _LONGEST or not _CLEAN.fullmatch(chain):
        return False
    first, last = chain[0], chain[-1]
    if before.isascii() and before.islower() and first.isupper():
        return False
    if after.isascii() and after.isupper() and last.islower():
        return False
    if (
        after.isascii()
        and after.isalnum()
        and (last in _ENDING or (before.isalpha() and not _JOINING.fullmatch(chain)))
    ):
        return False
    return not (len(chain) > 1 and (first == "Â" or (first == "Ã" and not before.isalpha())))


def by_line(units: Iterable[Unit], text: str) -> Iterator[tuple[int, list[Unit]]]:
    """Offset of each line that holds damaged characters, with them."""
    starts = [0, *(end.end() for end in re.finditer("\n", text))]
    for line, of_line in groupby(units, key=lambda unit: bisect_right(starts, unit.start)):
        yield starts[line - 1], list(of_line)


def _is_plain(unit: Unit) -> bool:
    if not unit.lost and (unit.candidates[0] in _SIGNS or unicodedata.category(unit.candidates[0])[0] in "LMNP"):
        return True
    return any(map(is_plain, unit.candidates))
