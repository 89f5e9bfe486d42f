"""An editor saves files while commands write them: see `racing.py`, which tries many more rounds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from running import EXAMPLES, PROJECT

ROUNDS = 40 if EXAMPLES else 4


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a few microseconds are left in which a save is lost")
def test_nothing_that_is_saved_while_commands_write_is_lost(tmp_path: Path) -> None:
    command = [sys.executable, Path(__file__).with_name("racing.py"), "--prove", "--rounds", str(ROUNDS)]
    path = os.pathsep.join([str(PROJECT), str(PROJECT / "tests")])
    env = {**os.environ, "PYTHONPATH": path, "TMPDIR": str(tmp_path)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "only compared: \n" not in done.stdout, "a save that is lost is seen"
    for what in ("new a: written", "sync: written", "build: written", "refusals"):
        assert f" {what}\n" in done.stdout
