"""Ids for addresses from names: the same names always get the same ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import count

from paper_notes.languages.text import Text

_SIGNS = re.compile(r"[^\w]+")


def slugs(names: Iterable[str], prefix: str) -> Iterator[str]:
    """An id for each name, in their order: `term-speculative-decoding`.

    Of names that differ only in signs and case, the later ones get a number. `prefix` separates the ids from others
    on a page.
    """
    taken: set[str] = set()
    numbers: dict[str, Iterator[int]] = {}
    for name in names:
        slug = wanted = f"{prefix}-" + (_SIGNS.sub("-", name.casefold()).strip("-") or "sign")
        while slug in taken:
            slug = f"{wanted}-{next(numbers.setdefault(wanted, count(2)))}"
        taken.add(slug)
        yield slug


def latin(text: Text) -> str:
    """The part of a text that makes the best id: the first in ASCII, else the first."""
    return next((part for _, part in text.parts if part.isascii()), next((part for _, part in text.parts), ""))
