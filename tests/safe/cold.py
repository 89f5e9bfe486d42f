"""Builds without a cache, which give the site to compare with. Each runs in a process of its own.

Run as a program, it reads paths of collections and writes a JSON list of the diagnostics of each to stdout. It forks a
process for each build after it has imported everything, which takes no time. There PDFs are read in this very process.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Self

import pytest
from living import new_collection, sources_of
from running import PROJECT, built

from paper_notes.build import build
from paper_notes.diagnostics import Diagnostic
from paper_notes.engine.user_cache import VARIABLE as CACHES
from paper_notes.output.disk import apply
from paper_notes.render import site_pages
from paper_notes.render.pages.digests import PAGE as DIGESTS
from paper_notes.render.pages.map import PAGE as MAP
from paper_notes.render.pages.papers import PAGE as PAPERS
from paper_notes.sources.pdf import reader
from paper_notes.values import replace

KEPT = 8
"""Sites that are kept for the next time that a collection is like this."""
READ = ("notes_src", "templates", "assets", "README.md")


class ColdBuilds:
    """A process that builds collections without a cache; a context manager that ends it."""

    def __init__(self, place: Path, *, large: bool = False) -> None:
        """`place` is a folder of its own for the sites that it makes, with `large` see `as_if_large`."""
        self._place, self._large = place, large
        self._made: dict[Path, list[str]] = {}

    def __enter__(self) -> Self:
        path = os.pathsep.join([str(PROJECT), str(PROJECT / "tests")])
        env = {**os.environ, "PYTHONPATH": path, "TZ": "UTC", CACHES: "no absolute path: nothing is cached"}
        command = [sys.executable, __file__, str(self._place), *(["large"] if self._large else [])]
        self._process = subprocess.Popen(
            command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=300)

    def of(self, root: Path, *, keep_going: bool = False) -> tuple[Path, list[str]]:
        """A copy of the collection with its site, built without a cache, and the diagnostics.

        There is no site after errors, unless it keeps going. The same sources are built once.
        """
        copy = self._place / hashlib.sha256(repr((keep_going, sorted(sources_of(root).items()))).encode()).hexdigest()
        if copy in self._made:
            return copy, self._made[copy]
        while len(self._made) >= KEPT:
            shutil.rmtree(oldest := next(iter(self._made)))
            del self._made[oldest]
        for name in READ:
            if (root / name).is_dir():
                shutil.copytree(root / name, copy / name)
            elif (root / name).exists():
                shutil.copy2(root / name, copy / name)
        assert self._process.stdin
        assert self._process.stdout
        print(json.dumps([str(copy), keep_going]), file=self._process.stdin, flush=True)
        self._made[copy] = json.loads(self._process.stdout.readline())
        return copy, self._made[copy]


def as_if_large(patch: pytest.MonkeyPatch) -> None:
    """Have lists in the parts that they have in a collection of thousands."""
    pages = tuple(
        replace(page, parts=partial(page.parts, large=1)) if page in (DIGESTS, MAP, PAPERS) else page
        for page in site_pages.COLLECTION_PAGES
    )
    patch.setattr(site_pages, "COLLECTION_PAGES", pages)


def reported(diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    """The diagnostics with all their fields as text.

    But for what `corpus.rename_hints` knows of the last good build: hints about what is missing, and lost addresses.
    """
    lasting = (found for found in diagnostics if found.rule != "moved-note")
    return [repr(replace(found, hint="") if found.about else found) for found in lasting]


def _answer(root: Path, *, keep_going: bool) -> None:
    made = build(root, keep_going=keep_going)
    if made.plan:
        apply(root, made.plan)
    print(json.dumps(reported(made.diagnostics)), flush=True)  # noqa: T201


def _prepare(place: Path, *, large: bool) -> None:
    """Compile all templates, and import all, which takes longer than a build: the only state that the builds share."""
    from conftest import share_compiled_templates

    patch = pytest.MonkeyPatch()
    share_compiled_templates(patch)
    patch.setattr(reader, "limited", lambda limits, work, *arguments: work(*arguments))
    if large:
        as_if_large(patch)
    built(new_collection(place))
    gc.freeze()  # a collection in a fork would copy all of it


if __name__ == "__main__":
    _prepare(Path(sys.argv[1]) / "first", large=len(sys.argv) > 2)
    for line in sys.stdin:
        if child := os.fork():
            os.waitpid(child, 0)
            continue
        try:
            root, keep_going = json.loads(line)
            _answer(Path(root), keep_going=keep_going)
        finally:
            os._exit(0)
