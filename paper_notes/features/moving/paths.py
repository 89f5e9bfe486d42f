"""Paths of notes and topics in `site.yaml`, and in READMEs outside of the regions that builds write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from paper_notes.corpus.load import BASE
from paper_notes.corpus.model import TopicId
from paper_notes.diagnostics import Location, UserError
from paper_notes.features.moving.edits import FileEdit
from paper_notes.features.moving.references import Relocation
from paper_notes.sources.tree import Source, text_position
from paper_notes.sources.yaml import Path, YamlDocument, parse_yaml

_REGION = re.compile(
    r"(^ {0,3}<!--[ \t]*paper-notes:begin[^\n]*?-->)(.*?)(?=^ {0,3}<!--[ \t]*paper-notes:end)", re.DOTALL | re.MULTILINE
)
_MARKER = re.compile(r"<!--[ \t]*paper-notes:begin[^\n]*?[ \t]topic=([^\s>]+)")


def in_settings(source: Source, moved: Relocation) -> Iterator[FileEdit]:
    """The topics and folders that `site.yaml` names. Raises UserError if the place of one is not clear."""
    document = parse_yaml(source.path, source.text)
    if not isinstance(document, YamlDocument) or not isinstance(document.value, dict):
        return
    named: list[tuple[Path, object]] = [
        (("topics", number), topic) for number, topic in enumerate(_list(document, "topics"))
    ]
    for number, item in enumerate(_list(document, "readme")):
        named += [(("readme", number, "topic"), item.get("topic"))] if isinstance(item, dict) else []
    for number, item in enumerate(_list(document, "navigation")):
        at: Path = ("navigation", number, "link") if isinstance(item, dict) else ("navigation", number)
        named.append((at, item.get("link") if isinstance(item, dict) else item))
    for at, topic in named:
        if topic in moved.topics:
            yield _edit(source, document, at, str(topic), moved.topics[TopicId(str(topic))])
    rules = document.value.get("rules")
    for key in rules if isinstance(rules, dict) else ():
        for was, now in _folders(moved):
            if key.rstrip("/") == was or key.startswith(f"{was}/"):
                yield _edit(source, document, ("rules", key), was, now, key=True)
                break


def _list(document: YamlDocument, key: str) -> list[object]:
    value = document.value.get(key) if isinstance(document.value, dict) else None
    return value if isinstance(value, list) else []


def _edit(source: Source, document: YamlDocument, at: Path, old: str, new: str, *, key: bool = False) -> FileEdit:
    where = document.location(at, key=key)
    column = source.text.split("\n")[where.line - 1].find(old, where.column - 1) + 1
    if not column:
        raise UserError(f'{where}: the place of "{old}" is not clear', "write it without anchors and escapes")
    return FileEdit(replace(where, column=column), old, new)


def _folders(moved: Relocation) -> tuple[tuple[str, str], ...]:
    """Folders below notes_src before and after, those of notes first."""
    return (*moved.notes.items(), *moved.topics.items())


def in_readme(source: Source, moved: Relocation) -> Iterator[FileEdit]:
    """The paths of moved notes in a README, and the topics in its markers. What is between markers is built."""
    text = _REGION.sub(lambda match: match[1] + re.sub(r"[^\n]", " ", match[2]), source.text)
    for match in _MARKER.finditer(text):
        if now := dict(_folders(moved)).get(match[1]):
            yield _at(source, match.start(1), match[1], now)
    places = {f"{BASE}/{was}": f"{BASE}/{now}" for was, now in _folders(moved)}
    pages = ((was.replace("/", "/notes/"), now.replace("/", "/notes/")) for was, now in _folders(moved))
    places |= {f"site/{was}": f"site/{now}" for was, now in pages}
    names = "|".join(map(re.escape, sorted(places, key=len, reverse=True)))
    for match in re.finditer(rf"(?<![\w.+-])(?:{names})(?![\w+-]|\.(?!md\b|html\b|bib\b)\w)", text):
        yield _at(source, match.start(), match[0], places[match[0]])


def _at(source: Source, offset: int, old: str, new: str) -> FileEdit:
    return FileEdit(Location(source.path, *text_position(source.text, offset)), old, new)
