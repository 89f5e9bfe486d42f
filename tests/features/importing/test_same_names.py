"""Files whose names a disk or our folders take for one: each is a note or a picture of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from running import paper_notes, write

SITE = "title: {zh: 笔记, en: Notes}\nlanguages: [zh, en]\ntopics: [old]\n"
COMPOSED, APART = "caf\u00e9", "cafe\u0301"
NAMES = (COMPOSED, APART, "Case", "case", "x y", "x-y", "x!y")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other disks have one file of such names")


def drawing(words: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><text x="2" y="12">{words}</text></svg>'


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection that has taken in a folder twice."""
    folder = tmp_path_factory.mktemp("same-names")
    write(folder / "mine", {"notes_src/site.yaml": SITE, "notes_src/old/topic.yaml": "title: Old\n"})
    theirs = folder / "theirs"
    for number, name in enumerate(NAMES):
        write(theirs, {f"md/{name}.md": f"# N{number}\n\nMarkdown{number}.\n"})
        write(theirs, {f"html/{name}.html": f"<html><body><h1>H{number}</h1><p>Page{number}.</p></body></html>"})
        write(theirs, {f"pictures/img/{name}.svg": drawing(f"Drawn{number}")})
    for name in (COMPOSED, APART):
        write(theirs, {f"{name}/same.md": f"# Same\n\nFolder of {len(name)}.\n", f"md/{name}.csv": "1"})
    shown = "".join(f"![picture {number}](<img/{name}.svg>)\n" for number, name in enumerate(NAMES))
    write(theirs, {"pictures/all.md": f"# All\n\n{shown}"})
    shown = "".join(f'<p><img src="img/{name}.svg" alt="picture {number}"></p>' for number, name in enumerate(NAMES))
    write(theirs, {"pictures/page.html": f"<html><body><h1>Page</h1><p>Text.</p>{shown}</body></html>"})
    links = "\n".join(f"[to {number}](<../md/{name}.md>)" for number, name in enumerate(NAMES))
    write(theirs, {"links/links.md": f"# Links\n\n{links}\n"})
    for again in (False, True):
        done = paper_notes("import", theirs, "--offline", "--root", folder / "mine")
        assert done.exit_code == 0, done.output
        assert ("new: 19" in done.stderr) is not again, done.stderr
    assert "csv 2" in done.stderr
    return folder / "mine"


@pytest.mark.nightly
def test_each_file_is_a_note(root: Path) -> None:
    texts = "".join(path.read_text("utf-8") for path in (root / "notes_src").glob("*/*/*.md"))
    for number in range(len(NAMES)):
        assert f"Markdown{number}." in texts
        assert f"Page{number}." in texts
    assert "Folder of 4." in texts
    assert "Folder of 5." in texts
    names = [path.as_posix() for path in (root / "notes_src").glob("*/*")]
    assert len({name.casefold() for name in names}) == len(names)


@pytest.mark.parametrize("note", ["01_all", "02_page"])
def test_each_picture_is_shown_once(note: str, root: Path) -> None:
    folder = root / "notes_src/pictures" / note
    text = next(folder.glob("*.md")).read_text("utf-8")
    shown = [part.partition(")")[0] for part in text.split("](")[1:]]
    drawn = [(folder / file).read_text("utf-8") for file in shown]
    assert [f"Drawn{number}" in source for number, source in enumerate(drawn)] == [True] * len(NAMES)
    assert len({file.casefold() for file in shown}) == len(NAMES)


def test_each_link_leads_to_its_note(root: Path) -> None:
    text = next((root / "notes_src/links").glob("*/*.md")).read_text("utf-8")
    for number in range(len(NAMES)):
        target = text.partition(f"|to {number}]]")[0].rpartition("[[md/#")[2]
        note = next((root / "notes_src/md").glob(f"{int(target):02}_*/*.md"))
        assert note.read_text("utf-8").strip() == f"Markdown{number}."


@pytest.mark.nightly
def test_the_collection_builds(root: Path) -> None:
    done = paper_notes("build", "--root", root)
    assert done.exit_code == 0, done.output
