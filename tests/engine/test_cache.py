"""The cache: what it stores, and that it recovers from any damage."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

import pytest
from running import PROJECT, paper_notes, some, write

from paper_notes.engine import cache
from paper_notes.engine import program as this_program
from paper_notes.engine.cache import Cache, open_cache
from paper_notes.engine.file_stats import stats_below
from paper_notes.engine.user_cache import CACHE_FILE, DAYS_UNUSED, VARIABLE, cache_folder

WRITER = """
import sys
from pathlib import Path
from paper_notes.engine.cache import open_cache
root, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
found = open_cache(root)
for number in range(count):
    found.put(f"{name}{number}", b"x" * 2_000)
    if number == 50:
        found.write()
        print("ready", flush=True)
found.close()
"""


def writer(root: Path, name: str, count: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", WRITER, str(root), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def remembered(root: Path) -> bool:
    """True if a new cache of the collection returns a value after it was closed and opened again."""
    one = open_cache(root)
    one.put("key", b"value")
    one.close()
    other = open_cache(root)
    try:
        return other.get("key") == b"value"
    finally:
        other.close()


def test_what_is_only_in_memory_needs_no_file_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "program_state", lambda: pytest.fail("it looks at the program"))
    monkeypatch.setattr(cache, "program_fingerprint", lambda: pytest.fail("it reads the program"))
    memory = Cache()
    assert [memory.memo("name", 1, int, lambda: 2), memory.get("name")] == [2, None]


def test_values_are_remembered_from_run_to_run(tmp_path: Path) -> None:
    assert remembered(tmp_path)
    found = open_cache(tmp_path)
    found.put(b"\x00bytes", b"")
    found.put("key", b"later")
    assert found.get(b"\x00bytes") == b""
    assert found.get("key") == b"later"
    assert found.get("other") is None
    found.close()


def test_nothing_that_another_program_kept_is_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for program in (b"one", b"two", b"one"):
        monkeypatch.setattr(cache, "program_fingerprint", lambda program=program: program)
        monkeypatch.setattr(cache, "program_state", lambda program=program: (program, False))
        found = open_cache(tmp_path)
        known = found.get("key")
        assert known in (None, program)
        table = found.table("s")
        assert table.get("name", b"key", bytes) == known
        found.put("key", program)
        found.put("turn", program, of_any_program=True)
        table.put("name", b"key", program)
        table.save()
        found.close()
    assert known == b"one"
    assert found.get("turn", of_any_program=True) == b"one"
    found.close()


def test_the_fingerprint_is_that_of_the_program_text_and_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of equal times and sizes but other contents give another fingerprint."""
    copy = shutil.copytree(PROJECT / "paper_notes", tmp_path / "paper_notes", ignore=shutil.ignore_patterns("*.pyc"))
    monkeypatch.setattr(this_program, "__file__", str(copy / "engine/program.py"))
    found = {fingerprint := this_program.program_fingerprint.__wrapped__()}
    assert fingerprint == this_program.program_fingerprint(), "wherever it is installed"
    for file in ("corpus/bibliography/from_bibtex.py", "rules/bibtex.yaml"):
        for line in ("# edited\n", "# Edited\n"):
            (copy / file).write_text((PROJECT / "paper_notes" / file).read_text("utf-8") + line, "utf-8")
            os.utime(copy / file, (0, 0))
            found.add(this_program.program_fingerprint.__wrapped__())
    assert len(found) == 5


