"""What `serve` builds: the site, and where there are drafts, another one that has them and that only it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from paper_notes.build import Build
from paper_notes.diagnostics import in_file_order


def with_drafts(update: Callable[[bool], Build]) -> Build:
    """The build whose site is to be shown. `update` builds and writes a site, with drafts or without.

    If there are drafts, both are written. A mistake in a draft leaves the site itself up to date.
    """
    published = update(False)
    if not published.drafts:
        return published
    shown = update(True)
    diagnostics = in_file_order((*published.diagnostics, *shown.diagnostics))
    shown = replace(shown, diagnostics=diagnostics, drafts=published.drafts)
    return replace(shown, readmes=published.readmes, published=published.plan)
