"""compare() and apply(): the only writer, on a real disk."""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePosixPath

import pytest

from paper_notes.artifacts import Artifact
from paper_notes.output import disk
from paper_notes.output.disk import MANIFEST, OutputProblem, apply, compare, read_manifest
from paper_notes.output.plan import Plan
from paper_notes.output.stage import Stage

PAGE = Artifact.text("site/a/page.html", "new\n")
HOME = Artifact.text("site/index.html", "home\n")
README = Artifact.text("README.md", "tables\n")


def write(root: Path, *artifacts: Artifact, adopt: bool = False) -> Plan:
    plan = compare(root, artifacts, MANIFEST, adopt=adopt)
    apply(root, plan)
    return plan


def manifest(root: Path) -> list[str]:
    return (root / MANIFEST).read_text().splitlines()


def everything(root: Path) -> list[str]:
    """All files, but for the one that keeps our own folder out of git: nothing may be left there."""
    files = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if not path.is_dir())
    return [file for file in files if file != ".paper-notes/.gitignore"]


def test_written_once_then_left_alone(tmp_path: Path) -> None:
    first = write(tmp_path, PAGE, HOME, README)
    assert [artifact.path for artifact in first.create] == [README.path, PAGE.path, HOME.path]
    assert everything(tmp_path) == ["README.md", "site/.manifest", "site/a/page.html", "site/index.html"]
    assert manifest(tmp_path) == ["site/a/page.html", "site/index.html"], "the README is never ours to delete"
    assert compare(tmp_path, [PAGE, HOME, README], MANIFEST).empty
    assert stat.S_IMODE((tmp_path / PAGE.path).stat().st_mode) & 0o600 == 0o600


def test_what_is_no_longer_wanted_goes_with_its_empty_folder(tmp_path: Path) -> None:
    write(tmp_path, PAGE, HOME)
    assert write(tmp_path, HOME).delete == (PAGE.path,)
    assert everything(tmp_path) == ["site/.manifest", "site/index.html"]
    assert not (tmp_path / "site/a").exists()
    assert manifest(tmp_path) == ["site/index.html"]


def test_a_folder_with_a_foreign_file_stays(tmp_path: Path) -> None:
    write(tmp_path, PAGE)
    (tmp_path / "site/a/mine.txt").write_text("mine")
    write(tmp_path, HOME)
    assert everything(tmp_path) == ["site/.manifest", "site/a/mine.txt", "site/index.html"]


def test_a_collection_that_wants_nothing(tmp_path: Path) -> None:
    write(tmp_path, PAGE)
    write(tmp_path)
    assert everything(tmp_path) == ["site/.manifest"]


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, PAGE)
    real = os.replace

    def interrupted(source: str, target: Path) -> None:
        if str(target).endswith(".html"):
            raise KeyboardInterrupt
        real(source, target)

    monkeypatch.setattr(os, "replace", interrupted)
    plan = compare(tmp_path, [Artifact.text(PAGE.path, "newer\n"), HOME], MANIFEST)
    with pytest.raises(KeyboardInterrupt):
        apply(tmp_path, plan)
    assert (tmp_path / PAGE.path).read_text() == "new\n"
    assert everything(tmp_path) == ["site/.manifest", "site/a/page.html"], "no temporary file is left"


def test_a_full_disk_is_told_by_the_files_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: str, target: Path) -> None:
        raise OSError(28, "No space left on device", source, None, str(target))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OutputProblem, match=r"^cannot write .*/site/\.manifest: No space left on device$"):
        write(tmp_path, PAGE)


def test_the_manifest_is_widened_before_and_narrowed_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = Artifact.text("site/old.html", "old")
    write(tmp_path, old)
    real = os.replace
    seen: list[tuple[str, list[str]]] = []

    def watched(source: str, target: Path) -> None:
        real(source, target)
        seen.append((Path(target).name, manifest(tmp_path)))

    monkeypatch.setattr(os, "replace", watched)
    write(tmp_path, HOME)
    wide = ["site/index.html", "site/old.html"]
    assert seen == [(".manifest", wide), ("index.html", wide), (".manifest", ["site/index.html"])]