def test_the_program_is_read_anew_only_if_one_of_its_files_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = tmp_path / "program.py"
    code.write_text("1")
    read = list[bytes]()

    def fingerprint() -> bytes:
        read.append(code.read_bytes())
        return read[-1]

    monkeypatch.setattr(cache, "program_fingerprint", fingerprint)
    monkeypatch.setattr(cache, "program_state", this_program.program_state)
    monkeypatch.setattr(this_program, "program_stats", lambda: stats_below(tmp_path, ["program.py"]))

    def kept(value: bytes) -> bytes | None:
        with closing(Cache(tmp_path / "file")) as found:
            before = found.get("key")
            found.put("key", value)
            return before

    with monkeypatch.context() as patch:
        patch.setattr(this_program, "any_fresh", lambda _: True)
        assert [kept(b"a"), kept(b"b")] == [None, b"a"]
        assert read == [b"1"] * 2, "a file that was written just now may change again without new times"
    time.sleep(0.03)
    assert [kept(b"c"), kept(b"d"), kept(b"e")] == [b"b", b"c", b"d"]
    assert len(read) == 3
    times = code.stat().st_atime_ns, code.stat().st_mtime_ns
    code.write_text("2")
    os.utime(code, ns=times)
    time.sleep(0.03)
    assert kept(b"f") is None, "it has the same size and time, but its ctime tells"
    assert read[3:] == [b"2"]


def test_a_cache_that_nobody_fills_leaves_no_trace(tmp_path: Path) -> None:
    assert open_cache(tmp_path).get("key") is None
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_kept_in_the_collection(tmp_path: Path) -> None:
    assert remembered(tmp_path)
    assert list(tmp_path.iterdir()) == []
    folder = cache_folder(tmp_path)
    assert folder.parent == Path(os.environ[VARIABLE])
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "collection").read_text("utf-8") == f"{tmp_path.resolve()}\n"


def test_a_collection_is_known_by_its_real_path(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert cache_folder(tmp_path / "a") == cache_folder(tmp_path / "b") != cache_folder(tmp_path)


@pytest.mark.parametrize("base", ["inside", "inside/.cache", "relative"])
def test_a_cache_that_would_be_in_the_collection_is_not_used(
    base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, "caches" if base == "relative" else str(tmp_path / base))
    assert not remembered(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("whose", ["anybody's", "a link", "another user's"])
def test_a_folder_that_others_may_have_made_is_not_used(whose: str, tmp_path: Path) -> None:
    assert remembered(tmp_path)
    folder = cache_folder(tmp_path)
    if whose == "anybody's":
        folder.chmod(0o777)
    elif whose == "a link":
        folder.rename(folder.with_name("elsewhere"))
        folder.symlink_to("elsewhere")
    elif os.geteuid() == 0:
        os.chown(folder, 65534, 65534)
    else:
        pytest.skip("only root can give a folder away")
    assert not remembered(tmp_path)


def test_the_cache_of_a_collection_that_was_not_built_for_long_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "caches"))
    old, young, foreign = (cache_folder(tmp_path / name) for name in ("old", "young", "foreign"))
    for name in ("old", "young"):
        (tmp_path / name).mkdir()
        assert remembered(tmp_path / name)
    foreign.mkdir()
    (foreign / "mine.txt").write_text("not a cache", "utf-8")
    long_ago = time.time() - (DAYS_UNUSED + 1) * 24 * 3600
    for folder in (old, foreign):
        for path in (*folder.iterdir(), folder):
            os.utime(path, (long_ago, long_ago))
    for name in ("soon", "later"):
        (tmp_path / name).mkdir()
    assert remembered(tmp_path / "soon")
    assert old.exists()  # it looks once a day
    os.utime(tmp_path / "caches" / ".looked", (long_ago, long_ago))
    assert remembered(tmp_path / "later")
    assert not old.exists()
    assert young.exists()
    assert foreign.exists()


def test_a_cache_of_nothing_remembers_nothing() -> None:
    nothing = Cache()
    nothing.put("key", b"value")
    assert nothing.get("key") is None


