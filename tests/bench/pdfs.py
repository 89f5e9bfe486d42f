"""What is found in PDFs: a table on the terminal, and a contact sheet of all crops to look at. Not a test.

    python tests/bench/pdfs.py FOLDER [SHEET.html]

A person looks at the sheet and counts: nothing else tells whether a crop is right.
"""

from __future__ import annotations

import base64
import html
import sys
import time
from pathlib import Path

from paper_notes.features.papers.pdf_facts import read_facts
from paper_notes.sources.pdf.captions import captions_of, style_of
from paper_notes.sources.pdf.document import opened
from paper_notes.sources.pdf.model import PdfProblem

STYLE = """body{font:14px/1.4 sans-serif;margin:1rem}section{display:flex;flex-wrap:wrap;gap:12px;align-items:start}
figure{margin:0;max-width:420px;padding:6px;border:1px solid #999}img{max-width:408px;max-height:420px;display:block}
figcaption{font-size:11px;color:#444}h2{margin:1.5rem 0 .3rem}p{max-width:70em}"""


def main(folder: Path, sheet: Path) -> None:
    parts = []
    sys.stdout.write(f"{'PDF':32} {'arXiv':>13} {'captions':>8} {'crops':>5} {'KB':>6} {'s':>5}  title\n")
    for path in sorted(folder.glob("*.pdf")):
        data = path.read_bytes()
        start = time.perf_counter()
        try:
            facts = read_facts(data)
        except PdfProblem as problem:
            sys.stdout.write(f"{path.name[:32]:32} {problem.message}\n")
            continue
        spent = time.perf_counter() - start
        with opened(data) as document:
            pages = [document.page(number) for number in range(1, document.pages + 1)]
            style = style_of(pages)
            captions = {(found.kind, found.number) for page in pages for found in captions_of(page, style)}
            pictures = [document.picture(f.page, f.box, width=816, height=1200, limit=120_000) for f in facts.figures]
        size = sum(len(picture.data) for picture in pictures) / 1000
        arxiv = f"{facts.arxiv or '-'}v{facts.version or '?'}"
        counts = f"{arxiv:>13} {len(captions):8} {len(facts.figures):5} {size:6.0f} {spent:5.2f}"
        sys.stdout.write(f"{path.name[:32]:32} {counts}  {facts.title}\n")
        outline = " | ".join(f"{item.level}:{item.title}" for item in facts.outline)
        texts = (facts.title, ", ".join(facts.authors), str(facts.date), facts.doi, facts.abstract, outline)
        shown = "".join(f"<p>{html.escape(str(text))}</p>" for text in texts)
        crops = "".join(
            f'<figure><img src="data:image/webp;base64,{base64.b64encode(picture.data).decode()}" alt="">'
            f"<figcaption><b>{figure.anchor}</b> p{figure.page} {html.escape(figure.caption[:160])}"
            "</figcaption></figure>"
            for figure, picture in zip(facts.figures, pictures, strict=True)
        )
        parts.append(f"<h2>{html.escape(path.name)}</h2>{shown}<section>{crops}</section>")
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Crops</title><style>{STYLE}</style>'
    sheet.write_text(head + "".join(parts), "utf-8")
    sys.stdout.write(f"look at {sheet}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2] if len(sys.argv) > 2 else "crops.html"))
