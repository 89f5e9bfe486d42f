"""What a command costs: wall time, processor time and peak memory of the whole tree of its processes (Linux only)."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

INTERVAL = 0.05
"""Seconds between two looks at the memory, at the least."""
SHARE = 0.05
"""Looking may take so much of one processor: a large process takes milliseconds to look at."""
_PR_SET_CHILD_SUBREAPER = 36
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Cost:
    """Seconds, seconds of all processors, bytes."""

    wall: float
    cpu: float
    memory: int


def lines(figures: Iterable[tuple[str, str, str]]) -> str:
    """A line for each figure: its name, what was measured, and what it may be at most, if there is a target."""
    return "".join(
        f"{name:42} {value:>38} {target and 'at most ' + target}".rstrip() + "\n" for name, value, target in figures
    )


def memory_kind() -> str:
    """PSS counts a page shared by several processes once; where the kernel does not tell it, RSS has to do."""
    try:
        return "PSS" if "\nPss:" in Path("/proc/self/smaps_rollup").read_text() else "RSS"
    except OSError:
        return "RSS"


def adopt_orphans() -> None:
    """Processes whose parent has ended become ours, so that none of a tree is lost."""
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        sys.exit("this kernel cannot tell what a tree of processes costs")


def cost_of(command: Sequence[str], folder: Path, *, may_fail: bool = False) -> Cost:
    """Run a command in `folder` and wait for all that it started. Its words are shown only if it fails and may not."""
    watch = _Watch(memory_kind())
    # an installed program is compiled once, not at every start
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as words:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=words, stderr=words
        )
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        cpu = usage.ru_utime + usage.ru_stime
        with suppress(ChildProcessError):
            while True:  # what it left behind
                _, _, usage = os.wait4(-1, 0)
                cpu += usage.ru_utime + usage.ru_stime
        watch.stop()
        if process.returncode and not may_fail:
            words.seek(0)
            sys.exit(f"{' '.join(command)} failed:\n{words.read().decode(errors='replace')[-3000:]}")
    return Cost(wall, cpu, watch.peak)


class _Watch(threading.Thread):
    """Looks at the memory of all processes below this one until it is stopped."""

    def __init__(self, kind: str) -> None:
        super().__init__(daemon=True)
        self.peak = 0
        self._memory = _pss if kind == "PSS" else _rss
        self._done = threading.Event()

    def run(self) -> None:
        pause = 0.0
        while not self._done.wait(pause):
            start = time.thread_time()
            self.peak = max(self.peak, sum(map(self._memory, _below(os.getpid()))))
            pause = max(INTERVAL, (time.thread_time() - start) / SHARE)

    def stop(self) -> None:
        self._done.set()
        self.join()


def _below(root: int) -> list[int]:
    """The processes that descend from `root`."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):  # it has ended
                stat = (folder / "stat").read_text(errors="replace")
                parent = int(stat.rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(folder.name))
    found, waiting = [], [root]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def _pss(pid: int) -> int:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


def _rss(pid: int) -> int:
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    return 0
