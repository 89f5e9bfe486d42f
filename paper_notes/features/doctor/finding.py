"""What `doctor` finds."""

from __future__ import annotations

from typing import Literal

from paper_notes.values import Struct

Level = Literal["ok", "notice", "serious"]


class DoctorFinding(Struct, frozen=True):
    """Something that is as it should be, something to know, or something serious."""

    level: Level
    about: str
    """`packages`, `local-path`, `large-file` ...: stable, for scripts."""
    message: str
    hint: str = ""
    """How to fix it; empty if nothing needs to be done."""
    path: str = ""
    """The file that it is about, relative to the collection's root; empty if it is about none."""
    line: int = 0
