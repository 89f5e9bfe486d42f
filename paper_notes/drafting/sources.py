"""What a draft is made from, and which of its numbers are not there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from paper_notes.corpus.model import Lang, NoteText
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.evidence.paper import PaperIndex
from paper_notes.evidence.verify import verify
from paper_notes.languages.language import Words
from paper_notes.markdown.statements import read_statements
from paper_notes.sources.pdf.passages import Passage, Passages, Row, Word

_KINDS: Mapping[str, str] = {"table": "Table", "figure": "Figure", "section": "Section", "front": "Title and abstract"}
_FILE = PurePosixPath("draft.md")


def text_of(passages: Passages) -> str:
    """All that a PDF says, in passages with their names and pages."""
    return "\n\n".join(_passage(one) for one in passages.parts)


def _passage(one: Passage) -> str:
    number = "" if one.title.startswith(one.number) else one.number
    name = " ".join(filter(None, (_KINDS[one.kind], number, one.title)))
    return "\n".join([f"[{name}, page {one.page}]", *(row.text for row in one.rows)])


def of_abstract(paper: Paper) -> Passages:
    """The title and the abstract of a paper, as if they were all of its PDF."""
    lines = (paper.title, *(paper.abstract or "").splitlines())
    rows = tuple(Row(1, (Word(line, 0.0, 0.0),)) for line in lines if line.strip())
    return Passages((Passage("front", "", "", 1, rows),), 1, "\n".join(lines))


def marking(passages: Passages, key: BibKey, lang: Lang, words: Words) -> Callable[[str], str]:
    """A function that says in a text, behind each number that the source does not have, that it does not."""
    papers = {key: PaperIndex(passages)}
    remark = f" [{words[lang]('new.not-found')}]{{.open}}"

    def mark(text: str) -> str:
        lines = text.split("\n")
        results = verify(read_statements(NoteText(lang, _FILE, text), words), papers, [key])
        missing = {(result.number.line, result.number) for result in results if result.verdict == "missing"}
        for line, number in sorted(missing, key=lambda one: (one[0], one[1].column), reverse=True):
            end = number.column - 1 + len(number.figures.text)
            lines[line - 1] = f"{lines[line - 1][:end]}{remark}{lines[line - 1][end:]}"
        return "\n".join(lines)

    return mark
