"""`notes_src/.imported.json`: what was taken in from where, so that it can be done again without old copies."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any
from zlib import crc32

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import BASE
from paper_notes.diagnostics import UserError

RECORD = BASE / ".imported.json"
_VERSION = 1
_LINE, _KEPT = 4, 12
"""Lines of so many characters count in a sketch, which has so many of them."""


@dataclass(frozen=True, slots=True)
class RecordedText:
    """A text that was taken in. Digests are those of what was written then."""

    note: str
    """The note's id at that time: `agents/04_Memory`. Empty for what a README told, of which there are other facts."""
    language: str
    original: str
    """SHA-256 of the original."""
    sections: Mapping[str, str] = field(default_factory=dict)
    """By the key of a piece of the text, see `sections`."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """By the key of note.yaml."""
    files: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 by the path in the note's folder."""
    sketch: str = ""
    """Of the original's lines, see `sketch_of`: it is known again when some of them have changed."""
    place: str = ""
    """In records of earlier versions, ten hex digits of the folder's path on that machine; not written any more."""


Record = Mapping[str, RecordedText]
"""By the path of the original, which begins with the name of the folder that was named."""


def read_record(data: bytes | None) -> Record:
    """The record in a file; empty if there is none. Raises UserError for one that cannot be read."""
    if data is None:
        return {}
    try:
        value = json.loads(data)
        if value["version"] != _VERSION:
            raise ValueError(value["version"])
        return {path: RecordedText(**fields) for path, fields in value["taken"].items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        hint = "restore it from git; without it, what you have changed cannot be told from what was imported"
        raise UserError(f"{RECORD} cannot be read", hint) from error


def record_file(record: Record) -> Artifact:
    """The record as a file: a line for each original, for merges."""
    taken = {
        path: {name: value for name, value in asdict(recorded).items() if name != "place"}
        for path, recorded in record.items()
    }
    lines = [f"{_json(path)}: {_json(taken[path])}" for path in sorted(taken)]
    return Artifact.text(RECORD, f'{{"version": {_VERSION}, "taken": {{\n' + ",\n".join(lines) + "\n}}\n")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def sketch_of(text: str) -> str:
    """A short value for the lines of a text: texts with many lines in common have similar ones.

    The smallest hashes of its lines; see "MinHash" (Broder 1997).
    """
    lines = {line for raw in text.split("\n") if len(line := raw.strip()) >= _LINE}
    return " ".join(sorted(f"{crc32(line.encode()):08x}" for line in lines)[:_KEPT])


def alike(sketch: str, other: str, least: float = 0.25) -> bool:
    """Whether the texts of two sketches have about this part of their lines in common."""
    mine, theirs = set(sketch.split()), set(other.split())
    smallest = sorted(mine | theirs)[:_KEPT]
    return bool(smallest) and len(mine & theirs & {*smallest}) >= least * len(smallest)
