"""Finds what of a text is garbled, how, and which characters it may have been; nothing in text as it should be."""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations, groupby, product
from string import ascii_letters

_HIGH = range(0x80, 0x100)
_SOFT_HYPHEN = 0xAD
_UNKNOWN = (*range(0x80, 0xC0), *range(0xE2, 0xEA), 0xEF)
"""What most bytes are that are not ASCII."""


@dataclass(frozen=True, eq=False)
class Garbling:
    """One way to garble. `signs[byte]` is what stands for a byte of UTF-8 in the damaged text, empty if it is lost."""

    name: str
    signs: tuple[str, ...]
    unknown: str = ""
    """A sign that may stand for any byte."""

    def garble(self, text: str) -> str:
        """The text as this damages it."""
        return "".join(map(self.signs.__getitem__, text.encode()))

    def after(self, inner: Garbling) -> Garbling:
        """The garbling of a text that `inner` had garbled before."""
        return Garbling(f"{self.name} after {inner.name}", tuple(map(self.garble, inner.signs)))

    @cached_property
    def lost(self) -> tuple[int, ...]:
        """Continuation bytes of UTF-8 of which nothing is left."""
        return tuple(byte for byte in range(0x80, 0xC0) if not self.signs[byte])

    @cached_property
    def bytes_of(self) -> dict[str, tuple[int, ...]]:
        """From sign to the bytes it may stand for; only those that are no ASCII."""
        by_sign: dict[str, tuple[int, ...]] = {}
        for byte in _HIGH:
            if sign := self.signs[byte]:
                by_sign[sign] = (*by_sign.get(sign, ()), byte)
        return by_sign | ({self.unknown: _UNKNOWN} if self.unknown else {})

    @cached_property
    def _sign(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, sorted(self.bytes_of, key=len, reverse=True))))

    def signs_in(self, text: str) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Start, end and possible bytes of each sign in a damaged text."""
        for match in self._sign.finditer(text):
            yield match.start(), match.end(), self.bytes_of[match[0]]


def _single(name: str, encoding: str, undefined: str, *, hyphen: bool, controls: bool = True) -> Garbling:
    signs = [chr(byte) for byte in range(256)]
    for byte in _HIGH:
        try:
            sign = bytes([byte]).decode(encoding)
        except UnicodeDecodeError:
            sign = chr(byte) if undefined == "kept" else undefined
        if (byte == _SOFT_HYPHEN and not hyphen) or ("\x80" <= sign <= "\x9f" and not controls):
            sign = ""
        signs[byte] = sign
    return Garbling(name, tuple(signs))


GARBLINGS = (
    _single("cp1254", "cp1254", "", hyphen=False),
    _single("cp1252", "cp1252", "", hyphen=False),
    _single("cp1254 with soft hyphens", "cp1254", "", hyphen=True),
    _single("cp1252 with soft hyphens", "cp1252", "", hyphen=True),
    _single("cp1254 with controls", "cp1254", "kept", hyphen=True),
    _single("cp1252 with controls", "cp1252", "kept", hyphen=True),
    _single("cp1254 with replacements", "cp1254", "\ufffd", hyphen=True),
    _single("cp1252 with replacements", "cp1252", "\ufffd", hyphen=True),
    _single("latin-1", "latin-1", "", hyphen=True),
    _single("latin-1 without controls", "latin-1", "", hyphen=True, controls=False),
    _single("latin-1 without controls and soft hyphens", "latin-1", "", hyphen=False, controls=False),
)
"""The known ways. Of those that fit equally well, the first is taken: it loses more bytes, so it allows for more."""


def garbled_alike(first: str, second: str, damaged: str) -> bool:
    """True if there is a way, single or double, that makes `damaged` of both."""
    ways = (*GARBLINGS, *(outer.after(inner) for outer in GARBLINGS for inner in GARBLINGS))
    return any(_is_left(way.garble(first), damaged) and _is_left(way.garble(second), damaged) for way in ways)


def _is_left(garbled: str, damaged: str) -> bool:
    """True if the second is the first, where it does not say that a sign is unknown."""
    return len(garbled) == len(damaged) and all(
        sign in (other, "\ufffd") for other, sign in zip(garbled, damaged, strict=True)
    )


_FORMATS = frozenset("\u200b\u200c\u200d\u200e\u200f\ufeff")
"""Invisible characters that texts really hold; of the others none is a candidate."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What is left of one character, at `start` to `end` of the damaged text."""

    start: int
    end: int
    candidates: tuple[str, ...]
    """The characters it may have been: garbling any of them gives what is left."""
    seen: int
    """Continuation bytes that are left."""
    lost: int

    def moved(self, distance: int) -> Unit:
        """The same further on in a text."""
        return replace(self, start=self.start + distance, end=self.end + distance)


