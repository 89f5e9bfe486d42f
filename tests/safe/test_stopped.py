"""PDFs and diagrams that keep MuPDF, V8 or Mermaid busy for ever are reported with their place, and tried again."""

from __future__ import annotations

import json
import time
import zlib
from pathlib import Path
from typing import Any

import pytest
from bombs import FLATE, page, stream
from building import note, said, source
from running import write
from test_bounded import MINIMAL

from paper_notes.build import build, update
from paper_notes.engine.sandboxed_process import Limits, Stopped
from paper_notes.features.diagrams import fences as diagrams
from paper_notes.features.papers import pdf_facts
from paper_notes.features.papers.pdf_facts import read_facts
from paper_notes.markdown.render import render_body
from paper_notes.markdown.syntax import code
from paper_notes.sources.pdf import reader
from paper_notes.sources.pdf.model import PdfProblem
from paper_notes.sources.pdf.reader import PdfReader
from paper_notes.values import replace

FILE = "notes_src/pdfs/a.pdf"
LATE = "reading the PDF took more than 0 seconds and was stopped"
HINT = "use another copy, or print the pages you need to a new PDF"


def shading() -> bytes:
    """A page filled twenty times by colours that take a thousand sines each."""
    keys = b"/FunctionType 4/Domain[0 1 0 1]/Range[0 1 0 1 0 1]"
    function = stream(b"{pop dup " + b"dup sin add " * 1_000 + b"dup dup 3 -1 roll pop}", keys)
    kind = b"<</ShadingType 1/ColorSpace/DeviceRGB/Domain[0 1 0 1]/Matrix[612 0 0 792 0 0]/Function 5 0 R>>"
    return page(b"/Contents 4 0 R/Resources<</Shading<</S 6 0 R>>>>", stream(b"/S sh " * 20), function, kind)


