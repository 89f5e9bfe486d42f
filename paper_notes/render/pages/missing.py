"""The page that a server shows for unknown addresses; exists only if the site's address is known."""

from __future__ import annotations

from dataclasses import dataclass

from paper_notes.render.view_factory import ListName, PageContext
from paper_notes.render.views import PageFrame

MISSING = ListName("404")


@dataclass(frozen=True, slots=True)
class MissingPage:
    """`404.html`."""

    chrome: PageFrame


def missing_page(context: PageContext) -> MissingPage:
    """The view of `404.html`."""
    title = context.words("page.missing.title")
    return MissingPage(context.chrome(title, title, None))
