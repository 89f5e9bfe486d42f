"""Marks in a text: after the innermost block that has the mistake, and the source in place of what is broken."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

import pytest
from building import note

from paper_notes.corpus.model import Lang
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.markdown import renderer
from paper_notes.markdown.body import SLOT, Body
from paper_notes.markdown.render import render_body
from paper_notes.markdown.syntax.code import Fence

NONE: Mapping[str, str | bytes] = MappingProxyType({})
EN = Lang("en")
WRONG = '<mark class="mistake">\\no</mark>'


def marked(text: str, files: Mapping[str, str | bytes] = NONE, *more: Diagnostic) -> Body:
    value = note({EN: text}, files)
    return render_body(value, mistakes=(*render_body(value).diagnostics, *more))


def shown(text: str, files: Mapping[str, str | bytes] = NONE) -> str:
    """The HTML with `✗0` where the first mark is."""
    body = marked(text, files)
    half = body.halves[EN]
    html = half.lead + "".join(part.halves[EN].heading + part.halves[EN].html for part in body.sections)
    return re.sub(r"\n+", "", SLOT.sub(lambda slot: f"✗{half.slots[int(slot[1])].target}", html + half.footnotes))


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("One $\\no$ one\n\nTwo.\n", f"<p>One {WRONG} one</p>✗0<p>Two.</p>"),
        ("One $\\no$ and\n$\\no$\n", f"<p>One {WRONG} and{WRONG}</p>✗0✗1"),
        ("- a\n- b $\\no$\n- c\n", f"<ul><li>a</li><li>b {WRONG}✗0</li><li>c</li></ul>"),
        ("1. a\n   - $\\no$\n", f"<ol><li>a<ul><li>{WRONG}✗0</li></ul></li></ol>"),
        ("> a $\\no$\n>\n> b\n", f"<blockquote><p>a {WRONG}</p>✗0<p>b</p></blockquote>"),
        ("## A $\\no$\n\nText.\n", f"A {WRONG}✗0<p>Text.</p>"),
        ("[a](#nowhere)\n", '<p><a href="#nowhere">a</a></p>✗0'),
        ("![a](lost.png)\n", '<p><mark class="mistake">![a](lost.png)</mark></p>✗0'),
        (":::nonsense\na\n:::\n\nb\n", "<div>nonsense<p>a</p></div>✗0<p>b</p>"),
        ("a <script>b</script> c\n", "<p>a  c</p>✗0"),
    ],
)
def test_each_place_is_marked_and_shows_its_source(text: str, html: str) -> None:
    assert shown(text) == html


def test_a_sound_diagram_is_drawn_beside_a_mistake_and_a_broken_one_is_its_source() -> None:
    pytest.importorskip("merman")
    sound, broken = (f"```mermaid a\ngraph TD; A--{end}\n```\n\n$\\no$\n" for end in (">B", ""))
    assert re.fullmatch(rf"<figure .*</svg>.*</figure><p>{re.escape(WRONG)}</p>✗0", shown(sound), re.DOTALL)
    assert shown(broken).startswith('<div class="code"><pre tabindex="0"><code class="hl">graph TD; A--</code>')
    assert "<svg" not in shown(broken)


def test_a_diagram_that_is_not_drawn_for_another_one_is_its_source(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the diagrams after one that was stopped nothing is reported, so only what is drawn tells it."""
    monkeypatch.setattr(renderer, "fences", lambda: {"idle": Fence("idle", lambda context, token: "")})
    text = "```idle\ngraph\n```\n"
    assert shown(f"{text}\n$\\no$\n").startswith('<div class="code"><pre tabindex="0"><code class="hl">graph')
    assert render_body(note({EN: text})).halves[EN].lead == "", "and nothing where no page goes on"


def test_a_footnote_is_marked_inside_and_a_table_after_it() -> None:
    assert re.search(r"✗0</li></ol>", shown("a[^1]\n\n[^1]: $\\no$\n"))
    assert shown("| a |\n|---|\n| $\\no$ |\n\nb\n").endswith("</table></div>✗0<p>b</p>")


def test_a_mistake_between_blocks_is_marked_after_the_block_above_and_above_all_at_the_top() -> None:
    where = Location(note({EN: ""}).texts[0].path, 2)
    between = Diagnostic(where, "bad-tex", "wrong")
    assert SLOT.search(marked("a\n\nb\n", NONE, between).halves[EN].lead.split("<p>b")[0])
    assert SLOT.match(marked("\n\n\nb\n", NONE, between).halves[EN].lead)


def test_what_is_not_safe_is_left_out_and_unmarked_texts_have_no_marks() -> None:
    picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>x()</script><text>in</text></svg>'
    html = shown("![a](a.svg)\n", {"a.svg": picture})
    assert "![a](a.svg)" in html
    assert "svg " not in html
    text = "a $\\no$ ![b](https://example.org/b.png)\n"
    assert "mark" not in render_body(note({EN: text})).halves[EN].lead
    assert "src=" not in shown(text)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("One %%not for you two.\n\nThree.\n", "<p>One </p>✗0<p>Three.</p>"),
        ("**One %% see [me](https://example.org)** two.\n", "<p><strong>One </strong></p>✗0"),
        ("- %%all\n- two\n", "<ul><li>✗0</li><li>two</li></ul>"),
    ],
)
def test_a_comment_is_in_no_page_with_or_without_marks(text: str, html: str) -> None:
    assert shown(text) == html
    assert "not for you" not in render_body(note({EN: text})).halves[EN].lead
