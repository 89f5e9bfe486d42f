"""Papers by their titles: arXiv and Crossref are searched, and the user chooses. Nothing is guessed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Container

from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import UserError
from paper_notes.features.papers import arxiv, doi
from paper_notes.features.papers.bibtex import draft_of
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.importer import Choice, Fetched, Importer, PaperReference, Services
from paper_notes.features.papers.records import json_of, mapping, mappings
from paper_notes.features.papers.request import Request, Response, Service
from paper_notes.features.papers.web import Web
from paper_notes.identifiers import folded_title
from paper_notes.patterns import regex

CROSSREF = Service("Crossref", "https://api.crossref.org/works", "PAPER_NOTES_CROSSREF_URL", interval=1.0)
MAX_TITLE = 500
"""The most characters of a title to look for."""
SHOWN = 8
"""The most papers to choose from."""
_ALIKE = 0.4
"""Of titles less like the wanted one than this, nobody would choose the paper."""
_ROWS = 8
"""Papers that a service is asked for."""
_WORDS = 12
"""Words of a title that arXiv is asked for."""
_SMALL = frozenset("a an and are as at by can do for from in is it need of on or the to via what with you your".split())
_TITLE = regex(r"title:\s*(\S.*)|(.*\w.*\s.*\w.*)", re.IGNORECASE)
_FILE = regex(r".*\.(?:pdf|bib|ris|md|txt|html?|ya?ml|docx?)(?::\S*)?", re.IGNORECASE)


def recognise(text: str, keys: Container[BibKey]) -> PaperReference[str] | None:
    """Two words or more, or anything after `title:`."""
    if len(text) > MAX_TITLE or _FILE.fullmatch(text) or "://" in text:
        return None
    match = _TITLE.fullmatch(" ".join(text.split()))
    title = (match[1] or match[2]) if match else ""
    return PaperReference(title, Draft("id", title=title)) if len(folded_title(title)) > 1 else None


def fetch(reference: PaperReference[str], services: Services) -> Fetched:
    """The facts of the paper that the user chooses; offline the title alone."""
    wanted = folded_title(reference.id)
    known = next((paper for paper in services.papers.values() if folded_title(paper.title) == wanted), None)
    if known:
        services.say(f'The collection has this paper as "{known.key}".')
        return Fetched(draft_of(known))
    if services.web is None:
        return Fetched(reference.draft)
    drafts = search(reference.id, services)
    if not drafts:
        hint = "check the words, or give its DOI, arXiv id or address"
        raise UserError(f'neither arXiv nor Crossref has a paper like "{reference.id}"', hint)
    choices = [Choice(draft.arxiv or draft.doi or "", draft, likeness(draft, reference.id)) for draft in drafts]
    count = "1 paper" if len(drafts) == 1 else f"{len(drafts)} papers"
    hint = "give the id of the one that you mean in place of the title"
    problem = UserError(f'"{reference.id}" may be {count}, and titles alone decide nothing', hint)
    return Fetched(drafts[services.choose(choices, problem)])


def search(title: str, services: Services) -> list[Draft]:
    """The papers with a title like this one, the most alike first. Raises UserError if nobody answers."""
    if services.web is None:
        return []
    services.say("Searching arXiv and Crossref ...")
    drafts: list[Draft] = []
    problems: list[UserError] = []
    for ask in (_ask_arxiv, _ask_crossref):
        try:
            drafts += ask(services.web, title)
        except UserError as problem:
            problems.append(problem)
    if len(problems) == 2:
        raise UserError("; ".join(problem.message for problem in problems), problems[0].hint)
    for failure in problems:
        services.say(f"{failure.message}.")
    alike = [draft for draft in drafts if likeness(draft, title) >= _ALIKE]
    alike.sort(key=lambda draft: -likeness(draft, title))
    return list({folded_title(draft.title or ""): draft for draft in reversed(alike)}.values())[::-1][:SHOWN]


def likeness(draft: Draft, title: str) -> float:
    """How much of both titles is the same, from 0 to 1."""
    own, other = folded_title(draft.title or "")[:MAX_TITLE], folded_title(title)
    return difflib.SequenceMatcher(None, own, other, autojunk=False).ratio()


def _ask_arxiv(web: Web, title: str) -> list[Draft]:
    words = re.findall(r"\w+", title)
    return arxiv.search(web, ([word for word in words if word.lower() not in _SMALL] or words)[:_WORDS], _ROWS)


def _ask_crossref(web: Web, title: str) -> list[Draft]:
    query = {"query.bibliographic": title, "rows": f"{_ROWS}"}
    return web.ask(Request(CROSSREF, query=query, accept="application/json"), crossref_papers)


def crossref_papers(response: Response) -> list[Draft]:
    """The papers in an answer. Raises UserError."""
    items = mappings(mapping(json_of(response).get("message")).get("items"))
    return [draft for item in items[: 2 * _ROWS] if (draft := doi.draft_of(item))]


IMPORTER = Importer(
    recognise,
    fetch,
    form='its title in quotes ("Attention is all you need")',
    help=(('"Attention is all you need"', "a title: arXiv and Crossref are searched, and you choose"),),
)
