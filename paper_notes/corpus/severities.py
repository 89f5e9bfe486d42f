"""Reads `rules:` of `site.yaml`: how much findings matter in this collection, or in a folder of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import get_args

from paper_notes.diagnostics import (
    EVERYWHERE,
    FIXED,
    Diagnostic,
    Level,
    RuleId,
    Severities,
    Suggestions,
)
from paper_notes.sources.tree import SOURCE_FOLDER
from paper_notes.sources.yaml import Path, YamlDocument

_RULES: Mapping[str, RuleId] = {rule: rule for rule in get_args(RuleId)}
_LEVELS: Mapping[str, Level] = {"error": "error", "warning": "warning", "off": "off"}
_FORM = "write `lost-syntax: off`, or `models/: {lost-syntax: off}` for a folder"


def read_severities(document: YamlDocument, paths: Iterable[PurePosixPath], problems: list[Diagnostic]) -> Severities:
    """The levels that `rules:` sets, and what is wrong there. A key that ends in `/` is a folder of notes_src."""
    values = document.value.get("rules") if isinstance(document.value, dict) else None
    if not isinstance(values, dict):
        return Severities()
    reader = _Reader(document, problems)
    folders = {folder for path in paths for folder in path.parents}
    by_folder: dict[PurePosixPath, Mapping[RuleId, Level]] = {}
    by_folder[EVERYWHERE] = reader.levels(("rules",), {key: given for key, given in values.items() if key[-1:] != "/"})
    for key, given in values.items():
        if key[-1:] == "/" and (folder := reader.folder(key, folders)):
            by_folder[folder] = reader.levels(("rules", key), given)
    return Severities({folder: levels for folder, levels in by_folder.items() if levels})


class _Reader:
    def __init__(self, document: YamlDocument, problems: list[Diagnostic]) -> None:
        self._document, self._problems, self._suggestions = document, problems, Suggestions()

    def folder(self, key: str, known: set[PurePosixPath]) -> PurePosixPath | None:
        """The folder from the root of the collection."""
        folder = PurePosixPath(SOURCE_FOLDER, key)
        if folder in known and folder != PurePosixPath(SOURCE_FOLDER):
            return folder
        names = (f"{path.relative_to(SOURCE_FOLDER)}/" for path in known if len(path.parts) > 1)
        hint = self._suggestions.did_you_mean(key, names)
        self._say(("rules", key), "bad-value", f'there is no folder "{key}" in {SOURCE_FOLDER}', hint, key=True)
        return None

    def levels(self, at: Path, given: object) -> Mapping[RuleId, Level]:
        if not isinstance(given, dict):
            self._say(at, "bad-value", f"`{at[-1]}` must be a mapping of rules to severities", _FORM)
            return {}
        return {rule: level for name, value in given.items() for rule, level in self._one((*at, name), name, value)}

    def _one(self, at: Path, name: str, value: object) -> Iterable[tuple[RuleId, Level]]:
        rule = _RULES.get(name)
        if rule is None:
            hint = self._suggestions.did_you_mean(name, _RULES) or "`paper-notes explain` lists all rules"
            self._say(at, "unknown-key", f'there is no rule "{name}"', hint, key=True)
        elif not isinstance(value, str) or value not in _LEVELS:
            shown = f'"{value[:60]}"' if isinstance(value, str) else "this"
            self._say(at, "bad-value", f"`{name}` cannot be {shown}", "known: error, warning, off")
        elif rule in FIXED:
            self._say(
                at, "bad-value", f"the severity of `{name}` cannot be set: {FIXED[rule]}", "delete the line", key=True
            )
        else:
            yield rule, _LEVELS[value]

    def _say(self, at: Path, rule: RuleId, message: str, hint: str, *, key: bool = False) -> None:
        self._problems.append(Diagnostic(self._document.location(at, key=key), rule, message, hint))
