"""A current folder that was deleted, and a collection that is removed while a command works with it: a message."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from running import collection, paper_notes, put_in_place

import paper_notes.sources.tree as trees
from paper_notes.commands import main

ARGUMENTS = {
    "cards": ("--format", "tsv"),
    "export": ("--epub",),
    "move": ("tea/1", "tea/2"),
    "new": ("--title", "X", "--topic", "tea"),
    "schema": ("site",),
    "topic": ("new", "x"),
    **dict.fromkeys(
        ("draft", "edit", "highlights", "import", "lookup", "remove", "show", "sync", "translate"), ("tea/1",)
    ),
}
NEED_NONE = {"completion", "explain", "figures", "guide", "repair"}
"""These work anywhere, or on a file that has to be there."""
LEFT = "was deleted or moved"


@pytest.mark.parametrize("command", sorted(main.commands.keys() - NEED_NONE))
def test_in_a_folder_that_was_deleted_every_command_says_so(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    for root in ((), ("--root", ".")) if command != "init" else ((),):
        done = paper_notes(command, *ARGUMENTS.get(command, ()), *root)
        assert (done.exit_code, LEFT in done.stderr) == (1, True), done.output


@pytest.mark.parametrize("within", [True, False])
@pytest.mark.parametrize("command", ["build", "cards", "check", "export", "list", "move", "new", "stats", "verify"])
def test_a_collection_that_is_removed_meanwhile_is_no_bug_of_ours(
    command: str, within: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = collection("minimal", tmp_path)
    paper_notes(command, "--help")  # loads its module, which has the function by its name
    read = trees.read_tree

    def read_and_remove(*given: object) -> object:
        result = read(*given)  # type: ignore[arg-type]
        shutil.rmtree(root)
        return result

    put_in_place(monkeypatch, read, read_and_remove)
    if within:
        monkeypatch.chdir(root)
    arguments = (command, *ARGUMENTS.get(command, ()), *(() if within else ("--root", root)))
    out = ("--output", tmp_path / "out") if command in ("cards", "export") else ()
    done = paper_notes(*arguments, *out)
    assert done.exit_code in (0, 1), done.exception
