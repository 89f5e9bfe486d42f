"""Diagnostics, in which every stage reports what is wrong, where, by which rule, how to fix it, how much it matters."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Literal

from paper_notes.values import Struct, field, replace

Severity = Literal["error", "warning"]
RuleId = Literal[
    # files
    "no-collection",
    "unreadable-file",
    "outside-collection",
    "file-too-large",
    "invalid-utf8",
    "control-character",
    "merge-conflict",
    "doubtful-text",
    "yaml-syntax",
    "yaml-too-deep",
    "yaml-too-large",
    "duplicate-key",
    "unknown-key",
    "missing-key",
    "bad-value",
    "list-as-text",
    "missing-topic-file",
    "unknown-topic",
    "unlisted-topic",
    "left-out-file",
    "duplicate-tag",
    # notes
    "note-without-number",
    "bad-topic-name",
    "bad-note-name",
    "duplicate-number",
    "duplicate-entry",
    "taken-address",
    "moved-note",
    "missing-note-file",
    "note-without-text",
    "missing-front-matter",
    "unlisted-language",
    "unknown-language",
    "missing-words",
    "missing-translation",
    "tag-variant",
    "dangling-reference",
    "draft-reference",
    "plain-reference",
    "unknown-bibkey",
    "circular-excerpt",
    "unknown-anchor",
    "local-link",
    "duplicate-id",
    "bad-id",
    "heading-level",
    "empty-heading",
    "footnote-in-heading",
    "section-order",
    "section-mismatch",
    "outdated-translation",
    "stale-record",
    # text
    "bad-tex",
    "lost-formula",
    "lost-syntax",
    "wrong-arithmetic",
    "published-comment",
    "unclosed-fence",
    "table-cells",
    "unused-footnote",
    "unused-definition",
    "too-deep",
    "too-tangled",
    "unknown-component",
    "unclosed-component",
    "stray-component-end",
    "unknown-option",
    "bad-component",
    "unknown-class",
    "inconsistent-term",
    "unknown-code-language",
    "html-not-allowed",
    "missing-image",
    "remote-image",
    "bad-image",
    "large-image",
    "missing-alt",
    "bad-svg",
    "missing-extra",
    "bad-diagram",
    "stopped-diagram",
    "stopped-code",
    # bibtex
    "missing-bibkey",
    "bad-bibkey",
    "duplicate-bibkey",
    "duplicate-paper",
    "missing-field",
    "duplicate-field",
    "missing-comma",
    "unclosed-brace",
    "unclosed-quote",
    "unexpected-text",
    "unread-text",
    "undefined-bib-string",
    "crossref-cycle",
    "unknown-bib-type",
    "ignored-preamble",
    "bad-name",
    "bad-arxiv-id",
    "bad-doi",
    "bad-url",
    "bad-date",
    "bad-year",
    "bad-month",
    "bad-day",
    # pdf
    "bad-pdf",
    "damaged-pdf",
    "wrong-pdf",
    "unknown-pdf",
    "pdf-without-text",
    "missing-pdf",
    "unknown-figure",
    "bad-crop",
    "changed-crop",
    "unused-crop",
    "stale-cells",
    # facts
    "fact-not-found",
    "fact-elsewhere",
    "fact-differs",
    "unknown-cell",
    "quotation-differs",
    "languages-differ",
    "paper-differs",
    "unread-paper",
    # site
    "readme-markers",
    "low-contrast",
    "taken-path",
    "bad-template",
    "unused-theme-file",
    "dead-link",
    "unportable-path",
    "page-loads-file",
]
"""The rules that a diagnostic can name. Ids are stable: users search for them, and filter by them in scripts.

Each has its text in `rules/` and an example in `tests/rules/`, in this order.
"""


class Location(Struct, frozen=True, order=True):
    """A place in a source file. `path` is relative to the collection's root; line and column count from 1."""

    path: PurePosixPath
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclasses.dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. `hint` says how to fix it (may be empty)."""

    location: Location
    rule: RuleId
    message: str
    hint: str = ""
    severity: Severity = "error"
    about: str = dataclasses.field(default="", compare=False)
    """`note rl/#7`, `paper li2024tea`, `address a.png`: what is missing, for later stages that know a better hint."""

    def __post_init__(self) -> None:
        """Join lines: quotations from a file may have several, but a message is one line and a hint another."""
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


class UserError(Exception):
    """A command cannot do what it was asked to: what is wrong, and what the user can do. `cli` shows it and exits 1."""

    def __init__(self, message: str, hint: str = "", diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        """`diagnostics` are the problems in the files that caused it; they are shown first."""
        super().__init__(message)
        self.message, self.hint, self.diagnostics = message, hint, diagnostics


@contextmanager
def naming(place: object) -> Iterator[None]:
    """Let an error that nobody foresaw name the file or page that was being worked on, see `our_bug`."""
    try:
        yield
    except Exception as error:
        error.add_note(str(place))
        raise


def our_bug(error: Exception) -> str:
    """The sentence for an error that nobody foresaw, with the innermost place where it came up."""
    places = getattr(error, "__notes__", ())
    where = f"{places[0]}: " if places else ""
    return f"{where}this is a bug of ours, not yours: {type(error).__name__}: {error}"


def in_file_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Diagnostics sorted by path, line and column, without duplicates."""
    unique = dict.fromkeys(diagnostics)
    return tuple(sorted(unique, key=lambda d: (d.location, d.rule, d.message)))


