"""Authors as the first page of a PDF names them: all of them, or none."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from paper_notes.features.papers.pdf_authors import authors, byline, is_name
from paper_notes.sources.pdf.document import opened

REAL = Path(__file__).parents[4] / "shared" / "reference" / "pdfs"
PLAIN, BOLD, CHINESE = "tiro", "tibo", "china-s"


def pdf(*lines: tuple[float, float, str, str], title: str = "A Title of Nothing at All", author: str = "") -> bytes:
    """A page with a title, these lines (x, y, text, font), and an abstract. `^1^` is raised."""
    with pymupdf.open() as document:
        page = document.new_page(width=595, height=842)
        page.insert_text((72, 80), title, fontsize=18, fontname=BOLD)
        for x, y, text, font in lines:
            for index, piece in enumerate(text.split("^")):
                size = 7 if index % 2 else 11
                page.insert_text((x, y - (4 if index % 2 else 0)), piece, fontsize=size, fontname=font)
                x += pymupdf.get_text_length(piece, fontname=font, fontsize=size)
        page.insert_text((260, 300), "Abstract", fontsize=12, fontname=BOLD)
        for row in range(5):
            page.insert_text((72, 320 + 12 * row), "Nothing was studied here, with the greatest care.", fontname=PLAIN)
        document.set_metadata({"author": author})
        return bytes(document.tobytes())


def read(data: bytes) -> tuple[str, ...]:
    with opened(data) as document:
        return authors(document, document.every_page())


ABC = ("Ann B. Author", "Bo van der Berg", "Cy Doe-Smith")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(
            [
                (72, 110, "Ann B. Author and Bo van der Berg", BOLD),
                (72, 123, "Hill Station, Green Valley", PLAIN),
                (72, 140, "Cy Doe-Smith", BOLD),
                (72, 153, "Blue Lake Observatory", PLAIN),
            ],
            ABC,
            id="places-between",
        ),
        pytest.param([(72, 110, "Ann B. Author, Bo van der Berg and Cy Doe-Smith", PLAIN)], ABC, id="and"),
        pytest.param(
            [(72, 110, "Ann B. Author, Bo van der Berg, and Cy Doe-Smith", PLAIN)], ABC, id="comma-before-and"
        ),
        pytest.param([(72, 110, "Ann B. Author · Bo van der Berg · Cy Doe-Smith", PLAIN)], ABC, id="dots"),
        pytest.param([(72, 110, "Ann B. Author1,2, Bo van der Berg*1, Cy Doe-Smith§", "helv")], ABC, id="signs"),
        pytest.param([(72, 110, "Ann B. Author^a,b^, Bo van der Berg^b,*^, Cy Doe-Smith^a^", PLAIN)], ABC, id="raised"),
        pytest.param([(72, 110, "Ann B. Author * 1 Bo van der Berg * 1 2 Cy Doe-Smith 2", BOLD)], ABC, id="no-commas"),
        pytest.param(
            [(72, 110, "Ann B. Author(1,2), Bo van der Berg(2) and Cy Doe-Smith(1)", BOLD)], ABC, id="brackets"
        ),
        pytest.param(
            [(72, 110, "Ann B. Author, Bo van der Berg,", PLAIN), (72, 123, "and Cy Doe-Smith", PLAIN)],
            ABC,
            id="two-lines",
        ),
        pytest.param(
            [(72, 110, "Ann B. Author1, Bo van der Berg1 and Cy", PLAIN), (72, 123, "Doe-Smith2", PLAIN)],
            ABC,
            id="broken",
        ),
        pytest.param(
            [
                (72, 110, "Ann B. Author^1^, Bo van der Berg^2^, Cy Doe-Smith^1^", PLAIN),
                (72, 123, "^1^ Hill Station, Green Valley ^2^ Blue Lake Observatory", PLAIN),
                (72, 136, "{ann,cy}@hill.example, bo@lake.example", PLAIN),
                (72, 149, "∗ Equal contribution, Green Valley", PLAIN),
            ],
            ABC,
            id="places-and-emails-below",
        ),
        pytest.param(
            [
                (72, 110, "Ann B. Author", BOLD),
                (72, 123, "Green Valley", PLAIN),
                (230, 110, "Bo van der Berg", BOLD),
                (230, 123, "University of Somewhere", PLAIN),
                (400, 110, "Cy Doe-Smith", BOLD),
                (400, 123, "cy@lake.example", PLAIN),
            ],
            ABC,
            id="columns",
        ),
        pytest.param(
            [
                (72, 110, "Ann B. Author", PLAIN),
                (72, 123, "Department of Nothing, Green Valley", PLAIN),
                (72, 150, "Bo van der Berg", PLAIN),
                (72, 163, "bo@lake.example", PLAIN),
                (72, 176, "Cy Doe-Smith <cy@lake.example>", PLAIN),
            ],
            ABC,
            id="blocks-in-one-style",
        ),
        pytest.param([(72, 110, "ANN AUTHOR AND BO WRITER", PLAIN)], ("Ann Author", "Bo Writer"), id="capitals"),
        pytest.param(
            [(72, 110, "Ann Author, PhD, Bo Writer, Senior Member, IEEE", PLAIN)],
            ("Ann Author", "Bo Writer"),
            id="degrees",
        ),
        pytest.param([(72, 110, "王小明1,2, 李 强2*, 欧1", CHINESE)], (), id="chinese-and-half-a-name"),
        pytest.param(
            [(72, 110, "王小明1,2, 李 强2*", CHINESE), (72, 123, "1 北京大学 2 南京大学", CHINESE)],
            ("王小明", "李强"),
            id="chinese",
        ),
        pytest.param(
            [(72, 110, "José Ñandú and Ödön von Horváth", "helv")], ("José Ñandú", "Ödön von Horváth"), id="accents"
        ),
    ],
)
def test_names_below_the_title_are_its_authors(
    lines: list[tuple[float, float, str, str]], expected: tuple[str, ...]
) -> None:
    assert read(pdf(*lines)) == expected


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([(72, 110, "A Manual for Everybody", PLAIN)], id="a-subtitle"),
        pytest.param(
            [(72, 110, "Nothing Whatsoever", PLAIN), (72, 123, "for careful readers", PLAIN)], id="a-subtitle-of-two"
        ),
        pytest.param([(72, 110, "Ann Author", PLAIN), (72, 123, "Green Valley", PLAIN)], id="a-name-or-a-place"),
        pytest.param([(72, 110, "Ann Author", PLAIN), (300, 110, "the others of us", PLAIN)], id="beside-words"),
        pytest.param(
            [(72, 110, "Ann Author, Bo Writer,", PLAIN), (72, 123, "and many others of us", PLAIN)], id="a-list-of-more"
        ),
        pytest.param([(72, 110, "Ann Author, Suharto", PLAIN)], id="half-a-name"),
        pytest.param([(72, 110, "Green Hill University", PLAIN), (72, 123, "Home Page:", PLAIN)], id="no-name-at-all"),
        pytest.param([(72, 110, "Greatest Care", PLAIN)], id="words-that-the-text-has"),
        pytest.param([(72, 110, "T ÈbÉFÊHËRÌ", "helv")], id="garbled"),
        pytest.param([(72, 110, "北京 南京", CHINESE)], id="cities"),
    ],
)
def test_rather_none_than_a_wrong_name(lines: list[tuple[float, float, str, str]]) -> None:
    assert read(pdf(*lines)) == ()


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ("Ann Author; Bo Writer", ("Ann B. Author", "Bo Writer")),
        ("Ann B. Author and Bo Writer and Cy Doe", ("Ann B. Author", "Bo Writer")),
        ("Administrator", ("Ann B. Author", "Bo Writer")),
        ("Bo Writer", ("Ann B. Author", "Bo Writer")),
    ],
)
def test_the_page_is_believed_before_the_metadata(known: str, expected: tuple[str, ...]) -> None:
    assert read(pdf((72, 110, "Ann B. Author and Bo Writer", PLAIN), author=known)) == expected


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ("Ann Author, Green Valley", ("Ann Author", "Green Valley")),
        ("Ann Author", ("Ann Author",)),
        ("Ann Author, Hill University", ()),
        ("Cy Doe", ()),
    ],
)
def test_metadata_count_if_the_page_has_all_of_their_names(known: str, expected: tuple[str, ...]) -> None:
    unclear = (72, 110, "Ann Author", PLAIN), (72, 123, "Green Valley", PLAIN), (72, 136, "Hill University", PLAIN)
    assert read(pdf(*unclear, author=known)) == expected


@pytest.mark.parametrize(
    "name", ["Ann Author", "Bo Li", "J.-P. Serre", "Ludwig A. van der Berg Jr.", "Sean O’Neil", "欧阳修"]
)
def test_words_that_are_a_name(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize(
    "words", ["Writer", "ann author", "Google Research", "A Guide", "van Gogh", "Ann A.", "Ann 2nd", "北京"]
)
def test_words_that_are_none(words: str) -> None:
    assert not is_name(words)


FAMILIES = {
    "Chen": "Chen Borgeaud Irving Lespiau Sifre Jumper",
    "DFlash": "Chen Liang Liu",
    "EAGLE3": "Li Wei Zhang Zhang",
    "Leviathan": "Leviathan Kalman Matias",
    "MTP": "Gloeckle Idrissi Rozière Lopez-Paz Synnaeve",
    "Mem0": "Chhikara Khant Aryan Singh Yadav",
    "MemPalace": "Dey Viradecha",
    "MemoryBank": "Zhong Guo Gao Ye Wang",
    "ReSpec": "Chen Liu Sun Li Wang Liu Wen Feng Zhang",
    "SearchR1": "Jin Zeng Yue Yoon Arık Wang Zamani Han",
}


@pytest.mark.skipif(not REAL.is_dir(), reason="papers that are no part of this repository")
@pytest.mark.parametrize("paper", FAMILIES)
def test_the_lines_of_real_papers_are_read(paper: str) -> None:
    with opened(next(REAL.glob(f"{paper}_*.pdf")).read_bytes()) as document:
        assert " ".join(name.split()[-1] for name in byline(document.page(1))) == FAMILIES[paper]
