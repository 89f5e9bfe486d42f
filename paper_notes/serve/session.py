"""The loop: something changed, build, write, tell the open pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path, PurePosixPath
from time import perf_counter

from paper_notes.build import Build
from paper_notes.diagnostics import Diagnostic
from paper_notes.output.disk import MANIFEST, OutputProblem, apply
from paper_notes.output.plan import Plan
from paper_notes.serve.board import Board, after
from paper_notes.serve.watch import FOLDERS, Stamp, stamp
from paper_notes.sources.tree import SourceChanged

_ATTEMPTS = 5
Stamps = Mapping[PurePosixPath, Stamp]


@dataclass(frozen=True)
class Rebuilt:
    """What one turn of the loop came to."""

    diagnostics: tuple[Diagnostic, ...] = ()
    plan: Plan | None = None
    """What was written; None if nothing could be."""
    problem: str = ""
    """What kept the build from its end, other than errors in the sources."""
    seconds: float = 0


class Session:
    """Keeps the site of the collection at `root` as its sources say, and the pages at `board` in the know."""

    def __init__(self, root: Path, build: Callable[[], Build], board: Board, *, debug: bool = False) -> None:
        """`build` works out the site and writes nothing; it may remember what it likes from one time to the next.

        What it raises unexpectedly is told like any other problem, or raised if `debug` is set.
        """
        self._root, self._build, self._board, self._debug = root, build, board, debug
        texts = (PurePosixPath(path.relative_to(root).as_posix()) for path in sorted(root.glob("*.md")))
        self._beside = self._stamps((MANIFEST, *texts))

    def run(self, changes: Iterable[frozenset[PurePosixPath]]) -> Iterator[Rebuilt]:
        """Build at once, and again after each of the `changes`, which come several times a second, most often empty."""
        first = True
        for changed in changes:
            if first or changed or self._stamps(self._beside) != self._beside:
                first = False
                yield self._rebuild()

    def _rebuild(self) -> Rebuilt:
        start = perf_counter()
        made = self._built()
        self._board.put(after(self._board.state, made.diagnostics, made.plan, made.problem))
        return Rebuilt(made.diagnostics, made.plan, made.problem, perf_counter() - start)

    def _built(self) -> Rebuilt:
        """Build and write. What changes on the way makes it begin again: nobody's words are written over."""
        made = Rebuilt()
        for _ in range(_ATTEMPTS):
            before = self._stamps(self._beside)
            made = self._attempt(before)
            self._beside = self._known(before, made)
            if made.problem != _CHANGED:
                break
        return made

    def _attempt(self, before: Stamps) -> Rebuilt:
        try:
            made = self._build()
            if made.plan is None:
                return Rebuilt(made.diagnostics)
            if self._stamps(before) != before:
                return Rebuilt(problem=_CHANGED)
            apply(self._root, made.plan)
        except SourceChanged:
            return Rebuilt(problem=_CHANGED)
        except (OutputProblem, OSError) as problem:
            return Rebuilt(problem=str(problem))
        except Exception as error:  # the last resort: the server goes on, and the next change may mend it
            if self._debug:
                raise
            return Rebuilt(problem=f"this is a bug of ours, not yours: {type(error).__name__}: {error}")
        return Rebuilt(made.diagnostics, made.plan)

    def _known(self, before: Stamps, made: Rebuilt) -> Stamps:
        """The files beside the watched folders as the build found them, or as it left those that it wrote."""
        written = _written(made.plan) if made.plan else frozenset()
        paths = {MANIFEST, *_beside(made)} | (set() if made.plan else before.keys())
        read = {path: before[path] for path in paths if path in before and path not in written}
        return {**self._stamps(paths - read.keys()), **read}

    def _stamps(self, paths: Iterable[PurePosixPath]) -> Stamps:
        return {path: stamp(self._root / path) for path in paths}


_CHANGED = "files change faster than they can be read; this will be tried again after the next change"


def _beside(made: Rebuilt) -> set[PurePosixPath]:
    """The READMEs with regions. One that is not as it should be is in no plan, but in what is said of it."""
    paths = chain((diagnostic.location.path for diagnostic in made.diagnostics), *_planned(made.plan))
    return {path for path in paths if path.parts[:1] not in _ELSEWHERE}


def _planned(plan: Plan | None) -> tuple[Iterable[PurePosixPath], ...]:
    return (_written(plan), plan.unchanged) if plan else ()


_ELSEWHERE = frozenset({(), MANIFEST.parts[:1], *((name,) for name in FOLDERS)})
"""First parts of paths that are watched by folder, or are written only."""


def _written(plan: Plan) -> frozenset[PurePosixPath]:
    artifacts = (*plan.create, *plan.update, *((plan.manifest,) if plan.manifest else ()))
    return frozenset(artifact.path for artifact in artifacts)
