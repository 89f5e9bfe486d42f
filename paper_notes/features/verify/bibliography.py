"""What a bibliography says of a paper, compared with the first page of its PDF."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from paper_notes.corpus.paper import Paper
from paper_notes.diagnostics import Diagnostic
from paper_notes.features.verify.index import PaperIndex
from paper_notes.features.verify.paper import folded_letters
from paper_notes.identifiers import folded_title
from paper_notes.patterns import regex

_PUBLISHED = regex(r"\b(?:Proceedings of|Published (?:as|at|in)|Accepted (?:at|to))\b.{0,160}?\b(20\d\d)\b")
"""What page 1 of a published paper says of it."""
_IN_FULL = {"NeurIPS": "Neural Information Processing Systems", "NIPS": "Neural Information Processing Systems"}
"""Short names that are not the first letters."""
_OF_ANY_VENUE = frozenset(
    "accepted advances annual conference international journal meeting paper proceedings published symposium"
    " transactions volume workshop".split()
)


def facts(paper: Paper, index: PaperIndex, title: str, version: int | None) -> Iterator[Diagnostic]:
    """Report what the bibliography says of a paper and its first page does not."""
    first = folded_letters(index.passages.first)
    shown = folded_title(title)

    def differs(message: str, hint: str) -> Diagnostic:
        return Diagnostic(paper.location, "paper-differs", message, hint, "warning")

    if shown and len(shown) > 8:
        alike = difflib.SequenceMatcher(None, shown, folded_title(paper.title), autojunk=False).ratio()
        if alike < 0.9 and folded_title(paper.title) not in folded_title(index.passages.first):
            message = f'the title of "{paper.key}" is not that of its PDF: "{title[:90]}"'
            yield differs(message, "correct the title in the .bib file")
    missing = [name.full for name in paper.authors if folded_letters(name.last or name.full) not in first]
    if missing and len(missing) < len(paper.authors):
        message = f'page 1 of the PDF of "{paper.key}" does not name {", ".join(missing[:4])}'
        yield differs(message, "correct the authors in the .bib file")
    printed = _PUBLISHED.search(index.passages.first)
    preprint = not paper.venue or "arxiv" in paper.venue.lower() or paper.venue.lower() == "corr"
    if printed and paper.year and not preprint and int(printed[1]) != paper.year:
        message = f'the entry of "{paper.key}" is of {paper.year}, page 1 of its PDF says {printed[1]}'
        hint = "correct the year or the venue in the .bib file; an entry of a preprint names none"
        yield differs(message, hint)
    if printed and not preprint and not same_venue(printed[0], paper.venue):
        message = f'the entry of "{paper.key}" says "{paper.venue}", page 1 of its PDF "{printed[0][:90]}"'
        yield differs(message, "correct the venue in the .bib file")
    if paper.version and version and paper.version != version:
        message = f'the entry of "{paper.key}" is of v{paper.version}, its PDF is v{version}'
        yield differs(message, "verify against the version that the entry names")


def same_venue(first: str, second: str) -> bool:
    """Whether two names of a conference or journal may mean the same one: `ICML` and its name in full do."""
    (names, words, initials), (others, more, letters) = map(_venue, (first, second))
    in_full = any(name in letters for name in names) or any(name in initials for name in others)
    return in_full or bool(names & others) or len(words & more) > 1 or not (names or words) or not (others or more)


def _venue(text: str) -> tuple[set[str], set[str], str]:
    """Short names in a text, its telling words, and first letters: of words with a capital, and of all."""
    for short, full in _IN_FULL.items():
        text = re.sub(rf"\b{short}\b", full, text)
    words = re.findall(r"[^\W\d_]+", text)
    names = {word.casefold() for word in words if len(word) > 2 and sum(map(str.isupper, word)) > 1}
    telling = {word.casefold() for word in words if len(word) > 3} - _OF_ANY_VENUE - names
    capitals = "".join(word[0] for word in words if word[0].isupper())
    return names, telling, f"{capitals} {''.join(word[0] for word in words)}".casefold()
