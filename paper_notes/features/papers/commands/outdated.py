"""`paper-notes lookup` without a note: what arXiv has that is newer."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from paper_notes.commands.collection import load_collection
from paper_notes.commands.terminal import (
    INPUT_WRONG,
    plain,
    print_json,
    say,
    tell,
)
from paper_notes.diagnostics import UserError
from paper_notes.features.papers.commands.services import ask_arxiv, say_failures
from paper_notes.features.papers.outdated import findings, preprints, rows

_FRESH = 3600.0
"""Seconds for which a cached answer of arXiv is used."""


def report_outdated(root: Path, *, only_check: bool, as_json: bool) -> None:
    """Print which papers of the collection have new versions, have been published, or were withdrawn."""
    corpus, _ = load_collection(root)
    known = preprints(corpus)
    answers = ask_arxiv(root, [preprint.arxiv for preprint in known], instead="", fresh=_FRESH)
    failed = {arxiv: answer for arxiv, answer in answers.items() if isinstance(answer, UserError)}
    drafts = {arxiv: answer for arxiv, answer in answers.items() if not isinstance(answer, UserError)}
    changes = findings(known, drafts)
    if as_json:
        print_json(
            outdated=[finding.as_json() for finding in changes],
            failed=[
                {"key": preprint.paper.key, "arxiv": preprint.arxiv, "message": failed[preprint.arxiv].message}
                for preprint in known
                if preprint.arxiv in failed
            ],
            asked=len(known),
        )
    elif changes:
        _print_table(rows(changes))
    say_failures((preprint.paper.key, failed[preprint.arxiv]) for preprint in known if preprint.arxiv in failed)
    unknown = sum(preprint.paper.version is None and preprint.since is None for preprint in known)
    if unknown:
        say(f"{unknown} of them have neither a version nor a note: newer versions of those cannot be found.")
    say(f"Papers on arXiv: {len(known)}; answers: {len(drafts)}; outdated: {len(changes)}.")
    if failed or (only_check and changes):
        sys.exit(INPUT_WRONG)


def _print_table(rows: Iterable[tuple[str, str, str]]) -> None:
    """Print a table on a terminal; else one line per paper, its columns separated by tabs."""
    if not sys.stdout.isatty():
        for row in rows:
            tell(*row)
        return
    table = Table("paper", "what is new", "notes")
    for row in rows:
        table.add_row(*(Text(plain(field)) for field in row))
    Console().print(table)
