"""A few of the collections that `make fuzz` builds, always the same ones, and that the judge would see a bug."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import commands
import judging
import pytest
from building import NOTE
from commands import Session, Wrong
from conforming import site_problems
from generating import legal_collection
from judging import judged, unreadable, what_is_wrong, write_collection
from mutating import how_broken, mutant
from running import built, collection, write

from paper_notes.build import Build
from paper_notes.diagnostics import Diagnostic, Location


@pytest.mark.nightly(but_every=12)
@pytest.mark.parametrize("seed", range(1, 24, 2))
def test_any_collection_ends_in_a_plan_or_in_findings(seed: int, tmp_path: Path) -> None:
    write_collection(tmp_path, mutant(seed, 1 + seed % 16))
    assert what_is_wrong(tmp_path)[0] == ""


@pytest.mark.nightly
@pytest.mark.parametrize("seed", [15, 22])
def test_a_legal_collection_builds_and_commands_keep_it_so(seed: int) -> None:
    verdict = judged(seed, 0)
    assert verdict.problem == ""
    assert verdict.built
    assert len(verdict.codes) > 10


def test_a_collection_with_mistakes_is_walked_through_as_well() -> None:
    verdict = judged(22, 16)
    assert (verdict.problem, verdict.built) == ("", False)


def test_a_seed_always_makes_the_same_collection_and_most_are_legal() -> None:
    assert mutant(1, 1) == mutant(1, 1) != mutant(1, 0) == legal_collection(1)
    assert len({repr(mutant(seed, 2)) for seed in range(5)}) == 5
    assert sum(how_broken(seed) == 0 for seed in range(1_000)) > 600


def test_the_judge_sees_a_bug_and_a_build_that_ends_in_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    root = collection("minimal", tmp_path)
    assert what_is_wrong(root) == ("", ())
    monkeypatch.setattr(judging, "build", lambda root: 1 / 0)
    assert "ZeroDivisionError" in what_is_wrong(root)[0]
    monkeypatch.setattr(judging, "build", lambda root: Build(None, ()))
    assert what_is_wrong(root)[0] == "no plan, but no error either"
    lost = Diagnostic(Location(PurePosixPath("notes_src/site.yaml"), 99), "bad-value", "x")
    monkeypatch.setattr(judging, "build", lambda root: Build(None, (lost,)))
    assert what_is_wrong(root)[0].startswith("a line behind the end of the file")


def test_the_judge_sees_what_commands_may_not_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    root = collection("minimal", tmp_path)
    session = Session(root, 1)
    assert session.build()
    with pytest.raises(Wrong, match="exit 2"):
        session.run("list", "--nothing")
    with pytest.raises(Wrong, match=r"changed \['notes_src"):
        session.read("new", "--title", "x", "--kind", "tutorial", "--topic", "tea")
    monkeypatch.setattr(commands, "site_problems", lambda _: ["an id twice"])
    with pytest.raises(Wrong, match="an id twice"):
        session.build()
    monkeypatch.setattr("paper_notes.features.queries.listing.select", lambda *_: 1 / 0)
    with pytest.raises(Wrong, match="ZeroDivisionError"):
        session.run("list")


@pytest.mark.skipif(not hasattr(commands.signal, "setitimer"), reason="no such timer")
def test_the_judge_does_not_wait_for_ever() -> None:
    def never_ends() -> None:
        while True:
            pass

    with pytest.raises(commands.TooSlow), commands.within(0.01):
        never_ends()


@pytest.mark.parametrize(
    ("page", "problem"),
    [
        ('<p id="a">1</p><br><svg><g/></svg><ul id="b"><li>1<li>2</ul>', ""),
        ('<p id="a"></p><i id="a"></i>', "a.html: the id 'a' 2 times"),
        ('<a href="#x%20y">1</a>', "a.html: '#x%20y' leads to no id"),
        ('<a href="b.html">1</a>', "a.html: 'b.html' leads to no file"),
        ("<b><i></b></i>", "a.html: </b> in <b i> at (1, 6)"),
        ("<div>", "a.html: not closed: ['div']"),
        ('<i a="1" a="2"></i>', "a.html: <i> has a twice"),
        ("<div/>", "a.html: <div/>"),
    ],
)
def test_the_judge_sees_what_is_wrong_with_a_page(page: str, problem: str, tmp_path: Path) -> None:
    write(tmp_path, {"a.html": page})
    assert next(site_problems(tmp_path), "") == problem


def test_the_judge_finds_nothing_wrong_with_a_site_of_ours(tmp_path: Path) -> None:
    assert list(site_problems(built(collection("bilingual", tmp_path)))) == []


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
