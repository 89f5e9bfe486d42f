"""What pages show of papers without their PDFs, and when a picture is drawn again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import making_pdfs
import pytest
from building import said, source
from hypothesis import given, settings
from hypothesis import strategies as st
from running import paper_notes

from paper_notes.build import update
from paper_notes.corpus.load import load
from paper_notes.corpus.model import Corpus
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import Location
from paper_notes.engine.cache import Cache
from paper_notes.markdown.body import Slot
from paper_notes.render.crops import Crop, CropFiles, Crops, crop_files
from paper_notes.sources.filenames import unusable
from paper_notes.sources.pdf.crop_metadata import read_kept_file
from paper_notes.sources.pdf.reader import PdfReader

PLACE = Location(PurePosixPath("notes_src/one/01_A/zh.md"), 3)
FOLDER = "notes_src/crops/2601.00001"
Files = Mapping[str, str | bytes]
BASE: Files = {
    "notes_src/site.yaml": "title: {zh: 笔记, en: Notes}\ntopics: [one]\n",
    "notes_src/library.bib": "@misc{a2026, title={A Small Paper About Nothing in Particular}, eprint={2601.00001}}\n",
    "notes_src/one/topic.yaml": "title: {zh: 一, en: One}\n",
    "notes_src/one/01_A/note.yaml": "title: {zh: 甲, en: A}\npapers: [a2026]\n",
    "notes_src/one/01_A/zh.md": "文\n",
}
PDF: Files = {"notes_src/pdfs/2601.00001.pdf": making_pdfs.paper()}


class Remembered(Cache):
    """What was read and drawn, so that each picture is drawn once for all tests."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[bytes | str, bytes] = {}

    def get(self, key: bytes | str, *, of_any_program: bool = False) -> bytes | None:
        return self._known.get(key)

    def put(self, key: bytes | str, value: bytes, *, of_any_program: bool = False) -> None:
        self._known[key] = value


READER = PdfReader(Remembered())


class NoPdf(PdfReader):
    """Nothing is read from a PDF but which one it is."""

    def facts(self, *_: object) -> None:  # type: ignore[override]
        raise AssertionError("a PDF is read")

    picture = facts  # type: ignore[assignment]


def asked(files: Files, *targets: str, reader: PdfReader = READER) -> tuple[Corpus, Crops, str]:
    """The collection after its pages have asked for these parts, and what is said."""
    every = {**BASE, **files}
    corpus, _ = load(tuple(source(path, every[path]) for path in sorted(every)), READER.identity)
    assert corpus
    crops = Crops(corpus, reader)
    slots = [Slot("crop", target, "", PLACE) for target in targets]
    return corpus, crops, said(problem for slot in slots for problem in crops.check(slot))


def made(files: Files, *targets: str, first_page: bool = False) -> CropFiles:
    corpus, crops, _ = asked(files, *targets)
    if first_page:
        crops.thumbnail(BibKey("a2026"))
    return crop_files(corpus, crops)


def as_files(made: CropFiles) -> dict[str, str | bytes]:
    return {str(artifact.path): artifact.data for artifact in made.artifacts}


TARGETS = (
    "2601.00001#figure-1",
    "a2026#table-A.1",
    "2601.00001v2#figure-1",
    "a2026#page-1:72,40,272,140",
)
KEPT = as_files(made(PDF, *TARGETS, first_page=True))


def test_each_part_has_a_file_of_its_own_with_a_good_name() -> None:
    assert sorted(KEPT) == [
        f"{FOLDER}/figure-1.webp",
        f"{FOLDER}/first-page.webp",
        f"{FOLDER}/page-1_72,40,272,140.webp",
        f"{FOLDER}/table-a.1.webp",
        f"{FOLDER}v2/figure-1.webp",
    ]
    record, _ = read_kept_file(KEPT[f"{FOLDER}/figure-1.webp"])  # type: ignore[arg-type]
    assert (record.part, record.version, record.page, record.kind, record.number) == ("figure-1", 2, 1, "figure", "1")
    assert record.caption == "What was found, by the number n of attempts."
    assert len(record.pdf) == 64


def test_names_in_several_spellings_are_one_file() -> None:
    spellings = ("2601.00001#figure-1", "a2026#Figure-1", "a2026# figure-1", "a2026#page-03:0,1.0,9,9")
    names = [artifact.path.name for artifact in made(PDF, *spellings, "a2026#page-3:0, 1,9.0,9").artifacts]
    assert sorted(names) == ["figure-1.webp", "page-3_0,1,9,9.webp"]


