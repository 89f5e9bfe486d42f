"""Shared by all commands: options, output of diagnostics and errors, and exit codes."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from paper_notes.addresses import without_secrets
from paper_notes.diagnostics import Diagnostic, UserError
from paper_notes.languages import sentences
from paper_notes.patterns import regex

if TYPE_CHECKING:
    from paper_notes.languages.text import Lang
    from paper_notes.output.plan import Plan

LANGUAGES = ("en", "zh")
"""In which the terminal speaks. `--help` does not read the catalogues, so this is not taken from them."""
Option = Callable[[Callable[..., Any]], Callable[..., Any]]
"""Gives an option to the function of a command."""
INPUT_WRONG = 1
OUR_BUG = 3
ROOT = "paper_notes.root"
"""Under which a click.Context remembers the collection."""
INTERRUPTED = 130
"""The exit code that shells give a program ended by Ctrl-C."""


def _nearest_collection(context: click.Context, _option: click.Parameter, given: Path | None) -> Path:
    """The root that was given, or else that of the collection which the current folder is in."""
    from paper_notes.sources.tree import nearest_collection  # not for the help of the program

    if not given or not given.is_absolute():
        Path.cwd()  # raises FileNotFoundError: a folder that was deleted still answers to "."
    root = given or nearest_collection(Path())
    if not given and root != Path() and not context.resilient_parsing:  # a shell that completes a line wants no words
        say(f"In {root.resolve()}:")
    context.meta[ROOT] = root
    return root


root_option = click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    callback=_nearest_collection,
    show_default="the one that the current folder is in",
    help="The collection: the folder that holds notes_src/.",
)
jobs_option = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    show_default="one for each processor",
    help="Work with so many processes; 1 starts none.",
)
drafts_option = click.option(
    "--drafts", "with_drafts", is_flag=True, help="Take notes with `draft: true`, too; else they are left out."
)
draft_option = click.option(
    "--draft", is_flag=True, help="Do not publish the note yet: only `paper-notes serve` shows it."
)
check_option = click.option(
    "--check", "only_check", is_flag=True, help="Write nothing: say what would change, and exit 1 if anything would."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON on standard output.")
force_option = click.option("--force", is_flag=True, help="Overwrite that file if it is there.")
new_topic_option = click.option("--new-topic", is_flag=True, help="Make that topic, if it is not there.")
name_option = click.option("--name", metavar="NAME", help="A short name for the folder and the page, such as ReSpec.")


def lang_option(purpose: str) -> Option:
    """The language of what is read, shown or written; that of messages and help is `--in`."""
    return click.option("--lang", metavar="LANG", help=purpose)


def output_option(purpose: str) -> Option:
    """The file to be written."""
    return click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help=purpose)


def topic_option(purpose: str = "The topic's folder below notes_src/.", **more: Any) -> Option:
    """The topic into which a note goes."""
    return click.option("--topic", metavar="TOPIC", help=purpose, **more)


def offline_option(purpose: str) -> Option:
    """Ask nobody."""
    return click.option("--offline", is_flag=True, help=purpose)


_UNSAFE = regex(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\U000e0000-\U000e007f]"
)
_LONGEST = 2_000
"""Characters of a message at most: it may quote a whole file."""
_CHANGES = 20
"""Files that are named of those that are written; `--json` has all."""
_OF_ONE_RULE = 20
"""Findings of a rule that are shown: hundreds would hide those of the others."""


def plain(text: str) -> str:
    r"""The text with control and invisible characters escaped: an escape is `\u001b`, a line end `\n`.

    It may come from a stranger's file, its name, or the network.
    """
    return _UNSAFE.sub(lambda match: json.dumps(match[0])[1:-1], text)


def speaks() -> Lang:
    """The language of the terminal: what `--in` names, else that of the user's environment."""
    context = click.get_current_context(silent=True)
    given: Lang | None = context.find_root().params.get("lang") if context else None
    return given or sentences.terminal_language(os.environ)


def translated(text: str) -> str:
    """A sentence of ours in the language of the terminal; JSON and what users wrote stay as they are."""
    return sentences.translated(text, speaks())


def say_diagnostics(diagnostics: tuple[Diagnostic, ...]) -> None:
    """Print the diagnostics, at most a few of each rule, and their number on standard error."""
    shown = Counter[str]()
    for diagnostic in diagnostics:
        severity = _severity(diagnostic)
        shown[severity] += 1
        if shown[severity] > _most(diagnostic):
            continue
        where, message = plain(str(diagnostic.location)), _shortened(translated(diagnostic.message))
        click.echo(f"{where}: {severity}: {message}", err=True, color=colour())
        if diagnostic.hint:
            _say_hint(diagnostic.hint)
    most = {_severity(diagnostic): _most(diagnostic) for diagnostic in diagnostics}
    for severity, count in shown.items():
        if count > most[severity]:
            words = f"and {count - most[severity]:,} more of {severity}; `paper-notes check --json` has all"
            click.echo(translated(words), err=True, color=colour())
    errors = sum(diagnostic.severity == "error" for diagnostic in diagnostics)
    warnings = len(diagnostics) - errors
    counts = [f"{n} {word}{'s' if n > 1 else ''}" for n, word in ((errors, "error"), (warnings, "warning")) if n]
    if counts:
        say(", ".join(counts))


