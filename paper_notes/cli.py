"""The command line: words on the terminal and exit codes, nothing else."""

from __future__ import annotations

import dataclasses
import datetime
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from paper_notes import __version__

if TYPE_CHECKING:
    from paper_notes.diagnostics import Diagnostic
    from paper_notes.output.plan import Plan

INPUT_WRONG = 1
OUR_BUG = 3

_root = click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=".",
    show_default="the current folder",
    help="The collection: the folder that holds notes_src/.",
)
_json = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON on standard output.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="paper-notes")
def main() -> None:
    """Keep a bilingual collection of paper notes, and make a site of it that opens anywhere."""


@main.command()
@_root
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit 1 if something would be written.")
@_json
def build(root: Path, only_check: bool, as_json: bool) -> None:
    """Bring site/ and the README tables up to date with notes_src/."""
    from paper_notes.build import build as run
    from paper_notes.output.disk import OutputProblem, apply
    from paper_notes.sources.tree import SourceChanged

    try:
        result = run(root)
        if result.plan and not only_check:
            apply(root, result.plan)
    except (OutputProblem, SourceChanged) as problem:
        _fail(str(problem))
    _say_diagnostics(result.diagnostics)
    plan = result.plan
    if as_json:
        _print_json(
            diagnostics=[diagnostic.as_json() for diagnostic in result.diagnostics],
            created=[str(artifact.path) for artifact in plan.create] if plan else [],
            updated=[str(artifact.path) for artifact in plan.update] if plan else [],
            deleted=[str(path) for path in plan.delete] if plan else [],
            unchanged=len(plan.unchanged) if plan else 0,
            written=bool(plan and not only_check and not plan.empty),
        )
    if plan is None:
        _fail("nothing was written")
    if plan.empty:
        click.echo(f"{_notes(result.notes)}: everything is up to date, nothing to write.", err=True)
    elif only_check:
        _say_difference(plan)
        _fail("the site is not what its sources say; run `paper-notes build`")
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


@main.command()
@_root
@_json
def check(root: Path, as_json: bool) -> None:
    """Say everything that is wrong with the collection, and write nothing."""
    from paper_notes.build import build as run
    from paper_notes.output.disk import OutputProblem
    from paper_notes.sources.tree import SourceChanged

    try:
        result = run(root)
    except (OutputProblem, SourceChanged) as problem:
        _fail(str(problem))
    _say_diagnostics(result.diagnostics)
    pdfs = result.pdf_bytes
    if as_json:
        found = [diagnostic.as_json() for diagnostic in result.diagnostics]
        _print_json(diagnostics=found, pdfs=dataclasses.asdict(pdfs))
    if result.plan is None:
        sys.exit(INPUT_WRONG)
    if pdfs.published:
        click.echo(f"{_pdfs(pdfs.published)} published: the site gains {pdfs.published_bytes:,} bytes.", err=True)
    if pdfs.others:
        words = f"{_pdfs(pdfs.others)} at hand and not published"
        click.echo(f"{words}: `publish_pdf: true` would add {pdfs.other_bytes:,} bytes.", err=True)
    if not result.diagnostics:
        click.echo(f"{_notes(result.notes)}: nothing is wrong.", err=True)


@main.command()
@click.argument("paper")
@click.option("--topic", required=True, help="The topic's folder below notes_src/.")
@click.option("--name", help="A short name for the folder and the page, such as ReSpec.")
@click.option("--offline", is_flag=True, help="Ask nobody: fill in what the id itself tells.")
@_root
@_json
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
        _fail(f'"{paper}" is no arXiv id', "write it like 2510.26475, arXiv:2510.26475v2, cs/0112017 or its address")
    sources, unreadable = read_tree(root)
    corpus, mistakes = load(sources)
    problems = in_file_order([*unreadable, *mistakes])
    if corpus is None or has_errors(problems):
        _say_diagnostics(problems)
        _fail("the collection has errors; mend them first. Nothing was written")
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
        _fail(f"{problem.message}. Nothing was written", problem.hint)
    except OutputProblem as problem:
        _fail(str(problem))
    if as_json:
        created, updated = ([str(artifact.path) for artifact in part] for part in (plan.create, plan.update))
        _print_json(created=created, updated=updated)
        return
    for word, part in (("created", plan.create), ("updated", plan.update)):
        for artifact in part:
            click.echo(f"{word} {click.format_filename(root / artifact.path)}", err=True)


