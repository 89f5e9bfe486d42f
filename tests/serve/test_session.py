"""The loop of `serve` with fake builds: when it builds, what it writes, and what it never overwrites."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

import pytest
from running import write

from paper_notes.artifacts import Artifact
from paper_notes.build import Build
from paper_notes.diagnostics import Diagnostic, Location, UserError
from paper_notes.output.disk import MANIFEST, apply, compare
from paper_notes.serve.live_reload import Board
from paper_notes.serve.session import Session, _saved
from paper_notes.sources.tree import Source, SourceChanged

QUIET: frozenset[PurePosixPath] = frozenset()
EDIT = frozenset({PurePosixPath("notes_src/a.md")})


def builder(root: Path, *, on_the_way: Callable[[], None] = lambda: None) -> Callable[[], Build]:
    """Makes a page of `notes_src/a.md`, and keeps its text at the end of the README."""

    def build() -> Build:
        text = (root / "notes_src/a.md").read_text()
        source = Source(PurePosixPath("README.md"), (root / "README.md").read_bytes())
        readme = source.text.partition("\n--\n")[0]
        on_the_way()
        wanted = (Artifact.text("site/index.html", text), Artifact.text("README.md", f"{readme}\n--\n{text}"))
        plan = compare(root, wanted, MANIFEST, read=[source])
        apply(root, plan)
        return Build(plan, (), readmes=(source,))

    return build


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path, {"notes_src/a.md": "one", "README.md": "Hello"})


def names(plan: object) -> list[str]:
    return [str(artifact.path) for part in ("create", "update") for artifact in getattr(plan, part)]


def test_it_builds_at_once_and_then_when_something_changes(root: Path) -> None:
    board = Board()
    turns: list[list[str]] = []

    def changes() -> Iterator[frozenset[PurePosixPath]]:
        yield QUIET
        yield QUIET
        (root / "notes_src/a.md").write_text("two")
        yield EDIT
        yield QUIET

    for rebuilt in Session(root, builder(root), board).run(changes()):
        turns.append(names(rebuilt.plan))
        assert board.state.number == len(turns)
        assert rebuilt.seconds > 0
    assert turns == [["site/index.html", "README.md"], ["README.md", "site/index.html"]]
    assert (root / "site/index.html").read_text() == "two"
    assert (root / "README.md").read_text() == "Hello\n--\ntwo"


def test_a_readme_that_somebody_else_writes_is_a_change(root: Path) -> None:
    def changes() -> Iterator[frozenset[PurePosixPath]]:
        yield QUIET
        (root / "README.md").write_text("Good morning")
        yield QUIET
        yield QUIET

    turns = list(Session(root, builder(root), Board()).run(changes()))
    assert len(turns) == 2
    assert (root / "README.md").read_text() == "Good morning\n--\none"


def test_a_site_that_somebody_removes_is_made_again(root: Path) -> None:
    def changes() -> Iterator[frozenset[PurePosixPath]]:
        yield QUIET
        for path in sorted((root / "site").iterdir()):
            path.unlink()
        yield QUIET
        yield QUIET

    assert len(list(Session(root, builder(root), Board()).run(changes()))) == 2
    assert (root / "site/index.html").read_text() == "one"


def test_what_is_written_into_a_readme_during_a_build_is_not_lost(root: Path) -> None:
    saved = iter(["Saved during the first build", "Saved during the second one, which is a bit longer"])

    def save() -> None:
        for text in saved:
            (root / "README.md").write_text(text)
            break

    turns = list(Session(root, builder(root, on_the_way=save), Board()).run([QUIET, QUIET, QUIET]))
    assert len(turns) == 1
    assert (root / "README.md").read_text() == "Saved during the second one, which is a bit longer\n--\none"


def test_a_readme_changed_during_a_build_with_errors_is_read_again(root: Path) -> None:
    wrong = Diagnostic(Location(PurePosixPath("README.md")), "readme-markers", "no markers")
    texts = iter(["better"])

    def build() -> Build:
        for text in texts:
            (root / "README.md").write_text(text)
        return Build(None, (wrong,))

    turns = list(Session(root, build, Board()).run([QUIET, QUIET, QUIET]))
    assert [turn.diagnostics for turn in turns] == [(wrong,), (wrong,)]


def test_a_readme_that_is_missing_is_waited_for(root: Path) -> None:
    def build() -> Build:
        if not (root / "docs/README.md").exists():
            return Build(None, (Diagnostic(Location(PurePosixPath("docs/README.md")), "readme-markers", "none"),))
        return builder(root)()

    def changes() -> Iterator[frozenset[PurePosixPath]]:
        yield QUIET
        yield QUIET
        write(root, {"docs/README.md": ""})
        yield QUIET

    assert [turn.plan is None for turn in Session(root, build, Board()).run(changes())] == [True, False]


def test_a_source_that_changes_while_it_is_read_is_read_again(root: Path) -> None:
    attempts = iter([SourceChanged("a.pdf was changed"), SourceChanged("a.pdf was changed")])

    def build() -> Build:
        for problem in attempts:
            raise problem
        return builder(root)()

    (turn,) = Session(root, build, Board()).run([QUIET, QUIET])
    assert turn.problem == ""
    assert (root / "site/index.html").exists()


def test_a_source_that_never_rests_is_told_of(root: Path) -> None:
    def build() -> Build:
        raise SourceChanged("a.pdf was changed")

    board = Board()
    (turn,) = Session(root, build, board).run([QUIET])
    assert turn.problem == "files change faster than they can be read; the next change makes it try again"
    assert board.state.problem == turn.problem


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (UserError("cannot write site/index.html: No space left"), "cannot write site/index.html: No space left"),
        (UserError("1 file is in the way", "move it away"), "1 file is in the way; move it away"),
        (PermissionError(13, "Permission denied", "notes_src"), "[Errno 13] Permission denied: 'notes_src'"),
        (UserError("a process of this run was stopped"), "a process of this run was stopped"),
        (KeyError("x"), "this is a bug of ours, not yours: KeyError: 'x'"),
    ],
)
def test_what_a_build_raises_is_told_and_the_next_may_mend_it(root: Path, error: Exception, words: str) -> None:
    errors = iter([error])

    def build() -> Build:
        for problem in errors:
            raise problem
        return builder(root)()

    board = Board()
    first, second = Session(root, build, board).run([QUIET, EDIT])
    assert (first.problem, first.plan) == (words, None)
    assert second.problem == ""
    assert second.plan
    assert (board.state.number, board.state.problem) == (2, "")


def test_a_build_that_fails_half_way_is_not_begun_again_and_again(root: Path) -> None:
    def build() -> Build:
        write(root, {"site/.manifest": "site/index.html\n", "README.md": "half done"})
        raise UserError("cannot write site/index.html: No space left")

    assert len(list(Session(root, build, Board()).run([QUIET, QUIET, QUIET]))) == 1


def test_who_looks_for_a_bug_of_ours_gets_it_whole(root: Path) -> None:
    def build() -> Build:
        raise KeyError("x")

    with pytest.raises(KeyError):
        list(Session(root, build, Board(), debug=True).run([QUIET]))


@pytest.mark.parametrize(
    ("changed", "names"),
    [
        (["notes_src/tea/01_A/zh.md", "notes_src/tea/01_A/a.svg"], ("tea/01_A",)),
        (["notes_src/tea/02_B.md", "notes_src/library.bib", "README.md"], ("README.md", "library.bib", "tea/02_B")),
        (["notes_src/tea/topic.yaml", "templates/note.html"], ("tea/topic.yaml", "templates/note.html")),
    ],
)
def test_what_was_saved_is_named_as_users_name_it(changed: list[str], names: tuple[str, ...]) -> None:
    assert _saved(frozenset(map(PurePosixPath, changed))) == names
