"""The pages of the whole collection, in the order of the navigation."""

from __future__ import annotations

from importlib import import_module

from paper_notes.render import pages
from paper_notes.render.pages.collection import CollectionContext, CollectionPage

LISTS: tuple[CollectionPage, ...] = tuple(import_module(f"{pages.__name__}.{name}").PAGE for name in pages.LISTS)


def list_pages(collection: CollectionContext) -> tuple[CollectionPage, ...]:
    """The pages that have something to show."""
    return tuple(page for page in LISTS if page.wanted(collection))
