"""The command line: exit codes, what goes to stdout and stderr, and that nothing ends in a traceback."""

from __future__ import annotations

import errno
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from running import built, collection, files_of, paper_notes, process, write

from paper_notes import __version__
from paper_notes import build as building
from paper_notes import commands as cli
from paper_notes.diagnostics import our_bug
from paper_notes.output.plan import Plan


def test_help_and_version() -> None:
    for arguments in (["--help"], ["-h"], ["build", "--help"], ["check", "-h"]):
        result = paper_notes(*arguments)
        assert result.exit_code == 0
        assert "Usage:" in result.stdout
        assert result.stderr == ""
    assert paper_notes("--version").stdout == f"paper-notes, version {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [["biuld"], ["build", "--chekc"], ["build", "extra"], ["build", "--root", "/nowhere/at/all"], ["build", "--root"]],
)
def test_wrong_usage_exits_2(arguments: list[str]) -> None:
    result = paper_notes(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Error:" in result.stderr or "Usage:" in result.stderr


def test_a_root_that_is_a_file_is_wrong_usage(tmp_path: Path) -> None:
    write(tmp_path, {"file": ""})
    assert paper_notes("build", "--root", tmp_path / "file").exit_code == 2


@pytest.mark.parametrize("command", ["build", "check"])
def test_a_folder_without_a_collection(command: str, tmp_path: Path) -> None:
    result = paper_notes(command, "--root", tmp_path)
    assert result.exit_code == 1
    assert "notes_src/site.yaml:1:1: error[no-collection]: there is no notes_src/site.yaml\n  hint: " in result.stderr
    assert "1 error\n" in result.stderr, "one cause is reported once"
    assert list(tmp_path.iterdir()) == []


def test_check_says_that_nothing_is_wrong(tmp_path: Path) -> None:
    root = collection("minimal", tmp_path)
    result = paper_notes("check", "--root", root)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "1 note: nothing is wrong.\n")
    assert not (root / "site").exists()


def test_warnings_are_shown_and_stop_nothing(tmp_path: Path) -> None:
    root = collection("english-first", tmp_path)
    for command in ("check", "build"):
        result = paper_notes(command, "--root", root)
        assert result.exit_code == 0
        where = "notes_src/owls/01_Barn_owl/note.yaml:2:10"
        assert f"{where}: warning[missing-translation]: the summary has no zh text\n" in result.stderr
        assert "\n1 warning\n" in result.stderr
    assert (root / "site/index.html").exists()


def test_build_says_what_it_did(tmp_path: Path) -> None:
    root = collection("minimal", tmp_path)
    first = paper_notes("build", "--root", root)
    assert first.stdout == ""
    assert first.stderr == (
        f"1 note: 12 created, 0 updated, 0 deleted, 0 unchanged.\nOpen {root / 'site' / 'index.html'}\n"
    )
    assert paper_notes("build", "--root", root).stderr == "1 note: everything is up to date, nothing to write.\n"


def test_json_of_a_build(tmp_path: Path) -> None:
    root = collection("minimal", tmp_path)
    keys = {"diagnostics", "created", "updated", "deleted", "unchanged", "written"}

    checked = paper_notes("build", "--json", "--check", "--root", root)
    told = json.loads(checked.stdout)
    assert checked.exit_code == 1
    assert set(told) == keys
    assert told["written"] is False
    assert len(told["created"]) == 12

    built = paper_notes("build", "--json", "--root", root)
    assert built.exit_code == 0
    assert json.loads(built.stdout) == {**told, "written": True}
    assert set(told["created"]) == {f"site/{name}" for name in files_of(root / "site") if name != ".manifest"}

    again = json.loads(paper_notes("build", "--json", "--root", root).stdout)
    assert again == {**told, "created": [], "unchanged": 12, "written": False}


