"""`from paper_notes import open_collection`, and `export --data`: the same values, under names that are kept."""

from __future__ import annotations

import doctest
import inspect
import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import FrozenInstanceError, fields
from itertools import combinations
from pathlib import Path

import pytest
from running import PROJECT, SITES, Once, paper_notes, write

import paper_notes as library
from paper_notes import Collection, UserError, open_collection
from paper_notes.features.library.values import json_schema
from paper_notes.render.search.folding import fold

GUIDE = PROJECT / "notes_src/guide/09_Your_tools"
NOTES = {
    "notes_src/site.yaml": "title: T\nlanguages: [en]\ntopics: [t]\n",
    "notes_src/t/topic.yaml": "title: Topic\n",
    "notes_src/glossary.yaml": "- {en: speculative decoding, aliases: [SD]}\n- {en: reward}\n",
    "notes_src/a.bib": "@misc{one2025a, title={A paper on acceptance}, author={Li, Ann}, year=2025, month=mar}\n"
    "@misc{two2025b, title={Another}, author={Wu, Bo}, year=2025, month=mar}\n"
    "@misc{three2026, title={Third}, author={Wu, Bo}, year=2026, month=jan}\n",
    "notes_src/t/01_First/note.yaml": "title: Rejection\nkind: paper\npapers: [one2025a]\ntags: [x, y]\n"
    "created: 2025-05-01\n",
    "notes_src/t/01_First/en.md": "SD is quick.\n\n## Drafting\n\nIt rejects a token [@two2025b].\n\n"
    "## Results {#r}\n\n"
    "| method | GSM8K | MATH |\n|---|---|---|\n| ours | 81.5% | **−2.5** |\n| base | 70 | n/a |\n",
    "notes_src/t/02_Second/note.yaml": "title: Second\nkind: paper\npapers: [two2025b]\ntags: [y, x]\n"
    "created: 2025-04-01\n",
    "notes_src/t/02_Second/en.md": "## Rejection in short\n\nThe reward of speculative decoding.\n\n"
    "| method | GSM8K |\n|---|---|\n| theirs | 1.2M |\n",
    "notes_src/t/03_Third.md": "---\ntitle: Third\n---\nA rejection, in the text. [[#1]]\n",
    "notes_src/t/04_Draft/note.yaml": "title: Secret\nkind: note\ndraft: true\n",
    "notes_src/t/04_Draft/en.md": "Nobody sees it.\n",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("library"), NOTES)


@pytest.fixture(scope="module")
def notes(root: Path) -> Collection:
    return open_collection(root)


def test_the_names_and_fields_are_those_that_users_rely_on() -> None:
    """Add to these lists; what is taken out breaks somebody's notebook."""
    kept = (Path(__file__).parent / "public.txt").read_text("utf-8")
    assert _public() == kept, "a name that users rely on has changed"


def _public() -> str:
    lines = []
    stub = (PROJECT / "paper_notes/__init__.pyi").read_text("utf-8")
    for name in sorted(re.findall(r" as (\w+)", stub)):
        value = getattr(library, name)
        if name == "open_collection":
            lines.append(f"{name}{inspect.signature(value)}")
        elif name == "Collection":
            members = (item for item in dir(value) if not item.startswith("_"))
            lines += [f"Collection.{item}{_signature(getattr(value, item, None))}" for item in members]
        elif name != "UserError":
            lines += [f"{name}.{field.name}: {field.type}" for field in fields(value)]
    return "".join(f"{line}\n" for line in lines)


def _signature(member: object) -> str:
    return str(inspect.signature(member)) if inspect.isfunction(member) else ""


def test_the_stub_names_what_the_package_gives() -> None:
    stub = (PROJECT / "paper_notes/__init__.pyi").read_text("utf-8")
    assert sorted(re.findall(r" as (\w+)", stub)) == sorted(library._LIBRARY)
    with pytest.raises(AttributeError):
        _ = library.nothing  # type: ignore[attr-defined]


def test_importing_the_package_loads_none_of_it() -> None:
    code = "import paper_notes, sys; print(sum(name.startswith('paper_notes.') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "0\n"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_examples_of_the_guide_run(lang: str, once: Once, monkeypatch: pytest.MonkeyPatch) -> None:
    made = once("init", lambda place: paper_notes("init", place / "my-notes", "--languages", "zh,en"))
    monkeypatch.chdir(made)
    page = (GUIDE / f"{lang}.md").read_text("utf-8")
    text = "\n".join(re.findall(r"^```python\n(>>>.*?)^```", page, re.MULTILINE | re.DOTALL))
    test = doctest.DocTestParser().get_doctest(text, {}, lang, None, 0)
    assert len(test.examples) > 8
    assert doctest.DocTestRunner().run(test).failed == 0


def test_values_are_frozen_and_drafts_are_left_out(root: Path, notes: Collection) -> None:
    assert [note.id for note in notes.notes] == ["t/01_First", "t/02_Second", "t/03_Third"]
    assert [note.draft for note in open_collection(root, drafts=True).notes] == [False, False, False, True]
    with pytest.raises(FrozenInstanceError):
        notes.notes[0].title = {}  # type: ignore[misc]
    assert notes.note("t/01_First").backlinks == ("t/03_Third",)


