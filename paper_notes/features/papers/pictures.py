"""Pictures of other sites that notes show: fetched on request, so that pages need nothing from the network."""

from __future__ import annotations

from urllib.parse import urlsplit

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


def download_picture(web: Web, address: str) -> tuple[bytes, str]:
    """The bytes of a picture and the suffix of its kind: `.png`. Raises UserError."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    service = Service(host, host, f"{parts.scheme}://{parts.netloc}", VARIABLE, instead="it stays a link")
    path = parts._replace(scheme="", netloc="", fragment="").geturl() or "/"
    request = Request(service, path, accept="image/*", limit=MAX_BYTES, too_large="too large for a page", public=True)
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
