"""How much each finding matters, by rule and by folder: applied to findings, so that no page depends on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Literal

from paper_notes.diagnostics import Diagnostic, RuleId

Level = Literal["error", "warning", "off"]
SAFE: frozenset[RuleId] = frozenset(
    {
        "outside-collection",
        "control-character",
        "file-too-large",
        "html-not-allowed",
        "published-comment",
        "remote-image",
        "bad-image",
        "bad-svg",
        "page-loads-file",
        "taken-path",
        "bad-template",
        "readme-markers",
        "unportable-path",
    }
)
"""Rules that keep pages safe: what they find would harm readers, or publish or overwrite what must not be."""
WHOLE: frozenset[RuleId] = frozenset(
    {
        "no-collection",
        "unreadable-file",
        "invalid-utf8",
        "yaml-syntax",
        "yaml-too-deep",
        "yaml-too-large",
        "duplicate-key",
        "missing-key",
        "bad-value",
        "bad-topic-name",
        "bad-note-name",
        "too-deep",
        "too-tangled",
        "missing-comma",
        "unclosed-brace",
        "unclosed-quote",
        "unexpected-text",
        "crossref-cycle",
    }
)
"""Rules about what cannot be read: nobody can say what the page would be."""
FIXED: Mapping[RuleId, str] = MappingProxyType(
    {
        **dict.fromkeys(SAFE, "it keeps pages safe"),
        **dict.fromkeys(WHOLE, "what it finds cannot be read, so there is nothing to go on with"),
    }
)
"""The rules whose severity cannot be set, and why."""
EVERYWHERE = PurePosixPath()


@dataclass(frozen=True, slots=True)
class Severities:
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
