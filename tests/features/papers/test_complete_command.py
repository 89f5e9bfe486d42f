"""`paper-notes lookup`: what was unknown offline is filled in, and what the user wrote stays."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path

import making_pdfs
import pytest
import yaml
from fake_outside import EMPTY, Answer, FakeOutside, csl_item, entry, feed, feed_of
from running import files_of, paper_notes, write

from paper_notes.features.papers import web

SITE = "title: {zh: 我的笔记, en: My notes}\ntopics: [rl]\n"


@pytest.fixture
def root(tmp_path: Path, outside: FakeOutside, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A collection with a note that was made offline, and a network that answers well."""
    for name, value in outside.environment.items():
        monkeypatch.setenv(name, value)
    outside.arxiv.says(feed())
    outside.doi.says(csl_item())
    monkeypatch.setattr(web, "Web", partial(web.Web, sleep=lambda seconds: None))
    root = write(tmp_path / "notes", {"notes_src/site.yaml": SITE})
    monkeypatch.chdir(tmp_path)
    assert paper_notes("new", "2510.26475", "--topic", "rl", "--offline", "--root", root).exit_code == 0
    return root


def note_of(root: Path, folder: str) -> dict[str, object]:
    note: dict[str, object] = yaml.safe_load((root / f"notes_src/rl/{folder}/note.yaml").read_text("utf-8"))
    return note


def test_all_that_new_could_not_know(root: Path) -> None:
    other = "## Motivation\n\nSee [[1]], [[01_2510.26475]] and [@arxiv251026475, p. 3], not `[@arxiv251026475]`.\n"
    write(
        root,
        {
            "notes_src/rl/02_Other/en.md": other,
            "notes_src/rl/02_Other/zh.md": other.replace("Motivation", "动机"),
            "notes_src/rl/02_Other/note.yaml": "title: {zh: 别的, en: Other}\nkind: tutorial\n"
            "papers: ['arxiv251026475'] # mine\nsummary: {zh: 甲, en: 'See [@arxiv251026475].'}\n",
        },
    )
    before = files_of(root)
    shown = paper_notes("lookup", "rl/1", "--check", "--root", root)
    assert shown.exit_code == 1
    assert "would fill key: arxiv251026475 -> quill2025hummingbird\n" in shown.stderr
    assert files_of(root) == before
    done = paper_notes("lookup", "rl/1", "--root", root)
    assert done.exit_code == 0, done.stderr
    assert "filled title: Hummingbird: Fast & Frugal Decoding\n" in done.stderr
    folder = "01_Hummingbird_2510.26475"
    note = note_of(root, folder)
    assert (note["title"], note["papers"]) == (
        dict.fromkeys(("zh", "en"), "Hummingbird: Fast & Frugal Decoding"),
        ["quill2025hummingbird"],
    )
    record = note["metadata"]
    assert isinstance(record, dict)
    assert (record["source"], "missing" in record) == ("arxiv", False)
    text = (root / f"notes_src/rl/{folder}/en.md").read_text("utf-8")
    assert "Still missing" not in text
    assert "> We decode quickly." in text
    bib = (root / "notes_src/library.bib").read_text("utf-8")
    assert "@misc{quill2025hummingbird,\n  title = {{H}" not in bib
    assert all(line in bib for line in ("  author = {Quill, Ada and van der Berg", "  eprint = {2510.26475},\n"))
    others = (root / "notes_src/rl/02_Other/en.md").read_text("utf-8")
    assert others == (
        "## Motivation\n\nSee [[1]], [[01_Hummingbird_2510.26475]] and [@quill2025hummingbird, p. 3], "
        "not `[@arxiv251026475]`.\n"
    )
    assert "papers: ['quill2025hummingbird'] # mine\n" in (root / "notes_src/rl/02_Other/note.yaml").read_text("utf-8")
    built = paper_notes("build", "--root", root)
    assert (built.exit_code, "error" in built.stderr) == (0, False), built.stderr
    again = paper_notes("lookup", "rl/1", "--root", root)
    assert (again.exit_code, again.stderr.endswith("Nothing is missing.\n")) == (0, True)


def test_the_same_note_as_with_a_network(root: Path, outside: FakeOutside) -> None:
    """But for the record of where the facts came from, and the former address."""
    outside.arxiv.says(feed())
    assert paper_notes("lookup", "rl/1", "--root", root).exit_code == 0
    completed = files_of(root / "notes_src/rl/01_Hummingbird_2510.26475")
    fresh = write(root.parent / "fresh", {"notes_src/site.yaml": SITE})
    assert paper_notes("new", "2510.26475", "--topic", "rl", "--root", fresh).exit_code == 0
    made = files_of(fresh / "notes_src/rl/01_Hummingbird_2510.26475")
    assert {name: made[name] for name in ("zh.md", "en.md")} == {name: completed[name] for name in ("zh.md", "en.md")}
    library = "notes_src/library.bib"
    assert (root / library).read_text("utf-8") == (fresh / library).read_text("utf-8")


