"""What is left of a new note's skeleton: never shown, counted, and gone as it is answered."""

from __future__ import annotations

import pytest
from building import note

from paper_notes.corpus.paper import BibKey
from paper_notes.features.papers.note_template import missing_box, quotation, skeleton
from paper_notes.features.papers.pdf_facts import OutlineItem
from paper_notes.features.papers.prompts import without_prompts
from paper_notes.languages.language import BUILT_IN, Words, language
from paper_notes.languages.text import Lang
from paper_notes.markdown.body import Body
from paper_notes.markdown.render import render_body

OUTLINE = (OutlineItem(1, "1 Tea", 1), OutlineItem(2, "1.1 Leaves", 2), OutlineItem(1, "Water", 3))
EN, ZH = Lang("en"), Lang("zh")


def new(lang: str = "en") -> str:
    words = language(Lang(lang))
    abstract = quotation(words, "Tea is old.", "arXiv:2401.00001")
    return skeleton(words, missing_box(words, ("title", "year"), BibKey("tea2024")), abstract, OUTLINE)


def body_of(texts: dict[str, str]) -> Body:
    return render_body(note(texts), words=Words.of(*texts))


def shown(body: Body, lang: Lang = EN) -> str:
    half = body.halves[lang]
    parts = [html for section in body.sections for html in (section.halves[lang].heading, section.halves[lang].html)]
    return "\n".join((half.lead, *parts, half.footnotes))


@pytest.mark.parametrize("lang", BUILT_IN)
def test_of_an_untouched_skeleton_only_the_abstract_is_shown(lang: str) -> None:
    body = body_of({lang: new(lang)})
    assert body.sections == ()
    assert "Tea is old." in body.halves[lang].lead
    assert "<em>" not in body.halves[lang].lead
    assert "tea2024" not in body.halves[lang].lead
    assert "tldr" not in body.halves[lang].lead_blocks
    assert body.outline.prompts == 19
    assert body.diagnostics == ()
    assert sum(body.outline.counts[lang]) < 12


def answered(prompt: str, answer: str) -> Body:
    text = new()
    line = next(line for line in text.splitlines() if prompt in line)
    return body_of({"en": text.replace(line, answer)})


def test_what_is_answered_is_shown_with_its_heading_and_nothing_else() -> None:
    body = answered("Where do existing", "Nobody had *hot* water.")
    assert [section.id for section in body.sections] == ["motivation"]
    assert "Nobody had <em>hot</em> water." in shown(body)
    assert body.outline.prompts == 18
    assert [section.halves[EN].location.line for section in body.sections] == [
        new().split("\n").index("## Motivation") + 1
    ], "lines keep their numbers"


def test_a_component_stays_with_what_is_answered_in_it() -> None:
    body = answered("what the paper does", "**In one sentence**: it boils.")
    assert "it boils" in body.halves[EN].lead
    assert body.halves[EN].lead_blocks[0] == "tldr"
    assert "stats" not in body.halves[EN].lead
    assert "Stance" not in body.halves[EN].lead
    body = answered("what it stands for", ": The time.")
    assert [section.id for section in body.sections] == ["background"]
    assert "The time." in shown(body)
    body = answered("y = f(x)", "y = mc^2")
    assert [section.id for section in body.sections] == ["formulas"]
    assert "computes" not in shown(body)


def test_a_section_of_the_paper_keeps_the_heading_above_it() -> None:
    body = answered("p. 3 on", "Water boils at 100 degrees.")
    assert [section.id for section in body.sections] == ["section-by-section", "paper-2"]
    body = answered("p. 1 on", "Tea grows.")
    assert "Leaves" in shown(body), "with what the paper has there"


def test_a_language_that_is_not_written_yet_is_no_translation() -> None:
    text = new("zh").replace("*现有做法卡在哪里？为什么以前没人解决？*", "没有热水。")
    body = body_of({"zh": text, "en": new()})
    assert [(section.id, [*section.halves]) for section in body.sections] == [("motivation", [ZH])]
    assert body.diagnostics == (), "the heading is there, so nothing is said of its counterpart"


def test_code_and_what_people_write_themselves_is_left_alone() -> None:
    text = new()
    for own in (f"```markdown\n{text}```\n", "## Motivation\n\n*Why?*\n\n$x$\n: *what it means*\n", "## Method\n"):
        written = without_prompts(own, language(EN))
        assert ("\n".join(written.lines), written.prompts, written.unwritten) == (own, 0, frozenset())


LEFT = {
    "**In one sentence**: *what the paper": ":::tldr / A / :::",
    ": *the most important number": ":::tldr / :::stats / — / A / ::: / :::",
    ": *the second number": ":::tldr / :::stats / — / A / ::: / :::",
    "**Stance**": ":::tldr / A / :::",
    "**Still missing**": ":::note / A / :::",
    "*Where do existing methods": "A / -Motivation",
    "*The ideas that the rest": "A / -Background",
    ": *what it stands for": ":::symbols Symbols / $x$ / A / ::: / -Background",
    "*A sentence or two for each": "A / -Section by section",
    "*p. 1 on": "A / -Section by section / -§1 Tea",
    "*p. 3 on": "A / -Section by section / -Water",
    "*The steps": "A / -Method",
    "*Pick the formula": "A / -Formulas line by line",
    ": *what this term": (
        ":::formula Name of the formula / $$ / y = f(x) / $$ / $f(x)$ / A / ::: / -Formulas line by line"
    ),
    "**Intuition**": ":::formula Name of the formula / $$ / y = f(x) / $$ / A / ::: / -Formulas line by line",
    "*The findings": "A / -Experiments",
    "*Those the authors admit": "A / -Limitations",
    "1. *A doubt": "A / -Open questions",
    "1. *A sentence you want": "A / -Memory points",
}
"""What an answer `A` keeps of what is around its prompt, and `-` the headings over which something is written now."""


@pytest.mark.parametrize("prompt", LEFT)
def test_an_answer_keeps_what_is_around_it(prompt: str) -> None:
    before = without_prompts(new(), language(EN))
    lines = new().split("\n")
    (at,) = (at for at, line in enumerate(lines) if line.startswith(prompt))
    after = without_prompts("\n".join([*lines[:at], "A", *lines[at + 1 :]]), language(EN))
    more = [line for line in after.lines if line.strip() and line not in before.lines]
    written = [lines[row].lstrip("# ").partition(" {")[0] for row in sorted(before.unwritten - after.unwritten)]
    assert " / ".join([*more, *(f"-{heading}" for heading in written)]) == LEFT[prompt]
    assert (before.prompts, after.prompts) == (len(LEFT), len(LEFT) - 1)
