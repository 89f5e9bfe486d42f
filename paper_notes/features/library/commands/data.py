"""`paper-notes export --data`: the whole collection in one file, for other programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import click

from paper_notes.artifacts import Artifact
from paper_notes.commands.terminal import fail, say
from paper_notes.features.library.collection import open_collection
from paper_notes.features.library.values import Data, as_json, json_schema
from paper_notes.output.disk import apply_whole, compare

_LISTS = ("notes", "papers", "terms", "numbers")


def export_data(root: Path, target: Path, *, force: bool, drafts: bool) -> None:
    """Write the collection as the ending of the file's name says it, or the JSON Schema of both forms."""
    if target.name.endswith(".schema.json"):
        text = json.dumps(json_schema(), ensure_ascii=False, indent=2) + "\n"
    elif target.suffix == ".jsonl":
        text = "".join(_lines(open_collection(root, drafts=drafts).data))
    elif target.suffix == ".json":
        data = json.loads(as_json(open_collection(root, drafts=drafts).data))
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    else:
        fail("--data writes .json, .jsonl or .schema.json", "end the name of the file with one of these")
    plan = compare(target.parent, [Artifact.text(PurePosixPath(target.name), text)])
    if plan.update and not force:
        fail(f"{click.format_filename(target)} is there already", "add --force, or name another file")
    apply_whole(target.parent, plan)
    say(f"Written: {click.format_filename(target)}")


def _lines(data: Data) -> Iterator[str]:
    """A line for each note, paper, term and number, with its `type`."""
    for name in _LISTS:
        for value in getattr(data, name):
            line = json.loads(as_json(value))
            yield json.dumps({"type": name.removesuffix("s"), **line}, ensure_ascii=False) + "\n"
