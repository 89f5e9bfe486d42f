"""Changes a YAML file by inserting: all that is not changed stays, byte for byte, comments and quotes included."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import yaml

from paper_notes.diagnostics import Diagnostic, UserError
from paper_notes.patterns import regex
from paper_notes.sources.tree import with_plain_ends
from paper_notes.sources.yaml import parse_yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MARK = "\ufeff"
_WIDTH = 1_000_000
_END = 1_000_000
"""A place behind all items of a list."""
_FORM = "write `entries:` as a list with a line for each key: - paper: key"
_PLAIN = regex(r"[0-9a-f]{10}|[A-Za-z][\w./@+-]*(?: [0-9a-f]{10})?|\d{4}-\d\d-\d\d", re.ASCII)
"""Digests, names and dates, which need no quotation marks."""
Value = Mapping[str, Any]


def dumped(value: object, *, flow: bool = False) -> str:
    """A value as YAML, in the order of its keys and with one line for each text; all on one line if it is to `flow`."""
    return str(yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=_WIDTH, default_flow_style=flow))


def with_items(
    path: PurePosixPath, data: bytes, key: str, items: Iterable[tuple[int, Value | str]], hint: str = _FORM
) -> bytes:
    """The file with items added to the list under `key`, each before the item that has its place now, or at the end.

    Raises UserError if the list is written in a way that cannot be added to.
    """
    added = sorted(items, key=lambda item: item[0])

    def changed(value: dict[str, Any]) -> None:
        end = len(value[key])
        for place, item in reversed(added):
            value[key].insert(min(place, end), _as_read(item))

    def edits(text: str) -> list[tuple[int, int, str]]:
        listed = _value(_root(text), key)
        pieces: dict[int, str] = {}
        for place, item in added:
            at, new = _item(text, listed, place, item)
            pieces[at] = pieces[at] + new if at in pieces else new if listed.value else new.removeprefix(", ")
        return [(at, at, new) for at, new in pieces.items()]

    return _edited(path, data, edits, changed, hint)


def with_values(path: PurePosixPath, data: bytes, key: str, values: Mapping[int, tuple[str, str]]) -> bytes:
    """The file with one key of some items of the list under `key` set: for each place the name and its plain value.

    Raises UserError if they are written in a way that cannot be changed.
    """

    def changed(value: dict[str, Any]) -> None:
        for place, (name, new) in values.items():
            value[key][place][name] = new

    def edits(text: str) -> list[tuple[int, int, str]]:
        items = _value(_root(text), key).value
        return [_setting(text, items[place], name, new) for place, (name, new) in values.items()]

    return _edited(path, data, edits, changed)


def with_names(path: PurePosixPath, data: bytes, key: str, names: Sequence[str], place: int | None = None) -> bytes:
    """The file with plain names added to the list under `key`, at its end or at a place. Raises UserError."""
    hint = f"add the topics by hand: {', '.join(names)}"
    return with_items(path, data, key, [(_END if place is None else place, name) for name in names], hint)


def without_name(path: PurePosixPath, data: bytes, key: str, name: str) -> bytes:
    """The file without this plain name in the list under `key`. Raises UserError."""

    def edits(text: str) -> list[tuple[int, int, str]]:
        listed = _value(_root(text), key)
        items = listed.value
        at = [item.value for item in items].index(name)
        item, behind = items[at], items[at + 1 :]
        if not listed.flow_style:
            start = text.rfind("\n", 0, item.start_mark.index) + 1
            return [(start, _end_of_lines(text, item, listed.start_mark.column), "")]
        if behind:
            return [(item.start_mark.index, behind[0].start_mark.index, "")]
        return [(items[at - 1].end_mark.index if at else item.start_mark.index, item.end_mark.index, "")]

    return _edited(path, data, edits, lambda value: value[key].remove(name), f"take it out by hand: {name}")


def with_keys(path: PurePosixPath, data: bytes, values: Value) -> bytes:
    """The file with these values of its first level, in their places or at the end. No comment is lost.

    A tuple is a list on one line. Raises UserError.
    """

    def changed(value: dict[str, Any]) -> None:
        for name, new in values.items():
            value[name] = _as_read(new)

    def edits(text: str) -> list[tuple[int, int, str]]:
        root, changes = _root(text), list[tuple[int, int, str]]()
        ends = [key.start_mark.index for key, _ in root.value[1:]] + [len(text)]
        keys = {key.value: (key, old, end) for (key, old), end in zip(root.value, ends, strict=True)}
        for name, value in values.items():
            lines = f"{name}: {dumped([*value], flow=True)}" if isinstance(value, tuple) else dumped({name: value})
            if name not in keys:
                changes.append((len(text), len(text), lines if not text or text.endswith("\n") else f"\n{lines}"))
                continue
            key, old, end = keys[name]
            start, first, last = (mark.index for mark in (key.start_mark, old.start_mark, old.end_mark))
            if isinstance(old, yaml.ScalarNode) and "\n" not in text[first:last] and lines.count("\n") == 1:
                changes.append(
                    (first, last, ("" if first < last else " ") + lines.removeprefix(f"{name}: ").rstrip("\n"))
                )
                continue
            below = re.search(r"(?:^[ \t]*(?:#[^\n]*)?\n)*\Z", text[start:end], re.MULTILINE)
            end -= len(below[0] if below else "")
            if re.search(r"(?:^|\s)#", text[start:end]):
                raise ValueError(name)  # a comment, which nobody may delete
            changes.append((start, end, lines))
        return changes

    return _edited(path, data, edits, changed, "write a line for each key")


def with_block(path: PurePosixPath, data: bytes, key: str, value: Value) -> bytes:
    """The file with this value under `key`, a line for each of its keys; without a value the block goes.

    Comments in the former block go with it. Raises UserError.
    """
    rows = {name: _flow(item) for name, item in value.items()}

    def changed(whole: dict[str, Any]) -> None:
        whole.pop(key, None)
        if value:
            whole[key] = _as_read(value)

    def edits(text: str) -> list[tuple[int, int, str]]:
        root = _root(text)
        margin = " " * root.start_mark.column
        lines = [f"{margin}{key}:", *(f"{margin}  {name}: {row}" for name, row in rows.items())] if rows else []
        block = "".join(f"{line}\n" for line in lines)
        if all(name.value != key for name, _ in root.value):
            return [(len(text), len(text), block if text.endswith("\n") else f"\n{block}")]
        return [(*block_of(text, key), block)]

    return _edited(
        path, data, edits, changed, "write each of its keys on a line of its own, without braces around the whole"
    )


def block_of(text: str, key: str) -> tuple[int, int]:
    """Where the lines of a key of the first level begin and end, without comments and empty lines below them."""
    name, value = next((name, value) for name, value in _root(text).value if name.value == key)
    return text.rfind("\n", 0, name.start_mark.index) + 1, _end_of_lines(text, value, len(text))


def _flow(value: object) -> str:
    """A value on one line, its texts in quotation marks where YAML may read something else."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{name}: {_flow(item)}' for name, item in value.items())}}}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_flow, value))}]"
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)


