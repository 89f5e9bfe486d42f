"""Files that are made only if something that they are made of changed."""

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
    """What is remembered of files that were made together."""

    files: tuple[tuple[PurePosixPath, str], ...]
    """Paths and hashes."""
    diagnostics: tuple[Diagnostic, ...]


class FileMemo:
    """Makes files, or finds them standing as they are wanted. To be saved at the end."""

    def __init__(self, context: BuildContext, name: str) -> None:
        self._context = context
        self._table = context.cache.table(name)
        self.diagnostics: list[Diagnostic] = []
        """What was said when the files were made, now or in an earlier build."""

    def files(self, name: str, made_of: object, make: Callable[[Report], Iterable[Artifact]]) -> tuple[Artifact, ...]:
        """What `make` makes. `made_of` is all that the result depends on; equal names are not for different files."""
        found = list[Artifact]()

        def made() -> _Known:
            reported = list[Diagnostic]()
            with naming(name):
                found[:] = [self._context.spill(artifact) for artifact in make(reported.append)]
            return _Known(tuple((artifact.path, artifact.sha256) for artifact in found), tuple(reported))

        def is_there(known: _Known) -> bool:
            existing = [self._context.existing(path, sha256) for path, sha256 in known.files]
            found[:] = [artifact for artifact in existing if artifact]
            return len(found) == len(existing)

        self.diagnostics += self._table.memo(name, made_of, _Known, made, valid=is_there).diagnostics
        return tuple(found)

    def save(self) -> None:
        self._table.save()
