"""Which paper a PDF is, and the diagnostics where its name, its first page and its note do not agree."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from building import said, source

from paper_notes.corpus.load import load
from paper_notes.corpus.model import ArxivId, Corpus
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import Diagnostic
from paper_notes.render.links import published_pdfs
from paper_notes.sources.pdf.model import PdfIdentity, PdfProblem
from paper_notes.sources.tree import Source

BROKEN, UNPUBLISHED = (
    yaml.safe_load((Path(__file__).parent / f"pdfs_{name}.yaml").read_text("utf-8"))
    for name in ("broken", "unpublished")
)
FILES = {
    "site.yaml": "title: {zh: 笔记, en: Notes}\ntopics: [one]\n",
    "library.bib": """
@misc{stone2024arch, title={Stone Arches Under Load}, author={Stone, A.}, year={2024}, eprint={2401.00001}}
@misc{wind2023cable, title={Cables in the Wind}, author={Wind, B.}, year={2023}, eprint={2302.00002}}
@article{paper1999, title={A Paper of Before}, author={Old, C.}, year={1999}, doi={10.1000/ABC.1}}
@misc{cs2001, title={From the First Days}, author={Old, D.}, year={2001}, eprint={cs/0112017}}
""",
    "one/topic.yaml": "title: {zh: 一, en: One}\n",
    "one/01_First/note.yaml": "title: {zh: 甲, en: First}\npapers: [stone2024arch, wind2023cable]\n",
    "one/01_First/zh.md": "中\n",
    "one/01_First/en.md": "en\n",
}


def page(
    arxiv: str | None = None, version: int | None = 1, doi: str | None = None, title: str = "", **other: bool
) -> PdfIdentity:
    """What the first page of a PDF says."""
    facts = {"repaired": False, "has_text": True} | other
    return PdfIdentity(9, ArxivId(arxiv) if arxiv else None, version if arxiv else None, None, doi, title, **facts)


def first_page(values: dict) -> PdfIdentity | PdfProblem:
    """The same from a case file."""
    return PdfProblem(values["problem"], values["hint"]) if "problem" in values else page(**values)


def loaded(
    pdfs: Mapping[str, PdfIdentity | PdfProblem], files: Mapping[str, str] = {}
) -> tuple[Corpus, tuple[Diagnostic, ...]]:
    texts = [source(f"notes_src/{path}", text) for path, text in (FILES | files).items()]
    blobs = [source(f"notes_src/{path}", f"%PDF- {path}") for path in pdfs]
    known = {f"notes_src/{path}": found for path, found in pdfs.items()}

    def identify(found: Source) -> PdfIdentity | PdfProblem:
        return known[str(found.path)]

    corpus, problems = load(tuple(sorted([*texts, *blobs], key=lambda source: source.path)), identify)
    assert corpus
    return corpus, problems


@pytest.mark.parametrize(
    ("path", "found", "paper"),
    [
        ("pdfs/whatever.pdf", page("2401.00001"), "stone2024arch"),
        ("pdfs/2401.00001v3.pdf", page(title="Stone Arches Under a Load"), "stone2024arch"),
        ("pdfs/04_Arch_2401.00001.PDF", page(), "stone2024arch"),
        ("pdfs/wind2023cable.pdf", page(), "wind2023cable"),
        ("pdfs/cs-0112017v1.pdf", page(), "cs2001"),
        ("pdfs/x.pdf", page(doi="10.1000/abc.1"), "paper1999"),
        ("pdfs/x.pdf", page(title="A paper – of before"), "paper1999"),
        ("pdfs/paper1999.pdf", page("2111.00001"), "paper1999"),
        ("one/01_First/paper.pdf", page(), "stone2024arch"),
        ("one/01_First/second.pdf", page("2302.00002"), "wind2023cable"),
        ("one/01_First/figures/deep.pdf", page(title="Cables in the wind"), "wind2023cable"),
        ("pdfs/to-read.pdf", page("2512.00001"), None),
        ("pdfs/physics-0112017.pdf", page("2512.00001"), None),
    ],
)
def test_a_pdf_is_known_by_its_page_its_name_or_its_note(path: str, found: PdfIdentity, paper: str | None) -> None:
    corpus, problems = loaded({path: found})
    assert said(problems) == ""
    (pdf,) = corpus.pdfs
    assert (pdf.paper, pdf.problem) == (paper, None)
    if paper:
        assert corpus.pdf_of(BibKey(paper)) == pdf


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: f"{case['path']}: {case['said'].split(':')[0]}")
def test_what_is_wrong_with_a_pdf(case: dict) -> None:
    _, problems = loaded({case["path"]: first_page(case["page"])})
    assert said(problems) == f"notes_src/{case['path']}:1:1: {case['said']}"


def test_the_newest_version_is_used_unless_one_is_asked_for() -> None:
    broken = PdfProblem("the file is empty")
    pdfs = {
        "pdfs/a.pdf": page("2401.00001", 1),
        "pdfs/b.pdf": page("2401.00001", 3),
        "pdfs/2401.00001v9.pdf": broken,
        "pdfs/d.pdf": page("2401.00001", 2),
    }
    corpus, _ = loaded(pdfs)
    key = BibKey("stone2024arch")
    found = [corpus.pdf_of(key), corpus.pdf_of(key, 2), corpus.pdf_of(key, 7), corpus.pdf_of(BibKey("cs2001"))]
    assert [pdf.source.path.name if pdf else None for pdf in found] == ["b.pdf", "d.pdf", None, None]
    alone, _ = loaded({"pdfs/2401.00001v9.pdf": broken})
    pdf = alone.pdf_of(key)
    assert pdf
    assert pdf.problem is broken


NOTE = "one/02_Second/note.yaml"
SECOND = {"one/02_Second/zh.md": "中\n", "one/02_Second/en.md": "en\n"}


@pytest.mark.parametrize("case", UNPUBLISHED, ids=lambda case: case["said"].partition(chr(10))[0])
def test_a_pdf_that_cannot_be_published_is_an_error(case: dict) -> None:
    text = f"title: {{zh: 乙, en: Second}}\npapers: {case['papers']}\npublish_pdf: true\n"
    pdfs = {path: first_page(found) for path, found in case["pdfs"].items()}
    _, problems = loaded(pdfs, {NOTE: text, **SECOND})
    errors = [problem for problem in problems if problem.severity == "error"]
    assert said(errors) == f"notes_src/{NOTE}:3:14: {case['said']}"


def test_two_published_pdfs_whose_keys_look_alike_have_their_own_places() -> None:
    entries = "".join(
        f"@misc{{{key}, title={{{title}}}, author={{O, A.}}, year={{2000}}}}\n"
        for key, title in (("a:b", "One Long Title"), ("a/b", "Another Title"))
    )
    notes = {
        f"one/0{number}_N/{name}": text
        for number, key in ((2, "a:b"), (3, "a/b"))
        for name, text in (
            ("note.yaml", f"title: {{zh: 乙, en: N}}\npapers: ['{key}']\npublish_pdf: true\n"),
            ("zh.md", "中\n"),
            ("en.md", "en\n"),
        )
    }
    pdfs = {"pdfs/1.pdf": page(title="One Long Title"), "pdfs/2.pdf": page(title="Another Title")}
    corpus, _ = loaded(pdfs, {"library.bib": FILES["library.bib"] + entries, **notes})
    assert [str(path) for path, _ in published_pdfs(corpus).values()] == ["pdfs/a-b.pdf", "pdfs/a-b-2.pdf"]
