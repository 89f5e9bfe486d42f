"""PDFs that the tests make themselves: their facts, their figures, and everything that can be wrong with them."""

from __future__ import annotations

import datetime
import io
from pathlib import Path
from types import SimpleNamespace

import making_pdfs
import pymupdf
import pytest
import yaml
from PIL import Image

from paper_notes.engine.cache import pack, unpack
from paper_notes.features.papers.pdf_facts import read_facts
from paper_notes.sources.pdf import bombs, document
from paper_notes.sources.pdf.captions import Style, head_key, running_text
from paper_notes.sources.pdf.document import PdfLine, PdfPage, PdfSpan, opened
from paper_notes.sources.pdf.figures import figures_on, find_figures
from paper_notes.sources.pdf.identity import identify
from paper_notes.sources.pdf.model import PdfProblem
from paper_notes.sources.pdf.picture import Picture, for_every_program
from paper_notes.sources.pdf.text import cleaned, joined

SAID = yaml.safe_load((Path(__file__).parent / "pdf_broken.yaml").read_text("utf-8"))


def test_a_paper_tells_its_facts() -> None:
    facts = read_facts(making_pdfs.paper())
    assert (facts.pages, facts.arxiv, facts.version, facts.doi) == (3, "2601.00001", 2, None)
    assert facts.date == datetime.date(2026, 1, 5)
    assert facts.title == making_pdfs.TITLE
    assert facts.authors == ("Ann Author", "Bo Writer")
    assert facts.abstract == making_pdfs.ABSTRACT
    outline = [(item.level, item.title, item.page) for item in facts.outline]
    assert outline == [(1, "1 Introduction", 1), (1, "2 Method", 2), (1, "A Proofs", 3)]


def test_the_text_of_an_upright_page_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read, blocks = [], document.PdfDocument._blocks
    monkeypatch.setattr(document.PdfDocument, "_blocks", lambda *args: [read.append(1), blocks(*args)][1])
    with opened(making_pdfs.paper()) as pdf:
        first = pdf.page(1)
        assert (len(read), first.lines) == (1, pdf.page(1).lines)


def test_the_first_page_tells_which_paper_it_is() -> None:
    known = identify(making_pdfs.paper(arxiv="", doi="10.1000/xyz.42"))
    assert (known.arxiv, known.version, known.date, known.doi) == (None, None, None, "10.1000/xyz.42")
    assert (known.title, known.pages, known.repaired, known.has_text) == (making_pdfs.TITLE, 3, False, True)


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ("", "A Title of Two Lines"),
        ("Tid", "A Title of Two Lines"),
        ("Tide", "Tide"),
        ("Elsewhere", "A Title of Two Lines"),
    ],
)
def test_a_title_is_its_lines_in_one_weight_or_the_metadata_that_the_page_has_too(known: str, expected: str) -> None:
    with pymupdf.open() as made:
        page = made.new_page()
        for row, (text, font) in enumerate((("A Title of", "hebo"), ("Two Lines", "hebo"), ("A Society", "helv"))):
            page.insert_text((72, 100 + 20 * row), text, fontsize=18, fontname=font)
        page.insert_text((72, 400), "Tide is another word of the page.", fontsize=10)
        made.set_metadata({"title": known})
        assert identify(made.tobytes()).title == expected


def test_a_stamp_of_the_old_kind_is_read() -> None:
    known = identify(making_pdfs.paper(arxiv="cs/0112017", version=1, day="11 Dec 2001"))
    assert (known.arxiv, known.version, known.date) == ("cs/0112017", 1, datetime.date(2001, 12, 11))


def test_figures_and_tables_are_found_with_their_captions() -> None:
    facts = read_facts(making_pdfs.paper())
    found = {figure.anchor: (figure.page, figure.caption) for figure in facts.figures}
    assert found == {
        "figure-1": (1, "What was found, by the number n of attempts."),
        "figure-2": (2, making_pdfs.SECOND),
        "table-1": (2, "Results on three tasks. Higher is better."),
        "table-A.1": (3, "The same again, below its table."),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("anchor", "box"),
    [
        ("figure-1", (325, 90, 505, 210)),
        ("figure-2", (102, 70, 492, 194)),  # a picture keeps its shape within the place it is given
        ("table-1", (80, 552, 280, 616)),
        ("table-A.1", (80, 330, 280, 394)),
    ],
)
def test_crops_hold_all_that_was_drawn_and_no_text_around(anchor: str, box: tuple[float, ...]) -> None:
    figure = next(figure for figure in read_facts(making_pdfs.paper()).figures if figure.anchor == anchor)
    for found, drawn in zip(figure.box, box, strict=True):
        assert abs(found - drawn) < 6, figure.box


