"""The server: `answers` as tools, resources and prompts, which only read; and, if asked for, `drafts`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.types import Resource, ToolAnnotations

from paper_notes import __version__
from paper_notes.diagnostics import UserError
from paper_notes.features.mcp.answers import DATA, AssistantTools
from paper_notes.features.mcp.drafts import AssistantDrafts

_READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_PROPOSES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
_USE = (
    "A collection of one reader's notes on papers, in up to two languages. Search before you read; read a long note "
    f"by section (the answer says `truncated`); name the note for what you take from it. {DATA}"
)
P = ParamSpec("P")
T = TypeVar("T")


class AssistantServer(MCPServer[Any]):
    """The server of a collection; its list of resources is that of the notes now."""

    def __init__(self, answers: AssistantTools) -> None:
        super().__init__("paper-notes", instructions=_USE, version=__version__, log_level="ERROR")
        self._answers = answers

    async def list_resources(self) -> list[Resource]:
        with _told_as(ToolError):
            self._answers.refresh()
            return [
                Resource(uri=f"notes://{note.id}/{lang}", name=note.title[lang], mime_type="text/markdown")
                for note in self._answers.collection.notes
                for lang in note.languages
            ]


def server_of(root: Path, *, write: bool = False) -> AssistantServer:
    """The server of the collection at `root`. With `write` drafts may be proposed, and nothing else be written."""
    answers = AssistantTools(root)
    server = AssistantServer(answers)

    def current(answer: Callable[P, T], kind: type[Exception]) -> Callable[P, Awaitable[T]]:
        """The answer from the files as they are now. A coroutine: all share the cache, so one comes after the other."""

        @wraps(answer)
        async def answered(*args: P.args, **kwargs: P.kwargs) -> T:
            with _told_as(kind):
                answers.refresh()
                return answer(*args, **kwargs)

        return answered

    for tool in (
        answers.search_notes,
        answers.read_note,
        answers.find_papers,
        answers.define_term,
        answers.citations,
        answers.check_note,
        answers.verify_claims,
    ):
        server.tool(annotations=_READS)(current(tool, ToolError))
    if write:
        drafts = AssistantDrafts(answers)
        server.tool(annotations=_READS)(current(drafts.draft_questions, ToolError))
        server.tool(annotations=_PROPOSES)(current(drafts.propose_draft, ToolError))
    note = server.resource("notes://{topic}/{name}/{lang}", name="note", mime_type="text/markdown")
    note(current(answers.note_text, ResourceNotFoundError))
    server.prompt(title="Compare these papers from my notes")(current(answers.compare_papers, ValueError))
    server.prompt(title="Draft a note in my style")(current(answers.draft_note, ValueError))
    return server


@contextmanager
def _told_as(kind: type[Exception]) -> Iterator[None]:
    """What the user would be told is what the assistant is told, with the hint."""
    try:
        yield
    except UserError as error:
        places = [f"{finding.location}: {finding.message}" for finding in error.diagnostics[:10]]
        raise kind("\n".join((error.message, *filter(None, (error.hint,)), *places))) from None
