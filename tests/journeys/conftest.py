"""The program as users have it: installed from the wheel, in a shell in which nothing of this repository is found."""

from __future__ import annotations

from pathlib import Path

import pytest
from installing import Shell, shell_with


@pytest.fixture
def shell(installed: Path, tmp_path: Path) -> Shell:
    """Somebody who has just installed the program."""
    (tmp_path / "home").mkdir()
    return shell_with(installed, tmp_path / "home")
