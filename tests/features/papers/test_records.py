"""Good answers of DataCite and doi.org, and odd ones that are still of use."""

from __future__ import annotations

import datetime
import time

import pytest
from fake_outside import FakeOutside, csl_item, datacite_record

from paper_notes.corpus.model import ArxivId
from paper_notes.corpus.paper import PersonName
from paper_notes.features.papers import arxiv, datacite, doi
from paper_notes.features.papers.arxiv import ArxivReference
from paper_notes.features.papers.doi import parse_doi
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.records import without_markup
from paper_notes.features.papers.web import Web
from paper_notes.values import replace

RESPEC = arxiv.offline_draft(ArxivReference(ArxivId("2510.26475")))
NEST = "10.1234/nest.2024.7"


def test_datacite(outside: FakeOutside, web: Web) -> None:
    outside.datacite.says(datacite_record())
    assert datacite.ask(web, RESPEC, replace(datacite.DATACITE, url=outside.datacite.url)) == Draft(
        source="datacite",
        arxiv=ArxivId("2510.26475"),
        version=2,
        year=2025,
        month=10,
        title="Hummingbird: Fast & Frugal Decoding",
        authors=(
            PersonName("Ada", "", "Quill"),
            PersonName("Bruno", "van der", "Berg"),
            PersonName(last="Nest-AI Team"),
        ),
        updated=datetime.date(2025, 12, 1),
        abstract="We decode quickly. Speed-ups reach 4.5$\\times$.",
        primary_class="cs.LG",
    )
    assert outside.datacite.questions[0].path == "/dois/10.48550/arxiv.2510.26475"


def test_a_datacite_record_that_knows_little(outside: FakeOutside, web: Web) -> None:
    nothing = dict.fromkeys(("creators", "subjects", "dates", "version", "descriptions"))
    outside.datacite.says(datacite_record(**nothing))
    draft = datacite.ask(web, RESPEC, replace(datacite.DATACITE, url=outside.datacite.url))
    assert draft == Draft("datacite", RESPEC.arxiv, None, 2025, 10, title="Hummingbird: Fast & Frugal Decoding")


def csl(outside: FakeOutside, web: Web, **fields: object) -> Draft:
    outside.doi.says(csl_item(**fields))
    return doi.ask(web, NEST, replace(doi.DOI, url=outside.doi.url))


def test_a_journal_article(outside: FakeOutside, web: Web) -> None:
    assert csl(outside, web) == Draft(
        source="doi",
        year=2024,
        month=3,
        title="A Tiny Model of Nest & Egg",
        authors=(
            PersonName("Ada", "", "Quill"),
            PersonName("Bruno", "van der", "Berg", "Jr."),
            PersonName(last="The Nest Collaboration"),
        ),
        abstract="We model nests, p < 0.05.",
        doi=NEST,
        entry_type="article",
        fields={
            "journal": "Journal of Birds & Nests",
            "volume": "12",
            "number": "3",
            "pages": "101--117",
            "publisher": "Feather Press",
        },
    )
    [question] = outside.doi.questions
    assert (question.path, question.accept) == (f"/doi/{NEST}", "application/vnd.citationstyles.csl+json")


KINDS = {
    "article-journal": ("article", "journal"),
    "paper-conference": ("inproceedings", "booktitle"),
    "proceedings-article": ("inproceedings", "booktitle"),
    "book-chapter": ("incollection", "booktitle"),
    "thesis": ("phdthesis", "series"),
    "posted-content": ("misc", "howpublished"),
    "": ("misc", "howpublished"),
}


@pytest.mark.parametrize(("kind", "wanted"), KINDS.items())
def test_types(outside: FakeOutside, web: Web, kind: str, wanted: tuple[str, str]) -> None:
    draft = csl(outside, web, type=kind)
    assert (draft.entry_type, next(iter(draft.fields))) == wanted


NAMES = {
    "parts": ({"given": "Ada", "family": "Quill"}, PersonName("Ada", "", "Quill")),
    "particles": (
        {"given": "Ada", "family": "Nest", "non-dropping-particle": "van der"},
        PersonName("Ada", "van der", "Nest"),
    ),
    "dropping": ({"given": "Ada", "family": "Nest", "dropping-particle": "de"}, PersonName("Ada", "de", "Nest")),
    "in the family name": ({"given": "Ada", "family": "van der Nest"}, PersonName("Ada", "van der", "Nest")),
    "suffix": ({"given": "Ada", "family": "Quill", "suffix": "III"}, PersonName("Ada", "", "Quill", "III")),
    "literal": ({"literal": "Nest Group, Inc."}, PersonName(last="Nest Group, Inc.")),
    "name, as Crossref has it": ({"name": "Nest Group"}, PersonName(last="Nest Group")),
    "family only": ({"family": "Quill"}, PersonName(last="Quill")),
    "chinese": ({"given": "雷", "family": "李"}, PersonName("雷", "", "李")),
    "markup": ({"given": "A. &amp; B.", "family": "<b>Quill</b>"}, PersonName("A. & B.", "", "Quill")),
    "nothing": ({}, None),
    "dots": ({"literal": "..."}, None),
    "numbers": ({"given": 3, "family": ["x"]}, PersonName(last="x")),
}


