"""OpenReview, the ACL Anthology, Semantic Scholar, pages, .ris files and titles: good answers, strange and hostile."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import suppress

import httpx
import pytest
from fake_outside import EMPTY, LOG_IN_PAGE, Answer, FakeOutside, csl_item, entry, feed, feed_of
from hypothesis import given, settings
from hypothesis import strategies as st
from running import EXAMPLES

from paper_notes.corpus.bibliography.from_bibtex import papers_from
from paper_notes.corpus.paper import BibKey, Paper, PersonName
from paper_notes.diagnostics import UserError
from paper_notes.features.papers import openreview, ris, semantic_scholar, title
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.importer import Choice, Fetched, Services
from paper_notes.features.papers.page import MAX_TAG, facts_of
from paper_notes.features.papers.pdf_facts import PdfFacts
from paper_notes.features.papers.request import Request, Response
from paper_notes.features.papers.resolve import recognise, resolve
from paper_notes.features.papers.ris import draft_of, records_of
from paper_notes.features.papers.web import Web
from paper_notes.sources.bibtex import parse_bibtex
from paper_notes.sources.tree import PurePosixPath, Source

QUILL, BERG = PersonName("Ada", "", "Quill"), PersonName("Bruno", "van der", "Berg")


@pytest.fixture
def web(client: httpx.Client, outside: FakeOutside) -> Web:
    """A way out that leads to the fake outside, and does not wait."""
    return Web(client=client, addresses=outside.environment, sleep=lambda _: None, clock=lambda: 1_800_000_000.0)


class Asking:
    """Services whose user chooses the papers in `chosen`, and all that was said and offered."""

    def __init__(self, web: Web | None, *, chosen: int | None = None, file: str = "", bib: str = "") -> None:
        self.said: list[str] = []
        self.offered: Sequence[Choice] = ()
        self.chosen = chosen
        self.papers: dict[BibKey, Paper] = dict(
            papers_from(parse_bibtex(Source(PurePosixPath("library.bib"), bib.encode()))[0])[0]
        )
        self.services = Services(
            web, self.papers, lambda path: file.encode(), self._no_pdf, self.said.append, self._choose
        )

    def _no_pdf(self, data: bytes) -> PdfFacts:
        raise AssertionError

    def _choose(self, choices: Sequence[Choice], problem: UserError) -> int:
        self.offered = choices
        if self.chosen is None:
            raise problem
        return self.chosen

    def about(self, text: str) -> Fetched:
        return resolve(*recognise(text, self.papers, lambda path: "://" not in path), self.services)


# -- the ACL Anthology ---------------------------------------------------------------------------------------------

NEST = b"""@inproceedings{quill-van-der-berg-2020-nest,
    title = "A {N}est of Eggs",
    author = "Quill, Ada and van der Berg, Bruno",
    booktitle = "Proceedings of Birds",
    month = jul,
    year = "2020",
    url = "https://aclanthology.org/2020.nest-main.7/",
    doi = "10.18653/v1/2020.nest-main.7",
    pages = "1--9",
    abstract = "We nest."
}
"""


def test_the_anthology_gives_its_own_entry(outside: FakeOutside, web: Web) -> None:
    outside.acl.says(NEST)
    draft = Asking(web).about("https://aclanthology.org/2020.nest-main.7/").draft
    assert outside.acl.questions[0].path == "/acl/2020.nest-main.7.bib"
    assert (draft.source, draft.title, draft.authors) == ("acl", "A Nest of Eggs", (QUILL, BERG))
    assert (draft.year, draft.month, draft.abstract) == (2020, 7, "We nest.")
    assert draft.entry == NEST.decode()


@pytest.mark.parametrize(
    ("answer", "message", "hint"),
    [
        (
            Answer(b"", 404),
            "the ACL Anthology has no paper 2020.nest-main.7",
            "check it at https://aclanthology.org/2020.nest-main.7",
        ),
        (LOG_IN_PAGE, "the ACL Anthology's answer is a web page, not a BibTeX entry", "a log-in page of your network"),
        (b"\xff", "the ACL Anthology's answer is not UTF-8 text", "try again; with --offline"),
        (b"", "2020.nest-main.7.bib holds no entry that can be read", "is it a .bib file?"),
        (b"no entry", "2020.nest-main.7.bib holds no entry that can be read", "this is in no entry, and left out"),
        (Answer(b"", 418), "the ACL Anthology answered 418 I'm a Teapot", "check PAPER_NOTES_ACL_URL if you set it"),
    ],
)
def test_other_answers_of_the_anthology_are_an_error(
    outside: FakeOutside, web: Web, answer: Answer | bytes, message: str, hint: str
) -> None:
    outside.acl.says(answer)
    with pytest.raises(UserError) as caught:
        Asking(web).about("2020.nest-main.7")
    assert caught.value.message == message
    assert caught.value.hint.startswith(hint)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Answer(b"{}", 404), "Semantic Scholar has no paper CorpusId:7"),
        (Answer(b"{}", 403), "Semantic Scholar answered 403 Forbidden"),
        (b'{"title": ""}', "Semantic Scholar's record of CorpusId:7 has no title"),
        (b"[]", "Semantic Scholar's answer is JSON, but no record of a paper"),
        (b'{"a":\n', "Semantic Scholar's answer is not whole JSON (line 2)"),
        (LOG_IN_PAGE, "Semantic Scholar's answer is a web page, not JSON"),
    ],
)
def test_other_answers_of_semantic_scholar_are_an_error(
    outside: FakeOutside, web: Web, answer: Answer | bytes, message: str
) -> None:
    outside.semantic_scholar.says(answer)
    with pytest.raises(UserError) as caught:
        Asking(web).about("CorpusID:7")
    assert caught.value.message == message


# -- OpenReview ----------------------------------------------------------------------------------------------------

BIBTEX = "@inproceedings{quill2024nest, title={A Nest}, author={Ada Quill}, booktitle={Birds 2024}, year={2024}}"
CONTENT = {
    "title": "A Nest of <b>Eggs</b>",
    "authors": ["Ada Quill", "Bruno van der Berg"],
    "abstract": "We nest $x^2$ eggs.",
    "venue": "Birds 2024 oral",
    "_bibtex": BIBTEX,
}
ADDRESS = "https://openreview.net/forum?id=rJl-b3RcF7"


def forum(version: int, **note: object) -> bytes:
    content = {name: {"value": value} for name, value in CONTENT.items()} if version == 2 else CONTENT
    return json.dumps({"notes": [{"id": "rJl-b3RcF7", "forum": "rJl-b3RcF7", "content": content, **note}]}).encode()


def test_openreview_is_asked_in_its_newer_version_first(outside: FakeOutside, web: Web) -> None:
    outside.openreview.says(forum(2))
    draft = Asking(web).about(ADDRESS).draft
    assert (draft.source, draft.title, draft.authors) == ("openreview", "A Nest of Eggs", (QUILL, BERG))
    assert (draft.entry_type, draft.fields) == ("inproceedings", {"url": ADDRESS, "booktitle": "Birds 2024"})
    assert (draft.year, draft.abstract) == (2024, "We nest $x^2$ eggs.")
    assert outside.openreview_v1.questions == []


@pytest.mark.parametrize("first", [b'{"notes": []}', Answer(b"{}", 403), Answer(b"{}", 404), b"[]", LOG_IN_PAGE])
def test_the_older_version_stands_in(outside: FakeOutside, web: Web, first: Answer | bytes) -> None:
    outside.openreview.says(first)
    outside.openreview_v1.says(forum(1))
    asked = Asking(web)
    assert asked.about(ADDRESS).draft.title == "A Nest of Eggs"
    asking, problem = asked.said
    assert asking == "Asking OpenReview for rJl-b3RcF7 ..."
    assert problem.startswith("OpenReview")
    assert problem.endswith(". Asking elsewhere ...")


def test_if_nobody_knows_a_paper_of_openreview_the_first_reason_is_given(outside: FakeOutside, web: Web) -> None:
    outside.openreview.says(Answer(b"{}", 403))
    outside.openreview_v1.says(b'{"notes": []}')
    asked = Asking(web)
    with pytest.raises(UserError) as caught:
        asked.about(ADDRESS)
    assert caught.value.message == "OpenReview answered 403 Forbidden"
    assert caught.value.hint.startswith("check PAPER_NOTES_OPENREVIEW_URL if you set it; with --offline ")
    assert asked.said[1:3] == [
        "OpenReview answered 403 Forbidden. Asking elsewhere ...",
        "OpenReview's older API has no paper rJl-b3RcF7. Asking elsewhere ...",
    ]


def paper_at_openreview(**note: object) -> Draft:
    return openreview.paper_of(Response(Request(openreview.V2), 200, "", forum(2, **note)), "rJl-b3RcF7")


@pytest.mark.parametrize(
    ("note", "year"),
    [
        ({"content": {"title": "T", "venue": "ICLR 2021 Poster"}}, 2021),
        ({"content": {"title": "T"}, "pdate": 1_600_000_000_000}, 2020),
        ({"content": {"title": "T", "authors": ["Anonymous"]}, "cdate": -1, "pdate": "x", "odate": 10**30}, None),
    ],
)
def test_the_year_of_a_paper_without_an_entry(note: dict[str, object], year: int | None) -> None:
    draft = paper_at_openreview(**note)
    assert (draft.year, draft.authors) == (year, ())


@pytest.mark.parametrize("note", [{"forum": "other"}, {"content": {}}, {"content": [1]}, {"content": {"title": 7}}])
def test_a_review_is_no_paper(note: dict[str, object]) -> None:
    with pytest.raises(UserError, match="is a review or a comment"):
        paper_at_openreview(**note)


# -- Semantic Scholar ----------------------------------------------------------------------------------------------


def scholar(**fields: object) -> bytes:
    given = {
        "title": "A Tiny Model of Nest & Egg",
        "authors": [{"name": "A. Quill"}, {"name": None}, 7],
        "year": 2024,
        "venue": "Birds",
        "publicationTypes": ["Conference"],
        "publicationDate": "2024-03-05",
        "abstract": "We nest.",
        **fields,
    }
    return json.dumps(given).encode()


def test_semantic_scholar_leads_to_where_the_paper_is_registered(outside: FakeOutside, web: Web) -> None:
    outside.semantic_scholar.says(scholar(externalIds={"DOI": "10.1234/nest.2024.7", "CorpusId": 7}))
    outside.doi.says(csl_item(abstract=""))
    draft = Asking(web).about("CorpusID:7").draft
    assert outside.semantic_scholar.questions[0].path == "/graph/CorpusId:7"
    assert (draft.source, draft.authors[0], draft.abstract) == ("doi", QUILL, "We nest.")
    outside.semantic_scholar.says(scholar(externalIds={"ArXiv": "2510.26475"}))
    outside.arxiv.says(feed("http://arxiv.org/abs/2510.26475v1"))
    assert Asking(web).about("0a" * 20).draft.source == "arxiv"


def test_semantic_scholar_alone(outside: FakeOutside, web: Web) -> None:
    outside.semantic_scholar.says(scholar(externalIds={"DOI": "10.1234/nest.2024.7"}))
    outside.doi.says(Answer(b"", 404))
    asked = Asking(web)
    draft = asked.about("CorpusID:7").draft
    assert (draft.source, draft.doi, draft.month) == ("semanticscholar", "10.1234/nest.2024.7", 3)
    assert (draft.entry_type, draft.fields["booktitle"]) == ("inproceedings", "Birds")
    assert asked.said[-1].endswith("The facts are those of Semantic Scholar alone")


# -- pages ---------------------------------------------------------------------------------------------------------


def metas(*pairs: tuple[str, str], more: str = "") -> bytes:
    tags = "".join(f'<meta name="{name}" content="{content}">\n' for name, content in pairs)
    return f"<!DOCTYPE html><html><head>{tags}</head><body>{more}</body></html>".encode()


PMLR = metas(
    ("citation_title", "A Nest &amp; an Egg"),
    ("citation_author", "Ada Quill"),
    ("citation_author", "Bruno van der Berg"),
    ("citation_publication_date", "2021/07/01"),
    ("citation_inproceedings_title", "Conference on Birds"),
    ("citation_firstpage", "1"),
    ("citation_lastpage", "9"),
    more='<div id="abstract" class="abstract">\n We nest, p > 0.5.\n</div>',
)
PLAIN_PAGES = {
    "PMLR": (PMLR, "inproceedings", {"booktitle": "Conference on Birds", "pages": "1--9"}, "We nest, p > 0.5."),
    "NeurIPS": (
        metas(
            ("citation_title", "A Nest &amp; an Egg"),
            ("citation_author", "Quill, Ada"),
            ("citation_author", "van der Berg, Bruno"),
            ("citation_journal_title", "Advances in Neural Information Processing Systems"),
            ("citation_volume", "34"),
            ("citation_publication_date", "2021"),
            more="<h4>Abstract</h4>\n<p>We nest, p > 0.5.</p></p>",
        ),
        "inproceedings",
        {"booktitle": "Advances in Neural Information Processing Systems", "volume": "34"},
        "We nest, p > 0.5.",
    ),
    "Dublin Core": (
        (
            b"<meta content='A Nest &#38; an Egg' name=DC.Title><META NAME='dc.creator' CONTENT='Quill, Ada'>"
            b"<meta name=dc.creator content='van der Berg, Bruno'><meta name=dc.date content=2021-07-01>"
            b"<meta property='prism.publicationName' content='Nests'>"
        ),
        "article",
        {"journal": "Nests"},
        "",
    ),
    "JSON-LD": (
        (
            b'<script type="application/ld+json">{"@graph": [{"@type": "Organization"}, {"@type": ["ScholarlyArticle"],'
            b'"headline": "A Nest &amp; an Egg", "author": [{"name": "Ada Quill"}, {"givenName": "Bruno", "familyName":'
            b'"van der Berg"}], "datePublished": "2021-07-01", "isPartOf": {"name": "3", "isPartOf": {"name": "Nests"}'
            b'}, "abstract": "We nest."}]}</script>'
        ),
        "article",
        {"journal": "Nests"},
        "We nest.",
    ),
    "GBK": (
        metas(("citation_title", "A Nest & an Egg"), ("citation_authors", "Quill, Ada; van der Berg, Bruno")).replace(
            b"<head>", b'<head><meta charset="gbk">'
        )
        + "<meta name='citation_journal_title' content='鸟巢'><meta name=citation_date content=2021>".encode("gbk"),
        "article",
        {"journal": "鸟巢"},
        "",
    ),
}


@pytest.mark.parametrize(("body", "kind", "fields", "abstract"), PLAIN_PAGES.values(), ids=PLAIN_PAGES)
def test_pages_describe_their_papers(body: bytes, kind: str, fields: dict[str, str], abstract: str) -> None:
    draft = facts_of(body, "https://example.org/7")
    assert draft is not None
    assert (draft.title, draft.authors, draft.year) == ("A Nest & an Egg", (QUILL, BERG), 2021)
    assert (draft.entry_type, draft.abstract) == (kind, abstract)
    assert draft.fields == {**fields, "url": "https://example.org/7"}


def test_a_page_with_a_doi_leads_to_its_agency(outside: FakeOutside, web: Web) -> None:
    outside.page.says(
        metas(("citation_title", "A Tiny Model of Nest & Egg"), ("citation_doi", "doi:10.1234/nest.2024.7"))
    )
    outside.doi.says(csl_item())
    assert Asking(web).about(f"{outside.page.url}/x?a=1&utm_source=y#z").draft.source == "doi"
    assert outside.page.questions[0].query == {"a": ["1"]}


def test_the_doi_in_an_address_saves_the_page(outside: FakeOutside, web: Web) -> None:
    outside.doi.says(csl_item())
    for ending in ("", "/full", ".pdf", "/abstract/"):
        asked = Asking(web).about(f"{outside.page.url}/doi/10.1234/nest.2024.7{ending}").draft
        assert (asked.source, asked.doi) == ("doi", "10.1234/nest.2024.7")
    assert outside.page.questions == []
    reference = recognise("https://www.biorxiv.org/content/10.1101/2020.01.02.123456v2.full", (), bool)[1]
    assert reference.draft.doi == "10.1101/2020.01.02.123456"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b"<html><title>A blog</title></html>", "does not say which paper it is about"),
        (metas(("citation_title", "A Nest")), "does not say which paper it is about"),
        (b"%PDF-1.7 ...", "is a PDF"),
        (Answer(b"", 404), "has no page"),
        (Answer(b"", 410), "has no page"),
        (Answer(b"", 403), "answered 403 Forbidden"),
        (Answer(b"", 302, {"Location": "file:///etc/passwd"}), "redirects to what is not a web address"),
    ],
)
def test_a_page_that_is_none_of_a_paper(outside: FakeOutside, web: Web, answer: Answer | bytes, message: str) -> None:
    outside.page.says(answer)
    with pytest.raises(UserError, match=message):
        Asking(web).about(f"{outside.page.url}/x")


BOMBS = {
    "metas that do not end": b'<meta name="' * 400_000,
    "a long name": b"<meta " + b"a" * MAX_TAG * 20,
    "long names": (b"<meta " + b"a" * (MAX_TAG - 10) + b">") * 200,
    "scripts": b'<script type="application/ld+json">' * 100_000,
    "json": b'<script type="application/ld+json">' + b"[" * 400_000 + b"</script>",
    "divs": b"<div " * 1_000_000,
    "ids": b"<div id=abstract" * 300_000,
    "comments": b"<!--" * 1_000_000,
}


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize("body", BOMBS.values(), ids=BOMBS)
def test_no_page_takes_long(body: bytes) -> None:
    before = time.process_time()
    assert (
        facts_of(metas(("citation_title", "T"), ("citation_author", "A B")) + body, "https://example.org/") is not None
    )
    assert time.process_time() - before < 3


# -- whatever they say ---------------------------------------------------------------------------------------------

leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.just("10.1234/x\x1b")
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner))
names = [*CONTENT, *json.loads(scholar()), "externalIds", "journal", "id", "notes", "message", "items", "DOI", "pdate"]
records = st.dictionaries(st.sampled_from(names), values | st.dictionaries(st.sampled_from(names), values), max_size=7)


@pytest.mark.nightly
@settings(max_examples=EXAMPLES or 10)
@given(records)
def test_any_json_is_a_draft_or_an_error(record: dict[str, object]) -> None:
    body = json.dumps(record).encode()
    note = json.dumps({"notes": [{"id": "x", "content": record, **record}]}).encode()
    for read, text in (
        (lambda answer: semantic_scholar.paper_of(answer, "x", "https://example.org"), body),
        (lambda answer: openreview.paper_of(answer, "x"), note),
        (title.crossref_papers, json.dumps({"message": {"items": [record]}}).encode()),
    ):
        with suppress(UserError):
            assert "\x1b" not in str(read(Response(Request(openreview.V2), 200, "", text))).replace("\\x1b", "\x1b")


@settings(max_examples=EXAMPLES or 20)
@given(st.binary(max_size=80), st.text(max_size=80))
def test_any_page_and_any_ris_file_can_be_read(body: bytes, content: str) -> None:
    facts_of(body, "https://example.org/")
    facts_of(metas(*((f"citation_{name}", content) for name in ("title", "author", "date", "doi"))), "https://x/")
    for record in records_of(
        f"TY  - JOUR\nTI  - {content}\nAU  - {content}\nPY  - {content}\nDO  - {content}\nER  - \n"
    ):
        draft_of(record)


# -- RIS -----------------------------------------------------------------------------------------------------------

RIS = """\ufeffTY  - JOUR
AU  - Quill, Ada
AU  - van der Berg, Bruno
TI  - A Nest
 of Eggs
