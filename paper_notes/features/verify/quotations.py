"""Words of a note that are the paper's: quotations; and sentences about all of a paper, which no search can check."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from paper_notes.corpus.model import NoteText
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.features.verify.paper import folded_letters
from paper_notes.features.verify.statements import Statement
from paper_notes.features.verify.surroundings import Papers
from paper_notes.features.verify.wording import saying
from paper_notes.patterns import regex

_QUOTED = regex(r"[“\"「『]([^“”\"「」『』]{12,400})[”\"」』]")
_FEWEST, _NEAR = 5, 12
"""Words that a quotation within a sentence has at least, and characters between it and its citation at most."""


def claims(statements: Iterable[Statement]) -> Iterator[tuple[Statement, str]]:
    """The sentences that say `only`, `never`, `all`, `does not state`, `first`: no search can check them."""
    for statement in statements:
        if statement.kind in ("head", "heading", "title", "formula"):
            continue
        done = -1
        for claim in saying("claim").finditer(statement.text):
            start, end = statement.sentence(claim.start())
            if start > done:
                done = start
                yield statement, " ".join(statement.text[start:end].split())


def quotations(statements: Sequence[Statement], text: NoteText, papers: Papers) -> Iterator[Diagnostic]:
    """Report quotations that no held paper has word for word."""
    held = {key: folded_letters(" ".join(row for part in index.all for row in part.rows))
            for key, index in papers.items() if index}  # fmt: skip
    if not held:
        return
    for at, statement in enumerate(statements):
        whole = "quote" in statement.inside and statement.kind == "text"
        keys = {BibKey(key) for near in statements[max(0, at - 2) : at + 1] for _, key in near.cites}
        if whole and keys and not keys & held.keys():
            continue
        for quoted in [statement.text] if whole else _quoted(statement):
            if not _is_in(quoted, held.values()):
                where = Location(text.path, statement.line)
                shown = " ".join(quoted.split())[:90]
                message = f'no paper at hand has these words: "{shown}"'
                hint = "quote word for word, with … for what is left out; or do not set it as a quotation"
                yield Diagnostic(where, "quotation-differs", message, hint, "error" if whole else "warning")


def _is_in(quoted: str, texts: Iterable[str]) -> bool:
    """Whether one of the texts has all fragments of a quotation, one after the other."""
    fragments = _fragments(quoted)
    for text in texts:
        offset = 0
        for part in fragments:
            start = text.find(part, offset)
            if start < 0:
                break
            offset = start + len(part)
        else:
            return True
    return False


def _quoted(statement: Statement) -> Iterator[str]:
    """The quotations in Latin letters within a text that a citation follows."""
    for quotation in _QUOTED.finditer(statement.text):
        latin = re.findall(r"[A-Za-z][A-Za-z'-]*", quotation[1])
        long = len(latin) >= _FEWEST and sum(map(len, latin)) > 0.6 * len(quotation[1].replace(" ", ""))
        if long and any(0 <= at - quotation.end() < _NEAR for at, _ in statement.cites):
            yield quotation[1]


def _fragments(quoted: str) -> list[str]:
    """The parts of a quotation between ellipses, in plain letters."""
    parts = re.split(r"…+|\.{3,}|\[[^\]]*\]|⋯", quoted)
    return [plain for part in parts if len(plain := folded_letters(part)) > 8]
