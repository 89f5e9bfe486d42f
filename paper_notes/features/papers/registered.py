"""What arXiv or a DOI's agency say about a paper, in place of the facts that a file or a page gives of itself."""

from __future__ import annotations

from dataclasses import replace

from paper_notes.diagnostics import UserError
from paper_notes.features.papers import arxiv, doi
from paper_notes.features.papers.arxiv import ArxivReference
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.importer import Services
from paper_notes.identifiers import folded_title


def registered(own: Draft, services: Services, what: str) -> Draft:
    """The facts from elsewhere by the arXiv id or DOI in `own`, completed by `own`; else `own`.

    `what` gave `own`, for messages: `the PDF`.
    """
    if services.web is None or not (own.arxiv or own.doi):
        return own
    try:
        known = (
            arxiv.look_up(ArxivReference(own.arxiv, own.version), services)
            if own.arxiv
            else doi.look_up(own.doi or "", services)
        )
    except UserError as problem:
        services.say(f"{problem.message}. The facts are those of {what} alone")
        return own
    if not own.arxiv and not _same_title(own, known):
        services.say(f'The DOI in {what} is that of "{known.title}": the facts are those of {what} alone')
        return replace(own, doi=None)
    return replace(
        known,
        outline=own.outline,
        title=known.title or own.title,
        authors=known.authors or own.authors,
        abstract=known.abstract or own.abstract,
    )


def _same_title(own: Draft, other: Draft) -> bool:
    titles = [folded_title(draft.title or "") for draft in (own, other)]
    return not all(titles) or titles[0] in titles[1] or titles[1] in titles[0]
