"""Bodies as values: counts, pixels, snippets, and input of a size nobody writes by hand."""

from __future__ import annotations

import base64
import re
import time
from pathlib import PurePosixPath

import pytest
from building import NOTE, note, said
from making_pictures import picture
from running import EXAMPLES

from paper_notes.diagnostics import Location
from paper_notes.languages.language import Words
from paper_notes.markdown.bodies import render_bodies
from paper_notes.markdown.body import SectionHalf, Slot, fill
from paper_notes.markdown.math.convert import TexProblem, mathml
from paper_notes.markdown.render import render_body, without_links
from paper_notes.markdown.sections import RawSection, pair
from paper_notes.markdown.short_texts import render_snippet

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
JPEG = picture("JPEG")


def lead(text: str, files: dict[str, str | bytes] | None = None) -> tuple[str, str]:
    """The HTML before the first heading, and the diagnostics."""
    body = render_body(note({"zh": text}, files or {}))
    return body.halves["zh"].lead, said(body.diagnostics).replace(f"{NOTE}/", "")


def test_a_formula_is_mathml_core() -> None:
    assert mathml("x^2", display=False) == "<math><msup><mi>x</mi><mn>2</mn></msup></math>"
    assert mathml("x", display=True) == '<math display="block"><mi>x</mi></math>'


@pytest.mark.parametrize(
    ("tex", "offset"),
    [
        (r"\foo", 0),
        (r"中文\foo", 2),
        (r"𝕏\foo", 1),
        (r"\begin{split}\foo\end{split}", 13),
        (r"\begin{split}a\end{split}\foo", 25),
        (r"\begin{smallmatrix}a\end{smallmatrix} \begin{split}b\end{split}\foo", 63),
        (r"\frac{1", 7),
    ],
)
def test_a_mistake_in_a_formula_has_an_offset_in_characters(tex: str, offset: int) -> None:
    with pytest.raises(TexProblem) as caught:
        mathml(tex, display=False)
    assert caught.value.offset == offset


@pytest.mark.parametrize(
    ("name", "data", "mime"), [("a.png", PNG, "png"), ("a.jpg", JPEG, "jpeg"), ("b/a.JPEG", JPEG, "jpeg")]
)
def test_pixels_become_data(name: str, data: bytes, mime: str) -> None:
    html = f'<p><img src="data:image/{mime};base64,{base64.b64encode(data).decode()}" alt="一 &#34;图&#34;"></p>\n'
    assert lead(f'![一 "图"]({name})', {name: data}) == (html, "")


def test_a_picture_is_as_wide_as_its_text_says() -> None:
    html, problems = lead("![a & b|300](a.jpg) ![c](a.jpg)", {"a.jpg": JPEG})
    assert problems == ""
    assert re.findall(r'alt="([^"]*)"( width="\d+")?>', html) == [("a &amp; b", ' width="300"'), ("c", "")]


def test_a_large_image_is_told_of() -> None:
    _, problems = lead("![x](a.png)", {"a.png": PNG + bytes(1_500_000)})
    message = 'zh.md:1:1: warning[large-image]: "a.png" makes the page 2,000,093 bytes larger'
    assert problems == f"{message}\n  hint: scale it down, or save it as WebP\n"


def test_a_figure_has_at_most_20000_elements() -> None:
    html, problems = lead("![x](a.svg)", {"a.svg": f'<svg viewBox="0 0 1 1">\n{"<g/>" * 20_000}</svg>'})
    message = "a.svg:2:79997: error[bad-svg]: the figure has more than 20,000 elements\n"
    assert (html, problems) == ("<p></p>\n", f"{message}  hint: use a pixel image instead\n")


def test_words_and_characters_are_counted() -> None:
    text = "# 忽略\n\n两个 words，`code` 与 $x$。don't\n\n```text\nnot counted\n```\n"
    half = render_body(note({"zh": text})).halves["zh"]
    assert (half.words, half.characters) == (4, 7)