@pytest.mark.parametrize("command", ["build", "check"])
def test_json_of_mistakes(command: str, tmp_path: Path) -> None:
    root = collection("every-mistake", tmp_path)
    result = paper_notes(command, "--json", "--root", root)
    assert result.exit_code == 1
    found = json.loads(result.stdout)["diagnostics"]
    assert all(
        list(item) == ["path", "line", "column", "rule", "severity", "message", "hint"]
        and (root / item["path"]).exists()
        for item in found
        if item["rule"] != "note-without-text"
    )
    lines = [line for line in result.stderr.splitlines() if re.match(r"notes_src\S+:\d+:\d+: ", line)]
    assert lines == [
        f"{item['path']}:{item['line']}:{item['column']}: {item['severity']}[{item['rule']}]: {item['message']}"
        for item in found
    ]


def test_json_alone_is_on_stdout_of_the_real_program(tmp_path: Path) -> None:
    root = collection("english-first", tmp_path)
    result = process("build", "--json", "-j", "1", "--root", root)
    assert result.returncode == 0
    assert json.loads(result.stdout)["written"] is True
    assert "warning[missing-translation]" in result.stderr


def test_colour_only_where_somebody_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = collection("every-mistake", tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" not in paper_notes("check", "--root", root).stderr, "a pipe gets none"
    on_terminal = CliRunner().invoke(cli.main, ["check", "--root", str(root)], color=True)
    assert "\x1b[31m" in on_terminal.stderr
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in CliRunner().invoke(cli.main, ["check", "--root", str(root)], color=True).stderr


@pytest.mark.parametrize("blocked", ["site", "site/tea", "site/tea/notes"])
def test_a_file_where_a_folder_must_be(blocked: str, tmp_path: Path) -> None:
    root = write(collection("minimal", tmp_path), {blocked: "in the way"})
    result = paper_notes("build", "--root", root)
    assert result.exit_code == 1
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert result.stderr.startswith(f"paper-notes: cannot write {root / blocked}")
    assert (root / blocked).read_text() == "in the way"


def test_a_folder_where_a_file_must_be(tmp_path: Path) -> None:
    root = write(collection("minimal", tmp_path), {"site/index.html/file": "mine"})
    assert "in the way" in paper_notes("build", "--root", root).stderr
    result = paper_notes("build", "--root", root, "--adopt")
    assert result.exit_code == 1
    assert result.stderr.startswith(f"paper-notes: cannot write {root / 'site' / 'index.html'}: ")
    assert files_of(root / "site/index.html") == {"file": b"mine"}


def test_a_text_that_is_no_utf_8_is_wrong_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(collection("minimal", tmp_path))
    before = files_of(tmp_path)
    for arguments in (["topic", "new", "a", "--title"], ["init", "new", "--title"], ["show"]):
        result = paper_notes(*arguments, "\udcff")
        assert (result.exit_code, "it is not UTF-8" in result.stderr) == (2, True)
    assert files_of(tmp_path) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["repair", "README.md", "--output", "LONG"],
        ["import", "LONG", "--topic", "a"],
        ["import", "README.md", "--classes", "LONG"],
        ["init", "LONG"],
    ],
)
def test_a_name_that_no_file_can_have_is_named(arguments: list[str], tmp_path: Path, monkeypatch: Any) -> None:
    root = write(collection("minimal", tmp_path), {"README.md": "a"})
    monkeypatch.chdir(root)
    result = paper_notes(*(word.replace("LONG", "x" * 300) for word in arguments))
    assert (result.exit_code, result.stdout) == (1, "")
    assert re.fullmatch(r"paper-notes: cannot read or write \S*x+\S*: File name too long\n", result.stderr)


@pytest.mark.skipif(sys.platform != "linux", reason="others have no such names")
def test_a_collection_may_be_in_a_folder_whose_name_is_no_utf_8(tmp_path: Path) -> None:
    root = collection("minimal", tmp_path / os.fsdecode(b"\xb1\xca\xbc\xc7"))
    for arguments in (["build", "-j", "1"], ["build", "--check", "-j", "1"], ["show", "1"], ["move", "1", "tea/7"]):
        assert paper_notes(*arguments, "--root", root).exit_code == 0


