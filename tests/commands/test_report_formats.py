"""`paper-notes check --format`: findings for services that show them beside the lines of a change."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Literal

import pytest
from pydantic import ConfigDict, TypeAdapter
from running import SITES, paper_notes, write
from typing_extensions import TypedDict

from paper_notes.commands.report_formats import REPORT_FORMATS

ROOT = SITES / "every-mistake"


class Strict(TypedDict):
    __pydantic_config__ = ConfigDict(extra="forbid", strict=True)  # type: ignore[misc]


class Lines(Strict):
    begin: int


class GitlabLocation(Strict):
    path: str
    lines: Lines


class GitlabFinding(Strict):
    """As GitLab's page on code quality has it: "Code Quality report format"."""

    description: str
    check_name: str
    fingerprint: str
    severity: Literal["info", "minor", "major", "critical", "blocker"]
    location: GitlabLocation


class Position(Strict):
    line: int


class Range(Strict):
    start: Position


class RdLocation(Strict):
    path: str
    range: Range


class Code(Strict):
    value: str


class RdFinding(Strict):
    message: str
    location: RdLocation
    severity: Literal["UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"]
    code: Code


class Source(Strict):
    name: str


class RdResult(Strict):
    """As DiagnosticResult of reviewdog's reviewdog.proto has it."""

    source: Source
    diagnostics: list[RdFinding]


def told(form: str, root: Path, *options: str) -> str:
    result = paper_notes("check", "--root", root, "--format", form, *options)
    assert result.exit_code == 1
    return str(result.stdout)


def places(root: Path) -> list[tuple[str, int, str]]:
    """What `--json` says, with paths from this folder."""
    listed = json.loads(paper_notes("check", "--root", root, "--json").stdout)["diagnostics"]
    return [(f"{root}/{item['path']}", item["line"], item["rule"]) for item in listed]


@pytest.fixture
def root(monkeypatch: pytest.MonkeyPatch) -> Path:
    """A collection in a folder of the repository, which is where one is."""
    monkeypatch.chdir(SITES.parent)
    return Path("sites/every-mistake")


def test_each_format_names_every_finding_once_and_from_the_folder_one_is_in(root: Path) -> None:
    wanted = places(root)
    assert len(wanted) > 10
    lines = [line for line in told("github", root).splitlines() if line.startswith("::")]
    commands = [re.fullmatch(r"::(?:error|warning) file=(.*),line=(\d+),col=\d+,title=([\w-]+)::.+", x) for x in lines]
    assert [(match[1], int(match[2]), match[3]) for match in commands if match] == wanted
    gitlab = TypeAdapter(list[GitlabFinding]).validate_json(told("gitlab", root))
    assert [(x["location"]["path"], x["location"]["lines"]["begin"], x["check_name"]) for x in gitlab] == wanted
    assert len({finding["fingerprint"] for finding in gitlab}) == len(gitlab)
    rdjson = TypeAdapter(RdResult).validate_json(told("rdjson", root))["diagnostics"]
    spots = [(finding["location"], finding["code"]["value"]) for finding in rdjson]
    assert [(spot["path"], spot["range"]["start"]["line"], rule) for spot, rule in spots] == wanted


def test_sarif_is_some_to_a_reader_of_others_and_its_rules_are_explained(root: Path) -> None:
    sarif = pytest.importorskip("sarif_pydantic", reason="the oldest versions lack it").Sarif
    (run,) = sarif.model_validate_json(told("sarif", root)).runs
    spots = [(result, result.locations[0].physical_location) for result in run.results]
    assert [(x.artifact_location.uri, x.region.start_line, result.rule_id) for result, x in spots] == places(root)
    for result in run.results:
        rule = run.tool.driver.rules[result.rule_index]
        assert (rule.id, bool(rule.help.text)) == (result.rule_id, True)


def test_a_name_or_a_text_of_a_stranger_gives_no_command(tmp_path: Path) -> None:
    """`::` begins a command of GitHub's on a new line, and `,` or `:` would end the name of a file."""
    name = "01_A,line=9::x%0A::stop.md"
    root = write(tmp_path, {
        "notes_src/site.yaml": "title: S\nlanguages: [en]\ntopics: [t]\n",
        "notes_src/t/topic.yaml": "title: T\n",
        f"notes_src/t/{name}": '---\ntitle: A\n"k\\n::add-mask::secret": 1\n---\nText.\n',
    })  # fmt: skip
    said = told("github", root)
    assert "A%2Cline=9%3A%3Ax%250A%3A%3Astop.md" in said
    assert {line.partition(" ")[0] for line in said.splitlines()} <= {"::error", "::warning"}


def test_what_moves_keeps_its_fingerprint_and_equal_findings_have_their_own(tmp_path: Path) -> None:
    def fingerprints(text: str) -> list[str]:
        write(tmp_path, {
            "notes_src/site.yaml": "title: S\nlanguages: [en]\ntopics: [t]\n",
            "notes_src/t/topic.yaml": "title: T\n",
            "notes_src/t/01_A.md": f"---\ntitle: A\n---\n{text}",
        })  # fmt: skip
        return [finding["fingerprint"] for finding in json.loads(told("gitlab", tmp_path))]

    first = fingerprints("See [@none].\n\nSee [@none].\n")
    assert len(set(first)) == 2
    assert fingerprints("More.\n\nSee [@none].\n\nSee [@none].\n") == first


def test_a_collection_without_mistakes_gives_empty_reports(tmp_path: Path) -> None:
    root = write(tmp_path, {
        "notes_src/site.yaml": "title: S\nlanguages: [en]\ntopics: [t]\n",
        "notes_src/t/topic.yaml": "title: T\n",
        "notes_src/t/01_A.md": "---\ntitle: A\n---\nRight.\n",
    })  # fmt: skip
    results = {form: paper_notes("check", "--root", root, "--format", form) for form in REPORT_FORMATS}
    assert {result.exit_code for result in results.values()} == {0}
    reports = {form: json.loads(result.stdout or "null") for form, result in results.items()}
    assert (reports["github"], reports["gitlab"], reports["rdjson"]["diagnostics"]) == (None, [], [])
    assert reports["sarif"]["runs"][0]["results"] == []


def test_two_reports_at_once_are_refused() -> None:
    result = paper_notes("check", "--root", ROOT, "--json", "--format", "sarif")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "leave out one" in result.stderr