def test_the_blocks_of_a_section_are_those_on_top() -> None:
    blocks = {
        "a\n\nb": "p p",
        "- a\n\n  b\n  - c\n- d": "ul",
        "1. a\n2. b": "ol",
        "> a\n>\n> b": "blockquote",
        ":::note\na\n\n- b\n:::": "note",
        "| a |\n|---|\n| b |": "table",
        "<div>\na\n</div>\n\nb": "<div p",
        "A\n: b\n\n```\nc\n```\n\n---\n\n$$\nx\n$$": "dl code hr math",
    }
    text = "\n\n".join(f"## {number}\n\n{source}" for number, source in enumerate(blocks))
    sections = render_body(note({"zh": text})).sections
    assert [" ".join(section.halves["zh"].blocks) for section in sections] == [*blocks.values()]


def test_a_snippet_is_rendered_with_the_place_of_its_value() -> None:
    where = Location(PurePosixPath("notes_src/topic/topic.yaml"), 7, 12)
    snippet = render_snippet("见 [[#4]]\n**[@key]** $\\foo$", "zh", where)
    shown = fill(snippet.html, snippet.slots, lambda slot: f"⟦{slot.target}⟧")
    assert shown == '<p>见 ⟦#4⟧\n<strong><span class="cites">[⟦key⟧]</span></strong> \\foo</p>\n'
    assert [(slot.kind, slot.target, slot.text) for slot in snippet.slots] == [("note", "#4", ""), ("cite", "key", "")]
    assert {slot.location for slot in snippet.slots} == {where}
    hint = "define it under `macros:` in site.yaml"
    message = f'notes_src/topic/topic.yaml:7:12: error[bad-tex]: TeX: Unknown command "\\foo"\n  hint: {hint}\n'
    assert said(snippet.diagnostics) == message


def test_an_inline_snippet_has_no_paragraph() -> None:
    where = Location(PurePosixPath("notes_src/topic/topic.yaml"))
    made = render_snippet("a **b**", "en", where, inline=True)
    assert made.html == "a <strong>b</strong>"
    assert render_snippet("a **b**", "en", where, inline=True) is made, "the definition of a term is rendered once"


def test_slots_are_filled_in_their_order() -> None:
    where = Location(PurePosixPath("a"))
    slots = (Slot("note", "#1", "", where), Slot("cite", "k", "", where))
    assert fill("\ufdd01\ufdd1 \ufdd00\ufdd1", slots, lambda slot: slot.target) == "k #1"


def test_a_link_in_a_heading_leads_to_the_block_in_its_own_language() -> None:
    text = ":::theorem {#proof}\nx\n:::\n\n## After [it](#proof) {#after}\n\ny\n"
    body = render_body(note({"zh": text, "en": text}))
    headings = {lang: half.heading for section in body.sections for lang, half in section.halves.items()}
    assert 'href="#proof-zh"' in headings["zh"]
    assert 'href="#proof-en"' in headings["en"]


def test_links_are_undone_inside_of_links() -> None:
    assert without_links('a <a class="x" href="y">b <i>c</i></a> <abbr>d</abbr>') == "a b <i>c</i> <abbr>d</abbr>"


def test_all_bodies_and_all_their_mistakes() -> None:
    bodies, problems = render_bodies([note({"zh": ":::", "en": "$\\foo$"})])
    assert list(bodies) == ["topic/01_Note"]
    assert [str(problem.location).removeprefix(f"{NOTE}/") for problem in problems] == ["zh.md:1:1", "en.md:1:2"]


