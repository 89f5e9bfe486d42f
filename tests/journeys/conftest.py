"""The program as users have it: installed from the wheel, in a shell in which nothing of this repository is found."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from installing import Shell, run, shell_with
from running import Once


@pytest.fixture(scope="session")
def installed(wheel: Path, once: Once) -> Path:
    """Where pip has put the wheel; the libraries are those of this environment."""

    def install(place: Path) -> None:
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--no-input")
        run(*pip, "install", "--no-deps", "--no-index", "--target", place / "program", wheel, cwd=place)

    return once("installed", install) / "program"


@pytest.fixture
def shell(installed: Path, tmp_path: Path) -> Shell:
    """Somebody who has just installed the program."""
    (tmp_path / "home").mkdir()
    return shell_with(installed, tmp_path / "home")