def _length(lead: int) -> int:
    """Bytes of the character that the lead byte begins."""
    return 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


def _is_lead(byte: int) -> bool:
    return 0xC2 <= byte <= 0xF4


def units_in(text: str, garbling: Garbling, *, halfway: bool = False) -> Iterator[Unit]:
    """The damaged characters in a text, in order. Signs that belong to none are passed over.

    `halfway` is for text that was garbled more than once: its characters may be any that a single byte becomes.
    """
    signs = list(garbling.signs_in(text))
    position = 0
    while position < len(signs):
        start, end, leads = signs[position]
        position += 1
        leads = tuple(filter(_is_lead, leads))
        if not leads:
            continue
        rest: list[tuple[int, ...]] = []
        longest = max(map(_length, leads)) - 1
        while position < len(signs) and len(rest) < longest and signs[position][0] == end:
            tails = tuple(byte for byte in signs[position][2] if byte < 0xC0)
            if not tails:
                break
            rest.append(tails)
            end = signs[position][1]
            position += 1
        while True:
            candidates = _candidates(leads, tuple(rest), garbling, halfway)
            if candidates or not rest:
                break
            rest.pop()  # a sign of its own after a damaged character
            position -= 1
            end = signs[position][0]
        if candidates:
            lost = (
                text.count(garbling.unknown, start, end)
                if garbling.unknown
                else len(candidates[0].encode()) - 1 - len(rest)
            )
            yield Unit(start, end, candidates, len(rest), lost)


_MOST = 5000
"""Ways to read what is left of a character: with more, too much was lost."""


@lru_cache(maxsize=50_000)
def _candidates(
    leads: tuple[int, ...], rest: tuple[tuple[int, ...], ...], garbling: Garbling, halfway: bool
) -> tuple[str, ...]:
    likely: set[str] = set()
    if math.prod(map(len, (leads, *rest))) > _MOST:
        return ()
    for lead in leads:
        lost = _length(lead) - 1 - len(rest)
        if lost < 0 or lost > 2 or (lost and not garbling.lost):
            continue
        for lost_at in combinations(range(lost + len(rest)), lost):
            tails: list[tuple[int, ...]] = list(rest)
            for index in lost_at:
                tails.insert(index, garbling.lost)
            for bytes_ in product(*tails):
                try:
                    sign = bytes([lead, *bytes_]).decode()
                except UnicodeDecodeError:
                    continue
                if is_likely(sign) or (halfway and not lost and "\x80" <= sign <= "\xad"):
                    likely.add(sign)
    return tuple(sorted(likely))


@lru_cache(maxsize=50_000)
def is_likely(sign: str) -> bool:
    """True for characters that texts are made of: no control characters, no private or unassigned ones."""
    return sign in _FORMATS or unicodedata.category(sign) not in ("Cc", "Cf", "Cn", "Co", "Cs")


