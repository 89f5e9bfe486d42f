"""What note pages tell programs, as it stands in the page: JSON-LD, Highwire elements and COinS spans."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from running import write

from paper_notes.build import build
from paper_notes.citation.formats import FORMATS
from paper_notes.citation.page_metadata import json_ld
from paper_notes.corpus.load import load
from paper_notes.sources.tree import Source

SITE = {
    "notes_src/site.yaml": "title: {zh: 茶, en: Tea}\ntopics: [tea]\nbase_url: https://example.org/notes\n",
    "notes_src/tea/topic.yaml": "title: {zh: 茶, en: Tea}\n",
    "notes_src/tea/01_茶/note.yaml": """\
title: {zh: "茶 <b> & 奶", en: "Tea & \\"milk\\""}
summary: {zh: 好茶, en: Good tea}
papers: [li2025, wu2020]
tags: [tea, milk]
rating: 4
created: 2026-01-02
updated: 2026-03-04
""",
    "notes_src/tea/01_茶/zh.md": "见 [@king2001; @li2025]。\n",
    "notes_src/tea/01_茶/en.md": "See [@king2001; @li2025].\n",
    "notes_src/tea/02_Cups/note.yaml": "title: {zh: 杯, en: Cups}\nkind: tutorial\n",
    "notes_src/tea/02_Cups/zh.md": "[@king2001]\n",
    "notes_src/tea/03_Again/note.yaml": "title: {zh: 又, en: Again}\npapers: [li2025]\n",
    "notes_src/tea/03_Again/zh.md": "x\n",
    "notes_src/library.bib": """\
@inproceedings{li2025, title = {Tea </script><script>alert(1)</script> & "Milk"}, author = {Li, An and van Dyk, Jan and
  {Tea Group}}, booktitle = {Proc. of <Tea>}, publisher = {ACM}, pages = {1--9}, year = 2025, month = oct,
  eprint = {2510.00001}, doi = {10.1000/<x>&y}, abstract = {We drink.}}
@book{wu2020, title = {All Tea}, author = {Wu, Bo}, year = 2020}
@article{king2001, title = {A "Claim" <!- x}, author = {King, Ann}, journal = {J}, url = {https://example.org/k?a=1&b='}}
""",
}


class Head(HTMLParser):
    """The `meta` elements, data blocks and COinS spans of a page, as a browser reads them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.metas: list[tuple[str, str]] = []
        self.coins: list[str] = []
        self.data: list[Any] = []
        self.in_data = False
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attributes}
        self.in_data = tag == "script" and found.get("type") == "application/ld+json"
        if tag == "meta" and found.get("name", "").startswith("citation_"):
            self.metas.append((found["name"], found["content"]))
        if tag == "span" and found.get("class") == "Z3988":
            self.coins.append(found["title"])

    def handle_data(self, data: str) -> None:
        if self.in_data:
            self.data.append(json.loads(data))
            self.in_data = False


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    made = build(write(tmp_path_factory.mktemp("tea"), SITE))
    assert made.plan is not None, "\n".join(map(str, made.diagnostics))
    return {str(artifact.path): artifact.data.decode() for artifact in made.plan.create}


def test_the_note_is_a_review_of_its_papers(pages: dict[str, str]) -> None:
    (data,) = Head(pages["site/tea/notes/01_茶.html"]).data
    assert data == {
        "@context": "https://schema.org",
        "@type": "Review",
        "headline": "茶 <b> & 奶",
        "alternativeHeadline": ["Tea & “milk”"],
        "inLanguage": ["zh-CN", "en"],
        "description": "好茶",
        "keywords": ["tea", "milk"],
        "dateCreated": "2026-01-02",
        "dateModified": "2026-03-04",
        "url": "https://example.org/notes/tea/notes/01_%E8%8C%B6.html",
        "isPartOf": {"@type": "WebSite", "name": "茶", "url": "https://example.org/notes/"},
        "itemReviewed": [
            {
                "@type": "ScholarlyArticle",
                "name": 'Tea </script><script>alert(1)</script> & "Milk"',
                "sameAs": ["https://arxiv.org/abs/2510.00001", "https://doi.org/10.1000/%3Cx%3E&y"],
                "author": [
                    {"@type": "Person", "name": "An Li"},
                    {"@type": "Person", "name": "Jan van Dyk"},
                    {"@type": "Organization", "name": "Tea Group"},
                ],
                "datePublished": "2025-10",
                "isPartOf": {"@type": "Book", "name": "Proc. of <Tea>"},
                "publisher": {"@type": "Organization", "name": "ACM"},
                "pageStart": "1",
                "pageEnd": "9",
                "identifier": [
                    {"@type": "PropertyValue", "propertyID": "arXiv", "value": "2510.00001"},
                    {"@type": "PropertyValue", "propertyID": "DOI", "value": "10.1000/<x>&y"},
                ],
                "abstract": "We drink.",
            },
            {
                "@type": "Book",
                "name": "All Tea",
                "author": [{"@type": "Person", "name": "Bo Wu"}],
                "datePublished": "2020",
            },
        ],
        "reviewRating": {"@type": "Rating", "ratingValue": 4, "bestRating": 5},
        "citation": ["https://example.org/k?a=1&b='"],
    }


def test_a_note_that_reads_no_paper_is_an_article(pages: dict[str, str]) -> None:
    head = Head(pages["site/tea/notes/02_Cups.html"])
    (data,) = head.data
    assert (data["@type"], data["headline"], data["inLanguage"]) == ("Article", "杯", ["zh-CN"])
    assert data["citation"] == ["https://example.org/k?a=1&b='"]
    assert head.metas == []


def test_the_main_paper_is_in_the_head_once_and_complete(pages: dict[str, str]) -> None:
    head = Head(pages["site/tea/notes/01_茶.html"])
    assert head.metas == [
        ("citation_title", 'Tea </script><script>alert(1)</script> & "Milk"'),
        ("citation_author", "Li, An"),
        ("citation_author", "van Dyk, Jan"),
        ("citation_author", "Tea Group"),
        ("citation_publication_date", "2025/10"),
        ("citation_conference_title", "Proc. of <Tea>"),
        ("citation_publisher", "ACM"),
        ("citation_firstpage", "1"),
        ("citation_lastpage", "9"),
        ("citation_doi", "10.1000/<x>&y"),
        ("citation_arxiv_id", "2510.00001"),
        ("citation_public_url", "https://doi.org/10.1000/%3Cx%3E&y"),
        ("citation_abstract_html_url", "https://arxiv.org/abs/2510.00001"),
        ("citation_pdf_url", "https://arxiv.org/pdf/2510.00001"),
        ("citation_abstract", "We drink."),
    ]


def test_nothing_in_the_data_can_end_its_element(pages: dict[str, str]) -> None:
    for page in (page for path, page in pages.items() if path.endswith(".html")):
        for data in re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL):
            assert not re.search("[<>&\u2028\u2029]", data)
        assert page.count("</script>") == page.count("<script")
        assert "alert(1)</script>" not in page


