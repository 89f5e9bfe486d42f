"""What a build works with besides its sources: cache, workers, the disk that it writes to, and its own memory."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import TypeVar

from paper_notes.artifacts import Artifact
from paper_notes.diagnostics import Diagnostic, naming
from paper_notes.engine.cache import Cache, CacheTable, digest_of
from paper_notes.engine.workers import Workers
from paper_notes.values import Struct, field, replace


class BuildContext(Struct, frozen=True):
    """Cache, workers and disk of a build. By default all is computed again, in this process, in memory."""

    cache: Cache = field(default_factory=Cache)
    workers: Workers = field(default_factory=lambda: Workers(1))
    existing: Callable[[PurePosixPath, str], Artifact | None] = lambda path, sha256: None
    """The file of the site on disk, if it has that SHA-256: then it need not be rendered."""
    spill: Callable[[Artifact], Artifact] = lambda artifact: artifact
    """Moves the bytes of an artifact from memory to disk."""
    variant: str = ""
    """Tells records of files of one build from those of another of the same collection, which has drafts."""

    def table(self, name: str) -> CacheTable:
        """The table of this name for files of the site, see `Cache.table`."""
        return self.cache.table(f"{name}{self.variant}")

    def remembering(self) -> BuildContext:
        """The same, but a file that was made already need not be made again either."""
        rendered: dict[tuple[PurePosixPath, str], Artifact] = {}

        def spill(artifact: Artifact) -> Artifact:
            spilled = self.spill(artifact)
            return rendered.setdefault((spilled.path, spilled.sha256), spilled)

        def existing(path: PurePosixPath, sha256: str) -> Artifact | None:
            return rendered.get((path, sha256)) or self.existing(path, sha256)

        return replace(self, existing=existing, spill=spill)


Report = Callable[[Diagnostic], None]
T = TypeVar("T")
V = TypeVar("V")


class _Known(Struct, frozen=True):
    """The record of files that were rendered together."""

    files: tuple[tuple[PurePosixPath, str], ...]
    """Paths and SHA-256 digests."""
    diagnostics: tuple[Diagnostic, ...]
    view: bytes = b""
    """Digest of what a template made the only file from; empty if there was none, or a mistake in it."""


class FileMemo:
    """Renders files, or takes them from disk if their inputs are unchanged. Call `save` at the end."""

    def __init__(self, context: BuildContext, name: str) -> None:
        self._context = context
        self._table = context.table(name)
        self.diagnostics: list[Diagnostic] = []
        """What was reported when the files were rendered, now or in an earlier build."""

    def files(self, name: str, inputs: object, make: Callable[[Report], Iterable[Artifact]]) -> tuple[Artifact, ...]:
        """The result of `make`. `inputs` are all that it depends on; each name is for one set of files."""
        return self._files(name, inputs, lambda report, there: (b"", make(report)))

    def page(
        self,
        name: str,
        path: PurePosixPath,
        inputs: object,
        view: Callable[[Report], V],
        write: Callable[[V, Report], str],
    ) -> tuple[Artifact, ...]:
        """The file that `write`, which depends on nothing else, makes of a view: only if the view is another one.

        `inputs` are all that both depend on.
        """

        def make(report: Report, there: Callable[[bytes], list[Artifact]]) -> tuple[bytes, list[Artifact]]:
            shown = view(report)
            if same := there(key := digest_of(shown)):
                return key, same
            mistakes = list[Diagnostic]()
            text = write(shown, mistakes.append)
            for mistake in mistakes:
                report(mistake)
            return b"" if mistakes else key, [Artifact.text(path, text)]

        return self._files(name, inputs, make)

    def _files(
        self,
        name: str,
        inputs: object,
        make: Callable[[Report, Callable[[bytes], list[Artifact]]], tuple[bytes, Iterable[Artifact]]],
    ) -> tuple[Artifact, ...]:
        artifacts = list[Artifact]()

        def is_there(known: _Known) -> bool:
            existing = [self._context.existing(path, sha256) for path, sha256 in known.files]
            artifacts[:] = [artifact for artifact in existing if artifact]
            return len(artifacts) == len(existing)

        def there(view: bytes) -> list[Artifact]:
            former = self._table.former(name, _Known)
            return artifacts if former and former.view == view and is_there(former) else []

        def render() -> _Known:
            reported = list[Diagnostic]()
            with naming(name):
                view, files = make(reported.append, there)
                artifacts[:] = [self._context.spill(artifact) for artifact in files]
            return _Known(tuple((artifact.path, artifact.sha256) for artifact in artifacts), tuple(reported), view)

        self.diagnostics += self._table.memo(name, inputs, _Known, render, valid=is_there).diagnostics
        return tuple(artifacts)

    def value(self, name: str, inputs: object, kind: type[T], make: Callable[[], T]) -> T:
        """A value that files are made from, remembered as they are."""
        return self._table.memo(name, inputs, kind, make)

    def save(self) -> None:
        self._table.save()


@contextmanager
def infrequent_gc() -> Iterator[None]:
    """Collect cycles seldom, and hardly ever among old values, of which a build keeps hundreds of thousands.

    It saves a fifth of the time of a small build.
    """
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 1_000)
    try:
        yield
    finally:
        gc.set_threshold(*before)