def _most(diagnostic: Diagnostic) -> int:
    """How many of its rule are shown: what is not installed is said once."""
    return 1 if diagnostic.rule == "missing-extra" else _OF_ONE_RULE


def _severity(diagnostic: Diagnostic) -> str:
    colours = {"error": "red", "warning": "yellow"}
    return click.style(f"{diagnostic.severity}[{diagnostic.rule}]", fg=colours[diagnostic.severity], bold=True)


def shown(message: str) -> str:
    """The whole message in the reader's language, on one line, without what must not be seen."""
    return plain(without_secrets(translated(message)))


def _shortened(message: str) -> str:
    return plain(without_secrets(message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…"))


def _say_hint(hint: str) -> None:
    click.echo(f"  {translated('hint: ')}{_shortened(translated(hint))}", err=True)


def colour() -> bool | None:
    """False where the user asked for none; None lets click look at the terminal."""
    return False if os.environ.get("NO_COLOR") else None


def say(words: str) -> None:
    """Print a line for people on standard error, in their language."""
    click.echo(plain(without_secrets(translated(words))), err=True)


def say_changes(plan: Plan, root: Path | None = None) -> None:
    """Say what the plan would write and delete, or below `root` what it has written; at most a few files of each."""
    updated = [artifact.path for artifact in (*plan.update, *((plan.manifest,) if plan.manifest else ()))]
    created = [artifact.path for artifact in plan.create]
    for word, paths in (("create", created), ("update", updated), ("delete", plan.delete)):
        done = f"would {word}" if root is None else f"{word}d"
        for path in paths[:_CHANGES]:
            say(f"{done} {path if root is None else click.format_filename(root / path)}")
        if len(paths) > _CHANGES:
            say(f"... and {len(paths) - _CHANGES:,} more files")


def say_for_now(words: str = "") -> None:
    """Show a line on a terminal until this is called again: with other words, or with none."""
    click.echo(f"\r\x1b[K{plain(translated(words))}", nl=False, err=True)


def tell(*fields: str, bold: bool = False) -> None:
    """Print a line of the result on standard output; several fields are separated by tabs."""
    line = "\t".join(map(plain, fields))
    click.echo(click.style(line, bold=True) if bold else line, color=colour())


def print_text(text: str) -> None:
    """Print a document on standard output: as it is into pipes and files, escaped as `plain` does on a terminal."""
    shown = text if not sys.stdout.isatty() else "\n".join(map(plain, text.split("\n")))
    click.echo(shown.encode(), nl=False)


def say_waiting() -> None:
    """Say that another process has the lock of the collection."""
    say("Another run of paper-notes is writing to this collection: waiting until it ends.")


def is_terminal() -> bool:
    """True if somebody can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def wait_for_key(lines: Iterable[str]) -> str:
    """Show lines on the terminal, and wait for a key; Ctrl-C and Ctrl-D are `q`."""
    for line in lines:
        click.echo(plain(line), err=True)
    try:
        return click.getchar().lower()
    except (KeyboardInterrupt, EOFError):
        return "q"


def print_json(**values: object) -> None:
    """Print the result as JSON on standard output."""
    text = json.dumps(values, ensure_ascii=False, indent=2)
    click.echo("\n".join(map(plain, text.split("\n"))))  # escaping is valid inside JSON strings, too


def say_problem(message: str, hint: str = "") -> None:
    """Print an error message on standard error."""
    click.echo(f"paper-notes: {_shortened(translated(message))}", err=True)
    if hint:
        _say_hint(hint)


def end_check(*, changes: bool) -> None:
    """End a run with `--check`: exit 1 if anything would change."""
    if changes:
        fail("nothing was written; run it without --check")


def fail(message: str, hint: str = "") -> NoReturn:
    """Print an error message and exit."""
    say_problem(message, hint)
    sys.exit(INPUT_WRONG)


@contextmanager
def all_or_nothing() -> Iterator[None]:
    """If UserError or Ctrl-C ends the block, add to the message that nothing was written."""
    try:
        yield
    except UserError as error:
        error.message = f"{error.message}. Nothing was written"
        error.args = (error.message,)
        raise
    except KeyboardInterrupt:
        interrupted(". Nothing was written")


def interrupted(words: str = "") -> NoReturn:
    """Say on a new line that Ctrl-C was pressed, and exit."""
    say("")
    say_problem(f"interrupted{words}")
    sys.exit(INTERRUPTED)
