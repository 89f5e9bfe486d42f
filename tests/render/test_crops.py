"""Parts of papers on pages: the picture, its source, and everything that a reference to one can get wrong."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path, PurePosixPath

import making_pdfs
import pytest
import yaml
from building import said, source
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from running import paper_notes

from paper_notes.build import update
from paper_notes.corpus.load import load
from paper_notes.corpus.model import Corpus
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import Location
from paper_notes.engine.cache import Cache, open_cache
from paper_notes.markdown.bodies import render_bodies
from paper_notes.markdown.body import Slot, fill
from paper_notes.render.crops import Crop, CropFiles, Crops, crop_files
from paper_notes.render.links import link_resolver, note_path
from paper_notes.sources.filenames import unusable
from paper_notes.sources.pdf import reader
from paper_notes.sources.pdf.crop_metadata import read_kept_file
from paper_notes.sources.pdf.model import PdfFigures
from paper_notes.sources.pdf.picture import Picture
from paper_notes.sources.pdf.reader import PdfReader

BROKEN = yaml.safe_load((Path(__file__).parent / "crops_broken.yaml").read_text("utf-8"))
FILES = {
    "site.yaml": "title: {zh: 笔记, en: Notes}\ntopics: [one]\n",
    "library.bib": """
@misc{author2026small, title={A Small Paper About Nothing in Particular}, author={Author, Ann and Writer, Bo},
  year={2026}, eprint={2601.00001}}
@misc{other2020, title={Other}, author={Other, C.}, year={2020}, eprint={2001.00002}}
@misc{broken2020, title={Broken}, author={Other, D.}, year={2020}, eprint={2001.00003}}
""",
    "one/topic.yaml": "title: {zh: 一, en: One}\n",
    "one/01_First/note.yaml": "title: {zh: 甲, en: First}\npapers: [author2026small]\n",
}


def rendered(texts: Mapping[str, str], pdfs: PdfReader | None = None, site: str = "") -> tuple[str, str]:
    """The HTML of the note's lead in all its languages, and its diagnostics; `site` are more lines of site.yaml."""
    files = (
        FILES
        | {"pdfs/2601.00001v2.pdf": making_pdfs.paper(), "pdfs/2001.00003.pdf": making_pdfs.paper()[:500]}
        | {"site.yaml": FILES["site.yaml"] + site}
        | {f"one/01_First/{lang}.md": text for lang, text in texts.items()}
    )
    pdfs = pdfs or PdfReader()
    sources = tuple(source(f"notes_src/{path}", text) for path, text in sorted(files.items()))
    corpus, _ = load(sources, pdfs.identity)
    assert corpus
    bodies, problems = render_bodies(corpus.notes, words=corpus.site.words)
    resolver = link_resolver(corpus, bodies.outlines, Crops(corpus, pdfs))
    note = corpus.notes[0]
    html, found = [], list(problems)
    for lang, half in bodies[note.id].halves.items():
        found += resolver.check(half.slots, note.topic)
        slot = lambda slot, lang=lang: resolver.html(slot, note_path(note), note.topic, lang, listed=True)  # noqa: E731
        html.append(fill(half.lead, half.slots, slot))
    return "".join(html), said(found)


def shown(html: str) -> str:
    """The HTML without the data of pictures, which need not be compared."""
    return re.sub(r'src="data:image/webp;base64,[^"]+"', 'src="..."', html)


def test_a_figure_stands_with_the_papers_own_caption_and_its_source() -> None:
    html, problems = rendered({"zh": "![](pdf:2601.00001#figure-1)\n", "en": "![](pdf:2601.00001#figure-1)\n"})
    assert problems == ""
    cite = (
        '<a class="cite" href="#ref-author2026small" title="A Small Paper About Nothing in Particular">'
        "Author and Writer, 2026</a>"
    )
    caption = '<span lang="en">What was found, by the number n of attempts.</span> <span class="cites">[{}]</span>'
    figure = (
        '<figure class="fig"><div class="fig-body"><img class="crop" src="..." width="280" height="180" alt="{}">'
        "</div>"
        "<figcaption>{}</figcaption></figure>\n"
    )
    assert shown(html) == figure.format(
        "Author and Writer, 2026 图 1", caption.format(f"{cite}, 图 1")
    ) + figure.format("Figure 1 of Author and Writer, 2026", caption.format(f"{cite}, Figure 1"))


def test_a_caption_has_the_likely_language_of_its_paper() -> None:
    text = "![](pdf:2601.00001#figure-1)\n"
    for languages in ("[zh]", "[en-GB]", "[de, zh]"):
        lang = languages[1:-1].split(", ")[0]
        html, problems = rendered({lang: text}, site=f"languages: {languages}\n")
        assert '<span lang="en">What was found,' in html, problems


