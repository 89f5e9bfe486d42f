"""What this package adds to paper-notes. Nothing heavy is imported here: `paper-notes --help` reads it."""

from __future__ import annotations

from paper_notes.extensions import Command, Feature

FEATURE = Feature(
    "lab",
    commands={"longest": Command("paper_notes_lab.longest:longest", "Name the note with the most sections.")},
    components=("paper_notes_lab.protocol:PROTOCOL",),
    formats=("paper_notes_lab.org:ORG",),
)
