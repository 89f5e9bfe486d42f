"""What all commands share: their options, how findings and failures are told, and the exit codes."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from paper_notes.diagnostics import Diagnostic

INPUT_WRONG = 1
OUR_BUG = 3
INTERRUPTED = 130
"""What shells give a program that Ctrl-C ended."""

root_option = click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=".",
    show_default="the current folder",
    help="The collection: the folder that holds notes_src/.",
)
jobs_option = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    show_default="one for each processor",
    help="Work with so many processes; 1 starts none.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON on standard output.")


def say_diagnostics(diagnostics: tuple[Diagnostic, ...]) -> None:
    """All findings on standard error, and how many there are."""
    colours = {"error": "red", "warning": "yellow"}
    for diagnostic in diagnostics:
        severity = click.style(f"{diagnostic.severity}[{diagnostic.rule}]", fg=colours[diagnostic.severity], bold=True)
        click.echo(f"{diagnostic.location}: {severity}: {diagnostic.message}", err=True, color=colour())
        if diagnostic.hint:
            click.echo(f"  hint: {diagnostic.hint}", err=True)
    errors = sum(diagnostic.severity == "error" for diagnostic in diagnostics)
    warnings = len(diagnostics) - errors
    counts = [f"{n} {word}{'s' if n > 1 else ''}" for n, word in ((errors, "error"), (warnings, "warning")) if n]
    if counts:
        click.echo(", ".join(counts), err=True)


def colour() -> bool | None:
    """False where the user asked for none; None lets click look at the terminal."""
    return False if os.environ.get("NO_COLOR") else None


def say(words: str) -> None:
    """A line for people."""
    click.echo(words, err=True)


def say_waiting() -> None:
    """Somebody else has the lock of the collection."""
    say("Another run of paper-notes is writing to this collection: waiting until it ends.")


def print_json(**values: object) -> None:
    """The one thing on standard output."""
    click.echo(json.dumps(values, ensure_ascii=False, indent=2))


def fail(message: str, hint: str = "") -> NoReturn:
    """Say what went wrong, and end."""
    click.echo(f"paper-notes: {message}", err=True)
    if hint:
        click.echo(f"  hint: {hint}", err=True)
    sys.exit(INPUT_WRONG)
