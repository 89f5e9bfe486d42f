"""Asks which of several papers is meant; where nobody can be asked, lists them."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence

import click

from paper_notes.commands.terminal import say
from paper_notes.diagnostics import UserError
from paper_notes.features.papers.importer import Choice

_LISTED = 50
"""Papers that are listed at most."""
_LONGEST = 100
"""Characters of a title that are shown."""


def chooser(command: Callable[[str], str]) -> Callable[[Sequence[Choice], UserError], int]:
    """The `choose` of Services. `command` is what to run for one of the papers, by its reference."""

    def choose(choices: Sequence[Choice], problem: UserError) -> int:
        for number, choice in enumerate(choices[:_LISTED], 1):
            say(f"{number:3}  {_line(choice)}")
        if len(choices) > _LISTED:
            say(f"     and {len(choices) - _LISTED} more")
        if not is_terminal():
            hint = f"for the first of them: {command(choices[0].reference)}; {problem.hint}"
            raise UserError(problem.message, hint)
        try:
            answer: int = click.prompt("Which one? 0 for none", type=click.IntRange(0, len(choices)), err=True)
        except click.Abort:
            answer = 0
        if answer == 0:
            raise UserError("no paper was chosen", problem.hint)
        return answer - 1

    return choose


def is_terminal() -> bool:
    """True if somebody can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _line(choice: Choice) -> str:
    title = choice.title if len(choice.title) <= _LONGEST else f"{choice.title[:_LONGEST]}…"
    facts = ", ".join(filter(None, (choice.authors, f"{choice.year}" if choice.year else "")))
    alike = f", {choice.likeness:.0%} alike" if choice.likeness is not None else ""
    return f"{title} ({facts or 'authors unknown'}{alike}): {shlex.quote(choice.reference)}"