@pytest.mark.parametrize("damage", ["garbage", "cut", "middle", "empty", "folder", "old"])
def test_a_broken_file_is_replaced_or_not_used(tmp_path: Path, damage: str) -> None:
    found = open_cache(tmp_path)
    for number in range(200):
        found.put(f"{number}", b"x" * 1_000)
    found.close()
    file = cache_folder(tmp_path) / CACHE_FILE
    data = file.read_bytes()
    if damage == "garbage":
        file.write_bytes(b"not a database at all" * 1_000)
    elif damage == "cut":
        file.write_bytes(data[: len(data) // 2])
    elif damage == "middle":
        file.write_bytes(data[:4_096] + b"\xff" * (len(data) - 4_096))
    elif damage == "empty":
        file.write_bytes(b"")
    elif damage == "old":
        with sqlite3.connect(file) as connection:
            connection.execute("PRAGMA user_version = 99")
        connection.close()
    else:
        file.unlink()
        file.mkdir()
    broken = open_cache(tmp_path)
    for number in range(200):
        assert broken.get(f"{number}") in (None, b"x" * 1_000)
    broken.put("key", b"value")
    broken.close()
    assert remembered(tmp_path) == (damage != "folder")


def test_bytes_that_were_damaged_anywhere_are_no_obstacle(tmp_path: Path) -> None:
    """SQLite quotes the damaged file in its messages, which need not be text."""
    found = open_cache(tmp_path)
    for number in range(60):
        found.put(f"{number}", b"x" * 1_000)
    found.close()
    file = cache_folder(tmp_path) / CACHE_FILE
    good = file.read_bytes()
    for seed in some(range(60), 4):
        dice, data = random.Random(seed), bytearray(good)
        for _ in range(dice.choice((1, 20, 400))):
            data[dice.randrange(dice.choice((500, 5_000, len(data))))] = dice.randrange(256)
        file.write_bytes(data)
        broken = open_cache(tmp_path)
        assert {broken.get(f"{number}") for number in range(60)} <= {None, b"x" * 1_000}
        broken.close()
        assert remembered(tmp_path) or remembered(tmp_path), "the next run but one has a good file"


def test_a_folder_that_cannot_be_made_is_no_obstacle(tmp_path: Path) -> None:
    cache_folder(tmp_path).write_text("a file where the folder should be", "utf-8")
    assert not remembered(tmp_path)


@pytest.mark.parametrize("mode", [0o555, 0o000])
def test_a_folder_that_its_owner_may_not_use_is_no_obstacle(mode: int, monkeypatch: pytest.MonkeyPatch) -> None:
    base = Path(tempfile.mkdtemp())  # not below `tmp_path`, which only its owner may enter
    base.chmod(0o777)
    monkeypatch.setenv(VARIABLE, str(base / "caches"))
    root = base / "collection"
    user = os.geteuid()
    try:
        if user == 0:  # root reads and writes everywhere
            os.seteuid(65534)
        write(root, {"notes_src/site.yaml": "title: A\ntopics: []\n"})
        assert remembered(root)
        cache_folder(root).chmod(mode)
        assert not remembered(root)
        built = paper_notes("build", "--root", root)
        assert built.exit_code in (0, 1), built.stderr
    finally:
        cache_folder(root).chmod(0o700)
        os.seteuid(user)
        shutil.rmtree(base)


def test_a_full_disk_is_no_obstacle(tmp_path: Path) -> None:
    found = open_cache(tmp_path)
    found.put("small", b"x")
    found.write()
    assert found._connection
    found._connection.execute("PRAGMA max_page_count = 8")
    found.put("large", b"x" * 1_000_000)
    found.write()
    found.put("after", b"x")
    assert found.get("large") is None
    assert open_cache(tmp_path).get("small") == b"x", "what is no fault of the file does not cost the file"


def test_a_busy_file_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_BUSY_SECONDS", 0.05)
    assert remembered(tmp_path)
    holder = sqlite3.connect(cache_folder(tmp_path) / CACHE_FILE, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    found = open_cache(tmp_path)
    assert found.get("key") == b"value"
    found.put("other", b"value")
    found.write()
    assert found.get("other") is None
    holder.execute("ROLLBACK")
    holder.close()
    assert remembered(tmp_path)


@pytest.mark.nightly
def test_two_processes_may_use_it_at_once(tmp_path: Path) -> None:
    count = 300
    writers = [writer(tmp_path, name, count) for name in "ab"]
    for process in writers:
        process.communicate(timeout=300)
        assert process.returncode == 0
    found = open_cache(tmp_path)
    assert all(found.get(f"{name}{number}") == b"x" * 2_000 for name in "ab" for number in range(count))
    found.close()


def test_a_process_that_is_killed_leaves_a_good_file(tmp_path: Path) -> None:
    process = writer(tmp_path, "a", 1_000_000)
    assert process.stdout
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=300)
    found = open_cache(tmp_path)
    assert found.get("a0") == b"x" * 2_000
    found.close()
    assert remembered(tmp_path)


def test_a_file_that_grew_too_large_is_begun_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = open_cache(tmp_path)
    found.put("old", b"x" * 100_000)
    found.close()
    monkeypatch.setattr(cache, "MAX_BYTES", 50_000)
    assert open_cache(tmp_path).get("old") is None
    assert remembered(tmp_path)


def test_what_a_run_put_that_did_not_come_to_its_end_is_not_there_for_the_next_one(tmp_path: Path) -> None:
    kept = open_cache(tmp_path)
    first = kept.table("s")
    first.put("name", b"old key", "old")
    first.save()
    stopped = kept.table("s")
    assert stopped.get("name", b"old key", str) == "old"
    stopped.put("name", b"new key", "new")
    again = kept.table("s")
    assert again.get("name", b"old key", str) == "old"
    assert again.get("name", b"new key", str) is None
    kept.close()


class TestMemo:
    """A value is computed once for equal inputs, and again for others."""

    @staticmethod
    def made(cache: Cache, inputs: object, value: str) -> str:
        return cache.memo("name", inputs, str, lambda: value)

    def test_equal_inputs_give_what_was_made(self, tmp_path: Path) -> None:
        with closing(Cache(tmp_path / "file")) as first:
            assert self.made(first, ("a", 1), "one") == "one"
            assert self.made(first, ("a", 2), "two") == "two"
        with closing(Cache(tmp_path / "file")) as again:
            assert self.made(again, ("a", 1), "new") == "one"

    def test_the_program_is_an_input_of_everything(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        with closing(Cache(tmp_path / "file")) as first, first.table("t") as table:
            self.made(first, "a", "one")
            table.memo("n", "a", str, lambda: "one")
        monkeypatch.setattr(cache, "program_fingerprint", lambda: b"edited")
        monkeypatch.setattr(cache, "program_state", lambda: (b"edited", False))
        with closing(Cache(tmp_path / "file")) as again, again.table("t") as table:
            assert self.made(again, "a", "new") == "new"
            assert table.memo("n", "a", str, lambda: "new") == "new"

    def test_a_table_makes_what_is_missing_at_once_and_keeps_what_was_asked_for(self, tmp_path: Path) -> None:
        wanted = []

        def make(names: Sequence[str]) -> list[str]:
            wanted.append(list(names))
            return [name.upper() for name in names]

        kept = Cache(tmp_path / "file")
        with kept.table("t") as table:
            assert table.memo_all({"a": 1, "b": 2}, str, make) == {"a": "A", "b": "B"}
        with kept.table("t") as table:
            assert table.memo_all({"b": 2, "c": 3, "d": 4}, str, make) == {"b": "B", "c": "C", "d": "D"}
        with kept.table("t") as table:
            table.memo_all({"a": 1, "b": 5, "c": 3}, str, make, valid=lambda name, _: name != "c")
        assert wanted == [["a", "b"], ["c", "d"], ["a", "b", "c"]], "a was dropped, b has other inputs, c is not valid"

    def test_a_table_whose_run_fails_is_as_before(self, tmp_path: Path) -> None:
        kept = Cache(tmp_path / "file")
        with kept.table("t") as table:
            table.memo("a", 1, str, lambda: "one")
        with suppress(ZeroDivisionError), kept.table("t") as table:
            table.memo("a", 2, str, lambda: "two")
            table.memo("b", 1, str, lambda: str(1 // 0))
        with kept.table("t") as table:
            assert table.memo("a", 1, str, lambda: "new") == "one"
