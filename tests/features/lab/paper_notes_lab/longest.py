"""`paper-notes longest`."""

from __future__ import annotations

from pathlib import Path

import click

from paper_notes.commands.collection import load_collection
from paper_notes.commands.terminal import json_option, print_json, root_option, tell
from paper_notes.diagnostics import UserError
from paper_notes.document.nodes import Heading
from paper_notes.document.parse import parse


@click.command()
@root_option
@json_option
def longest(root: Path, as_json: bool) -> None:
    """Name the note with the most sections."""
    corpus, _ = load_collection(root)
    sections = {
        note.id: sum(isinstance(node, Heading) for text in note.texts for node in parse(text.text).walk())
        for note in corpus.notes
    }
    if not sections:
        raise UserError("there are no notes", "write one")
    note = max(sections, key=lambda note: sections[note])
    if as_json:
        print_json(note=note, sections=sections[note])
    else:
        tell(f"{note}: {sections[note]}")