def test_facts_survive_the_cache() -> None:
    facts, known = read_facts(making_pdfs.paper()), identify(making_pdfs.paper())
    for value in (facts, known, find_figures(making_pdfs.paper()), Picture(b"\xff", 1, 2)):
        assert unpack(type(value), pack(value)) == value


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("name", making_pdfs.BROKEN)
def test_what_cannot_be_used_is_said_and_nothing_else_is_printed(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    data = making_pdfs.BROKEN[name]()
    for read in (identify, read_facts):
        with pytest.raises(PdfProblem) as caught:
            read(data)
        assert {"message": caught.value.message, "hint": caught.value.hint} == SAID[name]
    assert capfd.readouterr() == ("", "")


def test_all_broken_files_are_told_of() -> None:
    assert SAID.keys() == making_pdfs.BROKEN.keys()
    assert len(SAID) >= 15


def test_a_damaged_index_is_no_obstacle(capfd: pytest.CaptureFixture[str]) -> None:
    data = making_pdfs.with_damaged_index()
    assert identify(data).repaired
    assert read_facts(data) == read_facts(making_pdfs.paper())
    assert capfd.readouterr() == ("", "")


def test_limits_of_size_and_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MAX_PAGES", 2)
    with pytest.raises(PdfProblem, match=r"^the PDF has 3 pages, more than the 2 allowed$"):
        read_facts(making_pdfs.paper())
    monkeypatch.setattr(document, "MAX_BYTES", 1_000)
    with pytest.raises(PdfProblem, match=r"^the PDF has [0-9,]+ bytes, more than the 1,000 allowed$"):
        read_facts(making_pdfs.paper())


@pytest.mark.parametrize("box", [b"0 0 1e9 1e9", b"0 0 0 0", b"-5 -5 1 1", b"0 0 3 100000"])
def test_absurd_pages_are_read_without_harm(box: bytes) -> None:
    data = making_pdfs.with_content(b"0 0 m 9 9 l S", box=box)
    assert read_facts(data).figures == ()
    with opened(data) as found:
        picture = found.picture(1, (0.0, 0.0, 14_400.0, 14_400.0), width=300, height=300, limit=99_999)
    assert max(picture.width, picture.height) <= 301


def test_a_scan_without_text_has_only_pages() -> None:
    data = making_pdfs.with_content(b"0 0 m 99 99 l S")
    known = identify(data)
    assert (known.has_text, known.title, known.arxiv) == (False, "", None)
    facts = read_facts(data)
    assert (facts.pages, facts.title, facts.abstract, facts.outline, facts.figures) == (1, "", "", (), ())


def test_a_huge_image_is_not_unpacked() -> None:
    with (
        opened(making_pdfs.with_huge_image()) as found,
        pytest.raises(PdfProblem, match=r"^an image on page 1 has 40,000 x 40,000 pixels$"),
    ):
        found.picture(1, (0.0, 0.0, 300.0, 300.0), width=100, height=100, limit=99_999)


@pytest.mark.parametrize(
    ("inner", "size"),
    [
        (b"/B Do " * 10, 10 * (60 + 10 * 100)),
        (b"/B Do /A Do", 10 * (11 + 100)),  # a form that draws itself is drawn once
        (b"/Bx Do /B  Do", 10 * (13 + 100)),
        (None, 0),
    ],
)
def test_forms_that_draw_others_many_times_add_up(
    inner: bytes | None, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    streams = {1: b"/A Do " * 10, 10: inner}
    raw, page = SimpleNamespace(xref_stream=streams.get), SimpleNamespace(number=0, get_contents=lambda: [1])
    forms = [(10, "A", 0), (11, "B", 10), (10, "A", 10)]
    sizes = {10: len(inner or b""), 11: 100}
    monkeypatch.setattr(bombs, "MAX_PAGE_CONTENT", size)
    bombs._refuse_repetition(raw, page, forms, sizes)
    monkeypatch.setattr(bombs, "MAX_PAGE_CONTENT", size - 1)
    with pytest.raises(PdfProblem, match=r"^page 1 of the PDF unpacks to more than"):
        bombs._refuse_repetition(raw, page, forms, sizes)


def test_pictures_are_webp_of_the_size_asked_for() -> None:
    with opened(making_pdfs.paper()) as found:
        picture = found.picture(1, (321.5, 93.5, 508.0, 213.0), width=1400, height=1800, limit=99_999)
        again = found.picture(1, (321.5, 93.5, 508.0, 213.0), width=1400, height=1800, limit=99_999)
        with pytest.raises(PdfProblem, match=r"^the box 700,0,900,50 is outside of page 1$"):
            found.picture(1, (700.0, 0.0, 900.0, 50.0), width=100, height=100, limit=99_999)
    assert picture == again, "the same bytes every time"
    image = Image.open(io.BytesIO(picture.data))
    assert (image.format, image.size) == ("WEBP", (picture.width, picture.height))
    assert 1380 <= picture.width <= 1402
    assert len(picture.data) < 30_000


def test_an_outline_of_its_own_comes_first() -> None:
    import pymupdf

    raw = pymupdf.open(stream=making_pdfs.paper(), filetype="pdf")
    raw.set_toc([[1, "Beginning", 1], [2, "  Within \n it", 2], [1, "End", 3]])
    outline = read_facts(raw.tobytes()).outline
    assert [(item.level, item.title, item.page) for item in outline] == [
        (1, "Beginning", 1), (2, "Within it", 2), (1, "End", 3)
    ]  # fmt: skip


def drawn(*graphics: tuple[float, float, float, float]) -> list[tuple[str, tuple[float, ...]]]:
    """The figures of a page of running text, with graphics above the only caption."""

    def line(top: float, text: str, size: float = 10.0) -> PdfLine:
        box = (72.0, top, 524.0, top + size)
        return PdfLine((PdfSpan(text, size, "Serif", bold=False, box=box),), box, round(top) // 300, upright=True)

    text = [line(300.0 + 12 * number, "Running text of a paper that goes on and on. " * 2) for number in range(30)]
    caption = line(240.0, "Figure 1: A drawing.", 8.0)
    return [
        (figure.anchor, figure.box) for figure in figures_on([PdfPage(1, 596.0, 842.0, (caption, *text), graphics)])
    ]


def test_a_figure_may_be_a_little_wider_than_the_text() -> None:
    around = (49.0, 97.0, 547.0, 233.0)
    assert drawn((46.0, 100.0, 550.0, 230.0)) == [("figure-1", around)], "20 points, and 3 around it"


@pytest.mark.parametrize(
    ("width", "height", "is_figure"), [(20, 50, True), (19, 50, False), (90, 8, True), (90, 7, False), (19, 7, False)]
)
def test_what_is_too_small_to_see_is_no_figure(width: float, height: float, *, is_figure: bool) -> None:
    assert bool(drawn((100.0, 230.0 - height, 100.0 + width, 230.0))) is is_figure


@pytest.mark.parametrize(
    ("text", "top", "is_running"),
    [
        ("7", 815.0, True),
        ("x" * 59, 790.0, True),
        ("x" * 60, 790.0, False),
        ("Kilns", 40.0, True),
        ("Tea and kilns", 70.0, True),
        ("Tea or kilns", 70.0, False),
        ("a label", 400.0, False),
        ("1 A note at the foot of a page, in small letters.", 700.0, True),
        ("1 A note at the foot of a page, in small letters.", 660.0, False),
        ("1 Label at the foot", 700.0, False),
    ],
)
def test_heads_feet_and_numbers_of_pages_belong_to_no_figure(text: str, top: float, is_running: bool) -> None:
    box = (62.0, top, 362.0, top + 10)
    line = PdfLine((PdfSpan(text, 8.0, "Sans", bold=False, box=box),), box, 0, upright=True)
    page = PdfPage(1, 596.0, 842.0, (line,), ())
    heads = frozenset({head_key(page, (62.0, 70.0, 362.0, 80.0), "Tea and kilns")})
    style = Style(10.0, frozenset({"Serif"}), 230.0, 62.0, 534.0, heads)
    assert running_text(page, style, (), ()) == ((box,) if is_running else ())


def test_pictures_for_programs_are_exact_unless_that_is_large_and_hides_nothing() -> None:
    flat, photo = Image.new("RGB", (300, 200), "teal"), Image.effect_noise((300, 200), 60).convert("RGB")
    clear = photo.copy()
    clear.putalpha(128)
    for image, suffix, form in ((flat, "png", "PNG"), (photo, "jpg", "JPEG"), (clear, "png", "PNG")):
        buffer = io.BytesIO()
        image.save(buffer, "WEBP", quality=30)
        data, name = for_every_program(buffer.getvalue())
        assert (name, Image.open(io.BytesIO(data)).format) == (suffix, form)


@pytest.mark.parametrize(
    ("lines", "words", "text"),
    [
        (["speculative de-", "coding"], "", "speculative decoding"),
        (["a state-of-", "the-art high-", "level method"], "", "a state-of-the-art high-level method"),
        (["low-", "cost"], "lowcost", "lowcost"),
        (["multi-", "token"], "multi-token", "multi-token"),
        (["EA-", "GLE is"], "eagle", "EAGLE is"),
        (["Qwen2.5-", "7B"], "", "Qwen2.5-7B"),
        (["中文", "摘要"], "", "中文摘要"),
        (["かな", "カナ々", "。"], "", "かなカナ々。"),
        (["한국어", "초록"], "", "한국어 초록"),
        (["na¨ıve", "caf´e"], "", "naïve café"),
        (["eﬃcient ﬂow"], "", "efficient flow"),
    ],
)
def test_lines_become_a_paragraph(lines: list[str], words: str, text: str) -> None:
    assert joined(lines, frozenset(words.split())) == text


def test_control_characters_do_not_get_through() -> None:
    assert cleaned("a\x00b\ufdd0c\u200bd  e") == "a b c d e"


def test_the_library_is_imported_only_for_a_pdf() -> None:
    from running import run_python

    wanted = {"pymupdf", "PIL", "paper_notes.sources.pdf.document", "paper_notes.sources.pdf.figures"}
    code = f"import sys, paper_notes.commands; print({wanted} & set(sys.modules))"
    assert run_python(code).strip() == "set()"