def test_what_is_written_is_caption_and_text_for_those_who_cannot_see() -> None:
    html, problems = rendered({"zh": "![结果的**柱状图**](pdf:author2026small#table-A.1)\n"})
    assert problems == ""
    assert 'alt="结果的**柱状图**"' in html
    assert "<figcaption>结果的<strong>柱状图</strong> " in html
    assert "below its table" not in html
    assert "</a>, 表 A.1]" in html


@pytest.mark.parametrize(
    ("target", "size", "label"),
    [
        ("page-3", (700, 991), "第 3 页"),
        ("page-1:72,40,272,140", (300, 150), "第 1 页"),
        ("figure-2", (594, 195), "图 2"),
        ("page-1:0,0,595,842", (700, 991), "第 1 页"),
        ("page-1:0,0,100,842", (119, 1000), "第 1 页"),
    ],
)
def test_pictures_are_sharp_and_of_a_sensible_size(target: str, size: tuple[int, int], label: str) -> None:
    html, problems = rendered({"zh": f"![](pdf:2601.00001v2#{target})\n"})
    assert problems == ""
    assert f'width="{size[0]}" height="{size[1]}"' in html
    assert f"</a>, {label}]" in html
    (data,) = re.findall('base64,([^"]+)"', html)
    image = Image.open(io.BytesIO(base64.b64decode(data)))
    assert image.format == "WEBP"
    assert abs(image.width - 2 * size[0]) <= 3


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case["target"])
def test_what_is_said_of_a_part_that_is_not_there(case: dict) -> None:
    _, problems = rendered({"zh": f"## 一\n\n文 ![图](pdf:{case['target']})\n"})
    assert problems == f"notes_src/one/01_First/zh.md:3:3: {case['said']}"


def test_what_was_read_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = open_cache(tmp_path)
    text = {"zh": "![](pdf:2601.00001#figure-1)\n"}
    first = rendered(text, PdfReader(cache))
    with monkeypatch.context() as patch:
        patch.setattr(reader, "limited", None)
        assert rendered(text, PdfReader(cache)) == first, "no PDF is opened again, not even a broken one"
    cache.close()
    assert rendered(text) == first, "and without a cache it is the same"


def test_a_cache_that_holds_something_else_is_not_believed() -> None:
    class Lying:
        def get(self, key: bytes | str) -> bytes | None:
            return b"={}"

        def put(self, key: bytes | str, value: bytes) -> None:
            pass

    pdfs = PdfReader(Lying())  # type: ignore[arg-type]
    paper = source("a.pdf", making_pdfs.paper())
    assert isinstance(pdfs.figures(paper), PdfFigures)
    drawn = pdfs.picture(paper, 1, None, width=100, height=100, limit=9_000)
    assert isinstance(drawn, Picture)


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


@cache
def pdf() -> Files:
    return {"notes_src/pdfs/2601.00001.pdf": making_pdfs.paper()}


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


@cache
def kept() -> Mapping[str, str | bytes]:
    """The pictures of all of them."""
    return as_files(made(pdf(), *TARGETS, first_page=True))


def test_each_part_has_a_file_of_its_own_with_a_good_name() -> None:
    assert sorted(kept()) == [
        f"{FOLDER}/figure-1.webp",
        f"{FOLDER}/first-page.webp",
        f"{FOLDER}/page-1_72,40,272,140.webp",
        f"{FOLDER}/table-a.1.webp",
        f"{FOLDER}v2/figure-1.webp",
    ]
    record, _ = read_kept_file(kept()[f"{FOLDER}/figure-1.webp"])  # type: ignore[arg-type]
    assert (record.part, record.version, record.page, record.kind, record.number) == ("figure-1", 2, 1, "figure", "1")
    assert record.caption == "What was found, by the number n of attempts."
    assert len(record.pdf) == 64


def test_names_in_several_spellings_are_one_file() -> None:
    spellings = ("2601.00001#figure-1", "a2026#Figure-1", "a2026# figure-1", "a2026#page-03:0,1.0,9,9")
    names = [artifact.path.name for artifact in made(pdf(), *spellings, "a2026#page-3:0, 1,9.0,9").artifacts]
    assert sorted(names) == ["figure-1.webp", "page-3_0,1,9,9.webp"]


@pytest.mark.nightly
@given(st.text(max_size=40) | st.from_regex(r"(figure|page)-[./\\\\0-9:,a ]+", fullmatch=True))
def test_whatever_is_asked_for_names_a_file_in_the_folder_or_none(part: str) -> None:
    place = asked({}, f"a2026#{part}")[1].file_of(f"a2026#{part}")
    if place:
        assert str(place.parent) == FOLDER
        assert unusable(place.name) == ""


