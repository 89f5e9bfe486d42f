"""Reading a collection: what becomes text, what is refused, and where it is wrong."""

from __future__ import annotations

import errno
import hashlib
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from typing import Any

import pytest
from building import said, source

from paper_notes.diagnostics import UserError
from paper_notes.engine import file_stats
from paper_notes.engine.cache import open_cache
from paper_notes.engine.file_stats import is_fresh
from paper_notes.sources import tree
from paper_notes.sources.tree import (
    OnDisk,
    Source,
    SourceChanged,
    read_input_file,
    read_readmes,
    read_tree,
    text_position,
)

README = PurePosixPath("README.md")


def collection(root: Path, files: dict[str, bytes | str]) -> Path:
    for name, data in files.items():
        path = root / "notes_src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    return root


def paths(sources: tuple[Source, ...]) -> list[str]:
    return [str(source.path.relative_to("notes_src")) for source in sources]


def only(root: Path, name: str, data: bytes | str) -> str:
    """The diagnostics of a collection of one file."""
    sources, problems = read_tree(collection(root, {name: data}))
    assert (sources == ()) == bool(problems)
    return said(problems).replace("notes_src/", "")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a\nb\n", "a\nb\n"),
        (b"a\r\nb\rc", "a\nb\nc"),
        (b"\xef\xbb\xbf\xe4\xb8\xad", "中"),
        (b"", ""),
        (b"\xef\xbb\xbf", ""),
        ("🔵\u2028\t\u3000".encode(), "🔵\u2028\t\u3000"),
    ],
)
def test_text_is_utf8_without_byte_order_mark_and_with_plain_line_ends(data: bytes, text: str) -> None:
    assert source("notes_src/a.md", data).text == text


def test_the_bytes_are_hashed_as_they_are() -> None:
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert source("a.md", b"").sha256 == empty
    assert source("a.md", b"a\r\n").sha256 != source("a.md", b"a\n").sha256


@pytest.mark.parametrize(
    ("data", "place", "byte", "more"),
    [
        (b"\xff", "1:1", "FF", ""),
        (b"ab\nc\xc3(", "2:2", "C3", ""),
        ("中文\r\n中文".encode() + b"\x80", "2:3", "80", ""),
        (b"a\rb\r\rcd\xfe", "4:3", "FE", ""),
        (b"\xef\xbb\xbfab\xff", "1:3", "FF", ""),
        (b"a\xe4\xb8", "1:2", "E4", ""),
        (b"a\xed\xa0\x80", "1:2", "ED", " (it looks like CESU-8, with surrogates)"),
        (b"a\xc0\xaf", "1:2", "C0", ""),
        ("中文".encode("gbk"), "1:1", "D6", " (it looks like GBK)"),
        ("中\n".encode("utf-16"), "1:1", "FF", " (it looks like UTF-16)"),
        ("中\n".encode("utf-16-be").join([b"\xfe\xff", b""]), "1:1", "FE", " (it looks like UTF-16)"),
    ],
)
def test_what_is_not_utf8_is_told_of_with_its_place(
    tmp_path: Path, data: bytes, place: str, byte: str, more: str
) -> None:
    message = (
        f"a.md:{place}: error[invalid-utf8]: byte 0x{byte} is not valid UTF-8\n  hint: save the file as UTF-8{more}\n"
    )
    assert only(tmp_path, "a.md", data) == message


@pytest.mark.parametrize("code", [0x01, 0x08, 0x0B, 0x0C, 0x1B, 0x7F, 0x80, 0x9F, 0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF])
def test_control_characters_and_noncharacters_cannot_stand_in_text(tmp_path: Path, code: int) -> None:
    message = f"a.yaml:2:3: error[control-character]: the character U+{code:04X} is not allowed in a text file\n"
    assert only(tmp_path, "a.yaml", f"a\r\n中文{chr(code)}b{chr(code)}") == f"{message}  hint: delete it\n"


def test_text_in_utf16_without_a_mark_is_known_by_its_nul(tmp_path: Path) -> None:
    message = "a.bib:1:2: error[control-character]: the character U+0000 is not allowed in a text file\n"
    hint = "  hint: save the file as UTF-8 (it looks like UTF-16)\n"
    assert only(tmp_path, "a.bib", "ab".encode("utf-16-le")) == f"{message}{hint}"


