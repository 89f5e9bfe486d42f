"""Limits for native libraries: exceeding one ends only that process, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from exceeding import answer_only_once, raise_what_cannot_be_sent, turn_for_ever
from running import PROJECT

from paper_notes.engine.sandboxed_process import Limits, Stopped, limited
from paper_notes.values import replace

SMALL = Limits("small", seconds=0.1, memory=200_000_000)
BUSY = replace(SMALL, seconds=0.4)
LATE = "took more than 0 seconds and was stopped"
FAILED = "needed more than 200 MB of memory, or made the program behind it fail"


def test_the_same_process_gives_results_and_raises_what_the_work_raises() -> None:
    first = limited(SMALL, os.getpid)
    assert first != os.getpid()
    with pytest.raises(ValueError, match="invalid literal for int"):
        limited(SMALL, int, "a")
    assert limited(SMALL, os.getpid) == first
    assert limited(Limits("another"), os.getpid) != first
    assert limited(SMALL, signal.getsignal, signal.SIGINT) is signal.SIG_IGN, "the one at the terminal says it"


def test_an_exception_that_cannot_be_sent_is_raised_by_its_words() -> None:
    with pytest.raises(RuntimeError, match="Unsendable: no way"):
        limited(SMALL, raise_what_cannot_be_sent)


@pytest.mark.nightly(but_every=2)
@pytest.mark.parametrize(
    ("work", "argument", "why"),
    [(turn_for_ever, (), LATE), (time.sleep, (9,), LATE), (bytes, (10**9,), FAILED), (os.abort, (), FAILED)],
    ids=["busy", "waiting", "large", "failing"],
)
def test_what_exceeds_a_limit_ends_and_the_next_work_gets_another_process(work, argument, why: str) -> None:
    before = limited(SMALL, os.getpid)
    with pytest.raises(Stopped) as stopped:
        limited(BUSY if work is turn_for_ever else SMALL, work, *argument)
    assert str(stopped.value) == why
    assert limited(SMALL, os.getpid) != before


def test_work_does_not_suffer_from_work_before_it() -> None:
    assert [limited(Limits("once"), answer_only_once) for _ in range(2)] == [1, 1]


def test_nothing_is_imported_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pickle", "struct", "sitecustomize", "threading", "resource"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(7)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")
    assert limited(Limits("elsewhere"), os.getcwd) == str(tmp_path)


PARENT = """
import os, time
from paper_notes.engine.sandboxed_process import Limits, limited
print(limited(Limits("any"), os.getpid), flush=True)
if os.fork() == 0:
    print(os.getpid(), flush=True)
time.sleep(60)
"""


def test_no_process_outlives_one_that_was_killed_even_if_its_copies_do() -> None:
    env = {**os.environ, "PYTHONPATH": str(PROJECT)}
    with subprocess.Popen([sys.executable, "-c", PARENT], env=env, stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        child, copy = (int(parent.stdout.readline()) for _ in range(2))
        parent.kill()
    try:
        for _ in range(100):
            if not Path(f"/proc/{child}/cmdline").exists() or not Path(f"/proc/{child}/cmdline").read_bytes():
                return
            time.sleep(0.05)
        pytest.fail("it is still there")
    finally:
        os.kill(copy, signal.SIGKILL)
