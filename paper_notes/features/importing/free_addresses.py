"""Addresses that pages of imported notes had: each leads on, unless another page is there now."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import PurePosixPath
from typing import Any

from paper_notes.corpus.load import BASE
from paper_notes.corpus.model import Corpus, TopicId
from paper_notes.diagnostics import UserError
from paper_notes.render.links import note_path, topic_path
from paper_notes.render.pages.moved import path_of
from paper_notes.sources.filenames import alike


def with_free_addresses(
    facts: Mapping[PurePosixPath, dict[str, Any]], corpus: Corpus
) -> tuple[dict[PurePosixPath, dict[str, Any]], dict[PurePosixPath, tuple[str, ...]]]:
    """The values of note.yaml by folder, without `aliases` at which another page is, and these.

    `corpus` is the collection with the notes.
    """
    taken = {alike(f"{topic}/index.html") for topic in corpus.site.topics}
    taken |= {alike(f"{note.topic}/notes/{note.name}.html") for note in (*corpus.notes, *corpus.drafts)}
    others = (alias for alias in corpus.aliases if not alias.note or BASE / alias.note not in facts)
    taken |= {_page(alias.address) for alias in others if alias.is_path}
    free: dict[PurePosixPath, dict[str, Any]] = {}
    left_out: dict[PurePosixPath, tuple[str, ...]] = {}
    for folder, values in facts.items():
        own: list[str] = []
        for address in values.get("aliases", ()):
            if (page := _page(address)) in taken:
                left_out[folder] = (*left_out.get(folder, ()), address)
            else:
                taken.add(page)
                own.append(address)
        kept = (
            {**values, "aliases": own} if own else {name: value for name, value in values.items() if name != "aliases"}
        )
        free[folder] = kept if folder in left_out else values
    return free, left_out


def keep_former_addresses(corpus: Corpus, folders: Collection[PurePosixPath], topics: Collection[str]) -> None:
    """Raise UserError if an imported note or a new topic would be at a former address of another page.

    `corpus` is the collection with the notes, which are in these folders.
    """
    new = {alike(str(topic_path(TopicId(topic)))) for topic in topics}
    new |= {alike(str(note_path(note))) for note in (*corpus.notes, *corpus.drafts) if BASE / note.id in folders}
    for alias in corpus.aliases:
        if not (alias.note and BASE / alias.note in folders) and alike(str(path_of(alias))) in new:
            message = f"{alias.address} is a former address of {alias.note or alias.topic}, which leads there"
            hint = f"delete it from `aliases:` in {alias.location}, or import into another topic with --topic"
            raise UserError(message, hint)


def _page(address: str) -> str:
    """The file at an address, as disks that do not tell case or accents apart know it."""
    return alike(f"{address}index.html" if address.endswith("/") else address)
