"""`paper-notes figures`."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import click

from paper_notes.artifacts import Artifact
from paper_notes.commands.terminal import (
    fail,
    force_option,
    json_option,
    output_option,
    print_json,
    say,
    say_diagnostics,
    tell,
)
from paper_notes.engine.user_cache import make_cache_folder
from paper_notes.features.opening.commands.open import browser_option, open_in_browser
from paper_notes.features.papers.figures import figures_page, json_of
from paper_notes.features.papers.pdf_facts import PdfFacts, read_facts
from paper_notes.output.disk import apply_whole, compare
from paper_notes.render.theme.theme import load_theme
from paper_notes.serve.words import collection_words
from paper_notes.sources.pdf.model import PdfProblem
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.sources.tree import Source, nearest_collection, read_input_file

_CAPTION = 72
"""Characters of a caption in a row at most."""


@click.command()
@click.argument("pdf", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@output_option("Write the page of previews there, and do not open it.")
@force_option
@browser_option
@json_option
def figures(pdf: Path, output: Path | None, force: bool, open_browser: bool, as_json: bool) -> None:
    """List the figures and tables of PDF, with previews and ready lines for notes in one HTML file.

    The file opens in your browser. It is in your cache folder, where git does not see it, unless --output names another
    place. In a collection it is in its languages.
    """
    target = output or make_cache_folder(nearest_collection(Path())) / f"figures-{pdf.stem}.html"
    source = Source(PurePosixPath(pdf.name), read_input_file(pdf))
    theme, problems = load_theme(Path(), collection_words(Path()))
    if theme is None:
        say_diagnostics(problems)
        fail("nothing was written")
    reader = PdfReader()
    facts = reader.read(source, "facts", PdfFacts, read_facts)
    if isinstance(facts, PdfProblem):
        fail(f"{click.format_filename(pdf)}: {facts.message}", facts.hint)
    html = theme.render("figures.html", figures_page(source, facts, reader, theme))
    plan = compare(target.parent, [Artifact.text(target.name, html)])
    if output and plan.update and not force:
        fail(f"{click.format_filename(target)} is there already", "add --force, or name another with --output")
    apply_whole(target.parent, plan)
    if as_json:
        print_json(**json_of(facts, source.path), page=str(target))
        return
    width = max((len(figure.anchor) for figure in facts.figures), default=0)
    for figure in facts.figures:
        caption = figure.caption if len(figure.caption) <= _CAPTION else f"{figure.caption[: _CAPTION - 1]}…"
        tell(f"{figure.anchor:<{width}}  p. {figure.page:<3}  {caption}".rstrip())
    say(f"Open {click.format_filename(target)}")
    if open_browser and not output:
        open_in_browser(target.resolve().as_uri())
