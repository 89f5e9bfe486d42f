"""Findings in pages, at the place in the collection's own template or style sheet that they come from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePosixPath

from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.render.links import SITE
from paper_notes.render.theme.theme import ThemeFiles


def in_own_files(problems: Iterable[Diagnostic], files: ThemeFiles) -> list[Diagnostic]:
    """The findings; those about an address in a page are where one of the collection's own files has it.

    What a style sheet loads, all pages load: there it is one finding.
    """
    if not files.own:
        return list(problems)
    texts = {name: _text(name, files) for name in files.own}
    moved = [_moved(problem, texts) for problem in problems]
    return list(dict.fromkeys(moved))


def _text(name: str, files: ThemeFiles) -> str:
    folder, _, rest = name.partition("/")
    if folder == "templates":
        return files.templates.get(rest, "")
    return files.assets[rest].decode(errors="replace") if rest.endswith((".css", ".js")) else ""


def _moved(problem: Diagnostic, texts: dict[str, str]) -> Diagnostic:
    kind, _, address = problem.about.partition(" ")
    if kind != "address" or not address or not problem.location.path.is_relative_to(SITE):
        return problem
    for name, text in texts.items():
        if (offset := text.find(address)) >= 0:
            line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
            return replace(problem, location=Location(PurePosixPath(name), line, column))
    return problem