def test_a_notebook_of_questions_is_answered(notes: Collection) -> None:
    assert Counter(paper.date[:7] for paper in notes.papers if paper.notes) == {"2025-03": 2}
    together = Counter(pair for note in notes.notes for pair in combinations(sorted(note.tags), 2))
    assert together == {("x", "y"): 2}
    first_used = {term.name["en"]: term.notes[0] for term in notes.terms}
    assert first_used == {"speculative decoding": "t/02_Second", "reward": "t/02_Second"}
    by_dataset = [(number.row, number.value, number.unit) for number in notes.numbers if number.column == "GSM8K"]
    assert by_dataset == [("ours", 81.5, "%"), ("base", 70.0, ""), ("theirs", 1_200_000.0, "")]
    negative = next(number for number in notes.numbers if number.column == "MATH")
    assert (negative.value, negative.section, negative.table) == (-2.5, "r", 1)
    assert [paper.cited_by for paper in notes.papers if paper.key == "two2025b"] == [("t/01_First",)]


def test_titles_come_before_terms_before_headings_before_the_text(notes: Collection) -> None:
    found = notes.search("rejection")
    assert [(match.note, match.section) for match in found] == [
        ("t/01_First", "lead"),  # its title
        ("t/02_Second", "rejection-in-short"),  # a heading
        ("t/03_Third", "lead"),
    ]
    assert [match.note for match in notes.search("SD")] == ["t/01_First", "t/02_Second"]
    assert [match.note for match in notes.search("ACCEPTANCE drafting")] == ["t/01_First"]
    assert notes.search("drafting nowhere") == notes.search("") == ()
    assert len(notes.search("rejection", limit=1)) == 1
    assert "rejects a token" in notes.search("token")[0].excerpt


def test_a_collection_with_errors_says_where_they_are(tmp_path: Path) -> None:
    write(tmp_path, {**NOTES, "notes_src/t/01_First/note.yaml": "title: A\nkind: paper\npapers: [nobody]\n"})
    collection = open_collection(tmp_path)
    with pytest.raises(UserError):
        _ = collection.notes
    assert [(finding.path, finding.rule) for finding in collection.check()] == [
        ("notes_src/t/01_First/note.yaml", "unknown-bibkey")
    ]


def exported(root: Path, name: str, *options: str) -> bytes:
    result = paper_notes("export", "--root", root, "--data", root / name, *options)
    assert result.exit_code == 0, result.stderr
    return (root / name).read_bytes()


def test_the_file_has_the_values_of_the_library(root: Path, notes: Collection) -> None:
    data = json.loads(exported(root, "corpus.json"))
    assert [note["id"] for note in data["notes"]] == [note.id for note in notes.notes]
    assert data["papers"][0]["title"] == notes.papers[0].title
    assert len(data["numbers"]) == len(notes.numbers)
    lines = [json.loads(line) for line in exported(root, "corpus.jsonl").decode().splitlines()]
    assert Counter(line["type"] for line in lines) == {"note": 3, "paper": 3, "term": 2, "number": len(notes.numbers)}
    assert {key: value for key, value in lines[0].items() if key != "type"} == data["notes"][0]


@pytest.mark.nightly
def test_the_same_notes_give_the_same_bytes(root: Path) -> None:
    code = "import sys; from paper_notes.commands import main; main(sys.argv[1:])"
    first = exported(root, "again.json", "--force")
    command = [sys.executable, "-c", code, "export", "--root", root, "--data", root / "other.json"]
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": "7"})
    assert (root / "other.json").read_bytes() == first


@pytest.mark.parametrize("scenario", ["bilingual", "japanese", "readme-targets"])
def test_the_schema_is_that_of_the_data(scenario: str, tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="it comes with check-jsonschema")
    exported_schema = json.loads(exported(tmp_path, "corpus.schema.json"))
    assert exported_schema == json_schema()
    jsonschema.Draft202012Validator.check_schema(exported_schema)
    judge = jsonschema.Draft202012Validator(exported_schema)
    paper_notes("export", "--root", SITES / scenario, "--data", tmp_path / "a.json")
    data = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert data["notes"]
    judge.validate(data)
    data["notes"][0]["title"] = 3
    assert not judge.is_valid(data)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--data", "a.csv"], "--data writes .json"),
        (["--data", "a.json", "--epub"], "whole collection"),
        (["--data", "corpus.json"], "is there already"),
    ],
)
def test_what_cannot_be_written_is_said(
    arguments: list[str], said: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    (root / "corpus.json").write_text("mine", "utf-8")
    result = paper_notes("export", *arguments)
    assert result.exit_code in (1, 2)
    assert said in result.stderr


def test_folding_a_text_is_folding_its_characters() -> None:
    text = "Ｒényi’s “後” 機械 が"
    assert fold(text) == 'renyi\'s "后" 机械 が'
    assert fold(text, chinese=False) == 'renyi\'s "後" 機械 が'
