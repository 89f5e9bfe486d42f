"""The server: names and descriptions of tools, resources and prompts over `answers`. All of it only reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.types import Resource, ToolAnnotations

from paper_notes import __version__
from paper_notes.diagnostics import UserError
from paper_notes.features.mcp.answers import DATA, CurrentAnswers

_READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_USE = (
    "A collection of one reader's notes on papers, in up to two languages. Search before you read; read a long note "
    f"by section (the answer says `truncated`); name the note for what you take from it. {DATA}"
)
P = ParamSpec("P")
T = TypeVar("T")


class NotesServer(MCPServer[Any]):
    """The server of a collection; its list of resources is that of the notes now."""

    def __init__(self, answers: CurrentAnswers) -> None:
        super().__init__("paper-notes", instructions=_USE, version=__version__, log_level="ERROR")
        self._answers = answers

    async def list_resources(self) -> list[Resource]:
        return [
            Resource(uri=f"notes://{note.id}/{lang}", name=note.title[lang], mime_type="text/markdown")
            for note in _or_error(ToolError, lambda: self._answers().collection.notes)
            for lang in note.languages
        ]


def server_of(root: Path) -> NotesServer:  # noqa: C901 -- a function for each tool
    """The server of the collection at `root`."""
    answers = CurrentAnswers(root)
    server = NotesServer(answers)

    # the tools are coroutines, so that one is answered after the other: all share the cache

    @server.tool(annotations=_READS)
    async def search_notes(text: str, limit: int = 20) -> dict[str, object]:
        """Find notes that have all words of the text, best first; a term of the glossary is found by any name."""
        return _or_error(ToolError, lambda: answers().search(text, limit))

    @server.tool(annotations=_READS)
    async def read_note(note: str, lang: str = "", section: str = "") -> dict[str, object]:
        """Read a note as Markdown, in one language: all of it, or the section with this id and those below it."""
        return _or_error(ToolError, lambda: answers().read(note, lang, section))

    @server.tool(annotations=_READS)
    async def find_papers(text: str, limit: int = 20) -> dict[str, object]:
        """Find papers by words of their titles, authors, venue, date, ids or abstract, and the notes on them."""
        return _or_error(ToolError, lambda: answers().papers(text, limit))

    @server.tool(annotations=_READS)
    async def define_term(name: str) -> dict[str, object]:
        """Define a term as the glossary of the collection does, with the notes that use it, the oldest first."""
        return _or_error(ToolError, lambda: answers().term(name))

    @server.tool(annotations=_READS)
    async def citations(name: str) -> dict[str, object]:
        """For a BibTeX key the notes that cite the paper; for a note what it is about, cites, and is linked with."""
        return _or_error(ToolError, lambda: answers().citations(name))

    @server.tool(annotations=_READS)
    async def check_note(note: str) -> dict[str, object]:
        """Check the files of a note: what is wrong, where, and how to repair it."""
        return _or_error(ToolError, lambda: answers().check(note))

    @server.tool(annotations=_READS)
    async def verify_claims(note: str) -> dict[str, object]:
        """Look in the PDFs of its papers for the numbers of a note. What is found may still be used wrongly."""
        return _or_error(ToolError, lambda: answers().claims(note))

    @server.resource("notes://{topic}/{name}/{lang}", name="note", mime_type="text/markdown")
    async def note(topic: str, name: str, lang: str) -> str:
        """A note as Markdown, in one language."""
        read = _or_error(ResourceNotFoundError, lambda: answers().read(f"{topic}/{name}", lang, ""))
        return str(read["markdown"])

    @server.prompt(title="Compare these papers from my notes")
    async def compare_papers(papers: str) -> str:
        """Compare papers, named by BibTeX keys or notes with commas between them, from what the notes say of them."""
        names = [name.strip() for name in papers.split(",") if name.strip()]
        return _or_error(ValueError, lambda: answers().comparison(names))

    @server.prompt(title="Draft a note in my style")
    async def draft_note(paper: str) -> str:
        """Draft a note on a paper as the two newest notes are written."""
        return _or_error(ValueError, lambda: answers().draft(paper))

    return server


def _or_error(kind: type[Exception], answer: Callable[[], T]) -> T:
    """The answer. What the user would be told is what the assistant is told, with the hint."""
    try:
        return answer()
    except UserError as error:
        places = [f"{finding.location}: {finding.message}" for finding in error.diagnostics[:10]]
        raise kind("\n".join((error.message, *filter(None, (error.hint,)), *places))) from None
