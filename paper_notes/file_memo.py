"""Files that are made only if something that they are made of changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.build_context import BuildContext
from paper_notes.cache import Table
from paper_notes.codec import digest_of
from paper_notes.diagnostics import Diagnostic

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
        self._table = Table(context.cache, name)
        self.diagnostics: list[Diagnostic] = []
        """What was said when the files were made, now or in an earlier build."""

    def files(self, name: str, made_of: object, make: Callable[[Report], Iterable[Artifact]]) -> tuple[Artifact, ...]:
        """What `make` makes. `made_of` is all that the result depends on; equal names are not for different files."""
        key = digest_of(made_of)
        known = self._table.get(name, key, _Known)
        if known:
            standing = [self._context.existing(path, sha256) for path, sha256 in known.files]
            found = tuple(artifact for artifact in standing if artifact)
            if len(found) == len(standing):
                self.diagnostics += known.diagnostics
                return found
        said: list[Diagnostic] = []
        made = tuple(self._context.spill(artifact) for artifact in make(said.append))
        files = tuple((artifact.path, artifact.sha256) for artifact in made)
        self._table.put(name, key, _Known(files, tuple(said)))
        self.diagnostics += said
        return made

    def save(self) -> None:
        self._table.save()
