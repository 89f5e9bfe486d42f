"""`paper-notes open` and `edit`: the right page or file is opened, and where that cannot be, they say so."""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path

import pytest
from running import SITES, collection, paper_notes, write

from paper_notes.features.opening.commands.edit import with_line

ROOT = SITES / "bilingual"
NOTE = "arches/notes/01_Stone_arches.html"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Pages that nobody built: what `open` looks for is whether they are there."""
    root = collection("bilingual", tmp_path)
    return write(
        root, dict.fromkeys(("site/index.html", "site/papers.html", "site/arches/index.html", f"site/{NOTE}"), "")
    )


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    addresses: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: addresses.append(address) or True)
    return addresses


@pytest.mark.parametrize(
    ("arguments", "page", "rest"),
    [
        ([], "index.html", ""),
        (["arches"], "arches/index.html", ""),
        (["papers"], "papers.html", ""),
        (["site/papers.html"], "papers.html", ""),
        (["arches/1", "--lang", "en"], NOTE, "?lang=en"),
        (["arches/#1#three-curves", "--lang", "en"], NOTE, "?lang=en#three-curves"),
        (["stone"], NOTE, ""),
        ([f"http://127.0.0.1:8000/{NOTE}#x"], NOTE, "#x"),
    ],
)
def test_a_page_is_opened(site: Path, opened: list[str], arguments: list[str], page: str, rest: str) -> None:
    result = paper_notes("open", *arguments, "--root", site)
    assert result.exit_code == 0, result.stderr
    assert opened == [(site / "site" / page).as_uri() + rest]
    assert result.stdout == f"{site / 'site' / page}\n"
    assert result.stderr == ""


def test_sources_that_were_saved_later_are_mentioned(site: Path, opened: list[str]) -> None:
    os.utime(site / "notes_src/arches/01_Stone_arches/en.md", (2e9, 2e9))
    for place, mentioned in (("arches/1", True), ("arches", True), ("papers", True)):
        assert ("`paper-notes build`" in paper_notes("open", place, "--root", site).stderr) is mentioned
    write(site, {"site/arches/notes/02_Brick_2020.html": ""})
    assert paper_notes("open", "arches/2", "--root", site).stderr == "", "another note"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["cables"], 1, "`paper-notes build` makes it"),
        (["tags"], 1, "unless it would be empty"),
        (["paprs"], 1, 'did you mean "papers"?'),
        (["arches/9"], 1, "it has #1, #2"),
        (["arches/1", "--lang", "fr"], 2, 'the site has no language "fr"'),
    ],
)
def test_a_page_that_is_not_there(site: Path, opened: list[str], arguments: list[str], code: int, words: str) -> None:
    result = paper_notes("open", *arguments, "--root", site)
    assert (result.exit_code, result.stdout, opened) == (code, "", [])
    assert words in result.stderr


def test_a_page_that_leads_out_of_the_site_is_not_opened(site: Path, opened: list[str]) -> None:
    (site / "site/tags.html").symlink_to(site / "notes_src/site.yaml")
    assert paper_notes("open", "tags", "--root", site).exit_code == 1
    assert paper_notes("open", "site/../notes_src/x.html", "--root", site).exit_code == 1
    assert opened == []


def test_without_a_browser_it_says_so(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    result = paper_notes("open", "--root", site)
    assert (result.exit_code, "yourself" in result.stderr) == (0, True)


STONE = "notes_src/arches/01_Stone_arches"


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the editor was called with: vi, which takes a line."""
    said = tmp_path / "said"
    program = write(tmp_path, {"vi": f'#!/bin/sh\nprintf "%s\\n" "$@" > {said}\n'}) / "vi"
    program.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(program))
    return said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["arches/1"], [f"{STONE}/zh.md"]),
        (["[[arches/#1]]"], [f"{STONE}/zh.md"]),
        (["arches/1", "--lang", "en"], [f"{STONE}/en.md"]),
        (["arches/1", "--facts"], [f"{STONE}/note.yaml"]),
        ([f"{STONE}/en.md"], [f"{STONE}/en.md"]),
        ([f"{STONE}/en.md:9"], ["+9", f"{STONE}/en.md"]),
        ([f"{STONE}/note.yaml:3:1", "--line", "7"], ["+7", f"{STONE}/note.yaml"]),
        (["notes_src/site.yaml:2:1:"], ["+2", "notes_src/site.yaml"]),
        (["site.yaml"], ["notes_src/site.yaml"]),
        (["arches"], ["notes_src/arches/topic.yaml"]),
    ],
)
def test_the_editor_gets_the_file_and_the_line(arguments: list[str], words: list[str], editor: Path) -> None:
    result = paper_notes("edit", *arguments, "--root", ROOT)
    assert (result.exit_code, result.stderr) == (0, "")
    *line, file = words
    assert editor.read_text().splitlines() == [*line, str(ROOT / file)]


@pytest.mark.parametrize(
    ("editor", "words"),
    [
        ("nvim -R", ["nvim", "-R", "+12", "FILE"]),
        ("/usr/bin/emacsclient", ["/usr/bin/emacsclient", "+12", "FILE"]),
        ("code --wait", ["code", "--wait", "--goto", "FILE:12"]),
        ("hx", ["hx", "FILE:12"]),
        ("unheard-of", ["unheard-of", "FILE"]),
    ],
)
def test_the_line_is_given_as_the_editor_takes_it(editor: str, words: list[str]) -> None:
    file = Path("/a/en.md")
    assert with_line(editor.split(), file, 12) == [word.replace("FILE", str(file)) for word in words]
    assert with_line(editor.split(), file, 0) == [*editor.split(), str(file)]


def test_a_section_is_a_line(tmp_path: Path, editor: Path) -> None:
    root = write(tmp_path, {
        "notes_src/site.yaml": "languages: [en]\n",
        "notes_src/t/01_A/en.md": "# broken `\n\n## What holds it up\n\n## Other {#fixed}\n",
        "notes_src/t/02_B.md": "---\ntitle: B\n---\n## Two\n",
    })  # fmt: skip
    for place, line, said in (
        ("t/1#what-holds-it-up", ["+3"], ""),
        ("t/#1#fixed", ["+5"], ""),
        ("t/2#two", ["+4"], ""),
        ("t/1#no", [], 'No heading with the id "no" was found.\n'),
    ):
        result = paper_notes("edit", place, "--root", root)
        assert (result.exit_code, result.stderr, editor.read_text().splitlines()[:-1]) == (0, said, line)


@pytest.mark.parametrize(
    ("editor", "arguments", "words"),
    [
        ("", ["arches/1"], "neither VISUAL nor EDITOR is set"),
        ("no-such-program", ["arches/1"], "no-such-program cannot be started"),
        ("false", ["arches/1"], "false ended with 1"),
        ("true", ["arches/1", "--lang", "fr"], "it has zh, en"),
        ("true", ["arches/9"], "it has #1, #2"),
    ],
)
def test_what_cannot_be_edited(editor: str, arguments: list[str], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "")
    monkeypatch.setenv("EDITOR", editor)
    result = paper_notes("edit", *arguments, "--root", ROOT)
    assert (result.exit_code, words in result.stderr) == (1, True), result.stderr
    assert result.stdout == ("" if editor else f"{ROOT / STONE / 'zh.md'}\n")
