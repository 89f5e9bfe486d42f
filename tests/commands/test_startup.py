"""Asking for help is quick because nothing heavy is imported for it."""

from __future__ import annotations

import pytest
from running import run_python

HEAVY = (
    "pymupdf PIL httpx bibtexparser pydantic markdown_it jinja2 rich yaml sqlite3 asyncio importlib.metadata "
    "subprocess watchfiles http.server".split()
)


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["new", "--help"], ["lookup", "--help"], ["serve", "--help"], ["init", "--help"], ["--version"]],
)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = f"""
import sys
import paper_notes.commands
sys.argv = ["paper-notes", *{arguments!r}]
try:
    paper_notes.commands.run()
finally:
    print("IMPORTED", *sorted(set({HEAVY!r}) & set(sys.modules)))
"""
    assert run_python(code).splitlines()[-1] == "IMPORTED"
