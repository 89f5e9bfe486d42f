"""Reads `topic.yaml`."""

from __future__ import annotations

from paper_notes.corpus.model import Alias, Lang, Text, Topic, TopicId
from paper_notes.corpus.schema import TopicFile
from paper_notes.corpus.topics import BASE, TOPIC_FILE, ReadTopic, WrittenPath, WrittenStep
from paper_notes.corpus.validate import validate
from paper_notes.diagnostics import NOWHERE, Diagnostic, Location
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml import parse_yaml


def read_topic(topic_id: TopicId, source: Source | None, languages: tuple[Lang, ...]) -> ReadTopic:
    """The topic of a folder; a bare one if its file is missing or wrong."""
    path = BASE / topic_id / TOPIC_FILE
    bare = Topic(topic_id, Text.of({languages[0]: topic_id}), "", None, (), Location(path))
    if source is None:
        hint = f"write `title: {{{', '.join(f'{lang}: ...' for lang in languages)}}}` into it"
        missing = Diagnostic(Location(path), "missing-topic-file", f"there is no {path}", hint)
        return ReadTopic(bare, diagnostics=(missing,))
    document = parse_yaml(path, source.text)
    if isinstance(document, Diagnostic):
        return ReadTopic(bare, diagnostics=(document,))
    file, mistakes = validate(TopicFile, document, languages)
    if file is None:
        return ReadTopic(bare, diagnostics=mistakes)
    at = document.location
    intro = file.intro.text() if file.intro else None
    where = at(("intro",)) if intro else NOWHERE
    paths = (
        WrittenPath(
            path.id,
            path.title.plain(),
            tuple(
                WrittenStep(
                    step.note,
                    step.words.plain() if step.words else None,
                    at(("reading_paths", number, "steps", place)),
                )
                for place, step in enumerate(path.steps)
            ),
            path.guide.text() if path.guide else None,
            at(("reading_paths", number)),
            at(("reading_paths", number, "id")),
        )
        for number, path in enumerate(file.reading_paths)
    )
    return ReadTopic(
        Topic(topic_id, file.title.plain(), file.emoji, intro, (), Location(path), where),
        tuple(Alias(topic_id, None, address, at(("aliases", place))) for place, address in enumerate(file.aliases)),
        dict(file.macros),
        tuple(paths),
        tuple((key, at(("papers", place))) for place, key in enumerate(file.papers)),
        tuple((note, at(("order", place))) for place, note in enumerate(file.order)),
        mistakes,
    )
