"""Loads the collection for commands that add notes to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from paper_notes.artifacts import Artifact
from paper_notes.commands.collection import without_errors
from paper_notes.commands.naming import here
from paper_notes.corpus.load import SITE_FILE, load
from paper_notes.corpus.model import Corpus, TopicId
from paper_notes.diagnostics import UserError
from paper_notes.engine.cache import Cache
from paper_notes.features.moving.topics import first_topic_files, with_topic
from paper_notes.sources.tree import Source, read_tree
from paper_notes.values import Struct


class EditableCollection(Struct, frozen=True):
    """A collection to which notes are to be added."""

    corpus: Corpus
    sources: tuple[Source, ...]
    """With those of `topics`."""
    before: tuple[Source, ...]
    """As they are on disk."""
    topics: tuple[Artifact, ...]
    """A `topic.yaml` for each topic that has no folder yet, and `site.yaml` if it gets one more."""
    cache: Cache
    """What the last build found out of the files that are as they were."""


def load_editable(
    root: Path,
    check: Callable[[Corpus], None] = lambda corpus: None,
    *,
    new_topic: str | None = None,
    first_topic: str | None = None,
    cache: Cache,
) -> EditableCollection:
    """The collection at `root`, whose topics may have no folder yet. Raises UserError if it has errors.

    `check` may raise another one first, of which the user is told then. `new_topic` is added if it is not there, and
    `first_topic` if there is no topic at all.
    """
    before, unreadable = read_tree(root)  # all of it now: what an editor saves later does not stop the command
    sources, topics = before, tuple[Artifact, ...]()
    corpus, mistakes = load(sources, cache=cache)
    if corpus and not corpus.site.topics:
        new_topic = new_topic or first_topic
    if corpus and new_topic and new_topic not in corpus.site.topics:
        sources = with_topic(before, new_topic)
        topics = tuple(Artifact(source.path, source.data) for source in sources if source.path == SITE_FILE)
        corpus, mistakes = load(sources, cache=cache)
    if corpus:
        check(corpus)
    extra = first_topic_files(corpus, before) if corpus else ()
    if extra:
        files = (Source(file.path, file.data) for file in extra)
        sources = tuple(sorted((*sources, *files), key=lambda source: source.path))
        corpus, mistakes = load(sources, cache=cache)
    corpus = without_errors(corpus, [*unreadable, *mistakes])
    return EditableCollection(corpus, sources, before, (*topics, *extra), cache)


def chosen_topic(topic: str | None, corpus: Corpus, root: Path) -> TopicId:
    """The topic that was named, or in whose folder the user is, or the only one. Raises UserError."""
    topics = corpus.site.topics
    if topic is not None:
        return TopicId(topic)
    if inside := here(root).split("/")[1:2]:
        return TopicId(inside[0])
    if len(topics) == 1:
        return topics[0]
    raise UserError("it is not said which topic the note goes into", f"add --topic with one of {', '.join(topics)}")
