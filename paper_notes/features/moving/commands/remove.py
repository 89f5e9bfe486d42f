"""`paper-notes remove`."""

from __future__ import annotations

from pathlib import Path

import click

from paper_notes.commands.naming import the_note
from paper_notes.commands.terminal import check_option, json_option, root_option
from paper_notes.diagnostics import UserError
from paper_notes.features.git.repository import is_committed
from paper_notes.features.moving.commands.move import change
from paper_notes.features.moving.move import Move, topic_named
from paper_notes.features.moving.references import CollectionFiles
from paper_notes.features.moving.remove import remove_note

not_in_git_option = click.option(
    "--uncommitted", is_flag=True, help="Remove also what git could not bring back, because it was not committed."
)


@click.command()
@click.argument("note")
@click.option("--redirect", metavar="NOTE|TOPIC", help="Let its page, and all that refers to it, lead there.")
@not_in_git_option
@check_option
@root_option
@json_option
def remove(note: str, redirect: str | None, uncommitted: bool, root: Path, only_check: bool, as_json: bool) -> None:
    """Remove NOTE, and say what refers to it.

    NOTE is written as in `show`. While anything refers to it nothing is removed, unless --redirect names the note that
    is meant from then on: references are rewritten, and its page leads there. To a topic only its page can lead. The
    paper stays in the .bib file. Files that git has can be brought back; others are removed only with --uncommitted.
    """

    def work_out(files: CollectionFiles) -> Move:
        own = the_note(files.corpus, root, note)
        heir = (topic_named(redirect, files.corpus) or the_note(files.corpus, root, redirect).id) if redirect else None
        if heir == own.id:
            raise UserError(f"{own.reference} cannot lead to itself", "name another note, or a topic")
        return allowed(root, remove_note(files, own, heir), uncommitted=uncommitted or only_check)

    options = (*(("--redirect", redirect) if redirect else ()), *(("--uncommitted",) if uncommitted else ()))
    command = ["remove", note, *options]
    change(root, command, work_out, only_check=only_check, as_json=as_json)


def allowed(root: Path, result: Move, *, uncommitted: bool) -> Move:
    """The removal, if git could undo it, or the user wants it all the same. Raises UserError."""
    for path in result.removed:
        if not uncommitted and not is_committed(root, str(path)):
            message = f"{path} is not in git as it is now, so nothing could bring it back"
            raise UserError(message, "commit it, or add --uncommitted")
    return result
