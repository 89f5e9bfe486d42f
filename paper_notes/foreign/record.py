"""`notes_src/.imported.json`: what was taken in from where, so that it can be done again without old copies."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import PurePosixPath
from typing import Any

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import BASE
from paper_notes.diagnostics import UserError

RECORD = BASE / ".imported.json"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Taken:
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
    place: str = ""
    """Ten hex digits of the folder's path on the machine that took it in: others may be called the same."""


Record = Mapping[str, Taken]
"""By the path of the original, which begins with the name of the folder that was named."""


def read_record(data: bytes | None) -> Record:
    """The record in a file; empty if there is none. Raises UserError for one that cannot be read."""
    if data is None:
        return {}
    try:
        value = json.loads(data)
        if value["version"] != _VERSION:
            raise ValueError(value["version"])
        return {path: Taken(**one) for path, one in value["taken"].items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        hint = "restore it from git; without it, what you have changed cannot be told from what was imported"
        raise UserError(f"{RECORD} cannot be read", hint) from error


def record_file(record: Record) -> Artifact:
    """The record as a file: a line for each original, for merges."""
    lines = [f"{_json(path)}: {_json(asdict(record[path]))}" for path in sorted(record)]
    return Artifact.text(RECORD, f'{{"version": {_VERSION}, "taken": {{\n' + ",\n".join(lines) + "\n}}\n")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def key_of(folder: str, path: PurePosixPath) -> str:
    """How the record names an original: by the folder that was named, and its path there."""
    return f"{folder}/{path}" if folder else str(path)


def places_in(record: Record, folder: str) -> dict[PurePosixPath, PurePosixPath]:
    """The folders of notes by the paths of their originals below the folder of this name."""
    start = f"{folder}/" if folder else ""
    return {
        PurePosixPath(path.removeprefix(start)): BASE / one.note
        for path, one in record.items()
        if path.startswith(start) and one.note
    }
