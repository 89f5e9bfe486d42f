"""`paper-notes build` and `check`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from paper_notes.cli.terminal import INPUT_WRONG, fail, json_option, print_json, root_option, say_diagnostics

if TYPE_CHECKING:
    from paper_notes.output.plan import Plan


@click.command()
@root_option
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit 1 if something would be written.")
@json_option
def build(root: Path, only_check: bool, as_json: bool) -> None:
    """Bring site/ and the README tables up to date with notes_src/."""
    from paper_notes.build import build as run
    from paper_notes.output.disk import OutputProblem, apply

    try:
        result = run(root)
        if result.plan and not only_check:
            apply(root, result.plan)
    except OutputProblem as problem:
        fail(str(problem))
    say_diagnostics(result.diagnostics)
    plan = result.plan
    if as_json:
        print_json(
            diagnostics=[diagnostic.as_json() for diagnostic in result.diagnostics],
            created=[str(artifact.path) for artifact in plan.create] if plan else [],
            updated=[str(artifact.path) for artifact in plan.update] if plan else [],
            deleted=[str(path) for path in plan.delete] if plan else [],
            unchanged=len(plan.unchanged) if plan else 0,
            written=bool(plan and not only_check and not plan.empty),
        )
    if plan is None:
        fail("nothing was written")
    if plan.empty:
        click.echo(f"{_notes(result.notes)}: everything is up to date, nothing to write.", err=True)
    elif only_check:
        _say_difference(plan)
        fail("the site is not what its sources say; run `paper-notes build`")
    else:
        counts = f"{len(plan.create)} created, {len(plan.update)} updated, {len(plan.delete)} deleted"
        click.echo(f"{_notes(result.notes)}: {counts}, {len(plan.unchanged)} unchanged.", err=True)
        click.echo(f"Open {click.format_filename(root / 'site' / 'index.html')}", err=True)


def _say_difference(plan: Plan) -> None:
    updated = [artifact.path for artifact in (*plan.update, *((plan.manifest,) if plan.manifest else ()))]
    created = [artifact.path for artifact in plan.create]
    for word, paths in (("create", created), ("update", updated), ("delete", plan.delete)):
        for path in paths:
            click.echo(f"would {word} {path}", err=True)


@click.command()
@root_option
@json_option
def check(root: Path, as_json: bool) -> None:
    """Say everything that is wrong with the collection, and write nothing."""
    from paper_notes.build import build as run
    from paper_notes.output.disk import OutputProblem

    try:
        result = run(root)
    except OutputProblem as problem:
        fail(str(problem))
    say_diagnostics(result.diagnostics)
    if as_json:
        print_json(diagnostics=[diagnostic.as_json() for diagnostic in result.diagnostics])
    if result.plan is None:
        sys.exit(INPUT_WRONG)
    if not result.diagnostics:
        click.echo(f"{_notes(result.notes)}: nothing is wrong.", err=True)


def _notes(count: int) -> str:
    return "1 note" if count == 1 else f"{count} notes"
