"""`paper-notes new`: every kind of argument gives a note that builds, or nothing is written."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import making_pdfs
import pytest
import yaml
from click.testing import CliRunner, Result
from fake_outside import EMPTY, LOG_IN_PAGE, Answer, FakeOutside, csl_item, datacite_record, feed
from running import PROJECT, files_of, paper_notes, write

from paper_notes.commands import main
from paper_notes.features.papers import resolve, scaffold, web
from paper_notes.features.papers.commands import services, start
from paper_notes.output import disk
from paper_notes.output.lock import locked

SITE = "title: {zh: 我的笔记, en: My notes}\ntopics: [rl]\n"
REFS = """\
@string{nest = "Journal of Nests"}
@article{quill2020egg, title={An Egg}, author={Quill, Ada}, journal=nest, year=2020}
@misc{other, title={Other}, author={Berg, Bruno}, year=2021}
"""


@pytest.fixture
def root(tmp_path: Path, outside: FakeOutside, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with a site.yaml, and a network that answers well, without delays."""
    for name, value in outside.environment.items():
        monkeypatch.setenv(name, value)
    outside.arxiv.says(feed())
    outside.datacite.says(datacite_record())
    outside.doi.says(csl_item())
    outside.pdf.says(making_pdfs.paper(arxiv="2510.26475"))
    monkeypatch.setattr(web, "Web", partial(web.Web, sleep=lambda seconds: None))
    (tmp_path / "paper.pdf").write_bytes(making_pdfs.paper(arxiv=""))
    (tmp_path / "stamped.pdf").write_bytes(making_pdfs.paper(arxiv="2510.26475"))
    write(tmp_path, {"refs.bib": REFS})
    monkeypatch.chdir(tmp_path)
    return write(tmp_path / "notes", {"notes_src/site.yaml": SITE})


def sources(root: Path) -> set[str]:
    return set(files_of(root / "notes_src"))


KINDS = {
    "2510.26475": ("01_Hummingbird_2510.26475", "arxiv"),
    "https://arxiv.org/pdf/2510.26475v2": ("01_Hummingbird_2510.26475", "arxiv"),
    "https://huggingface.co/papers/2510.26475": ("01_Hummingbird_2510.26475", "arxiv"),
    "10.48550/arXiv.2510.26475": ("01_Hummingbird_2510.26475", "arxiv"),
    "https://doi.org/10.1234/nest.2024.7": ("01_TinyModelNest_2024", "doi"),
    "paper.pdf": ("01_SmallPaperAbout", "pdf"),
    "stamped.pdf": ("01_Hummingbird_2510.26475", "arxiv"),
    "refs.bib:quill2020egg": ("01_Egg_2020", "bibtex"),
}


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize(("argument", "wanted"), KINDS.items())
def test_every_kind_builds_at_once(root: Path, outside: FakeOutside, argument: str, wanted: tuple[str, str]) -> None:
    outside.arxiv.says(feed())
    made = paper_notes("new", argument, "--topic", "rl", "--root", root)
    assert made.exit_code == 0, made.stderr
    folder, source = wanted
    note = yaml.safe_load((root / f"notes_src/rl/{folder}/note.yaml").read_text())
    assert note["metadata"]["source"] == source
    assert f"Write on in {root / 'notes_src/rl' / folder}; `paper-notes build` makes the page.\n" in made.stderr
    built = paper_notes("build", "--root", root)
    assert built.exit_code == 0, built.stderr
    assert "error" not in built.stderr
    assert "warning" not in built.stderr
    assert (root / f"site/rl/notes/{folder}.html").exists()


def test_a_key_of_the_collection(root: Path) -> None:
    write(root, {"notes_src/library.bib": REFS})
    made = paper_notes("new", "quill2020egg", "--topic", "rl", "--root", root)
    assert made.exit_code == 0
    assert (root / "notes_src/library.bib").read_text() == REFS, "it has the entry already"
    note = yaml.safe_load((root / "notes_src/rl/01_Egg_2020/note.yaml").read_text())
    assert note["papers"] == ["quill2020egg"]
    assert note["metadata"]["source"] == "bibtex"
    assert note["metadata"]["missing"] == ["abstract"]
    assert "Still missing: abstract; the note says where to put what you find out.\n" in made.stderr
    assert "**Still missing**: the abstract." in (root / "notes_src/rl/01_Egg_2020/en.md").read_text()
    assert paper_notes("check", "--root", root).exit_code == 0


