"""A collection that takes the program along: its wheel is what was installed, and the workflow knows its digest."""

from __future__ import annotations

import hashlib
import re
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from running import paper_notes

from paper_notes.diagnostics import UserError
from paper_notes.project import InstalledFrom, install_line
from paper_notes.starter import wheel as module
from paper_notes.starter.wheel import own_wheel

GIT = InstalledFrom("1.2", "paper-notes @ git+https://example.org/p.git@0a1b")


@pytest.fixture
def unpacked(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The wheel as an installer leaves it: with compiled files, scripts and notes of its own."""
    folder = tmp_path / "packages"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    (info,) = folder.glob("*.dist-info")
    (info / "INSTALLER").write_text("pip\n")
    record = (info / "RECORD").read_text()
    more = f"../bin/paper-notes,,\npaper_notes/__pycache__/a.pyc,,\n{info.name}/INSTALLER,,\n"
    (info / "RECORD").write_text(record + more)
    monkeypatch.setattr(module.metadata, "distribution", lambda name: metadata.PathDistribution(info))
    monkeypatch.setattr(module, "origin", lambda: InstalledFrom("0"))
    return folder


def test_it_has_what_the_one_had_that_was_installed(unpacked: Path, wheel: Path) -> None:
    again = own_wheel()
    assert str(again.path) == f"vendor/{wheel.name}"
    (unpacked / "again.whl").write_bytes(again.data)
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(unpacked / "again.whl") as new:
        assert {name: old.read(name) for name in old.namelist() if not name.endswith("RECORD")} == {
            name: new.read(name) for name in new.namelist() if not name.endswith("RECORD")
        }
        (record,) = (name for name in old.namelist() if name.endswith("RECORD"))
        assert set(new.read(record).splitlines()) == set(old.read(record).splitlines())
    assert own_wheel() == again, "the same files give the same bytes"


def test_what_is_damaged_is_not_put_together(unpacked: Path) -> None:
    (unpacked / "paper_notes/build.py").unlink()
    with pytest.raises(UserError, match=r"build\.py"):
        own_wheel()


@pytest.mark.parametrize(
    ("options", "source", "vendored"),
    [
        (["--pages"], InstalledFrom("1.2", extras="[vega]"), True),
        (["--digest"], InstalledFrom("1.2"), True),
        (["--pages"], GIT, False),
        (["--pages", "--vendor"], GIT, True),
        ([], InstalledFrom("1.2"), False),
    ],
)
def test_it_comes_along_where_no_address_leads_to_it(
    options: list[str],
    source: InstalledFrom,
    vendored: bool,
    unpacked: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("paper_notes.commands.init.origin", lambda: source)
    done = paper_notes("init", tmp_path / "n", *options)
    assert done.exit_code == 0, done.output
    wheels = list((tmp_path / "n/vendor").glob("*"))
    readme, source_of_others = (tmp_path / "n/README.md").read_text("utf-8"), source.requirement
    if wheels:
        source_of_others = f"vendor/{wheels[0].name}{source.extras}"
    assert (f"\n{install_line(source_of_others)}    # " in readme) == bool(source_of_others)
    assert readme.count("pipx install") == bool(source_of_others)
    assert "```sh\npaper-notes build" in readme or source_of_others
    assert bool(wheels) == vendored
    for workflow in (tmp_path / "n").glob(".github/workflows/*"):
        text = workflow.read_text("utf-8")
        (installs,) = re.findall(r'PAPER_NOTES: "(.*)"', text)
        assert "CHECK\n" not in text
        if vendored:
            assert installs == f"vendor/{wheels[0].name}{source.extras}"
            assert (
                f'echo "{hashlib.sha256(wheels[0].read_bytes()).hexdigest()}  vendor/{wheels[0].name}" | sha256sum -'
                in text
            )
        else:
            assert (installs, "sha256sum" in text) == (source.requirement, False)


def test_a_workflow_that_is_there_is_kept_and_what_to_do_is_said(
    unpacked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paper_notes.commands.init.origin", lambda: GIT)
    paper_notes("init", tmp_path / "n", "--pages")
    before = (tmp_path / "n/.github/workflows/pages.yml").read_bytes()
    said = paper_notes("init", tmp_path / "n", "--pages", "--vendor").stderr
    assert ".github/workflows/pages.yml is as it was; delete it, and repeat this" in said
    assert (tmp_path / "n/.github/workflows/pages.yml").read_bytes() == before
