"""Files of `static/`, which the site has as they are. None takes the place of a file of ours but `robots.txt`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.render.links import SITE, own_file
from paper_notes.sources.filenames import alike, unusable
from paper_notes.sources.tree import Source

_REPLACEABLE = frozenset({SITE / "robots.txt"})
"""What we make only so that there is one."""


def own_files(
    corpus: Corpus, ours: Collection[Artifact]
) -> tuple[Mapping[PurePosixPath, Artifact], tuple[Diagnostic, ...]]:
    """The artifacts of these files by path, and what is wrong with their names. `ours` are all other artifacts."""
    if not corpus.own_files:
        return {}, ()
    taken = frozenset(alike(str(artifact.path)) for artifact in ours if artifact.path not in _REPLACEABLE)
    folders = frozenset(alike(str(folder)) for artifact in ours for folder in artifact.path.parents)
    problems = tuple(problem for source in corpus.own_files for problem in _problems(source, taken, folders))
    artifacts = (Artifact(SITE / own_file(source), source) for source in corpus.own_files)
    return {artifact.path: artifact for artifact in artifacts}, problems


def _problems(source: Source, taken: frozenset[str], folders: frozenset[str]) -> Iterator[Diagnostic]:
    where, target = Location(source.path), SITE / own_file(source)
    names = [alike(str(path)) for path in (target, *target.parents)]
    if names[0] in folders or not taken.isdisjoint(names):
        message = f"the site has a file or folder {own_file(source)} of its own"
        hint = "rename yours: a file of static/ takes the place of no page"
        yield Diagnostic(where, "taken-path", message, hint)
    for part in own_file(source).parts:
        if reason := unusable(part):
            yield Diagnostic(where, "unportable-path", f'the name "{part}" {reason}', "rename it")
