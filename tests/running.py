"""Collections in temporary folders, and paper-notes run on them the way a user runs it."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest
from click.testing import CliRunner, Result

from paper_notes.build import build
from paper_notes.commands import main
from paper_notes.engine.user_cache import VARIABLE as CACHES
from paper_notes.output.disk import apply

PROJECT = Path(__file__).resolve().parents[1]
SITES = Path(__file__).parent / "sites"
UPDATE = bool(os.environ.get("UPDATE"))
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "0"))
"""How many the properties are tried with in `make nightly` and `make fuzz`, which try all cases too; 0 in the suite."""
BAD_BYTE = "⟦FF⟧"
"""How scenarios write a byte that is not UTF-8: with the real one, tools that format the repository would stop."""
_SIZE = re.compile(r"\b\d+(?:\.\d)?[ \xa0][KM]B\b")


_COMPILED = "PAPER_NOTES_TESTS_COMPILED"
for _variable in (CACHES, _COMPILED):  # the caches of those who run the tests are none of our business
    if _variable not in os.environ:
        os.environ[_variable] = tempfile.mkdtemp(prefix="paper-notes-caches-")
        atexit.register(
            lambda pid, folder: os.getpid() == pid and shutil.rmtree(folder), os.getpid(), os.environ[_variable]
        )
COMPILED = os.environ[_COMPILED]
"""Where all processes of a run have the templates that one of them has compiled."""
for _variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "PAPER_NOTES_LANG"):
    os.environ.pop(_variable, None)  # messages in English, whatever the machine speaks; Python reads texts as UTF-8
os.environ["LC_ALL"] = "C.UTF-8"
# hundreds of processes would each compile the program: half of the time that one needs
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


T = TypeVar("T")
Once = Callable[[str, Callable[[Path], object]], Path]
"""Makes a folder of a name, see `conftest.once`."""


def some(values: Sequence[T], step: int) -> Sequence[T]:
    """Every so many of the inputs of a test, the same every time; in `make nightly` all. Cases have a mark for it."""
    return values if EXAMPLES else values[::step]


def collection(scenario: str, place: Path) -> Path:
    """A copy of a scenario's collection that a test may build and change."""
    root = place / scenario
    shutil.copytree(SITES / scenario, root, ignore=shutil.ignore_patterns("expected"))
    for path in root.rglob("*.md"):
        data = path.read_bytes()
        if BAD_BYTE.encode() in data:
            path.write_bytes(data.replace(BAD_BYTE.encode(), b"\xff"))
    return root


def write(root: Path, files: dict[str, str]) -> Path:
    """A collection (or a part of one) from the texts of its files; it gives back `root`."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="")
    return root


def built(root: Path) -> Path:
    """The folder `site/` of a collection without mistakes."""
    made = build(root)
    assert made.plan is not None, "\n".join(map(str, made.diagnostics))
    apply(root, made.plan)
    return root / "site"


def paper_notes(*arguments: str | Path, typed: str | None = None) -> Result:
    """A command in this process: quick, with stdout, stderr and the exit code; `typed` is on its standard input."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=typed)


def process(*arguments: str | Path, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, with variables of the environment added."""
    command = [sys.executable, "-W", "error", "-m", "paper_notes", *map(str, arguments)]
    env = {**os.environ, "PYTHONPATH": str(PROJECT), **environment}
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, encoding="utf-8", check=False, timeout=300)


def files_of(folder: Path) -> dict[str, bytes]:
    """All files below a folder by their path in it."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def without_sizes(text: str) -> str:
    """The text with sizes of pages replaced, so that a change of style does not change what is expected."""
    return _SIZE.sub("SIZE", text)


def expect(scenario: str, made: dict[str, str]) -> None:
    """Compare texts with the files in `expected/` of a scenario; `UPDATE=1 pytest` rewrites those."""
    folder = SITES / scenario / "expected"
    if UPDATE:
        shutil.rmtree(folder, ignore_errors=True)
        write(folder, made)
    expected = {name: data.decode() for name, data in files_of(folder).items()}
    assert sorted(expected) == sorted(made)
    for name, text in made.items():
        assert text == expected[name], f"{scenario}/expected/{name} differs; if that is right: UPDATE=1 pytest"


def run_python(code: str) -> str:
    """What a program of its own prints."""
    env = {**os.environ, "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True, timeout=300).stdout


def put_in_place(
    monkeypatch: pytest.MonkeyPatch, function: Callable[..., object], other: Callable[..., object]
) -> None:
    """Replace a function wherever a module of the program that is loaded has it by its name."""
    for module in [module for name, module in sys.modules.items() if name.startswith("paper_notes.")]:
        if getattr(module, function.__name__, None) is function:
            monkeypatch.setattr(module, function.__name__, other)
