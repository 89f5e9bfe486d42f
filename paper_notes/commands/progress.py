"""Progress of long work on a terminal: what is being done, how much of it, and the time left; one line in logs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from paper_notes.commands.terminal import plain, say, say_for_now, translated

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")
_PATIENCE = 1.0
"""Seconds that work may take before anything is shown."""


@contextmanager
def counting(what: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """A progress bar of `total` items, or of bytes: call the function with what is done, and the total once known."""
    if not sys.stderr.isatty():
        say(f"{what} ...")
        yield lambda done, total=None: None
        return
    with _bar(in_bytes=total is None) as bar:
        task = bar.add_task(plain(translated(what)), total=total)
        yield lambda done, total=total: bar.update(task, completed=done, total=total)


@contextmanager
def announced(what: str) -> Iterator[None]:
    """A line while nothing can be counted yet, once it takes more than a moment; a progress bar takes its place."""
    if not sys.stderr.isatty():
        yield
        return
    start, line = monotonic(), f"{translated(what)} ..."
    timer = Timer(_PATIENCE, lambda: say_for_now(line))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if monotonic() - start > _PATIENCE:
            say_for_now()


def watched(what: str, total: int, results: Iterator[T]) -> Iterator[T]:
    """The results, and a progress bar once they take more than a moment. Nothing is shown but on a terminal."""
    if not sys.stderr.isatty():
        yield from results
        return
    start, done = monotonic(), 0
    for result in results:
        done += 1
        yield result
        if monotonic() - start > _PATIENCE:
            break
    if done < total:
        say_for_now()
        with _bar() as bar:
            task = bar.add_task(plain(translated(what)), total=total, completed=done)
            for result in results:
                bar.advance(task)
                yield result


def _bar(*, in_bytes: bool = False) -> Progress:
    # slow to import, and only a terminal shows it
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    name = TextColumn("{task.description}", markup=False)
    amount = DownloadColumn() if in_bytes else MofNCompleteColumn()
    console = Console(stderr=True)
    return Progress(name, BarColumn(), amount, TimeRemainingColumn(), console=console, transient=True)
