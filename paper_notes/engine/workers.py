"""Maps a pure function over many values: in this process, in several of our own, or in a given Executor."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from itertools import chain, islice
from multiprocessing import get_context
from typing import Any, TypeVar

from paper_notes.diagnostics import UserError
from paper_notes.values import Struct

T = TypeVar("T")
R = TypeVar("R")
S = TypeVar("S")

Watch = Callable[[str, int, Iterator[Any]], Iterator[Any]]
"""Gets what is being done, how many results there will be, and the results, which it gives on."""
FEW = 32
"""Fewer values than this are not worth starting processes for."""
PART = 8
"""So many values are sent to a process at a time."""
_IN_FLIGHT = 3
"""Parts per process that are submitted at once: all of them would fill the memory."""


class Packed(Struct, frozen=True):
    """A value that one process hands on to another without looking at it."""

    data: bytes

    @staticmethod
    def of(value: object) -> Packed:
        """Raises RecursionError for a deep tree."""
        return Packed(zlib.compress(pickle.dumps(value, pickle.HIGHEST_PROTOCOL), 1))

    @property
    def value(self) -> Any:
        return pickle.loads(zlib.decompress(self.data))  # noqa: S301 -- packed by a process of this run


class Workers:
    """A pool of processes, started when first needed. Close it at the end."""

    def __init__(self, jobs: int | None = None, executor: Executor | None = None, watch: Watch | None = None) -> None:
        """Work with `jobs` processes (as many as there are processors if None; 1 is this one), or with `executor`.

        What is done is passed on through `watch`, which may show it.

        A given executor stays open. It may be any of `concurrent.futures` or one that acts like it (Dask,
        Ray, MPI): functions and values are pickled, and need no file of this machine.
        """
        self._executor, self._watch = executor, watch
        self._own: ProcessPoolExecutor | None = None
        self.jobs = jobs or processors()

    def map(
        self, work: Callable[[S, T], R], shared: S, values: Iterable[T], doing: str = "", total: int = 0
    ) -> Iterator[R]:
        """`work(shared, value)` for each value, in order. `shared` may be large: it is packed and unpacked once.

        `doing` says what it is to whoever waits, and `total` how many values there are.
        """
        results = self._map(work, shared, values)
        return self._watch(doing, total, results) if self._watch and total >= FEW else results

    def _map(self, work: Callable[[S, T], R], shared: S, values: Iterable[T]) -> Iterator[R]:
        values = iter(values)
        first = list(islice(values, FEW))
        if len(first) < FEW or (self.jobs == 1 and self._executor is None):
            yield from (work(shared, value) for value in chain(first, values))
            return
        waiting: deque[Future[list[R]]] = deque()
        executor = self._executor or self._processes()
        packed = Packed.of(shared)
        try:
            for some in _parts(chain(first, values), PART):
                waiting.append(executor.submit(_all, work, packed, some))
                if len(waiting) >= _IN_FLIGHT * self.jobs:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        except BrokenProcessPool as problem:
            hint = "if the memory was too small, try again with --jobs 1"
            raise UserError("a process of this run was stopped from outside", hint) from problem
        finally:
            for future in waiting:
                future.cancel()

    def close(self) -> None:
        """Stop our own processes."""
        if self._own:
            self._own.shutdown(cancel_futures=True)
            self._own = None

    def _processes(self) -> ProcessPoolExecutor:
        if self._own is None:
            start = get_context(_start_method())
            self._own = ProcessPoolExecutor(self.jobs, mp_context=start, initializer=_leave_ctrl_c)
        return self._own


def _leave_ctrl_c() -> None:
    """Ignore Ctrl-C, which reaches all processes of a terminal: only the one that the user started reports it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _parts(values: Iterable[T], size: int) -> Iterator[list[T]]:
    values = iter(values)
    while part := list(islice(values, size)):
        yield part


def _all(work: Callable[[Any, T], R], packed: Packed, values: list[T]) -> list[R]:
    shared = _shared(packed)
    return [work(shared, value) for value in values]


@lru_cache(maxsize=1)
def _shared(packed: Packed) -> Any:
    """What all values share, kept by each process."""
    return packed.value


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _start_method() -> str:
    """The start method for processes: fork where that is safe, as it takes no time; else a fresh interpreter."""
    if sys.platform == "linux" and threading.active_count() == 1:
        return "fork"
    return "spawn" if sys.platform == "win32" else "forkserver"
