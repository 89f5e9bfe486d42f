"""Whatever is on the disk: after a plan was carried out it is as wanted, and what is not ours is as it was."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paper_notes.artifacts import Artifact
from paper_notes.diagnostics import UserError
from paper_notes.output.disk import MANIFEST, apply, compare
from paper_notes.output.plan import plan

paths = st.sampled_from([f"site/{name}" for name in ("a.html", "b.html", "t/a.html", "t/n/b.html", "题/图.svg")])
wanted = st.dictionaries(st.one_of(paths, st.just("README.md")), st.binary(max_size=3), max_size=6)
foreign = st.dictionaries(
    st.sampled_from(
        ["site/CNAME", "site/t/mine.txt", "site/t/n/.hidden", "README.md.bak", "notes_src/a.md", "site/x/y"]
    ),
    st.binary(max_size=3),
    max_size=4,
)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def artifacts(files: dict[str, bytes]) -> list[Artifact]:
    return [Artifact(PurePosixPath(path), data) for path, data in files.items()]


def on_disk(root: Path) -> dict[str, bytes]:
    found = [path for path in root.rglob("*") if path.is_file()]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


@given(foreign=foreign, in_the_way=wanted, builds=st.lists(wanted, min_size=1, max_size=4))
def test_builds_after_each_other(
    foreign: dict[str, bytes], in_the_way: dict[str, bytes], builds: list[dict[str, bytes]]
) -> None:
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        for name, data in {**foreign, **in_the_way}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(data)
        never_ours = dict(in_the_way)
        for files in builds:
            made, before = compare(root, artifacts(files), MANIFEST), on_disk(root)
            others = {name for name, data in never_ours.items() if files.get(name, data) != data} - {"README.md"}
            assert {str(path) for path in made.foreign} == others
            if others:
                with pytest.raises(UserError):
                    apply(root, made)
                assert on_disk(root) == before
                made = compare(root, artifacts(files), MANIFEST, adopt=True)
            assert not {str(path) for path in made.delete} & (foreign.keys() | never_ours.keys())
            apply(root, made)
            assert compare(root, artifacts(files), MANIFEST).empty
            never_ours = {name: data for name, data in never_ours.items() if name not in files}
            readme = {name: data for name, data in on_disk(root).items() if name == "README.md"}
            expected = {**foreign, **never_ours, **files, **readme}
            left = {name: data for name, data in on_disk(root).items() if name != str(MANIFEST)}
            assert left == expected, "what was ours and is not wanted any more is gone, and nothing else"
            empty = [path for path in (root / "site").rglob("*") if path.is_dir() and not any(path.iterdir())]
            assert empty == []


@given(wanted, wanted, st.sets(paths))
def test_a_plan_names_every_file_once(files: dict[str, bytes], disk: dict[str, bytes], ours: set[str]) -> None:
    hashes = {PurePosixPath(path): digest(data) for path, data in disk.items()}
    made = plan(artifacts(files), hashes, map(PurePosixPath, ours))
    written = [artifact.path for artifact in (*made.create, *made.update)]
    named = [*written, *made.delete, *made.unchanged]
    assert len(named) == len(set(named))
    assert {str(path) for path in (*written, *made.unchanged)} == files.keys()
    assert {str(path) for path in made.delete} == (ours & disk.keys()) - files.keys()
    assert all(disk[str(path)] == files[str(path)] for path in made.unchanged)
    assert all(str(artifact.path) not in disk for artifact in made.create)
