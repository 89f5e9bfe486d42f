"""Names of blocks, as Obsidian has them: ` ^name` at the end of a block, or on a line of its own below it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from paper_notes.features.importing.markdown.lines import FENCE, Line, fence_end
from paper_notes.markdown.sections import is_reserved

MARK = r"(?:^|(?<=[ \t]))\^(?P<block>[A-Za-z0-9-]+)[ \t]*"
"""Without what follows it: the end of a line, or of a block."""
_AT_END = re.compile(MARK + "$")
_ALONE = re.compile(r"[> \t]*\^[A-Za-z0-9-]+[ \t]*")
_USUAL = re.compile(r"(?=[A-Za-z0-9-]*[A-Za-z])[A-Za-z0-9][A-Za-z0-9-]+|\d{6}")
"""What our own texts read as a name: `x ^2` is an exponent."""


def is_name(line: Line) -> bool:
    """Whether a line only names the block above it."""
    return bool(_ALONE.fullmatch(line.text))


def heading_name(text: str) -> str:
    """The name at the end of a heading with its `^`; empty for none."""
    found = _AT_END.search(text)
    return f"^{found['block']}" if found and _USUAL.fullmatch(found["block"]) else ""


def block_names(
    lines: Sequence[Line], headings: Collection[int], taken: Collection[str], *, short: bool
) -> tuple[tuple[str, str], ...]:
    """The names of blocks, in small letters as links are compared, and what each is called here.

    `headings` are the lines of sections, `taken` the ids of these. Names that are no names here, such as `^2`, count
    on lines of their own, and everywhere if `short`.
    """
    made: dict[str, str] = {}
    place = 0
    while place < len(lines):
        line = lines[place]
        if FENCE.match(line.words):
            place = fence_end(lines, place)
            continue
        place += 1
        found = _AT_END.search(line.text) if "^" in line.text and line.number not in headings else None
        if found and (short or _USUAL.fullmatch(found["block"]) or is_name(line)):
            made.setdefault(found["block"].casefold(), _ours(found["block"], {*taken, *made.values()}))
    return tuple(made.items())


def without_names(text: str, names: Collection[str]) -> str:
    """A line without the name of a block at its end."""
    found = _AT_END.search(text) if names and "^" in text else None
    return text[: found.start()] if found and found["block"].casefold() in names else text


def _ours(name: str, taken: Collection[str]) -> str:
    """The name as our texts can have it, which nothing else has."""
    usable = bool(_USUAL.fullmatch(name)) and not is_reserved(name, ())
    first = made = name if usable else f"block-{name.strip('-')}"
    number = 1
    while made in taken:
        number += 1
        made = f"{first}-{number}"
    return made
