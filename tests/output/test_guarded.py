"""Files of the user: whatever another program saves, at any moment, is never lost."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from paper_notes.artifacts import Artifact
from paper_notes.output import guarded
from paper_notes.output.guarded import put, take_back
from paper_notes.sources.tree import SourceChanged

OURS = Artifact.text("library.bib", "ours\n")
READ = b"as read\n"
BEFORE = sha256(READ).hexdigest()
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who has a file open for writing")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "library.bib"
    path.write_bytes(READ)
    return path


def alone(file: Path) -> bytes:
    """The bytes of a file, if its folder has no other file."""
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    return file.read_bytes()


def renamed_over(file: Path, data: bytes) -> None:
    other = file.with_name("saved.tmp")
    other.write_bytes(data)
    other.replace(file)


def removed_and_made(file: Path, data: bytes) -> None:
    file.unlink()
    file.write_bytes(data)


SAVES = {"rename": renamed_over, "in place": Path.write_bytes, "removed and made": removed_and_made}


def moments(monkeypatch: pytest.MonkeyPatch, *saves: Callable[[], object]) -> None:
    """Functions that are called, each once, just before two files are swapped, after they were checked."""
    left, real = list(saves), guarded.exchange

    def exchange(one: Path, other: Path) -> bool:
        if left:
            left.pop(0)()
        return real(one, other)

    monkeypatch.setattr(guarded, "exchange", exchange)


def test_what_was_read_is_replaced(file: Path) -> None:
    file.chmod(0o640)
    put(file.parent, OURS, BEFORE)
    assert alone(file) == OURS.data
    assert file.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("save", SAVES.values(), ids=SAVES)
def test_what_was_saved_before_is_left_alone(save: Callable[[Path, bytes], object], file: Path) -> None:
    save(file, b"newer\n")
    with pytest.raises(
        SourceChanged, match=r"^library\.bib was changed while it was being used; run the command again$"
    ):
        put(file.parent, OURS, BEFORE)
    assert alone(file) == b"newer\n"


@pytest.mark.parametrize("save", SAVES.values(), ids=SAVES)
def test_what_is_saved_after_the_last_look_is_put_back(
    save: Callable[[Path, bytes], object], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments(monkeypatch, lambda: save(file, b"newer\n"))
    with pytest.raises(SourceChanged):
        put(file.parent, OURS, BEFORE)
    assert alone(file) == b"newer\n"


@pytest.mark.parametrize("save", SAVES.values(), ids=SAVES)
@pytest.mark.parametrize("saves", [2, 3, 4])
def test_of_what_is_saved_while_it_is_put_back_the_newest_stays(
    saves: int, save: Callable[[Path, bytes], object], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments(monkeypatch, *(lambda number=number: save(file, b"newer %d\n" % number) for number in range(saves)))
    with pytest.raises(SourceChanged):
        put(file.parent, OURS, BEFORE)
    assert alone(file) == b"newer %d\n" % (saves - 1)


@pytest.mark.parametrize("removed", [0, 1])
def test_what_is_removed_meanwhile_stays_away_or_comes_back_as_it_was_saved(
    removed: int, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments(monkeypatch, *[lambda: renamed_over(file, b"newer\n")] * removed, file.unlink)
    with pytest.raises(SourceChanged):
        put(file.parent, OURS, BEFORE)
    assert [path.read_bytes() for path in file.parent.iterdir()] == [b"newer\n"] * removed


@linux_only
@pytest.mark.parametrize("how", ["r+b", "ab"])
def test_who_has_the_file_open_for_writing_writes_into_the_file_that_stays(how: str, file: Path) -> None:
    message = r"^library\.bib is open for writing in another program; close it there and run the command again$"
    with file.open(how) as editor:
        with pytest.raises(SourceChanged, match=message):
            put(file.parent, OURS, BEFORE)
        editor.write(b"and more\n")
    assert alone(file) == {"r+b": b"and more\n", "ab": READ + b"and more\n"}[how]


def test_who_has_truncated_the_file_writes_into_the_file_that_stays(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []
    moments(monkeypatch, lambda: opened.append(file.open("wb")))
    with pytest.raises(SourceChanged):
        put(file.parent, OURS, BEFORE)
    with opened[0] as editor:
        editor.write(b"newer\n")
    assert alone(file) == b"newer\n"


@linux_only
def test_who_opens_our_own_file_while_it_is_in_the_place_keeps_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []
    moments(monkeypatch, lambda: renamed_over(file, b"newer\n"), lambda: opened.append(file.open("wb")))
    with pytest.raises(SourceChanged):
        put(file.parent, OURS, BEFORE)
    with opened[0] as editor:
        editor.write(b"newest\n")
    assert alone(file) == b"newest\n"


def test_who_only_reads_the_file_is_no_obstacle(file: Path) -> None:
    with file.open("rb") as reader:
        put(file.parent, OURS, BEFORE)
        assert reader.read() == READ
    assert alone(file) == OURS.data


def test_a_look_that_fails_puts_everything_back(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, answers = guarded.is_written_to, [KeyboardInterrupt]

    def interrupted(descriptor: int) -> bool:
        if answers:
            raise answers.pop()
        return real(descriptor)

    monkeypatch.setattr(guarded, "is_written_to", interrupted)
    with pytest.raises(KeyboardInterrupt):
        put(file.parent, OURS, BEFORE)
    assert alone(file) == READ


@pytest.mark.parametrize("answer", [errno.ENOSYS, errno.EINVAL])
def test_where_no_files_change_places_the_file_is_looked_at_and_replaced(
    answer: int, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Library:
        def renameat2(self, *_: object) -> int:
            guarded.ctypes.set_errno(answer)
            return -1

    monkeypatch.setattr(guarded.ctypes, "CDLL", lambda *_, **__: Library())
    put(file.parent, OURS, BEFORE)
    assert alone(file) == OURS.data
    with pytest.raises(SourceChanged):
        put(file.parent, OURS, BEFORE)


@pytest.mark.parametrize("links", [True, False], ids=["hard links", "none"])
def test_a_new_file_is_never_written_over_another(links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    if not links:
        monkeypatch.setattr(guarded.os, "link", none)
    put(tmp_path, OURS, None)
    assert alone(tmp_path / OURS.path) == OURS.data
    (tmp_path / OURS.path).write_bytes(READ)
    with pytest.raises(
        SourceChanged, match=r"^library\.bib was made by somebody else meanwhile; run the command again$"
    ):
        put(tmp_path, OURS, None)
    assert alone(tmp_path / OURS.path) == READ


@pytest.mark.parametrize("before", [None, READ], ids=["new", "changed"])
def test_what_is_taken_back_is_ours_only(before: bytes | None, file: Path) -> None:
    file.write_bytes(OURS.data)
    take_back(file.parent, OURS, before)
    assert [path.read_bytes() for path in file.parent.iterdir()] == ([before] if before else [])
    file.write_bytes(b"newer\n")
    take_back(file.parent, OURS, before)
    assert alone(file) == b"newer\n"


@linux_only
def test_who_is_about_to_write_is_seen_in_other_processes_too(file: Path) -> None:
    code = "import sys; file = open(sys.argv[1], 'ab'); print(flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", code, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other, file.open("rb") as opened:
        assert other.stdout
        other.stdout.readline()
        assert guarded.is_written_to(opened.fileno())
        other.communicate()
        assert not guarded.is_written_to(opened.fileno())
    assert os.listdir(file.parent) == [file.name]


def test_a_file_where_a_folder_must_be_is_no_change_of_somebody(tmp_path: Path) -> None:
    (tmp_path / "pdfs").write_text("mine")
    with pytest.raises(OSError, match="pdfs"):
        put(tmp_path, Artifact.text("pdfs/a.pdf", "x"), None)
