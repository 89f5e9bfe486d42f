"""`paper-notes serve` as a user meets it: the terminal, the port, mistakes, and the end."""

from __future__ import annotations

import importlib
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import click
import pytest
from running import collection, paper_notes
from serving import Events, Program

from paper_notes.engine.cache import open_cache
from paper_notes.output.disk import place_of_drafts

command = importlib.import_module("paper_notes.commands.serve")  # the module: the package has the command by that name


@pytest.fixture
def taken() -> Iterator[int]:
    """A port at which somebody else listens."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def test_a_port_that_was_asked_for_and_is_taken_is_an_error(taken: int, tmp_path: Path) -> None:
    result = paper_notes("serve", "--port", str(taken), "--root", collection("minimal", tmp_path))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f"paper-notes: cannot listen at port {taken}: it is in use\n"
        "  hint: name another one with --port, or 0 for any free one\n"
    )


def test_without_a_wish_the_next_free_port_is_taken(
    taken: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: Any, **__: Any) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "FIRST_PORT", taken)
    monkeypatch.setattr(command, "_keep_current", stop)
    result = paper_notes("serve", "--root", collection("minimal", tmp_path))
    assert (result.exit_code, result.stdout) == (0, "")
    said, address, *end = result.stderr.splitlines()
    assert said == f"Port {taken} is in use; this is the next free one."
    found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/  \(Ctrl-C ends it\)", address)
    assert found
    assert taken < int(found[1]) < taken + command.PORTS
    assert end == ["", "The server has ended; site/ stays as it is."]


def test_when_all_ports_are_taken_it_says_so(taken: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "FIRST_PORT", taken)
    monkeypatch.setattr(command, "PORTS", 1)
    result = paper_notes("serve", "--root", collection("minimal", tmp_path))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"paper-notes: cannot listen at port {taken}: it is in use\n")


def test_outside_of_a_collection_it_ends_as_build_does(tmp_path: Path) -> None:
    served, built = (paper_notes(name, "--root", tmp_path) for name in ("serve", "build"))
    assert (served.exit_code, built.exit_code) == (1, 1)
    assert "error[no-collection]" in served.stderr
    assert served.stderr.splitlines()[:-1] == built.stderr.splitlines()[:-1]
    assert "127.0.0.1" not in served.stderr
    assert not list(tmp_path.iterdir())


def test_a_port_that_is_none_is_wrong_usage(tmp_path: Path) -> None:
    assert paper_notes("serve", "--port", "65536", "--root", tmp_path).exit_code == 2


def get(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address, timeout=120) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def version_of(page: str) -> str:
    (version,) = re.findall(r'data-version="([^"]+)"', page)
    return str(version)


@pytest.mark.nightly
def test_a_morning_of_writing(tmp_path: Path) -> None:
    root = collection("minimal", tmp_path)
    (note,) = root.glob("notes_src/*/*/*.md")
    text = note.read_text("utf-8")
    note.write_text(f"{text}\n[[#99]]\n", "utf-8")
    program = Program(root, "--port", "0", "--no-keep-going")
    try:
        first = program.until("not rebuilt")
        where = note.relative_to(root).as_posix()
        assert [line for line in first if "error[dangling-reference]" in line and line.startswith(f"{where}:")]
        assert first[-2] == "1 error"
        assert re.fullmatch(r"\d\d:\d\d:\d\d not rebuilt: 1 error", first[-1])
        status, page = get(program.address)
        assert (status, "还没有网站" in page) == (503, True)
        events = Events(program.port, "/", version_of(page))
        told = events.next()
        assert (told["page"], told["errors"][0]["rule"]) == ("same", "dangling-reference")

        note.write_text(text, "utf-8")
        told = events.next()
        assert (told["page"], told["count"]) == ("changed", 0)
        assert re.fullmatch(
            r"\d\d:\d\d:\d\d tea/01_Longjing: rebuilt in \d+\.\d\d s: \d+ pages, \d+ other files", program.line()
        )
        events.close()
        status, home = get(program.address)
        assert (status, "还没有网站" in home) == (200, False)

        (page_file,) = root.glob("site/*/notes/*.html")
        address = page_file.relative_to(root / "site").as_posix()
        events = Events(program.port, f"/{address}", version_of(get(program.address + address)[1]))
        assert events.next()["page"] == "same"
        note.write_text(f"{text}\nA word more.\n", "utf-8")
        assert events.next()["page"] == "changed"
        assert "A word more." in get(program.address + address)[1]
        assert "EventSource" not in page_file.read_text("utf-8"), "the file itself has no script of the server"
        assert re.search(r"tea/01_Longjing: rebuilt in \d+\.\d\d s: 1 page, \d+ other files?", program.line())
        events.close()

        code, data, last = program.press_ctrl_c()
        assert (code, data, last) == (0, "", "The server has ended; site/ stays as it is.")
    finally:
        program.close()
    assert paper_notes("build", "--check", "--root", root).exit_code == 0, "what it wrote is what a build writes"


def test_the_home_page_opens_when_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = collection("minimal", tmp_path)
    opened: list[str] = []

    def launch(address: str) -> NoReturn:
        opened.append(address)
        assert (root / "site/index.html").is_file()
        raise KeyboardInterrupt

    monkeypatch.setattr(click, "launch", launch)
    result = paper_notes("serve", "--open", "--port", "0", "--root", root)
    assert result.exit_code == 0
    assert result.stderr.startswith(f"{opened[0]}  (Ctrl-C ends it)\n")


def test_the_site_with_drafts_is_shown_and_they_are_said_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root, shown = collection("minimal", tmp_path), list[Path]()
    note = root / "notes_src/tea/01_Longjing/note.yaml"
    server: Any = SimpleNamespace(files=SimpleNamespace(show=shown.append))
    with closing(open_cache(root)) as cache:
        update = command._update(root, 1, cache, server, keep_going=False)
        update()
        assert shown == [root]
        note.write_text(f"{note.read_text('utf-8')}draft: true\n", "utf-8")
        update()
        update()
        assert shown == [root, place_of_drafts(root), place_of_drafts(root)]
        note.write_text("title: {zh: 半", "utf-8")
        assert update().plan is None
        assert len(shown) == 3, "the last good one stays"
    assert capsys.readouterr().err.count("1 draft is shown here only; site/ is without: tea/01_Longjing\n") == 1


def test_pages_that_mark_mistakes_never_get_into_the_site(tmp_path: Path) -> None:
    root, shown = collection("minimal", tmp_path), list[Path]()
    (note,) = root.glob("notes_src/*/*/*.md")
    good, page = note.read_text("utf-8"), root / "site/tea/notes/01_Longjing.html"
    server: Any = SimpleNamespace(files=SimpleNamespace(show=shown.append))
    with closing(open_cache(root)) as cache:
        update = command._update(root, 1, cache, server, keep_going=True)
        update()
        before = page.read_bytes()
        note.write_text(f"{good}\n[[#99]] and more\n", "utf-8")
        build = update()
        assert [found.rule for found in build.diagnostics if found.severity == "error"] == ["dangling-reference"]
        marked = (place_of_drafts(root) / "site/tea/notes/01_Longjing.html").read_text("utf-8")
        assert "dangling-reference" in marked
        assert "and more" in marked
        assert page.read_bytes() == before
        note.write_text(good, "utf-8")
        update()
    assert shown == [root, place_of_drafts(root), root]
