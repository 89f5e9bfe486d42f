"""Progress of long work: a bar on a terminal, one line in pipes and logs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from paper_notes.commands.terminal import plain, say


@contextmanager
def counting(what: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """A progress bar of `total` items, or of bytes: call the function with what is done, and the total once known."""
    if not sys.stderr.isatty():
        say(f"{what} ...")
        yield lambda done, total=None: None
        return
    # slow to import, and only a terminal shows it
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn

    name = TextColumn("{task.description}", markup=False)
    amount = MofNCompleteColumn() if total is not None else DownloadColumn()
    with Progress(name, BarColumn(), amount, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(plain(what), total=total)
        yield lambda done, total=total: bar.update(task, completed=done, total=total)
