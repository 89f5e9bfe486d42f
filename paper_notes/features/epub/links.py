"""Where the links of a note's text lead when it is read outside of the site."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from pathlib import PurePosixPath
from urllib.parse import unquote

from paper_notes.render.links import absolute

Outward = Callable[[str], str | None]
"""The address for a link; None if there is none, so that only its words stay."""


def outward(page: PurePosixPath, base_url: str | None) -> Outward:
    """To the published site for links of this page, if there is one; other addresses are as they are."""

    def address(href: str) -> str | None:
        if href.startswith(("http://", "https://", "mailto:")):
            return href
        if not base_url:
            return None
        target, anchor = target_of(href, page)
        return absolute(target, base_url) + anchor

    return address


def target_of(href: str, page: PurePosixPath) -> tuple[PurePosixPath, str]:
    """The file of the site that a link of this page leads to, and its anchor with `#`, or empty."""
    path, mark, anchor = href.partition("#")
    target = posixpath.normpath(posixpath.join(str(page.parent), unquote(path))) if path else str(page)
    return PurePosixPath(target), mark + anchor
