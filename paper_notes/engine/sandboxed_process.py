"""Runs libraries that may not end in processes with limits of time and memory: exceeding one ends only that process.

Not with `multiprocessing` or pools built on it: their processes may not start others if they are daemons themselves
(Dask's are), run the caller's `__main__` again, or need threads, after which `workers` cannot fork.
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
from functools import cache
from math import ceil
from threading import Lock
from time import monotonic
from typing import Any, Literal, TypeVar

from paper_notes.values import Struct

if sys.platform != "win32":
    import resource

R = TypeVar("R")

_BEGIN = """
import os, pickle, sys
try:
    sys.path[:] = pickle.load(sys.stdin.buffer)
    from paper_notes.engine.sandboxed_process import serve
    serve(sys.stdin.buffer)
except BaseException:
    os._exit(3)  # not 1, which means that it was late
"""
_BUSY = 5
"""Seconds of wall time allowed per second of processor time, as other programs run too. On Windows: one."""
_LATE = 1
"""Exit status of a process that `faulthandler` ends."""


class Limits(Struct, frozen=True):
    """Limits of one call. All calls with the same name run in the same process, one after another."""

    name: str
    seconds: float = 7
    """Processor time."""
    memory: int = 500_000_000
    """Bytes of data (RLIMIT_DATA), as far as the system counts them."""
    aside: int = 0
    """Additional bytes that the library reserves without using them."""


class Stopped(Exception):
    """The work was stopped, or its process ended. It may succeed next time: the machine may have been busy."""

    def __init__(self, why: Literal["time", "memory"], limits: Limits) -> None:
        took = f"took more than {limits.seconds:.0f} seconds and was stopped"
        needed = f"needed more than {limits.memory / 1e6:,.0f} MB of memory, or made the program behind it fail"
        super().__init__(took if why == "time" else needed)
        self.why = why


def limited(limits: Limits, work: Callable[..., R], *arguments: object) -> R:
    """The result of `work` (a function of a module) with these arguments. Raises Stopped, and whatever `work` raises.

    The process is started when it is first needed, and lives as long as this one, or until a call ends it. A call that
    ends a process which did other work before is tried again in a new one: the earlier work may be to blame.
    """
    children = _children(os.getpid())
    child = children.setdefault(limits.name, _Child())
    with child.lock:
        used, before = child.process is not None, monotonic()
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
    """A worker process, started when it is first needed."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.process: subprocess.Popen[bytes] | None = None

    def ask(self, limits: Limits, work: Callable[..., Any], arguments: tuple[object, ...]) -> tuple[bool, Any]:
        """True and the result, or False and the exception. Raises Stopped."""
        process = self.process = self.process or _started()
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
        except BaseException:  # Ctrl-C: the pending answer would be taken for that of the next call
            self.stop()
            raise

    def stop(self) -> None:
        """End the process, if there is one."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.let_go()
            self.process = None

    def let_go(self) -> None:
        """Close our ends of the pipes; when all processes have, the child ends by itself."""
        for pipe in (self.process.stdin, self.process.stdout) if self.process else ():
            if pipe:
                with suppress(OSError):
                    pipe.close()


@cache
def _children(_process_id: int) -> dict[str, _Child]:
    """The children of one process, by the name of their limits: forked copies of it have their own."""
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
    """Start a process that imports modules from where this one does, but never from the current folder (`-P`).

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


def serve(requests: Any) -> None:
    """The loop of the child process: answer requests until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(nowhere, 1)  # what libraries print must not mix with the answers
    while True:
        try:
            limits, work, arguments = pickle.load(requests)  # noqa: S301 - by the process that started this one
        except EOFError:
            os._exit(0)
        _limit(limits, nowhere)
        try:
            answer = pickle.dumps((True, work(*arguments)))
        except MemoryError:
            os._exit(2)
        except Exception as problem:
            answer = _packed(problem)
        _unlimit()
        answers.write(answer)
        answers.flush()


def _packed(problem: Exception) -> bytes:
    """The exception as an answer; its words alone if it cannot be sent."""
    try:
        answer = pickle.dumps((False, problem))
        pickle.loads(answer)  # noqa: S301 - what was packed just now
    except Exception:
        return pickle.dumps((False, RuntimeError(f"{type(problem).__name__}: {problem}")))
    return answer


def _limit(limits: Limits, nowhere: int) -> None:
    """Have the system end this process if it exceeds the limits, even inside native code."""
    wait = limits.seconds
    if sys.platform != "win32":
        usage = resource.getrusage(resource.RUSAGE_SELF)
        _set(resource.RLIMIT_CPU, ceil(usage.ru_utime + usage.ru_stime + limits.seconds))
        _set(resource.RLIMIT_DATA, limits.memory + limits.aside)
        _set(resource.RLIMIT_CORE, 0)
        wait *= _BUSY
    faulthandler.dump_traceback_later(wait, exit=True, file=nowhere)


def _unlimit() -> None:
    """Suspend the time limits between two calls."""
    faulthandler.cancel_dump_traceback_later()
    if sys.platform != "win32":
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))


if sys.platform != "win32":

    def _set(what: int, most: int) -> None:
        hard = resource.getrlimit(what)[1]
        resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
