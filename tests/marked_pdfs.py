"""PDFs with marks of a reader, made here."""

from __future__ import annotations

from typing import Any

import pymupdf

YELLOW, GREEN, RED, BLUE = (1, 0.83, 0), (0.37, 0.7, 0.21), (1, 0.4, 0.4), (0.18, 0.66, 0.9)


def _lines(page: Any, left: float, top: float, lines: list[str], font: str = "tiro") -> None:
    for number, line in enumerate(lines):
        page.insert_text((left, top + 14 * number), line, fontsize=10, fontname=font)


def _quads(page: Any, *texts: str) -> list[Any]:
    return [quad for text in texts for quad in page.search_for(text, quads=True)[:1]]


def _mark(page: Any, kind: str, texts: tuple[str, ...], colour: tuple[float, ...], comment: str = "") -> None:
    mark = getattr(page, f"add_{kind}_annot")(_quads(page, *texts))
    mark.set_colors(stroke=colour)
    mark.set_info(content=comment)
    mark.update()


def marked(turned: bool = False) -> bytes:
    """Two pages: two columns with all kinds of marks, made in no order; and one in Chinese."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    _lines(
        page,
        72,
        100,
        [
            "Nothing is lossless unless it was",
            "never lost, and all speculat-",
            "ing models repeat this. The",
            "low-",
            "cost way ends",
        ],
    )
    _lines(
        page,
        306,
        100,
        ["in the other column here, where", "it says more. Strike this out.", "Under this there is a line."],
    )
    _mark(page, "strikeout", ("Strike this out.",), RED)
    _mark(
        page,
        "highlight",
        ("cost way ends", "low-", "in the other column here,"),
        GREEN,
        "为什么？$\\alpha$ 与 x\nsecond line",
    )
    _mark(page, "highlight", ("lossless unless it was", "never lost, and all speculat-", "ing models repeat"), YELLOW)
    _mark(page, "underline", ("Under this",), BLUE, "Under this")
    page.add_text_annot((40, 112), "便签：[看](javascript:x) ::: 这里")
    stroke = page.add_ink_annot([[(310, 300), (350, 320), (400, 300)]])
    stroke.update()
    page.add_ink_annot([[(405, 300), (450, 320)]]).update()
    page.add_freetext_annot((72, 500, 250, 530), "free words")
    page = document.new_page(width=595, height=842)
    _lines(page, 72, 100, ["投机解码并不改变输出的分布，", "也就是无损的。"], "china-s")
    _mark(page, "squiggly", ("不改变输出的分布，", "也就是"), (0.64, 0.54, 0.9), "好")
    if turned:
        for page in document:
            page.set_rotation(90)
    return bytes(document.tobytes(no_new_id=True))


def marked_words(words: str, on: bytes = b"", before: int = 0) -> bytes:
    """The first page of `marked`, or that PDF, with these words highlighted, and some empty pages before it."""
    document = pymupdf.open(stream=on or marked(), filetype="pdf")
    if not on:
        document.delete_page(1)
    page = document[0]
    if not on:
        while item := page.first_annot:
            page.delete_annot(item)
    wanted = words.split()
    known = page.get_text("words")
    starts = (
        at
        for at in range(len(known))
        if [word[4].rstrip(".") for word in known[at : at + len(wanted)]] == [word.rstrip(".") for word in wanted]
    )
    start = next(starts)
    page.add_highlight_annot([pymupdf.Rect(word[:4]).quad for word in known[start : start + len(wanted)]]).update()
    for _ in range(before):
        document.new_page(0)
    return bytes(document.tobytes(no_new_id=True))


def marked_box(box: tuple[float, float, float, float]) -> bytes:
    """One line, `Nothing is lossless unless`, from (72, 100) on, and a highlight of this box."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    _lines(page, 72, 100, ["Nothing is lossless unless"], "cour")
    page.add_highlight_annot([pymupdf.Rect(box).quad]).update()
    return bytes(document.tobytes(no_new_id=True))
