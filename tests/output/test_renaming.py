"""Renaming and rewriting together: all or nothing, and what a kill left is finished."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path, PurePosixPath

import pytest
from running import files_of, write

from paper_notes.diagnostics import UserError
from paper_notes.output import disk, renaming
from paper_notes.output.renaming import Renaming, Rewrite, carry_out, finish
from paper_notes.sources.tree import SourceChanged

BEFORE = {"rl/01_A/en.md": "a1", "rl/01_A/a.svg": "svg", "rl/01_A/.mine": "hidden", "ml/01_B/en.md": "b1"}
AFTER = {"ml/07_A/en.md": "a2", "ml/07_A/a.svg": "svg", "ml/07_A/.mine": "hidden", "ml/01_B/en.md": "b2"}


def rewrite(path: str, before: str, data: str) -> Rewrite:
    return Rewrite(PurePosixPath(path), sha256(before.encode()).hexdigest(), data.encode())


MOVE = Renaming(
    "move rl/1 ml/7",
    ((PurePosixPath("rl/01_A"), PurePosixPath("ml/07_A")),),
    (rewrite("ml/07_A/en.md", "a1", "a2"), rewrite("ml/01_B/en.md", "b1", "b2")),
)


class Killed(BaseException):
    """Ends the process as it were: nothing is undone."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "c", BEFORE)


def texts(root: Path) -> dict[str, str]:
    return {name: data.decode() for name, data in files_of(root).items()}


def before_write(monkeypatch: pytest.MonkeyPatch, number: int, do: Callable[[], object]) -> None:
    """Call a function before one of the writes, counted from 0."""
    real, count = disk.put, iter(range(9))

    def put(*arguments: object) -> None:
        if next(count) == number:
            do()
        real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(disk, "put", put)


def killed() -> None:
    raise Killed


def interrupted() -> None:
    raise KeyboardInterrupt


def test_everything_of_the_folder_comes_along(root: Path) -> None:
    carry_out(root, MOVE)
    assert texts(root) == AFTER
    assert not (root / "rl/01_A").exists()
    assert finish(root) is None


@pytest.mark.parametrize("number", [0, 1])
def test_ctrl_c_undoes_it(root: Path, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    before_write(monkeypatch, number, interrupted)
    with pytest.raises(KeyboardInterrupt):
        carry_out(root, MOVE)
    assert texts(root) == BEFORE
    assert finish(root) is None


@pytest.mark.parametrize("name", ["ml/07_A/en.md", "ml/01_B/en.md"])
def test_what_is_saved_meanwhile_stays_and_stops_it(root: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before_write(monkeypatch, 0, lambda: (root / name).write_text("newer"))
    with pytest.raises(SourceChanged, match=name):
        carry_out(root, MOVE)
    assert texts(root) == {**BEFORE, name.replace("ml/07_A", "rl/01_A"): "newer"}


@pytest.mark.parametrize("number", [0, 1])
def test_after_a_kill_the_rest_is_done(root: Path, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    before_write(monkeypatch, number, killed)
    monkeypatch.setattr(disk, "take_back", lambda *_: None)
    monkeypatch.setattr(renaming, "_undo", lambda *_: None)
    with pytest.raises(Killed):
        carry_out(root, MOVE)
    assert (root / "ml/07_A/a.svg").exists(), "the folder was renamed"
    monkeypatch.undo()
    assert finish(root) == MOVE
    assert texts(root) == AFTER
    assert finish(root) is None


def test_what_was_changed_or_undone_by_hand_after_a_kill_is_left_alone(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before_write(monkeypatch, 0, killed)
    monkeypatch.setattr(renaming, "_undo", lambda *_: None)
    with pytest.raises(Killed):
        carry_out(root, MOVE)
    monkeypatch.undo()
    (root / "ml/07_A").rename(root / "rl/01_A")
    assert finish(root) is None
    assert texts(root) == BEFORE


def test_nothing_is_written_over(root: Path) -> None:
    write(root, {"ml/07_A/mine.txt": "mine"})
    with pytest.raises(UserError, match="is there already"):
        carry_out(root, MOVE)
    assert texts(root) == {**BEFORE, "ml/07_A/mine.txt": "mine"}


def test_read_only_files_and_links_that_lead_elsewhere_stop_it(root: Path, tmp_path: Path) -> None:
    (root / "ml/01_B/en.md").chmod(0o444)
    with pytest.raises(UserError, match=r"ml/01_B/en\.md is read-only"):
        carry_out(root, MOVE)
    (root / "ml/01_B/en.md").chmod(0o644)
    (root / "ml").rename(tmp_path / "ml")
    (root / "ml").symlink_to(tmp_path / "ml")
    with pytest.raises(UserError, match="behind a symbolic link"):
        carry_out(root, MOVE)
    assert (root / "rl/01_A/en.md").read_text() == "a1"


@pytest.mark.parametrize(
    ("link", "target", "is_kept"),
    [
        ("rl/01_A/b.svg", "a.svg", True),
        ("rl/01_A/b.svg", "../../ml/01_B/en.md", True),
        ("rl/01_A/b.svg", "../02_C/c.svg", False),
        ("ml/01_B/a.svg", "../../rl/01_A/a.svg", False),
        ("ml/01_B/b.svg", "en.md", True),
    ],
)
def test_links_lead_where_they_led(root: Path, link: str, target: str, is_kept: bool) -> None:
    write(root, {"notes/rl/02_C/c.svg": "c", **{f"notes/{name}": text for name, text in BEFORE.items()}})
    (root / "notes" / link).symlink_to(target)
    move = Renaming("", ((PurePosixPath("notes/rl/01_A"), PurePosixPath("notes/ml/07_A")),), ())
    if is_kept:
        before = (root / "notes" / link).read_text()
        carry_out(root, move)
        assert (root / "notes" / link.replace("rl/01_A", "ml/07_A")).read_text() == before
    else:
        with pytest.raises(UserError, match=f"the link notes/{link} would lead nowhere"):
            carry_out(root, move)