PY  - 2021/07/01/
T2  - Nests
VL  - 3
SP  - 1
EP  - 9
DO  - https://doi.org/10.1234/nest.7
AB  - We nest.
ER  -\x20

TY  - CONF
T1  - A Second Nest
A1  - Ada Quill
Y1  - 2022
BT  - Birds
UR  - https://arxiv.org/abs/2510.26475v2
ER  -
"""


def test_a_record_of_a_ris_file() -> None:
    first, second = map(draft_of, records_of(RIS))
    assert (first.source, first.title, first.authors) == ("ris", "A Nest of Eggs", (QUILL, BERG))
    assert (first.year, first.month, first.doi, first.abstract) == (2021, 7, "10.1234/nest.7", "We nest.")
    assert first.fields == {"journal": "Nests", "volume": "3", "pages": "1--9"}
    assert (second.arxiv, second.version, second.entry_type) == ("2510.26475", 2, "inproceedings")


def test_of_several_records_one_is_chosen() -> None:
    assert Asking(None, file=RIS).about("refs.ris:2").draft.title == "A Second Nest"
    asked = Asking(None, file=RIS, chosen=1)
    assert asked.about("refs.ris").draft.title == "A Second Nest"
    assert [choice.reference for choice in asked.offered] == ["refs.ris:1", "refs.ris:2"]
    for text in ("refs.ris", "refs.ris:3"):
        with pytest.raises(UserError, match=r"holds (?:2 records|no record 3)"):
            Asking(None, file=RIS).about(text)
    with pytest.raises(UserError, match="no record that can be read"):
        Asking(None, file="hello").about("refs.ris")


def test_members_of_a_file() -> None:
    services = Asking(None, file=RIS).services
    importer, reference = recognise("refs.ris", (), bool)
    assert importer is ris.IMPORTER
    assert importer.members
    assert [member.id for member in importer.members(reference, services)] == [1, 2]


# -- titles --------------------------------------------------------------------------------------------------------


def crossref(*items: bytes) -> bytes:
    return json.dumps({"message": {"items": [json.loads(item) for item in items]}}).encode()


def test_a_title_is_looked_for_and_the_user_chooses(outside: FakeOutside, web: Web) -> None:
    other = entry("http://arxiv.org/abs/2510.26476v1", title="Something else")
    outside.arxiv.says(feed_of(entry("http://arxiv.org/abs/2510.26475v2"), other))
    outside.crossref.says(crossref(csl_item(title="Hummingbirds: Fast, Frugal"), csl_item(DOI=7), b"{}"))
    asked = Asking(web, chosen=0)
    draft = asked.about("hummingbird: fast and frugal decoding").draft
    assert (draft.source, draft.arxiv) == ("arxiv", "2510.26475")
    assert [choice.reference for choice in asked.offered] == ["2510.26475", "10.1234/nest.2024.7"]
    assert asked.offered[0].draft.short_authors == "Quill et al."
    assert outside.arxiv.questions[0].query["search_query"] == [
        "ti:hummingbird AND ti:fast AND ti:frugal AND ti:decoding"
    ]
    with pytest.raises(UserError, match="may be 2 papers, and titles alone decide nothing"):
        Asking(web).about("hummingbird: fast and frugal decoding")


def test_one_of_both_is_enough_for_a_title(outside: FakeOutside, web: Web) -> None:
    outside.arxiv.says(Answer(b"", 500))
    outside.crossref.says(crossref(csl_item()))
    assert Asking(web, chosen=0).about("A Tiny Model of Nest & Egg").draft.doi == "10.1234/nest.2024.7"
    outside.crossref.says(Answer(b"", 404))
    with pytest.raises(UserError, match=r"arXiv cannot be reached.*; Crossref answered 404"):
        Asking(web, chosen=0).about("A model of nests")


def test_nothing_is_guessed(outside: FakeOutside, web: Web) -> None:
    outside.arxiv.says(EMPTY)
    outside.crossref.says(crossref(csl_item(title="Quite another paper, on cosmology")))
    with pytest.raises(UserError, match="neither arXiv nor Crossref has a paper like"):
        Asking(web, chosen=0).about("A model of nests")


@pytest.mark.parametrize(
    "words",
    [
        "word " * 101,
        "my notes on eggs.pdf",
        "my refs.bib:egg",
        "see https://example.org/a b",
        "word",
        "title: a",
        "? !",
    ],
)
def test_what_is_no_title(words: str) -> None:
    assert title.recognise(words, ()) is None


@pytest.mark.parametrize("words", ["a model of nests", "title: Nests", "TITLE:  Nests  and   eggs", "x y" + "z" * 497])
def test_what_is_a_title(words: str) -> None:
    reference = title.recognise(words, ())
    assert reference is not None
    assert reference.id == " ".join(words.split()).removeprefix("title: ").removeprefix("TITLE: ")


def test_of_two_services_the_one_that_fails_is_named_and_the_other_is_shown(outside: FakeOutside, web: Web) -> None:
    outside.arxiv.says(EMPTY)
    outside.crossref.says(Answer(b"", 404))
    asked = Asking(web, chosen=0)
    with pytest.raises(UserError, match='neither arXiv nor Crossref has a paper like "A model of nests"'):
        asked.about("A model of nests")
    assert asked.said == ["Searching arXiv and Crossref ...", "Crossref answered 404 Not Found."]


def test_the_most_alike_come_first_and_no_more_than_eight(outside: FakeOutside, web: Web) -> None:
    titles = [f"A model of nests{' and eggs' * number}" for number in range(6, 0, -1)]
    outside.arxiv.says(
        feed_of(*(entry(f"http://arxiv.org/abs/2510.2647{n}v1", title=words) for n, words in enumerate(titles)))
    )
    more = [f"A model of nests, part {number}" for number in range(8)]
    outside.crossref.says(crossref(*(csl_item(title=words, DOI=f"10.1234/{words[-1]}") for words in more)))
    asked = Asking(web, chosen=0)
    asked.about("A model of nests")
    likeness = [choice.likeness or 0.0 for choice in asked.offered]
    assert len(likeness) == title.SHOWN
    assert likeness == sorted(likeness, reverse=True)


def test_a_title_that_the_collection_has(outside: FakeOutside, web: Web) -> None:
    asked = Asking(web, bib="@misc{mine, title={A {Model} of Nests}, author={Quill, Ada}, year=2020}")
    assert asked.about("a model of nests").draft.key == "mine"
    assert asked.said == ['The collection has this paper as "mine".']
    assert outside.arxiv.questions == []
    assert Asking(None).about("a model of nests").draft == Draft("id", title="a model of nests")
