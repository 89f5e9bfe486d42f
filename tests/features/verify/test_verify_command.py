"""`paper-notes verify` and `check --verify` as a user runs them, on a collection whose paper is made here."""

from __future__ import annotations

import json
from pathlib import Path

import making_pdfs
import pytest
from running import paper_notes, write

from paper_notes.features.verify.evidence import NAME, read_evidence
from paper_notes.sources.tree import Source

FILES = {
    "notes_src/site.yaml": "title: {zh: 笔记, en: Notes}\ntopics: [tea]\n",
    "notes_src/library.bib": "@misc{lu760tea, title={The Classic of Tea}, author={Lu, Yu}, year={1760}}\n",
    "notes_src/tea/topic.yaml": "title: {zh: 茶, en: Tea}\n",
    "notes_src/tea/01_Green/note.yaml": "title: {zh: 绿茶, en: Green tea}\npapers: [lu760tea]\n",
    "notes_src/tea/01_Green/en.md": (
        "Only green tea scores 71.2 (Table 1).\n\n## Costs {#costs}\n\nIt costs 0.48 (Table 1).\n"
    ),
    "notes_src/tea/01_Green/zh.md": "只有绿茶得 71.2 分（表 1）。\n\n## 花费 {#costs}\n\n花 0.48（表 1）。\n",
}
PDF = "notes_src/pdfs/lu760tea.pdf"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path, FILES)
    (tmp_path / PDF).parent.mkdir()
    (tmp_path / PDF).write_bytes(making_pdfs.results())
    return tmp_path


def test_it_tells_how_many_numbers_are_where_and_which_sentences_to_check(root: Path) -> None:
    done = paper_notes("verify", "--root", root)
    assert done.exit_code == 0
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines[:5] == [
        "tea/#1 绿茶", f"lu760tea: {PDF}, 2 p.", "zh en", "in a cell 2 2", "sentences to check 2",
    ]  # fmt: skip
    shown = paper_notes("verify", "tea/1", "--all", "--root", root).stdout
    listed = " ".join(shown.split())
    assert "tea/01_Green/en.md:1:23 71.2 in a cell Table 1, Green tea × Score, p. 2" in listed
    assert "notes_src/tea/01_Green/zh.md:1  只有绿茶得 71.2 分" in shown


def test_the_json_form_has_every_number_with_its_place(root: Path) -> None:
    told = json.loads(paper_notes("verify", "--json", "--root", root).stdout)
    note = told["notes"][0]
    assert {kind: count for kind, count in note["counts"]["en"].items() if count} == {"cell": 2}
    number = note["numbers"][-1]
    assert number | {"chance": 0} == {
        "lang": "en", "section": "costs", "line": 5, "column": 10, "number": "0.48",
        "result": "bound", "bound": "cell", "binding": "T1[Green tea, Cost (s)]", "accepted": False,
        "paper": "lu760tea", "place": "Table 1, Green tea × Cost (s), p. 2", "chance": 0, "kept": False,
    }  # fmt: skip
    assert note["papers"][0]["pdf"] == PDF


def test_a_clone_without_the_pdf_shows_the_same_until_a_section_is_edited(root: Path) -> None:
    before = paper_notes("verify", "tea/1", "--keep", "--root", root)
    assert "kept: notes_src/tea/01_Green/evidence.tsv" in before.stderr
    kept = (root / "notes_src/tea/01_Green" / NAME).read_bytes()
    assert "what is kept is up to date" in paper_notes("verify", "--keep", "--root", root).stderr
    (root / PDF).unlink()
    after = paper_notes("verify", "tea/1", "--json", "--root", root)
    numbers = json.loads(after.stdout)["notes"][0]["numbers"]
    assert [number["result"] for number in numbers] == ["bound"] * 4
    assert all(number["kept"] for number in numbers)
    paper_notes("verify", "--keep", "--root", root)
    assert (root / "notes_src/tea/01_Green" / NAME).read_bytes() == kept
    write(root, {"notes_src/tea/01_Green/en.md": FILES["notes_src/tea/01_Green/en.md"].replace("0.48", "0.49")})
    again = json.loads(paper_notes("verify", "--json", "--root", root).stdout)["notes"][0]["numbers"]
    assert [number["result"] for number in again] == ["bound", "bound", "bound", "no-pdf"]


def test_it_exits_1_on_errors_as_check_does_and_keeps_all_the_same(root: Path) -> None:
    write(root, {name: text.replace("71.2", "71.9") for name, text in FILES.items() if name.endswith(".md")})
    for options in ([], ["--json"], ["--keep"], ["tea/1"]):
        assert paper_notes("verify", *options, "--root", root).exit_code == 1
    assert (root / "notes_src/tea/01_Green" / NAME).exists()
    write(root, {"notes_src/site.yaml": FILES["notes_src/site.yaml"] + "rules: {fact-not-found: warning}\n"})
    assert paper_notes("verify", "--root", root).exit_code == 0


def test_check_fails_in_ci_only_with_facts_and_can_be_told_otherwise(root: Path) -> None:
    assert paper_notes("check", "--verify", "--root", root).exit_code == 0
    write(root, {name: text.replace("71.2", "71.9") for name, text in FILES.items() if name.endswith(".md")})
    assert paper_notes("check", "--root", root).exit_code == 0
    done = paper_notes("check", "--verify", "--root", root)
    assert done.exit_code == 1
    assert 'error[fact-not-found]: "71.9" is not in Table 1, and in no paper of the note' in done.stderr
    site = FILES["notes_src/site.yaml"] + "rules: {fact-not-found: warning}\n"
    write(root, {"notes_src/site.yaml": site})
    assert paper_notes("check", "--verify", "--root", root).exit_code == 0


@pytest.mark.parametrize("damage", ["", "nonsense\n\tx\n", "# head\nen\tlead\n", "\udcff"])
def test_a_damaged_record_is_as_if_there_were_none(damage: str) -> None:
    from pathlib import PurePosixPath

    source = Source(PurePosixPath(NAME), damage.encode("utf-8", "surrogateescape"))
    found = read_evidence(source)
    assert found is None or not found.sections


def test_a_table_that_a_plot_names_is_kept_beside_the_note_and_drawn_without_the_pdf(root: Path) -> None:
    note, plot = root / "notes_src/tea/01_Green", "\n```plot\nkind: bar\ndata: T1[Score]\n```\n"
    text = note / "en.md"
    text.write_text(text.read_text("utf-8") + plot, "utf-8")
    assert "paper-notes verify NOTE --keep" in paper_notes("check", "--root", root).stderr
    assert "table-1.csv" in paper_notes("verify", "--keep", "--root", root).stderr
    kept = (note / "table-1.csv").read_text("utf-8")
    assert kept.split("\n")[0].endswith("Table 1 of lu760tea, p. 2")
    assert "Green tea,71.2,0.48" in kept
    (root / PDF).unlink()
    assert paper_notes("check", "--root", root).exit_code == 0
    own = "tea,mine\na,1\n"
    (note / "table-1.csv").write_text(own, "utf-8")
    (root / PDF).write_bytes(making_pdfs.results())
    text.write_text(text.read_text("utf-8").replace("T1[Score]", "T1"), "utf-8")
    paper_notes("verify", "--keep", "--root", root)
    assert (note / "table-1.csv").read_text("utf-8") == own, "a file of the user's own"
