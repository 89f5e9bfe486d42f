"""Characters that a text may not hold, and the likely encoding of bytes that are not UTF-8."""

from __future__ import annotations

import html
import re
from typing import NamedTuple

from paper_notes.patterns import regex

_LAST_OF_PLANES = "".join(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
UNUSABLE = regex(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef{_LAST_OF_PLANES}]")
"""Control characters, and noncharacters, some of which mark the slots of rendered bodies."""
_UNSEEN = regex(
    "[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Characters that turn the direction of a text, and invisible ones, except those that join letters and emoji."""
_NO_CHARACTER = regex("[\ud800-\udfff]|" + UNUSABLE.pattern)
_TURNS = {**dict.fromkeys("\u202a\u202b\u202d\u202e", "\u202c"), **dict.fromkeys("\u2066\u2067\u2068", "\u2069")}
"""Characters that turn the direction of a text, each with the one that ends it."""
_TURN = regex("[\u202a\u202b\u202d\u202e\u2066-\u2068]")
_TURN_OR_END = regex("[\u202a-\u202e\u2066-\u2069\n]")
_LONG_REFERENCE = regex("&#(?=[0-9]{100})0*([0-9]+)")
_MOST_DIGITS = 8
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


_SUSPICIOUS = regex(
    rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]|\xef(?:\xb7[\x90-\xaf]|\xbf[\xbe\xbf])"
    rb"|[\xf0-\xf4][\x80-\xbf]\xbf[\xbe\xbf]|\xe2(?:\x80[\xaa-\xae]|\x81[\xa6-\xa9])"
)
"""Such characters in UTF-8: searching bytes takes a tenth of the time."""


class BadCharacter(NamedTuple):
    """The offset of a bad character in the text, and the message for it."""

    offset: int
    message: str


def may_be_bad(data: bytes) -> bool:
    """False if `bad_character` would find nothing in the text of these UTF-8 bytes."""
    return _SUSPICIOUS.search(data) is not None


def bad_character(text: str, *, inside: str = "a text") -> BadCharacter | None:
    """The first character that a text may not hold, if there is one."""
    if bad := UNUSABLE.search(text):
        return BadCharacter(bad.start(), f"the character U+{ord(bad[0]):04X} is not allowed in {inside}")
    if _TURN.search(text) and (turn := _open_turn(text)):
        message = f"the invisible character U+{ord(turn[0]):04X} turns the direction of what follows, without an end"
        return BadCharacter(turn.start(), message)
    return None


def _open_turn(text: str) -> re.Match[str] | None:
    """The first turn that is not ended on its line: the text after it would look like something else."""
    opened: list[re.Match[str]] = []
    for sign in _TURN_OR_END.finditer(text):
        if sign[0] in _TURNS:
            opened.append(sign)
        elif sign[0] == "\n" and opened:
            break
        elif opened and _TURNS[opened[-1][0]] == sign[0]:
            opened.pop()
    return opened[0] if opened else None


def short_references(text: str) -> str:
    """The HTML with shorter references where the number has more digits than Python's parser takes.

    Zeros before a number mean nothing; what is too large for a character is to none.
    """
    return _LONG_REFERENCE.sub(lambda match: f"&#{match[1] if len(match[1]) < _MOST_DIGITS else 0x110000}", text)


def unescape(text: str) -> str:
    """Text without references to characters, of any length, as browsers read it."""
    return html.unescape(short_references(text))


def one_line(text: str) -> str:
    """Text from outside, safe for any place in a source file: on one line, and without invisible characters."""
    return " ".join(lines(text).split())


def lines(text: str) -> str:
    """Text from outside, safe for a source file, with its spaces and line ends."""
    return _NO_CHARACTER.sub(" ", _UNSEEN.sub("", text))


def likely_encoding(data: bytes, wrong: int) -> str:
    """The likely encoding of the bytes, or empty. The byte at `wrong` is not UTF-8."""
    few, many = sorted((data[:4096:2].count(0), data[1:4096:2].count(0)))
    if data.startswith(_UTF16_MARKS) or (many > 1 and many > 2 * few):
        return "UTF-16"
    if data[wrong] == 0xED and data[wrong + 1 : wrong + 2] >= b"\xa0":
        return "CESU-8, with surrogates"
    line = data.rfind(b"\n", 0, wrong) + 1
    sample = data[max(line, wrong - 1000) : wrong + 4000]
    above_ascii = sum(byte > 0x7F for byte in sample)
    common = sum(letter > "\x7f" for letter in sample.decode("gb2312", "ignore"))
    return "GBK" if above_ascii > 2 and 2 * common >= 0.9 * above_ascii else ""
