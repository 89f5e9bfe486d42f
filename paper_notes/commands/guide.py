"""`paper-notes guide`."""

from __future__ import annotations

from pathlib import Path

import click

from paper_notes.commands.programs import open_in_browser
from paper_notes.commands.terminal import fail, tell


@click.command()
@click.option("--open/--no-open", "open_browser", default=True, help="Open it in your browser, which is the default.")
def guide(*, open_browser: bool) -> None:
    """Open the guide, which came with the program: no network is needed.

    The file's name is printed, and with --no-open that is all. The guide is in English and Chinese, and beside it are
    the notes that it takes its examples from.
    """
    page = guide_page()
    if not page.is_file():
        fail(f"the guide is not at {click.format_filename(page)}", "in a checkout, `make site` makes it")
    tell(str(page))
    if open_browser:
        open_in_browser(page.as_uri())


def guide_page() -> Path:
    """The first page: inside the installed package, or in the site of a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "manual"
    return (installed if installed.is_dir() else package.parent / "site") / "guide" / "index.html"