@pytest.mark.parametrize("argument", ["2510.26475", "10.1234/nest.2024.7", "paper.pdf"])
def test_offline_asks_nobody(root: Path, outside: FakeOutside, argument: str) -> None:
    made = paper_notes("new", argument, "--topic", "rl", "--offline", "--root", root, "--json")
    assert made.exit_code == 0
    told = json.loads(made.stdout)
    assert (
        told["missing"]
        == {
            "2510.26475": ["title", "authors", "abstract"],
            "10.1234/nest.2024.7": ["title", "authors", "year", "abstract"],
            "paper.pdf": ["year"],
        }[argument]
    )
    assert outside.arxiv.questions + outside.doi.questions + outside.datacite.questions == []
    assert paper_notes("build", "--root", root).exit_code == 0


def test_topics_without_a_folder_get_one(root: Path) -> None:
    write(root, {"notes_src/site.yaml": SITE.replace("[rl]", "[later, rl]")})
    made = paper_notes("new", "2510.26475", "--topic", "rl", "--root", root)
    assert made.exit_code == 0
    assert (root / "notes_src/rl/topic.yaml").read_text() == "title:\n  zh: rl\n  en: rl\n"
    assert (root / "notes_src/later/topic.yaml").exists()
    assert paper_notes("build", "--root", root).exit_code == 0


@pytest.mark.parametrize(("arguments", "topic"), [([], "reading"), (["--topic", "rl"], "rl")])
def test_a_collection_without_topics_gets_its_first(root: Path, arguments: list[str], topic: str) -> None:
    write(root, {"notes_src/site.yaml": SITE.replace("[rl]", "[]")})
    made = paper_notes("new", "paper.pdf", "--offline", *arguments, "--root", root)
    assert made.exit_code == 0, made.stderr
    assert f"/notes_src/{topic}/topic.yaml\n" in made.stderr
    assert paper_notes("build", "--root", root).exit_code == 0
    second = paper_notes("new", "2510.26475", "--topic", "lr", "--root", root)
    assert (second.exit_code, "there is no topic" in second.stderr) == (1, True), "only the first is made unasked"


def test_no_topic_is_like_it(root: Path) -> None:
    topics = ", ".join(f"a-topic-of-a-long-name-{number}" for number in range(40))
    write(root, {"notes_src/site.yaml": SITE.replace("rl", topics)})
    said = paper_notes("new", "2510.26475", "--topic", "birds", "--root", root).stderr
    assert said.endswith("\n  hint: make it with --new-topic\n")


def test_the_second_copy_is_named(root: Path) -> None:
    assert paper_notes("new", "refs.bib:other", "--topic", "rl", "--root", root).exit_code == 0
    before = files_of(root)
    again = paper_notes("new", "refs.bib:other", "--topic", "rl", "--root", root)
    assert again.exit_code == 1
    assert again.stderr == (
        'paper-notes: there is a note on "other" already: notes_src/rl/01_Other_2021. Nothing was written\n'
        "  hint: write on in that one\n"
    )
    assert files_of(root) == before


# -- several papers, and none ---------------------------------------------------------------------------------------


def test_all_papers_of_a_file_at_once(root: Path) -> None:
    assert paper_notes("new", "refs.bib", "--key", "other", "--topic", "rl", "--root", root).exit_code == 0
    made = paper_notes("new", "refs.bib", "--all", "--topic", "rl", "--root", root)
    assert made.exit_code == 0, made.stderr
    assert 'Passed over, because there is a note on "other" already: notes_src/rl/01_Other_2021.\n' in made.stderr
    assert {path.name for path in (root / "notes_src/rl").iterdir()} == {"01_Other_2021", "02_Egg_2020", "topic.yaml"}
    again = paper_notes("new", "refs.bib", "--all", "--topic", "rl", "--root", root)
    assert (again.exit_code, "there are notes on all papers in refs.bib already" in again.stderr) == (1, True)
    write(Path(), {"more.bib": "@misc{quill, title={Nest 1}, author={Q, A}}\n"})
    write(Path(), {"more.ris": "".join(f"TY  - BOOK\nTI  - Nest {n}\nAU  - Q, A\nER  -\n" for n in (1, 2))})
    assert paper_notes("new", "more.ris", "--all", "--topic", "rl", "--root", root).exit_code == 0
    assert len(entries(root)) == len(set(entries(root))) == 4
    assert paper_notes("build", "--root", root).exit_code == 0
    same = paper_notes("new", "more.bib", "--topic", "rl", "--root", root)
    assert 'there is a note on "q' in same.stderr


