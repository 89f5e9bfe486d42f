"""`paper-notes lookup`. What it does is imported when it is known what is to be done: help and TAB are quick."""

from __future__ import annotations

from pathlib import Path

import click

from paper_notes.commands.terminal import check_option, json_option, root_option


@click.command()
@click.argument("note", required=False)
@click.option("--from", "given", metavar="PAPER", help="What the paper of NOTE is known by, if its entry does not say.")
@click.option("--all", "every", is_flag=True, help="All papers of which no title or no authors are known.")
@click.option("--zotero", is_flag=True, help="Ask Zotero on this machine, for its notes and marks in PDFs, too.")
@check_option
@root_option
@json_option
def lookup(
    note: str | None, given: str | None, every: bool, zotero: bool, only_check: bool, root: Path, as_json: bool
) -> None:
    """Look up what is not known of the paper of NOTE, and fill it in; or which papers of all notes are outdated.

    NOTE is written as in `show`. Filled are the entry in the .bib, the title, the box of what is missing, the key and
    the name of the folder, as far as they still are what `new` wrote. What you wrote stays, and references to the note
    and to the key are rewritten. With --all, that is done for all papers at once that have no title or no authors, as
    after an import without a network, whether there is a note on them or not.

    With --zotero, Zotero is asked (version 7 or later, while it runs on this machine): its tags go into note.yaml if
    there are none, its notes and what you marked in its PDFs become quotations, as by `highlights`.

    Without NOTE arXiv is asked which papers have new versions, have been published, or were withdrawn: all that have
    an arXiv id, a hundred at a time; nothing is written. A version is new if it is above `version = {2}` of the entry
    (or `eprint = {2510.26475v2}`); without one, if it is younger than the note.
    """
    # what does the work is imported only here: --help stays quick
    if every:
        if note or given or zotero:
            raise click.UsageError("--all is for all papers: leave out NOTE, --from and --zotero.")
        from paper_notes.features.papers.commands.complete import fill_in_all

        fill_in_all(root, only_check=only_check, as_json=as_json)
        return
    if note:
        from paper_notes.features.papers.commands.complete import fill_in

        brought = 0
        if zotero:
            from paper_notes.features.papers.commands.highlights import bring_marks
            from paper_notes.features.papers.zotero import IN_ZOTERO

            given = given or IN_ZOTERO
            marks = bring_marks(root, note, None, only_check=only_check, quiet=as_json, zotero=given)[1].marks
            brought = len(marks)
        fill_in(note, given, root, only_check=only_check, as_json=as_json, brought=brought)
        return
    if given or zotero:
        raise click.UsageError("--from and --zotero say where to look for the paper of NOTE: name the note.")
    from paper_notes.features.papers.commands.outdated import report_outdated

    report_outdated(root, only_check=only_check, as_json=as_json)
