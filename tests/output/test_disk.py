"""compare() and apply(): the only writer, on a real disk."""

from __future__ import annotations

import os
import re
import stat
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from paper_notes.artifacts import Artifact
from paper_notes.diagnostics import UserError
from paper_notes.engine.cache import open_cache
from paper_notes.output import disk
from paper_notes.output.disk import MANIFEST, Disk, apply, apply_whole, compare, read_manifest
from paper_notes.output.plan import Plan
from paper_notes.output.staging import Stage, remove_temporary
from paper_notes.sources.tree import Source, SourceChanged

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
    """All files: nothing else may be left there."""
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if not path.is_dir())


def test_what_was_written_is_known_to_the_next_process_without_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_cache(tmp_path)) as cache:
        first = Disk(tmp_path, cache)
        apply(tmp_path, compare(tmp_path, [PAGE], MANIFEST, first), first)
        first.save()
        cache.write()
    monkeypatch.setattr(disk, "_read", lambda file: pytest.fail(f"{file} is read again"))
    with closing(open_cache(tmp_path)) as cache:
        assert Disk(tmp_path, cache).digest(PAGE.path) == PAGE.sha256


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
    with pytest.raises(UserError, match=r"^cannot write .*/site/\.manifest: No space left on device$"):
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
    with pytest.raises(UserError, match=r"site/link/precious\.md is behind a symbolic link"):
        apply(root, Plan((), (), (PurePosixPath("site/link/precious.md"),), ()))
    assert (away / "precious.md").exists()


@pytest.mark.parametrize("link", ["site", "site/a"])
def test_a_link_that_leads_out_is_not_written_through(link: str, tmp_path: Path) -> None:
    away = tmp_path / "away"
    away.mkdir()
    root = tmp_path / "collection"
    (root / link).parent.mkdir(parents=True, exist_ok=True)
    (root / link).symlink_to(away)
    with pytest.raises(UserError, match="behind a symbolic link that leads elsewhere"):
        write(root, Artifact.text("site/a/notes/page.html", "x"))
    assert list(away.iterdir()) == [], "not even a folder is made"


def test_a_link_into_the_sources_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "notes_src/a").mkdir(parents=True)
    (tmp_path / "site").mkdir()
    (tmp_path / "site/a").symlink_to("../notes_src/a")
    with pytest.raises(UserError, match="behind a symbolic link"):
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


# -- files of the user's -------------------------------------------------------------------------------------------


def test_a_readme_that_was_saved_since_it_was_read_stops_all_before_the_first_file(tmp_path: Path) -> None:
    write(tmp_path, README)
    read = [Source(README.path, README.data)]
    (tmp_path / "README.md").write_text("saved\n")
    plan = compare(tmp_path, [Artifact.text("README.md", "new tables\n"), HOME], MANIFEST, read=read)
    with pytest.raises(SourceChanged, match=r"^README\.md was changed while it was being used"):
        apply(tmp_path, plan)
    assert everything(tmp_path) == ["README.md", "site/.manifest"]
    assert (tmp_path / "README.md").read_text() == "saved\n"


@pytest.mark.parametrize("there", [False, True], ids=["removed", "made"])
def test_a_readme_that_was_removed_or_made_meanwhile_is_left_so(there: bool, tmp_path: Path) -> None:
    plan = compare(tmp_path, [README], MANIFEST, read=[] if there else [Source(README.path, b"old")])
    if there:
        (tmp_path / "README.md").write_text("made\n")
    with pytest.raises(SourceChanged):
        apply(tmp_path, plan)
    assert everything(tmp_path) == (["README.md"] if there else [])


def linked(root: Path, link: str, target: str) -> Path:
    """A link to a file in the same folder tree, with tables in it; it gives back that file."""
    file = root / target
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("old tables\n")
    (root / link).parent.mkdir(parents=True, exist_ok=True)
    (root / link).symlink_to(os.path.relpath(file, (root / link).parent))
    return file


@pytest.mark.parametrize("writer", [apply, apply_whole])
def test_a_readme_that_is_a_link_stays_one(writer: Callable[[Path, Plan], None], tmp_path: Path) -> None:
    file = linked(tmp_path, "README.md", "docs/README.md")
    plan = compare(tmp_path, [README])
    writer(tmp_path, plan)
    assert (tmp_path / "README.md").is_symlink()
    assert file.read_text() == "tables\n"
    assert everything(tmp_path) == ["README.md", "docs/README.md"]


@pytest.mark.parametrize(
    ("target", "shown"),
    [("../outside.md", "a place elsewhere")]
    + [(target, target) for target in (".git/config", "docs/.hidden/a.md", "site/index.html")],
)
@pytest.mark.parametrize("writer", [apply, apply_whole])
def test_a_readme_that_links_elsewhere_is_not_written(
    target: str, shown: str, writer: Callable[[Path, Plan], None], tmp_path: Path
) -> None:
    root = tmp_path / "collection"
    root.mkdir()
    file = linked(root, "README.md", target)
    plan = compare(root, [README, Artifact.text("LICENSE.md", "x")])
    with pytest.raises(UserError, match=rf"^README\.md is a link to {re.escape(shown)}, where nothing is written$"):
        writer(root, plan)
    assert file.read_text() == "old tables\n"
    assert not (root / "LICENSE.md").exists()


