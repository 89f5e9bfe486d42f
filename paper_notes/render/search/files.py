"""The files that the home page searches: each is written again if one of its notes changed."""

from __future__ import annotations

from collections.abc import Iterator

from paper_notes.artifacts import Artifact
from paper_notes.engine.build_context import FileMemo, Report
from paper_notes.languages.language import Words
from paper_notes.render.links import SITE
from paper_notes.render.notes import NotePages
from paper_notes.render.search.data import Texts
from paper_notes.render.search.folding import has_chinese
from paper_notes.render.search.texts import Shard, shards, sheet


def search_files(notes: NotePages, memo: FileMemo, words: Words) -> tuple[Texts, tuple[Artifact, ...]]:
    """All search files, and their summary for the home page. `words` are those of the site."""
    split = shards(notes.text_sizes)
    artifacts = [artifact for shard in split for artifact in _file(shard, notes, memo, has_chinese(words))]
    return Texts(tuple(shard.name for shard in split), _about(sum(shard.size for shard in split))), tuple(artifacts)


def _file(shard: Shard, notes: NotePages, memo: FileMemo, chinese: bool) -> tuple[Artifact, ...]:
    def make(report: Report) -> Iterator[Artifact]:
        yield Artifact.text(SITE / shard.path, sheet(shard.name, map(notes.text, shard.notes), chinese=chinese))

    return memo.files(shard.path, [notes.keys[note] for note in shard.notes], make)


def _about(size: int) -> int:
    """A size rounded up to two digits."""
    step: int = 10 ** max(len(str(size)) - 2, 0)
    return -(-size // step) * step