@pytest.mark.parametrize("name", ["a.png", "a.pdf", "a", "a.md.bak"])
def test_other_files_are_blobs(tmp_path: Path, name: str) -> None:
    assert only(tmp_path, name, b"\xff\x00") == ""


@pytest.mark.parametrize("name", ["a.MD", "b.Yaml", "c.yml", "d.SVG", "e.bib"])
def test_texts_are_known_by_their_suffix_in_any_case(tmp_path: Path, name: str) -> None:
    assert "invalid-utf8" in only(tmp_path, name, b"\xff")


def test_files_that_are_too_large_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit, size in {"MAX_NOTE_BYTES": 500, "MAX_TEXT_BYTES": 1_000, "MAX_BLOB_BYTES": 2_000}.items():
        monkeypatch.setattr(tree, limit, size)
    sizes = {"a.md": 500, "b.md": 501, "c.yaml": 1_000, "d.yaml": 1_001, "e.png": 2_000, "f.png": 2_001}
    root = collection(tmp_path, {name: "x" * size for name, size in sizes.items()})
    sources, problems = read_tree(root)
    assert paths(sources) == ["a.md", "c.yaml", "e.png"]
    hint = "  hint: make it smaller or move it out of notes_src/\n"
    assert said(problems) == (
        f"notes_src/b.md:1:1: error[file-too-large]: the file has 501 bytes, more than the 500 allowed\n{hint}"
        f"notes_src/d.yaml:1:1: error[file-too-large]: the file has 1,001 bytes, more than the 1,000 allowed\n{hint}"
        f"notes_src/f.png:1:1: error[file-too-large]: the file has 2,001 bytes, more than the 2,000 allowed\n{hint}"
    )


@pytest.mark.parametrize("name", ["pipe", "/dev/zero"])
def test_a_pipe_or_device_that_is_named_is_not_read(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UserError, match="is not a regular file"):
        read_input_file(tmp_path / name)


LINKS = {
    "1-inside.md": ("a.md", ""),
    "2-beside.md": ("../beside.md", "outside-collection]: this link leads out of notes_src/"),
    "3-outside.md": ("../../secret.md", "outside-collection]: this link leads out of the collection"),
    "4-folder": ("folder", "unreadable-file]: this is a link to a folder, which is not followed"),
    "5-outside-folder": ("../..", "outside-collection]: this link leads out of the collection"),
    "6-nowhere.md": ("gone.md", "unreadable-file]: cannot read the file: No such file or directory"),
    "7-circle.md": ("7-circle.md", "unreadable-file]: cannot read the file: Too many levels of symbolic links"),
    "8-git.md": ("../.git/config", "outside-collection]: this link leads to a hidden file or folder"),
    "9-hidden.md": (".env", "outside-collection]: this link leads to a hidden file or folder"),
    "a-hidden-folder.md": (".git/config", "outside-collection]: this link leads to a hidden file or folder"),
    "b-in-two-steps.md": ("folder/.c", "outside-collection]: this link leads out of the collection"),
    "c-up-and-down.md": ("../notes_src/folder/b.md", ""),
    "d-root": ("..", "outside-collection]: this link leads out of notes_src/"),
    "e-itself": (".", "unreadable-file]: this is a link to a folder, which is not followed"),
    "f-process.md": ("/proc/self/environ", "outside-collection]: this link leads out of the collection"),
    "g-device.md": ("/dev/zero", "outside-collection]: this link leads out of the collection"),
}
"""Where each leads, and what is said of it."""


