"""The abstract and the headings of a PDF are told by where its lines are, how large, and how bold."""

from __future__ import annotations

import pytest

from paper_notes.features.papers.pdf_facts import _follows, _headings, abstract
from paper_notes.sources.pdf.document import PdfLine, PdfPage, PdfSpan

WORDS = "Nothing at all was studied here, with the greatest care of all."


def line(y: float, text: str, x: float = 72, size: float = 11, *, bold: bool = False, font: str = "tiro") -> PdfLine:
    box = (x, y, x + 5 * len(text), y + size)
    return PdfLine((PdfSpan(text, size, font, bold, box),), box, 0, upright=True)


def page(*lines: PdfLine, number: int = 1) -> PdfPage:
    return PdfPage(number, 595, 842, lines, ())


def below(*more: PdfLine, heading: str = "Abstract", x: float = 200) -> str:
    return abstract([page(line(100, heading, x, bold=True), *more)])


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ([line(120, WORDS), line(133, "And more.")], f"{WORDS} And more."),
        ([line(120, WORDS), line(133, "1 Introduction"), line(146, "No.")], WORDS),
        ([line(120, WORDS), line(133, "Keywords: a"), line(146, "No.")], WORDS),
        ([line(120, WORDS), line(133, "Large", size=11.7, bold=True)], f"{WORDS} Large"),
        ([line(120, WORDS), line(133, "Large", size=11.9, bold=True)], WORDS),
        ([line(120, WORDS), line(133, "Large", size=11.7)], f"{WORDS} Large"),
        ([line(120, WORDS), line(133, "Large", size=11.8)], WORDS),
        ([line(120, WORDS), line(133, "Lar", size=11.8)], f"{WORDS} Lar"),
        ([line(120, WORDS), line(156, "Far.")], f"{WORDS} Far."),
        ([line(120, WORDS), line(157, "Far.")], WORDS),
        ([line(120, WORDS), line(133, "·"), line(146, "a")], f"{WORDS} a"),
        ([line(120, WORDS), line(133, "Beside.", 420)], WORDS),
        ([line(120, WORDS), line(133, "Left of it.", 47), line(146, "Inside.", 49)], f"{WORDS} Inside."),
        ([line(120, WORDS), line(133, f"{WORDS} Wide.")], WORDS),
        ([line(120, "Left of it.", 10), line(133, WORDS)], WORDS),
        ([line(90, "Above."), line(104, "Beside.")], ""),
    ],
)
def test_the_abstract_is_the_paragraph_below_its_heading(more: list[PdfLine], text: str) -> None:
    assert below(*more) == text


def test_the_abstract_may_begin_behind_its_heading_and_stand_on_the_second_page() -> None:
    assert below(line(113, "on."), heading="Abstract: It goes", x=72) == "It goes on."
    second = page(line(100, "Abstract", 200), line(120, WORDS), number=2)
    assert abstract([page(line(100, "A title")), second]) == WORDS
    assert abstract([page(), page(), second]) == ""
    assert abstract([]) == ""


INTRODUCTION = line(300, "1 Introduction", bold=True)
ROWS = [line(200 + 13 * row, WORDS) for row in range(4)]


@pytest.mark.parametrize(
    ("lines", "rows"),
    [
        ([*ROWS, INTRODUCTION], 4),
        (ROWS, 0),
        ([*ROWS[1:], INTRODUCTION], 0),
        ([line(187, "By A. Author"), *ROWS, INTRODUCTION], 4),
        ([line(150, "By A. Author"), *ROWS, INTRODUCTION], 4),
        ([*ROWS, line(252, "Notes", size=9), INTRODUCTION], 4),
        ([*ROWS, line(400, "I. Introduction", bold=True)], 0),
        ([*ROWS, line(383, "I. Introduction", bold=True)], 0),
        ([*ROWS, line(370, "Introduction", bold=True)], 4),
        ([*ROWS, line(300, "1 Introduction to tea")], 0),
        ([line(200, "A short line"), INTRODUCTION], 0),
    ],
)
def test_without_a_heading_it_is_the_paragraph_above_the_introduction(lines: list[PdfLine], rows: int) -> None:
    found = abstract([page(*lines)])
    assert found.count(WORDS) == rows
    assert bool(found) is bool(rows)


def titles(*lines: PdfLine) -> list[str]:
    return [f"{item.level} {item.title} {item.page}" for item in _headings([page(*lines, number=3)], 10)]


def test_headings_stand_out_and_have_the_next_number() -> None:
    assert titles(
        line(100, "1 Tea", bold=True, size=10),
        line(120, "1.1 Leaves", bold=True, size=9.4),
        line(140, "1.2 Small", bold=True, size=9.3),
        line(160, "2 Large", size=10.9),
        line(180, "3 Plain", size=10.8),
        line(200, "3 Listed,", bold=True),
        line(220, "5 Leaps", bold=True),
        line(240, "3 Water.", bold=True),
        line(260, "References", bold=True),
        line(280, "References and more", bold=True),
        line(300, "A Appendix", bold=True),
        line(320, "A.1 Pots", bold=True),
    ) == [
        "1 1 Tea 3",
        "2 1.1 Leaves 3",
        "1 2 Large 3",
        "1 3 Water 3",
        "1 References 3",
        "1 A Appendix 3",
        "2 A.1 Pots 3",
    ]


@pytest.mark.parametrize(
    ("second", "goes_on"),
    [
        (line(113, "and water", bold=True), True),
        (line(108, "and water", bold=True), True),
        (line(107.9, "and water", bold=True), False),
        (line(116.7, "and water", bold=True), True),
        (line(116.9, "and water", bold=True), False),
        (line(113, "and water", 111, bold=True), True),
        (line(113, "and water", 112, bold=True), False),
        (line(113, "and water"), False),
        (line(113, "and water", bold=True, size=11.4), False),
        (line(113, "and water", bold=True, font="tibo"), False),
        (line(113, "2 Water", bold=True), False),
    ],
)
def test_a_long_heading_has_a_second_line(second: PdfLine, goes_on: bool) -> None:
    assert titles(line(100, "1 Tea", bold=True), second)[0] == f"1 1 Tea{' and water' if goes_on else ''} 3"


@pytest.mark.parametrize(
    ("last", "number", "follows"),
    [
        ("", "1", True),
        ("", "2", False),
        ("", "A", False),
        ("1", "2", True),
        ("1", "3", False),
        ("1", "1.1", True),
        ("1", "1.2", False),
        ("1", "2.1", False),
        ("1.3", "2", True),
        ("1.3", "1.4", True),
        ("1.3", "1.3.1", True),
        ("7", "A", True),
        ("7", "B", False),
        ("A", "B", True),
        ("A", "C", False),
        ("A.1", "B", True),
        ("A", "A.1", True),
        ("A", "1", False),
    ],
)
def test_a_number_follows_the_last_one(last: str, number: str, follows: bool) -> None:
    assert _follows(tuple(last.split(".")) if last else (), tuple(number.split("."))) is follows
