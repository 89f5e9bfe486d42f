"""What an import took of a document is given back byte for byte, but for what was changed in its note since."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
from running import paper_notes, write

from paper_notes.commands.collection import load_collection
from paper_notes.features.lists.documents import as_found

DOCUMENTS = Path(__file__).parent / "documents"
NAMES = sorted(path.stem for path in DOCUMENTS.iterdir())
SITE = {
    "notes_src/site.yaml": "title: {zh: 笔记, en: Notes}\nlanguages: [zh, en]\ntopics: [daily, kilns]\n",
    "notes_src/daily/topic.yaml": "title: Daily\n",
    "notes_src/kilns/topic.yaml": "title: Kilns\n",
}


def text_of(name: str) -> str:
    return (DOCUMENTS / f"{name}.md").read_text("utf-8")


def taken_in(root: Path, name: str) -> Path:
    """The text of the note that a document has become."""
    done = paper_notes("import", DOCUMENTS / f"{name}.md", "--topic", "daily", "--offline", "--root", write(root, SITE))
    assert done.exit_code == 0, done.output
    (text,) = root.glob("notes_src/daily/*/??.md")
    return text


def given_back(root: Path) -> str:
    done = paper_notes("export", "daily/1", "--as-found", "--root", root)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.nightly
def test_a_folder_of_documents_comes_back_byte_for_byte(tmp_path: Path) -> None:
    folder, root = tmp_path / "documents", write(tmp_path / "mine", SITE)
    folder.mkdir()
    for place, name in enumerate(NAMES):
        text = text_of(name)
        (folder / f"{name}.md").write_bytes((f"\ufeff{text}".replace("\n", "\r\n") if place % 2 else text).encode())
    write(folder, {"plain.md": "# A plain note\n\nSee [the list](list-bib.md).\n"})
    done = paper_notes("import", folder, "--offline", "--root", root)
    assert done.exit_code == 0, done.output
    assert f"  lists of papers, with the papers of each: {len(NAMES)}: list-bib.md (3), " in done.stderr
    corpus, sources = load_collection(root)
    kept = {source.data: source.path.parent for source in sources if source.path.name == "as-found.txt"}
    notes = {PurePosixPath("notes_src", note.id): note for note in corpus.notes}
    for name in NAMES:
        data = (folder / f"{name}.md").read_bytes()
        back = as_found(notes[kept[data]], None, corpus, data.decode())
        assert (back.text.encode() == data, back.moved) == (True, ()), name
    out, data = tmp_path / "out.md", (folder / f"{NAMES[1]}.md").read_bytes()
    paper_notes("export", notes[kept[data]].reference, "--as-found", "--output", out, "--root", root)
    assert out.read_bytes() == data
    (plain,) = root.glob("notes_src/documents/*_plain/en.md")
    assert f"[[{notes[kept[(folder / 'list-bib.md').read_bytes()]].reference}|the list]]" in plain.read_text()
    again = paper_notes("import", folder, "--offline", "--root", root)
    assert f"new: 0, changed: 0, as before: {len(NAMES) + 1}" in again.stderr


def edited(path: Path, *pairs: tuple[str, str]) -> None:
    text = path.read_text("utf-8")
    for old, new in pairs:
        assert text.count(old) == 1, (old, text)
        text = text.replace(old, new)
    path.write_text(text, "utf-8")


def test_what_was_edited_in_the_note_is_new_and_all_else_is_as_it_was(tmp_path: Path) -> None:
    text = taken_in(tmp_path, "report-inline")
    edited(
        text,
        ("自然语言处理，小模型的训练", "小模型\n\n第二段"),
        ("*   **输入**：任意语料。", "*   **输入**：中文语料。"),
        ("Reading Cracks in Porcelain", "Reading Cracks"),
        ("准确率 91%。", "准确率 92%。"),
    )
    expected = text_of("report-inline")
    for old, new in (
        ("**应用领域**：自然语言处理，小模型的训练\n", "**应用领域**：小模型\n\n   第二段\n"),
        ("任意语料", "中文语料"),
        ("Reading Cracks in Porcelain", "Reading Cracks"),
        ("   准确率 91%。", "   准确率 92%。"),
    ):
        assert expected.count(old) == 1
        expected = expected.replace(old, new)
    assert given_back(tmp_path) == expected


def test_a_part_that_was_deleted_or_added_is_so_in_the_document(tmp_path: Path) -> None:
    text = taken_in(tmp_path, "list-bib")
    edited(
        text,
        ("### 结论 {#p-2602-00777-part-3}\n\n没有记号的小节。\n", "### 我的 {#p-2602-00777-mine}\n\n也要带上。\n"),
    )
    whole = text_of("list-bib").replace("### 结论\n没有记号的小节。", "\n\n### 我的\n也要带上。")
    assert given_back(tmp_path) == whole


@pytest.mark.parametrize("name", ["report-headings", "list-english"])
def test_an_entry_that_was_deleted_is_left_out_and_a_new_one_is_at_the_end(name: str, tmp_path: Path) -> None:
    note = taken_in(tmp_path, name).parent / "note.yaml"
    library = (
        "@misc{new, title={Brand New}, author={Lu, Yu}, year={2026}, eprint={2603.09999}, archiveprefix={arXiv}}\n"
    )
    write(tmp_path, {"notes_src/library.bib": library})
    lines = note.read_text().split("\n")
    first = next(place for place, line in enumerate(lines) if line.startswith("- paper:"))
    end = next(at for at in range(first + 1, len(lines)) if not lines[at].startswith("  "))
    note.write_text("\n".join([*lines[:first], *lines[end:]]).rstrip("\n") + "\n- paper: new\n")
    text, back = text_of(name), given_back(tmp_path)
    kept = [line for line in back.split("\n") if line.strip()]
    assert [line for line in kept if "Brand New" in line]
    assert {"report-headings": "Tides", "list-english": "Lanterns"}[name] not in back
    rest = {"report-headings": "## 📄 Ferries & Bridges", "list-english": "## wicks"}[name]
    whole = text[text.index(rest) :].rstrip("=\n")
    assert whole in back


@pytest.mark.parametrize("name", ["list-empty", "report-empty"])
def test_a_list_without_papers_is_a_note_that_says_its_title(name: str, tmp_path: Path) -> None:
    text = taken_in(tmp_path, name)
    assert text.read_text("utf-8").strip() in (
        "Paper List of Terms(Teapots+Diffusion)",
        "Hugging Face Daily Papers Report",
    )
    assert "entries:" not in (text.parent / "note.yaml").read_text("utf-8")
    assert given_back(tmp_path) == text_of(name)
    assert paper_notes("build", "--root", tmp_path).exit_code == 0


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["report-inline", "list-bib"])
def test_a_promoted_paper_is_in_the_document_as_it_was_and_that_is_told(name: str, tmp_path: Path) -> None:
    taken_in(tmp_path, name)
    done = paper_notes("new", "daily/1#2603.00101", "--topic", "kilns", "--offline", "--root", tmp_path)
    assert done.exit_code == 0, done.output
    done = paper_notes("export", "daily/1", "--as-found", "--root", tmp_path)
    assert done.stdout == text_of(name)
    title = "Slow Kilns: Annealing Schedules for Small Language Models"
    assert done.stderr == f"{title}: it has a note of its own, kilns/#1; here it is as it was imported\n"


def test_a_document_that_was_changed_is_merged_into_its_note(tmp_path: Path) -> None:
    original = tmp_path / "tea/report.md"
    write(tmp_path, {"tea/report.md": text_of("report-english"), **SITE})
    assert paper_notes("import", original.parent, "--offline", "--root", tmp_path).exit_code == 0
    (text,) = tmp_path.glob("notes_src/tea/*/en.md")
    edited(text, ("Recall@10 of 71.3", "Recall@10 of 71.3 (mine)"))
    edited(original, ("Education", "Education, and cats"), ("- Start empty.", "- Start with nothing."))
    done = paper_notes("import", original.parent, "--offline", "--root", tmp_path)
    assert "new: 0, changed: 1" in done.stderr
    assert all(words in text.read_text() for words in ("71.3 (mine)", "Education, and cats", "- Start with nothing."))
    assert "as-found" not in paper_notes("check", "--root", tmp_path).output
    back = paper_notes("export", "tea/1", "--as-found", "--root", tmp_path).stdout
    assert back == original.read_text("utf-8").replace("Recall@10 of 71.3", "Recall@10 of 71.3 (mine)")


def test_a_note_that_was_made_from_no_document_is_written_in_the_usual_form(tmp_path: Path) -> None:
    text = taken_in(tmp_path, "list-terms")
    (text.parent / "as-found.txt").unlink()
    done = paper_notes("export", "daily/1", "--as-found", "--root", tmp_path)
    assert done.stdout.startswith(
        "# Paper List of Terms(Porcelain+Reward Model)\n- [26/01] **Crackle: Rewards that Age**"
    )
    assert "daily/#1 was made from no document that is kept: it is written in the usual form" in done.stderr
