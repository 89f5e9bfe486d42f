"""`paper-notes import` takes in the README of a folder with its notes, or a README alone."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
import yaml
from readme_import import stubs
from running import paper_notes, write

from paper_notes.corpus.load import load
from paper_notes.features.importing.commands.listing_readme import _is_starters
from paper_notes.features.importing.readme.reading import read_readme
from paper_notes.project import InstalledFrom
from paper_notes.sources.tree import present, read_tree
from paper_notes.values import replace

SHELVES = (Path(__file__).parent / "shelves.zh.md").read_text("utf-8")
SITE = {
    "notes_src/site.yaml": "title: Shelf\nlanguages: [zh]\ntopics: [first]\n",
    "notes_src/first/topic.yaml": "title: First\n",
    "notes_src/first/01_A/note.yaml": "title: A\n",
    "notes_src/first/01_A/zh.md": "甲\n",
}


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    """A collection, beside a folder `old` with notes and their README."""
    notes = {path: f"# {text}" for path, text in stubs(SHELVES).items()}
    write(
        tmp_path / "old", {path.replace(".html", ".md"): text for path, text in notes.items()} | {"README.md": SHELVES}
    )
    return write(tmp_path / "mine", SITE)


def value(root: Path, path: str) -> dict[str, object]:
    found: dict[str, object] = yaml.safe_load((root / "notes_src" / path).read_text("utf-8"))
    return found


def test_the_readme_of_a_folder_is_used_by_itself(collection: Path) -> None:
    result = paper_notes("import", collection.parent / "old", "--offline", "--root", collection)
    assert result.exit_code == 0, result.output
    assert "README.md lists the notes" in result.output
    assert "wrong-count: 2" in result.output
    assert value(collection, "whales/topic.yaml")["emoji"] == "🐋"
    assert not list(collection.glob("notes_src/*/*README*"))
    assert paper_notes("build", "--root", collection).exit_code == 0
    built = (collection / "README.md").read_text("utf-8")
    assert "[SongTree (海湾队)](https://example.org/shelf/whales/notes/03_SongTree_2401.01234.html)" in built
    again = paper_notes("import", collection.parent / "old", "--offline", "--root", collection)
    assert again.exit_code == 0
    assert (collection / "README.md").read_text("utf-8") == built


def test_links_of_a_readme_to_published_pages_tell_the_address_of_the_site(collection: Path) -> None:
    rows = "".join(f"| [{n}](https://me.example/shelf/a/0{n}_N.html) | x |\n" for n in (1, 2, 3))
    old = {f"a/0{n}_N.md": f"# N{n}\n\nx\n" for n in (1, 2, 3)}
    write(collection.parent / "web", {"README.md": f"# Shelf\n\n## A\n\n| Note | Why |\n|---|---|\n{rows}", **old})
    result = paper_notes("import", collection.parent / "web", "--offline", "--root", collection)
    assert result.exit_code == 0, result.output
    assert "lead to https://me.example/shelf/, which becomes the `base_url`" in result.output
    assert value(collection, "site.yaml")["base_url"] == "https://me.example/shelf/"


def test_a_readme_alone_adds_to_what_is_there(collection: Path) -> None:
    readme = collection.parent / "old" / "README.md"
    result = paper_notes("import", "--as", "readme", readme, "--offline", "--root", collection)
    assert result.exit_code == 0, result.output
    assert value(collection, "whales/topic.yaml")["papers"] == ["arxiv240101234", "countingbyear"]
    assert paper_notes("check", "--root", collection).exit_code == 0


def test_a_lone_file_that_lists_papers_is_said_to_be_a_readme_unless_its_form_is_named(collection: Path) -> None:
    readme = collection.parent / "old" / "README.md"
    said = paper_notes("import", readme, "--offline", "--check", "--root", collection).stderr
    assert f"notes or papers: `paper-notes import --as readme {readme}` takes in each of them." in said
    named = paper_notes("import", "--as", "markdown", readme, "--offline", "--check", "--root", collection).stderr
    assert "--as readme" not in named
    few = write(collection.parent / "few", {"a.md": "# A\n\nSee [B](https://arxiv.org/abs/2401.00001).\n"}) / "a.md"
    assert "--as readme" not in paper_notes("import", few, "--offline", "--check", "--root", collection).stderr


def test_with_check_nothing_is_written(collection: Path) -> None:
    before = sorted(collection.rglob("*"))
    result = paper_notes("import", collection.parent / "old", "--offline", "--check", "--root", collection)
    assert "README.md" in result.output
    assert sorted(collection.rglob("*")) == before


@pytest.mark.parametrize(
    ("text", "said"),
    [("# Nothing\n\nNo lists.\n", "lists no notes and no papers"), ("\xff", "is not UTF-8")],
)
def test_a_readme_that_says_nothing_is_an_error_with_a_hint(collection: Path, text: str, said: str) -> None:
    path = collection.parent / "other.md"
    path.write_bytes(text.encode("latin-1"))
    result = paper_notes("import", "--as", "readme", path, "--offline", "--root", collection)
    assert result.exit_code == 1
    assert said in result.output
    assert "hint:" in result.output


def test_a_page_that_mentions_some_notes_does_not_list_them(tmp_path: Path) -> None:
    root = write(tmp_path / "mine", SITE)
    names = ("tides", "currents", "salt", "ice", "winds", "waves")
    files = {f"sea/{name}.md": f"# All about {name}\n\nWords.\n" for name in names}
    table = "| goal | begin with |\n|---|---|\n| swim | [About tides](sea/tides.md) |\n"
    write(tmp_path / "old", {**files, "index.md": f"# The sea\n\n## Choose your path\n\n{table}"})
    result = paper_notes("import", tmp_path / "old", "--offline", "--root", root)
    assert result.exit_code == 0, result.output
    assert "lists the notes" not in result.output
    assert not (root / "notes_src/choose-your-path").exists()
    assert [path.name for path in root.glob("notes_src/*/*ides*/note.yaml")] == ["note.yaml"]
    assert not any("short:" in path.read_text("utf-8") for path in root.glob("notes_src/*/*/note.yaml"))


def test_a_cell_that_leads_to_two_notes_is_the_row_of_neither() -> None:
    text = (
        "| # | note |\n|--|--|\n| 1 | [Tides](01_Tides.html) and [Salt](02_Salt.html) |\n| 3 | [Ice](03_Ice.html) |\n"
    )
    readme = read_readme(PurePosixPath("README.md"), text)
    assert [row.title for _, row in readme.rows] == ["Ice"]


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("source", ["", "paper-notes==1.2", "paper-notes[vega] @ git+https://example.org/p.git@0a1b"])
@pytest.mark.parametrize("options", [(), ("--languages", "en", "--title", "Mine", "--topic", "rl")])
def test_the_readme_that_init_wrote_is_nobodys_own(
    source: str, options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paper_notes.features.starting.commands.init.origin", lambda: InstalledFrom("1.2", source))
    assert paper_notes("init", tmp_path, *options).exit_code == 0
    corpus, _ = load(read_tree(tmp_path)[0])
    (own,) = present(tmp_path, PurePosixPath("README.md"))
    assert corpus is not None
    assert _is_starters(own, corpus)
    text = own.text.replace("build  ", "build ours  ").encode()
    assert not _is_starters(replace(own, content=text), corpus)
