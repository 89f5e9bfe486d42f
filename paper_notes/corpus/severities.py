"""Reads `rules:` of `site.yaml`: how much findings matter in this collection, or in a folder of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import get_args

from paper_notes.diagnostics import EVERYWHERE, FIXED, Diagnostic, Level, RuleId, Severities, Suggestions
from paper_notes.sources.tree import SOURCE_FOLDER
from paper_notes.sources.yaml import Path, YamlDocument

_BASE = PurePosixPath(SOURCE_FOLDER)
_RULES: Mapping[str, RuleId] = {rule: rule for rule in get_args(RuleId)}
_LEVELS: Mapping[str, Level] = {"error": "error", "warning": "warning", "off": "off"}
_FORM = "write `lost-syntax: off`, or `models/: {lost-syntax: off}` for a folder"


def read_severities(document: YamlDocument, paths: Iterable[PurePosixPath], problems: list[Diagnostic]) -> Severities:
    """The levels that `rules:` sets, and what is wrong there. A key that ends in `/` is a folder of notes_src."""
    values = document.value.get("rules") if isinstance(document.value, dict) else None
    if not isinstance(values, dict):
        return Severities()
    suggestions = Suggestions()
    folders = {f"{folder.relative_to(_BASE)}/": folder for path in paths for folder in path.parents[:-2]}
    everywhere = {key: given for key, given in values.items() if key[-1:] != "/"}
    by_folder = {EVERYWHERE: _levels(document, ("rules",), everywhere, suggestions, problems)}
    for key, given in values.items():
        if key in everywhere:
            continue
        if folder := folders.get(str(PurePosixPath(key)) + "/"):
            by_folder[folder] = _levels(document, ("rules", key), given, suggestions, problems)
        else:
            message, hint = f'there is no folder "{key}" in {_BASE}', suggestions.did_you_mean(key, folders)
            problems.append(document.finding(("rules", key), "bad-value", message, hint, key=True))
    return Severities({folder: levels for folder, levels in by_folder.items() if levels})


def _levels(
    document: YamlDocument, at: Path, given: object, suggestions: Suggestions, problems: list[Diagnostic]
) -> Mapping[RuleId, Level]:
    if not isinstance(given, dict):
        message = f"`{at[-1]}` must be a mapping of rules to severities"
        problems.append(document.finding(at, "bad-value", message, _FORM))
        return {}
    levels: dict[RuleId, Level] = {}
    for name, value in given.items():
        if name not in _RULES:
            hint = suggestions.did_you_mean(name, _RULES) or "`paper-notes explain` lists all rules"
            message = f'there is no rule "{name}"'
            problems.append(document.finding((*at, name), "unknown-key", message, hint, key=True))
        elif not isinstance(value, str) or value not in _LEVELS:
            shown = f'"{value[:60]}"' if isinstance(value, str) else "this"
            message = f"`{name}` cannot be {shown}"
            problems.append(document.finding((*at, name), "bad-value", message, "known: error, warning, off"))
        elif name in FIXED:
            message = f"the severity of `{name}` cannot be set: {FIXED[name]}"
            problems.append(document.finding((*at, name), "bad-value", message, "delete the line", key=True))
        else:
            levels[_RULES[name]] = _LEVELS[value]
    return levels
