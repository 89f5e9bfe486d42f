"""A collection that takes the program along: its wheel is what was installed, and the workflow knows its digest."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from running import files_of, paper_notes

from paper_notes.corpus.schema import SCHEMAS
from paper_notes.diagnostics import UserError
from paper_notes.features.starting import wheel as module
from paper_notes.features.starting.wheel import own_wheel
from paper_notes.project import InstalledFrom, install_line
from paper_notes.values import replace

GIT = InstalledFrom("1.2", "paper-notes @ git+https://example.org/p.git@0a1b")


@pytest.fixture
def installed_whole(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The wheel as an installer leaves it: with compiled files, scripts and notes of its own."""
    return _unpacked(wheel, "", tmp_path / "packages", monkeypatch)


@pytest.fixture
def unpacked(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same of a smaller program: it takes seconds to pack all of it."""
    return _unpacked(wheel, r"paper_notes/\w+\.py|.*\.dist-info/.*", tmp_path / "packages", monkeypatch)


def _unpacked(wheel: Path, wanted: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if not wanted or re.fullmatch(wanted, name)]
        archive.extractall(folder, names)
    (info,) = folder.glob("*.dist-info")
    (info / "INSTALLER").write_text("pip\n")
    lines = (info / "RECORD").read_text().splitlines(keepends=True)
    record = "".join(line for line in lines if line.partition(",")[0] in names)
    more = f"../bin/paper-notes,,\npaper_notes/__pycache__/a.pyc,,\n{info.name}/INSTALLER,,\n"
    (info / "RECORD").write_text(record + more)
    monkeypatch.setattr(module.metadata, "distribution", lambda name: metadata.PathDistribution(info))
    monkeypatch.setattr(module, "origin", lambda: InstalledFrom("0"))
    return folder


@pytest.mark.nightly
def test_it_has_what_the_one_had_that_was_installed(installed_whole: Path, wheel: Path) -> None:
    again = own_wheel()
    assert str(again.path) == f"vendor/{wheel.name}"
    (installed_whole / "again.whl").write_bytes(again.data)
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(installed_whole / "again.whl") as new:
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


@pytest.mark.nightly
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
    monkeypatch.setattr("paper_notes.features.starting.commands.init.origin", lambda: source)
    done = paper_notes("init", tmp_path / "n", *options)
    assert done.exit_code == 0, done.output
    wheels = list((tmp_path / "n/vendor").glob("*"))
    readme, source_of_others = (tmp_path / "n/README.md").read_text("utf-8"), source.requirement or "ADDRESS"
    if wheels:
        source_of_others = f"vendor/{wheels[0].name}{source.extras}"
    assert f"\n{install_line(source_of_others)}    # " in readme
    assert readme.count("pipx install") == 1
    assert ("write where others get it in place of ADDRESS" in done.stderr) == (source_of_others == "ADDRESS")
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


PAGES = ".github/workflows/pages.yml"
SCHEMA = ".vscode/paper-notes/note.schema.json"


def _installed(monkeypatch: pytest.MonkeyPatch, source: InstalledFrom) -> None:
    monkeypatch.setattr("paper_notes.features.starting.commands.init.origin", lambda: source)


def _told(root: Path, *options: str) -> dict[str, list[str]]:
    done = paper_notes("init", root, *options, "--json")
    assert done.exit_code == 0, done.output
    told: dict[str, list[str]] = json.loads(done.stdout)
    return told


def test_after_an_upgrade_what_an_older_version_wrote_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _installed(monkeypatch, GIT)
    with monkeypatch.context() as older:
        older.setattr(
            "paper_notes.features.starting.beginning.json_schema", lambda name: f'{{\n  "title": "{name}"\n}}\n'
        )
        _told(tmp_path, "--pages", "--digest")
    review = tmp_path / ".github/workflows/review.yml"
    review.write_text("\n".join(review.read_text("utf-8").split("\n")[1:]), "utf-8")  # of before they were signed
    before = files_of(tmp_path)
    _installed(monkeypatch, replace(GIT, requirement=GIT.requirement.replace("0a1b", "2c3d")))
    updated = _told(tmp_path, "--pages")["updated"]
    assert len(updated) == 3 + len(SCHEMAS)
    assert "updated" not in paper_notes("init", tmp_path, "--pages").stderr, "once"
    after = files_of(tmp_path)
    assert [path for path in after if after[path] != before[path]] == updated
    assert all(b"@2c3d" in text for path, text in after.items() if "workflows" in path)
    assert '"title": "note.yaml"' in after[SCHEMA].decode()


def test_what_somebody_has_changed_stays_and_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _installed(monkeypatch, GIT)
    paper_notes("init", tmp_path, "--pages")
    for name, old, new in ((PAGES, '"3.13"', '"3.12"'), (SCHEMA, '"title"', '"name"')):
        text = (tmp_path / name).read_text("utf-8")
        (tmp_path / name).write_text(text.replace(old, new, 1), "utf-8")
    before = files_of(tmp_path)
    _installed(monkeypatch, replace(GIT, requirement=GIT.requirement.replace("0a1b", "2c3d")))
    said = paper_notes("init", tmp_path, "--pages").stderr
    assert f"{PAGES} is not as init wrote it, so it stays; delete it, and repeat this" in said
    assert f"{SCHEMA} is not as init wrote it" in said
    after = files_of(tmp_path)
    assert [path for path in after if after[path] != before[path]] == [".github/workflows/review.yml"]


def test_the_wheel_is_brought_up_to_date_with_all_workflows_that_install_it_or_not_at_all(
    unpacked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _installed(monkeypatch, InstalledFrom("1.2"))
    root = tmp_path / "n"
    (wheel,) = (path for path in _told(root, "--pages", "--digest")["created"] if path.startswith("vendor/"))
    (unpacked / "paper_notes/build.py").write_text("# of today\n", "utf-8")
    assert _told(root, "--pages")["updated"] == [
        *(f".github/workflows/{name}.yml" for name in ("digest", "pages", "review")),
        wheel,
    ]
    digest = hashlib.sha256((root / wheel).read_bytes()).hexdigest()
    assert all(digest in path.read_text("utf-8") for path in root.glob(".github/workflows/*"))
    with (root / PAGES).open("a", encoding="utf-8") as workflow:
        workflow.write("# mine\n")
    (unpacked / "paper_notes/build.py").write_text("# of tomorrow\n", "utf-8")
    before = files_of(root)
    refused = paper_notes("init", root, "--pages")
    assert (refused.exit_code, files_of(root) == before) == (1, True)
    assert f"{wheel} is another program than this one, and {PAGES} is not as init wrote it" in refused.stderr
