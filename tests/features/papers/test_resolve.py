"""Which importer reads an argument, which services it asks, and which others if that fails."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import httpx
import pytest
from fake_outside import EMPTY, LOG_IN_PAGE, Answer, FakeOutside, csl_item, datacite_record, feed
from running import PROJECT, paper_notes, write

from paper_notes.corpus.bibliography.from_bibtex import papers_from
from paper_notes.corpus.model import ArxivId
from paper_notes.corpus.paper import BibKey, Paper, PersonName
from paper_notes.diagnostics import UserError
from paper_notes.features.papers import acl, arxiv, bibtex, doi, openreview, page, pdf, ris, semantic_scholar, title
from paper_notes.features.papers.arxiv import ArxivReference
from paper_notes.features.papers.downloads import ARXIV_PDF
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.importer import Fetched, Importer, Services
from paper_notes.features.papers.pdf import draft_from
from paper_notes.features.papers.pdf_facts import OutlineItem, PdfFacts
from paper_notes.features.papers.request import Service
from paper_notes.features.papers.resolve import IMPORTERS, recognise, resolve
from paper_notes.features.papers.web import Web
from paper_notes.sources.bibtex import parse_bibtex
from paper_notes.sources.tree import Source
from paper_notes.values import replace

RESPEC = ArxivReference(ArxivId("2510.26475"))
LIBRARY = b"""
@misc{quill2025hummingbird, title={Hummingbird}, author={Quill, Ada}, year=2025, eprint={2510.26475v1}}
@misc{known, title={Known}, author={Quill, Ada}, year=2025, abstract={Known words.}}
"""
REFS = b"""@string{nest = "Journal of Nests"}
@article{egg, title={An Egg}, author={Quill, Ada}, journal=nest, year=2020}
@inproceedings{known, title={A Nest}, author={Berg, Bruno}, crossref={Birds21}, year=2021}
@proceedings{birds21, title={Proceedings of Birds}, year=2021, editor={Quill, Ada}}
@misc{broken, title={Broken} author={Quill, Ada}}
"""
FACTS = PdfFacts(
    pages=9,
    arxiv=None,
    version=None,
    date=None,
    doi=None,
    title="A Paper of Nests",
    authors=("Ada Quill", "Bruno van der Berg"),
    abstract="We nest.",
    outline=(
        OutlineItem(1, "Abstract", 1),
        OutlineItem(1, "1 Introduction", 1),
        OutlineItem(2, "1.1 Eggs", 2),
        OutlineItem(3, "1.1.1 Shells", 2),
        OutlineItem(1, "2 Nests", 3),
        OutlineItem(1, "References", 8),
        OutlineItem(1, "A Proofs", 9),
    ),
    figures=(),
)


def papers(text: bytes = LIBRARY) -> Mapping[BibKey, Paper]:
    return papers_from(parse_bibtex(Source(PurePosixPath("library.bib"), text))[0])[0]


@pytest.fixture
def web(client: httpx.Client, pauses: list[float], outside: FakeOutside) -> Web:
    """A way out that leads to the fake outside, and does not wait."""
    return Web(client=client, addresses=outside.environment, sleep=pauses.append, clock=lambda: 1_800_000_000.0)


class Asked:
    """Services, and the list of their messages."""

    def __init__(self, web: Web | None, facts: PdfFacts = FACTS, files: bytes = REFS) -> None:
        self.said: list[str] = []
        self.services = Services(
            web=web,
            papers=papers(),
            read_file=lambda path: files,
            read_pdf=lambda data: facts,
            say=self.said.append,
        )

    def about(self, text: str) -> Fetched:
        return resolve(*recognise(text, papers(), FILES.__contains__), self.services)


# -- arguments -----------------------------------------------------------------------------------------------------

ARGUMENTS: dict[str, tuple[Importer[Any], object, str]] = {
    "2510.26475v2": (arxiv.IMPORTER, ArxivReference(ArxivId("2510.26475"), 2), ""),
    "https://huggingface.co/papers/2510.26475": (arxiv.IMPORTER, RESPEC, ""),
    "10.48550/arXiv.2510.26475": (arxiv.IMPORTER, RESPEC, ""),
    "https://doi.org/10.1145/3442188.3445922": (doi.IMPORTER, "10.1145/3442188.3445922", ""),
    "paper.pdf": (pdf.IMPORTER, "paper.pdf", "paper.pdf"),
    "2510.26475.pdf": (pdf.IMPORTER, "2510.26475.pdf", "2510.26475.pdf"),
    "2302.01318.pdf": (arxiv.IMPORTER, ArxivReference(ArxivId("2302.01318")), ""),
    "some/refs.bib": (bibtex.FILE, "", "some/refs.bib"),
    "some/refs.bib:egg2020:a": (bibtex.FILE, "egg2020:a", "some/refs.bib"),
    "known": (bibtex.KEY, "known", ""),
    "10.1234/a.pdf": (pdf.IMPORTER, "10.1234/a.pdf", "10.1234/a.pdf"),
    "10.1234/b.pdf": (doi.IMPORTER, "10.1234/b.pdf", ""),
    "some/refs.bib:DBLP:conf/nips/Quill20": (bibtex.FILE, "DBLP:conf/nips/Quill20", "some/refs.bib"),
    "refs.ris:2": (ris.IMPORTER, 2, "refs.ris"),
    "2020.acl-main.747": (acl.IMPORTER, "2020.acl-main.747", ""),
    "https://aclanthology.org/P18-1001v2.pdf": (acl.IMPORTER, "P18-1001", ""),
    "https://www.aclweb.org/anthology/W19-5301/": (acl.IMPORTER, "W19-5301", ""),
    "https://openreview.net/forum?id=rJl-b3RcF7&noteId=x": (openreview.IMPORTER, "rJl-b3RcF7", ""),
    "https://openreview.net/pdf?id=rJl-b3RcF7": (openreview.IMPORTER, "rJl-b3RcF7", ""),
    "CorpusID:13756489": (semantic_scholar.IMPORTER, "CorpusId:13756489", ""),
    f"https://www.semanticscholar.org/paper/A-Nest-Quill/{'0a' * 20}?utm=x": (semantic_scholar.IMPORTER, "0a" * 20, ""),
    "https://proceedings.mlr.press/v139/quill21a/quill21a.pdf": (
        page.IMPORTER,
        "https://proceedings.mlr.press/v139/quill21a.html",
        "",
    ),
    "https://openaccess.thecvf.com/content/CVPR2023/papers/Quill_A_Nest_CVPR_2023_paper.pdf": (
        page.IMPORTER,
        "https://openaccess.thecvf.com/content/CVPR2023/html/Quill_A_Nest_CVPR_2023_paper.html",
        "",
    ),
    "https://proceedings.neurips.cc/paper_files/paper/2023/file/0a1b-Paper-Conference.pdf": (
        page.IMPORTER,
        "https://proceedings.neurips.cc/paper_files/paper/2023/hash/0a1b-Abstract-Conference.html",
        "",
    ),
    "  A   nest of eggs ": (title.IMPORTER, "A nest of eggs", ""),
    "title: Mamba": (title.IMPORTER, "Mamba", ""),
    "一种 新的巢": (title.IMPORTER, "一种 新的巢", ""),
}
FILES = {"paper.pdf", "2510.26475.pdf", "some/refs.bib", "10.1234/a.pdf", "a.pdf", "refs.bib", "refs.ris"}


@pytest.mark.parametrize(("text", "wanted"), ARGUMENTS.items())
def test_what_is_meant(text: str, wanted: tuple[Importer[Any], object, str]) -> None:
    importer, reference = recognise(text, papers(), FILES.__contains__)
    assert (importer, reference.id, reference.file) == wanted


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("nest", False),
        ("my nest", True),
        ("title: n", False),
        ("title: ne", True),
        ("my nest.pdf", False),
        ("https://nest.example my nest", False),
        ("a " + "b" * (title.MAX_TITLE - 2), True),
        ("a " + "b" * (title.MAX_TITLE - 1), False),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else None,
)
def test_two_words_of_a_length_that_titles_have_are_a_title(text: str, is_one: bool) -> None:
    assert (title.recognise(text, ()) is not None) is is_one


def test_what_a_reference_alone_says() -> None:
    told = {text: recognise(text, papers(), FILES.__contains__)[1].draft for text in ARGUMENTS}
    assert told["2510.26475v2"].arxiv == "2510.26475"
    assert told["https://doi.org/10.1145/3442188.3445922"].doi == "10.1145/3442188.3445922"
    assert told["known"].key == "known"
    assert told["paper.pdf"] == told["some/refs.bib"] == Draft("id")


def test_a_key_goes_before_an_id_that_looks_the_same() -> None:
    library = papers(b"@misc{2510.26475, title={A}, author={Quill, Ada}, year=2025}")
    assert recognise("2510.26475", library, FILES.__contains__)[0] is bibtex.KEY


FORMS = (
    "give an arXiv id (2510.26475) or address, a DOI, an address at OpenReview, "
    "an ACL Anthology id (2020.acl-main.747), an address at Semantic Scholar or CorpusID:13756489, "
    'the address of a page about it, its title in quotes ("Attention is all you need"), a PDF file, '
    "a .bib file (refs.bib:key), a .ris file, a paper in Zotero (zotero:title), or a key of library.bib"
)
NOTHING = {
    "ReSpec": ('"ReSpec" does not name a paper', FORMS),
    "": ('"" does not name a paper', FORMS),
    "konwn": ('"konwn" does not name a paper', 'did you mean "known"?'),
    "lost.pdf": ('there is no file "lost.pdf"', "check its name and its folder"),
    "lost.bib:a": ('there is no file "lost.bib:a"', "check its name and its folder"),
    "lost refs.ris:2": ('there is no file "lost refs.ris:2"', "check its name and its folder"),
}


@pytest.mark.parametrize(("text", "wanted"), NOTHING.items())
def test_what_is_nothing(text: str, wanted: tuple[str, str]) -> None:
    with pytest.raises(UserError) as caught:
        recognise(text, papers(), FILES.__contains__)
    assert (caught.value.message, caught.value.hint) == wanted


# -- who is asked --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("down", [Answer(b"", 503), Answer(reset=True), Answer(LOG_IN_PAGE), feed()[:300]])
def test_datacite_stands_in_for_arxiv(outside: FakeOutside, web: Web, down: Answer | bytes) -> None:
    outside.arxiv.says(down)
    outside.datacite.says(datacite_record())
    asked = Asked(web)
    assert asked.about("2510.26475").draft.source == "datacite"
    assert asked.said[0] == "Asking arXiv for 2510.26475 ..."
    assert asked.said[1].startswith("arXiv")
    assert asked.said[1].endswith(". Asking DataCite instead ...")


def test_what_arxiv_does_not_have_nobody_else_is_asked_for(outside: FakeOutside, web: Web) -> None:
    outside.arxiv.says(EMPTY)
    with pytest.raises(UserError, match=r"^arXiv has no paper 2510\.26475$"):
        Asked(web).about("2510.26475")
    assert outside.datacite.questions == []


def test_both_are_down(outside: FakeOutside, web: Web) -> None:
    outside.arxiv.says(Answer(b"", 503))
    outside.datacite.says(Answer(b"", 502))
    with pytest.raises(UserError) as caught:
        Asked(web).about("2510.26475")
    assert caught.value.message == (
        "arXiv cannot be reached: it answered 503 Service Unavailable (tried 3 times); "
        "DataCite cannot be reached: it answered 502 Bad Gateway (tried 3 times)"
    )


def test_offline_nobody_is_asked(outside: FakeOutside) -> None:
    asked = Asked(None)
    assert asked.about("2510.26475").draft.source == "id"
    assert asked.about("10.1234/x").draft.doi == "10.1234/x"
    assert asked.about("a.pdf").draft.source == "pdf"
    assert asked.about("quill2025hummingbird").draft.abstract == ""
    assert asked.said == []


# -- PDFs ----------------------------------------------------------------------------------------------------------


def test_a_pdf_alone() -> None:
    draft = draft_from(FACTS)
    assert (draft.source, draft.title, draft.abstract, draft.year) == ("pdf", "A Paper of Nests", "We nest.", None)
    assert draft.authors == (PersonName("Ada", "", "Quill"), PersonName("Bruno", "van der", "Berg"))
    assert [(item.level, item.title) for item in draft.outline] == [
        (1, "1 Introduction"),
        (2, "1.1 Eggs"),
        (1, "2 Nests"),
    ]


def test_a_pdf_from_arxiv_has_arxivs_facts_and_its_own_outline(outside: FakeOutside, web: Web) -> None:
    outside.arxiv.says(feed("http://arxiv.org/abs/2510.26475v1", summary=""))
    found = Asked(web, replace(FACTS, arxiv=ArxivId("2510.26475"), version=1)).about("a.pdf")
    assert outside.arxiv.questions[0].query["id_list"] == ["2510.26475v1"]
    assert (found.draft.source, found.draft.version, found.draft.abstract) == ("arxiv", 1, "We nest.")
    assert len(found.draft.outline) == 3
    assert found.pdf == REFS


def test_a_pdf_with_a_doi(outside: FakeOutside, web: Web) -> None:
    outside.doi.says(csl_item(title="A Paper of Nests: and Eggs"))
    found = Asked(web, replace(FACTS, doi="10.1234/nest.2024.7")).about("a.pdf")
    assert (found.draft.source, found.draft.doi) == ("doi", "10.1234/nest.2024.7")


def test_a_pdf_that_only_cites_a_doi(outside: FakeOutside, web: Web) -> None:
    outside.doi.says(csl_item())
    asked = Asked(web, replace(FACTS, doi="10.1234/nest.2024.7"))
    found = asked.about("a.pdf")
    assert (found.draft.source, found.draft.doi, found.draft.title) == ("pdf", None, "A Paper of Nests")
    assert asked.said[-1] == (
        'The DOI in the PDF is that of "A Tiny Model of Nest & Egg": the facts are those of the PDF alone'
    )


def test_a_pdf_while_nobody_answers(outside: FakeOutside, web: Web) -> None:
    outside.arxiv.says(EMPTY)
    asked = Asked(web, replace(FACTS, arxiv=ArxivId("2510.26475")))
    assert asked.about("a.pdf").draft.source == "pdf"
    assert asked.said[-1] == "arXiv has no paper 2510.26475. The facts are those of the PDF alone"


# -- BibTeX --------------------------------------------------------------------------------------------------------


def test_an_entry_comes_with_its_strings_and_its_parent(outside: FakeOutside) -> None:
    asked = Asked(None)
    egg = asked.about("refs.bib:egg").draft
    assert egg.entry == "@article{egg, title={An Egg}, author={Quill, Ada}, journal={Journal of Nests}, year=2020}\n"
    nest = asked.about("refs.bib:known").draft
    assert nest.entry.startswith("@inproceedings{known, title={A Nest}")
    assert "\n\n@proceedings{birds21, " in nest.entry


def test_an_entry_with_mistakes_tells_its_own_only(outside: FakeOutside) -> None:
    asked = Asked(None)
    assert asked.about("refs.bib:egg").diagnostics == ()
    found = asked.about("refs.bib:broken").diagnostics
    assert [problem.rule for problem in found] == ["missing-comma"]


BIB_PROBLEMS = {
    "several": (
        REFS,
        "",
        "refs.bib holds 3 entries: egg, known, broken",
        "name one of them as FILE:KEY; --all makes a note of each",
    ),
    "none": (b"no entries here", "", "refs.bib holds no entry that can be read", None),
    "empty": (b"", "", "refs.bib holds no entry that can be read", "is it a .bib file?"),
    "other": (REFS, "eg", 'refs.bib holds no entry "eg"', 'did you mean "egg"?'),
    "latin-1": (b"\xe9", "", "refs.bib is not UTF-8 text", "save it as UTF-8"),
}


@pytest.mark.parametrize(("text", "key", "message", "hint"), BIB_PROBLEMS.values(), ids=BIB_PROBLEMS)
def test_bib_files(outside: FakeOutside, text: bytes, key: str, message: str, hint: str | None) -> None:
    with pytest.raises(UserError) as caught:
        Asked(None, files=text).about(f"refs.bib:{key}" if key else "refs.bib")
    assert caught.value.message == message
    assert hint is None or caught.value.hint == hint


def test_a_known_paper_lacks_only_its_abstract(outside: FakeOutside, web: Web) -> None:
    outside.arxiv.says(feed("http://arxiv.org/abs/2510.26475v1"))
    draft = Asked(web).about("quill2025hummingbird").draft
    assert (draft.source, draft.key, draft.title) == ("bibtex", "quill2025hummingbird", "Hummingbird")
    assert draft.abstract.startswith("We decode quickly.")
    assert outside.arxiv.questions[0].query["id_list"] == ["2510.26475v1"]


def test_a_known_paper_needs_nobody(outside: FakeOutside, web: Web) -> None:
    asked = Asked(web)
    assert asked.about("known").draft.abstract == "Known words."
    outside.arxiv.says(EMPTY)
    assert asked.about("quill2025hummingbird").draft.abstract == ""
    assert asked.said[-1] == "arXiv has no paper 2510.26475v1. The note is made without the abstract"


def test_an_entry_is_not_as_long_as_a_book(outside: FakeOutside) -> None:
    entry = b"@misc{a, title={A}, crossref={b}}\n@book{b, title={B}, abstract={" + b"word " * 50_000 + b"}}"
    with pytest.raises(UserError) as caught:
        Asked(None, files=entry).about("refs.bib:a")
    assert caught.value.message == "the entry a has 250,068 characters, more than the 200,000 allowed"


# -- the table -----------------------------------------------------------------------------------------------------


def test_hints_and_help_say_what_the_table_says() -> None:
    assert all(importer.form and importer.help for importer in IMPORTERS)
    shown = paper_notes("new", "--help").stdout
    for importer in IMPORTERS:
        for example, meaning in importer.help:
            assert re.search(rf"^  {re.escape(example)}  +{re.escape(meaning)}$", shown, re.MULTILINE)


def test_the_guide_names_every_service() -> None:
    modules = [module for name, module in sys.modules.items() if name.startswith("paper_notes.features.papers.")]
    services = [value for module in modules for value in vars(module).values() if isinstance(value, Service)]
    assert ARXIV_PDF in services
    for path in sorted((PROJECT / "notes_src/guide/02_The_collection").glob("*.md")):
        for service in filter(lambda service: service.variable, services):
            assert f"| `{service.variable}` |" in path.read_text("utf-8")


TOY = '''
"""Papers of the toy archive."""

import json
import re

from paper_notes.corpus.paper import PersonName
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.importer import Fetched, Importer, PaperReference
from paper_notes.features.papers.request import Request, Service

TOYS = Service("the toy archive", "https://toys.example/api", "PAPER_NOTES_TOYS_URL")


def recognise(text, keys):
    match = re.fullmatch(r"(?:toy:|https://toys\\.example/)(\\d+)", text)
    return PaperReference(match[1]) if match else None


def fetch(reference, services):
    toy = services.web.ask(Request(TOYS, f"/{reference.id}"), lambda response: json.loads(response.body))
    return Fetched(Draft("doi", title=toy["title"], authors=(PersonName("Tom", "", "Toy"),), year=toy["year"]))


HELP = (("toy:7", "a paper of the toy archive"),)
IMPORTER = Importer(recognise, fetch, "a toy (toy:7)", HELP, (TOYS,))
'''


@pytest.mark.nightly
def test_an_importer_is_one_module_and_one_row(tmp_path: Path, outside: FakeOutside) -> None:
    """In a copy of the package, as somebody would add it: `new` makes a note with it, its help and hints name it."""
    package = tmp_path / "program/paper_notes"
    shutil.copytree(PROJECT / "paper_notes", package)  # with what Python has compiled
    write(package, {"features/papers/toys.py": TOY})
    table = package / "features/papers/resolve.py"
    text = table.read_text("utf-8").replace("    acl,\n", "    toys,\n    acl,\n")
    table.write_text(text.replace("    doi.IMPORTER,\n", "    doi.IMPORTER,\n    toys.IMPORTER,\n"), "utf-8")
    root = write(tmp_path / "notes", {"notes_src/site.yaml": "title: Notes\ntopics: [rl]\n"})
    outside.doi.says(json.dumps({"title": "Wooden Trains", "year": 2024}).encode())
    environment = {**os.environ, **outside.environment, "PAPER_NOTES_TOYS_URL": outside.doi.url}

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "paper_notes", *map(str, arguments)]
        return subprocess.run(command, cwd=package.parent, env=environment, capture_output=True, text=True, check=False)

    made = run("new", "toy:7", "--topic", "rl", "--root", root)
    assert made.returncode == 0, made.stderr
    assert "en: Wooden Trains\n" in (root / "notes_src/rl/01_WoodenTrains_2024/note.yaml").read_text("utf-8")
    assert "@misc{toy2024wooden," in (root / "notes_src/library.bib").read_text("utf-8")
    assert paper_notes("build", "--root", root).exit_code == 0
    assert re.search(r"^  toy:7 +a paper of the toy archive$", run("new", "--help").stdout, re.MULTILINE)
    assert "a DOI, a toy (toy:7), an address at OpenReview" in run("new", "x", "--topic", "rl", "--root", root).stderr
