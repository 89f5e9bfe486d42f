"""The plain text of rendered notes, made to be searched in."""

from __future__ import annotations

import pytest
from building import note

from paper_notes.markdown.math.convert import mathml
from paper_notes.markdown.render import render_body
from paper_notes.render.plain import plain, plain_sections


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("", ""),
        ("<p>a <b>b</b>c</p><p>d</p>", "a bc d"),
        ("<ul>\n<li>a</li><li>b</li></ul>", "a b"),
        ('<td><span class="th">Head</span>cell</td>', "cell"),
        ("<p>1 &lt; 2 &amp;&amp; x</p>", "1 < 2 && x"),
        ("a<br>b", "a b"),
        ("<tr><th>A</th><th>B</th></tr>\n<tr><td>1</td><td></td></tr></table><p>c</p>", "A · B · 1 · c"),
        (
            "<dl><div><dt>4.5×</dt>\n<dd><p>peak</p></dd></div><div><dt>At:</dt><dd>once</dd></div></dl>",
            "4.5×: peak · At: once",
        ),
        ("<math><mi>x</mi><mo>&lt;</mo><mi>y</mi></math>", "x<y"),
        ('<div><svg viewBox="0 0 1 1"><text>drawn</text></svg>caption</div>', "caption"),
        ("字<em>与</em>字", "字与字"),
    ],
)
def test_plain(html: str, text: str) -> None:
    assert plain(html) == text


def test_a_body_in_sections() -> None:
    body = render_body(
        note(
            {
                "zh": "开头[^a]\n\n## 核心方法\n\n**只**在$x$里\n\n| 甲 | 乙 |\n|---|---|\n| 一 | 二 |\n\n[^a]: 脚注\n",
                "en": "## Method\n\nSee [[#4]].\n",
            }
        )
    )
    assert plain_sections(body, "zh", lambda slot: "") == (
        ("lead", "开头"),
        ("method", "核心方法\t只在x里 甲 · 乙 · 一 · 二"),
        ("footnotes", "脚注"),
    )
    assert plain_sections(body, "en", lambda slot: f"<a>note {slot.target}</a>") == (
        ("method", "Method\tSee note #4."),
    )


def test_a_language_that_is_not_there_has_no_text() -> None:
    assert plain_sections(render_body(note({"zh": "x\n"})), "en", lambda slot: "") == ()


@pytest.mark.parametrize(
    ("tex", "line"),
    [
        (r"\beta=\sum_x \min(p,q)", "β=∑_x min(p,q)"),
        (r"\frac{a+b}{c}", "(a+b)/c"),
        (r"x_{t+1}^2", "x_(t+1)^2"),
        (r"\hat{x}", "xˆ"),
        (r"\sqrt{2n}", "√(2n)"),
        (r"\sum_{i=1}^n x_i", "∑_(i=1)^n x_i"),
        (r"x<y", "x<y"),
        (r"\log p(x)", "log p(x)"),
    ],
)
def test_a_formula_is_a_line_that_reads(tex: str, line: str) -> None:
    assert plain(f"<p>{mathml(tex, display=False)}</p>") == line


def test_marks_of_sources_are_no_part_of_the_text() -> None:
    assert plain('<p>83%<small class="origin" title="x">Table 1, p. 3</small> of it</p>') == "83% of it"