@given(st.text(max_size=40) | st.from_regex(r"(figure|page)-[./\\\\0-9:,a ]+", fullmatch=True))
@settings(max_examples=50, deadline=None)
def test_whatever_is_asked_for_names_a_file_in_the_folder_or_none(part: str) -> None:
    place = asked({}, f"a2026#{part}")[1].place(f"a2026#{part}")
    if place:
        assert str(place.parent) == FOLDER
        assert unusable(place.name) == ""


def test_without_the_pdf_all_is_as_with_it() -> None:
    _, drawn, _ = asked(PDF, *TARGETS)
    corpus, crops, problems = asked(KEPT, *TARGETS, reader=NoPdf())
    assert problems == ""
    for target in TARGETS:
        assert isinstance(crops.find(target), Crop)
        assert crops.find(target) == drawn.find(target)
    assert crops.thumbnail(BibKey("a2026")) == drawn.thumbnail(BibKey("a2026"))
    files = crop_files(corpus, crops)
    assert as_files(files) == KEPT, "and nothing is to be written"
    assert files.diagnostics == ()


def test_with_the_pdf_that_it_was_drawn_from_it_is_not_drawn_again() -> None:
    _, crops, problems = asked({**KEPT, **PDF}, *TARGETS, reader=NoPdf())
    assert problems == ""
    assert crops.find(TARGETS[0])


@pytest.mark.parametrize(
    ("kept", "now", "again"),
    [
        (2, making_pdfs.paper(version=3), True),
        (2, making_pdfs.paper(version=2, day="7 Jan 2026"), False),
        (2, making_pdfs.paper(version=1), False),
        (None, making_pdfs.paper(version=3), True),
        (2, making_pdfs.paper(arxiv=""), True),
        (2, making_pdfs.paper(version=3)[:-40], False),
    ],
    ids=["a newer version", "another copy", "an older one", "unknown before", "unknown now", "a broken one"],
)
def test_it_is_drawn_again_from_another_version(kept: int | None, now: bytes, again: bool) -> None:
    path = f"{FOLDER}/figure-1.webp"
    before = making_pdfs.kept_figure(kept)
    files: Files = {path: before, "notes_src/pdfs/2601.00001.pdf": now}
    corpus, crops, problems = asked(files, "a2026#figure-1")
    assert problems == ""
    (artifact,) = crop_files(corpus, crops).artifacts
    assert (artifact.data != before) == again
    crop = crops.find("a2026#figure-1")
    assert crop
    assert crop.figure
    assert (crop.figure.caption == "<“是”> & so") != again


def test_another_part_needs_the_pdf() -> None:
    _, crops, problems = asked(KEPT, "2601.00001#figure-9")
    assert crops.find("2601.00001#figure-9") is None
    assert problems == (
        'notes_src/one/01_A/zh.md:3:1: error[missing-pdf]: there is no PDF of "2601.00001", and figure-9 is not among '
        "the pictures that are kept of it\n"
        "  hint: save it as notes_src/pdfs/2601.00001.pdf; kept without it: figure-1, page-1_72,40,272,140, "
        "table-a.1\n"
    )


@pytest.mark.parametrize("with_pdf", [False, True])
@pytest.mark.parametrize(
    ("data", "why"),
    [
        (making_pdfs.kept_figure()[:-9], "is not as a build has written it any more"),
        (b"", "is not a picture that a build has written"),
        (b"version https://git-lfs.github.com/spec/v1\n", "is not a picture that a build has written"),
        (making_pdfs.kept_figure(part="figure-2"), "is the picture of figure-2"),
    ],
)
def test_a_file_with_something_else_is_reported_and_left_alone(data: bytes, why: str, with_pdf: bool) -> None:
    path = f"{FOLDER}/figure-1.webp"
    corpus, crops, problems = asked({path: data, **(PDF if with_pdf else {})}, "a2026#figure-1", "2601.00001#figure-1")
    assert problems.startswith(f"{PLACE}: error[changed-crop]: {path} {why}\n")
    files = crop_files(corpus, crops)
    assert (files.artifacts, files.read, files.diagnostics) == ((), (), ())