@main.command()
@click.argument("note")
@click.argument("sections", metavar="[SECTION]...", nargs=-1)
@_root
@_json
def translated(note: str, sections: tuple[str, ...], root: Path, as_json: bool) -> None:
    """Record that the two texts of NOTE are translations of each other as they stand now.

    NOTE is written like spec-rl/4, spec-rl/#4 or spec-rl/04_ReSpec_2510.26475; SECTION is the id of a section, or
    `lead` for the text before the first heading. Without SECTION all sections are recorded. From then on
    `paper-notes check` tells where one language has changed and the other has not.
    """
    from paper_notes.corpus.load import load
    from paper_notes.diagnostics import has_errors, in_file_order
    from paper_notes.markdown.render import render_body
    from paper_notes.output.disk import OutputProblem, apply, compare
    from paper_notes.sources.tree import read_tree
    from paper_notes.translated import RecordProblem, find_note, record

    sources, unreadable = read_tree(root)
    corpus, mistakes = load(sources)
    problems = [*unreadable, *mistakes]
    try:
        if corpus is None or has_errors(problems):
            raise RecordProblem("the collection has errors; mend them first")
        found = find_note(corpus, note)
        body = render_body(found)
        problems += body.diagnostics
        if has_errors(problems):
            raise RecordProblem("the note has errors; mend them first")
        made = record(found, body, sources, sections)
        plan = compare(root, [made.artifact])
        apply(root, plan)
    except RecordProblem as problem:
        _say_diagnostics(tuple(found for found in in_file_order(problems) if found.severity == "error"))
        _fail(f"{problem.message}. Nothing was written", problem.hint)
    except OutputProblem as problem:
        _fail(str(problem))
    if as_json:
        updated = [str(artifact.path) for artifact in plan.update]
        parts = {"recorded": made.recorded, "one_language": made.alone, "dropped": made.dropped}
        _print_json(note=found.id, **parts, updated=updated)
        return
    where = click.format_filename(root / made.artifact.path)
    for words, ids in (
        (f"{'recorded in' if plan.update else 'recorded already in'} {where}", made.recorded),
        ("not recorded, because only one language has them", made.alone),
        ("dropped, because the note no longer has them", made.dropped),
    ):
        if ids:
            click.echo(f"{words}: {', '.join(ids)}", err=True)


@main.command()
@click.argument("pdf", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Where to write the page of previews.")
@click.option("--force", is_flag=True, help="Overwrite that page if it is there.")
@_json
def figures(pdf: Path, output: Path | None, force: bool, as_json: bool) -> None:
    """List the figures and tables of PDF, with previews and ready lines for notes in one HTML file.

    The file is figures-NAME.html in the current folder, or what --output says.
    """
    from paper_notes.diagnostics import Diagnostic
    from paper_notes.figures import list_figures
    from paper_notes.output.disk import OutputProblem, apply, compare
    from paper_notes.render.theme import load_theme
    from paper_notes.sources.pdf import PdfProblem
    from paper_notes.sources.tree import read_file

    target = output or Path(f"figures-{pdf.stem}.html")
    source = read_file(pdf)
    if isinstance(source, Diagnostic):
        _fail(source.message, source.hint)
    theme, problems = load_theme(Path())
    if theme is None:
        _say_diagnostics(problems)
        _fail("nothing was written")
    try:
        found = list_figures(source, theme, target.name)
        plan = compare(target.parent, [found.artifact])
        if plan.update and not force:
            _fail(f"{click.format_filename(target)} is there already", "add --force, or name another with --output")
        apply(target.parent, plan)
    except PdfProblem as problem:
        _fail(f"{click.format_filename(pdf)}: {problem.message}", problem.hint)
    except OutputProblem as problem:
        _fail(str(problem))
    if as_json:
        _print_json(**found.as_json(), page=str(target))
        return
    for row in found.rows():
        click.echo(row)
    click.echo(f"Open {click.format_filename(target)}", err=True)


def _pdfs(count: int) -> str:
    return "1 PDF is" if count == 1 else f"{count} PDFs are"


def _notes(count: int) -> str:
    return "1 note" if count == 1 else f"{count} notes"


def _say_diagnostics(diagnostics: tuple[Diagnostic, ...]) -> None:
    colours = {"error": "red", "warning": "yellow"}
    for diagnostic in diagnostics:
        severity = click.style(f"{diagnostic.severity}[{diagnostic.rule}]", fg=colours[diagnostic.severity], bold=True)
        click.echo(f"{diagnostic.location}: {severity}: {diagnostic.message}", err=True, color=_colour())
        if diagnostic.hint:
            click.echo(f"  hint: {diagnostic.hint}", err=True)
    errors = sum(diagnostic.severity == "error" for diagnostic in diagnostics)
    warnings = len(diagnostics) - errors
    counts = [f"{n} {word}{'s' if n > 1 else ''}" for n, word in ((errors, "error"), (warnings, "warning")) if n]
    if counts:
        click.echo(", ".join(counts), err=True)


def _colour() -> bool | None:
    """False where the user asked for none; None lets click look at the terminal."""
    return False if os.environ.get("NO_COLOR") else None


def _print_json(**values: object) -> None:
    click.echo(json.dumps(values, ensure_ascii=False, indent=2))


def _fail(message: str, hint: str = "") -> NoReturn:
    click.echo(f"paper-notes: {message}", err=True)
    if hint:
        click.echo(f"  hint: {hint}", err=True)
    sys.exit(INPUT_WRONG)


def run() -> None:
    """The entry point: a bug of ours is a sentence and exit code 3, not a traceback."""
    try:
        main()
    except Exception as error:  # the last resort: whatever was not foreseen
        if os.environ.get("PAPER_NOTES_DEBUG"):
            raise
        click.echo(f"paper-notes: this is a bug of ours, not yours: {type(error).__name__}: {error}", err=True)
        click.echo("  hint: PAPER_NOTES_DEBUG=1 shows where; please report it", err=True)
        sys.exit(OUR_BUG)
