"""The loop of `serve`: after each change build, write, and notify the open pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from time import perf_counter

from paper_notes.build import Build
from paper_notes.corpus.model import OutsideFolder
from paper_notes.diagnostics import Diagnostic, UserError, in_file_order, our_bug
from paper_notes.output.disk import MANIFEST, apply
from paper_notes.output.fingerprint import FOLDERS
from paper_notes.output.lock import locked
from paper_notes.output.plan import Plan
from paper_notes.serve.live_reload import Board, after
from paper_notes.serve.watch import Stamp, stamp_of
from paper_notes.sources.tree import SOURCE_FOLDER, SourceChanged, read_readmes
from paper_notes.values import Struct, replace

_ATTEMPTS = 5
Stamps = Mapping[PurePosixPath, Stamp]


class Rebuilt(Struct, frozen=True):
    """The result of one turn of the loop."""

    diagnostics: tuple[Diagnostic, ...] = ()
    plan: Plan | None = None
    """What was written; None if the build stopped at errors."""
    problem: str = ""
    """Why the build failed, other than errors in the sources; may be empty."""
    seconds: float = 0
    saved: tuple[str, ...] = ()
    """What the user changed: notes as `spec-rl/04_ReSpec`, and files below the folder of sources, or beside it."""


class Session:
    """Keeps the site of the collection at `root` up to date, and reports each build on `board`."""

    def __init__(self, root: Path, update: Callable[[], Build], board: Board, *, debug: bool = False) -> None:
        """`update` builds and writes the site; it may keep state between calls.

        It raises SourceChanged rather than overwrite what it did not read. Unexpected exceptions are reported like
        any other problem, or raised if `debug` is set.
        """
        self._root, self._update, self._board, self._debug = root, update, board, debug
        texts = (PurePosixPath(path.relative_to(root).as_posix()) for path in sorted(root.glob("*.md")))
        self._beside = self._stamps((MANIFEST, *texts))
        self._last: Build | None = None
        """The last build, if it did not stop at errors."""
        self._sources: tuple[OutsideFolder, ...] = ()

    def outside(self) -> tuple[Path, ...]:
        """The folders outside of the collection that builds take notes from, as far as they are there."""
        places = (self._root / Path(folder.path).expanduser() for folder in self._sources)
        return tuple(place.resolve() for place in places if place.is_dir())

    def run(self, changes: Iterable[frozenset[PurePosixPath]]) -> Iterator[Rebuilt]:
        """Build at once and after each of the `changes`, which arrive several times a second and are mostly empty."""
        first = True
        for changed in changes:
            if first or changed or self._stamps(self._beside) != self._beside:
                first = False
                preview = self._preview(changed)
                rebuilt = self._rebuild()
                if preview and rebuilt.plan:  # the build had no need to write this page again
                    pages = {page.path: page for page in (*preview.update, *rebuilt.plan.update)}
                    rebuilt = replace(rebuilt, plan=replace(rebuilt.plan, update=tuple(pages.values())))
                yield replace(rebuilt, saved=_saved(changed))

    def _preview(self, changed: frozenset[PurePosixPath]) -> Plan | None:
        """Show the page of a note whose text changed, before the whole build."""
        try:
            plan = write_preview(self._root, self._last, changed) if self._last else None
        except (UserError, OSError):
            plan = None  # the build that follows reports it
        if plan and self._last:
            self._board.put(after(self._board.state, self._last.diagnostics, plan))
        return plan

    def _rebuild(self) -> Rebuilt:
        start = perf_counter()
        result = self._built()
        if result.problem:
            self._beside = self._stamps(self._beside)  # a half-done build is not a change by the user
        self._board.put(after(self._board.state, result.diagnostics, result.plan, result.problem))
        return Rebuilt(result.diagnostics, result.plan, result.problem, perf_counter() - start)

    def _built(self) -> Rebuilt:
        """Build and write; start again if a source changes meanwhile."""
        self._last = None
        for _ in range(_ATTEMPTS):
            before = self._stamps(self._beside)
            try:
                build = self._update()
            except SourceChanged:
                continue
            except UserError as problem:
                return Rebuilt(problem=f"{problem}; {problem.hint}" if problem.hint else str(problem))
            except OSError as problem:
                return Rebuilt(problem=str(problem))
            except Exception as error:  # the last resort: the server goes on, and the next change may fix it
                if self._debug:
                    raise
                return Rebuilt(problem=our_bug(error))
            self._beside = self._known(before, build)
            self._last = build if build.plan else None
            self._sources = build.corpus.site.sources if build.corpus else self._sources
            return Rebuilt(build.diagnostics, build.plan)
        return Rebuilt(problem="files change faster than they can be read; the next change makes it try again")

    def _known(self, before: Stamps, build: Build) -> Stamps:
        """The stamps of files outside the watched folders, as the build read or wrote them."""
        written = frozenset().union(*(_written(plan) for plan in (build.plan, build.published) if plan))
        is_complete = build.plan and (build.published or build.place == self._root)
        paths = {MANIFEST, *_beside(build)} | (set() if is_complete else before.keys())
        read = {path: before[path] for path in paths if path in before and path not in written}
        return {**self._stamps(paths - read.keys()), **read}

    def _stamps(self, paths: Iterable[PurePosixPath]) -> Stamps:
        return {path: stamp_of(self._root / path) for path in paths}


def _saved(changed: Iterable[PurePosixPath]) -> tuple[str, ...]:
    names = [
        "/".join(path.parts[1:3]).removesuffix(".md") if path.is_relative_to(SOURCE_FOLDER) else path.as_posix()
        for path in sorted(changed)
    ]
    return tuple(dict.fromkeys(names))


def _beside(build: Build) -> set[PurePosixPath]:
    """The READMEs with marked regions. One with errors was not read, but diagnostics name it."""
    reported = {diagnostic.location.path for diagnostic in build.diagnostics}
    return {path for path in reported if path.parts[:1] not in _NOT_BESIDE} | {readme.path for readme in build.readmes}


_NOT_BESIDE = frozenset({(), MANIFEST.parts[:1], *((name,) for name in FOLDERS)})
"""First parts of paths in watched folders, or in the site."""


def _written(plan: Plan) -> frozenset[PurePosixPath]:
    artifacts = (*plan.create, *plan.update, *((plan.manifest,) if plan.manifest else ()))
    return frozenset(artifact.path for artifact in artifacts)


def write_preview(root: Path, last: Build, changed: frozenset[PurePosixPath]) -> Plan | None:
    """Write the page of a note if its text is all that `changed` since the `last` build, which wrote the site.

    Returns the plan that was written, or None if more may have changed. A whole build follows in any case.
    Raises UserError.
    """
    if len(changed) != 1:
        return None
    sources, problems = read_readmes(root, changed)
    page = last.maker.rewritten(sources[0]) if last.maker and sources and not problems else None
    place = last.place or root
    if page is None or not (place / page.path).is_file():
        return None
    plan = Plan(create=(), update=(page,), delete=(), unchanged=())
    with locked(root):
        apply(place, plan)
    return plan


def with_drafts(update: Callable[[bool], Build], *, keep_going: bool = False) -> Build:
    """The build whose site is to be shown. `update` builds and writes a site, with drafts or without.

    What is not to be published is shown from a place of its own: drafts, and with `keep_going` pages that mark
    mistakes. Then both are built, and `site/` is written if nothing is wrong in what it has.
    """
    published = update(False)
    if not published.drafts and (published.plan or not keep_going):
        return published
    shown = update(True)
    diagnostics = in_file_order((*published.diagnostics, *shown.diagnostics))
    shown = replace(shown, diagnostics=diagnostics, drafts=published.drafts)
    return replace(shown, readmes=published.readmes, published=published.plan)