def font() -> bytes:
    """A page with letters of a font that unpacks to a gigabyte."""
    packer = zlib.compressobj(1)
    start = packer.compress(b"a") + packer.flush(zlib.Z_FULL_FLUSH)
    packed = start + (packer.compress(bytes(10_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)) * 100 + packer.flush()
    fonts = b"/Resources<</Font<</F<</Type/Font/Subtype/TrueType/BaseFont/X/FontDescriptor 6 0 R>>>>>>"
    font = b"<</Type/FontDescriptor/FontName/X/Flags 4/FontFile2 5 0 R>>"
    return page(b"/Contents 4 0 R%b" % fonts, stream(b"BT /F 9 Tf (a) Tj ET"), stream(packed, FLATE), font)


def captions(count: int) -> bytes:
    """A page of that many captions of a little figure each, in ten columns."""
    height = 7_700 / count
    places = [(20 + 60 * (number % 10), 780 - height * (number // 10)) for number in range(count)]
    figures = b"".join(b"%d %.3f 20 5 re f " % (x + 5, y + 5) for x, y in places)
    lines = b"".join(b"1 0 0 1 %d %.3f Tm (Figure %d: a) Tj " % (x, y, n) for n, (x, y) in enumerate(places))
    fonts = b"/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
    return page(b"/Contents 4 0 R%b" % fonts, stream(zlib.compress(figures + b"BT /F 4 Tf " + lines + b"ET"), FLATE))


@pytest.mark.nightly
def test_colours_that_take_for_ever_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "_LIMITS", Limits("PDF", seconds=0.1))
    pdfs, made = PdfReader(), source(FILE, shading())
    assert len(made.data) < 15_000
    found = pdfs.identity(made)
    assert isinstance(found, PdfProblem)
    assert (found.message, found.hint) == (LATE, HINT)
    assert pdfs.figures(made) == pdfs.picture(made, 1, None, width=9, height=9, limit=9) == found, (
        "it is not read again"
    )


@pytest.mark.nightly
def test_a_font_of_a_gigabyte_does_not_fill_the_memory() -> None:
    with pytest.raises(PdfProblem, match=r"^reading the PDF needed more than 500 MB of memory, or made the program"):
        pdf_facts.facts_of(font())


@pytest.mark.nightly
def test_a_page_of_captions_is_read_in_no_time() -> None:
    before = time.process_time()
    assert 50 < len(read_facts(captions(1_000)).figures) <= 100
    assert time.process_time() - before < 4


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    return write(tmp_path, {**MINIMAL, FILE: "not read"})


def test_what_was_stopped_is_tried_again_by_the_next_build(collection: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def slow(limits: Limits, work: Any, *_: object) -> object:
        asked.append(work)
        raise Stopped("time", replace(limits, seconds=8))

    with monkeypatch.context() as patch:
        patch.setattr(reader, "limited", slow)
        for tries in (1, 2):
            result = update(collection)
            assert result.plan
            assert len(asked) == tries
            assert said(result.diagnostics) == (
                f"{FILE}:1:1: warning[bad-pdf]: {LATE.replace('0', '8')}\n  hint: {HINT}\n"
            )
    monkeypatch.setattr(reader, "limited", lambda limits, work, *arguments: work(b"", *arguments[1:]))
    assert [problem.message for problem in build(collection).diagnostics] == ["the file is empty"]


@pytest.mark.nightly
def test_a_chart_that_fills_the_memory_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("vl_convert")
    monkeypatch.setattr(
        diagrams, "TOOLS", {"vega": ("vl_convert", Limits("vega", memory=150_000_000, aside=500_000_000))}
    )
    chart = {
        "data": {"values": [{"a": number, "c": number} for number in range(4_000)]},
        "transform": [{"impute": "b", "key": "a", "groupby": ["c"], "value": 0}],
        "mark": "point",
        "encoding": {"x": {"field": "a"}},
    }
    text = f"a\n\n```vega-lite a\n{json.dumps(chart)}\n```\n"
    assert said(render_body(note({"en": text * 2})).diagnostics) == (
        "notes_src/topic/01_Note/en.md:3:4: error[stopped-diagram]: "
        "drawing the vega-lite fence needed more than 150 MB of memory, or made the program behind it fail\n"
        "  hint: show less in it, or write what it computes into the fence\n"
    )


def test_a_stopped_diagram_is_tried_again_by_the_next_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(limits: Limits, *_: object) -> None:
        asked.append(limits.name)
        raise Stopped("time", limits)

    asked: list[str] = []
    root = write(tmp_path, {**MINIMAL, "notes_src/one/01_A/en.md": "```mermaid a\nflowchart TD\na-->b\n```\n"})
    monkeypatch.setattr(diagrams, "find_spec", bool)
    monkeypatch.setattr(diagrams, "limited", slow)
    for tries in (1, 2):
        assert [problem.rule for problem in build(root).diagnostics] == ["stopped-diagram"]
        assert asked == ["mermaid"] * tries
    monkeypatch.setattr(diagrams, "limited", lambda *_: "<svg viewBox='0 0 9 9'/>")
    assert build(root).plan


def test_code_that_takes_for_ever_is_shown_plain_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(limits: Limits, *_: object) -> None:
        asked.append(limits.name)
        raise Stopped("time", limits)

    asked: list[str] = []
    fences = "```c++\nint a;\n```\n\n```py\nb = 1\n```\n\n:::demo\n*c*\n:::\n"
    root = write(tmp_path, {**MINIMAL, "notes_src/one/01_A/en.md": fences})
    with monkeypatch.context() as patch:
        patch.setattr(code, "limited", slow)
        body = render_body(note({"en": fences}))
        assert said(body.diagnostics) == (
            "notes_src/topic/01_Note/en.md:1:4: error[stopped-code]: "
            "highlighting the c++ fence took more than 2 seconds and was stopped\n"
            "  hint: write `text` for its language, which has no highlighting, or show less\n"
        )
        assert '<code class="hl language-c++">int a;\n</code>' in body.halves["en"].lead
        asked.clear()
        for tries in (1, 2):
            assert [problem.rule for problem in build(root).diagnostics] == ["stopped-code"]
            assert asked == ["code"] * tries, "once for each text"
    assert build(root).plan
