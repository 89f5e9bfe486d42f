"""The pages of the whole collection, in the order of the navigation. A new one is a module, its template and a row."""

from __future__ import annotations

from paper_notes.render.pages.collection import CollectionContext, CollectionPage
from paper_notes.render.pages.digests import PAGE as DIGESTS
from paper_notes.render.pages.errata import PAGE as ERRATA
from paper_notes.render.pages.glossary import PAGE as GLOSSARY
from paper_notes.render.pages.map import PAGE as MAP
from paper_notes.render.pages.papers import PAGE as PAPERS
from paper_notes.render.pages.people import PAGE as PEOPLE
from paper_notes.render.pages.stats import PAGE as STATS
from paper_notes.render.pages.tags import PAGE as TAGS

LISTS = (PAPERS, DIGESTS, TAGS, GLOSSARY, ERRATA, PEOPLE, MAP, STATS)


def list_pages(collection: CollectionContext) -> tuple[CollectionPage, ...]:
    """The pages that have something to show."""
    return tuple(page for page in LISTS if page.wanted(collection))
