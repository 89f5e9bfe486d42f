"""Folders of other tools as `import` takes them in: what their users expect beyond the text of each note."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath

import pytest
import yaml
from foreign_folder import FOLDERS, read_all
from running import paper_notes, write

from paper_notes.features.importing.markdown.front import front_matter
from paper_notes.features.importing.types import Original

BIB = "@book{darwin1898tides,\n  title = {The Tides},\n  author = {Darwin, George Howard},\n  year = {1898},\n}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    site = "title: {zh: 笔记, en: Notes}\nlanguages: [zh, en]\ntopics: [old]\n"
    write(tmp_path, {"notes_src/site.yaml": site, "notes_src/old/topic.yaml": "title: Old\n"})
    return tmp_path


def taken_in(root: Path, name: str) -> dict[str, object]:
    done = paper_notes("import", FOLDERS / name, "--offline", "--root", root, "--json")
    assert done.exit_code == 0, done.output
    read: dict[str, object] = json.loads(done.stdout)
    return read


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("title: Foo: a bar\ntags: [a, b]\n", {"title": "Foo: a bar", "tags": ["a", "b"]}),
        ('title: "Foo": a bar\n# mine\nday: 2024-01-02\n', {"title": '"Foo": a bar', "day": "2024-01-02"}),
        ("title: 'Don't: stop'\n", {"title": "Don't: stop"}),
        ("title: A: b\nauthors:\n- Doe\n- Roe\n", {"title": "A: b", "authors": ["Doe", "Roe"]}),
        ("  title: A: b\n  tags: {x\n", {"title": "A: b", "tags": "{x"}),
        ("Two words: and more: words\nbetween rules\n", {}),
    ],
)
def test_front_matter_that_is_no_yaml_as_a_whole_is_read_key_by_key(written: str, values: dict[str, object]) -> None:
    assert front_matter(Original(PurePosixPath("a.md"), f"---\n{written}---\n\nText.\n")).values == values


def test_a_database_of_notion_is_a_table_that_links_to_its_pages(root: Path) -> None:
    taken_in(root, "notion")
    (table,) = root.glob("notes_src/论文库/*论文库/zh.md")
    assert table.read_text().split("\n") == [
        "| Name | Status | Tags | Score | Link |",
        "|---|---|---|---|---|",
        "| [[论文库/#3]] | Done | 天文, 潮汐 | 4 | https://arxiv.org/abs/2301.01234 |",
        "| [[论文库/#2]] | Reading | 能源 |  |  |",
    ]
    (page,) = root.glob("notes_src/论文库/03_*/zh.md")
    number = int(table.parent.name.partition("_")[0])
    assert page.read_text().endswith(f"[[论文库/#{number}]]")
    facts = yaml.safe_load(page.with_name("note.yaml").read_text())
    assert (facts["kind"], facts["papers"], facts["status"]) == ("paper", ["arxiv230101234"], "read")


def test_the_note_of_a_citekey_is_about_that_paper_and_citations_lead_to_notes(root: Path) -> None:
    write(root, {"notes_src/library.bib": BIB})
    taken_in(root, "zotero")
    (note,) = root.glob("notes_src/zotero/*darwin1898tides/note.yaml")
    facts = yaml.safe_load(note.read_text())
    assert (facts["papers"], facts["title"]) == (["darwin1898tides"], {"en": "The Tides and Kindred Phenomena"})
    text = note.with_name("en.md").read_text()
    assert "<mark>“the moon pulls the nearer water more”</mark> ([Darwin, 1898, p. 3](zotero://select/" in text
    assert "See [[zotero/#2|@thomson1868tides]]." in text
    assert paper_notes("build", "--root", root).exit_code == 0
    assert (
        'href="zotero://open-pdf/library/items/PDF00001?page=13'
        in (root / "site/zotero/notes/01_darwin1898tides.html").read_text()
    )


def test_all_pages_of_a_graph_of_logseq_are_imported(root: Path) -> None:
    taken_in(root, "logseq")
    (page,) = root.glob("notes_src/logseq/*_潮汐/zh.md")
    assert "也见 [[#4#^65a1b2c3-0002-" in page.read_text().replace("logseq/", "")


def test_files_for_the_look_of_a_site_make_no_topic(root: Path) -> None:
    write(root / "web", {"docs/rl/a.md": "# A\n\nx\n", "docs/javascripts/TODO.md": "# TODO\n\nx\n", "mkdocs.yml": ""})
    done = paper_notes("import", root / "web", "--offline", "--root", root)
    assert "no notes but files of a repository or a tool: 1 (docs/javascripts/TODO.md)" in done.stderr
    assert sorted(path.name for path in (root / "notes_src").iterdir() if path.is_dir()) == ["old", "rl"]


def test_citations_lead_to_papers_of_the_files_of_bibtex_in_the_folder(root: Path) -> None:
    known = "@book{tides, title={The Tides}, author={Darwin, George Howard}, year={1898}}\n"
    write(root, {"notes_src/library.bib": known})
    entries = {
        "darwin1898": "@book{darwin1898, title={The Tides}, author={Darwin, George Howard}, year={1898}}",
        "tides": "@article{tides, title={Other tides}, author={Thomson, William}, year={1868}, file={/home/me/x.pdf}}",
        "never": "@misc{never, title={Never cited}, author={Nobody, Ann}, year={2000}}",
        "broken": "@misc{broken, title={No end",
    }
    text = "See [see @darwin1898, p. 2; @tides], as @tides says; [@broken] and @nobody and a@tides.\n"
    own = {"web/_quarto.yml": "project:\n  type: website\n", "web/refs.bib": "\n".join(entries.values())}
    write(root, {**own, "web/a.qmd": f"---\ntitle: Sea\n---\n\n{text}"})
    done = paper_notes("import", root / "web", "--offline", "--root", root, "--json")
    assert done.exit_code == 0, done.output
    (note,) = root.glob("notes_src/web/*_a/en.md")
    assert note.read_text() == (
        r"See [see @tides, p. 2; @tidesa], as [@tidesa] says; \[\@broken] and \@nobody and a@tides."
    )
    other = "@article{tidesa, title={Other tides}, author={Thomson, William}, year={1868}}\n"
    assert (root / "notes_src/library.bib").read_text() == f"{known}\n{other}"
    (told,) = json.loads(done.stdout)["notes"]
    assert (told["kept"], told["differences"]) == (told["characters"], [])
    assert paper_notes("import", root / "web", "--offline", "--root", root).exit_code == 0
    assert (root / "notes_src/library.bib").read_text() == f"{known}\n{other}"
    page = (root / "site" if paper_notes("build", "--root", root).exit_code == 0 else root) / "web/notes/01_a.html"
    assert 'href="#ref-tidesa"' in page.read_text()


def test_a_paper_under_two_keys_is_one_entry_and_each_citation_of_it_is_proven(root: Path) -> None:
    entry = "@book{{{}, title={{The Tides}}, author={{Darwin, George Howard}}, year={{1898}}}}\n"
    texts = {f"web/{key}.md": f"# {key.title()}\n\nSee [@{key}].\n" for key in ("tides", "darwin")}
    write(root, {**texts, "web/a.bib": entry.format("tides"), "web/b.bib": entry.format("darwin")})
    for state in ("new", "same"):
        done = paper_notes("import", root / "web", "--offline", "--root", root, "--json")
        assert done.exit_code == 0, done.output
        notes = json.loads(done.stdout)["notes"]
        assert [(note["state"], note["kept"], note["differences"]) for note in notes] == [
            (state, note["characters"], []) for note in notes
        ]
    assert (root / "notes_src/library.bib").read_text() == entry.format("tides")
    assert {note.read_text() for note in root.glob("notes_src/web/*/en.md")} == {"See [@tides]."}


def test_properties_that_link_to_notes_are_lines_of_links() -> None:
    files: dict[str, str | bytes] = {
        ".obsidian/app.json": "{}",
        "A.md": '---\nup: "[[B]]"\nrelated:\n  - "[[B|the other]]"\n  - "[[C]]"\nmood: good\n---\n# A\n\ntext\n',
        "B.md": "# B\n\nup:: [[A]]\n\ntext\n",
        "C.md": "---\nup: [[B]]\nhead: [[meta, {name: k}]]\n---\n# Sea\n\ntext\n",
    }
    notes = read_all(files)
    assert notes["A.md"].body == "**up**: [[notes/#2]]\n\n**related**: [[notes/#2|the other]], [[notes/#3|C]]\n\ntext"
    assert notes["A.md"].extra == {"mood": "good"}
    assert notes["B.md"].body == "up:: [[notes/#1]]\n\ntext"
    assert notes["C.md"].body == "**up**: [[notes/#2]]\n\ntext"
    assert notes["C.md"].extra == {"head": [["meta", {"name": "k"}]]}


def test_authors_that_are_notes_are_authors_of_the_paper() -> None:
    head = '---\nauthors: ["[[Ada Lovelace]]", "[[people/B|Bo Li]]"]\n'
    files: dict[str, str | bytes] = {
        ".obsidian/app.json": "{}",
        "A.md": f"{head}arxiv: 2211.17192\n---\n# A\n\ntext\n",
        "B.md": f"{head}---\n# B\n\ntext\n",
    }
    notes = read_all(files)
    assert (notes["A.md"].extra, notes["A.md"].body) == ({"authors": ["Ada Lovelace", "Bo Li"]}, "text")
    assert notes["B.md"].body.startswith("**authors**: "), "no paper has them"


def test_a_new_paper_has_the_key_and_title_that_a_reference_manager_gave(root: Path) -> None:
    head = "---\ntitle: Tides\nauthors: [Ada Lovelace]\ncitekey: ada2023tides\narxiv: 2301.00001\n---\n"
    write(root, {"web/a.md": f"{head}# Tides\n\ntext\n"})
    assert paper_notes("import", root / "web", "--offline", "--root", root).exit_code == 0
    entry = (root / "notes_src/library.bib").read_text()
    assert entry.startswith("@misc{ada2023tides,\n  title = {Tides},\n  author = {Lovelace, Ada},\n")
    assert "papers:\n- ada2023tides\n" in next(root.glob("notes_src/web/*/note.yaml")).read_text()