NOWHERE = Location(PurePosixPath())
"""Replaces a location in values that must not depend on it."""


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether any of them must stop the build."""
    return any(d.severity == "error" for d in diagnostics)


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """A hint naming the closest known word, or all of them when they are few, or nothing."""
    options = sorted(set(known))
    if close := closest(wrong, options):
        return f'did you mean "{close}"?'
    known_ones = ", ".join(options)
    return f"known: {known_ones}" if known_ones and len(options) <= 30 and len(known_ones) <= 500 else ""


MAX_WORD = 200
"""Characters of the longest word that is compared: the time for one comparison grows with their square."""


_SIMILAR = 0.65
"""Of the characters of both words; with fewer in common, as `lang` and `rating` have, a suggestion misleads."""
_BEGINNING = 3
"""Characters of a word that is taken for the beginning of a longer one."""


def closest(wrong: str, known: Iterable[str]) -> str:
    """The known word that is most similar to the wrong one, or an empty text."""
    if len(wrong) > MAX_WORD:
        return ""
    wrong, lowered = wrong.lower(), {option.lower(): option for option in sorted(set(known))}
    longer = [option for option in lowered if option.startswith(wrong)] if len(wrong) >= _BEGINNING else []
    close = difflib.get_close_matches(wrong, longer or lowered, n=1, cutoff=0 if longer else _SIMILAR)
    return lowered[close[0]] if close else ""


class Suggestions:
    """Hints from `did_you_mean`, up to a limit on comparisons: each hint compares a word with all known ones.

    Without a limit, a file with thousands of wrong words takes too long.
    """

    MAX_COMPARISONS = 200_000
    """Comparisons of short words; one of long words counts as several."""

    def __init__(self) -> None:
        self._left = self.MAX_COMPARISONS

    def did_you_mean(self, wrong: str, known: Collection[str]) -> str:
        """Like the function of this name; an empty text once the limit is reached."""
        return did_you_mean(wrong, known) if self._afford(wrong, known) else ""

    def closest(self, wrong: str, known: Collection[str]) -> str:
        """Like the function of this name; an empty text once the limit is reached."""
        return closest(wrong, known) if self._afford(wrong, known) else ""

    def _afford(self, wrong: str, known: Collection[str]) -> bool:
        within_limit = self._left > 0
        self._left -= len(known) * (1 + len(wrong) ** 2 // 64)
        return within_limit


Level = Literal["error", "warning", "off"]
_SAFE = (
    "outside-collection control-character file-too-large html-not-allowed published-comment remote-image bad-image "
    "bad-svg page-loads-file taken-path bad-template readme-markers unportable-path"
)
"""Rules that keep pages safe: what they find would harm readers, or publish or overwrite what must not be."""
_WHOLE = (
    "no-collection unreadable-file invalid-utf8 yaml-syntax yaml-too-deep yaml-too-large duplicate-key missing-key "
    "bad-value bad-topic-name bad-note-name too-deep too-tangled missing-comma unclosed-brace unclosed-quote "
    "unexpected-text crossref-cycle"
)
"""Rules about what cannot be read: nobody can say what the page would be."""
FIXED: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(_SAFE.split(), "it keeps pages safe"),
        **dict.fromkeys(_WHOLE.split(), "what it finds cannot be read, so there is nothing to go on with"),
    }
)
"""The rules whose severity cannot be set, and why."""
EVERYWHERE = PurePosixPath()


class Severities(Struct, frozen=True):
    """The levels that a collection gives to rules, by folder; a rule that it does not name keeps its own."""

    by_folder: Mapping[PurePosixPath, Mapping[RuleId, Level]] = field(default_factory=dict)
    """From the root of the collection; `EVERYWHERE` for all files. Of the folders around a file the deepest counts."""
    strict: bool = False
    """Whether a warning is an error."""

    def judged(self, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """The findings with their severities, without those of rules that are off."""
        if not self.by_folder and not self.strict:
            return tuple(diagnostics)
        return tuple(diagnostic for diagnostic in map(self._judged, diagnostics) if diagnostic)

    def _judged(self, diagnostic: Diagnostic) -> Diagnostic | None:
        level = self._level(diagnostic)
        if level == "off":
            return None
        severity = "error" if self.strict else level
        return diagnostic if severity == diagnostic.severity else replace(diagnostic, severity=severity)

    def _level(self, diagnostic: Diagnostic) -> Level:
        if diagnostic.rule not in FIXED:
            for folder in (*diagnostic.location.path.parents, EVERYWHERE):
                if level := self.by_folder.get(folder, {}).get(diagnostic.rule):
                    return level
        return diagnostic.severity


NO_SEVERITIES = Severities()
"""Where each rule keeps its own."""
