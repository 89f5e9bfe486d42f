"""The bench of whole builds, on few notes and without its peers: it runs, and its notes are good ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from running import PROJECT

from paper_notes.build import build

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the bench looks at processes in /proc")


def test_it_measures_each_case_and_nothing_is_written_where_nothing_changed(tmp_path: Path) -> None:
    bench = PROJECT / "tests/bench/build.py"
    options = ("--notes", "8", "--runs", "1", "--skip", "hugo", "material", "--keep", tmp_path)
    done = subprocess.run(
        [sys.executable, bench, *options], capture_output=True, encoding="utf-8", check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = {
        case.strip(): numbers.split()
        for case, found, numbers in (line.partition(", paper-notes") for line in done.stdout.splitlines())
        if found
    }
    assert list(rows) == ["cold", "one note changed", "nothing changed"]
    assert all(float(rows[case][number]) > 0 for case in rows for number in (0, 2, 3))
    assert [int(numbers[4]) > 0 for numbers in rows.values()] == [True, True, False]
    assert build(tmp_path / "ours").diagnostics == ()
