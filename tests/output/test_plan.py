"""plan(): values in, a value out."""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.output.plan import Plan, plan

A, B, C = (Artifact.text(f"site/{name}", name) for name in "abc")


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def paths(*names: str) -> tuple[PurePosixPath, ...]:
    return tuple(PurePosixPath("site", name) for name in names)


def test_everything_is_new_on_an_empty_disk() -> None:
    made = plan([B, A], {}, [])
    assert made == Plan(create=(A, B), update=(), delete=(), unchanged=())
    assert not made.empty


def test_nothing_to_do() -> None:
    made = plan([A, B], {A.path: A.sha256, B.path: B.sha256}, [A.path, B.path])
    assert made == Plan((), (), (), paths("a", "b"))
    assert made.empty


def test_what_differs_is_updated() -> None:
    assert plan([A, B], {A.path: A.sha256, B.path: digest(b"old")}, [A.path]) == Plan((), (B,), (), paths("a"))


def test_only_owned_files_that_are_there_are_deleted() -> None:
    on_disk = {path: digest(b"") for path in paths("b", "foreign")}
    made = plan([A], on_disk, paths("c", "b"))
    assert made == Plan(create=(A,), update=(), delete=paths("b"), unchanged=())


def test_the_order_is_that_of_the_paths() -> None:
    assert plan([C, A, B], {}, []).create == (A, B, C)
    assert plan([], dict.fromkeys(paths("z", "y"), ""), paths("z", "y")).delete == paths("y", "z")


def test_a_manifest_to_write_is_something_to_do() -> None:
    assert not Plan((), (), (), (), manifest=A).empty