def test_several_papers_and_folders_at_once(root: Path) -> None:
    write(root.parent / "pdfs/more", {"notes.txt": "no paper"})
    (root.parent / "pdfs/1-s2.0 main (3).PDF").write_bytes(making_pdfs.paper(arxiv="", title="Scanned Nests"))
    (root.parent / "pdfs/more/again.pdf").write_bytes(making_pdfs.paper(arxiv="2510.26475"))
    made = paper_notes("new", "stamped.pdf", "pdfs", "refs.bib:other", "--offline", "--topic", "rl", "--root", root)
    assert made.exit_code == 0, made.stderr
    assert [path.name[:3] for path in sorted(root.glob("notes_src/rl/*/"))] == ["01_", "02_", "03_"]
    assert "Passed over, because there is a note on arXiv:2510.26475 already" in made.stderr
    assert paper_notes("build", "--root", root).exit_code == 0
    files = files_of(root)
    again = paper_notes("new", "stamped.pdf", "pdfs", "--offline", "--topic", "rl", "--root", root)
    assert again.exit_code == 1
    assert "there are notes on all papers in stamped.pdf, pdfs already" in again.stderr
    (root.parent / "pdfs/scan.pdf").write_bytes(b"%PDF-1.4 nothing")
    truncated = '"pdfs/scan.pdf" cannot be read: the PDF is truncated: its end is missing'
    alone = paper_notes("new", "pdfs", "--offline", "--topic", "rl", "--root", root)
    assert (alone.exit_code, files_of(root)) == (1, files)
    assert f"paper-notes: {truncated}. Nothing was written\n" in alone.stderr
    others = paper_notes("new", "pdfs", "refs.bib:quill2020egg", "--offline", "--topic", "rl", "--root", root)
    assert (others.exit_code, len([*root.glob("notes_src/rl/*/")])) == (0, 4)
    assert f"Passed over, because {truncated}.\n" in others.stderr


def test_on_a_terminal_the_user_chooses(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "is_terminal", lambda: True)
    command = ["new", "refs.bib", "--topic", "rl", "--root", str(root)]
    none = CliRunner().invoke(main, command, input="0\n")
    assert (none.exit_code, "no paper was chosen. Nothing was written" in none.stderr) == (1, True)
    assert CliRunner().invoke(main, command, input="").exit_code == 1
    assert CliRunner().invoke(main, command, input="9\n2\n").exit_code == 0
    assert (root / "notes_src/rl/01_Other_2021").is_dir()


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize(
    ("title", "folder"), [("An idea: nests", "01_Idea"), ("关于巢的想法", "01_关于巢的想法"), ("!? 7", "01_7")]
)
def test_a_note_on_no_paper(root: Path, title: str, folder: str) -> None:
    made = paper_notes("new", "--title", title, "--kind", "tutorial", "--topic", "rl", "--root", root)
    assert made.exit_code == 0, made.stderr
    note = yaml.safe_load((root / "notes_src/rl" / folder / "note.yaml").read_text("utf-8"))
    assert (note["title"], note["kind"], "papers" in note) == ({"zh": title, "en": title}, "tutorial", False)
    assert paper_notes("new", "--title", f"{title} 2", "--topic", "rl", "--root", root).exit_code == 0
    unsaid = next((root / "notes_src/rl").glob("02_*/note.yaml"))
    assert yaml.safe_load(unsaid.read_text("utf-8"))["kind"] == "note"
    built = paper_notes("build", "--root", root)
    assert (built.exit_code, "warning" in built.stderr) == (0, False), built.stderr


def test_a_paper_that_the_library_has_under_another_key(root: Path) -> None:
    write(root, {"notes_src/library.bib": "@misc{mine, title={An egg}, author={Quill, Ada}, year=2020}\n"})
    made = paper_notes("new", "refs.bib:quill2020egg", "--topic", "rl", "--kind", "digest", "--root", root)
    assert 'The collection has this paper as "mine": its entry is used.\n' in made.stderr
    assert entries(root) == ["mine"]
    assert "kind: digest\n" in (root / "notes_src/rl/01_Egg_2020/note.yaml").read_text()


# -- PDFs ----------------------------------------------------------------------------------------------------------