def test_links_lead_to_files_of_the_sources_only_and_not_to_hidden_ones(tmp_path: Path) -> None:
    files = {"a.md": "a", "folder/b.md": "b", ".env": "secret", ".git/config": "secret", "../.git/config": "secret"}
    root = collection(tmp_path / "c", files)
    (tmp_path / "secret.md").write_text("secret", "utf-8")
    (root / "beside.md").write_text("beside", "utf-8")
    (root / "notes_src/folder/.c").symlink_to(tmp_path / "secret.md")
    for name, (target, _) in LINKS.items():
        (root / "notes_src" / name).symlink_to(target)
    sources, problems = read_tree(root)
    assert paths(sources) == ["1-inside.md", "a.md", "c-up-and-down.md", "folder/b.md"]
    assert [source.text for source in sources] == ["a", "a", "b", "b"]
    found = [f"{problem.location.path.name}: {problem.rule}]: {problem.message}" for problem in problems]
    assert found == [f"{name}: {message}" for name, (_, message) in LINKS.items() if message]
    assert {problem.hint for problem in problems} == {"copy the file in", "copy the folder in", "remove the link"}


@pytest.mark.parametrize("target", ["notes", ".git", "../c2"])
def test_the_sources_are_a_folder_of_the_collection_not_a_link(target: str, tmp_path: Path) -> None:
    root = tmp_path / "c"
    (root / target).mkdir(parents=True)
    (root / target / "a.md").write_text("a")
    cache = open_cache(root)
    (root / target).rename(root / "notes_src")
    time.sleep(0.03)
    assert paths(read_tree(root, cache)[0]) == ["a.md"]
    (root / "notes_src").rename(root / target)
    (root / "notes_src").symlink_to(target)
    sources, (problem,) = read_tree(root, cache)
    assert (sources, problem.location.path) == ((), PurePosixPath("notes_src")), "also if each file is known"
    cache.close()


def test_what_becomes_a_link_or_a_pipe_before_it_is_read_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = collection(tmp_path / "c", {"a.md": "a", "b.pdf": LARGE})
    (tmp_path / "secret").write_text("secret")
    file, large = root / "notes_src/a.md", root / "notes_src/b.pdf"
    ((_, pdf), _) = read_tree(root)
    look = os.lstat

    def swapped(make):
        def after_the_look(path):
            found = look(path)
            if str(path) == str(file):
                file.unlink()
                make()
            return found

        return after_the_look

    for make in (lambda: file.symlink_to(tmp_path / "secret"), lambda: os.mkfifo(file)):
        file.unlink(missing_ok=True)
        file.write_text("a")
        with monkeypatch.context() as patch:
            patch.setattr(os, "lstat", swapped(make))
            sources, problems = read_tree(root)
        assert paths(sources) == ["b.pdf"]
        assert [problem.rule for problem in problems] == ["unreadable-file"]
    for make in (lambda: large.symlink_to(tmp_path / "secret"), lambda: os.mkfifo(large)):
        large.unlink()
        make()
        with pytest.raises(SourceChanged, match=r"^cannot read .*b\.pdf: "):
            _ = pdf.data


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    root = collection(tmp_path, {"a.md": "a"})
    os.mkfifo(root / "notes_src" / "pipe.md")
    message = "notes_src/pipe.md:1:1: error[unreadable-file]: this is not a regular file\n  hint: remove it\n"
    assert said(read_tree(root)[1]) == message


def test_what_may_not_be_read_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests as root may read everything, so the system's refusal is played."""
    root = collection(tmp_path, {"a.md": "a", "closed/b.md": "b"})
    scandir = os.scandir

    def refuse(path: object) -> bytes:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(tree, "open_file", refuse)
    monkeypatch.setattr(os, "scandir", lambda path: refuse(path) if str(path).endswith("closed") else scandir(path))
    sources, problems = read_tree(root)
    assert sources == ()
    assert said(problems) == (
        "notes_src/a.md:1:1: error[unreadable-file]: cannot read the file: Permission denied\n"
        "  hint: check its permissions\n"
        "notes_src/closed:1:1: error[unreadable-file]: cannot read the folder: Permission denied\n"
        "  hint: check its permissions\n"
    )


