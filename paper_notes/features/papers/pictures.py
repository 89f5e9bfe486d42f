"""Pictures of other sites that notes show: fetched on request, so that pages need nothing from the network."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from paper_notes.diagnostics import UserError
from paper_notes.features.papers.transfer import addresses_of, is_closed
from paper_notes.features.papers.web import NoResponse, Request, Response, Service, Web

VARIABLE = "PAPER_NOTES_PICTURES_URL"
"""The address of a mirror that has the pictures of all sites under their paths."""
MAX_BYTES = 16 * 1024 * 1024
_BEGINNINGS = (
    (b"\x89PNG\r\n\x1a\n", ".png"),
    (b"\xff\xd8\xff", ".jpg"),
    (b"GIF8", ".gif"),
    (b"RIFF", ".webp"),
    (b"\x00\x00\x00", ".avif"),
)


def download_picture(
    web: Web, address: str, *, mirrored: bool = False, resolve: Callable[[str], tuple[str, ...]] = addresses_of
) -> tuple[bytes, str]:
    """The bytes of a picture and the suffix of its kind: `.png`. Raises UserError.

    A note may come from anybody: no address is asked that only this machine or its own network can reach, unless all
    pictures come from a mirror that the user has named.
    """
    parts = urlsplit(address)
    host = parts.hostname or ""
    service = Service(host, host, f"{parts.scheme}://{parts.netloc}", VARIABLE, instead="it stays a link")
    if not mirrored and any(map(is_closed, resolve(host))):
        raise UserError(f"{address} is in your own network", "save the picture beside the note")
    path = parts._replace(scheme="", netloc="", fragment="").geturl() or "/"
    request = Request(service, path, accept="image/*", limit=MAX_BYTES, too_large="too large for a page")
    return web.ask(request, _picture)


def _picture(response: Response) -> tuple[bytes, str]:
    service = response.request.service
    if response.status != 200:
        raise response.refused()
    body = response.body
    if b"<svg" in body[:2048]:
        return body, ".svg"
    for beginning, suffix in _BEGINNINGS:
        if body.startswith(beginning):
            return body, suffix
    raise NoResponse(f"what {service.name} sent for {response.request.path} is no picture", service.hint())