PAGE = b"<meta name=citation_title content='A Page'><meta name=citation_author content='Quill, Ada'>"
BIB = "@misc{a, title={A}, author={Quill, Ada}, year=2020, url={https://x.org/p?a=1&token=S3CRET}}\n"


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize(
    ("answer", "address", "code"),
    [
        (PAGE, "HERE/p?token=S3CRET&a=1", 0),
        (Answer(b"", 404), "HERE/p?token=S3CRET", 1),
        (LOG_IN_PAGE, "HERE/p?api_key=S3CRET", 1),
        (Answer(b"", 302, {"Location": "https://me:S3CRET@x.org/?sig=S3CRET"}), "HERE/p?key=S3CRET", 1),
        (b"%PDF-", "HERE/p?sig=S3CRET", 1),
        (PAGE, "http://me:S3CRET@127.0.0.1/p", 1),
        (PAGE, "http://x.org:99999999/?token=S3CRET", 1),
        (PAGE, "refs.bib", 0),
    ],
)
@pytest.mark.parametrize("options", [[], ["--offline"], ["--json"]])
def test_what_lets_somebody_in_is_neither_written_nor_shown(
    root: Path, outside: FakeOutside, options: list[str], answer: Answer | bytes, address: str, code: int
) -> None:
    outside.page.says(answer)
    (root.parent / "refs.bib").write_text(BIB)
    address = address.replace("HERE", outside.page.url)
    made = paper_notes("new", address, "--topic", "rl", *options, "--root", root)
    assert made.exit_code == code or "--offline" in options, made.stderr
    assert "S3CRET" not in made.output + made.stderr
    assert not [name for name, data in files_of(root).items() if b"S3CRET" in data]


def test_the_page_is_asked_with_what_lets_somebody_in(root: Path, outside: FakeOutside) -> None:
    outside.page.says(PAGE)
    assert paper_notes("new", f"{outside.page.url}/p?token=S&a=1", "--topic", "rl", "--root", root).exit_code == 0
    assert outside.page.questions[0].query == {"token": ["S"], "a": ["1"]}
    assert f"url = {{{outside.page.url}/p?a=1}}" in (root / "notes_src/library.bib").read_text()


def test_pdf_downloads_on_request(root: Path, outside: FakeOutside) -> None:
    made = paper_notes("new", "2510.26475", "--topic", "rl", "--pdf", "--root", root)
    assert made.exit_code == 0, made.stderr
    assert outside.pdf.questions[0].path == "/pdf/2510.26475v2"
    assert "Downloading the PDF of 2510.26475v2 ...\n" in made.stderr
    assert (root / "notes_src/pdfs/2510.26475v2.pdf").read_bytes() == making_pdfs.paper(arxiv="2510.26475")
    assert "### §1 Introduction {#paper-1}" in (root / "notes_src/rl/01_Hummingbird_2510.26475/en.md").read_text()
    assert paper_notes("build", "--root", root).exit_code == 0


def test_without_the_option_no_pdf_is_asked_for(root: Path, outside: FakeOutside) -> None:
    paper_notes("new", "2510.26475", "--topic", "rl", "--root", root)
    assert outside.pdf.questions == []
    assert "pdfs" not in {name.split("/")[0] for name in sources(root)}


def test_a_pdf_that_was_given_is_copied_unless_told_otherwise(root: Path) -> None:
    assert paper_notes("new", "stamped.pdf", "--topic", "rl", "--no-pdf", "--root", root).exit_code == 0
    assert not (root / "notes_src/pdfs").exists()
    assert paper_notes("new", "paper.pdf", "--topic", "rl", "--root", root).exit_code == 0
    assert files_of(root / "notes_src/pdfs") == {"authorsmall.pdf": making_pdfs.paper(arxiv="")}


FILES = r"""
@article{vaswani2017-attention, title={Attention: All}, author={Vaswani, A}, year=2017,
  file = {Full Text PDF:files/12/a\:b\;c.pdf:application/pdf;Snapshot:files/12/page.html:text/html}}
@article{bbt, title={Better}, author={Bib, T}, year=2018, file = {files/gone.pdf;files/12/a\:b\;c.pdf;files/x.pdf}}
@article{lost, title={Lost}, author={Miss, I}, year=2019, file = {C\:\\Users\\me\\Zotero\\lost.pdf}, note = {kept}}
@article{plain, title={Plain}, author={No, File}, year=2019}
"""


