"""Writes one block of a YAML file anew, a line for each key, and leaves every other byte as it is."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Mapping

from paper_notes.diagnostics import UserError
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml import YamlDocument, parse_yaml

_PLAIN = re.compile(r"[0-9a-f]{10}|[A-Za-z][\w./@+-]*(?: [0-9a-f]{10})?|\d{4}-\d\d-\d\d", re.ASCII)
"""Digests, names and dates, which need no quotation marks."""
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")


def with_block(source: Source, key: str, value: Mapping[str, object]) -> bytes:
    """The file with this value in its block `key`; without a value the block goes.

    Raises UserError if the file is written in a way that this cannot be done.
    """
    rows = {name: _flow(item) for name, item in value.items()}
    document = parse_yaml(source.path, source.text)
    mark = codecs.BOM_UTF8 if source.data.startswith(codecs.BOM_UTF8) else b""
    written = mark + _with_lines(source.data.decode("utf-8-sig"), document, key, rows).encode()
    again = parse_yaml(source.path, Source(source.path, written).text)
    values = [
        parsed.value if isinstance(parsed, YamlDocument) and isinstance(parsed.value, dict) else None
        for parsed in (document, again)
    ]
    others = {name: item for name, item in (values[0] or {}).items() if name != key}
    wanted = {name: [*item] if isinstance(item, tuple) else item for name, item in value.items()}
    if values[0] is None or values[1] != (others | {key: wanted} if value else others):
        message = f"{source.path} is written in a way that `{key}:` cannot be added to"
        raise UserError(message, "write each of its keys on a line of its own, without braces around the whole")
    return written


def _flow(value: object) -> str:
    """A value on one line, its texts in quotation marks where YAML may read something else."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{name}: {_flow(item)}' for name, item in value.items())}}}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_flow, value))}]"
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)


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
    end = end_of_block(lines, start, margin)
    return "".join([*lines[:start], *block, *lines[end:]])


def end_of_block(lines: list[str], start: int, margin: int) -> int:
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
