"""Asking for help is quick because nothing heavy is imported for it."""

from __future__ import annotations

import pytest
from running import run_python

from paper_notes.commands import table

HEAVY = (
    "pymupdf PIL httpx bibtexparser pydantic markdown_it jinja2 rich yaml sqlite3 asyncio importlib.metadata "
    "subprocess watchfiles http.server".split()
)

EXTRAS = "genanki distributed pygls mcp pypandoc merman vl_convert".split()


@pytest.mark.nightly(but_every=3)
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


def test_a_wrong_name_imports_no_command() -> None:
    code = """
import sys
import paper_notes.commands
sys.argv = ["paper-notes", "biuld"]
try:
    paper_notes.commands.run()
except SystemExit:
    print("IMPORTED", *sorted(name for name in sys.modules if ".commands." in name and ".features." in name))
"""
    assert run_python(code).splitlines()[-1] == "IMPORTED"


def test_each_command_loads_without_extras() -> None:
    code = f"""
import sys
sys.modules.update(dict.fromkeys({EXTRAS!r}))  # what `import` then says is that there is no such module
import paper_notes.commands
print("LOADED", len(dict(paper_notes.commands.main.commands)))
"""
    assert run_python(code).splitlines()[-1] == f"LOADED {len(table())}"
