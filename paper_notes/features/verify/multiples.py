"""Multiples in words after the two numbers that they compare: `0.09 and 0.21, more than twice`, `三倍多`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from paper_notes.features.verify.counted import VALUES
from paper_notes.features.verify.statements import Statement

_WORDS = "|".join(word for word in VALUES if word.isascii())
_MULTIPLE = re.compile(
    rf"\b(?P<more>more than |over |well over )?(?P<nearly>almost |nearly |not quite )?"
    rf"(?P<word>twice|(?P<times>{_WORDS}) times)(?! (?:a|per|the number)\b)"
    r"|(?P<over>超过|不止)?(?P<near>近|将近|不到|接近)?(?P<chinese>[两二三四五六七八九十])倍(?P<odd>多|以上)?",
    re.IGNORECASE,
)
_TWO, _LOOSE = 2, Decimal("0.25")


def mismultiplied(statement: Statement) -> Iterator[tuple[int, str, str]]:
    """Where such words are that are clearly wrong, the words, and the ratio of the two numbers of their sentence."""
    if statement.table >= 0:
        return
    for match in _MULTIPLE.finditer(statement.text):
        start, end = statement.sentence(match.start())
        numbers = [each.figures for each in statement.numbers if start <= each.figures.start < end]
        values = [each.value for each in numbers if each.end <= match.start()]
        is_pair = len(numbers) == len(values) == _TWO and min(values) > 0
        if not is_pair or numbers[0].unit != numbers[1].unit or not all(each.decimals for each in numbers):
            continue
        ratio = max(values) / min(values)
        said = Decimal(VALUES[(match["times"] or match["chinese"] or "two").lower()])
        if match["more"] or match["over"] or match["odd"]:
            fits = said * (1 - _LOOSE / 10) <= ratio < (said + 1) * (1 + _LOOSE / 5)
        elif match["nearly"] or match["near"]:
            fits = said * (1 - _LOOSE) <= ratio <= said * (1 + _LOOSE / 10)
        else:
            fits = abs(ratio - said) <= said * _LOOSE
        if not fits:
            yield match.start(), match[0].strip(), f"{ratio:.2f}"
