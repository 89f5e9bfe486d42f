"""The wheel, made and unpacked: what a user has who has nothing of this repository."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from running import PROJECT


def run(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A program that must succeed, without what the environment says of Python, and with variables added."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PIP_TARGET"))}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**env, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def make_wheel(place: Path) -> Path:
    """The wheel of this checkout, in a folder."""
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--no-input")
    run(*pip, "wheel", PROJECT, "--no-deps", "--wheel-dir", place, cwd=place)
    (made,) = place.glob("paper_notes-*.whl")
    return made


def libraries() -> str:
    """Where the dependencies come from: this environment, in which the package itself is the checkout."""
    return sysconfig.get_paths()["purelib"]
