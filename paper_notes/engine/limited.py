"""Work of native libraries in processes of their own, with limits of time and memory: one that exceeds them ends alone.

Not by `multiprocessing` or pools built on it: their processes may not start others where they are daemons themselves
(Dask's are), run the caller's `__main__` again, or need threads, after which ours cannot begin as copies (`workers`).
"""

from __future__ import annotations

import atexit
import faulthandler
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from math import ceil
from threading import Lock
from time import monotonic
from typing import Any, Literal, TypeVar

if sys.platform != "win32":
    import resource

R = TypeVar("R")

_BEGIN = (
    "import sys, pickle; sys.path[:] = pickle.load(sys.stdin.buffer);"
    " from paper_notes.engine.limited import serve; serve(sys.stdin.buffer)"
)
_BUSY = 5
"""Seconds on the clock for one of the processor: other programs want it too. Where only the clock is known: one."""
_LATE = 1
"""What `faulthandler` ends a process with."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one piece of work may take. All work of one name is done by the same process, one after another."""

    name: str
    seconds: float = 7
    """Of the processor."""
    memory: int = 500_000_000
    """Bytes of data (RLIMIT_DATA), as far as the system counts them."""
    aside: int = 0
    """Bytes more that the library has counted without using them."""


class Stopped(Exception):
    """The work was stopped, or its process ended: that may have been the machine's fault, and need not happen again."""

    def __init__(self, why: Literal["time", "memory"], limits: Limits) -> None:
        took = f"took more than {limits.seconds:.0f} seconds and was stopped"
        needed = f"needed more than {limits.memory / 1e6:,.0f} MB of memory, or made the program behind it fail"
        super().__init__(took if why == "time" else needed)
        self.why = why


def limited(limits: Limits, work: Callable[..., R], *arguments: object) -> R:
    """What `work` (a function of a module) makes of the arguments. Raises Stopped, and what `work` raises.

    The process is started when it is first needed, and lives as long as this one, or until a piece of work ends it.
    What ends it soon after other work gets a second chance in a new one: that other work may be to blame.
    """
    children = _children(os.getpid())
    child = children.setdefault(limits.name, _Child())
    with child.lock:
        used, before = child.running, monotonic()
        try:
            done, answer = child.ask(limits, work, arguments)
        except Stopped as stopped:
            if not used or stopped.why == "time" or monotonic() - before > limits.seconds / 4:
                raise
            done, answer = child.ask(limits, work, arguments)
    if not done:
        raise answer
    return answer  # type: ignore[no-any-return]


class _Child:
    """A process that works for this one, or will when it is needed."""

    def __init__(self) -> None:
        self.lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def running(self) -> bool:
        return self._process is not None

    def ask(self, limits: Limits, work: Callable[..., Any], arguments: tuple[object, ...]) -> tuple[bool, Any]:
        """True and the result, or False and the exception. Raises Stopped."""
        process = self._process = self._process or _started()
        assert process.stdin
        assert process.stdout
        try:
            with suppress(BrokenPipeError):
                pickle.dump((limits, work, arguments), process.stdin)
                process.stdin.flush()
            return pickle.load(process.stdout)  # type: ignore[no-any-return]  # noqa: S301 - by a program of ours
        except (EOFError, pickle.UnpicklingError):
            status = process.wait()
            self.stop()
            raise Stopped("time" if status in _TIMES else "memory", limits) from None
        except BaseException:  # Ctrl-C: the answer to come would be taken for that of the next question
            self.stop()
            raise

    def stop(self) -> None:
        """End the process, if there is one."""
        if self._process:
            self._process.kill()
            self._process.wait()
            self.let_go()
            self._process = None

    def let_go(self) -> None:
        """Close this process's ends of the pipes; when all have, the other one ends by itself."""
        for pipe in (self._process.stdin, self._process.stdout) if self._process else ():
            if pipe:
                with suppress(OSError):
                    pipe.close()


@cache
def _children(_process_id: int) -> dict[str, _Child]:
    """Those of a process: its copies by `fork` have others."""
    return {}


@atexit.register
def _stop_all() -> None:
    for child in _children(os.getpid()).values():
        child.stop()


def _leave_to_parent() -> None:
    for child in _children(os.getppid()).values():
        child.let_go()


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_leave_to_parent)
    _TIMES: tuple[int, ...] = (_LATE, -signal.SIGXCPU)
else:
    _TIMES = (_LATE,)


def _started() -> subprocess.Popen[bytes]:
    """A new process, which finds modules where this one does, but never in the current folder (`-P`).

    Its time zone is UTC, so that the same input gives the same result everywhere.
    """
    command = [sys.executable, "-P", "-c", _BEGIN]
    process = subprocess.Popen(  # noqa: S603 - this very Python
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TZ": "UTC"},
    )
    assert process.stdin
    pickle.dump([path for path in sys.path if path], process.stdin)
    return process


def serve(questions: Any) -> None:
    """In the process of its own: answer until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(nowhere, 1)  # what libraries print is no answer
    while True:
        try:
            limits, work, arguments = pickle.load(questions)  # noqa: S301 - by the process that started this one
        except EOFError:
            os._exit(0)
        _limit(limits, nowhere)
        try:
            answer = pickle.dumps((True, work(*arguments)))
        except MemoryError:
            os._exit(2)
        except Exception as problem:
            answer = pickle.dumps((False, problem))
        _unlimit()
        answers.write(answer)
        answers.flush()


def _limit(limits: Limits, nowhere: int) -> None:
    """Have the system end this process when it exceeds the limits, whatever it is busy with."""
    wait = limits.seconds
    if sys.platform != "win32":
        usage = resource.getrusage(resource.RUSAGE_SELF)
        _set(resource.RLIMIT_CPU, ceil(usage.ru_utime + usage.ru_stime + limits.seconds))
        _set(resource.RLIMIT_DATA, limits.memory + limits.aside)
        _set(resource.RLIMIT_CORE, 0)
        wait *= _BUSY
    faulthandler.dump_traceback_later(wait, exit=True, file=nowhere)


def _unlimit() -> None:
    """Between two pieces of work time does not count."""
    faulthandler.cancel_dump_traceback_later()
    if sys.platform != "win32":
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))


if sys.platform != "win32":

    def _set(what: int, most: int) -> None:
        hard = resource.getrlimit(what)[1]
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
