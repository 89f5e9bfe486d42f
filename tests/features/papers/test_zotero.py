"""Zotero on this machine: its papers, keys, tags, collections, PDFs, notes and marks come into notes, each once.

The answers are shaped as those of `server_localAPI.js` of Zotero 7: routes, JSON, and BibTeX by its own translator.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import PIL.Image
import pytest
import yaml
from fake_outside import Answer, FakeOutside
from marked_pdfs import marked_words
from running import paper_notes, write

from paper_notes.features.papers import web
from paper_notes.features.papers.zotero import _means, recognise

SITE = {
    "notes_src/site.yaml": "title: {zh: 笔记, en: Notes}\ntopics: [rl]\n",
    "notes_src/rl/topic.yaml": "title: {zh: 强化, en: RL}\n",
}
EGG = {
    "key": "EGGEGG22",
    "itemType": "preprint",
    "title": "An Egg: Cheap & Whole",
    "DOI": "10.1234/egg.1",
    "extra": "arXiv:2001.01234 [cs]\nCitation Key: quill-egg2020",
    "tags": [{"tag": "eggs"}, {"tag": "machine learning", "type": 1}],
    "collections": ["COLLEC22"],
}
BIBTEX = """
@misc{quill_egg_2020,
\ttitle = {An {Egg}: {Cheap} \\& {Whole}},
\tauthor = {Quill, Ada and Berg, Bruno},
\tyear = {2020},
\tdoi = {10.1234/egg.1},
\teprint = {2001.01234},
\tarchivePrefix = {arXiv},
\tfile = {Full Text PDF:/home/me/Zotero/storage/ATTACH22/egg.pdf:application/pdf},
}
"""


BOX = [[72, 700, 200, 712]]
INK = {"pageIndex": 0, "width": 4, "paths": [[100, 400, 200, 400.5, 300, 400], [300, 400, 310, 420], [1]]}


def mark(
    key: str, kind: str, page: int, order: str, words: str = "", comment: str = "", colour: str = "#ffd400"
) -> dict[str, object]:
    return {
        "key": key,
        "data": {
            "key": key,
            "itemType": "annotation",
            "parentItem": "ATTACH22",
            "annotationType": kind,
            "annotationText": words,
            "annotationComment": comment,
            "annotationColor": colour,
            "annotationPageLabel": str(page + 1000),
            "annotationSortIndex": order,
            "annotationPosition": json.dumps(INK if kind == "ink" else {"pageIndex": page - 1, "rects": BOX}),
        },
    }


MARKS = [
    mark(
        "MARKED33",
        "highlight",
        2,
        "00001|000100|00100",
        "later words of the paper, long enough",
        "<b>wrong</b>?",
        "#ff6666",
    ),
    mark("MARKED22", "underline", 1, "00000|000200|00100", "never lost, and all speculating models repeat"),
    mark("MARKED44", "note", 1, "00000|000100|00050", comment="note 便签"),
    mark("MARKED55", "ink", 1, "00000|000900|00050"),
    mark("MARKED66", "image", 9, "00009|000000|00000"),
    mark("MARKED77", "sticker", 1, "00000|000300|00100", "of a kind that nobody knows"),
    mark("MARKED88", "highlight", 1, "00000|000300|00100"),
]
NOTE = '<div class="zotero-note"><p>What I &amp; others think.</p><p>Second.</p></div>'
OF_MARKS = '<p><span class="highlight" data-annotation="%7B%7D">“later words”</span></p>'


def item(data: dict[str, object]) -> dict[str, object]:
    return {"key": data["key"], "version": 3, "library": {"type": "user"}, "meta": {"numChildren": 2}, "data": data}


def answer(value: object) -> Answer:
    return Answer(json.dumps(value).encode(), headers={"Content-Type": "application/json"})


@pytest.fixture
def root(tmp_path: Path, outside: FakeOutside, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, value in outside.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(web, "Web", partial(web.Web, sleep=lambda seconds: None))
    monkeypatch.chdir(tmp_path)
    pdf = tmp_path / "my storage/egg.pdf"
    pdf.parent.mkdir()
    pdf.write_bytes(marked_words("never lost, and all speculat- ing models repeat"))
    attached = item(
        {"key": "ATTACH22", "itemType": "attachment", "contentType": "application/pdf", "parentItem": "EGGEGG22"}
    )
    notes = [
        item({"key": f"NOTENOT{n}", "itemType": "note", "note": text}) for n, text in enumerate((NOTE, OF_MARKS), 2)
    ]
    other = item(EGG | {"key": "OTHER222", "title": "An Egg and Another", "DOI": "", "extra": ""})
    search = "items/top?v=3&q={}&qmode={}&limit=25"
    outside.zotero.answers = []
    outside.zotero.routes = {
        search.format("10.1234%2Fegg.1", "everything"): answer([item(EGG)]),
        search.format("quill-egg2020", "everything"): answer([item(EGG), other]),
        search.format("An+Egg", "titleCreatorYear"): answer([item(EGG), other]),
        search.format("2001.01234", "everything"): answer([item(EGG)]),
        search.format("nothing", "everything"): answer([]),
        "items/EGGEGG22?v=3": answer(item(EGG)),
        "items/EGGEGG22?v=3&format=bibtex": Answer(BIBTEX.encode(), headers={"Content-Type": "text/plain"}),
        "items/EGGEGG22/children?v=3": answer([*notes, attached]),
        "items/ATTACH22/children?v=3": answer(MARKS),
        "items/ATTACH22/file/view/url?v=3": Answer(pdf.as_uri().encode(), headers={"Content-Type": "text/plain"}),
        "collections?v=3": answer([item({"key": "COLLEC22", "name": "To read"})]),
        "collections/COLLEC22/items/top?v=3": answer([item(EGG), notes[0]]),
    }
    return write(tmp_path / "notes", SITE)


NAMES = {
    "zotero:EGGEGG22": "EGGEGG22",
    "zotero:quill-egg2020": "quill-egg2020",
    "zotero:10.1234/egg.1": "10.1234/egg.1",
    "zotero://select/library/items/EGGEGG22": "EGGEGG22",
    "zotero://open-pdf/library/items/EGGEGG22?page=3": "EGGEGG22",
    "zotero://select/library/collections/COLLEC22": "collection:COLLEC22",
}


@pytest.mark.parametrize(("name", "id_"), NAMES.items())
def test_links_and_names_of_zotero_are_recognised(name: str, id_: str) -> None:
    reference = recognise(name, ())
    assert reference is not None
    assert reference.id == id_


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("name", ["zotero:EGGEGG22", "zotero:quill-egg2020", "zotero://select/library/items/EGGEGG22"])
def test_a_new_note_has_the_key_the_tags_the_pdf_and_the_marks(root: Path, name: str) -> None:
    made = paper_notes("new", name, "--topic", "rl", "--root", root)
    assert made.exit_code == 0, made.stderr
    assert "In Zotero it is in To read." in made.stderr
    assert "Drawings in Zotero that are left out: 1." in made.stderr
    library = (root / "notes_src/library.bib").read_text()
    assert "@misc{quill-egg2020," in library
    assert "/home/me" not in library
    (folder,) = root.glob("notes_src/rl/01_*")
    facts = yaml.safe_load((folder / "note.yaml").read_text())
    assert (facts["papers"], facts["tags"]) == (["quill-egg2020"], ["eggs"])
    assert len(list(root.glob("notes_src/pdfs/*.pdf"))) == 1
    (drawing,) = folder.glob("mark-*.webp")
    picture = PIL.Image.open(drawing)
    assert picture.width > 5 * picture.height, "where it was drawn"
    assert picture.convert("L").getextrema()[0] < 128, "with what was drawn"
    section = (folder / "en.md").read_text().partition("## Highlights {#highlights}\n\n")[2]
    assert section == (
        "note 便签 [@quill-egg2020, p. 1]\n\n"
        ":::quote [@quill-egg2020, p. 1]\nnever lost, and all speculating models repeat\n:::\n\n"
        f":::quote [@quill-egg2020, p. 1]\n![p. 1]({drawing.name})\n:::\n\n"
        ":::quote [@quill-egg2020, p. 2] {.red}\nlater words of the paper, long enough\n:::\n\nwrong?\n\n"
        "What I & others think.\n\nSecond. [@quill-egg2020]\n"
    ), "the mark that is in the PDF, too, comes once"
    assert paper_notes("build", "--root", root).exit_code == 0


def test_a_collection_becomes_a_note_of_each_paper(root: Path) -> None:
    made = paper_notes("new", "zotero:collection:To read", "--all", "--no-pdf", "--topic", "rl", "--root", root)
    assert made.exit_code == 0, made.stderr
    assert [path.name for path in root.glob("notes_src/rl/0*")] == ["01_Egg_2001.01234"]
    wrong = paper_notes("new", "zotero:collection:To raed", "--all", "--topic", "rl", "--root", root)
    assert 'Zotero has no collection "To raed"' in wrong.stderr
    assert 'did you mean "To read"?' in wrong.stderr


def test_lookup_brings_facts_tags_and_marks_of_a_note_that_is_there(root: Path) -> None:
    bib = "@misc{egg, title={An Egg}, doi={10.1234/egg.1}}\n"
    write(
        root,
        {"notes_src/library.bib": bib, "notes_src/rl/01_Mine/note.yaml": "title: {zh: 蛋, en: Egg}\npapers: [egg]\n"},
    )
    write(root, {f"notes_src/rl/01_Mine/{lang}.md": "## A {#a}\n\nText.\n" for lang in ("zh", "en")})
    before = (root / "notes_src/rl/01_Mine/note.yaml").read_text()
    checked = paper_notes("lookup", "rl/1", "--zotero", "--check", "--root", root)
    assert (checked.exit_code, (root / "notes_src/rl/01_Mine/note.yaml").read_text()) == (1, before)
    done = paper_notes("lookup", "rl/1", "--zotero", "--json", "--root", root)
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["marks"] == 5
    facts = yaml.safe_load((root / "notes_src/rl/01_Mine/note.yaml").read_text())
    assert (facts["tags"], list(facts["highlights"])) == (["eggs"], ["p0", "p1", "p2"])
    library = (root / "notes_src/library.bib").read_text()
    assert library.startswith("@misc{egg, title={An Egg}, doi={10.1234/egg.1},"), "what it says stays, the key too"
    assert "author = {Quill, Ada and Berg, Bruno}" in library
    again = paper_notes("lookup", "rl/1", "--zotero", "--root", root)
    assert "new in rl/01_Mine: 0." in again.stderr


def test_a_note_that_was_made_offline_gets_the_key_of_better_bibtex(root: Path) -> None:
    assert paper_notes("new", "2001.01234", "--offline", "--topic", "rl", "--root", root).exit_code == 0
    found = paper_notes("lookup", "rl/1", "--zotero", "--root", root)
    assert found.exit_code == 0, found.stderr
    assert "@misc{quill-egg2020," in (root / "notes_src/library.bib").read_text()
    (folder,) = root.glob("notes_src/rl/01_Egg*")
    assert "[@quill-egg2020, p. 2] {.red}" in (folder / "en.md").read_text(), "marks follow the key"
    assert paper_notes("build", "--root", root).exit_code == 0


FAILURES = [
    (Answer(b"Local API is not enabled", 403, {"Content-Type": "text/plain"}), "does not let other programs ask it"),
    (Answer(b"<html>proxy</html>"), "Zotero's answer is not JSON"),
    (Answer(reset=True), "Zotero cannot be reached"),
]


@pytest.mark.parametrize(("failure", "message"), FAILURES)
def test_a_zotero_that_does_not_answer_is_told_with_what_to_do(
    root: Path, outside: FakeOutside, failure: Answer, message: str
) -> None:
    outside.zotero.says(failure)
    made = paper_notes("new", "zotero:EGGEGG22", "--topic", "rl", "--root", root)
    assert (made.exit_code, message in made.stderr) == (1, True), made.stderr
    assert len(outside.zotero.questions) == 1, "it is on this machine: nothing changes by waiting"


@pytest.mark.parametrize("place", ["file://[/a.pdf", "file:///a%00.pdf", "http://x/a.pdf"])
def test_a_place_of_a_pdf_that_is_none_leaves_a_note_without_it(root: Path, outside: FakeOutside, place: str) -> None:
    outside.zotero.routes["items/ATTACH22/file/view/url?v=3"] = Answer(place.encode())
    made = paper_notes("new", "zotero:EGGEGG22", "--topic", "rl", "--root", root)
    assert made.exit_code == 0, made.stderr
    assert not [*root.glob("notes_src/pdfs/*.pdf")]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("zotero:nothing", 'Zotero has nothing on "nothing"'),
        ("zotero:An Egg", 'Zotero has 2 items on "An Egg"'),
        ("zotero:NOTHERE2", "Zotero has no /items/NOTHERE2"),
        ("zotero:collection:To read", "--all makes a note of each"),
    ],
)
def test_what_zotero_has_not_is_told(root: Path, name: str, message: str) -> None:
    made = paper_notes("new", name, "--topic", "rl", "--root", root)
    assert (made.exit_code, message in made.stderr) == (1, True), made.stderr


def test_this_machine_is_asked_without_the_proxy_of_the_environment(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    assert paper_notes("new", "zotero:EGGEGG22", "--topic", "rl", "--root", root).exit_code == 0


@pytest.mark.parametrize(
    ("name", "is_meant"),
    [
        ("10.1234/ABC", True),
        ("10.1234/abd", False),
        ("LEE2024TEA", True),
        ("2401.00001", True),
        ("2401.00002", False),
        ("on hot  tea", True),
        ("On hot water", False),
    ],
)
def test_a_paper_is_meant_by_any_of_its_names(name: str, is_meant: bool) -> None:
    extra = "arXiv: 2401.00001\nCitation Key: lee2024tea"
    assert _means({"data": {"DOI": "10.1234/abc", "title": "On Hot Tea", "extra": extra}}, name) is is_meant
