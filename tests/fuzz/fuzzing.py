"""Builds mutants until the time is over: `make fuzz`, or FUZZ_SECONDS=60 FUZZ_SEED=7 make fuzz.

Each mutant that a build does not survive is kept in `.fuzz/`, with the command that builds it again.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

from judging import SLOW, what_is_wrong, write_mutant
from mutating import mutant

KEPT = Path(__file__).resolve().parents[2] / ".fuzz"
MEMORY = 4 * 1024**3


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def main() -> int:
    seconds = float(os.environ.get("FUZZ_SECONDS", "600"))
    first = int(os.environ.get("FUZZ_SEED") or random.SystemRandom().randrange(10**9))
    say(f"FUZZ_SEED={first}, for {seconds:.0f} seconds")
    end = time.monotonic() + seconds
    seed, findings = first, 0
    while time.monotonic() < end:
        seed, problem = _until_something_is_wrong(seed, end)
        if problem:
            findings += 1
            say(f"\n== seed {seed}: {problem.strip()}\n   {_keep(seed, problem)}")
            seed += 1
    say(f"{seed - first} collections, {findings} findings")
    return 1 if findings else 0


def _until_something_is_wrong(seed: int, end: float) -> tuple[int, str]:
    """The seed that was reached, and what was wrong with it. A process of its own may die or hang."""
    ours, theirs = multiprocessing.Pipe()
    worker = multiprocessing.get_context("spawn").Process(target=_work, args=(seed, end, theirs), daemon=True)
    worker.start()
    theirs.close()
    problem = ""
    try:
        while True:
            if not ours.poll(3 * SLOW):
                problem = f"did not end within {3 * SLOW} seconds"
                break
            message = ours.recv()
            if isinstance(message, str):
                problem = message
                break
            seed = message
    except EOFError:
        worker.join()
        problem = f"the process died ({worker.exitcode})" if worker.exitcode else ""
    worker.kill()
    worker.join()
    return seed, problem


def _work(seed: int, end: float, tell: Connection) -> None:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    except ImportError:
        pass  # Windows has no such limits
    while time.monotonic() < end:
        tell.send(seed)
        if problem := judged(seed):
            tell.send(problem)
            return
        seed += 1
    tell.send(seed)


def judged(seed: int) -> str:
    """What is wrong with the build of a seed's mutant."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        write_mutant(root, mutant(seed))
        return what_is_wrong(root, write=seed % 8 == 0)


def _keep(seed: int, problem: str) -> str:
    folder = KEPT / str(seed)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    write_mutant(folder, mutant(seed))
    (KEPT / f"{seed}.txt").write_text(problem, "utf-8", "replace")
    return f"again: PAPER_NOTES_DEBUG=1 paper-notes build --check --root {folder}"


if __name__ == "__main__":
    sys.exit(main())