def test_a_full_disk_is_no_bug_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(code: int) -> None:
        raise OSError(code, os.strerror(code))

    for code in (errno.ENOSPC, errno.EIO):
        monkeypatch.setattr("paper_notes.features.queries.listing.select", lambda *_, code=code: full(code))
        result = paper_notes("list", "--root", collection("minimal", tmp_path / str(code)))
        assert result.stderr == f"paper-notes: cannot read or write a file: {os.strerror(code)}\n"
    monkeypatch.setattr("paper_notes.features.queries.listing.select", lambda *_: full(errno.EINVAL))
    assert isinstance(paper_notes("list", "--root", collection("minimal", tmp_path)).exception, OSError)


def test_a_bug_of_ours_is_a_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken() -> None:
        raise ZeroDivisionError("nobody thought of this")

    monkeypatch.setattr(cli, "main", broken)
    monkeypatch.delenv("PAPER_NOTES_DEBUG", raising=False)
    with pytest.raises(SystemExit) as stopped:
        cli.run()
    assert stopped.value.code == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "paper-notes: this is a bug of ours, not yours: ZeroDivisionError: nobody thought of this\n"
        "  hint: PAPER_NOTES_DEBUG=1 shows where; please report it\n"
    )
    monkeypatch.setenv("PAPER_NOTES_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        cli.run()


STRANGE = {
    "nothing at all": {"notes_src/site.yaml": ""},
    "only spaces": {"notes_src/site.yaml": " \n\n"},
    "a list": {"notes_src/site.yaml": "- a\n- b\n"},
    "a number": {"notes_src/site.yaml": "42\n"},
    "deep nesting": {"notes_src/site.yaml": "title: " + "[" * 60_000},
    "an alias bomb": {"notes_src/site.yaml": "a: &a [1,1,1,1,1,1,1,1,1]\n" + "".join(
        f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )},
    "a topic that leads out": {"notes_src/site.yaml": "title: t\ntopics: [../.., /etc, '', '.']\n"},
    "a topic of no kind": {"notes_src/site.yaml": "title: t\ntopics: [{a: b}, null]\n"},
    "a README in a language that is none": {
        "notes_src/site.yaml": "title: t\ntopics: [a]\nreadme: [{lang: a/b}]\n",
        "notes_src/a/topic.yaml": "title: a\n",
        "notes_src/a/01_a/note.yaml": "title: a\n",
        "notes_src/a/01_a/en.md": "a\n",
        "README.md": "<!-- paper-notes:begin -->\n<!-- paper-notes:end -->\n",
    },
    "no notes": {"notes_src/site.yaml": "title: t\ntopics: [a]\n", "notes_src/a/topic.yaml": "title: a\n"},
    "odd files": {
        "notes_src/site.yaml": "title: t\ntopics: [a]\n",
        "notes_src/a/topic.yaml": "title: a\n",
        "notes_src/a/zh.md": "---\n---\n",
        "notes_src/a/00.md": "---\n",
        "notes_src/a/1_/note.yaml": "{}",
        "notes_src/a/1_x/note.yaml": "title: {}\n",
        "notes_src/a/1_x/zh.md/file": "",
        "notes_src/x.bib": "@article{a, title = {b} @misc{, }",
        "notes_src/glossary.yaml": "null",
    },
    "an endless note": {
        "notes_src/site.yaml": "title: t\ntopics: [a]\n",
        "notes_src/a/topic.yaml": "title: a\n",
        "notes_src/a/1_x/note.yaml": "title: t\n",
        "notes_src/a/1_x/zh.md": ">" * 3000 + " x\n\n" + "- " * 2000 + "\n\n" + "[" * 5000 + "\n\n" + "*a " * 3000,
    },
    "many containers": {
        "notes_src/site.yaml": "title: t\ntopics: [a]\n",
        "notes_src/a/topic.yaml": "title: a\n",
        "notes_src/a/1_x/note.yaml": "title: t\n",
        "notes_src/a/1_x/zh.md": ":::note\n" * 400,
    },
}  # fmt: skip


@pytest.mark.nightly
@pytest.mark.parametrize("case", STRANGE)
def test_strange_input_is_never_a_bug(case: str, tmp_path: Path) -> None:
    result = paper_notes("check", "--root", write(tmp_path, STRANGE[case]))
    assert result.exit_code in (0, 1), result.exception
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.stderr
    assert result.exit_code == 0 or re.search(
        r"^notes_src\S*:\d+:\d+: error\[[a-z0-9-]+\]: ", result.stderr, re.MULTILINE
    )


def test_files_of_ones_own_in_the_site_are_named_and_left_until_they_are_adopted(tmp_path: Path) -> None:
    mine = {"site/index.html": "my own page", "site/README.md": "mine", "site/other.html": "mine"}
    root = write(collection("minimal", tmp_path), mine)
    words = (
        "paper-notes: 2 files are in the way that no earlier build has written: "
        "site/README.md, site/index.html; nothing was written\n"
        "  hint: move them away; if they may be written over, as when site/.manifest was lost: "
        "paper-notes build --adopt\n"
    )
    before = files_of(root)
    for options in ([], ["--check"], ["--json"]):
        result = paper_notes("build", "--root", root, *options)
        assert result.exit_code == 1
        assert result.stderr.endswith(words)
        assert files_of(root) == before
    assert paper_notes("check", "--root", root).exit_code == 0, "nothing is wrong with the sources"
    assert paper_notes("build", "--root", root, "--adopt").exit_code == 0
    made = files_of(root / "site")
    assert made.pop("other.html") == b"mine"
    assert made == files_of(built(collection("minimal", tmp_path / "alone")))
    (root / "site/.manifest").unlink()
    assert paper_notes("build", "--root", root).exit_code == 0, "the same bytes are as good as ours"
    assert "site/.manifest" in files_of(root)


def test_a_readme_that_is_saved_during_a_build_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = collection("readme-targets", tmp_path)
    real, saved = building.compare, "saved just now\n"

    def meanwhile(*given: Any, **options: Any) -> Plan:
        (root / "README.md").write_text(saved, "utf-8")
        return real(*given, **options)

    monkeypatch.setattr(building, "compare", meanwhile)
    result = paper_notes("build", "--root", root)
    assert result.exit_code == 1
    assert result.stderr.endswith("paper-notes: README.md was changed while it was being used; run the command again\n")
    assert (root / "README.md").read_text("utf-8") == saved
    assert not (root / "site").exists()


def test_a_bug_of_ours_names_the_file_it_was_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(context: object) -> None:
        raise KeyError("kettle")

    root = collection("minimal", tmp_path)
    monkeypatch.setattr("paper_notes.markdown.render._render_text", broken)
    with pytest.raises(KeyError) as caught:
        building.build(root)
    assert re.match(r"notes_src/\S+\.md: this is a bug of ours, not yours: KeyError", our_bug(caught.value))


@pytest.mark.parametrize(
    ("broken", "named"),
    [
        ("paper_notes.sources.yaml._Builder.document", "notes_src/site.yaml"),
        ("paper_notes.corpus.note_files.folder", "notes_src/tea/01_Longjing"),
        ("paper_notes.render.notes.note_page", "site/tea/notes/01_Longjing.html"),
        ("paper_notes.render.site_pages.home_page", "index.html"),
    ],
)
def test_every_stage_names_what_it_is_at(
    broken: str, named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("kettle")

    monkeypatch.setattr(broken, fail)
    with pytest.raises(KeyError) as caught:
        building.build(collection("minimal", tmp_path))
    assert our_bug(caught.value).startswith(f"{named}: this is a bug of ours")


@pytest.mark.parametrize("folder", ["notes_src/tea/01_Green", "site/tea", "mine"])
def test_commands_work_from_any_folder_below_the_collection(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = collection("one-language", tmp_path)
    (root / folder).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(root / folder)
    result = paper_notes("check")
    assert result.exit_code == 0
    assert result.stderr.startswith(f"In {root.resolve()}:\n")
    monkeypatch.chdir(root)
    assert "In " not in paper_notes("check").stderr


@pytest.mark.skipif(os.name == "nt", reason="users own folders in another way")
def test_a_collection_of_another_user_above_is_not_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = collection("one-language", tmp_path)
    (root / "mine").mkdir()
    monkeypatch.chdir(root / "mine")
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert "no-collection" in paper_notes("check").stderr
