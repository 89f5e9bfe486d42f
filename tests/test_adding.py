"""How many places each addition takes: it is made in a copy of the program, which then builds a collection."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from running import PROJECT, collection

from paper_notes.user_cache import VARIABLE

COMPONENT = """    Component(
        "moral",
        lambda block: f'<div class="moral"{block.anchor}><p class="moral-title">{block.title}</p>{block.inner}</div>',
        "moral moral-title",
        Text("寓意", "What to take home"),
    ),
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A folder with a copy of the program, its templates and its assets."""
    for name in ("paper_notes", "templates", "assets"):
        skipped = shutil.ignore_patterns("__pycache__")
        shutil.copytree(PROJECT / name, tmp_path / "program" / name, ignore=skipped)
    return tmp_path / "program"


def insert(path: Path, before: str, text: str) -> None:
    """Put a text before the only place in a file that holds `before`."""
    old = path.read_text("utf-8")
    assert old.count(before) == 1, before
    path.write_text(old.replace(before, text + before), "utf-8")


def run(program: Path, root: Path, *arguments: str) -> str:
    """What a command of the copy prints; it must succeed."""
    env = {**os.environ, "PYTHONPATH": str(program), VARIABLE: str(program.parent / "caches")}
    command = [sys.executable, "-B", "-m", "paper_notes", *arguments]
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, encoding="utf-8", check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_component_is_one_row_and_one_style_sheet(program: Path, tmp_path: Path) -> None:
    insert(program / "paper_notes/markdown/components.py", '    Component("quote"', COMPONENT)
    (program / "assets/css/parts/29-moral.css").write_text(".moral{color:#123456}\n", "utf-8")
    root = collection("one-language", tmp_path)
    text = next(root.glob("notes_src/*/*/*.md"))
    text.write_text(text.read_text("utf-8") + "\n:::moral Slowly\nHaste makes waste.\n:::\n", "utf-8")
    run(program, root, "build")
    pages = [path.read_text("utf-8") for path in root.glob("site/*/notes/*.html")]
    page = next(page for page in pages if "Haste makes waste." in page)
    assert '<div class="moral"><p class="moral-title">Slowly</p><p>Haste makes waste.</p>' in page
    assert ".moral{color:#123456}" in page
    assert all(".moral{" not in other for other in pages if other != page)
    assert "What to take home" in run(program, root, "explain", "moral")
