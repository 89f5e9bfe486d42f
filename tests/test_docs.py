"""What README, guide and changelog claim, held against the program."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import get_args

import click
import pytest
from running import PROJECT, paper_notes, process

from paper_notes import commands as cli
from paper_notes.commands.terminal import INPUT_WRONG, OUR_BUG
from paper_notes.corpus.model import BUILT_IN_KINDS, Status
from paper_notes.diagnostics import RuleId
from paper_notes.markdown.syntax.components import COMPONENTS

README = (PROJECT / "README.md").read_text("utf-8")
GUIDE = PROJECT / "notes_src" / "guide"
READMES = [PROJECT / name for name in ("README.md", "README.zh.md", "PACKAGE.md")]
TEXTS = sorted(GUIDE.glob("*/*.md"))
PAIRS = sorted({path.parent for path in TEXTS})


def outside_of_code(text: str) -> str:
    return re.sub(r"^(`{3,}).*?^\1`*$", "", text, flags=re.DOTALL | re.MULTILINE)


def commands(text: str) -> set[tuple[str, ...]]:
    """Each `paper-notes ...` in code, as its words."""
    code = re.findall(r"`([^`\n]*)`", text) + re.findall(r"^```.*?$(.*?)^```", text, re.DOTALL | re.MULTILINE)
    lines = [line.partition("#")[0] for block in code for line in block.splitlines()]
    return {tuple(found.split()) for line in lines for found in re.findall(r"(?:^|/|\s)paper-notes +([!-~].*)", line)}


@pytest.mark.parametrize("path", [*READMES, *TEXTS], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_commands_and_their_options_exist(path: Path) -> None:
    for command, *rest in commands(path.read_text("utf-8")):
        if command.startswith("-"):
            known = {option for parameter in cli.main.params for option in parameter.opts}
            assert command in known | {"-h", "--help"}
            continue
        assert command in cli.main.commands, f"paper-notes {command}"
        known_command = cli.main.commands[command]
        parameters = (
            known_command.commands[rest[0]] if isinstance(known_command, click.Group) else known_command
        ).params
        options = {option for known in parameters for option in (*known.opts, *known.secondary_opts)}
        for word in rest:
            if re.match(r"--?[a-z]", word):
                assert word in options | {"-h", "--help"}, f"paper-notes {command} {word}"


def test_the_readme_tells_of_every_command_and_its_options() -> None:
    section = README[README.index("## Commands") :].partition("\n## ")[0]
    for name, command in cli.main.commands.items():
        assert f"`paper-notes {name}" in README
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("--") and option != "--root" and name != "check":
                    assert option in section, f"{name} {option}"
    assert "--root" in README


def test_the_readme_tells_the_exit_codes() -> None:
    told = "Exit codes: 0 fine, 1 the input has errors (or `--check` found a difference), 2 wrong usage, 3 our own bug."
    assert told in README
    assert (INPUT_WRONG, OUR_BUG) == (1, 3)


@pytest.mark.parametrize("name", sorted(cli.main.commands))
def test_each_command_explains_itself(name: str) -> None:
    result = paper_notes(name, "--help")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) > 6
    for parameter in cli.main.commands[name].params:
        assert not isinstance(parameter, click.Option) or parameter.help, f"{name} {parameter.name} has no help"


@pytest.mark.parametrize("name", sorted(cli.main.commands))
def test_each_command_has_an_example_that_can_be_typed(name: str) -> None:
    text = paper_notes(name, "--help").stdout.partition("\n  Example")[2]
    assert f"paper-notes {name}" in text, "add a row to commands/help.py"
    for line in re.findall(r"paper-notes (\S.*)", text):
        typed, *rest = line.partition("#")[0].split()
        command = cli.main.commands[typed]
        command = command.commands[rest[0]] if isinstance(command, click.Group) else command
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in rest if word.startswith("--")} <= known, line


def test_make_targets_and_files_that_the_readme_names_exist() -> None:
    makefile = (PROJECT / "Makefile").read_text("utf-8")
    mentioned = re.findall(r"(?:^|`)make ([a-z]+)", README, re.MULTILINE)
    assert mentioned
    for target in mentioned:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    by_hand = re.sub(r"<!-- paper-notes:begin.*?paper-notes:end -->", "", README, flags=re.DOTALL)
    for href in re.findall(r"\]\(([^)#]+)[^)]*\)", by_hand):
        if "://" not in href and not href.startswith(("site/", "pdf:")):
            assert (PROJECT / href).exists(), href
    for name in re.findall(r"`(\.github/\S+|\.ci/run)`", README):
        assert (PROJECT / name).is_file(), name


def test_pages_that_the_readme_names_are_made() -> None:
    sources = {path.parent.name for path in (PROJECT / "notes_src").glob("*/*/note.yaml")}
    for href in re.findall(r"\]\((site/[^)#]+\.html)", README):
        assert href in ("site/index.html", "site/digests.html") or Path(href).stem in sources, href


def test_python_versions_agree() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    lowest = project["requires-python"].removeprefix(">=")
    assert f"Python {lowest}+" in README
    assert f'"{lowest}"' in (PROJECT / ".github/workflows/ci.yml").read_text("utf-8")


def test_the_changelog_has_a_place_for_what_is_new() -> None:
    text = (PROJECT / "CHANGELOG.md").read_text("utf-8")
    section = text[text.index("## Unreleased") :].partition("\n## ")[0]
    assert re.search(r"^- ", section, re.MULTILINE)


def test_python_m_paper_notes_is_the_same_program() -> None:
    result = process("--help")
    assert result.returncode == 0
    assert "build" in result.stdout


def rules_told(text: str) -> set[str]:
    """Rule ids in messages, those that are shown to be explained, and those with a section of their own."""
    told = set(re.findall(r"(?:error|warning)\[([a-z][a-z0-9-]+)\]|\{#rule-([a-z0-9-]+)\}", text))
    return {rule for found in told for rule in found if rule}


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_guide_tells_of_every_rule_and_of_no_other(lang: str) -> None:
    told = set[str]().union(*(rules_told(path.read_text("utf-8")) for path in TEXTS if path.stem == lang))
    known = set(get_args(RuleId))
    assert told - known == set(), "the guide tells of rules that do not exist"
    assert known - told == set(), "the guide does not tell of these"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_guide_shows_or_names_every_component(lang: str) -> None:
    text = "".join(path.read_text("utf-8") for path in TEXTS if path.stem == lang)
    told = set(re.findall(r"^:{3,} *([a-z]+)|`:*([a-z]+)`", text, re.MULTILINE))
    assert set(COMPONENTS) - {name for names in told for name in names} == set()


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_guide_names_every_kind_and_status(lang: str) -> None:
    text = "".join(path.read_text("utf-8") for path in TEXTS if path.stem == lang)
    for value in (*BUILT_IN_KINDS, *Status.__args__):
        assert re.search(rf"\b{value}\b", text), value


@pytest.mark.parametrize("folder", PAIRS, ids=lambda path: path.name)
def test_both_languages_of_the_guide_tell_the_same_rules_and_commands(folder: Path) -> None:
    zh, en = ((folder / f"{lang}.md").read_text("utf-8") for lang in ("zh", "en"))
    assert rules_told(zh) == rules_told(en)
    assert {words[0] for words in commands(zh)} == {words[0] for words in commands(en)}


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_guide_counts_and_names_every_command(lang: str) -> None:
    text = next(path for path in TEXTS if path.stem == lang and "02_" in str(path)).read_text("utf-8")
    counted = re.search(r"^(\d+) (?:commands|个命令)\n: (.+)$", text, re.MULTILINE)
    assert counted
    assert re.findall(r"`([a-z]+)`", counted[2]) == sorted(cli.main.commands)
    assert int(counted[1]) == len(cli.main.commands)