@pytest.mark.parametrize(
    ("name", "shown", "reason"),
    [
        (b"b\xff.md", "b?.md", "is not valid UTF-8"),
        (b"b\n.md", "b\\n.md", "holds the invisible character U+000A"),
        (b"b\x1b.md", "b\\x1b.md", "holds the invisible character U+001B"),
        ("b\u2028.md".encode(), "b\\u2028.md", "holds the invisible character U+2028"),
    ],
)
def test_a_name_that_cannot_be_printed_is_told_of(name: bytes, shown: str, reason: str, tmp_path: Path) -> None:
    root = collection(tmp_path, {"a.md": "a"})
    try:
        (root / "notes_src" / os.fsdecode(name)).write_bytes(b"b")
    except OSError:
        pytest.skip("this file system does not take such names")
    sources, problems = read_tree(root)
    assert paths(sources) == ["a.md"]
    message = f"the name of the file {reason}"
    assert said(problems) == f"notes_src/{shown}:1:1: error[unreadable-file]: {message}\n  hint: rename it\n"


def test_hidden_files_and_left_overs_are_left_alone(tmp_path: Path) -> None:
    hidden = [".a.md", ".git/b.md", "c.md~", "Thumbs.db", "t/.DS_Store", "t/node_modules/d.md", "__pycache__/e.md"]
    root = collection(tmp_path, {**dict.fromkeys(hidden, b"\xff"), "t/f.md": "f"})
    sources, problems = read_tree(root)
    assert (paths(sources), problems) == (["t/f.md"], ())


def test_the_order_is_that_of_the_names_wherever_the_disk_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["b/a.md", "a.md", "a/z.md", "a/B.md", "a-b/c.md", "Z.md", "中.md", "b.md"]
    root = collection(tmp_path, dict.fromkeys(names, "x"))
    walk = os.walk
    expected = ["Z.md", "a-b/c.md", "a.md", "a/B.md", "a/z.md", "b.md", "b/a.md", "中.md"]
    assert paths(read_tree(root)[0]) == expected

    def backwards(top, **options):
        for folder, folders, files in walk(top, **options):
            folders.sort(reverse=True)
            yield folder, folders, sorted(files, reverse=True)

    monkeypatch.setattr(os, "walk", backwards)
    assert paths(read_tree(root)[0]) == expected


def test_without_the_folder_there_is_no_collection(tmp_path: Path) -> None:
    assert read_tree(tmp_path) == ((), ()), "load() reports it"


