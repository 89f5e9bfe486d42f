"""Files on request, fetched whole into memory and checked before they are written: PDFs of arXiv, pictures of notes."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from paper_notes.addresses import host_of
from paper_notes.diagnostics import UserError
from paper_notes.features.papers.arxiv import ArxivReference
from paper_notes.features.papers.request import NoResponse, Request, Response, Service
from paper_notes.features.papers.web import Web
from paper_notes.sources.tree import MAX_BLOB_BYTES

ARXIV_PDF = Service(
    "arXiv",
    "https://arxiv.org/pdf",
    "PAPER_NOTES_ARXIV_PDF_URL",
    interval=3.0,
    instead="without --pdf the note is made without it",
)
PATIENCE = 900.0
"""Seconds for the whole file, on a slow line."""
_PICTURES = "PAPER_NOTES_PICTURES_URL"
"""The address of a mirror that has the pictures of all sites under their paths."""
MAX_PICTURE = 16 * 1024 * 1024
_BEGINNINGS = (
    (b"\x89PNG\r\n\x1a\n", ".png"),
    (b"\xff\xd8\xff", ".jpg"),
    (b"GIF8", ".gif"),
    (b"RIFF", ".webp"),
    (b"\x00\x00\x00", ".avif"),
)


def download_pdf(
    web: Web,
    reference: ArxivReference,
    service: Service = ARXIV_PDF,
    *,
    progress: Callable[[int, int | None], None] | None = None,
) -> bytes:
    """The bytes of the PDF. `progress` gets the bytes so far and the total, if known. Raises UserError."""
    too_large = "too large for a collection"
    request = Request(service, f"/{reference}", {}, "application/pdf", MAX_BLOB_BYTES, too_large, PATIENCE)
    response = web.fetch(request, progress)
    advice = service.hint(f"look at https://arxiv.org/abs/{reference}")
    response.check("a PDF", NoResponse(f"arXiv has no PDF of {reference}", advice))
    if b"%PDF-" not in response.body[:1024]:
        raise NoResponse(f"what arXiv sent as the PDF of {reference} is not a PDF", service.hint("try again"))
    if b"%%EOF" not in response.body[-2048:]:
        raise NoResponse(f"the PDF of {reference} arrived without its end", service.hint("try again"))
    return response.body


def download_picture(web: Web, address: str) -> tuple[bytes, str]:
    """The bytes of a picture and the suffix of its kind: `.png`. Raises UserError."""
    host = host_of(address)
    if not host:
        raise UserError(f'"{address}" is not a web address')
    parts = urlsplit(address)
    service = Service(host, f"{parts.scheme}://{parts.netloc}", _PICTURES, instead="it stays a link")
    path = parts._replace(scheme="", netloc="", fragment="").geturl() or "/"
    request = Request(service, path, accept="image/*", limit=MAX_PICTURE, too_large="too large for a page", public=True)
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
