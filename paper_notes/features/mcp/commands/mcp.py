"""`paper-notes mcp`. The SDK is an extra, so it is imported when it is there."""

from __future__ import annotations

from importlib import util
from pathlib import Path

import click

from paper_notes.commands.terminal import fail, root_option


@click.command()
@click.option("--write", is_flag=True, help="Let it propose drafts, which wait beside the note until you have decided.")
@root_option
def mcp(root: Path, *, write: bool) -> None:
    """Serve the notes to an assistant, over standard input and output (Model Context Protocol).

    Assistants start this themselves, see the guide. They can search and read notes, papers and terms, and check notes;
    nothing is written, and drafts are not shown. With --write they may also draft sections that nobody has written, as
    a model does for `paper-notes draft`: they are given the text of the paper, and what they claim is checked with it.
    """
    if util.find_spec("mcp") is None:  # an extra
        fail(
            "`paper-notes mcp` needs the SDK of the Model Context Protocol, which is not installed",
            "`paper-notes doctor` has the line that installs it",
        )
    from paper_notes.features.mcp.server import server_of

    server_of(root.resolve(), write=write).run("stdio")
