"""What `doctor` finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "notice", "serious"]


@dataclass(frozen=True, slots=True)
class DoctorFinding:
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
