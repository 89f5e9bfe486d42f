"""`paper-notes completion`."""

from __future__ import annotations

import os
from pathlib import PurePath

import click
from click.shell_completion import ShellComplete, get_completion_class

from paper_notes.commands.terminal import fail, tell

PROGRAM = "paper-notes"
VARIABLE = "_PAPER_NOTES_COMPLETE"
"""Set by the scripts below where the shell wants to know how to complete a line."""
SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS), required=False)
def completion(shell: str | None) -> None:
    """Print the script that completes lines with TAB.

    Commands and options are completed, notes, topics, rules, kinds, tags, languages and BibTeX keys. Without SHELL it
    is the one that you log in with. Bash has to be 4.4 or newer, which that of macOS is not.

    \b
    bash: paper-notes completion bash > ~/.local/share/bash-completion/completions/paper-notes
    zsh:  paper-notes completion zsh > ~/.zfunc/_paper-notes
          and in ~/.zshrc, before compinit: fpath+=~/.zfunc
    fish: paper-notes completion fish > ~/.config/fish/completions/paper-notes.fish
    """  # noqa: D301 -- the backspace is click's mark of lines to be left as they are
    name = shell or PurePath(os.environ.get("SHELL", "")).name
    if name not in SHELLS:
        fail("it is not known which shell you use", f"name one: paper-notes completion {' | '.join(SHELLS)}")
    for line in _script(name).splitlines():
        tell(line)


def _script(shell: str) -> str:
    """The script, without asking the shell for its version: it may be made for another machine."""
    kind: type[ShellComplete] | None = get_completion_class(shell)
    assert kind
    return ShellComplete.source(kind(click.Command(PROGRAM), {}, PROGRAM, VARIABLE))