def test_two_names_of_one_file_are_not_written_in_turn(tmp_path: Path) -> None:
    file = linked(tmp_path, "README.md", "docs/README.md")
    plan = compare(tmp_path, [README, Artifact.text("docs/README.md", "others\n")])
    with pytest.raises(UserError, match=r"^README\.md and docs/README\.md are one file by a link"):
        apply(tmp_path, plan)
    assert file.read_text() == "old tables\n"


@pytest.mark.parametrize("path", [README.path, HOME.path, MANIFEST])
def test_a_file_that_was_made_read_only_is_not_written_over(path: PurePosixPath, tmp_path: Path) -> None:
    write(tmp_path, README, HOME)
    (tmp_path / path).chmod(0o444)
    before = {name: (tmp_path / name).read_bytes() for name in everything(tmp_path)}
    with pytest.raises(UserError, match=rf"^{path} is read-only, so it is not written over$") as caught:
        write(tmp_path, Artifact.text(README.path, "x"), Artifact.text(HOME.path, "x"), PAGE)
    assert caught.value.hint.startswith(f"if that may be, make it writable (chmod u+w {path})")
    assert {name: (tmp_path / name).read_bytes() for name in everything(tmp_path)} == before


def test_a_page_that_was_made_read_only_is_not_deleted(tmp_path: Path) -> None:
    write(tmp_path, PAGE, HOME)
    (tmp_path / PAGE.path).chmod(0o444)
    with pytest.raises(UserError, match=r"page\.html is read-only"):
        write(tmp_path, HOME)
    assert everything(tmp_path) == ["site/.manifest", "site/a/page.html", "site/index.html"]


def test_a_read_only_file_that_is_as_wanted_is_no_obstacle(tmp_path: Path) -> None:
    write(tmp_path, README, HOME)
    for path in (README.path, HOME.path, MANIFEST):
        (tmp_path / path).chmod(0o444)
    assert write(tmp_path, README, HOME).empty


def test_what_stops_the_writing_takes_back_only_what_nobody_has_saved_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("a.md", "b.md", "library.bib", "z.md")
    for name in names[2:]:
        (tmp_path / name).write_text("old\n")
    plan = compare(tmp_path, [Artifact.text(name, "ours\n") for name in names])
    real = disk.put

    def last_one_fails(root: Path, artifact: Artifact, *others: Any) -> None:
        if artifact.path.name == "z.md":
            (tmp_path / "b.md").write_text("newer\n")
            (tmp_path / "library.bib").write_text("newer\n")
            raise OSError(28, "No space left on device", "z.md")
        real(root, artifact, *others)

    monkeypatch.setattr(disk, "put", last_one_fails)
    with pytest.raises(UserError, match="No space left on device"):
        apply_whole(tmp_path, plan)
    left = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert left == {"b.md": "newer\n", "library.bib": "newer\n", "z.md": "old\n"}


def test_what_stops_the_writing_leaves_no_new_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "old").mkdir()
    plan = compare(tmp_path, [Artifact.text(name, "ours\n") for name in ("new/deep/er/a.md", "old/b.md", "z.md")])
    real = disk.put

    def last_one_fails(root: Path, artifact: Artifact, *others: Any) -> None:
        if artifact.path.name == "z.md":
            raise OSError(28, "No space left on device", "z.md")
        real(root, artifact, *others)

    monkeypatch.setattr(disk, "put", last_one_fails)
    with pytest.raises(UserError, match="No space left on device"):
        apply_whole(tmp_path, plan)
    assert [path.name for path in tmp_path.rglob("*")] == ["old"]


def test_new_files_wait_for_the_disk_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("a.md", "b.md", "c/d.md")
    all_of_them, real = threading.Barrier(len(names), timeout=120), os.fsync

    def synced(file: int) -> None:
        all_of_them.wait()
        real(file)

    monkeypatch.setattr(os, "fsync", synced)
    apply_whole(tmp_path, compare(tmp_path, [Artifact.text(name, "ours\n") for name in names]))
    assert {name: (tmp_path / name).read_text() for name in names} == dict.fromkeys(names, "ours\n")


# -- files in site/ that are not ours ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["file", "folder", "link", "dangling link"])
def test_what_is_in_the_way_and_not_ours_stops_all(kind: str, tmp_path: Path) -> None:
    place = tmp_path / PAGE.path
    place.parent.mkdir(parents=True)
    if kind == "file":
        place.write_text("mine")
    elif kind == "folder":
        place.mkdir()
    else:
        place.symlink_to(__file__ if kind == "link" else "nowhere")
    before = place.lstat()
    with pytest.raises(UserError) as caught:
        write(tmp_path, PAGE, HOME)
    assert str(caught.value) == (
        "1 file is in the way that no earlier build has written: site/a/page.html; nothing was written"
    )
    assert caught.value.hint.endswith("when site/.manifest was lost: paper-notes build --adopt")
    assert place.lstat() == before
    assert [path.name for path in (tmp_path / "site").iterdir()] == ["a"]


