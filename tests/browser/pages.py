"""The pages of the sample collection, and the views of a page."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

SOURCES = Path(__file__).resolve().parents[2] / "notes_src"
NOTES = sorted(f"{path.parts[-3]}/notes/{path.parts[-2]}.html" for path in SOURCES.glob("*/*/note.yaml"))
DAYS = [note for note in NOTES if note.startswith("daily/notes/") and "_20" in note]
"""Those that list the papers of a day. Pages about all notes may leave them out."""
TOPICS = sorted({f"{note.split('/')[0]}/index.html" for note in NOTES})
LISTS = [f"{name}.html" for name in ("papers", "digests", "tags", "glossary", "people", "map", "stats")]
PAGES = ["index.html", *LISTS, *TOPICS, *NOTES]
VIEWS = ("zh", "en", "both")


def choose(page: Page, view: str) -> None:
    """Quicker than a click of the mouse, which `test_reading` does; it works without JavaScript too."""
    page.evaluate("view => document.getElementById('pn-view-' + view).click()", view)


def views_of(page: Page) -> list[str]:
    return [view for view in VIEWS if page.locator(f"#pn-view-{view}").count()]


def stored(page: Page) -> None:
    """Wait until the next page will find what this one has stored: Chromium hands it on in its own time."""
    page.wait_for_timeout(300)
