"""Tags: aliases become one tag, and tags that look like variants of one are reported."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from paper_notes.corpus.model import Note, Tag, Text
from paper_notes.diagnostics import Diagnostic
from paper_notes.patterns import regex
from paper_notes.sources.yaml import Written, YamlDocument
from paper_notes.values import replace

if TYPE_CHECKING:
    from paper_notes.corpus.schema import TagValue

_PLURAL = regex(r"(?<=[a-z]{2})(?<![isu])s\b")


def folded(tag: str) -> str:
    """The common form of the ways to write a tag: `RL` and `rl`, `spec-decoding` and `spec_decodings`."""
    lower = unicodedata.normalize("NFKC", tag).casefold().strip()
    return re.sub(r"[\s_./·\u200b-\u200f\u2060\ufeff-]+", "", _PLURAL.sub("", lower))


def tags_from(values: Mapping[str, TagValue], document: YamlDocument, problems: list[Diagnostic]) -> tuple[Tag, ...]:
    """The tags that `site.yaml` describes. A word that names two of them is reported."""
    owners = {name: name for name in values}
    for name, value in values.items():
        words: list[tuple[tuple[str | int, ...], str | None]] = [
            *((("tags", name, lang), word) for lang, word in value.names.items()),
            *((("tags", name, "aliases", place), word) for place, word in enumerate(value.aliases)),
        ]
        for path, word in words:
            if word and owners.setdefault(word, name) != name:
                message = f'"{word}" already means the tag "{owners[word]}"'
                problems.append(document.finding(path, "duplicate-tag", message, "keep it with one of the two"))
    return tuple(Tag(name, Text.of(value.names), value.aliases) for name, value in values.items())


def with_tags(
    notes: Iterable[tuple[Note, Written]], known: Iterable[Tag], problems: list[Diagnostic]
) -> tuple[Note, ...]:
    """The notes with tags in place of the aliases that they write; a tag that only looks like another is reported."""
    notes, known = tuple(notes), tuple(known)
    names = {word: tag.id for tag in reversed(known) for word in (*tag.words, tag.id)}
    uses = Counter(names.get(tag, tag) for _, written in notes for tag, _ in written)
    declared = {tag.id for tag in known}
    best: dict[str, str] = {}
    for word, name in [*((word, tag.id) for tag in known for word in (tag.id, *tag.words)), *((n, n) for n in uses)]:
        key = folded(word)
        first = best.setdefault(key, name)
        if first not in declared and (-uses[name], name) < (-uses[first], first):
            best[key] = name
    for _, written in notes:
        for tag, where in written:
            name = names.get(tag, tag)
            wanted = best[folded(name)]
            if name != wanted:
                message = f'the tag "{tag}" looks like "{wanted}" written in another way'
                hint = f'write "{wanted}", or name it among the `aliases:` of that tag in site.yaml'
                problems.append(Diagnostic(where, "tag-variant", message, hint, "warning"))
    final = ((note, tuple(dict.fromkeys(names.get(tag, tag) for tag, _ in written))) for note, written in notes)
    return tuple(note if note.tags == tags else replace(note, tags=tags) for note, tags in final)
