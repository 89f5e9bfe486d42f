"""What is wrong, where, by which rule, and how to fix it: the one way every stage speaks to the user."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in a source file. `path` is relative to the collection's root; line and column count from 1."""

    path: PurePosixPath
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `rule` is a stable kebab-case id, `hint` says how to mend it (may be empty)."""

    location: Location
    rule: str
    message: str
    hint: str = ""
    severity: Severity = "error"

    def __post_init__(self) -> None:
        """What is quoted from a file may hold line ends; a finding is one line and one of hint."""
        for name in ("message", "hint"):
            lines = getattr(self, name).splitlines()
            if len(lines) > 1:
                object.__setattr__(self, name, " ".join(filter(None, map(str.strip, lines))))

    def __str__(self) -> str:
        text = f"{self.location}: {self.severity}[{self.rule}]: {self.message}"
        return f"{text}\n  hint: {self.hint}" if self.hint else text

    def as_json(self) -> dict[str, str | int]:
        """The finding as a flat JSON object, for `--json`."""
        return {
            "path": str(self.location.path),
            "line": self.location.line,
            "column": self.location.column,
            "rule": self.rule,
            "severity": self.severity,
            "message": self.message,
            "hint": self.hint,
        }


def in_file_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sorted by path, line and column; what was said twice is said once."""
    unique = dict.fromkeys(diagnostics)
    return tuple(sorted(unique, key=lambda d: (d.location, d.rule, d.message)))


NOWHERE = Location(PurePosixPath())
"""In the place of one that is left out because nothing may depend on it."""


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """True if any finding must stop the build."""
    return any(d.severity == "error" for d in diagnostics)


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """A hint naming the closest known word, or all of them when they are few, or nothing."""
    options = sorted(set(known))
    if close := closest(wrong, options):
        return f'did you mean "{close}"?'
    known_ones = ", ".join(options)
    return f"known: {known_ones}" if known_ones and len(options) <= 20 and len(known_ones) <= 500 else ""


MAX_WORD = 200
"""Characters of a word for which another one is looked for: to compare two takes the square of that."""


def closest(wrong: str, known: Iterable[str]) -> str:
    """The known word that is most like the wrong one, or nothing."""
    if len(wrong) > MAX_WORD:
        return ""
    lowered = {option.lower(): option for option in sorted(set(known))}
    close = difflib.get_close_matches(wrong.lower(), lowered, n=1, cutoff=0.6)
    return lowered[close[0]] if close else ""


class Suggestions:
    """Hints as `did_you_mean` gives them, but not without end: each compares a word with all known ones.

    A file in which thousands of words are wrong is mended by other means than by thousands of hints.
    """

    MAX_COMPARISONS = 200_000
    """Of short words; one with the longer ones takes as long as many."""

    def __init__(self) -> None:
        self._left = self.MAX_COMPARISONS

    def did_you_mean(self, wrong: str, known: Iterable[str]) -> str:
        """As the function of this name; nothing when there were too many."""
        return did_you_mean(wrong, options) if (options := self._affordable(wrong, known)) else ""

    def closest(self, wrong: str, known: Iterable[str]) -> str:
        """As the function of this name; nothing when there were too many."""
        return closest(wrong, options) if (options := self._affordable(wrong, known)) else ""

    def _affordable(self, wrong: str, known: Iterable[str]) -> Collection[str]:
        if self._left <= 0:
            return ()
        options = known if isinstance(known, Collection) else tuple(known)
        self._left -= len(options) * (1 + len(wrong) ** 2 // 64)
        return options
