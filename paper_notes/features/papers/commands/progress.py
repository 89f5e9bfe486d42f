"""Progress of long work: a bar on a terminal, one line in pipes and logs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from paper_notes.commands.terminal import plain, say


@contextmanager
def downloading(what: str) -> Iterator[Callable[[int, int | None], None]]:
    """A progress bar in bytes: call the function with the bytes so far and the total, if known."""
    with _bar(what, in_bytes=True) as update:
        yield update


@contextmanager
def counting(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar of items: call the function with the number done."""
    with _bar(what, in_bytes=False) as update:
        update(0, total)
        yield lambda done: update(done, total)


@contextmanager
def _bar(what: str, *, in_bytes: bool) -> Iterator[Callable[[int, int | None], None]]:
    if not sys.stderr.isatty():
        say(f"{what} ...")
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn

    amount = DownloadColumn() if in_bytes else MofNCompleteColumn()
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        amount,
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task(plain(what), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
