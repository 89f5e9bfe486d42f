"""The command line: words on the terminal and exit codes, nothing else. Each command has a module of its own."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn

import click

from paper_notes import __version__
from paper_notes.cli.build import build, check
from paper_notes.cli.cards import cards
from paper_notes.cli.complete import complete
from paper_notes.cli.completion import PROGRAM, VARIABLE, completion
from paper_notes.cli.digest import digest
from paper_notes.cli.doctor import doctor
from paper_notes.cli.documents import export, import_
from paper_notes.cli.draft import draft
from paper_notes.cli.edit import edit
from paper_notes.cli.examples import show_examples
from paper_notes.cli.explain import explain
from paper_notes.cli.figures import figures
from paper_notes.cli.guide import guide
from paper_notes.cli.help import HelpFormatter
from paper_notes.cli.init import init
from paper_notes.cli.listing import list_notes, show
from paper_notes.cli.move import move
from paper_notes.cli.new import new
from paper_notes.cli.open import open_page
from paper_notes.cli.outdated import outdated
from paper_notes.cli.promote import promote
from paper_notes.cli.repair import repair
from paper_notes.cli.schema import schema
from paper_notes.cli.serve import serve
from paper_notes.cli.stats import stats
from paper_notes.cli.terminal import (
    LANGUAGES,
    OUR_BUG,
    ROOT,
    fail,
    interrupted,
    plain,
    say,
    say_diagnostics,
    say_problem,
    speaks,
)
from paper_notes.cli.terminal import translated as in_language
from paper_notes.cli.translate import translate
from paper_notes.cli.translated import translated
from paper_notes.cli.verify import verify
from paper_notes.diagnostics import UserError, our_bug

if TYPE_CHECKING:
    from paper_notes.languages.text import Lang


class _WrongUsage(click.UsageError):
    """Like Click's, in the language of the terminal."""

    def show(self, file: IO[Any] | None = None) -> None:
        if self.ctx:
            say(self.ctx.get_usage())
            say(f"Try '{self.ctx.command_path} --help' for help.")
            say("")
        say(f"{in_language('Error: ')}{self.message}")


class _Commands(click.Group):
    """Turns UserError and Ctrl-C into messages and exit codes."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except UserError as error:
            say_diagnostics(error.diagnostics)
            fail(error.message, error.hint)
        except FileNotFoundError:
            if folder := _gone(ctx.meta.get(ROOT)):
                fail(f"{folder} was deleted or moved", "go to a folder that is there, or name it with --root")
            raise
        except KeyboardInterrupt:
            interrupted()
        except click.UsageError as error:  # `*` in a shell may have put the names of a stranger's files into it
            raise _WrongUsage(plain(in_language(error.format_message())), error.ctx) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Like Click's, but a translation is not cut."""
        if speaks() == "en":
            super().format_commands(ctx, formatter)
            return
        with formatter.section("Commands"):
            formatter.write_dl([(name, (self.commands[name].help or "").split("\n\n")[0]) for name in self.commands])


def _gone(root: Path | None) -> Path | str | None:
    """The folder that somebody removed before or while the command ran; None if it is not that."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return in_language("the current folder")
    return root if root and not root.is_dir() else None


click.Context.formatter_class = HelpFormatter


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name=PROGRAM)
@click.option(
    "--in",
    "lang",
    type=click.Choice(LANGUAGES),
    envvar="PAPER_NOTES_LANG",
    is_eager=True,
    help="The language of messages and of this help; else that of your terminal (LANG).",
)
def main(lang: Lang | None) -> None:
    """Keep a bilingual collection of paper notes, and make a site of it that opens anywhere."""


for _command in (
    build,
    cards,
    check,
    complete,
    completion,
    digest,
    doctor,
    draft,
    edit,
    explain,
    export,
    figures,
    guide,
    import_,
    init,
    list_notes,
    move,
    new,
    open_page,
    outdated,
    promote,
    repair,
    schema,
    serve,
    show,
    stats,
    translate,
    translated,
    verify,
):
    main.add_command(_command)
show_examples(main.commands.values())


def run() -> None:
    """The entry point: a bug of ours is a sentence and exit code 3, not a traceback."""
    if os.environ.get(VARIABLE):
        _complete()
    try:
        main()
    except Exception as error:  # the last resort
        if os.environ.get("PAPER_NOTES_DEBUG"):
            raise
        from paper_notes.project import addresses

        where = f" at {address}" if (address := addresses().get("Issues")) else ""
        say_problem(our_bug(error), f"PAPER_NOTES_DEBUG=1 shows where; please report it{where}")
        sys.exit(OUR_BUG)


def _complete() -> NoReturn:
    """Answer a shell that completes a line; an error would be printed into that line."""
    with suppress(Exception):
        from paper_notes.cli.completing import complete_by_name

        complete_by_name(main.commands.values())
        main(prog_name=PROGRAM)
    sys.exit(1)