def test_a_library_brings_the_pdfs_that_its_entries_name(root: Path) -> None:
    write(root.parent / "lib", {"library.bib": FILES})
    (root.parent / "lib/files/12").mkdir(parents=True)
    data = making_pdfs.paper(arxiv="")
    (root.parent / "lib/files/12/a:b;c.pdf").write_bytes(data)
    made = paper_notes("new", "lib/library.bib", "--all", "--offline", "--topic", "rl", "--root", root)
    assert made.exit_code == 0, made.stderr
    assert files_of(root / "notes_src/pdfs") == {"vaswani2017-attention.pdf": data, "bbt.pdf": data}
    assert 'that cannot be read, 2: bbt ("lib/files/gone.pdf" cannot be read: No such file' in made.stderr
    assert "Of the PDFs of bbt, a:b;c.pdf is taken, and not x.pdf." in made.stderr
    assert 'lost ("C:/Users/me/Zotero/lost.pdf" cannot be read' in made.stderr
    library = (root / "notes_src/library.bib").read_text()
    assert "@article{vaswani2017-attention," in library, "the keys of Better BibTeX stay"
    assert "file" not in library, "it names folders of one machine"
    assert "note = {kept}" in library
    assert "### §1 Introduction {#paper-1}" in next(root.glob("notes_src/rl/01_*/en.md")).read_text()
    assert paper_notes("build", "--root", root).exit_code == 0


def test_pdfs_that_a_library_names_and_nobody_has_are_one_line_with_their_number(root: Path) -> None:
    entries = "".join(
        f"@misc{{k{n}, title={{Title {n}}}, author={{A, B}}, year=2020, file={{p{n}.pdf}}}}\n" for n in range(9)
    )
    write(root.parent / "lib", {"library.bib": entries})
    made = paper_notes("new", "lib/library.bib", "--all", "--offline", "--topic", "rl", "--root", root)
    (line,) = (line for line in made.stderr.splitlines() if "PDF" in line)
    assert line.startswith("PDFs of the entries that cannot be read, 9: k0 (")
    assert line.endswith(" and 6 more")


def test_a_library_brings_no_pdfs_if_told_so(root: Path) -> None:
    write(root.parent, {"library.bib": "@misc{a, title={A}, author={B, C}, year=2020, file={:paper.pdf:PDF}}\n"})
    assert paper_notes("new", "library.bib", "--no-pdf", "--topic", "rl", "--root", root).exit_code == 0
    assert not (root / "notes_src/pdfs").exists()


def test_a_pdf_that_is_there_is_left_alone(root: Path) -> None:
    mine = root / "notes_src/pdfs/2510.26475v2.pdf"
    mine.parent.mkdir()
    mine.write_bytes(making_pdfs.paper(arxiv="2510.26475", title="My own copy"))
    before = mine.read_bytes()
    assert paper_notes("new", "stamped.pdf", "--topic", "rl", "--root", root).exit_code == 0
    assert mine.read_bytes() == before


def test_a_pdf_of_the_collection_is_not_copied(root: Path) -> None:
    mine = root / "notes_src/pdfs/nests.pdf"
    mine.parent.mkdir()
    mine.write_bytes(making_pdfs.paper(arxiv=""))
    assert paper_notes("new", mine, "--topic", "rl", "--root", root).exit_code == 0
    assert list(files_of(mine.parent)) == ["nests.pdf"]


PDF_PROBLEMS = {
    "web page": (LOG_IN_PAGE, "arXiv's answer is a web page, not a PDF"),
    "gone": (Answer(b"", 404), "arXiv has no PDF of 2510.26475v2"),
    "half": (making_pdfs.paper(arxiv="2510.26475")[:4000], "the PDF of 2510.26475v2 arrived without its end"),
    "503": (Answer(b"", 503), "arXiv cannot be reached: it answered 503 Service Unavailable (tried 3 times)"),
}


@pytest.mark.parametrize(("answer", "message"), PDF_PROBLEMS.values(), ids=PDF_PROBLEMS)
def test_a_download_that_fails_leaves_nothing(
    root: Path, outside: FakeOutside, answer: Answer | bytes, message: str
) -> None:
    outside.pdf.says(answer)
    made = paper_notes("new", "2510.26475", "--topic", "rl", "--pdf", "--root", root)
    assert made.exit_code == 1
    assert f"paper-notes: {message}. Nothing was written\n" in made.stderr
    assert "without --pdf the note is made without it\n" in made.stderr
    assert sources(root) == {"site.yaml"}


# -- what goes wrong -----------------------------------------------------------------------------------------------