def test_coins_stand_where_papers_are_listed_and_not_beside_a_main_paper(pages: dict[str, str]) -> None:
    coins = {path: Head(page).coins for path, page in pages.items() if path.endswith(".html")}
    assert {path: len(spans) for path, spans in coins.items() if spans} == {
        "site/index.html": 1,
        "site/tea/index.html": 2,
        "site/tea/notes/02_Cups.html": 1,
    }
    assert coins["site/index.html"][0].startswith(
        "ctx_ver=Z39.88-2004&rft_val_fmt=info%3Aofi%2Ffmt%3Akev%3Amtx%3Abook&"
    )
    for spans in coins.values():
        assert all(re.fullmatch(r"[\w.~%=&-]+", span) for span in spans)


def test_the_files_to_take_along_are_linked_and_hold_the_papers(pages: dict[str, str]) -> None:
    for path, keys in {
        "site/papers": ["king2001", "li2025", "wu2020"],
        "site/tea/papers": ["king2001", "li2025", "wu2020"],
        "site/tea/notes/01_茶": ["li2025", "wu2020", "king2001"],
        "site/tea/notes/02_Cups": ["king2001"],
        "site/tea/notes/03_Again": ["li2025"],
    }.items():
        html = pages[f"{path}.html" if "/notes/" in path else path.replace("papers", "index.html")]
        for form in FORMATS:
            assert f'href="{PurePosixPath(path).name}.{form.suffix}" download>{form.name}</a>' in html
        assert re.findall(r"@\w+\{(\w+)", pages[f"{path}.bib"]) == keys
        assert [item["id"] for item in json.loads(pages[f"{path}.csl.json"])] == keys
        assert re.findall(r"^ID  - (.*)$", pages[f"{path}.ris"], re.MULTILINE) == keys


def test_a_site_without_an_address_tells_none() -> None:
    files = {**SITE, "notes_src/site.yaml": "title: {zh: 茶, en: Tea}\ntopics: [tea]\n"}
    corpus, _ = load(tuple(Source(PurePosixPath(path), text.encode()) for path, text in files.items()))
    assert corpus is not None
    data = json.loads(json_ld(corpus.notes[0], (), corpus, ""))
    assert "url" not in data
    assert data["isPartOf"] == {"@type": "WebSite", "name": "茶"}


def test_papers_without_notes_make_no_empty_files(tmp_path: Path) -> None:
    files = {path: text for path, text in SITE.items() if "01_" not in path and "03_" not in path}
    made = build(write(tmp_path, {**files, "notes_src/tea/02_Cups/zh.md": "x\n"}))
    assert made.plan is not None
    names = {str(artifact.path) for artifact in made.plan.create}
    assert {"site/papers.bib", "site/papers.ris", "site/papers.csl.json"} <= names
    assert not {name for name in names if name.startswith("site/tea/") and not name.endswith((".html", ".md"))}
