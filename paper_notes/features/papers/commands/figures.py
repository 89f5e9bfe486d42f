"""`paper-notes figures`."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import click

from paper_notes.commands.terminal import fail, json_option, print_json, say, say_diagnostics, tell
from paper_notes.features.papers.pdf_figures import list_figures
from paper_notes.output.disk import apply_whole, compare
from paper_notes.render.theme.theme import load_theme
from paper_notes.serve.words import collection_words
from paper_notes.sources.pdf.model import PdfProblem
from paper_notes.sources.tree import Source, read_input_file


@click.command()
@click.argument("pdf", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Where to write the page of previews.")
@click.option("--force", is_flag=True, help="Overwrite that page if it is there.")
@json_option
def figures(pdf: Path, output: Path | None, force: bool, as_json: bool) -> None:
    """List the figures and tables of PDF, with previews and ready lines for notes in one HTML file.

    The file is figures-NAME.html in the current folder, or what --output says. In a collection it is in its languages.
    """
    target = output or Path(f"figures-{pdf.stem}.html")
    source = Source(PurePosixPath(pdf.name), read_input_file(pdf))
    theme, problems = load_theme(Path(), collection_words(Path()))
    if theme is None:
        say_diagnostics(problems)
        fail("nothing was written")
    try:
        listed = list_figures(source, theme, target.name)
    except PdfProblem as problem:
        fail(f"{click.format_filename(pdf)}: {problem.message}", problem.hint)
    plan = compare(target.parent, [listed.artifact])
    if plan.update and not force:
        fail(f"{click.format_filename(target)} is there already", "add --force, or name another with --output")
    apply_whole(target.parent, plan)
    if as_json:
        print_json(**listed.as_json(), page=str(target))
        return
    for row in listed.rows():
        tell(row)
    say(f"Open {click.format_filename(target)}")