WRONG = {
    "nothing": (
        ["ReSpec"],
        '"ReSpec" does not name a paper. Nothing was written',
        None,
    ),
    "several": (
        ["refs.bib"],
        "refs.bib holds 2 entries: quill2020egg, other. Nothing was written",
        (
            "for the first of them: paper-notes new refs.bib:quill2020egg --topic rl; "
            "name one of them as FILE:KEY; --all makes a note of each"
        ),
    ),
    "no pdf": (["fake.pdf"], None, None),
    "topic": (
        ["2510.26475", "--topic", "lr"],
        'there is no topic "lr". Nothing was written',
        "known: rl",
    ),
    "offline and pdf": (
        ["2510.26475", "--offline", "--pdf"],
        "--pdf asks arXiv, and --offline asks nobody. Nothing was written",
        "leave one of them out",
    ),
    "pdf of a doi": (
        ["10.1234/nest.2024.7", "--pdf"],
        "--pdf downloads from arXiv only, and this paper is not known to be there. Nothing was written",
        "download it yourself, and give the file: paper-notes new paper.pdf",
    ),
    "title and paper": (
        ["2510.26475", "--title", "An idea"],
        "--title is for a note on no paper. Nothing was written",
        'leave out "2510.26475", or --title',
    ),
    "kind": (
        ["--title", "An idea", "--kind", "tutorail"],
        'there is no kind of note "tutorail". Nothing was written',
        'did you mean "tutorial"?',
    ),
    "all and name": (
        ["refs.bib", "--all", "--name", "X"],
        "--name is for one paper, and these are several. Nothing was written",
        "leave it out",
    ),
    "two and name": (
        ["paper.pdf", "2510.26475", "--name", "X"],
        "--name is for one paper, and these are several. Nothing was written",
        "leave it out",
    ),
    "a title without quotation marks": (
        ["Attention", "is", "all", "you", "need"],
        '"Attention" does not name a paper. Nothing was written',
        "give an arXiv id",
    ),
    "a folder of no PDFs": (
        ["notes"],
        "there are no PDFs in notes. Nothing was written",
        "`paper-notes import` takes in folders of notes",
    ),
    "all of a paper": (
        ["2510.26475", "--all"],
        "--all is for .bib and .ris files. Nothing was written",
        "leave it out",
    ),
    "name": (
        ["2510.26475", "--name", "../x"],
        '"../x" cannot be the name of a note. Nothing was written',
        "use letters, digits and . _ + -",
    ),
}


@pytest.mark.parametrize(("arguments", "message", "hint"), WRONG.values(), ids=WRONG)
def test_what_goes_wrong(root: Path, arguments: list[str], message: str | None, hint: str | None) -> None:
    Path("fake.pdf").write_text("this is no PDF")
    made = paper_notes("new", "--topic", "rl", *arguments, "--root", root)
    assert made.exit_code == 1
    assert "Nothing was written" in made.stderr
    assert "Traceback" not in made.stderr
    if message:
        assert f"paper-notes: {message}\n  hint: {hint or ''}" in made.stderr
    assert sources(root) == {"site.yaml"}


def test_an_unknown_id(root: Path, outside: FakeOutside) -> None:
    outside.arxiv.says(EMPTY)
    made = paper_notes("new", "2510.26475", "--topic", "rl", "--root", root)
    assert made.exit_code == 1
    assert made.stderr.splitlines() == [
        "Asking arXiv for 2510.26475 ...",
        "paper-notes: arXiv has no paper 2510.26475. Nothing was written",
        "  hint: check the id at https://arxiv.org/abs/2510.26475",
    ]


def test_arxiv_is_down(root: Path, outside: FakeOutside) -> None:
    outside.arxiv.says(Answer(b"", 503))
    made = paper_notes("new", "2510.26475", "--topic", "rl", "--root", root)
    assert made.exit_code == 0
    assert (
        "arXiv cannot be reached: it answered 503 Service Unavailable (tried 3 times). Asking DataCite instead ...\n"
    ) in made.stderr
    note = yaml.safe_load((root / "notes_src/rl/01_Hummingbird_2510.26475/note.yaml").read_text())
    assert note["metadata"]["source"] == "datacite"


def test_a_hostile_answer_still_makes_a_note_that_builds(root: Path, outside: FakeOutside) -> None:
    """An abstract of 400 kB, direction marks, and an invalid DOI: what is wrong is left out and reported."""
    abstract = "$ " * 200_000
    outside.arxiv.says(feed(title="Nests\u202e of &#x2067;Birds", summary=abstract, **{"arxiv:doi": "10.1234/\u202e"}))
    made = paper_notes("new", "2510.26475", "--topic", "rl", "--root", root)
    assert made.exit_code == 0, made.stderr
    assert "Left out: the abstract, because it has 399,999 characters, more than 20,000.\n" in made.stderr
    assert "Left out: its DOI, because it is not a DOI.\n" in made.stderr
    checked = paper_notes("check", "--root", root)
    assert checked.exit_code == 0, checked.stderr