def with_language(path: PurePosixPath, data: bytes, key: str, own: str, lang: str, text: str) -> bytes:
    """The file whose text under `key`, which is in the language `own`, has another one, too; no byte of it is lost.

    Raises UserError if it is written in a way that this cannot be done.
    """
    new = f"{lang}: {json.dumps(text, ensure_ascii=False)}"

    def changed(value: dict[str, Any]) -> None:
        texts = value[key] if isinstance(value[key], dict) else {own: value[key]}
        value[key] = {**texts, lang: text}

    def edits(whole: str) -> list[tuple[int, int, str]]:
        node = _value(_root(whole), key)
        start, end = node.start_mark.index, node.end_mark.index
        if isinstance(node, yaml.ScalarNode):
            return [(start, start, f"{{{own}: "), (end, end, f", {new}}}")]
        last = node.value[-1][1].end_mark.index
        if node.flow_style:
            return [(last, last, f", {new}")]
        return [_new_line(whole, last, node.start_mark.column, new)]

    return _edited(path, data, edits, changed, f"write it by hand: {new}")


def _edited(
    path: PurePosixPath,
    data: bytes,
    edits: Callable[[str], list[tuple[int, int, str]]],
    changed: Callable[[dict[str, Any]], None],
    hint: str = _FORM,
) -> bytes:
    """The file with pieces of its text replaced, if it then says what it should."""
    whole = data.decode()
    text = whole.removeprefix(_MARK)
    try:
        edited = text
        for start, end, new in sorted(edits(text), reverse=True):
            edited = edited[:start] + (new.replace("\n", "\r\n") if "\r\n" in text else new) + edited[end:]
        wanted = _read(path, text)
        changed(wanted)
        if _read(path, edited) == wanted:
            return (whole[: len(whole) - len(text)] + edited).encode()
    except (yaml.YAMLError, LookupError, AttributeError, TypeError, ValueError):
        pass
    message = f"{path} is written in a way that it cannot be added to"
    raise UserError(message, hint)