def test_a_killed_build_leaves_nothing_that_a_later_one_does_not_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, HOME)
    real = disk._place

    def killed(root: Path, artifact: Artifact, stage: Stage) -> None:
        real(root, artifact, stage)
        if artifact.path == PAGE.path:
            raise SystemExit

    monkeypatch.setattr(disk, "_place", killed)
    with pytest.raises(SystemExit):
        write(tmp_path, HOME, PAGE)
    monkeypatch.undo()
    write(tmp_path, HOME)
    assert everything(tmp_path) == ["site/.manifest", "site/index.html"]


def test_permissions_are_kept(tmp_path: Path) -> None:
    write(tmp_path, README)
    (tmp_path / "README.md").chmod(0o640)
    write(tmp_path, Artifact.text("README.md", "other\n"))
    assert stat.S_IMODE((tmp_path / "README.md").stat().st_mode) == 0o640


def test_new_files_have_the_permissions_of_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write(tmp_path, PAGE)
        assert os.umask(0o027) == 0o027, "the umask is as it was"
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / PAGE.path).stat().st_mode) == 0o640


LIES = (
    "../outside.txt",
    "/etc/hostname",
    "site/../notes_src/precious.md",
    "site/../../outside.txt",
    "notes_src/precious.md",
    "README.md",
    "site/link/precious.md",
    "site",
    "site/",
    ".",
    "",
    "site/.manifest",
    "site/nul\0byte",
)


def test_a_manifest_that_lies_cannot_delete_foreign_files(tmp_path: Path) -> None:
    root = tmp_path / "collection"
    precious = [root / "notes_src/precious.md", tmp_path / "outside.txt", tmp_path / "away/precious.md"]
    for path in precious:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("precious")
    write(root, HOME, README)
    (root / "site/link").symlink_to(tmp_path / "away")
    (root / MANIFEST).write_text("\n".join([*LIES, "site/index.html"]))
    assert read_manifest(root, MANIFEST) == (HOME.path,)
    plan = compare(root, [HOME], MANIFEST)
    assert plan.delete == ()
    apply(root, plan)
    assert all(path.read_text() == "precious" for path in precious)
    assert manifest(root) == ["site/index.html"]


def test_a_plan_that_deletes_behind_a_link_is_refused(tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    (away / "precious.md").write_text("precious")
    root = tmp_path / "collection"
    (root / "site").mkdir(parents=True)
    (root / "site/link").symlink_to(away)
    with pytest.raises(OutputProblem, match=r"site/link/precious\.md is behind a symbolic link"):
        apply(root, Plan((), (), (PurePosixPath("site/link/precious.md"),), ()))
    assert (away / "precious.md").exists()


@pytest.mark.parametrize("link", ["site", "site/a"])
def test_a_link_that_leads_out_is_not_written_through(link: str, tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    root = tmp_path / "collection"
    (root / link).parent.mkdir(parents=True, exist_ok=True)
    (root / link).symlink_to(away)
    with pytest.raises(OutputProblem, match="behind a symbolic link that leads elsewhere"):
        write(root, Artifact.text("site/a/notes/page.html", "x"))
    assert list(away.iterdir()) == [], "not even a folder is made"


def test_a_link_into_the_sources_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "notes_src/a").mkdir(parents=True)
    (tmp_path / "site").mkdir()
    (tmp_path / "site/a").symlink_to("../notes_src/a")
    with pytest.raises(OutputProblem, match="behind a symbolic link"):
        write(tmp_path, PAGE)
    assert list((tmp_path / "notes_src/a").iterdir()) == []


def test_a_page_that_is_a_link_is_replaced_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "target.txt"
    target.write_text("precious")
    root = tmp_path / "collection"
    (root / "site").mkdir(parents=True)
    (root / HOME.path).symlink_to(target)
    write(root, HOME, adopt=True)
    assert target.read_text() == "precious"
    assert not (root / HOME.path).is_symlink()
    assert (root / HOME.path).read_text() == "home\n"


def test_a_collection_reached_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    write(tmp_path / "link", PAGE)
    assert compare(tmp_path / "real", [PAGE], MANIFEST).empty


@pytest.mark.parametrize("text", [b"", b"\xff\xfe", b"\n\n\n"])
def test_a_damaged_manifest_owns_nothing(text: bytes, tmp_path: Path) -> None:
    write(tmp_path, PAGE, HOME)
    (tmp_path / MANIFEST).write_bytes(text)
    assert read_manifest(tmp_path, MANIFEST) == ()
    plan = write(tmp_path, HOME)
    assert plan.delete == ()
    assert (tmp_path / PAGE.path).exists()
    assert manifest(tmp_path) == ["site/index.html"]
