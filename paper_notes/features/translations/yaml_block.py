"""Writes one block of a YAML file anew, a line for each key, and leaves every other byte as it is."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping

from paper_notes.diagnostics import UserError
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml import YamlDocument, parse_yaml

_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")


def with_block(source: Source, key: str, rows: Mapping[str, str], value: object) -> bytes:
    """The file with these rows, from keys to values in YAML, in its block `key`, which then reads as `value`.

    Without rows the block goes. Raises UserError if the file is written in a way that this cannot be done.
    """
    document = parse_yaml(source.path, source.text)
    mark = codecs.BOM_UTF8 if source.data.startswith(codecs.BOM_UTF8) else b""
    written = mark + _with_lines(source.data.decode("utf-8-sig"), document, key, rows).encode()
    again = parse_yaml(source.path, Source(source.path, written).text)
    values = [parsed.value if isinstance(parsed, YamlDocument) else None for parsed in (document, again)]
    if not isinstance(values[0], dict) or values[1] != _wanted(values[0], key, value, exists=bool(rows)):
        message = f"{source.path} is written in a way that `{key}:` cannot be added to"
        raise UserError(message, "write each of its keys on a line of its own, without braces around the whole")
    return written


def _wanted(before: Mapping[str, object], key: str, value: object, *, exists: bool) -> dict[str, object]:
    without = {name: item for name, item in before.items() if name != key}
    return {**without, key: value} if exists else without


def _with_lines(text: str, document: object, key: str, rows: Mapping[str, str]) -> str:
    lines = _LINE.findall(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    keys = document.key_positions if isinstance(document, YamlDocument) else {}
    margin = min((column - 1 for path, (_, column) in keys.items() if len(path) == 1), default=0)
    block = [f"{' ' * margin}{key}:{newline}"] if rows else []
    block += [f"{' ' * margin}  {name}: {row}{newline}" for name, row in rows.items()]
    if (key,) not in keys:
        gap = newline if lines and not lines[-1].endswith(("\n", "\r")) else ""
        return "".join([*lines, gap, *block])
    start = keys[(key,)][0] - 1
    end = _end(lines, start, margin)
    return "".join([*lines[:start], *block, *lines[end:]])


def _end(lines: list[str], start: int, margin: int) -> int:
    """The index of the line after the block. Comments and empty lines below its last value are not part of it."""
    end = start + 1
    for place in range(start + 1, len(lines)):
        words = lines[place].strip()
        if not words or words.startswith("#"):
            continue
        if len(lines[place]) - len(lines[place].lstrip(" ")) <= margin:
            break
        end = place + 1
    return end