def test_what_the_user_wrote_stays(root: Path) -> None:
    folder = root / "notes_src/rl/01_2510.26475"
    library = root / "notes_src/library.bib"
    entry = library.read_bytes().replace(b"title = {{arXiv:2510.26475}}", b'title = "My {Title}"')
    library.write_bytes(b"\xef\xbb\xbf% mine\n".replace(b"\n", b"\r\n") + entry.replace(b"\n", b"\r\n"))
    note = (folder / "note.yaml").read_text("utf-8").replace("zh: arXiv:2510.26475", "zh: '蜂鸟' # mine")
    (folder / "note.yaml").write_text(note, "utf-8")
    (folder / "en.md").write_text("Mine.\n", "utf-8")
    folder.rename(folder.with_name("01_Mine"))
    done = paper_notes("lookup", "rl/1", "--root", root, "--json")
    assert done.exit_code == 0, done.stderr
    told = json.loads(done.stdout)
    assert (set(told["filled"]), told["moved"]) == ({"authors", "abstract", "key"}, None)
    after = library.read_bytes()
    assert after.startswith(b"\xef\xbb\xbf% mine\r\n@misc{quill2025my,\r\n")
    assert b'title = "My {Title}",\r\n' in after
    assert after.count(b"\n") == after.count(b"\r\n")
    folder = folder.with_name("01_Mine")
    assert "zh: '蜂鸟' # mine\n" in (folder / "note.yaml").read_text("utf-8")
    assert (folder / "en.md").read_text("utf-8") == "Mine.\n"
    assert paper_notes("build", "--root", root).exit_code == 0


@pytest.mark.nightly
def test_a_doi_a_page_and_a_pdf(root: Path, outside: FakeOutside) -> None:
    (root / "paper.pdf").write_bytes(making_pdfs.paper(arxiv=""))
    outside.page.says(b"<meta name=citation_title content='A Page'><meta name=citation_author content='Quill, Ada'>")
    for paper in ("10.1234/nest.2024.7", f"{outside.page.url}/a_b?c=1%202", root / "paper.pdf"):
        made = paper_notes("new", paper, "--topic", "rl", "--offline", "--root", root)
        assert made.exit_code == 0, made.stderr
    inside = paper_notes("lookup", "rl/3", "--root", root)
    assert inside.exit_code == 1
    assert "127.0.0.1 is in your own network (127.0.0.1)" in inside.stderr, "a file may be anybody's"
    assert outside.page.questions == []
    for note, given in (("rl/2", []), ("rl/3", ["--from", f"{outside.page.url}/a_b?c=1%202"])):
        done = paper_notes("lookup", note, *given, "--root", root)
        assert done.exit_code == 0, done.stderr
    names = {path.name for path in (root / "notes_src/rl").iterdir()}
    assert {"02_TinyModelNest_2024", "03_Page"} <= names
    library = (root / "notes_src/library.bib").read_text("utf-8")
    assert "@article{quill2024tiny,\n" in library
    assert "  journal = {Journal of Birds" in library
    outside.arxiv.says(EMPTY)
    outside.crossref.says(
        json.dumps({"message": {"items": [json.loads(csl_item(title="A Small Paper About Nests"))]}}).encode()
    )
    listed = paper_notes("lookup", "rl/4", "--root", root)
    assert listed.exit_code == 1
    assert "--from 10.1234/nest.2024.7" in listed.stderr
    outside.doi.says(csl_item(DOI="10.1234/other"))
    given = paper_notes("lookup", "rl/4", "--from", "10.1234/other", "--root", root)
    assert given.exit_code == 0, given.stderr
    assert paper_notes("build", "--root", root).exit_code == 0


PROBLEMS = {
    "nobody answers": (["rl/1"], Answer(b"", 404), "arXiv answered 404 Not Found"),
    "no such note": (["rl/9"], EMPTY, 'no note "rl/9"'),
    "not on arXiv": (["rl/1"], EMPTY, "arXiv has no paper 2510.26475"),
}


@pytest.mark.parametrize(("arguments", "answer", "message"), PROBLEMS.values(), ids=PROBLEMS)
def test_what_goes_wrong(
    root: Path, outside: FakeOutside, arguments: list[str], answer: Answer | bytes, message: str
) -> None:
    outside.arxiv.says(answer)
    outside.datacite.says(Answer(b"", 404))
    before = files_of(root)
    done = paper_notes("lookup", *arguments, "--root", root)
    assert done.exit_code == 1
    assert message in done.stderr
    assert "Nothing was written" in done.stderr
    assert "--offline" not in done.stderr
    assert files_of(root) == before