def test_an_entry_that_would_not_build_is_refused(root: Path) -> None:
    """Nothing is written, and the collection is checked with its new files before they are."""
    write(Path(), {"huge.bib": "@misc{a, title={" + "T" * 20_000 + "}, author={A, B}, year=2020}\n"})
    made = paper_notes("new", "huge.bib", "--topic", "rl", "--root", root)
    assert made.exit_code == 1
    assert "paper-notes: the new note would not build: notes_src/rl/01_T" in made.stderr
    assert sources(root) == {"site.yaml"}


# -- all or nothing ------------------------------------------------------------------------------------------------


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize(
    ("stop", "written"), [(KeyboardInterrupt, True), (OSError(28, "No space left on device"), False)]
)
@pytest.mark.parametrize("after", range(6))
def test_whatever_stops_the_writing_takes_it_back(
    root: Path, monkeypatch: pytest.MonkeyPatch, after: int, stop: BaseException | type[BaseException], written: bool
) -> None:
    write(root, {"notes_src/library.bib": REFS})
    before = files_of(root / "notes_src")
    real, count = disk.put, iter(range(1000))

    def stopping(*arguments: Any) -> None:
        now = next(count) == after
        if written or not now:
            real(*arguments)
        if now:
            raise stop

    monkeypatch.setattr(disk, "put", stopping)
    made = paper_notes("new", "2510.26475", "--topic", "rl", "--pdf", "--root", root)
    assert made.exit_code == (130 if stop is KeyboardInterrupt else 1)
    assert made.stderr.endswith("Nothing was written\n")
    assert files_of(root / "notes_src") == before
    assert not (root / "notes_src/rl").exists()


@pytest.mark.nightly
def test_ctrl_c_while_arxiv_is_silent(root: Path, outside: FakeOutside) -> None:
    outside.arxiv.says(Answer(feed(), delay=30))
    command = [sys.executable, "-m", "paper_notes", "new", "2510.26475", "--topic", "rl", "--root", str(root)]
    env = {**os.environ, "PYTHONPATH": str(PROJECT)}
    running = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, text=True)
    while not outside.arxiv.questions:
        assert running.poll() is None
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=300)
    assert running.returncode == 130
    assert said == "Asking arXiv for 2510.26475 ...\n\npaper-notes: interrupted. Nothing was written\n"
    assert sources(root) == {"site.yaml"}


# -- others write meanwhile ----------------------------------------------------------------------------------------


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], object]]:
    """Functions that are called, each once, while the next `new` waits for an answer."""
    doings: list[Callable[[], object]] = []
    real = resolve.resolve

    def waiting(*given: Any) -> resolve.Found:
        found = real(*given)
        if doings:
            doings.pop(0)()
        return found

    monkeypatch.setattr(start, "resolve", waiting)
    return doings


def new(root: Path, *arguments: str) -> Result:
    return paper_notes("new", "--topic", "rl", "--root", root, *arguments)


def entries(root: Path) -> list[str]:
    return re.findall(r"^@\w+\{(.*?),", (root / "notes_src/library.bib").read_text(), re.MULTILINE)


MINE = "@misc{mine, title={Mine}, author={Berg, Bo}, year=2024}\n"


@pytest.mark.parametrize("before", ["", "% nothing yet\n"])
def test_an_entry_that_is_typed_while_the_network_is_asked_stays(
    before: str, root: Path, meanwhile: list[Callable[[], object]]
) -> None:
    if before:
        write(root, {"notes_src/library.bib": before})
    meanwhile.append(lambda: write(root, {"notes_src/library.bib": before + MINE}))
    assert new(root, "2510.26475").exit_code == 0
    assert (root / "notes_src/library.bib").read_text().startswith(before + MINE)
    assert entries(root) == ["mine", "quill2025hummingbird"]


def test_an_entry_that_is_typed_while_the_note_is_written_stays_and_the_note_is_not_made(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, {"notes_src/library.bib": "% nothing yet\n"})
    real = scaffold.scaffold

    def typing(*given: Any, **options: Any) -> scaffold.Scaffolded:
        write(root, {"notes_src/library.bib": MINE})
        return real(*given, **options)

    monkeypatch.setattr(start, "scaffold", typing)
    made = new(root, "2510.26475")
    assert made.exit_code == 1
    assert made.stderr.endswith(
        "notes_src/library.bib was changed while it was being used; run the command again. Nothing was written\n"
    )
    assert files_of(root / "notes_src") == {"site.yaml": SITE.encode(), "library.bib": MINE.encode()}