_ENOUGH = 5.0
"""Evidence that a line is garbled: what one whole damaged Chinese character gives, or a `Ã©` inside a word."""
_PLAIN_RANGES = (
    (0x00A0, 0x017F),  # Latin letters with accents, and signs
    (0x0391, 0x03CE),  # Greek
    (0x0410, 0x0451),  # Cyrillic
    (0x2010, 0x2049),  # dashes, quotes
    (0x20AC, 0x20AC),
    (0x2100, 0x27BF),  # arrows, mathematics, boxes, dingbats
    (0x27E6, 0x27F9),
    (0x2B00, 0x2B5F),
    (0x3000, 0x30FF),  # CJK punctuation, kana
    (0x3400, 0x9FFF),
    (0xAC00, 0xD7A3),
    (0xFE0E, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFF01, 0xFFE5),
    (0x1F300, 0x1FAFF),
)
_SIGNS = "".join(sorted({sign for garbling in GARBLINGS for sign in garbling.bytes_of}))
_LEADS = frozenset(sign for garbling in GARBLINGS for sign, of in garbling.bytes_of.items() if any(map(_is_lead, of)))
_CHAIN = re.compile(f"[{re.escape(_SIGNS)}]+")
_WORD = re.compile(f"[A-Za-z]*(?:[{re.escape(_SIGNS)}]+[A-Za-z]*)+")
_PAIR = re.compile(f"[À-ôĞİŞğış][{re.escape(_SIGNS)}]")
"""What every garbled line has; most lines in order have it nowhere."""
_HAS_HIGH = re.compile("[^\x00-\x7f]")
_OPENING, _CLOSING = "«“”„‘‚‹¿¡–—·•…\xa0", "»”“’‘›…–—·•\xa0™®°ªº¹²³"
_LETTERS = "[À-ÖØ-ÞŒŠŽŸĞİŞ]*[ß-öø-ÿœšžğışµ]*"
_CLEAN = re.compile(f"[{_OPENING}]*(?:{_LETTERS}(?:[{_CLOSING}][{_OPENING}{_CLOSING}]*)?)")
"""Chains that people write: letters of one case, perhaps with a capital first, between signs of punctuation."""
_ENDING = "»›™®°ªº¹"
"""What no letter follows."""
_JOINING = re.compile(f"{_LETTERS}(?:[’‘–—·•…\xa0]+{_LETTERS})?")
"""What is inside of words, or between two."""
_OF_WORDS = ascii_letters + _SIGNS
_LONGEST = 40
"""Characters of a word, at most."""
_CODE = re.compile(
    r"^ {0,3}(?P<fence>```+|~~~+).*?(?:^ {0,3}(?P=fence)|\Z)|(?P<tick>`+)[^\n]+?(?P=tick)|>>> [^\n]*",
    re.MULTILINE | re.DOTALL,
)
_NEAR = 3
"""Lines before and after, where an example of what is garbled may be as it should be."""
_LEVELS = 3
"""How many times a text may have been garbled."""
_SAMPLE = 40_000
"""Characters that tell how a text is garbled."""


@dataclass(frozen=True)
class Damage:
    """How a text is garbled, and its damaged characters in order."""

    garbling: Garbling
    units: tuple[Unit, ...]


def find_damage(text: str) -> Damage | None:
    """What is garbled in the text; None if nothing is."""
    lines = [line for line in text.split("\n") if _PAIR.search(line)]
    if not lines:
        return None
    step = -(-sum(map(len, lines)) // _SAMPLE)
    garbling = _garbling("\n".join(lines[::step])) or (_garbling("\n".join(lines)) if step > 1 else None)
    return _damage(text, garbling) if garbling else None


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


@dataclass(frozen=True, slots=True)
class _Chain:
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
    letters = sum(_is_letter_of_a_word(unit, text) for unit in all_units)
    if 3 * len(garbled) > len(lines) and 10 * letters <= len(all_units) and _is_nothing_else(text, all_units):
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
    for word in _WORD.finditer(text, first, units[-1].end):
        inside = tuple(unit for unit in units if word.start() <= unit.start < word.end())
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
    weight = -3.0 * sum(not _is_plain(unit) for unit in units) - (3.0 if _covered(units) < len(chain) else 0.0)
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
    if not _CLEAN.fullmatch(chain):
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


def _is_nothing_else(text: str, units: Iterable[Unit]) -> bool:
    """True if all that is not ASCII belongs to damaged characters."""
    return len(_HAS_HIGH.findall(text)) == _covered(units)


def _is_letter_of_a_word(unit: Unit, text: str) -> bool:
    """True for a letter such as the é of café, which may be what is left of a character, but hardly is."""
    if unit.seen:
        return False
    around = text[max(0, unit.start - 1) : unit.start] + text[unit.end : unit.end + 1]
    return any(sign.isascii() and sign.isalpha() for sign in around)


def _is_plain(unit: Unit) -> bool:
    if not unit.lost and (unit.candidates[0] in _SIGNS or unicodedata.category(unit.candidates[0])[0] in "LMNP"):
        return True
    return any(map(is_plain, unit.candidates))


def is_plain(sign: str) -> bool:
    """True for characters of the writing and signs that notes are likely to hold."""
    code = ord(sign)
    return any(first <= code <= last for first, last in _PLAIN_RANGES)
