"""Network access for commands: addresses from the environment, answers in the collection's cache."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from paper_notes.commands.terminal import say

if TYPE_CHECKING:
    from paper_notes.corpus.paper import BibKey, Paper
    from paper_notes.features.papers.importer import Services
    from paper_notes.features.papers.web import Web


@contextmanager
def open_web(root: Path, instead: str | None = None) -> Iterator[Web]:
    """A Web with the cache of the collection. `instead` is what the user can do without any service."""
    from paper_notes.engine.cache import open_cache
    from paper_notes.features.papers.web import Web

    with (
        closing(open_cache(root)) as cache,
        closing(Web(store=cache, addresses=os.environ, say=say, instead=instead)) as web,
    ):
        yield web


@contextmanager
def open_services(
    root: Path, papers: Mapping[BibKey, Paper], *, offline: bool = False, instead: str | None = None
) -> Iterator[Services]:
    """What importers may use: the network unless `offline`, these papers, and the user's files."""
    from paper_notes.features.papers.importer import Services
    from paper_notes.features.papers.pdf_facts import facts_of
    from paper_notes.sources.tree import read_input_file

    with open_web(root, instead) as web:
        yield Services(None if offline else web, papers, lambda path: read_input_file(Path(path)), facts_of, say)
