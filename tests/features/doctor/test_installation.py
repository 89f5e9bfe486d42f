"""The installation against what is required."""

from __future__ import annotations

import tomllib

import pytest
from packaging.requirements import Requirement
from running import PROJECT

from paper_notes.features.diagrams.fences import MACHINES, how_to_get
from paper_notes.features.doctor.installation import USES, installation

HERE = ("linux", "x86_64")


@pytest.mark.parametrize(
    ("requirement", "version", "allowed"),
    [
        ("nh3<1,>=0.3.7", "0.3.7", True),
        ("nh3<1,>=0.3.7", "0.3.10", True),
        ("nh3<1,>=0.3.7", "0.3.6", False),
        ("nh3<1,>=0.3.7", "1.0.0", False),
        ("bibtexparser (<3,>=2.0.1)", "2.1b3", True),
        ("pymupdf<2,>=1.28", "1.28.0.post1", True),
        ("anything", "0", True),
    ],
)
def test_an_installed_version_is_compared_as_pip_does(requirement: str, version: str, *, allowed: bool) -> None:
    said = [finding.level for finding in installation("3.12.0rc1", ">=3.11", [requirement], lambda _: version, HERE)]
    assert said == ["ok", "ok" if allowed else "serious"]


def test_what_only_other_pythons_need_is_not_missing() -> None:
    needs = ["old; python_version < '3'", "new; python_version > '3'"]
    said = [finding.message for finding in installation("3.12", "", needs, lambda _: None, HERE)]
    assert said[1:] == ["new is not installed: new is required"]


def test_every_extra_of_ours_has_a_use() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    assert set(USES) == set(project["optional-dependencies"])


def test_what_is_wrong_has_the_command_that_fixes_it() -> None:
    versions = {"fine": "1.2", "old": "0.9", "also": "3"}
    needs = ["fine>=1", "old<2,>=1", "missing>=2", 'also>=3; extra == "vega"', 'other>=1; extra == "mermaid"']
    found = list(installation("3.10.2", ">=3.11", needs, versions.get, HERE, "pip install"))
    serious = [(one.about, one.hint) for one in found if one.level == "serious"]
    assert serious == [
        ("python", "install a newer one"),
        ("packages", 'pip install "old<2,>=1"'),
        ("packages", 'pip install "missing>=2"'),
    ]
    extras = [one.message for one in found if one.about == "extras"]
    assert extras[0].endswith('is not installed; pip install "other>=1"')
    assert extras[1] == "vega, which draws ```vega-lite fences, is installed"


def test_an_extra_that_has_no_version_for_a_machine_is_not_advertised() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    (merman,) = project["optional-dependencies"]["mermaid"]
    names = {"linux": "Linux", "win32": "Windows", "darwin": "Darwin"}
    marker = Requirement(merman).marker
    assert marker
    machines = {
        (names[system], machine)
        for system in names
        for machine in ("x86_64", "AMD64", "aarch64", "arm64")
        if marker.evaluate({"sys_platform": system, "platform_machine": machine})
    }
    assert machines == MACHINES["mermaid"]


@pytest.mark.parametrize(
    ("extra", "machine", "advertised"),
    [("mermaid", "x86_64", True), ("mermaid", "aarch64", False), ("vega", "aarch64", True)],
)
def test_the_hint_of_a_missing_extra_can_be_followed(extra: str, machine: str, *, advertised: bool) -> None:
    assert ("doctor" in how_to_get(extra, "Linux", machine)) is advertised


def test_doctor_says_that_there_is_none_for_this_machine() -> None:
    needs = ["merman>=0.9; (sys_platform == 'linux' and platform_machine == 'x86_64') and extra == 'mermaid'"]
    arm = list(installation("3.11", "", needs, {}.get, ("linux", "aarch64")))[-1]
    intel = list(installation("3.11", "", needs, {}.get, HERE))[-1]
    assert ("pip install" in arm.message, "pip install" in intel.message) == (False, True)