def test_of_many_files_in_the_way_twenty_are_named(tmp_path: Path) -> None:
    pages = [Artifact.text(f"site/{number:02}.html", "x") for number in range(25)]
    write(tmp_path, *pages)
    (tmp_path / MANIFEST).unlink()
    assert write(tmp_path, *pages).foreign == (), "with the same bytes they are as good as ours"
    (tmp_path / MANIFEST).unlink()
    others = [Artifact.text(page.path, "y") for page in pages]
    with pytest.raises(UserError) as caught:
        write(tmp_path, *others)
    names = ", ".join(f"site/{number:02}.html" for number in range(20))
    message = f"25 files are in the way that no earlier build has written: {names} and 5 more; nothing was written"
    assert str(caught.value) == message
    write(tmp_path, *others, adopt=True)
    assert compare(tmp_path, others, MANIFEST).empty


def test_a_first_build_that_was_killed_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = disk._place

    def killed(root: Path, artifact: Artifact, stage: Stage) -> None:
        real(root, artifact, stage)
        if artifact.path == PAGE.path:
            raise SystemExit

    monkeypatch.setattr(disk, "_place", killed)
    with pytest.raises(SystemExit):
        write(tmp_path, PAGE, HOME)
    monkeypatch.undo()
    write(tmp_path, Artifact.text(PAGE.path, "edited since\n"), HOME)
    assert everything(tmp_path) == ["site/.manifest", "site/a/page.html", "site/index.html"]


CROP = Artifact.text("notes_src/crops/2601.00001/figure-1.webp", "kept")


def kept(root: Path, data: str = "kept") -> Source:
    """A file of ours among the user's, which an earlier build has read."""
    path = root / CROP.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data)
    return Source(CROP.path, data.encode())


def test_a_file_of_ours_among_the_users_is_made_anew_and_removed_with_its_empty_folders(tmp_path: Path) -> None:
    (tmp_path / "notes_src").mkdir()
    (tmp_path / "notes_src/site.yaml").write_text("title: T")
    source = kept(tmp_path)
    assert compare(tmp_path, [CROP, HOME], MANIFEST, None, (), [source]).unchanged == (CROP.path,)
    apply(tmp_path, compare(tmp_path, [Artifact.text(CROP.path, "again"), HOME], MANIFEST, None, (), [source]))
    assert (tmp_path / CROP.path).read_text() == "again"
    plan = compare(tmp_path, [HOME], MANIFEST, None, (), [Source(CROP.path, b"again")])
    assert plan.delete == (CROP.path,)
    apply(tmp_path, plan)
    assert everything(tmp_path) == ["notes_src/site.yaml", "site/.manifest", "site/index.html"]
    assert not (tmp_path / "notes_src/crops").exists()
    assert manifest(tmp_path) == ["site/index.html"], "the manifest is about the site only"


def test_what_was_saved_since_it_was_read_is_neither_removed_nor_replaced(tmp_path: Path) -> None:
    source = kept(tmp_path)
    for wanted in ([HOME], [HOME, Artifact.text(CROP.path, "again")]):
        plan = compare(tmp_path, wanted, MANIFEST, None, (), [source])
        (tmp_path / CROP.path).write_text("mine now")
        with pytest.raises(SourceChanged):
            apply(tmp_path, plan)
        assert (tmp_path / CROP.path).read_text() == "mine now"
        kept(tmp_path)


def test_a_file_that_was_not_there_when_the_sources_were_read_is_not_replaced(tmp_path: Path) -> None:
    plan = compare(tmp_path, [CROP], MANIFEST, None, ())
    kept(tmp_path, "mine")
    with pytest.raises(SourceChanged):
        apply(tmp_path, plan)
    assert (tmp_path / CROP.path).read_text() == "mine"
    with pytest.raises(SourceChanged):
        apply(tmp_path, compare(tmp_path, [CROP], MANIFEST, None, ()))
    assert (tmp_path / CROP.path).read_text() == "mine"


def test_of_a_link_only_the_link_is_removed(tmp_path: Path) -> None:
    mine = tmp_path / "notes_src/mine.webp"
    source = kept(tmp_path)
    (tmp_path / CROP.path).rename(mine)
    (tmp_path / CROP.path).symlink_to(mine)
    apply(tmp_path, compare(tmp_path, [HOME], MANIFEST, None, (), [source]))
    assert everything(tmp_path) == ["notes_src/mine.webp", "site/.manifest", "site/index.html"]


def test_what_killed_builds_leave_beside_kept_pictures_is_cleared_away(tmp_path: Path) -> None:
    kept(tmp_path)
    folder = (tmp_path / CROP.path).parent
    for name in (".figure-1.webp.x7.pn-tmp", ".mine.tmp", "mine.pn-tmp"):
        (folder / name).write_text("half")
    remove_temporary(tmp_path)
    assert sorted(path.name for path in folder.iterdir()) == [".mine.tmp", "figure-1.webp", "mine.pn-tmp"]
