"""`paper-notes lsp`. The library for servers is an extra, so it is imported when it is there."""

from __future__ import annotations

from importlib import util
from pathlib import Path

import click

from paper_notes.commands.terminal import fail, root_option


@click.command()
@root_option
def lsp(root: Path) -> None:
    """Serve the notes to an editor, over standard input and output (Language Server Protocol).

    Editors start this themselves, see the guide. With it they show what `check` finds while you type, complete keys of
    papers, references, components and terms, lead to what is meant, and rename; the server itself writes nothing.
    """
    if util.find_spec("pygls") is None:  # an extra
        fail(
            "`paper-notes lsp` needs the library pygls, which is not installed",
            "`paper-notes doctor` has the line that installs it",
        )
    from paper_notes.features.lsp.server import server_of

    server_of(root.resolve()).start_io()
