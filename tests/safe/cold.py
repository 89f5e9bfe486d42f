"""Builds from nothing: what a site must be, whatever was built before. Each build is made by a process of its own.

Run as a program, it answers on stdout for each collection that it reads the path of: a JSON list of what was said.
It works in copies of itself that have imported everything and built nothing of the collection, which takes no time.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Self

import pytest
from running import PROJECT, built, collection

from paper_notes.build import build
from paper_notes.diagnostics import Diagnostic
from paper_notes.output.disk import apply

READ = ("notes_src", "templates", "assets", "README.md")


class ColdBuilds:
    """Somebody to build collections from nothing: a context, so that it ends."""

    def __init__(self, place: Path) -> None:
        """`place` is a folder of its own for the sites that it makes."""
        self._place = place

    def __enter__(self) -> Self:
        env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(PROJECT), str(PROJECT / "tests")])}
        command = [sys.executable, __file__, str(self._place)]
        self._process = subprocess.Popen(
            command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=60)

    def of(self, root: Path) -> tuple[Path, list[str]]:
        """A copy of the collection with its site, built from nothing, and what was said. There is no site if that is
        an error."""
        copy = self._place / "cold"
        shutil.rmtree(copy, ignore_errors=True)
        for name in READ:
            if (root / name).is_dir():
                shutil.copytree(root / name, copy / name)
            elif (root / name).exists():
                shutil.copy2(root / name, copy / name)
        assert self._process.stdin
        assert self._process.stdout
        print(copy, file=self._process.stdin, flush=True)
        return copy, json.loads(self._process.stdout.readline())


def told(diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    """All that a diagnostic has, as text."""
    return [repr(diagnostic) for diagnostic in diagnostics]


def _answer(root: Path) -> None:
    made = build(root)
    if made.plan:
        apply(root, made.plan)
    print(json.dumps(told(made.diagnostics)), flush=True)  # noqa: T201


def _compile_templates(place: Path) -> None:
    """The one thing that all these builds share: it takes longer than one of them."""
    from conftest import share_compiled_templates

    share_compiled_templates(pytest.MonkeyPatch())
    built(collection("bilingual", place))


if __name__ == "__main__":
    _compile_templates(Path(sys.argv[1]) / "first")
    for line in sys.stdin:
        if child := os.fork():
            os.waitpid(child, 0)
            continue
        try:
            _answer(Path(line.removesuffix("\n")))
        finally:
            os._exit(0)
