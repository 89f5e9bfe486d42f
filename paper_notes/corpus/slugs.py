"""Ids for addresses, made of names that people chose: the same names always get the same ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import count

from paper_notes.languages.text import Text

_SIGNS = re.compile(r"[^\w]+")


def slugs(names: Iterable[str], prefix: str) -> Iterator[str]:
    """An id for each name, in their order: `term-speculative-decoding`.

    Of names that differ in nothing but signs and case, the later ones get a number. `prefix` keeps the ids apart from
    those of other things on a page.
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
    """The part of a text that makes the best id: the first with Latin letters only, else the first."""
    return next((part for _, part in text.parts if part.isascii()), next((part for _, part in text.parts), ""))
