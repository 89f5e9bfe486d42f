"""The files that the home page searches in: each is made anew when a note changed that it has."""

from __future__ import annotations

from collections.abc import Iterator

from paper_notes.artifacts import Artifact
from paper_notes.engine.file_memo import FileMemo, Report
from paper_notes.languages.language import Words
from paper_notes.render.links import SITE
from paper_notes.render.notes import NotePages
from paper_notes.render.search.data import Texts
from paper_notes.render.search.folding import has_chinese
from paper_notes.render.search.texts import Shard, shards, sheet


def search_files(notes: NotePages, once: FileMemo, words: Words) -> tuple[Texts, tuple[Artifact, ...]]:
    """All files, and what the home page needs to know of them. `words` are the site's."""
    parted = shards(notes.text_sizes)
    made = [artifact for shard in parted for artifact in _file(shard, notes, once, has_chinese(words))]
    return Texts(tuple(shard.name for shard in parted), _about(sum(shard.size for shard in parted))), tuple(made)


def _file(shard: Shard, notes: NotePages, once: FileMemo, chinese: bool) -> tuple[Artifact, ...]:
    def make(report: Report) -> Iterator[Artifact]:
        yield Artifact.text(SITE / shard.path, sheet(shard.name, map(notes.text, shard.notes), chinese=chinese))

    return once.files(shard.path, [notes.keys[note] for note in shard.notes], make)


def _about(size: int) -> int:
    """Rounded up to two digits."""
    step: int = 10 ** max(len(str(size)) - 2, 0)
    return -(-size // step) * step
