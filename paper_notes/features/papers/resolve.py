"""From a reference to a paper to its Draft: the table of importers, and the choice among them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any

from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import UserError, closest
from paper_notes.features.papers import (
    acl,
    arxiv,
    bibtex,
    doi,
    openreview,
    page,
    pdf,
    ris,
    semantic_scholar,
    title,
    zotero,
)
from paper_notes.features.papers.importer import Fetched, Importer, PaperReference, Services

IMPORTERS: tuple[Importer[Any], ...] = (
    arxiv.IMPORTER,
    doi.IMPORTER,
    openreview.IMPORTER,
    acl.IMPORTER,
    semantic_scholar.IMPORTER,
    page.IMPORTER,
    title.IMPORTER,
    pdf.IMPORTER,
    bibtex.FILE,
    ris.IMPORTER,
    zotero.IMPORTER,
    bibtex.KEY,
)
"""All importers, in the order of `--help`. The first that recognises a text is used, local ones first.

A new one is a module and a row. A new database also needs a name in `model.MetadataSource`, which notes record, and
the variable of its service a line in the guide.
"""


def recognise(
    text: str, keys: Collection[BibKey], is_file: Callable[[str], bool]
) -> tuple[Importer[Any], PaperReference[Any]]:
    """The importer for a text, and the reference it reads in it. Raises UserError if no importer recognises it."""
    text = text.strip()
    if re.match(r"https?://[^\s/?#]*@", text, re.IGNORECASE):
        raise UserError("an address with a name or password in it is not asked", "leave out what is before the @")
    local_first = sorted(IMPORTERS, key=lambda importer: not importer.is_local)
    readings = [(importer, reference) for importer in local_first if (reference := importer.recognise(text, keys))]
    for importer, reference in readings:
        if not reference.file or is_file(reference.file):
            return importer, reference
    if readings and "://" not in text:
        raise UserError(f'there is no file "{text}"', "check its name and its folder")
    close = closest(text, keys)
    *forms, last = (importer.form for importer in IMPORTERS)
    hint = f'did you mean "{close}"?' if close else f"give {', '.join(forms)}, or {last}"
    raise UserError(f'"{text}" does not name a paper', hint)


def resolve(importer: Importer[Any], reference: PaperReference[Any], services: Services) -> Fetched:
    """Fetch the paper's facts, and report what was left out. Raises UserError."""
    paper = importer.fetch(reference, services)
    for what in paper.draft.left_out:
        services.say(f"Left out: {what}.")
    return paper
