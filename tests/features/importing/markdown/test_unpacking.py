"""Files that hold several, and files of which other programs make notes."""

from __future__ import annotations

import base64
import json
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from foreign_folder import FOLDERS, folder_of, read_all
from running import paper_notes, write

from paper_notes.features.importing.folders import other_programs
from paper_notes.features.importing.proof.originals import pieces_of
from paper_notes.features.importing.proof.visible import words_of

SITE = {"notes_src/site.yaml": "title: Notes\ntopics: [first]\n", "notes_src/first/topic.yaml": "title: First\n"}


def notebook(*cells: object, **metadata: object) -> str:
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4})


def test_a_notebook_may_be_large_by_its_pictures_and_a_broken_one_is_named(tmp_path: Path) -> None:
    picture = (FOLDERS / "hugo/static/images/map.png").read_bytes()
    large_data = base64.b64encode(picture + bytes(500_000)).decode()  # what is behind a picture shows nothing
    output = {"output_type": "display_data", "data": {"image/png": large_data, "text/plain": "x"}}
    large = notebook({"cell_type": "code", "source": "draw()", "outputs": [output]})
    assert len(large) > 512 * 1024
    write(tmp_path, {**SITE, "nb/large.ipynb": large, "nb/broken.ipynb": "{", "nb/other.json": "[{}]"})
    done = paper_notes("import", tmp_path / "nb", "--offline", "--root", tmp_path)
    assert (done.exit_code, "cannot be read as what their names say: 1 (broken.ipynb)" in done.stderr) == (0, True), (
        done.stderr
    )
    assert (tmp_path / "notes_src/nb/01_large/figures/cell-1.png").read_bytes().startswith(picture)


def test_an_export_of_roam_is_imported_again_page_by_page(tmp_path: Path) -> None:
    write(tmp_path, SITE)
    export = tmp_path / "kitchen.json"
    pages = json.loads((FOLDERS / "roam/kitchen.json").read_text("utf-8"))
    for words, told in (
        ("Baked [[Sourdough]]", "new: 3, changed: 0"),
        ("Baked it", "new: 0, changed: 1, as before: 2"),
    ):
        pages[2]["children"][0]["string"] = words
        export.write_text(json.dumps(pages), "utf-8")
        done = paper_notes("import", export, "--offline", "--root", tmp_path)
        assert (done.exit_code, told in done.stderr) == (0, True), done.stderr
    assert "Baked it" in (tmp_path / "notes_src/kitchen/01_January-13th-2021/en.md").read_text("utf-8")


@pytest.mark.parametrize(
    "text",
    [
        notebook(
            {"cell_type": "heading", "level": "x", "source": 5}, {"cell_type": "code", "outputs": [1, {}]}, 7, None
        ),
        notebook({"cell_type": "code", "source": None, "outputs": [{"output_type": "error", "traceback": [1]}]}),
        notebook({"cell_type": "markdown", "source": "x", "attachments": {"a": 1, "b": {"image/png": "%"}}}),
        notebook(
            {"cell_type": "code", "outputs": [{"output_type": "display_data", "data": {"image/png": 5}}]}, title=3
        ),
        notebook({"cell_type": "code", "outputs": [{"output_type": "error", "traceback": 5}]}),
        notebook({"cell_type": "code", "outputs": {"a": [{"output_type": "stream", "text": 5}], "data": 5}}),
        notebook({"cell_type": "code", "outputs": [{"output_type": "display_data", "data": [5]}]}),
        '{"cells": 1}',
        "[" * 100_000,
    ],
)
def test_no_notebook_stops_the_reader(text: str) -> None:
    if read_all({"a.ipynb": text}):
        assert pieces_of(".ipynb", text) is not None


@pytest.mark.parametrize(
    "page",
    [
        {"title": 3, "children": [{"string": 5, "heading": "x"}, 7, {"children": "x"}], "create-time": "soon"},
        {"title": "", "children": [{"string": "a:: b\n((", "uid": 4}], "edit-time": 1e300},
        {"title": "../up", "children": [{"string": "{{table}}", "children": [{}]}]},
    ],
)
def test_no_page_of_roam_stops_the_reader(page: dict[str, Any]) -> None:
    read = read_all({"graph.json": json.dumps([page])})
    assert [PurePosixPath(path).parent for path in read] == [PurePosixPath("graph")]
    assert pieces_of(".roam", json.dumps(page))


@pytest.mark.parametrize(
    ("name", "file", "shown", "hidden"),
    [
        ("jupyter", "fit.ipynb", "decay t n 0 91 2 rows fitted in 3 steps valueerror typed intslider", "31m red"),
        ("roam", "kitchen/Sourdough.roam", "sourdough flour hydration 75 weigh fold bake day", "todo done blk000001"),
    ],
)
def test_the_proof_reads_cells_and_blocks_in_the_file_itself(name: str, file: str, shown: str, hidden: str) -> None:
    files = {path.name: path.read_bytes() for path in (FOLDERS / name).iterdir()}
    _, originals = folder_of(files)
    original = next(original for original in originals if str(original.path) == file)
    words = {word for piece in pieces_of(original.path.suffix, original.text) for word in words_of(piece.text)}
    assert {*shown.split()} - words == set()
    assert {*hidden.split()} & words == set()


def test_pdfs_and_libraries_are_named_with_the_command(tmp_path: Path) -> None:
    hints = "\n".join(other_programs(map(PurePosixPath, ("x.pdf", "zotero.bib", "c.txt"))))
    assert hints == (
        "a PDF of a paper becomes a note with `paper-notes new x.pdf`\n"
        "each paper in .bib becomes a note with `paper-notes new zotero.bib --all --topic TOPIC`, "
        "with its PDF if the entry names one"
    )
    (unpack,) = other_programs([PurePosixPath("Export-1.zip")])
    assert unpack.startswith("unpack Export-1.zip and import the folder")
    write(tmp_path, {**SITE, "papers/a.pdf": "%PDF", "papers/b.pdf": "%PDF"})
    (tmp_path / "zotero.bib").write_text("@misc{a, title={A}, year=2020}\n")
    library = paper_notes("import", tmp_path / "zotero.bib", "--root", tmp_path)
    assert f'"{tmp_path}/zotero.bib" is not a note' in library.stderr
    assert f"`paper-notes new {tmp_path}/zotero.bib --all --topic TOPIC`" in library.stderr
    own = {"own/a/01_X/note.yaml": "title: X\nstatus: read\n", "own/a/01_X/en.md": "Text.\n"}
    write(tmp_path, own)
    mine = paper_notes("import", tmp_path / "own", "--root", tmp_path)
    assert (mine.exit_code, "a/01_X is a note of paper-notes already" in mine.stderr) == (1, True)
    done = paper_notes("import", tmp_path / "papers", "--offline", "--root", tmp_path)
    assert done.exit_code == 1
    assert f"`paper-notes new {tmp_path / 'papers'}`" in done.stderr
    write(tmp_path, {"papers/a.md": "# A\n\nText.\n"})
    (tmp_path / "papers/b.pdf").unlink()
    done = paper_notes("import", tmp_path / "papers", "--offline", "--root", tmp_path)
    assert f"`paper-notes new {tmp_path / 'papers/a.pdf'}`\n" in done.stderr, "a command that can be typed as it is"
