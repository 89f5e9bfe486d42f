"""The PDF of an arXiv paper, on request: fetched whole into memory and checked before it is written."""

from __future__ import annotations

from collections.abc import Callable

from paper_notes.features.papers.arxiv import ArxivReference
from paper_notes.features.papers.web import NoResponse, Request, Service, Web
from paper_notes.sources.tree import MAX_BLOB_BYTES

ARXIV_PDF = Service(
    name="arXiv",
    home="arxiv.org",
    url="https://arxiv.org/pdf",
    variable="PAPER_NOTES_ARXIV_PDF_URL",
    interval=3.0,
    instead="without --pdf the note is made without it",
)
PATIENCE = 900.0
"""Seconds for the whole file, on a slow line."""


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
    if response.status == 404:
        raise NoResponse(f"arXiv has no PDF of {reference}", service.hint(f"look at https://arxiv.org/abs/{reference}"))
    if response.status != 200:
        raise response.refused()
    if response.looks_like_html:
        raise response.web_page("a PDF")
    if b"%PDF-" not in response.body[:1024]:
        raise NoResponse(f"what arXiv sent as the PDF of {reference} is not a PDF", service.hint("try again"))
    if b"%%EOF" not in response.body[-2048:]:
        raise NoResponse(f"the PDF of {reference} arrived without its end", service.hint("try again"))
    return response.body