def _read(path: PurePosixPath, text: str) -> dict[str, Any]:
    document = parse_yaml(path, with_plain_ends(text))
    if isinstance(document, Diagnostic) or not isinstance(document.value, dict):
        raise ValueError(text)
    return document.value


def _as_read(value: object) -> object:
    """A value as `parse_yaml` gives it: scalars are texts."""
    return _read(PurePosixPath("value"), dumped({"value": value}))["value"]


def _root(text: str) -> Any:
    return yaml.compose(text, Loader=_LOADER)


def _value(mapping: Any, name: str) -> Any:
    value_node = next((value for key, value in mapping.value if key.value == name), None)
    if value_node is None:
        raise LookupError(name)
    return value_node


def _item(text: str, listed: Any, place: int, item: Value | str) -> tuple[int, str]:
    """Where the item goes, and its text there."""
    items = listed.value
    if listed.flow_style:
        written = dumped([item], flow=True).strip()[1:-1]
        if place < len(items):
            return items[place].start_mark.index, f"{written}, "
        return items[-1].end_mark.index if items else listed.start_mark.index + 1, f", {written}"
    first = listed.start_mark
    indent = " " * first.column
    lines = "".join(f"{indent}{line}\n" for line in dumped([item]).splitlines())
    if place == 0:
        return text.rfind("\n", 0, first.index) + 1, lines
    at = _end_of_lines(text, items[min(place, len(items)) - 1], first.column)
    return at, lines if text[at - 1] == "\n" else f"\n{lines.rstrip()}"


def _end_of_lines(text: str, item: Any, column: int) -> int:
    """Where the lines of an item end: behind comments that are indented more than its dash."""
    last = item
    while last.value and not isinstance(last.value, str) and not last.flow_style:
        key, inner = last.value[-1] if isinstance(last, yaml.MappingNode) else (last, last.value[-1])
        is_alias = inner.start_mark.index < key.start_mark.index
        last = key if is_alias else inner
    end: int = last.end_mark.index
    start = text.rfind("\n", 0, end) + 1
    at = start if not text[start:end].strip() and last is not item else _after_line(text, end)
    while comment := re.compile(rf"(?: {{{column + 1},}})#[^\n]*(?:\n|\Z)").match(text, at):
        at = comment.end()
    return at


def _after_line(text: str, place: int) -> int:
    line_end = text.find("\n", place)
    return line_end + 1 if line_end >= 0 else len(text)


def _new_line(text: str, place: int, column: int, words: str) -> tuple[int, int, str]:
    """What to insert for a line below that of a place."""
    at, line = _after_line(text, place), " " * column + words
    return at, at, f"{line}\n" if text[at - 1 : at] == "\n" else f"\n{line}"


def _setting(text: str, item: Any, name: str, new: str) -> tuple[int, int, str]:
    """What to replace so that a mapping has this value."""
    old = next((value for key, value in item.value if key.value == name), None)
    if old is not None:
        start, end = old.start_mark.index, old.end_mark.index
        return start, end, new if start < end else f" {new}"
    key, value = item.value[0]
    end = value.end_mark.index
    if item.flow_style:
        return end, end, f", {name}: {new}"
    return _new_line(text, end, key.start_mark.column, f"{name}: {new}")
