"""Addresses that pages of imported notes had: each leads on, unless another page is there now."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from paper_notes.corpus.load import BASE
from paper_notes.corpus.model import Corpus
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


def _page(address: str) -> str:
    """The file at an address, as disks that do not tell case or accents apart know it."""
    return alike(f"{address}index.html" if address.endswith("/") else address)
