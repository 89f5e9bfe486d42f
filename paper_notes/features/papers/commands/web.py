"""Network access for commands: addresses from the environment, answers in the collection's cache."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from paper_notes.commands.terminal import say

if TYPE_CHECKING:
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