@pytest.mark.parametrize(("author", "wanted"), NAMES.values(), ids=NAMES)
def test_names(outside: FakeOutside, web: Web, author: object, wanted: PersonName | None) -> None:
    assert csl(outside, web, author=[author, "rubbish", None]).authors == ((wanted,) if wanted else ())


DATES = {
    "day": ({"date-parts": [[2024, 3, 5]]}, (2024, 3)),
    "year": ({"date-parts": [[2024]]}, (2024, None)),
    "texts": ({"date-parts": [["2024", "03"]]}, (2024, 3)),
    "null": ({"date-parts": [[None]]}, (None, None)),
    "raw": ({"raw": "2024-03-05"}, (2024, 3)),
    "no month": ({"date-parts": [[2024, 13]]}, (2024, None)),
    "no year": ({"date-parts": [[24]]}, (None, None)),
    "text": ("2024", (None, None)),
    "deep": ({"date-parts": [[[2024]]]}, (None, None)),
}


@pytest.mark.parametrize(("issued", "wanted"), DATES.values(), ids=DATES)
def test_dates(outside: FakeOutside, web: Web, issued: object, wanted: tuple[int | None, int | None]) -> None:
    draft = csl(outside, web, issued=issued)
    assert (draft.year, draft.month) == wanted


def test_lists_where_texts_should_be(outside: FakeOutside, web: Web) -> None:
    draft = csl(outside, web, **{"title": ["Nests"], "subtitle": ["A Survey"], "container-title": [], "volume": 7})
    assert (draft.title, draft.fields.get("journal"), draft.fields["volume"]) == ("Nests: A Survey", None, "7")


def test_a_record_that_knows_nothing(outside: FakeOutside, web: Web) -> None:
    outside.doi.says(b'{"DOI": "10.1234/NEST.2024.7"}')
    assert doi.ask(web, NEST, replace(doi.DOI, url=outside.doi.url)) == Draft("doi", doi=NEST)


DOIS = {
    "10.1145/3442188.3445922": "10.1145/3442188.3445922",
    "doi:10.1145/3442188.3445922": "10.1145/3442188.3445922",
    "DOI: 10.1145/3442188.3445922.": "10.1145/3442188.3445922",
    "https://doi.org/10.1145/3442188.3445922": "10.1145/3442188.3445922",
    "http://dx.doi.org/10.1002/(SICI)1097-0258(19980815)17:15": "10.1002/(SICI)1097-0258(19980815)17:15",
    "https://doi.org/10.1016/S0140-6736%2820%2930183-5": "10.1016/S0140-6736(20)30183-5",
    "10.12/x": None,
    "10.1145": None,
    "https://example.org/10.1145/3442188": None,
    "10.1145/a b": None,
}


@pytest.mark.parametrize(("text", "wanted"), DOIS.items())
def test_dois(text: str, wanted: str | None) -> None:
    assert parse_doi(text) == wanted


MARKUP = {
    "plain & p < 0.05 and a<b": "plain & p < 0.05 and a<b",
    "A <i>tiny</i> <sub>2</sub>H<sub>2</sub>O": "A tiny 2H2O",
    "R&amp;amp;D &lt;x&gt;": "R&D <x>",
    "<jats:title>Abstract</jats:title><jats:p>One.</jats:p><jats:p>Two.</jats:p>": "One. Two.",
    "<jats:sec><jats:title>Methods</jats:title><jats:p>We.</jats:p></jats:sec>": "Methods We.",
    "an <mml:math xmlns:mml='x'><mml:mi>n</mml:mi></mml:math>-gram": "an n-gram",
    "<!-- x -->a<![CDATA[b]]>": "ab",
    "a\u0000\n b\u2028c": "a b c",
}


@pytest.mark.parametrize(("text", "wanted"), MARKUP.items())
def test_markup(text: str, wanted: str) -> None:
    assert without_markup(text) == wanted


@pytest.mark.parametrize(
    "doi",
    [
        "https://doi.org/10.1234/a%7Db",
        "https://doi.org/10.1234/a%00",
        "https://doi.org/10.1234/a%0Ab",
        "https://doi.org/10.1234/a%E2%80%AEb",
        "https://doi.org/10.1234/%20",
        "10.1234/a\u202eb",
        "10.1234/a\x1bb",
        "10.1234/" + "x" * 301,
    ],
)
def test_what_looks_like_a_doi_and_is_none(doi: str) -> None:
    assert parse_doi(doi) is None


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize(
    "piece", ["<!--", "<p ", "<annotation ", "<tex-math>", "<a", "</a.", "&#", "<jats:title> ", "&lt;!--"]
)
def test_broken_markup_takes_no_longer_than_good_one(piece: str) -> None:
    began = time.process_time()
    without_markup(piece * (400_000 // len(piece)))
    assert time.process_time() - began < 2


def test_a_character_reference_with_many_digits_is_read_as_browsers_do() -> None:
    assert without_markup("a &#" + "9" * 5000 + "; b") == "a \ufffd b"


def test_odd_versions_and_numbers_are_unknown(outside: FakeOutside, web: Web) -> None:
    outside.datacite.says(datacite_record(version="9" * 5000))
    draft = datacite.ask(web, RESPEC, replace(datacite.DATACITE, url=outside.datacite.url))
    assert draft.version is None
    assert len(csl(outside, web, title="T", volume=10**4000).fields["volume"]) == 0
