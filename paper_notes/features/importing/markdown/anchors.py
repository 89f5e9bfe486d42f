"""Names of blocks, as Obsidian has them: ` ^name` at the end of a block, or on a line of its own below it."""

from __future__ import annotations

import re
from collections.abc import Collection

from paper_notes.document.nodes import Document, Heading
from paper_notes.features.importing.markdown.grammar import ForeignBlock, Sign
from paper_notes.markdown.sections import is_reserved

_AT_END = re.compile(r"(?:^|(?<=[ \t]))\^(?P<block>[A-Za-z0-9-]+)[ \t]*$")
_USUAL = re.compile(r"(?=[A-Za-z0-9-]*[A-Za-z])[A-Za-z0-9][A-Za-z0-9-]+|\d{6}")
"""What our own texts read as a name: `x ^2` is an exponent."""


def heading_name(text: str) -> str:
    """The name at the end of a heading with its `^`; empty for none."""
    match = _AT_END.search(text)
    return f"^{match['block']}" if match and _USUAL.fullmatch(match["block"]) else ""


def block_names(document: Document, text: str, taken: Collection[str], *, short: bool) -> tuple[tuple[str, str], ...]:
    """The names of blocks, in small letters as links are compared, and what each is called here.

    `taken` are the ids of sections. Names that are no names here, such as `^2`, count on lines of their own, and
    everywhere if `short`.
    """
    names: dict[str, str] = {}
    sections = {id(inline) for block in document.blocks if isinstance(block, Heading) for inline in block.inlines}
    for node in document.walk():
        if not isinstance(node, ForeignBlock | Sign) or id(node) in sections:
            continue
        name = node.fields.get("block", "")
        if (
            isinstance(node, ForeignBlock)
            and node.kind == "formula"
            and (match := _AT_END.search(text[slice(*node.opening)]))
        ):
            name = match["block"]
        if name and (short or _USUAL.fullmatch(name) or isinstance(node, ForeignBlock)):
            names.setdefault(name.casefold(), _ours(name, {*taken, *names.values()}))
    return tuple(names.items())


def _ours(name: str, taken: Collection[str]) -> str:
    """The name as our texts can have it, which nothing else has."""
    usable = bool(_USUAL.fullmatch(name)) and not is_reserved(name, ())
    first = result = name if usable else f"block-{name.strip('-')}"
    number = 1
    while result in taken:
        number += 1
        result = f"{first}-{number}"
    return result
