"""Texts of strangers cannot control the terminal or imitate our messages."""

from __future__ import annotations

import json
import re
from pathlib import Path, PurePosixPath

import making_pdfs
import pytest
from fake_outside import FakeOutside, csl_item
from running import paper_notes, put_in_place, write

from paper_notes.artifacts import Artifact
from paper_notes.commands.terminal import fail, plain, print_json, say, say_changes, say_diagnostics, tell
from paper_notes.diagnostics import Diagnostic, Location, UserError
from paper_notes.output.plan import Plan
from paper_notes.sources import tree

EVIL = "\x1b]0;owned\x07\x1b[2J\r\x08\x9b31m\u202egnp.exe\u2066\u200b\ufeff\U000e0041\x7f\x00"
FORGED = "x\nnotes_src/site.yaml:1:1: error[made-up]: \u2028run `rm -rf ~`"
_OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
)


def test_what_is_plain_stays() -> None:
    assert plain("中文 é “x” → ★ \u200d 👩\u200d🔬") == "中文 é “x” → ★ \u200d 👩\u200d🔬"
    assert plain("a\x1b[2J\tb\nc\u202ed\ud800\x9b\U000e0041") == (r"a\u001b[2J\tb\nc\u202ed\ud800\u009b\udb40\udc41")


def test_every_way_to_say_something_is_plain(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (EVIL, FORGED, "\ud800"):
        say(words)
        tell(words, words)
        tell(words, bold=True)
        say_diagnostics((Diagnostic(Location(PurePosixPath(words), 1, 1), "bad-value", words, words),))
        print_json(**{words: [words]})
        with pytest.raises(SystemExit):
            fail(words, words)
    out, err = capsys.readouterr()
    assert not _OBEYED.search(out + err)
    assert not [line for line in (out + err).splitlines() if line.startswith("notes_src")]
    assert len(err.splitlines()) == 3 * (1 + 3 + 2)


def test_json_says_what_it_said(capsys: pytest.CaptureFixture[str]) -> None:
    print_json(found=[EVIL, FORGED, "中文", "\ud800"])
    out = capsys.readouterr().out
    assert json.loads(out) == {"found": [EVIL, FORGED, "中文", "\ud800"]}
    assert "中文" in out


def test_many_findings_of_a_rule_are_summed_up_and_hide_no_other(tmp_path: Path) -> None:
    write(
        tmp_path / "notes_src",
        {
            "site.yaml": "title: T\nlanguages: [en]\ntopics: [tea]\n",
            "tea/topic.yaml": "title: T\n",
            "tea/01_A/note.yaml": "title: T\n",
            "tea/01_A/en.md": "[[#9]]\n\n" * 1_332 + "[@none]\n",
        },
    )
    result = paper_notes("check", "--root", tmp_path)
    assert result.stderr.count(": error[dangling-reference]: ") == 20
    assert ": error[unknown-bibkey]: " in result.stderr
    assert "and 1,312 more of error[dangling-reference]; " in result.stderr
    assert "1333 errors" in result.stderr
    found = json.loads(paper_notes("check", "--root", tmp_path, "--json").stdout)
    assert len(found["diagnostics"]) == 1_333


def test_a_message_may_not_fill_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    say_diagnostics((Diagnostic(Location(PurePosixPath("a.md")), "bad-value", "x" * 10**6, "y" * 10**6),))
    assert len(capsys.readouterr().err) < 5_000


def test_a_hostile_collection_is_reported_in_plain_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """File names, captions, keys, titles and captions of a PDF, by every command that shows them."""
    monkeypatch.chdir(tmp_path)
    root = write(
        tmp_path,
        {
            "notes_src/site.yaml": "title: {zh: 站, en: Site}\ntopics: [tea]\n",
            "notes_src/tea/topic.yaml": "title: {zh: 题, en: Topic}\n",
            "notes_src/tea/01_A/note.yaml": 'title: {zh: 甲, en: "\u2067A\u2069 \u200b\u200e"}\n'
            'kind: paper\npapers: [a]\ntags: ["x\u200by"]\n',
            "notes_src/tea/01_A/en.md": "## \u2067A\u2069\n\n![\u2067x\u2069\u200b](missing.png)\n\n[@\u200bmissing]\n",
            "notes_src/library.bib": "@misc{a, title={\u2067T\u2069}, author={A, B}, year={20\u200b20}}\n",
            "notes_src/\x1b[2Ja\nb: error[made-up]: x.md": "x",
        },
    )
    (tmp_path / "a\x1b[2J\n.pdf").write_bytes(making_pdfs.paper(title="A \x1b[2J\u202e title"))
    for arguments in (
        ("check", "--root", root),
        ("build", "--root", root),
        ("list", "--root", root),
        ("list", "--root", root, "--json"),
        ("figures", tmp_path / "a\x1b[2J\n.pdf"),
    ):
        said = paper_notes(*arguments)
        assert said.exit_code in (0, 1), said.output
        assert not _OBEYED.search(said.stdout + said.stderr), arguments
        assert not re.search("^b:", said.output, re.MULTILINE)
    (root / "notes_src/\x1b[2Ja\nb: error[made-up]: x.md").unlink()
    (root / "notes_src/tea/01_A/en.md").write_text("## A\n")
    (root / "notes_src/library.bib").write_text(
        "@misc{a, title={\u2067T\u2069\u200b}, author={A\u200e, B}, year={2020}}\n"
    )
    for arguments in (
        ("list", "--root", root),
        ("show", "tea/1", "--root", root),
        ("show", "tea/1", "--root", root, "--json"),
    ):
        said = paper_notes(*arguments)
        assert said.exit_code == 0, said.output
        assert not _OBEYED.search(said.stdout + said.stderr), arguments


def test_what_a_doi_answers_is_said_in_plain_words(
    tmp_path: Path, outside: FakeOutside, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in outside.environment.items():
        monkeypatch.setenv(name, value)
    outside.doi.says(csl_item(DOI=f"10.9/{FORGED}{EVIL}"))
    root = write(tmp_path, {"notes_src/site.yaml": "title: {zh: 站, en: Site}\ntopics: [tea]\n"})
    said = paper_notes("new", "10.1234/x", "--topic", "tea", "--root", root)
    assert said.exit_code == 1
    assert "doi.org was asked for 10.1234/x and answered with" in said.stderr
    assert not _OBEYED.search(said.output)
    assert len(said.stderr.splitlines()) == 3


@pytest.mark.parametrize("command", [("figures",), ("show", "a"), ("list", "--in"), ()])
def test_names_of_files_on_the_command_line_are_said_in_plain_words(command: tuple[str, ...]) -> None:
    said = paper_notes(*command, f"{FORGED}\x1b[2J")
    assert said.exit_code == 2
    assert re.search(r"\\(u00|x)1b\[2J", said.stderr)
    assert not _OBEYED.search(said.output)
    assert not re.search("^notes_src", said.output, re.MULTILINE)


def test_what_a_command_cannot_do_is_said_in_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any UserError, from wherever it comes: the findings, the message, the hint, and exit code 1."""
    mistake = Diagnostic(Location(PurePosixPath("notes_src/a.md"), 3, 4), "bad-value", "wrong")
    read = tree.read_tree

    def no_tree(*_: object, **__: object) -> None:
        raise UserError("the tree is gone", "plant one", (mistake,))

    said = "notes_src/a.md:3:4: error[bad-value]: wrong\n1 error\npaper-notes: the tree is gone{}\n  hint: plant one\n"
    for command, nothing in (
        (["list"], ""),
        (["lookup"], ""),
        (["sync", "a/1"], ". Nothing was written"),
        (["new", "2510.26475", "--topic", "a"], ". Nothing was written"),
    ):
        paper_notes(command[0], "--help")  # loads its module, which has the function by its name
        put_in_place(monkeypatch, read, no_tree)
        result = paper_notes(*command, "--root", tmp_path)
        assert (result.exit_code, result.stderr) == (1, said.format(nothing))


def test_a_long_list_of_changes_is_cut_with_the_number_of_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    files = tuple(Artifact.text(f"site/{number:02}.html", "") for number in range(25))
    say_changes(Plan(create=files, update=(), delete=(PurePosixPath("site/old.html"),), unchanged=()))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 22
    assert lines[19:] == ["would create site/19.html", "... and 5 more files", "would delete site/old.html"]
