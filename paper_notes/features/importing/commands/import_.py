"""`paper-notes import`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from paper_notes.commands.terminal import (
    check_option,
    json_option,
    offline_option,
    root_option,
    topic_option,
)


@click.command(name="import")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@topic_option("The topic's folder below notes_src/; by default that of each folder.")
@click.option(
    "--as", "format", type=click.Choice(["html", "markdown", "readme", "report", "list"]), help="What the files are."
)
@click.option(
    "--classes",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A table of the classes of HTML notes; written for you to edit where there is none yet.",
)
@click.option(
    "--readme",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="The README that lists the notes; by default the one of the folder.",
)
@offline_option("Do not ask arXiv for the papers of the notes.")
@click.option("--download", is_flag=True, help="Fetch pictures of other sites that the notes show.")
@click.option("--no-tex", "tex", flag_value=False, default=True, help="Leave formulas written in Unicode as they are.")
@click.option("--dates", type=click.Choice(["git"]), help="Take the dates of notes from the history of their files.")
@click.option("--keep-going", is_flag=True, help="Take in notes that lose words, too, and mark the places.")
@check_option
@root_option
@json_option
def import_(paths: tuple[Path, ...], root: Path, **asked: Any) -> None:
    """Take in notes that exist: a folder of HTML or Markdown files, reports of a day's papers, lists of papers.

    A folder becomes topics and notes: links between its files become references, pictures come along, and what our
    text cannot say is kept as words. Run it again when the originals have changed: what you have written since stays.

    A report or list becomes one note that lists its papers. Papers that are new get an entry in a papers.bib
    beside the note; existing ones are not touched. What one says is kept: `export --as-found` gives it back.

    A README that lists the notes in tables says more of them: labels, summaries, topics, reading paths, papers by
    date. It becomes the README of the collection, and each build keeps its tables. --as readme reads it alone.

    No word is lost: a note of which some would be is left out and named, and all others are taken in. A file that is
    garbled, as in `ä¸­æ–‡`, is repaired first, as `paper-notes repair` does it; what is not certain is listed in
    doubts.tsv.
    """
    # what does the work is imported only here: --help stays quick
    from paper_notes.features.importing.commands.import_notes import ImportOptions, import_notes

    import_notes(paths, root, ImportOptions(**asked))
