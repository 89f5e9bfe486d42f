"""What TAB offers: quick, right, safe in a shell, and never an error message."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
import yaml
from running import PROJECT, SITES, paper_notes, process, run_python, write

from paper_notes import commands as cli
from paper_notes.commands.completing import (
    BY_NAME,
    Completed,
    at_most,
    notes,
)

ROOT = SITES / "bilingual"
WORDS = PROJECT / "paper_notes/languages/en.yaml"


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("", ["arches/", "cables/"]),
        ("ar", ["arches/01_Stone_arches", "arches/02_Brick_2020"]),
        ("arches/", ["arches/01_Stone_arches", "arches/02_Brick_2020"]),
        ("arches/2", ["arches/02_Brick_2020"]),
        ("arches/#2", ["arches/02_Brick_2020"]),
        ("bri", ["arches/02_Brick_2020"]),
        ("02_", ["arches/02_Brick_2020"]),
        ("1", ["arches/01_Stone_arches", "cables/01_Wind"]),
        ("nothing", []),
    ],
)
def test_notes_by_topic_number_and_name(typed: str, offered: list[str]) -> None:
    assert sorted(notes(ROOT, typed)) == offered


def test_in_the_folder_of_a_topic_its_notes_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "notes_src/arches")
    assert len(list(notes(ROOT, ""))) == 2


def test_other_words() -> None:
    def choices(name: str, typed: str, root: Path = ROOT) -> set[str]:
        return set(BY_NAME[name].choices(root, typed))

    assert choices("topic", "c") == {"cables"}
    assert choices("paper", "lin2019") == {"lin2019stone"}
    assert choices("lang", "") == {"zh", "en"}
    assert choices("lang", "f", SITES / "french") == {"fr"}
    assert choices("kind", "") == set(yaml.safe_load(WORDS.read_text("utf-8"))["kind"])
    assert choices("names", "bad-te") == choices("names", ":::bad-te") == {"bad-tex", "bad-template"}
    assert {"papers", "arches"} <= choices("place", "papers") | choices("place", "arches")


def offered(line: str, folder: Path) -> tuple[list[str], str]:
    words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split())), "_PAPER_NOTES_COMPLETE": "bash_complete"}
    done = process(cwd=folder, **words)
    return [word.removeprefix("plain,") for word in done.stdout.splitlines() if word.startswith("plain,")], done.stderr


def test_the_program_answers_the_shell_from_a_folder_below() -> None:
    assert offered("paper-notes show --lang en", ROOT / "notes_src/arches") == (
        ["arches/01_Stone_arches", "arches/02_Brick_2020"],
        "",
    )


def test_a_shell_that_asks_for_nothing_gets_nothing_not_even_a_bug() -> None:
    done = process(cwd=ROOT, _PAPER_NOTES_COMPLETE="bash_complete")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_names_that_a_shell_would_obey_are_not_offered(tmp_path: Path) -> None:
    root = write(tmp_path, {
        "notes_src/site.yaml": "languages: [\n",
        "notes_src/a/topic.yaml": "",
        "notes_src/a/01_$(touch x)/en.md": "",
        "notes_src/a/02_b;c/en.md": "",
        "notes_src/a/03_fine/en.md": "",
        "notes_src/x.bib": "@article{`ls`, a={}}\n@article{good, a={}}\n@string{no, a={}}\n@article{unfinished",
    })  # fmt: skip
    assert offered("paper-notes show", root) == (["a/03_fine"], "")
    for name, typed in (("lang", ["en", "zh"]), ("paper", ["good"])):
        completed = BY_NAME[name]
        command = click.Command("x", params=[click.Argument(["y"])])
        with click.Context(command) as context:
            context.params["root"] = root
            found = completed.shell_complete(context, command.params[0], "")
        assert [item.value for item in found] == typed


def test_every_command_takes_part() -> None:
    told = {
        name: {parameter.name for parameter in command.params if parameter.name in BY_NAME}
        for name, command in cli.main.commands.items()
    }
    assert "note" in told["show"]
    assert "note" in told["sync"]
    assert told["list"] >= {"topics", "tags", "kinds", "language"}
    assert all(isinstance(completed, Completed) for completed in BY_NAME.values())


def test_long_lists_are_cut_where_they_differ() -> None:
    words = [f"topic/{number:04}_x" for number in range(1, 3801)]
    assert at_most(words, 200) == [f"topic/{number:02}" for number in range(39)]
    assert at_most(words[:5], 200) == words[:5]


def test_nothing_heavy_is_imported() -> None:
    code = f"""
import os, sys
os.environ.update(COMP_WORDS="paper-notes show --root {ROOT} a", COMP_CWORD="4", _PAPER_NOTES_COMPLETE="bash_complete")
import paper_notes.commands
try:
    paper_notes.commands.run()
finally:
    print("IMPORTED", *sorted(set("pydantic markdown_it yaml rich sqlite3 httpx".split()) & set(sys.modules)))
"""
    lines = run_python(code).splitlines()
    assert lines[0] == "plain,arches/01_Stone_arches"
    assert lines[-1] == "IMPORTED"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_for_the_shell(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    assert f"_PAPER_NOTES_COMPLETE={shell}_complete" in paper_notes("completion").stdout
    assert paper_notes("completion", shell).stdout == paper_notes("completion").stdout


def test_a_shell_that_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/bin/elvish")
    result = paper_notes("completion")
    assert (result.exit_code, result.stdout, "bash | zsh | fish" in result.stderr) == (1, "", True)
