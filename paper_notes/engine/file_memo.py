"""Renders files only if one of their inputs changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.diagnostics import Diagnostic, naming
from paper_notes.engine.build_context import BuildContext

Report = Callable[[Diagnostic], None]


@dataclass(frozen=True, slots=True)
class _Known:
    """The record of files that were rendered together."""

    files: tuple[tuple[PurePosixPath, str], ...]
    """Paths and SHA-256 digests."""
    diagnostics: tuple[Diagnostic, ...]


class FileMemo:
    """Renders files, or takes them from disk if their inputs are unchanged. Call `save` at the end."""

    def __init__(self, context: BuildContext, name: str) -> None:
        self._context = context
        self._table = context.table(name)
        self.diagnostics: list[Diagnostic] = []
        """What was reported when the files were rendered, now or in an earlier build."""

    def files(self, name: str, inputs: object, make: Callable[[Report], Iterable[Artifact]]) -> tuple[Artifact, ...]:
        """The result of `make`. `inputs` are all that it depends on; each name is for one set of files."""
        artifacts = list[Artifact]()

        def render() -> _Known:
            reported = list[Diagnostic]()
            with naming(name):
                artifacts[:] = [self._context.spill(artifact) for artifact in make(reported.append)]
            return _Known(tuple((artifact.path, artifact.sha256) for artifact in artifacts), tuple(reported))

        def is_there(known: _Known) -> bool:
            existing = [self._context.existing(path, sha256) for path, sha256 in known.files]
            artifacts[:] = [artifact for artifact in existing if artifact]
            return len(artifacts) == len(existing)

        self.diagnostics += self._table.memo(name, inputs, _Known, render, valid=is_there).diagnostics
        return tuple(artifacts)

    def save(self) -> None:
        self._table.save()
