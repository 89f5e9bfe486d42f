"""The loop: something changed, build, write, tell the open pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from time import perf_counter

from paper_notes.build import Build
from paper_notes.diagnostics import Diagnostic, UserError, our_bug
from paper_notes.output.disk import MANIFEST
from paper_notes.output.fingerprint import FOLDERS
from paper_notes.output.plan import Plan
from paper_notes.serve.live_reload import Board, after
from paper_notes.serve.preview import write_preview
from paper_notes.serve.watch import Stamp, stamp_of
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

    def __init__(self, root: Path, update: Callable[[], Build], board: Board, *, debug: bool = False) -> None:
        """`update` builds and writes the site; it may remember what it likes from one time to the next.

        It raises SourceChanged rather than write over what it did not read. What it raises unexpectedly is told like
        any other problem, or raised if `debug` is set.
        """
        self._root, self._update, self._board, self._debug = root, update, board, debug
        texts = (PurePosixPath(path.relative_to(root).as_posix()) for path in sorted(root.glob("*.md")))
        self._beside = self._stamps((MANIFEST, *texts))
        self._last: Build | None = None
        """The last build, if it found no errors."""

    def run(self, changes: Iterable[frozenset[PurePosixPath]]) -> Iterator[Rebuilt]:
        """Build at once, and again after each of the `changes`, which come several times a second, most often empty."""
        first = True
        for changed in changes:
            if first or changed or self._stamps(self._beside) != self._beside:
                first = False
                self._show_early(changed)
                yield self._rebuild()

    def _show_early(self, changed: frozenset[PurePosixPath]) -> None:
        """Show the page of a note that was rewritten before all else is looked at."""
        try:
            plan = write_preview(self._root, self._last, changed) if self._last else None
        except (UserError, OSError):
            plan = None  # the build that follows tells of it
        if plan and self._last:
            self._board.put(after(self._board.state, self._last.diagnostics, plan))

    def _rebuild(self) -> Rebuilt:
        start = perf_counter()
        made = self._built()
        if made.problem:
            self._beside = self._stamps(self._beside)  # what was half done is no change that somebody made
        self._board.put(after(self._board.state, made.diagnostics, made.plan, made.problem))
        return Rebuilt(made.diagnostics, made.plan, made.problem, perf_counter() - start)

    def _built(self) -> Rebuilt:
        """Build and write; where a source changes on the way, begin again."""
        self._last = None
        for _ in range(_ATTEMPTS):
            before = self._stamps(self._beside)
            try:
                made = self._update()
            except SourceChanged:
                continue
            except UserError as problem:
                return Rebuilt(problem=f"{problem}; {problem.hint}" if problem.hint else str(problem))
            except OSError as problem:
                return Rebuilt(problem=str(problem))
            except Exception as error:  # the last resort: the server goes on, and the next change may mend it
                if self._debug:
                    raise
                return Rebuilt(problem=our_bug(error))
            self._beside = self._known(before, made)
            self._last = made if made.plan else None
            return Rebuilt(made.diagnostics, made.plan)
        return Rebuilt(problem="files change faster than they can be read; the next change makes it try again")

    def _known(self, before: Stamps, made: Build) -> Stamps:
        """The files beside the watched folders as the build found them, or as it left those that it wrote."""
        written = _written(made.plan) if made.plan else frozenset()
        paths = {MANIFEST, *_beside(made)} | (set() if made.plan else before.keys())
        read = {path: before[path] for path in paths if path in before and path not in written}
        return {**self._stamps(paths - read.keys()), **read}

    def _stamps(self, paths: Iterable[PurePosixPath]) -> Stamps:
        return {path: stamp_of(self._root / path) for path in paths}


def _beside(made: Build) -> set[PurePosixPath]:
    """The READMEs with regions. One that is not as it should be was not read, but something is said of it."""
    told = {diagnostic.location.path for diagnostic in made.diagnostics}
    return {path for path in told if path.parts[:1] not in _ELSEWHERE} | {readme.path for readme in made.readmes}


_ELSEWHERE = frozenset({(), MANIFEST.parts[:1], *((name,) for name in FOLDERS)})
"""First parts of paths that are watched by folder, or are written only."""


def _written(plan: Plan) -> frozenset[PurePosixPath]:
    artifacts = (*plan.create, *plan.update, *((plan.manifest,) if plan.manifest else ()))
    return frozenset(artifact.path for artifact in artifacts)
