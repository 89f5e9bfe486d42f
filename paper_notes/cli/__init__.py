"""The command line: words on the terminal and exit codes, nothing else. Each command has a module of its own."""

from __future__ import annotations

import os
import sys

import click

from paper_notes import __version__
from paper_notes.cli.build import build, check
from paper_notes.cli.explain import explain
from paper_notes.cli.figures import figures
from paper_notes.cli.guide import guide
from paper_notes.cli.init import init
from paper_notes.cli.listing import list_notes, show
from paper_notes.cli.new import new
from paper_notes.cli.outdated import outdated
from paper_notes.cli.repair import repair
from paper_notes.cli.schema import schema
from paper_notes.cli.serve import serve
from paper_notes.cli.terminal import OUR_BUG, fail, interrupted, plain, say_diagnostics, say_problem
from paper_notes.cli.translated import translated
from paper_notes.diagnostics import UserError, our_bug


class _Commands(click.Group):
    """Turns UserError and Ctrl-C into messages and exit codes."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except UserError as error:
            say_diagnostics(error.diagnostics)
            fail(error.message, error.hint)
        except KeyboardInterrupt:
            interrupted()
        except click.UsageError as error:  # `*` in a shell may have put the names of a stranger's files into it
            raise click.UsageError(plain(error.format_message()), error.ctx) from error


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="paper-notes")
def main() -> None:
    """Keep a bilingual collection of paper notes, and make a site of it that opens anywhere."""


for _command in (
    build,
    check,
    explain,
    figures,
    guide,
    init,
    list_notes,
    new,
    outdated,
    repair,
    schema,
    serve,
    show,
    translated,
):
    main.add_command(_command)


def run() -> None:
    """The entry point: a bug of ours is a sentence and exit code 3, not a traceback."""
    try:
        main()
    except Exception as error:  # the last resort
        if os.environ.get("PAPER_NOTES_DEBUG"):
            raise
        say_problem(our_bug(error), "PAPER_NOTES_DEBUG=1 shows where; please report it")
        sys.exit(OUR_BUG)
