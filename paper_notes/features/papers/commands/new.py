"""`paper-notes new`."""

from __future__ import annotations

from inspect import cleandoc
from pathlib import Path
from typing import Any

import click

from paper_notes.commands.terminal import json_option, print_json, root_option, say


class _WithForms(click.Command):
    """Its help lists the forms of PAPER, which the importers know."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from paper_notes.features.papers.resolve import IMPORTERS  # slow to import, and TAB is quick

        forms = [row for importer in IMPORTERS for row in importer.help]
        width = max(len(example) for example, _ in forms)
        lines = "\n".join(f"{example:{width}}  {meaning}" for example, meaning in forms)
        self.help = cleandoc(self.help or "").replace("FORMS", lines)
        super().format_help_text(ctx, formatter)


@click.command(cls=_WithForms)
@click.argument("paper", required=False)
@click.option("--topic", required=True, help="The topic's folder below notes_src/.")
@click.option("--name", help="A short name for the folder and the page, such as ReSpec.")
@click.option("--title", help="Start a note on no paper, with this title; needs --kind.")
@click.option("--kind", help="The kind of note, such as tutorial; without it, paper.")
@click.option("--key", help="The entry of a .bib file, or the number of a record in a .ris file.")
@click.option("--all", "each", is_flag=True, help="Make a note of each paper in a .bib or .ris file.")
@click.option("--offline", is_flag=True, help="Use no network: fill in only what PAPER itself says.")
@click.option(
    "--pdf/--no-pdf",
    "with_pdf",
    default=None,
    help="Download the PDF of an arXiv paper into notes_src/pdfs/; do not copy a PDF that was given.",
)
@click.option("--draft", is_flag=True, help="Do not publish the note yet: only `paper-notes serve` shows it.")
@root_option
@json_option
def new(root: Path, as_json: bool, **options: Any) -> None:
    """Start a note on PAPER, whatever it is known by.

    \b
    FORMS

    Of several papers that PAPER may be, you choose one. With --title and --kind in place of PAPER, the note is on none.

    Nothing is ever written over, and if anything goes wrong nothing is written at all. You may go on writing meanwhile:
    what you save is kept.
    """  # noqa: D301 -- the backspace is click's mark of lines to be left as they are
    from paper_notes.features.papers.commands.start import NewNotes, start  # slow to import, and `--help` is quick

    plan, missing, source = start(NewNotes(root=root, **options))
    created, updated = ([artifact.path for artifact in part] for part in (plan.create, plan.update))
    if as_json:
        files = {"created": list(map(str, created)), "updated": list(map(str, updated))}
        print_json(**files, source=source, missing=missing)
        return
    for word, paths in (("created", created), ("updated", updated)):
        for path in paths:
            say(f"{word} {click.format_filename(root / path)}")
    folders = [path.parent for path in created if path.name == "note.yaml"]
    where = click.format_filename(root / folders[0]) if len(folders) == 1 else f"{len(folders)} folders"
    follows = "`paper-notes serve` shows it" if options["draft"] else "`paper-notes build` makes the page"
    say(f"Write on in {where}; {follows}.")
    if missing:
        say(f"Still missing: {', '.join(missing)}; the note says where to put what you find out.")
        if options["offline"] and len(folders) == 1:
            note = "/".join(folders[0].parts[1:])
            say(f"With a network, `paper-notes complete {note}` looks it up.")
