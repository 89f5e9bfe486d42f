"""Builds collections and runs commands on them until the time is over: `make fuzz`.

FUZZ_SECONDS says for how long, FUZZ_SEED where to begin, FUZZ_BROKEN how many changes each collection gets: by default
most are legal, some have one change or two, and a few many. A collection with a finding is kept in `.fuzz/`.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

from commands import SLOW
from judging import Verdict, judged, write_collection
from mutating import how_broken, mutant

KEPT = Path(__file__).resolve().parents[2] / ".fuzz"
MEMORY = 4 * 1024**3
PATIENCE = 20 * SLOW
"""Seconds that a collection may take, whatever else the machine does: for what hangs without the processor."""
AT_A_TIME = 100
"""Collections of a process: what they leave in memory goes with it."""


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def main() -> int:
    seconds = float(os.environ.get("FUZZ_SECONDS", "600"))
    first = int(os.environ.get("FUZZ_SEED") or random.SystemRandom().randrange(10**9))
    changes = int(os.environ["FUZZ_BROKEN"]) if os.environ.get("FUZZ_BROKEN") else None
    say(f"FUZZ_SEED={first}, for {seconds:.0f} seconds")
    runs, built, findings = 0, 0, 0
    codes = Counter[tuple[str, int]]()
    start = said = time.monotonic()
    for seed, verdict in _verdicts(first, changes, start + seconds):
        runs += 1
        built += verdict.built
        codes.update(verdict.codes)
        if verdict.problem:
            findings += 1
            say(f"\n== seed {seed}: {verdict.problem.strip()}\n   {_keep(seed, changes, verdict.problem)}")
        if time.monotonic() > said + 60:
            said = time.monotonic()
            say(f"{said - start:5.0f} s: {runs} collections, {built} built, {findings} findings")
    say(f"\n{runs} collections, {built} of them built ({built / max(runs, 1):.0%}), {findings} findings\n")
    for command in sorted({command for command, _ in codes}):
        say(f"{command:12} " + "  ".join(f"exit {code}: {codes[command, code]:5}" for code in (0, 1)))
    return 1 if findings else 0


def _verdicts(seed: int, changes: int | None, end: float) -> Iterator[tuple[int, Verdict]]:
    """Each seed with what became of it, from processes of their own: these may die or hang."""
    while True:
        ours, theirs = multiprocessing.Pipe()
        seeds = range(seed, seed + AT_A_TIME)
        worker = multiprocessing.get_context("spawn").Process(target=_work, args=(seeds, changes, theirs), daemon=True)
        worker.start()
        theirs.close()
        try:
            for seed in seeds:
                if time.monotonic() > end:
                    return
                if not ours.poll(PATIENCE):
                    yield seed, Verdict(f"did not end within {PATIENCE} seconds", False, ())
                    break
                yield seed, ours.recv()
        except EOFError:
            worker.join()
            yield seed, Verdict(f"the process died ({worker.exitcode})", False, ())
        finally:
            worker.kill()
            worker.join()
        seed += 1


def _work(seeds: range, changes: int | None, tell: Connection) -> None:
    import pytest
    from conftest import share_compiled_templates

    share_compiled_templates(pytest.MonkeyPatch())
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    except ImportError:
        pass  # Windows has no such limits
    for seed in seeds:
        tell.send(judged(seed, changes))


def _keep(seed: int, changes: int | None, problem: str) -> str:
    folder = KEPT / str(seed)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    write_collection(folder, mutant(seed, how_broken(seed) if changes is None else changes))
    (KEPT / f"{seed}.txt").write_text(problem, "utf-8", "replace")
    broken = "" if changes is None else f"FUZZ_BROKEN={changes} "
    return f"again: {broken}FUZZ_SEED={seed} FUZZ_SECONDS=1 make fuzz; it is in {folder}"


if __name__ == "__main__":
    sys.exit(main())