def test_two_at_once_get_two_numbers_and_two_entries(root: Path, meanwhile: list[Callable[[], object]]) -> None:
    results = []
    meanwhile.append(lambda: results.append(new(root, "refs.bib:other")))
    results.append(new(root, "2510.26475"))
    assert [result.exit_code for result in results] == [0, 0]
    assert {name.split("/")[1] for name in sources(root) if name.endswith("note.yaml")} == {
        "01_Other_2021",
        "02_Hummingbird_2510.26475",
    }
    assert entries(root) == ["other", "quill2025hummingbird"]
    assert paper_notes("build", "--root", root).exit_code == 0


def test_two_at_once_with_one_key_get_two(root: Path, meanwhile: list[Callable[[], object]]) -> None:
    write(root.parent, {"more.bib": REFS.replace("An Egg", "Another Egg").replace("Quill", "Lin")})
    meanwhile.append(lambda: new(root, "refs.bib:quill2020egg"))
    assert new(root, "more.bib:quill2020egg").exit_code == 0
    assert entries(root) == ["quill2020egg", "quill2020egga"]
    assert "- quill2020egga\n" in (root / "notes_src/rl/02_AnotherEgg_2020/note.yaml").read_text()
    assert paper_notes("build", "--root", root).exit_code == 0


def test_two_at_once_on_one_paper_make_one_note(root: Path, meanwhile: list[Callable[[], object]]) -> None:
    meanwhile.append(lambda: new(root, "2510.26475"))
    second = new(root, "https://arxiv.org/abs/2510.26475")
    assert second.exit_code == 1
    assert (
        "there is a note on arXiv:2510.26475 already: notes_src/rl/01_Hummingbird_2510.26475. Nothing was written\n"
    ) in second.stderr
    assert entries(root) == ["quill2025hummingbird"]
    assert len([name for name in sources(root) if name.endswith("note.yaml")]) == 1


def test_an_entry_that_goes_meanwhile_is_said(root: Path, meanwhile: list[Callable[[], object]]) -> None:
    write(root, {"notes_src/library.bib": REFS})
    meanwhile.append((root / "notes_src/library.bib").unlink)
    made = new(root, "quill2020egg")
    assert made.exit_code == 1
    assert 'the entry "quill2020egg" is not in the collection any more. Nothing was written\n' in made.stderr
    assert sources(root) == {"site.yaml"}


def test_the_library_that_was_made_read_only_stays(root: Path) -> None:
    write(root, {"notes_src/library.bib": MINE})
    (root / "notes_src/library.bib").chmod(0o444)
    made = new(root, "2510.26475")
    assert made.exit_code == 1
    assert "notes_src/library.bib is read-only, so it is not written over. Nothing was written\n  hint: " in made.stderr
    assert sources(root) == {"site.yaml", "library.bib"}


def test_the_library_that_is_a_link_stays_one(root: Path) -> None:
    write(root, {"notes_src/shared/all.txt": MINE})  # a .bib there would be read twice
    (root / "notes_src/library.bib").symlink_to("shared/all.txt")
    assert new(root, "2510.26475").exit_code == 0
    assert (root / "notes_src/library.bib").is_symlink()
    assert (root / "notes_src/shared/all.txt").read_text().startswith(MINE + "\n@misc{quill2025hummingbird,")


def test_it_waits_for_others_who_write_but_not_while_it_asks(
    root: Path, outside: FakeOutside, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_before_waiting = []
    with ExitStack() as other:
        other.enter_context(locked(root))

        def waiting() -> None:
            asked_before_waiting.extend(outside.arxiv.questions)
            other.close()

        monkeypatch.setattr(start, "say_waiting", waiting)
        assert new(root, "2510.26475").exit_code == 0
    assert len(asked_before_waiting) == 1


def test_a_note_that_another_is_about_to_make_is_waited_for(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, {"notes_src/library.bib": MINE, "notes_src/rl/01_Mine/note.yaml": "title: Mine\npapers: [mine]\n"})
    with ExitStack() as other:
        other.enter_context(locked(root))

        def waiting() -> None:
            texts = {f"notes_src/rl/01_Mine/{lang}.md": "Mine.\n" for lang in ("zh", "en")}
            write(root, {**texts, "notes_src/rl/topic.yaml": "title: RL\n"})
            other.close()

        monkeypatch.setattr(start, "say_waiting", waiting)
        made = new(root, "2510.26475")
    assert made.exit_code == 0, made.stderr
    assert "notes_src/rl/02_Hummingbird_2510.26475/note.yaml" in made.stderr
