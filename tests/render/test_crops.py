"""Parts of papers on pages: the picture, its source, and everything that a reference to one can get wrong."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Mapping
from pathlib import Path

import making_pdfs
import pytest
import yaml
from building import said, source
from PIL import Image

from paper_notes.corpus.load import load
from paper_notes.engine.cache import open_cache
from paper_notes.markdown.bodies import render_bodies
from paper_notes.markdown.body import fill
from paper_notes.render.crops import Crops
from paper_notes.render.links import link_resolver, note_path
from paper_notes.sources.pdf import reader
from paper_notes.sources.pdf.model import PdfFigures
from paper_notes.sources.pdf.picture import Picture
from paper_notes.sources.pdf.reader import PdfReader

BROKEN = yaml.safe_load((Path(__file__).parent / "crops_broken.yaml").read_text("utf-8"))
FILES = {
    "site.yaml": "title: {zh: 笔记, en: Notes}\ntopics: [one]\n",
    "library.bib": """
@misc{author2026small, title={A Small Paper About Nothing in Particular}, author={Author, Ann and Writer, Bo},
  year={2026}, eprint={2601.00001}}
@misc{other2020, title={Other}, author={Other, C.}, year={2020}, eprint={2001.00002}}
@misc{broken2020, title={Broken}, author={Other, D.}, year={2020}, eprint={2001.00003}}
""",
    "one/topic.yaml": "title: {zh: 一, en: One}\n",
    "one/01_First/note.yaml": "title: {zh: 甲, en: First}\npapers: [author2026small]\n",
    "pdfs/2601.00001v2.pdf": making_pdfs.paper(),
    "pdfs/2001.00003.pdf": making_pdfs.paper()[:500],
}


def rendered(texts: Mapping[str, str], pdfs: PdfReader | None = None, site: str = "") -> tuple[str, str]:
    """The HTML of the note's lead in all its languages, and its diagnostics; `site` are more lines of site.yaml."""
    files = (
        FILES
        | {"site.yaml": FILES["site.yaml"] + site}
        | {f"one/01_First/{lang}.md": text for lang, text in texts.items()}
    )
    pdfs = pdfs or PdfReader()
    sources = tuple(source(f"notes_src/{path}", text) for path, text in sorted(files.items()))
    corpus, _ = load(sources, pdfs.identity)
    assert corpus
    bodies, problems = render_bodies(corpus.notes, words=corpus.site.words)
    resolver = link_resolver(corpus, bodies.outlines, Crops(corpus, pdfs))
    note = corpus.notes[0]
    html, found = [], list(problems)
    for lang, half in bodies[note.id].halves.items():
        found += resolver.check(half.slots, note.topic)
        slot = lambda slot, lang=lang: resolver.html(slot, note_path(note), note.topic, lang, listed=True)  # noqa: E731
        html.append(fill(half.lead, half.slots, slot))
    return "".join(html), said(found)


def shown(html: str) -> str:
    """The HTML without the data of pictures, which need not be compared."""
    return re.sub(r'src="data:image/webp;base64,[^"]+"', 'src="..."', html)


def test_a_figure_stands_with_the_papers_own_caption_and_its_source() -> None:
    html, problems = rendered({"zh": "![](pdf:2601.00001#figure-1)\n", "en": "![](pdf:2601.00001#figure-1)\n"})
    assert problems == ""
    cite = (
        '<a class="cite" href="#ref-author2026small" title="A Small Paper About Nothing in Particular">'
        "Author and Writer, 2026</a>"
    )
    caption = '<span lang="en">What was found, by the number n of attempts.</span> <span class="cites">[{}]</span>'
    figure = (
        '<figure class="fig"><div class="fig-body"><img class="crop" src="..." width="280" height="180" alt="{}">'
        "</div>"
        "<figcaption>{}</figcaption></figure>\n"
    )
    assert shown(html) == figure.format(
        "Author and Writer, 2026 图 1", caption.format(f"{cite}, 图 1")
    ) + figure.format("Figure 1 of Author and Writer, 2026", caption.format(f"{cite}, Figure 1"))


def test_a_caption_has_the_likely_language_of_its_paper() -> None:
    text = "![](pdf:2601.00001#figure-1)\n"
    for languages in ("[zh]", "[en-GB]", "[de, zh]"):
        lang = languages[1:-1].split(", ")[0]
        html, problems = rendered({lang: text}, site=f"languages: {languages}\n")
        assert '<span lang="en">What was found,' in html, problems


def test_what_is_written_is_caption_and_text_for_those_who_cannot_see() -> None:
    html, problems = rendered({"zh": "![结果的**柱状图**](pdf:author2026small#table-A.1)\n"})
    assert problems == ""
    assert 'alt="结果的**柱状图**"' in html
    assert "<figcaption>结果的<strong>柱状图</strong> " in html
    assert "below its table" not in html
    assert "</a>, 表 A.1]" in html


@pytest.mark.parametrize(
    ("target", "size", "label"),
    [
        ("page-3", (700, 991), "第 3 页"),
        ("page-1:72,40,272,140", (300, 150), "第 1 页"),
        ("figure-2", (594, 195), "图 2"),
        ("page-1:0,0,595,842", (700, 991), "第 1 页"),
        ("page-1:0,0,100,842", (119, 1000), "第 1 页"),
    ],
)
def test_pictures_are_sharp_and_of_a_sensible_size(target: str, size: tuple[int, int], label: str) -> None:
    html, problems = rendered({"zh": f"![](pdf:2601.00001v2#{target})\n"})
    assert problems == ""
    assert f'width="{size[0]}" height="{size[1]}"' in html
    assert f"</a>, {label}]" in html
    (data,) = re.findall('base64,([^"]+)"', html)
    image = Image.open(io.BytesIO(base64.b64decode(data)))
    assert image.format == "WEBP"
    assert abs(image.width - 2 * size[0]) <= 3


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case["target"])
def test_what_is_said_of_a_part_that_is_not_there(case: dict) -> None:
    _, problems = rendered({"zh": f"## 一\n\n文 ![图](pdf:{case['target']})\n"})
    assert problems == f"notes_src/one/01_First/zh.md:3:3: {case['said']}"


def test_what_was_read_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = open_cache(tmp_path)
    text = {"zh": "![](pdf:2601.00001#figure-1)\n"}
    first = rendered(text, PdfReader(cache))
    with monkeypatch.context() as patch:
        patch.setattr(reader, "limited", None)
        assert rendered(text, PdfReader(cache)) == first, "no PDF is opened again, not even a broken one"
    cache.close()
    assert rendered(text) == first, "and without a cache it is the same"


def test_a_cache_that_holds_something_else_is_not_believed() -> None:
    class Lying:
        def get(self, key: bytes | str) -> bytes | None:
            return b"={}"

        def put(self, key: bytes | str, value: bytes) -> None:
            pass

    pdfs = PdfReader(Lying())  # type: ignore[arg-type]
    paper = source("a.pdf", making_pdfs.paper())
    assert isinstance(pdfs.figures(paper), PdfFigures)
    drawn = pdfs.picture(paper, 1, None, width=100, height=100, limit=9_000)
    assert isinstance(drawn, Picture)
