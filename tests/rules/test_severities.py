"""Severities: what `rules:` in site.yaml sets, for which files, and what it leaves as it is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from provoking import Case, cases, findings
from running import PROJECT, paper_notes, some, write

from paper_notes.build import build, update
from paper_notes.diagnostics import FIXED, RuleId
from paper_notes.markdown import bodies
from paper_notes.render import notes as note_pages
from paper_notes.rules import FAMILIES
from paper_notes.values import replace

CASES = [case for family in FAMILIES for case in cases(family)]
SITE = "title: {zh: 笔记, en: Notes}\ntopics: [tea, rice]\n"
FOLLOW = ("dead-link", "missing-translation")
LOST = "见 [[#1 绿茶。\n"
FILES = {
    "notes_src/site.yaml": SITE,
    **{f"notes_src/{topic}/topic.yaml": "title: {zh: 茶, en: Tea}\n" for topic in ("tea", "rice")},
    **{f"notes_src/{topic}/01_A/note.yaml": "title: {zh: 绿, en: Green}\n" for topic in ("tea", "rice")},
    **{f"notes_src/{topic}/01_A/zh.md": LOST for topic in ("tea", "rice")},
    **{f"notes_src/{topic}/01_A/en.md": "One.\n" for topic in ("tea", "rice")},
}


def with_rules(root: Path, rules: str) -> Path:
    return write(root, {**FILES, "notes_src/site.yaml": f"{SITE}rules: {rules}\n"})


def said(root: Path) -> list[str]:
    return [f"{found.location.path.parts[1]} {found.severity}" for found in build(root).diagnostics]


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("{}", ["rice warning", "tea warning"]),
        ("{lost-syntax: error}", ["rice error", "tea error"]),
        ("{lost-syntax: off}", []),
        ("{lost-syntax: off, tea/: {lost-syntax: error}}", ["tea error"]),
        ("{tea/: {lost-syntax: off}}", ["rice warning"]),
        ("{tea/: {lost-syntax: off}, tea/01_A/: {lost-syntax: warning}}", ["rice warning", "tea warning"]),
        ("{tea/: {bad-tex: off}, lost-syntax: error}", ["rice error", "tea error"]),
    ],
)
def test_a_rule_has_the_severity_of_the_deepest_folder_that_sets_it(
    rules: str, expected: list[str], tmp_path: Path
) -> None:
    assert said(with_rules(tmp_path, rules)) == expected


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_guide_names_the_rules_that_cannot_be_set(lang: str) -> None:
    text = (PROJECT / "notes_src" / "guide" / "02_The_collection" / f"{lang}.md").read_text("utf-8")
    section = text.partition("{#severities}")[2].partition("\n## ")[0]
    assert FIXED.keys() == set(get_args(RuleId)).intersection(re.findall(r"`([a-z0-9-]+)`", section)) - {"dead-link"}


def set_to(case: Case, level: str) -> Case:
    """The case in a collection that sets the severity of its rule, and of what may follow from it."""
    line = "".join(f"{rule}: {level}, " for rule in dict.fromkeys((case.rule, *FOLLOW)))
    line = f"rules: {{{line}}}\n"
    head = "-- site.yaml --\n"
    if head in case.input:
        return replace(case, input=case.input.replace(head, f"{head}{line}"))
    return replace(case, input=f"{head}title: {{zh: 笔记, en: Notes}}\ntopics: [tea]\n{line}{case.input}")


FREE = [case for case in CASES if case.rule not in FIXED]


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize("case", FREE, ids=lambda case: case.rule)
def test_a_rule_that_is_not_fixed_stops_nothing_when_it_is_a_warning_or_off(case: Case, tmp_path: Path) -> None:
    """By turns, one rule a warning and the next one off; in `make nightly` both."""
    for level in some(("warning", "off")[:: 1 if FREE.index(case) % 2 else -1], 2):
        found = findings(set_to(case, level), tmp_path / level)
        assert {one.severity for one in found} == ({level} if level == "warning" else set())
        assert {one.rule for one in found}.issubset({case.rule, *FOLLOW})


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize("case", [case for case in CASES if case.rule in FIXED], ids=lambda case: case.rule)
def test_a_fixed_rule_keeps_its_severity(case: Case, tmp_path: Path) -> None:
    found = [one for one in findings(set_to(case, "off"), tmp_path) if one.severity == "error"]
    assert case.rule in {one.rule for one in found} or any("cannot be set" in one.message for one in found)


def test_another_severity_renders_nothing_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = with_rules(tmp_path, "{}")
    assert update(root, 1).diagnostics
    for module, name in ((bodies, "_rendered"), (note_pages, "note_file")):
        monkeypatch.setattr(module, name, lambda *given: pytest.fail("rendered again"))
    write(root, {"notes_src/site.yaml": f"{SITE}rules: {{lost-syntax: off}}\n"})
    made = update(root, 1)
    assert made.diagnostics == ()
    assert made.plan
    assert made.plan.empty


def test_strict_makes_warnings_fail(tmp_path: Path) -> None:
    root = str(with_rules(tmp_path, "{}"))
    assert paper_notes("build", "--root", root, "--strict").exit_code == 1
    assert not (tmp_path / "site").exists()
    assert paper_notes("build", "--root", root).exit_code == 0
    for command in (["build", "--strict"], ["build", "--check", "--strict"], ["check", "--strict"]):
        result = paper_notes(*command, "--root", root)
        assert result.exit_code == 1
        assert "error[lost-syntax]" in result.stderr
    with_rules(tmp_path, "{lost-syntax: off}")
    assert paper_notes("build", "--root", root, "--strict").exit_code == 0
    assert paper_notes("build", "--root", root, "--strict").exit_code == 0
