"""Pages that `serve` makes when they are asked for, below `/.paper-notes/`: those of features, and their forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import parse_qsl, unquote

from paper_notes.values import Struct, field

MOST = 256 * 1024
"""Bytes of a form: a sentence that somebody edited."""
FORM = "application/x-www-form-urlencoded"


class Reply(Struct, frozen=True):
    """What is sent: a page, or where to go."""

    status: int
    page: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


class OwnPage(Struct, frozen=True):
    """Pages below one address."""

    address: str
    """Begins with a dot, so that it is never a file of the site, and ends with a slash: `/.paper-notes/review/`."""
    answer: Callable[[Path, str, Mapping[str, str] | None], Reply]
    """From the collection, what follows the address, and the fields of a form; None if a page is only looked at."""


def page_of(pages: tuple[OwnPage, ...], target: str) -> tuple[OwnPage, str] | None:
    """The page that an address means, and what follows in it."""
    page = next((page for page in pages if target.startswith(page.address)), None)
    return (page, unquote(target.removeprefix(page.address))) if page else None


def fields_of(body: bytes) -> Mapping[str, str] | None:
    """The fields of a form; None if it is none."""
    try:
        return dict(parse_qsl(body.decode("ascii"), keep_blank_values=True, strict_parsing=True, max_num_fields=20))
    except ValueError:
        return None
