"""A stranger's repository is cloned, built, checked and listed: no file of the reader's is touched."""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
from pathlib import Path

import pytest
from running import files_of, paper_notes, write

from paper_notes.output.lock import locked
from paper_notes.output.staging import Stage, remove_stale, remove_temporary

SECRET = "what the reader keeps beside the clone"
COLLECTION = {
    "notes_src/site.yaml": "title: {zh: 站, en: Site}\ntopics: [one]\n",
    "notes_src/one/topic.yaml": "title: {zh: 一, en: One}\n",
    "notes_src/one/01_A/note.yaml": "title: {zh: 甲, en: A}\n",
    "notes_src/one/01_A/zh.md": "文\n",
    "notes_src/one/01_A/en.md": "Text\n",
}
COMMANDS = (("build", "--check"), ("check",), ("list",), ("build",))
JOURNAL = bytes.fromhex("d9d505f920a163d7")
"""How a rollback journal of SQLite begins, and how one ends that names a super-journal."""
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT * FROM n, n, n"
RECURSIVE = f"CREATE VIEW kept(key, value, sum) AS {ENDLESS}"
GROWING = "CREATE TRIGGER t AFTER INSERT ON kept BEGIN INSERT INTO kept SELECT * FROM kept; END"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    write(tmp_path / "outside", {"secret.txt": SECRET, "waiting-1/work.txt": SECRET})
    return write(tmp_path / "clone", COLLECTION)


def database(file: Path, *statements: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(file)
    for statement in ("CREATE TABLE kept (key BLOB PRIMARY KEY, value BLOB, sum INTEGER)", *statements):
        connection.execute(statement)
    connection.execute("PRAGMA user_version = 2")
    connection.commit()
    connection.close()
    return file


def journal_that_deletes(target: Path, file: Path) -> bytes:
    """A journal that SQLite rolls back as it opens the database, and then deletes the "super-journal" of."""
    name = str(target).encode()
    page = 2**30 // 4096 + 1  # the page that no database uses
    head = JOURNAL + struct.pack(">IIIII", 0, 0, file.stat().st_size // 4096, 512, 4096)
    return head.ljust(512, b"\0") + struct.pack(">I", page) + name + struct.pack(">II", len(name), sum(name)) + JOURNAL


def look_around(clone: Path) -> None:
    """Run all commands of a reader, and check that other files are unchanged."""
    before, outside = files_of(clone), files_of(clone.parent / "outside")
    for command in COMMANDS:
        assert paper_notes(*command, "--root", clone).exit_code == (1 if command == ("build", "--check") else 0)
    assert files_of(clone.parent / "outside") == outside
    after = files_of(clone)
    assert {name: after.get(name) for name in before} == before
    assert {name.split("/")[0] for name in after.keys() - before.keys()} == {"site"}


def test_a_cache_that_the_repository_brings_is_not_opened(clone: Path) -> None:
    target = clone.parent / "outside/secret.txt"
    file = database(clone / ".paper-notes/cache.sqlite")
    journal = file.with_name("cache.sqlite-journal")
    journal.write_bytes(journal_that_deletes(target, file))
    look_around(clone)
    assert journal.exists()
    assert target.read_text("utf-8") == SECRET
    connection = sqlite3.connect(file)
    connection.execute("SELECT count(*) FROM kept")
    connection.close()
    assert not target.exists(), "whoever opens that file loses the target: this is a real attack"


@pytest.mark.parametrize("schema", [("DROP TABLE kept", RECURSIVE), (GROWING,)])
def test_a_database_with_a_program_in_it_is_not_run(schema: tuple[str, ...], clone: Path) -> None:
    database(clone / ".paper-notes/cache.sqlite", *schema)
    look_around(clone)


@pytest.mark.parametrize("target", ["../outside", "../outside/waiting-1", "notes_src", "../not-there", ".git"])
@pytest.mark.parametrize("name", ["", "cache.sqlite", "build.lock", ".gitignore", "waiting-1"])
def test_links_in_the_place_of_old_caches_are_not_followed(name: str, target: str, clone: Path) -> None:
    place = clone / ".paper-notes" / name
    place.parent.mkdir(exist_ok=True)
    place.symlink_to("../" * bool(name) + target)
    outside = files_of(clone.parent / "outside")
    with locked(clone):
        remove_stale(clone)
        remove_temporary(clone)
        assert Stage(clone).write(b"bytes")
    assert files_of(clone.parent / "outside") == outside
    assert {path.name for path in clone.iterdir()} == {".paper-notes", "notes_src"}
    assert {path.name for path in clone.parent.iterdir()} == {"clone", "outside"}


def test_a_page_that_somebody_changed_in_the_repository_is_found(clone: Path) -> None:
    assert paper_notes("build", "--root", clone).exit_code == 0
    other = clone.parent / "other"
    shutil.copytree(clone, other)
    page = other / "site/one/notes/01_A.html"
    times = page.stat()
    page.write_text(page.read_text("utf-8").replace("<main", "<script>alert(1)</script><main"), "utf-8")
    os.utime(page, ns=(times.st_atime_ns, times.st_mtime_ns))
    checked = paper_notes("build", "--check", "--root", other)
    assert checked.exit_code == 1
    assert "would update site/one/notes/01_A.html" in checked.stderr
