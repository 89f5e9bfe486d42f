"""`paper-notes new`. What reads papers is imported when there is one to read: help and TAB are quick."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from paper_notes.commands.terminal import (
    check_option,
    draft_option,
    end_check,
    json_option,
    name_option,
    new_topic_option,
    offline_option,
    print_json,
    root_option,
    say,
    say_changes,
    topic_option,
)

if TYPE_CHECKING:
    from paper_notes.corpus.model import Fact
    from paper_notes.features.papers.commands.start import NewNotes
    from paper_notes.output.plan import Plan

_FROM_LIST = ("daily/3#2601.05110", "a paper of a note that lists papers")


class _WithForms(click.Command):
    """Its help lists the forms of PAPER, which the importers know."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from paper_notes.features.papers.resolve import IMPORTERS  # slow to import, and TAB is quick

        forms = [row for importer in IMPORTERS for row in importer.help] + [_FROM_LIST]
        width = max(len(example) for example, _ in forms)
        lines = "\n".join(f"{example:{width}}  {meaning}" for example, meaning in forms)
        self.help = cleandoc(self.help or "").replace("FORMS", lines)
        super().format_help_text(ctx, formatter)


@click.command(cls=_WithForms)
@click.argument("papers", metavar="[PAPER]...", nargs=-1)
@topic_option("The topic's folder below notes_src/; else the one you are in, or the only one.")
@new_topic_option
@name_option
@click.option("--title", metavar="TITLE", help="Start a note on no paper, with this title.")
@click.option("--kind", metavar="KIND", help="The kind of note, such as tutorial; else paper, with --title note.")
@click.option("--key", metavar="KEY", help="The entry of a .bib file, or the number of a record in a .ris file.")
@click.option("--all", "each", is_flag=True, help="Make a note of each paper in a .bib or .ris file.")
@offline_option("Use no network: fill in only what PAPER itself says.")
@click.option(
    "--pdf/--no-pdf",
    "with_pdf",
    default=None,
    help="Download the PDF of an arXiv paper into notes_src/pdfs/; do not copy a PDF that was given.",
)
@draft_option
@check_option
@root_option
@json_option
def new(root: Path, as_json: bool, only_check: bool, **options: Any) -> None:
    """Start a note on PAPER, whatever it is known by.

    \b
    FORMS

    Of several papers that PAPER may be, you choose one. With --title in place of PAPER, the note is on none.
    From a list of papers, the sections of the paper move into the new note; in the list a reference to it takes their
    place, and the entry stays.

    Nothing is ever written over, and if anything goes wrong nothing is written at all. You may go on writing meanwhile:
    what you save is kept.
    """  # noqa: D301 -- the backspace is click's mark of lines to be left as they are
    # slow to import, and `--help` is quick
    from paper_notes.features.lists.commands.promote import is_entry, start_from_list
    from paper_notes.features.papers.commands.start import NewNotes, start

    wanted = NewNotes(root=root, only_check=only_check, **options)
    more: dict[str, object] = {}
    if len(wanted.papers) == 1 and is_entry(wanted.papers[0]):
        plan, missing, sections = start_from_list(wanted)
        more = {"sections": sections}
    else:
        plan, missing, source = start(wanted)
        more = {"source": source}
    if as_json:
        created, updated = ([str(artifact.path) for artifact in part] for part in (plan.create, plan.update))
        print_json(created=created, updated=updated, missing=missing, written=not only_check, **more)
    else:
        say_changes(plan, None if only_check else root)
        if "sections" in more:
            say(f"Sections moved: {more['sections']}.")
        _say_what_is_left(plan, missing, wanted)
    if only_check:
        end_check(changes=not plan.empty)


def _say_what_is_left(plan: Plan, missing: Sequence[Fact], wanted: NewNotes) -> None:
    """Where to write on, and what is not known."""
    folders = [artifact.path.parent for artifact in plan.create if artifact.path.name == "note.yaml"]
    if not wanted.only_check:
        where = click.format_filename(wanted.root / folders[0]) if len(folders) == 1 else f"{len(folders)} folders"
        follows = "`paper-notes serve` shows it" if wanted.draft else "`paper-notes build` makes the page"
        say(f"Write on in {where}; {follows}.")
    if missing:
        say(f"Still missing: {', '.join(missing)}; the note says where to put what you find out.")
        if wanted.offline and len(folders) == 1:
            say(f"With a network, `paper-notes lookup {'/'.join(folders[0].parts[1:])}` looks it up.")