def test_notes_on_nothing_or_with_strings_are_left_alone(root: Path) -> None:
    write(root, {"notes_src/rl/02_Idea/note.yaml": "title: {zh: 甲, en: A}\nkind: tutorial\n"})
    write(root, {"notes_src/rl/02_Idea/en.md": "A.\n", "notes_src/rl/02_Idea/zh.md": "甲。\n"})
    assert "is on no paper" in paper_notes("lookup", "rl/2", "--root", root).stderr
    library = root / "notes_src/library.bib"
    library.write_text('@string{y = "2025"}\n' + library.read_text("utf-8").replace("{2025}", "y"), "utf-8")
    done = paper_notes("lookup", "rl/1", "--root", root)
    assert "notes_src/library.bib:2:1: the entry uses @string or #" in done.stderr


LISTED = """\
# Papers

## Birds

| Paper | Link |
|---|---|
| Nests | [arXiv](https://arxiv.org/abs/2401.00001) |
| Eggs | [arXiv](https://arxiv.org/abs/2401.00002) |
"""


def test_all_papers_that_were_listed_offline(root: Path, outside: FakeOutside) -> None:
    """Those without a note, too, and with one question to arXiv."""
    listed = write(root.parent / "listed", {"README.md": LISTED}) / "README.md"
    imported = paper_notes("import", "--as", "readme", listed, "--offline", "--root", root)
    assert imported.exit_code == 0, imported.stderr
    assert "`paper-notes lookup --all` looks for them" in paper_notes("build", "--root", root).stderr
    ids = ("2510.26475", "2401.00001", "2401.00002")
    answer = feed_of(*(entry(f"http://arxiv.org/abs/{known}v1", title=f"Nests: On {known}") for known in ids))
    outside.arxiv.says(answer)
    outside.arxiv.questions.clear()
    before = files_of(root / "notes_src")
    shown = paper_notes("lookup", "--all", "--check", "--json", "--root", root)
    assert shown.exit_code == 1
    assert len(outside.arxiv.questions) == 1
    assert files_of(root / "notes_src") == before
    told = json.loads(shown.stdout)
    assert {paper["paper"]: paper["filled"]["title"] for paper in told["papers"] if "title" in paper["filled"]} == {
        "arxiv251026475": "Nests: On 2510.26475",
        "arxiv240100001": "Nests: On 2401.00001",
        "arxiv240100002": "Nests: On 2401.00002",
    }
    done = paper_notes("lookup", "--all", "--root", root)
    assert done.exit_code == 0, done.stderr
    assert "Papers without a title or authors: 3; found: 3.\n" in done.stderr
    assert len(outside.arxiv.questions) == 1, "the answer is kept"
    library = (root / "notes_src/library.bib").read_text("utf-8")
    assert library.count("author = {Quill, Ada") == 3
    assert re.findall(r"@misc\{(\w+),", library) == ["quill2025nests", "quill2024nests", "quill2024nestsa"]
    assert note_of(root, "01_Nests_2510.26475")["title"] == dict.fromkeys(("zh", "en"), "Nests: On 2510.26475")
    assert "missing-field" not in paper_notes("build", "--root", root).stderr
    again = paper_notes("lookup", "--all", "--root", root)
    assert (again.exit_code, again.stderr) == (0, "Papers without a title or authors: 0; found: 0.\n")


def test_of_all_papers_those_are_filled_in_that_are_known(root: Path, outside: FakeOutside) -> None:
    library = root / "notes_src/library.bib"
    strings = '@string{a = "arXiv"}\n@misc{egg, title = {Eggs}, eprint = {2401.00002}, archivePrefix = a}\n'
    others = "@misc{nest, title = {Nest}}\n@misc{tiny, title = {T}, doi = {10.1234/nest.2024.7}}\n"
    library.write_text(library.read_text("utf-8") + strings + others, "utf-8")
    outside.arxiv.says(feed_of(*(entry(f"http://arxiv.org/abs/{known}v1") for known in ("2510.26475", "2401.00002"))))
    outside.crossref.says(json.dumps({"message": {"items": []}}).encode())
    done = paper_notes("lookup", "--all", "--root", root)
    assert done.exit_code == 1
    assert "the entry uses @string or #" in done.stderr
    assert "  not known: nest\n" in done.stderr
    assert "Papers without a title or authors: 4; found: 2.\n" in done.stderr
    assert "@misc{quill2025hummingbird," in library.read_text("utf-8")
    assert "@article{tiny, title = {T}, doi = {10.1234/nest.2024.7},\n  author = {Quill" in library.read_text("utf-8")
    assert strings in library.read_text("utf-8")


def test_without_a_network_all_stays(root: Path, outside: FakeOutside) -> None:
    outside.arxiv.says(Answer(b"", 404))
    before = files_of(root)
    done = paper_notes("lookup", "--all", "--root", root)
    assert done.exit_code == 1
    assert "arXiv answered 404 Not Found" in done.stderr
    assert "found: 0" in done.stderr
    assert files_of(root) == before
    refused = paper_notes("lookup", "rl/1", "--all", "--root", root)
    assert (refused.exit_code, "leave out NOTE" in refused.stderr) == (2, True)
