"""A few of the collections that `make fuzz` builds, always the same ones, and that the judge would see a bug."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import judging
import pytest
from building import NOTE
from judging import unreadable, what_is_wrong, write_mutant
from mutating import mutant
from running import collection

from paper_notes.build import Build
from paper_notes.diagnostics import Diagnostic, Location


@pytest.mark.parametrize("seed", range(48))
def test_any_collection_ends_in_a_plan_or_in_findings(seed: int, tmp_path: Path) -> None:
    write_mutant(tmp_path, mutant(seed))
    assert what_is_wrong(tmp_path, write=seed % 8 == 0) == ""


def test_a_seed_always_makes_the_same_collection() -> None:
    assert mutant(1) == mutant(1)
    assert len({repr(mutant(seed)) for seed in range(20)}) == 20


def test_the_judge_sees_a_bug_and_a_build_that_ends_in_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    root = collection("minimal", tmp_path)
    assert what_is_wrong(root, write=True) == ""
    monkeypatch.setattr(judging, "build", lambda root: 1 / 0)
    assert "ZeroDivisionError" in what_is_wrong(root, write=False)
    monkeypatch.setattr(judging, "build", lambda root: Build(None, ()))
    assert what_is_wrong(root, write=False) == "no plan, but no error either"
    lost = Diagnostic(Location(PurePosixPath("notes_src/site.yaml"), 99), "bad-value", "x")
    monkeypatch.setattr(judging, "build", lambda root: Build(None, (lost,)))
    assert what_is_wrong(root, write=False).startswith("a line behind the end of the file")
    monkeypatch.undo()
    monkeypatch.setattr(judging, "SLOW", -1)
    assert what_is_wrong(root, write=False) == "took 0 seconds"


@pytest.mark.parametrize(
    ("diagnostic", "wrong"),
    [
        (Diagnostic(Location(NOTE, 2, 3), "a-b", "x"), ""),
        (Diagnostic(Location(NOTE, 2, 4), "a-b", "x"), "a column behind the end of the line"),
        (Diagnostic(Location(NOTE, 3, 1), "a-b", "x"), "a line behind the end of the file"),
        (Diagnostic(Location(NOTE, 1, 0), "a-b", "x"), "a position before the file"),
        (Diagnostic(Location(NOTE), "a-b", ""), "it is not one line and one of hint"),
        (Diagnostic(Location(NOTE / "a\nb"), "a-b", "x"), "it is not one line and one of hint"),
        (Diagnostic(Location(NOTE), "a-b", "\udcff"), "cannot be printed"),
        (Diagnostic(Location(NOTE), "a-b", "\ufdd0"), "shows an internal character"),
    ],
)
def test_the_judge_sees_a_finding_that_cannot_be_read(diagnostic: Diagnostic, wrong: str) -> None:
    assert unreadable(diagnostic, "a\nbc") == wrong
