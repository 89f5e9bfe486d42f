"""Loads the collection for commands that add notes to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from paper_notes.artifacts import Artifact
from paper_notes.commands.collection import without_errors
from paper_notes.corpus.load import load
from paper_notes.corpus.model import Corpus
from paper_notes.features.papers.scaffold import first_topic_files
from paper_notes.sources.tree import Source, read_tree


@dataclass(frozen=True)
class EditableCollection:
    """A collection to which notes are to be added."""

    corpus: Corpus
    sources: tuple[Source, ...]
    """With those of `topics`."""
    before: tuple[Source, ...]
    """As they are on disk."""
    topics: tuple[Artifact, ...]
    """A `topic.yaml` for each topic that has no folder yet."""


def load_editable(root: Path, check: Callable[[Corpus], None] = lambda corpus: None) -> EditableCollection:
    """The collection at `root`, whose topics may have no folder yet. Raises UserError if it has errors.

    `check` may raise another one first, of which the user is told then.
    """
    before, unreadable = read_tree(root)
    corpus, mistakes = load(before)
    if corpus:
        check(corpus)
    extra = first_topic_files(corpus, before) if corpus else ()
    sources = tuple(sorted((*before, *extra), key=lambda source: source.path))
    if extra:
        corpus, mistakes = load(sources)
    corpus = without_errors(corpus, [*unreadable, *mistakes])
    return EditableCollection(corpus, sources, before, tuple(Artifact(file.path, file.data) for file in extra))