def test_the_readme_is_read(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_bytes(b"# A\r\n")
    assert read_readmes(tmp_path, [README]) == ((Source(README, b"# A\r\n"),), ())


def test_a_readme_that_cannot_be_read_is_told_of(tmp_path: Path) -> None:
    readmes, problems = read_readmes(tmp_path, [README])
    assert readmes == ()
    assert said(problems).startswith("README.md:1:1: error[readme-markers]: ")
    (tmp_path / "README.md").write_bytes(b"\xff")
    readmes, problems = read_readmes(tmp_path, [README])
    assert readmes == ()
    assert said(problems).startswith("README.md:1:1: error[invalid-utf8]: ")


def test_a_readme_may_be_a_link_to_a_file_of_the_collection_that_is_not_hidden(tmp_path: Path) -> None:
    root = collection(tmp_path / "c", {"../.git/a.md": "secret", "../docs/a.md": "a", "../../out.md": "secret"})
    links = {"hidden.md": ".git/a.md", "folder": ".git", "out.md": "../out.md", "up": "..", "fine.md": "docs/a.md"}
    for name, target in links.items():
        (root / name).symlink_to(target)
    os.mkfifo(root / "pipe.md")
    names = ("hidden.md", "folder/a.md", "out.md", "up/out.md", "pipe.md", "fine.md", "docs/a.md")
    sources, problems = read_readmes(root, map(PurePosixPath, names))
    assert [str(source.path) for source in sources] == ["fine.md", "docs/a.md"]
    hidden, out = "this link leads to a hidden file or folder", "this link leads out of the collection"
    assert [problem.message for problem in problems] == [hidden, hidden, out, out, "this is not a regular file"]


@pytest.mark.parametrize(("offset", "place"), [(0, (1, 1)), (1, (1, 2)), (2, (2, 1)), (3, (3, 1)), (4, (3, 2))])
def test_places_count_from_one(offset: int, place: tuple[int, int]) -> None:
    assert text_position("a\n\nbc", offset) == place


LARGE = bytes(range(256)) * 1_000


def test_large_blobs_stay_on_disk_until_somebody_asks(tmp_path: Path) -> None:
    root = collection(tmp_path, {"a.pdf": LARGE, "b.png": LARGE[:-1], "c.png": b"small", "d.md": "x" * 200_000})
    (pdf, picture, small, text), problems = read_tree(root)
    assert problems == ()
    assert isinstance(pdf.content, OnDisk)
    assert isinstance(picture.content, OnDisk)
    assert isinstance(small.content, bytes)
    assert isinstance(text.content, bytes), "texts are read at once"
    assert (pdf.sha256, pdf.size, pdf.data) == (hashlib.sha256(LARGE).hexdigest(), len(LARGE), LARGE)
    assert read_tree(root)[0] == (pdf, picture, small, text), "sources are equal by what they hold"
    assert picture != pdf


def test_a_large_blob_that_changes_meanwhile_is_not_taken_for_the_old_one(tmp_path: Path) -> None:
    root = collection(tmp_path, {"a.pdf": LARGE})
    ((source,), _) = read_tree(root)
    file = root / "notes_src" / "a.pdf"
    file.write_bytes(LARGE[::-1])
    with pytest.raises(SourceChanged, match=r"a\.pdf was changed while it was being used; run the command again$"):
        _ = source.data
    file.unlink()
    with pytest.raises(SourceChanged, match=r"^cannot read .*a\.pdf: No such file or directory$"):
        _ = source.data


def test_hashes_are_remembered_as_long_as_the_file_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = collection(tmp_path, {"a.pdf": LARGE, "b.md": "text"})
    file = root / "notes_src" / "a.pdf"
    cache = open_cache(root)
    time.sleep(0.03)  # a file that has just been written is not trusted
    ((first, text), _) = read_tree(root, cache)
    with monkeypatch.context() as patch:
        patch.setattr(hashlib, "file_digest", None)
        patch.setattr(tree, "open_file", None)
        assert read_tree(root, cache)[0] == (first, text)
    assert text.text == "text"
    times = file.stat()
    file.write_bytes(LARGE[::-1])
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    ((second, _), _) = read_tree(root, cache)
    assert second.sha256 == hashlib.sha256(LARGE[::-1]).hexdigest(), "even with the old time of change put back"
    cache.close()


SECOND = 1_000_000_000


@pytest.mark.parametrize(
    ("changed", "age", "fresh"),
    [
        (5_123_456_789, 10_000_000, True),
        (5_123_456_789, 30_000_000, False),
        (5 * SECOND, 30_000_000, True),
        (5 * SECOND, 1_900_000_000, True),
        (5 * SECOND, 2_100_000_000, False),
        (5_123_456_789, -SECOND, True),
    ],
)
def test_how_long_a_file_may_change_unseen_depends_on_the_clock_of_its_disk(
    changed: int, age: int, fresh: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: changed + age)
    assert is_fresh(SimpleNamespace(st_mtime_ns=changed, st_ctime_ns=changed)) is fresh


def test_an_edit_of_the_same_size_is_seen_on_a_disk_of_whole_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on FAT, HFS+ and some disks of networks: the second edit of a second has the times of the first."""
    root = collection(tmp_path, {"a.md": "one"})
    file = root / "notes_src" / "a.md"

    def whole_seconds(real: Callable[[Any], os.stat_result], place: Any) -> os.stat_result:
        found = real(place)
        second = int(found.st_mtime) // 4 * 4  # so that both edits are in one, whenever the test runs
        names = ("st_mode", "st_ino", "st_dev", "st_size")
        times = dict.fromkeys(("st_mtime_ns", "st_ctime_ns"), second * SECOND)
        return SimpleNamespace(**{name: getattr(found, name) for name in names}, **times)  # type: ignore[return-value]

    for name in ("lstat", "fstat"):
        monkeypatch.setattr(os, name, partial(whole_seconds, getattr(os, name)))
    monkeypatch.setattr(file_stats, "COARSE", 4 * SECOND)
    cache = open_cache(root)
    ((first,), _) = read_tree(root, cache)
    assert first.text == "one"
    file.write_bytes(b"two")
    ((second,), _) = read_tree(root, cache)
    assert second.text == "two"
