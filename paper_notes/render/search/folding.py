"""Folds characters that are equal in a search: width, case, accents, simplified and traditional Chinese.

The last is off for a site in Japanese, where 機 and 机 are two words.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from opencc import OpenCC

from paper_notes.languages.language import Words
from paper_notes.patterns import regex

_MARKS = regex(r"[\u0300-\u036f]+")
"""Combining accents."""
_QUOTES = {"‘": "'", "’": "'", "“": '"', "”": '"'}
_HAN = ((0x3400, 0x4DC0), (0x4E00, 0xA000))


@lru_cache(maxsize=1)
def simplified() -> dict[str, str]:
    """Each traditional character (of the Basic Multilingual Plane) with its simplified form, by OpenCC."""
    characters = [chr(code) for start, end in _HAN for code in range(start, end)]
    converted = OpenCC("t2s").convert("\n".join(characters)).split("\n")
    pairs = zip(characters, converted, strict=True)
    changed = {old: new for old, new in pairs if old != new and len(new) == 1 and new <= "\uffff"}
    return {old: changed.get(new, new) for old, new in changed.items()}  # 薴 has the variant 苧, and that 苎


def fold(text: str, *, chinese: bool = True) -> str:
    """The text as it is compared: `Ｒé後` is `re后`, `it’s` is `it's`. The script of the home page does the same."""
    bare = _MARKS.sub("", unicodedata.normalize("NFKD", text)).lower()
    whole = unicodedata.normalize("NFC", bare)  # `が` is a letter, not a `か` with a mark
    return whole.translate(_table(chinese=chinese))


@lru_cache(maxsize=2)
def _table(*, chinese: bool) -> dict[int, str]:
    return str.maketrans(_QUOTES | (simplified() if chinese else {}))


_folded = lru_cache(maxsize=20_000)(fold)
"""Cached for single characters: every text has the same ones."""


def has_chinese(words: Words) -> bool:
    """Whether Chinese characters in a site are Chinese. Not if it has Japanese but no Chinese; names in English are."""
    scripts = {language.script for language in words.languages}
    return "Jpan" not in scripts or not scripts.isdisjoint({"Hans", "Hant"})


def variants(characters: Iterable[str], *, chinese: bool = True) -> str:
    """Pairs of an occurring character and the one it folds to, if they differ by more than case.

    With them the script finds `Rényi` and `Ｒｅｎｙｉ` by `renyi` in the original texts.
    """
    folded = ((c, _folded(c, chinese=chinese)) for c in sorted(set(characters)) if not c.isascii())
    return "".join(f"{c}{to}" for c, to in folded if len(to) == 1 and to not in (c, c.lower()) and to.isprintable())


def traditional(characters: Iterable[str]) -> str:
    """Pairs of a traditional character that a reader may type and the occurring one that it folds to."""
    occurring = {_folded(c) for c in set(characters)}
    return "".join(f"{old}{new}" for old, new in simplified().items() if new in occurring)