def test_a_broken_picture_of_a_first_page_is_reported_at_its_file() -> None:
    path = f"{FOLDER}/first-page.webp"
    files = made({path: b"", **PDF}, first_page=True)
    assert (files.artifacts, files.read) == ((), ())
    (found,) = files.diagnostics
    assert (str(found.location), found.rule, found.severity) == (f"{path}:1:1", "changed-crop", "error")


def test_what_nothing_shows_is_deleted_only_if_it_can_be_drawn_again() -> None:
    with_pdf = made({**KEPT, **PDF}, TARGETS[0])
    assert [str(artifact.path) for artifact in with_pdf.artifacts] == [f"{FOLDER}/figure-1.webp"]
    assert sorted(str(file.path) for file in with_pdf.read) == sorted(KEPT)
    assert with_pdf.diagnostics == ()
    without = made(KEPT, TARGETS[0], first_page=True)
    assert as_files(without) == KEPT
    assert [found.rule for found in without.diagnostics] == ["unused-crop"] * 3


@pytest.mark.parametrize(
    "text",
    [
        "![](pdf:2601.00001#table-A.1)",
        "<!-- ![](PDF:a2026#Table-A.1) -->",
        "![x](<pdf:a2026#table-A.1>)",
        "intro: {en: '![](pdf:a2026#table-A%2E1)'}",
    ],
)
def test_what_any_text_names_is_not_deleted(text: str) -> None:
    path = f"{FOLDER}/table-a.1.webp"
    for name in ("one/01_A/zh.md", "one/02_B/en.md", "elsewhere/x.yaml"):
        files = made({path: KEPT[path], f"notes_src/{name}": text, **PDF})
        assert path in as_files(files), name
        assert files.diagnostics == ()


def test_the_first_page_of_a_note_that_is_not_built_is_not_deleted() -> None:
    path = f"{FOLDER}/first-page.webp"
    files: Files = {path: KEPT[path], **PDF}
    assert path not in as_files(made(files))
    assert path in as_files(made({**files, "notes_src/two/01_B/note.yaml": "papers: [a2026]\n"}))


def test_files_of_others_are_nobodys_business() -> None:
    copy = {f"{FOLDER}/figure-1 copy.webp": making_pdfs.kept_figure()}
    others: Files = {
        **copy,
        f"{FOLDER}/mine.webp": b"mine",
        f"{FOLDER}/figure-2.png": b"mine",
        "notes_src/crops/x.webp": b"x",
    }
    files = made({**others, **PDF})
    assert (files.artifacts, files.read, files.diagnostics) == ((), (), ())


def test_what_only_lists_show_is_kept_drawn_again_and_deleted_as_what_notes_show(tmp_path: Path) -> None:
    """Their pages are not made again in these builds, unless a picture in them changed."""
    path = f"{FOLDER}/table-a.1.webp"
    topic = tmp_path / "notes_src/one/topic.yaml"
    for name, data in {**BASE, **PDF}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data.encode() if isinstance(data, str) else data)
    plain = topic.read_text("utf-8")
    topic.write_text(plain + "intro: {zh: '![](pdf:a2026#table-A.1)', en: x}\n", "utf-8")

    def changed() -> set[str]:
        plan = update(tmp_path, jobs=1).plan
        assert plan
        written = {str(artifact.path) for artifact in (*plan.create, *plan.update)}
        return {name for name in (*written, *map(str, plan.delete)) if name in (path, "site/one/index.html")}

    assert changed() == {path, "site/one/index.html"}
    assert changed() == set()
    (tmp_path / path).unlink()
    assert changed() == {path}
    (tmp_path / "notes_src/pdfs/2601.00001.pdf").unlink()
    assert changed() == set()
    (tmp_path / path).write_bytes(making_pdfs.kept_figure(part="table-a.1"))
    assert changed() == {"site/one/index.html"}
    topic.write_text(plain, "utf-8")
    assert changed() == {"site/one/index.html"}
    (tmp_path / "notes_src/pdfs/2601.00001.pdf").write_bytes(making_pdfs.paper())
    assert changed() == {path}

    topic.write_text(plain + "intro: {zh: '![](pdf:a2026#table-A.1)', en: x}\n", "utf-8")
    assert changed() == {path, "site/one/index.html"}
    (tmp_path / "notes_src/pdfs/2601.00001.pdf").write_bytes(making_pdfs.paper(version=3))
    told = paper_notes("build", "--root", tmp_path, "--jobs", "1").stderr
    assert f"{path} is drawn again, from another PDF than before." in told
