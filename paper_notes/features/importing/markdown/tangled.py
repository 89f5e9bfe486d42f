"""Blocks with so much open in them that reading them would take minutes: they stay as they were written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from paper_notes.features.importing.markdown.fallback import as_code
from paper_notes.features.importing.markdown.lines import FENCE, Line, fence_end
from paper_notes.features.importing.tangled import MOST_OPEN, most_open

MOST_IN_ALL = 2000
"""So many brackets of a kind may be open in all blocks of a text together."""
MOST_QUOTED = 30
"""So many quotations and items may begin on a line: pages show 40 levels."""
_QUOTED = re.compile(rf"(?:[ \t]*(?:>|(?:[-*+]|\d{{1,9}}[.)])(?=[ \t]))){{{MOST_QUOTED + 1}}}")


def with_tangled(lines: Sequence[Line]) -> tuple[list[Line], list[range]]:
    """The lines with such blocks as code, and the numbers of their lines."""
    blocks = [
        (first, last, most_open("\n".join(line.text for line in lines[first:last]))) for first, last in _blocks(lines)
    ]
    total = sum((found for _, _, found in blocks), Counter[str]())
    many = {sign for sign, count in total.items() if count > MOST_IN_ALL}
    made, tangled, done = list[Line](), list[range](), 0
    for first, last, found in blocks:
        deep = any(_QUOTED.match(line.text) for line in lines[first:last])
        if deep or max(found.values(), default=0) > MOST_OPEN or any(found[sign] > 1 for sign in many):
            made += [*lines[done:first], *as_code(lines[first:last])]
            tangled.append(range(lines[first].number, lines[last - 1].number + 1))
            done = last
    return [*made, *lines[done:]], tangled


def _blocks(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Where lines without a blank one between them begin and end, without code."""
    first = place = 0
    while place < len(lines):
        is_fence = bool(FENCE.match(lines[place].words))
        if is_fence or not lines[place].words:
            if first < place:
                yield first, place
            place = first = fence_end(lines, place) if is_fence else place + 1
        else:
            place += 1
    if first < place:
        yield first, place
