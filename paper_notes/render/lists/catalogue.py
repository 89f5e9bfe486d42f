"""The pages of the whole collection, in the order of the navigation. A new one is a module, its template and a row."""

from __future__ import annotations

from paper_notes.render.lists.collection import CollectionPage, Material
from paper_notes.render.lists.errata import PAGE as ERRATA
from paper_notes.render.lists.glossary import PAGE as GLOSSARY
from paper_notes.render.lists.map import PAGE as MAP
from paper_notes.render.lists.papers import PAGE as PAPERS
from paper_notes.render.lists.people import PAGE as PEOPLE
from paper_notes.render.lists.stats import PAGE as STATS
from paper_notes.render.lists.tags import PAGE as TAGS

LISTS = (PAPERS, TAGS, GLOSSARY, ERRATA, PEOPLE, MAP, STATS)


def list_pages(material: Material) -> tuple[CollectionPage, ...]:
    """Those that have something to show."""
    return tuple(page for page in LISTS if page.wanted(material))
