"""`paper-notes list` and `show`: the filters and orders, the forms of the output, and how a note is named."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from running import PROJECT, SITES, collection, paper_notes, write

from paper_notes.commands.naming import find_note
from paper_notes.corpus.load import load
from paper_notes.corpus.model import Corpus, NoteId
from paper_notes.diagnostics import UserError
from paper_notes.sources.tree import read_tree
from paper_notes.values import replace

ROOT = SITES / "bilingual"


def listed(*arguments: str, root: Path = ROOT) -> list[str]:
    result = paper_notes("list", "--root", root, *arguments)
    assert result.exit_code == 0, result.stderr
    return [line.split("\t")[0] for line in result.stdout.splitlines()]


ALL = ["arches/#1", "arches/#2", "cables/#1"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", ALL),
        ("--topic cables", ["cables/#1"]),
        ("--topic cables --topic arches", ALL),
        ("--kind landscape", ["arches/#2"]),
        ("--kind paper --kind landscape", ALL),
        ("--tag Stone", ["arches/#1"]),
        ("--tag stone --tag other", ["arches/#1"]),
        ("--year 2019", ["arches/#1"]),
        ("--year 2023 --topic arches", []),
        ("--status revisit", ["cables/#1"]),
        ("--written both", ALL),
        ("--rating 4", ["arches/#1"]),
        ("--rating 5", []),
        ("--text okafor", ["arches/#1", "cables/#1"]),
        ("--text #2", ["arches/#1", "arches/#2"]),
        ("--text #02", ["arches/#1", "arches/#2"]),
        ("--text 石拱", ["arches/#1"]),
        ("--text ＳＴＯＮＥ", ["arches/#1", "cables/#1"]),
        ("--text 2310.00001", ["cables/#1"]),
        ("--text nowhere", []),
        ("--sort newest", ALL),
        ("--sort papers", ["cables/#1", "arches/#1", "arches/#2"]),
        ("--sort rating", ALL),
        ("--sort title --lang en", ["arches/#2", "cables/#1", "arches/#1"]),
    ],
)
def test_filters_and_orders(arguments: str, expected: list[str]) -> None:
    assert listed(*arguments.split()) == expected


def test_words_and_terms_of_the_text_are_found_in_either_language_and_script(tmp_path: Path) -> None:
    root = write(collection("minimal", tmp_path), {
        "notes_src/glossary.yaml": "- {zh: 推测解码, en: speculative decoding, aliases: [SD]}\n",
        "notes_src/tea/02_Two/note.yaml": "title: 二\n",
        "notes_src/tea/02_Two/zh.md": "说的是推测解码与接受率。\n\n## 方法\n\n`code` 與後\n",
    })  # fmt: skip
    for query in ("speculative decoding", "Speculative-Decoding", "SD", "推測解碼", "接受率 code", "与后"):
        assert listed("--text", query, root=root) == ["tea/#2"], query
    assert listed("--text", "推测 nothing", root=root) == []


def test_a_pipe_gets_lines_of_fields_and_words_go_to_stderr() -> None:
    result = paper_notes("list", "--root", ROOT, "--lang", "en", "--topic", "arches")
    assert result.stdout == (
        "arches/#1\tStone arches: two *curves*, A|B\tpaper\tread\t★★★★\t2024-03-01\tzh en\tstone, curve\n"
        "arches/#2\tBrick\tlandscape\tread\t\t\tzh en\t\n"
    )
    assert result.stderr == "2 of 3 notes\n"


def test_json_of_a_list_is_stable() -> None:
    told = json.loads(paper_notes("list", "--root", ROOT, "--json", "--tag", "stone").stdout)
    assert told == {
        "notes": [
            {
                "id": "arches/01_Stone_arches",
                "topic": "arches",
                "number": 1,
                "title": {"zh": "石拱：A|B 两种 *曲线*", "en": "Stone arches: two *curves*, A|B"},
                "short": None,
                "summary": {"zh": "用 **悬链线**，见 [[#2]]", "en": "Use the **catenary**, see [[#2]]"},
                "kind": "paper",
                "status": "read",
                "rating": 4,
                "own": True,
                "tags": ["stone", "curve"],
                "keywords": [],
                "languages": ["zh", "en"],
                "year": 2019,
                "created": "2024-02-29",
                "updated": "2024-03-01",
                "reading_source": "pdf",
                "reviewed": True,
                "draft": False,
                "papers": ["lin2019stone"],
                "source": "notes_src/arches/01_Stone_arches",
                "page": "site/arches/notes/01_Stone_arches.html",
            }
        ]
    }


def test_json_of_a_note_has_more_of_the_same() -> None:
    told = json.loads(paper_notes("show", "--root", ROOT, "--json", "arches/1").stdout)
    listing = json.loads(paper_notes("list", "--root", ROOT, "--json", "--tag", "stone").stdout)["notes"][0]
    assert {key: told[key] for key in listing if key != "papers"} == {k: v for k, v in listing.items() if k != "papers"}
    assert list(told)[len(listing) :] == [
        "length", "sections", "cites", "links_to", "backlinks", "paths", "corrects", "corrected_by",
    ]  # fmt: skip
    assert told["papers"][0]["authors"] == ["Mei Lin", "Ada Okafor", "John Smith"]
    assert told["papers"][0]["links"] == {"DOI": "https://doi.org/10.1234/(SICI)12:3%3C45::AID%3E2.0.CO;2-X"}
    assert set(told["length"]) == {"zh", "en"}
    assert ("three-curves", 2) in [(section["id"], section["level"]) for section in told["sections"]]
    for section in told["sections"]:
        assert set(section) == {"id", "level", "zh", "en"}
        assert section["en"] is None or set(section["en"]) == {"heading", "words", "characters"}
    assert told["cites"] == ["lin2019stone", "okafor2023wind"]
    assert told["backlinks"] == ["cables/01_Wind"]
    assert told["paths"] == [{"title": {"zh": "入门", "en": "A first walk"}, "position": 3, "length": 3}]
    assert told["corrects"] == [
        {
            "note": "cables/01_Wind",
            "claim": {"zh": "缆不会共振", "en": "Cables never resonate"},
            "correction": {"zh": "会的", "en": "They do"},
        }
    ]
    other = json.loads(paper_notes("show", "--root", ROOT, "--json", "cables/1").stdout)
    assert [item["note"] for item in other["corrected_by"]] == ["arches/01_Stone_arches"]


def test_show_tells_it_in_words() -> None:
    result = paper_notes("show", "--root", ROOT, "arches/1", "--lang", "en")
    assert result.exit_code == 0
    assert result.stdout.startswith(
        "arches/#1  Stone arches: two *curves*, A|B\nUse the **catenary**, see [[#2]]\n"
        "paper · read · ★★★★ · zh, en · own paper · created 2024-02-29 · updated 2024-03-01\n"
        "tags: stone, curve\nsource: notes_src/arches/01_Stone_arches\n"
    )
    for part in (
        "Papers\n  lin2019stone · Stone & Sky",
        "Linked from\n  cables/#1  How wind moves a cable",
        "Reading paths\n  A first walk (3 of 3)",
        "Corrects\n  cables/#1  How wind moves a cable: Cables never resonate → They do",
    ):
        assert part in result.stdout
    assert re.search(r"#three-curves  \(zh \d+ characters, en \d+ words\)", result.stdout)
    assert "石拱" in paper_notes("show", "--root", ROOT, "arches/1").stdout


def test_a_collection_is_told_of_in_its_own_languages(tmp_path: Path) -> None:
    root = write(tmp_path, {
        "notes_src/site.yaml": "title: {en: S, zh: 站}\nlanguages: [en, zh]\ntopics: [t]\n",
        "notes_src/t/topic.yaml": "title: {en: T, zh: 题}\n",
        "notes_src/t/01_A/note.yaml": "title: {en: A, zh: 甲}\nsummary: {zh: 一句}\n",
        "notes_src/t/01_A/en.md": "## Method\n\nTwo words.\n",
        "notes_src/t/01_A/zh.md": "## 方法\n\n四个字。\n",
    })  # fmt: skip
    told = json.loads(paper_notes("show", "--root", root, "--json", "t/1").stdout)
    assert list(told["title"].items()) == [("en", "A"), ("zh", "甲")]
    assert told["summary"] == {"en": "一句", "zh": "一句"}
    assert list(told["sections"][0]) == ["id", "level", "en", "zh"]
    text = paper_notes("show", "--root", root, "t/1").stdout
    assert text.startswith("t/#1  A\n")
    assert "  Method  #method  (en 2 words, zh 4 characters)" in text
    for name in ("en.md", "zh.md", "note.yaml"):
        assert paper_notes("show", "--root", root, f"notes_src/t/01_A/{name}").exit_code == 0
    assert listed("--written", "both", root=root) == listed("--written", "zh", root=root) == ["t/#1"]


def test_a_collection_in_one_language(tmp_path: Path) -> None:
    root = write(tmp_path, {
        "notes_src/site.yaml": "title: S\nlanguages: [en]\ntopics: [t]\n",
        "notes_src/t/topic.yaml": "title: T\n",
        "notes_src/t/01_A/note.yaml": "title: A\n",
        "notes_src/t/01_A/en.md": "## Method\n\nTwo words.\n",
    })  # fmt: skip
    told = json.loads(paper_notes("show", "--root", root, "--json", "t/1").stdout)
    assert (told["title"], told["languages"]) == ({"en": "A"}, ["en"])
    assert list(told["sections"][0]) == ["id", "level", "en"]
    assert listed("--written", "both", root=root) == []
    refused = paper_notes("sync", "t/1", "--root", root)
    assert (refused.exit_code, "t/01_A is in one language" in refused.stderr) == (1, True)
    assert not re.search(r"\bzh\b", refused.stderr)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("list --lang eng", 'Invalid value for --lang: the site has no language "eng"; did you mean "en"?'),
        ("list --lang ja", 'Invalid value for --lang: the site has no language "ja"; known: en, zh'),
        ("list --lang both", 'Invalid value for --lang: the site has no language "both"; known: en, zh'),
        ("list --written bot", 'Invalid value for --written: the site has no language "bot"; did you mean "both"?'),
        ("show arches/1 --lang fr", 'Invalid value for --lang: the site has no language "fr"; known: en, zh'),
    ],
)
def test_a_language_that_the_site_does_not_have_is_wrong_usage(arguments: str, told: str) -> None:
    result = paper_notes(*arguments.split(), "--root", ROOT)
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr


def test_a_language_may_be_written_in_any_case() -> None:
    assert listed("--lang", "EN", "--written", "Zh") == ALL


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    loaded, _ = load(read_tree(ROOT)[0])
    assert loaded is not None
    return loaded


@pytest.mark.parametrize(
    "reference",
    [
        "arches/1", "arches/#1", "arches/01", "arches/01_Stone_arches", "01_Stone_arches", "stone", "石拱", "STONE",
        "notes_src/arches/01_Stone_arches/", "notes_src/arches/01_Stone_arches/zh.md",
        "./notes_src/arches/01_Stone_arches/note.yaml", "site/arches/notes/01_Stone_arches.html",
    ],
)  # fmt: skip
def test_a_note_is_named_in_many_ways(corpus: Corpus, reference: str) -> None:
    assert find_note(corpus, reference, guess=True).id == "arches/01_Stone_arches"


@pytest.mark.parametrize(
    ("reference", "message", "hint"),
    [
        ("1", '"1" could be 2 notes', "write one of arches/#1, cables/#1"),
        ("arches/9", 'no note "arches/9" in topic "arches"', "it has #1, #2"),
        ("arch/1", 'no topic "arch" for the reference "arch/1"', 'did you mean "arches"?'),
        ("01_Stone_arhces", 'no note "01_Stone_arhces"', 'did you mean "01_Stone_arches"?'),
        ("", 'no note ""', "known: 01_Stone_arches, 01_Wind, 02_Brick_2020"),
    ],
)
def test_a_note_that_is_not_there(corpus: Corpus, reference: str, message: str, hint: str) -> None:
    with pytest.raises(UserError) as raised:
        find_note(corpus, reference, guess=True)
    assert (raised.value.message, raised.value.hint) == (message, hint)


def test_a_command_that_writes_does_not_guess(corpus: Corpus) -> None:
    assert find_note(corpus, "01_Stone_arches").id == "arches/01_Stone_arches"
    assert find_note(corpus, "2").id == "arches/02_Brick_2020"
    for part in ("stone", "Stone arches", "石拱"):
        with pytest.raises(UserError) as raised:
            find_note(corpus, part)
        assert raised.value.message == f'no note "{part}"'


def test_many_notes_of_one_name(corpus: Corpus) -> None:
    stone = corpus.notes[0]
    notes = (replace(stone, id=NoteId(f"arches/{number:02}_Stone"), number=number) for number in range(1, 12))
    many = replace(corpus, notes=tuple(notes))
    with pytest.raises(UserError) as raised:
        find_note(many, "stone", guess=True)
    assert raised.value.hint.endswith("arches/#8, ...")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["show", "x"], 1, 'paper-notes: no note "x"\n  hint: known: '),
        (["list", "--topic", "arch"], 1, 'paper-notes: there is no topic "arch"\n  hint: did you mean "arches"?'),
        (["list", "--kind", "papers"], 1, 'paper-notes: there is no kind "papers"\n  hint: did you mean "paper"?'),
        (["list", "--rating", "6"], 2, "Invalid value for '--rating'"),
        (["list", "--tag", "stones"], 0, '0 of 3 notes\n  hint: no note has the tag "stones"; did you mean "stone"?'),
    ],
)
def test_what_is_asked_for_wrongly(arguments: list[str], code: int, words: str) -> None:
    result = paper_notes(*arguments, "--root", ROOT)
    assert result.exit_code == code
    assert words in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("command", [["list"], ["show", "x"]])
def test_a_collection_with_errors_is_fixed_first(command: list[str]) -> None:
    result = paper_notes(*command, "--root", SITES / "every-mistake")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "error[" in result.stderr
    assert "the collection has errors; fix them first" in result.stderr


TERMINAL = """
import os, pty, sys
pid, screen = pty.fork()
if not pid:
    os.execv(sys.executable, [sys.executable, "-m", "paper_notes", *sys.argv[1:]])
text = b""
try:
    while part := os.read(screen, 4096):
        text += part
except OSError:
    pass
os.waitpid(pid, 0)
sys.stdout.buffer.write(text)
"""


@pytest.mark.nightly(but_every=2)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("width", "columns"), [(120, 8), (80, 6), (50, 4), (30, 2)])
def test_on_a_terminal_it_is_a_table_of_its_width(width: int, columns: int) -> None:
    env = {**os.environ, "COLUMNS": str(width), "NO_COLOR": "1", "TERM": "xterm", "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-c", TERMINAL, "list", "--root", str(ROOT)]
    made = subprocess.run(command, env=env, capture_output=True, encoding="utf-8", check=True, timeout=300)
    lines = [line for line in made.stdout.splitlines() if not line.endswith("notes")]
    assert lines[0].split() == ["note", "title", "kind", "status", "rating", "date", "lang", "tags"][:columns]
    assert "\x1b" not in made.stdout
    assert "石拱" in made.stdout
    wide = re.compile("[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]")
    assert all(len(line) + len(wide.findall(line)) <= width for line in lines)
