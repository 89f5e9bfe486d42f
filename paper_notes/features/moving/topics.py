"""Topics that are made: their line in `site.yaml`, and the first words of their `topic.yaml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import BASE, SITE_FILE, TOPIC_FILE
from paper_notes.corpus.model import Corpus, TopicId
from paper_notes.diagnostics import UserError, did_you_mean
from paper_notes.patterns import regex
from paper_notes.sources.filenames import unusable
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml_edit import dumped, with_names

SAFE = regex(r"[\w.+-]+")
"""What the folders of topics and notes may be called."""


MAKE_IT = "make it with --new-topic"


def check_topic_name(text: str) -> TopicId:
    """The name of a folder of sources that a topic may have. Raises UserError."""
    if not SAFE.fullmatch(text) or unusable(text) or text.startswith((".", "pn-")):
        raise UserError(f'"{text}" cannot be the name of a topic', "use letters, digits and . _ + -")
    return TopicId(text)


def with_topic(sources: Iterable[Source], topic: str, place: int | None = None) -> tuple[Source, ...]:
    """The sources with the topic in `topics:` of `site.yaml`, at the end or at a place. Raises UserError."""
    check_topic_name(topic)
    return tuple(
        Source(SITE_FILE, with_names(SITE_FILE, source.data, "topics", [topic], place))
        if source.path == SITE_FILE
        else source
        for source in sources
    )


def first_topic_files(
    corpus: Corpus, sources: Iterable[Source], titles: Mapping[str, str] | None = None
) -> tuple[Artifact, ...]:
    """A `topic.yaml` for each topic of `site.yaml` without a folder, so that the collection builds at once.

    `titles` are by language; else a topic is called as its folder.
    """
    folders = {source.path.parts[1] for source in sources if len(source.path.parts) > 2}
    return tuple(
        Artifact.text(
            BASE / topic / TOPIC_FILE,
            dumped({"title": {lang: (titles or {}).get(lang, topic) for lang in corpus.site.languages}}),
        )
        for topic in corpus.site.topics
        if topic not in folders and SAFE.fullmatch(topic) and topic.strip(".")
    )


def no_topic(topic: str, corpus: Corpus) -> UserError:
    """What to say of a topic that is not there."""
    hint = did_you_mean(topic, corpus.site.topics)
    return UserError(f'there is no topic "{topic}"', f"{hint}; or make it with --new-topic" if hint else MAKE_IT)