PART = 1 if EXAMPLES else 4
"""Of texts whose time grows with their length, in `make test` this part."""
HUGE = {
    "5,000 quotations": ">" * 5_000 + " x",
    "3,000 opening brackets": "[" * 3_000,
    "3,000 brackets in pairs": "[" * 3_000 + "x" + "]" * 3_000,
    "3,000 images": "![" * 3_000,
    "2,000 components": ":::note\n" * 2_000,
    "2,000 closed components": ":::note\n" * 2_000 + ":::\n" * 2_000,
    "500 levels of lists": "".join(f"{'  ' * level}- a\n" for level in range(500)),
    "a paragraph as large as a file may be": ("字 word [a](https://example.org) $x$ **b** `c`。" * 10_000)[
        : 480_000 // PART
    ],
    "a table of 10,000 rows": "| a | b |\n|---|---|\n" + "| 1 | $x$ |\n" * (10_000 // PART),
    "3,000 HTML elements": "<div>" * 3_000,
    "20,000 stars": "*a **b " * (20_000 // PART),
    "20,000 dollars": "$a " * 20_000 + "$" + "\\a" * 20_000,
    "20,000 closing brackets after a URL": "https://example.org/" + ")" * 20_000 + "." * 20_000 + "。",
    "20,000 spaces": ":::note a" + " " * 20_000 + "b {#x}\n:::\n\n## a" + " " * 20_000 + "b",
    "10,000 spans and references": "[a]{.term} [[#1]] [@k] " * (3_300 // PART),
    "5,000 footnotes": "[^1]" * 5_000 + "\n\n[^1]: x",
    "3,000 headings": "## a\n" * 3_000,
    "deep formulas": "$" + "{" * 2_000 + "}" * 2_000 + "$ $" + "x_{" * 2_000 + "$ $" + r"\sqrt{" * 2_000 + "$",
}


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE)
def test_huge_input_ends_in_seconds(text: str) -> None:
    start = time.process_time()
    body = render_body(note({"zh": text}))
    assert time.process_time() - start < 10
    assert body.halves


def test_twenty_thousand_headings_that_read_the_same_get_their_ids_at_once() -> None:
    half = SectionHalf("a", "", "", Location(NOTE / "zh.md"))
    start = time.process_time()
    sections, _ = pair({"zh": [RawSection("", 2, "a", half)] * 20_000}, Words.of("zh"))
    assert time.process_time() - start < 5
    assert [section.id for section in sections[:3]] == ["a", "a-2", "a-3"]
    assert sections[-1].id == "a-20000"


@pytest.mark.parametrize(
    "text", [">" * 50 + " lost", ":::note\n" * 50 + "lost", "".join(f"{'  ' * level}- a\n" for level in range(50))]
)
def test_what_is_nested_too_deep_is_told_of(text: str) -> None:
    problems = render_body(note({"zh": text})).diagnostics
    found = [problem for problem in problems if problem.rule == "too-deep"]
    assert len(found) == 1
    assert found[0].message == "more than 40 levels of nesting: what is inside would be left out"
    assert found[0].hint == "flatten it"


@pytest.mark.parametrize(
    "text", ["a\u2028b $\\foo$", "a\u00a0b", "\u200b", "\ufeff", "a\tb", "&#0;", "\u3000", "🔵" * 3]
)
def test_odd_characters_do_no_harm(text: str) -> None:
    html = render_body(note({"zh": text})).halves["zh"].lead
    assert not re.search("[\x00\ufdd0-\ufdef]", html)


def test_a_short_text_closes_what_it_opens() -> None:
    where = Location(NOTE / "note.yaml", 7, 3)
    assert said(render_snippet("<details>\n\na <b>b</b> <br>\n\n<p>c", "en", where).diagnostics) == (
        "notes_src/topic/01_Note/note.yaml:7:3: error[html-not-allowed]: "
        "<details> is not closed: in a README it would enclose all that follows\n"
        "  hint: end it with </details>\n"
    )


def test_a_definition_in_a_short_text_is_told_of() -> None:
    where = Location(NOTE / "note.yaml", 7, 3)
    problems = render_snippet("[注意]: 读这句\n\n[^a]: 和这句", "zh", where).diagnostics
    assert [problem.rule for problem in problems] == ["unused-footnote", "unused-definition"]
