"""Adds a former address to `aliases:` of a note or topic, and changes nothing else of its YAML."""

from __future__ import annotations

import re
from dataclasses import replace

from paper_notes.diagnostics import Diagnostic, Location, UserError
from paper_notes.features.moving.edits import FileEdit
from paper_notes.sources.yaml import Path, YamlDocument, parse_yaml

KEY = "aliases"
_PLAIN = re.compile(r"[\w.+-]+(?:/[\w.+-]+)?")
_LINES = "write each of its keys on a line of its own, without braces around the whole"
_FORM = f"write `{KEY}:` as a list, one line for each address"


def with_address(document: YamlDocument, part: tuple[str, int], address: str, own: str) -> FileEdit | None:
    """The edit of a YAML text that starts on a line of the file; None if it has the address. Raises UserError.

    Its `own` address is replaced, if it is among the former ones: it returns there.
    """
    text, first_line = part
    lines, known = text.split("\n"), _addresses(document)
    if address in known:
        return None
    value = address if _PLAIN.fullmatch(address) else "'" + address.replace("'", "''") + "'"
    if own in known:
        at: Path = (KEY, known.index(own))
        where = document.location(at if at in document.positions else (KEY,))
        column = lines[where.line - first_line].find(own, where.column - 1) + 1
        return FileEdit(replace(where, column=column), own, address)
    edit = _edit(document, lines, first_line, value)
    place = edit.location.line - first_line
    before, line = lines[:place], lines[place] if place < len(lines) else ""
    column = edit.location.column - 1
    changed = line[:column] + edit.new + line[column + len(edit.old) :]
    again = parse_yaml(document.path, "\n".join([*before, changed, *lines[place + 1 :]]))
    wanted = [address, *known]
    if sorted(_addresses(again)) != sorted(wanted) or _besides(again) != _besides(document):
        hint = _FORM if known else _LINES
        raise UserError(f"{document.path} is written in a way that `{KEY}: [{value}]` cannot be added to", hint)
    return edit


def _besides(document: YamlDocument | Diagnostic) -> object:
    """The other values of a file."""
    value = document.value if isinstance(document, YamlDocument) else None
    return {key: item for key, item in value.items() if key != KEY} if isinstance(value, dict) else None


def _addresses(document: YamlDocument | Diagnostic) -> list[str]:
    whole = document.value if isinstance(document, YamlDocument) else None
    value = whole.get(KEY) if isinstance(whole, dict) else None
    return [value] if isinstance(value, str) else list(value or ())


def _edit(document: YamlDocument, lines: list[str], first_line: int, value: str) -> FileEdit:
    def at(line: int, column: int) -> Location:
        return Location(document.path, line, column)

    top, left = document.positions.get((), (first_line, 1))
    if (KEY,) not in document.key_positions and lines[top - first_line].startswith("{", left - 1):
        return FileEdit(at(top, left + 1), "", f'"{KEY}": ["{value}"], ')  # as in JSON
    if (KEY,) not in document.key_positions:
        last = max((number for number, line in enumerate(lines) if line.strip()), default=-1)
        margin = min((column - 1 for path, (_, column) in document.key_positions.items() if len(path) == 1), default=0)
        gap = "\n" if last + 1 >= len(lines) else ""
        if gap:
            return FileEdit(at(first_line + last, len(lines[last]) + 1), "", f"\n{' ' * margin}{KEY}: [{value}]\n")
        return FileEdit(at(first_line + last + 1, 1), "", f"{' ' * margin}{KEY}: [{value}]\n")
    line, column = document.positions.get((KEY, 0), document.positions[(KEY,)])
    written = lines[line - first_line]
    lead = written[: column - 1]
    if re.fullmatch(r"\s*-\s+", lead):
        return FileEdit(at(line, 1), "", f"{lead}{value}\n")
    if (KEY, 0) in document.positions:
        return FileEdit(at(line, column), "", f"{value}, ")
    if written.startswith("[", column - 1):
        return FileEdit(at(line, column + 1), "", value)
    single = next(iter(_addresses(document)), "")
    if not single:
        key_line, key_column = document.key_positions[(KEY,)]
        return FileEdit(at(key_line, key_column), f"{KEY}:", f"{KEY}: [{value}]")
    quoted = re.compile(rf"""(['"]?){re.escape(single)}\1""").match(written, column - 1)
    if quoted is None:
        raise UserError(f"{at(line, column)}: an address cannot be added here", _FORM)
    return FileEdit(at(line, column), quoted[0], f"[{value}, {quoted[0]}]")