def test_without_the_pdf_all_is_as_with_it() -> None:
    _, drawn, _ = asked(pdf(), *TARGETS)
    corpus, crops, problems = asked(kept(), *TARGETS, reader=NoPdf())
    assert problems == ""
    for target in TARGETS:
        assert isinstance(crops.find(target), Crop)
        assert crops.find(target) == drawn.find(target)
    assert crops.thumbnail(BibKey("a2026")) == drawn.thumbnail(BibKey("a2026"))
    files = crop_files(corpus, crops)
    assert as_files(files) == kept(), "and nothing is to be written"
    assert files.diagnostics == ()


def test_with_the_pdf_that_it_was_drawn_from_it_is_not_drawn_again() -> None:
    _, crops, problems = asked({**kept(), **pdf()}, *TARGETS, reader=NoPdf())
    assert problems == ""
    assert crops.find(TARGETS[0])


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize(
    ("version", "now", "again"),
    [
        (2, lambda: making_pdfs.paper(version=3), True),
        (2, lambda: making_pdfs.paper(version=2, day="7 Jan 2026"), False),
        (2, lambda: making_pdfs.paper(version=1), False),
        (None, lambda: making_pdfs.paper(version=3), True),
        (2, lambda: making_pdfs.paper(arxiv=""), True),
        (2, lambda: making_pdfs.paper(version=3)[:-40], False),
    ],
    ids=["a newer version", "another copy", "an older one", "unknown before", "unknown now", "a broken one"],
)
def test_it_is_drawn_again_from_another_version(version: int | None, now: Callable[[], bytes], again: bool) -> None:
    path = f"{FOLDER}/figure-1.webp"
    before = making_pdfs.kept_figure(version)
    files: Files = {path: before, "notes_src/pdfs/2601.00001.pdf": now()}
    corpus, crops, problems = asked(files, "a2026#figure-1")
    assert problems == ""
    (artifact,) = crop_files(corpus, crops).artifacts
    assert (artifact.data != before) == again
    crop = crops.find("a2026#figure-1")
    assert crop
    assert (crop.record.caption == "<“是”> & so") != again


def test_another_part_needs_the_pdf() -> None:
    _, crops, problems = asked(kept(), "2601.00001#figure-9")
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
        (lambda: making_pdfs.kept_figure()[:-9], "is not as a build has written it any more"),
        (bytes, "is not a picture that a build has written"),
        (lambda: b"version https://git-lfs.github.com/spec/v1\n", "is not a picture that a build has written"),
        (lambda: making_pdfs.kept_figure(part="figure-2"), "is the picture of figure-2"),
    ],
)
def test_a_file_with_something_else_is_reported_and_left_alone(
    data: Callable[[], bytes], why: str, with_pdf: bool
) -> None:
    path = f"{FOLDER}/figure-1.webp"
    corpus, crops, problems = asked(
        {path: data(), **(pdf() if with_pdf else {})}, "a2026#figure-1", "2601.00001#figure-1"
    )
    assert problems.startswith(f"{PLACE}: error[changed-crop]: {path} {why}\n")
    drawn = crop_files(corpus, crops)
    assert (drawn.artifacts, drawn.read, drawn.diagnostics) == ((), (), ())


def test_a_broken_picture_of_a_first_page_is_reported_at_its_file() -> None:
    path = f"{FOLDER}/first-page.webp"
    files = made({path: b"", **pdf()}, first_page=True)
    assert (files.artifacts, files.read) == ((), ())
    (found,) = files.diagnostics
    assert (str(found.location), found.rule, found.severity) == (f"{path}:1:1", "changed-crop", "error")


def test_what_nothing_shows_is_deleted_only_if_it_can_be_drawn_again() -> None:
    with_pdf = made({**kept(), **pdf()}, TARGETS[0])
    assert [str(artifact.path) for artifact in with_pdf.artifacts] == [f"{FOLDER}/figure-1.webp"]
    assert sorted(str(file.path) for file in with_pdf.read) == sorted(kept())
    assert with_pdf.diagnostics == ()
    without = made(kept(), TARGETS[0], first_page=True)
    assert as_files(without) == kept()
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
        files = made({path: kept()[path], f"notes_src/{name}": text, **pdf()})
        assert path in as_files(files), name
        assert files.diagnostics == ()


def test_the_first_page_of_a_note_that_is_not_built_is_not_deleted() -> None:
    path = f"{FOLDER}/first-page.webp"
    files: Files = {path: kept()[path], **pdf()}
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
    files = made({**others, **pdf()})
    assert (files.artifacts, files.read, files.diagnostics) == ((), (), ())


def test_what_only_lists_show_is_kept_drawn_again_and_deleted_as_what_notes_show(tmp_path: Path) -> None:
    """Their pages are not made again in these builds, unless a picture in them changed."""
    path = f"{FOLDER}/table-a.1.webp"
    topic = tmp_path / "notes_src/one/topic.yaml"
    for name, data in {**BASE, **pdf()}.items():
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
