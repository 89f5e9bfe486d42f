"""One thing has one name over all commands; a name of an earlier version still works, and says the new one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

import click
import pytest
from running import SITES, paper_notes

from paper_notes.commands import main, table
from paper_notes.extensions import Group

ROOT = SITES / "minimal"
ONE_MEANING = {"--lang", "--output", "--check", "--json", "--root", "--jobs", "--drafts", "--force", "--new-topic"}
"""Options that a user learns once: their help may say what they are for here, but their kind of value is one."""


def options() -> Iterator[tuple[str, click.Option]]:
    for name, command in main.commands.items():
        yield from ((name, option) for option in command.params if isinstance(option, click.Option))


def test_an_option_of_one_name_takes_the_same_everywhere() -> None:
    kinds: dict[str, set[tuple[str, bool, object]]] = {}
    for _, option in options():
        for written in ONE_MEANING & set(option.opts):
            kinds.setdefault(written, set()).add((str(option.type.name), option.is_flag, option.metavar))
    assert kinds.keys() == ONE_MEANING
    assert {written: found for written, found in kinds.items() if len(found) > 1} == {}


def test_check_and_json_say_the_same_in_every_command() -> None:
    for written in ("--check", "--json", "--drafts", "--draft", "--force"):
        assert len({option.help for _, option in options() if written in option.opts}) == 1, written


def test_no_option_has_two_long_names_and_none_is_an_old_one() -> None:
    for name, option in options():
        assert len([written for written in option.opts if written.startswith("--")]) == 1, f"{name} {option.opts}"
        assert not table()[name].old_names.keys() & set(option.opts)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (("list", "--in", "en"), ("list", "--lang", "en"), "--in is now --lang"),
        (("list", "--in=en"), ("list", "--lang=en"), "--in is now --lang"),
        (("list", "--language=zh"), ("list", "--written=zh"), "--language is now --written"),
        (("check", "--facts"), ("check", "--verify"), "--facts is now --verify"),
        (("translated", "a/9"), ("sync", "a/9"), "translated is now sync"),
        (("complete", "a/9"), ("lookup", "a/9"), "complete is now lookup"),
        (("outdated", "--exit-code"), ("lookup", "--check"), "--exit-code is now --check"),
        (("promote", "a/9#x", "--topic", "a"), ("new", "a/9#x", "--topic", "a"), "promote is now new"),
    ],
)  # fmt: skip
def test_an_old_name_works_and_says_the_new_one(old: tuple[str, ...], new: tuple[str, ...], said: str) -> None:
    before, after = (paper_notes(*arguments, "--root", ROOT) for arguments in (old, new))
    assert (before.exit_code, before.stdout) == (after.exit_code, after.stdout)
    lines = before.stderr.splitlines()
    assert f"{said}; the old name works until the next version." in lines
    assert [line for line in lines if "the old name works" not in line] == after.stderr.splitlines()
    assert "the old name" not in after.stderr


def test_old_names_are_in_no_help_and_values_are_never_taken_for_them() -> None:
    shown = paper_notes("--help").stdout.split()
    assert not {"promote", "complete", "outdated", "translated"} & set(shown)
    assert "--language" not in paper_notes("list", "--help").stdout
    assert "is now" not in paper_notes("list", "--text", "promote", "--root", ROOT).stderr
    assert "is now" not in paper_notes("new", "--root", ROOT, "--", "--draft").stderr


def test_help_lists_every_command_once_under_what_a_user_is_about_to_do() -> None:
    shown = paper_notes("--help").stdout
    heads = [line.rstrip(":") for line in shown.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert heads == ["Options", *get_args(Group)]
    listed = [line.split()[0] for line in shown.splitlines() if re.match(r"  [a-z]+  ", line)]
    assert sorted(listed) == sorted(table())
    assert "..." not in shown.partition("\n")[2]
    assert "\n写：\n" in paper_notes("--in", "zh", "--help").stdout


def test_help_breaks_no_path_and_translates_no_value() -> None:
    assert "notes_src/spec-rl/04_ReSpec_2510.26475/en.md:12:3." in paper_notes("edit", "--help").stdout
    shown = paper_notes("--in", "zh", "list", "--help").stdout
    assert "[默认：number]" in shown, "it is what one types"
    assert "选项：\n" in shown
    assert "x>=" not in paper_notes("digest", "--help").stdout
    assert "1 <= x" not in paper_notes("list", "--help").stdout
