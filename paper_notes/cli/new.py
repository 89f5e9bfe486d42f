"""`paper-notes new`."""

from __future__ import annotations

import datetime
import os
from pathlib import Path

import click

from paper_notes.cli.terminal import fail, json_option, print_json, root_option, say_diagnostics


@click.command()
@click.argument("paper")
@click.option("--topic", required=True, help="The topic's folder below notes_src/.")
@click.option("--name", help="A short name for the folder and the page, such as ReSpec.")
@click.option("--offline", is_flag=True, help="Ask nobody: fill in what the id itself tells.")
@root_option
@json_option
def new(paper: str, topic: str, name: str | None, offline: bool, root: Path, as_json: bool) -> None:
    """Start a note on the arXiv paper PAPER: 2510.26475, arXiv:2510.26475v2, cs/0112017, or its address."""
    from paper_notes.corpus.load import load
    from paper_notes.diagnostics import has_errors, in_file_order
    from paper_notes.importers.arxiv import API_URL, ImportProblem, fetch, offline_draft, parse_arxiv_id
    from paper_notes.output.disk import OutputProblem, apply, compare
    from paper_notes.scaffold import ScaffoldProblem, check_target, scaffold
    from paper_notes.sources.tree import read_tree

    reference = parse_arxiv_id(paper)
    if reference is None:
        fail(f'"{paper}" is no arXiv id', "write it like 2510.26475, arXiv:2510.26475v2, cs/0112017 or its address")
    sources, unreadable = read_tree(root)
    corpus, mistakes = load(sources)
    problems = in_file_order([*unreadable, *mistakes])
    if corpus is None or has_errors(problems):
        say_diagnostics(problems)
        fail("the collection has errors; mend them first. Nothing was written")
    try:
        check_target(corpus, reference.id, topic=topic, name=name)
        if offline:
            draft = offline_draft(reference)
        else:
            click.echo(f"Asking arXiv for {reference} ...", err=True)
            draft = fetch(reference, base_url=os.environ.get("PAPER_NOTES_ARXIV_URL") or API_URL)
        today = datetime.date.today()  # noqa: DTZ011 -- the day on the user's own calendar
        artifacts = scaffold(corpus, sources, draft, topic=topic, name=name, today=today)
        plan = compare(root, artifacts)
        apply(root, plan)
    except (ImportProblem, ScaffoldProblem) as problem:
        fail(f"{problem.message}. Nothing was written", problem.hint)
    except OutputProblem as problem:
        fail(str(problem))
    if as_json:
        created, updated = ([str(artifact.path) for artifact in part] for part in (plan.create, plan.update))
        print_json(created=created, updated=updated)
        return
    for word, part in (("created", plan.create), ("updated", plan.update)):
        for artifact in part:
            click.echo(f"{word} {click.format_filename(root / artifact.path)}", err=True)
