"""The program as users have it: installed from the wheel, in a shell in which nothing of this repository is found."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from installing import Shell, run, shell_with


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pip has put the wheel; the libraries are those of this environment."""
    place = tmp_path_factory.mktemp("installed")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--no-input")
    run(*pip, "install", "--no-deps", "--no-index", "--target", place, wheel, cwd=place)
    return place


@pytest.fixture
def shell(installed: Path, tmp_path: Path) -> Shell:
    """Somebody who has just installed the program."""
    (tmp_path / "home").mkdir()
    return shell_with(installed, tmp_path / "home")
