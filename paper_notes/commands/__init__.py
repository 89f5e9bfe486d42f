"""The command line: words on the terminal and exit codes, nothing else. Each command has a module of its own."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, get_args

import click
from click.exceptions import NoArgsIsHelpError
from click.shell_completion import CompletionItem

from paper_notes import __version__
from paper_notes.commands.completion import PROGRAM, VARIABLE
from paper_notes.commands.help import HelpFormatter, show_examples
from paper_notes.commands.terminal import (
    LANGUAGES,
    OUR_BUG,
    ROOT,
    fail,
    interrupted,
    plain,
    say,
    say_diagnostics,
    say_problem,
)
from paper_notes.commands.terminal import translated as in_language
from paper_notes.diagnostics import UserError, our_bug
from paper_notes.extensions import Command, Group, features, load

if TYPE_CHECKING:
    from paper_notes.languages.text import Lang


COMMANDS = {
    "build": Command(
        "paper_notes.commands.build:build",
        "Bring site/ and the README tables up to date with notes_src/.",
        "Publish",
    ),
    "check": Command(
        "paper_notes.commands.check:check",
        "Say everything that is wrong, and write nothing.",
        "Look",
        {"--facts": "--verify"},
    ),
    "completion": Command(
        "paper_notes.commands.completion:completion",
        "Print the script that completes lines with TAB.",
        "Rarely",
    ),
    "schema": Command(
        "paper_notes.commands.schema:schema",
        "Print the JSON Schema of a kind of YAML file.",
        "Rarely",
    ),
    "serve": Command(
        "paper_notes.commands.serve:serve",
        "Show the site in a browser, and keep it as the sources say while you write.",
        "Write",
    ),
}
"""The commands of the core."""


@cache
def table() -> Mapping[str, Command]:
    """All commands by name: those of the core, then those of the features."""
    commands = dict(COMMANDS)
    for feature in features():
        commands |= feature.commands
    return commands


class _Text(click.types.StringParamType):
    """A text of the command line; Python has bytes that are not UTF-8 as characters that no file can have."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(super().convert(value, param, ctx))
        if any("\ud800" <= character <= "\udfff" for character in text):
            self.fail("it is not UTF-8", param, ctx)
        return text


def _only_utf_8(command: click.Command) -> None:
    for parameter in command.params:
        if parameter.type is click.STRING:
            parameter.type = _Text()
    for below in command.commands.values() if isinstance(command, click.Group) else ():
        _only_utf_8(below)


def _loaded(row: Command) -> click.Command:
    command: click.Command = load(row.at)
    show_examples(command)
    if os.environ.get(VARIABLE):  # only for the command on the line: to import all of them takes too long for a TAB
        from paper_notes.commands.completing import complete_by_name

        complete_by_name(command)
    _only_utf_8(command)
    return command


class _Loading(Mapping[str, click.Command]):
    """All commands by name, each imported when it is asked for: to suggest names imports none."""

    def __getitem__(self, name: str) -> click.Command:
        return _loaded(table()[name])

    def __iter__(self) -> Iterator[str]:
        return iter(table())

    def __len__(self) -> int:
        return len(table())


class _WrongUsage(click.UsageError):
    """Like Click's, in the language of the terminal."""

    def show(self, file: IO[Any] | None = None) -> None:
        if self.ctx:
            say(self.ctx.get_usage())
            say(f"Try '{self.ctx.command_path} --help' for help.")
            say("")
        say(f"{in_language('Error: ')}{self.message}")


_OF_A_DISK = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EIO))


class _Commands(click.Group):
    """Turns UserError, what the system says of a file, and Ctrl-C into messages and exit codes."""

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
        except OSError as error:
            if error.filename is None and error.errno not in _OF_A_DISK:
                raise
            fail(f"cannot read or write {error.filename or 'a file'}: {error.strerror}")
        except KeyboardInterrupt:
            interrupted()
        except NoArgsIsHelpError:
            raise
        except click.UsageError as error:  # `*` in a shell may have put the names of a stranger's files into it
            raise _WrongUsage(plain(in_language(error.format_message())), error.ctx) from error

    @property  # type: ignore[override] # Click's can be changed
    def commands(self) -> Mapping[str, click.Command]:
        return _Loading()

    @commands.setter
    def commands(self, commands: object) -> None:
        """Click gives an empty one."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command and what follows it, with the new names of what is called by an old one, which is said."""
        name, *rest = args
        now = next((new for new, row in table().items() if name in row.old_names), name)
        old_names = table()[now].old_names if now in table() else {}
        end = rest.index("--") if "--" in rest else len(rest)
        options = [word.partition("=") for word in rest[:end]]
        for old in dict.fromkeys([name, *(option for option, _, _ in options if option.startswith("-"))]):
            if old in old_names and not ctx.resilient_parsing:
                say(f"{old} is now {old_names[old]}; the old name works until the next version.")
        renamed = [
            (old_names.get(option, option) if option.startswith("-") else option) + mark + value
            for option, mark, value in options
        ]
        return super().resolve_command(ctx, [now, *renamed, *rest[end:]])

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(table())

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of this name, imported only now."""
        return _loaded(table()[name]) if name in table() else None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """From the table, so that no command is imported to be offered."""
        rows = sorted((name, row) for name, row in table().items() if name.startswith(incomplete))
        offered = [
            CompletionItem(name, help=click.Command(name, help=row.summary).get_short_help_str()) for name, row in rows
        ]
        return [*offered, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """From the table, so that no command is imported to be listed."""
        longest = max(map(len, table()))
        for group in get_args(Group):
            rows = sorted(table().items())
            with formatter.section(group):
                formatter.write_dl([(name.ljust(longest), row.summary) for name, row in rows if row.group == group])


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


def run() -> None:
    """The entry point: a bug of ours is a sentence and exit code 3, not a traceback."""
    if os.environ.get(VARIABLE):  # a shell that completes a line, into which an error would be printed
        with suppress(Exception):
            main(prog_name=PROGRAM)
        sys.exit(1)
    try:
        main()
    except UserError as error:  # of a package that adds commands: they are looked for before one is invoked
        fail(error.message, error.hint)
    except Exception as error:  # the last resort
        if os.environ.get("PAPER_NOTES_DEBUG"):
            raise
        from paper_notes.project import project_addresses  # nobody else needs them

        where = f" at {address}" if (address := project_addresses().get("Issues")) else ""
        say_problem(our_bug(error), f"PAPER_NOTES_DEBUG=1 shows where; please report it{where}")
        sys.exit(OUR_BUG)
