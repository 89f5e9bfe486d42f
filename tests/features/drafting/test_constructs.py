"""What a model may write, construct by construct of our grammar: let through for a reason, or refused."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from test_model_drafts import JOB

from paper_notes.diagnostics import Location
from paper_notes.features.drafting import translate
from paper_notes.features.drafting.constructs import AS_LANGUAGES_DO, DRAFTED, Construct, constructs_of
from paper_notes.features.drafting.first_texts import unusable
from paper_notes.features.drafting.prompts import lines_around
from paper_notes.languages.language import BUILT_IN_WORDS
from paper_notes.languages.text import Lang
from paper_notes.markdown.parser import parser
from paper_notes.markdown.short_texts import read_short

FINE = {
    "words": "Steps that are taken.",
    "words on two lines": "Steps\nthat are taken.\\\nAnd more.",
    "stress": "Steps **that** are *taken*.",
    "characters by name": "Steps &amp; more, 3 &lt; 4 &copy; &#65;.",
    "characters after a backslash": "Steps \\* and \\[x\\_1].",
    "signs by name": "Steps :smile: are taken.",
    "typography": 'Steps -- "taken"...',
    "code in a line": "Steps of `a_program` are taken.",
    "formulas": "Steps $x_1$ and \\(y\\) and $$z$$ are.\n\n$$\n\\alpha\n$$",
    "a numbered formula": "Steps:\n\n$$\n\\begin{align} a &= b \\\\ c &= d \\end{align}\n$$",
    "lists": "- a step\n- b step\n\n3. c step\n4. d step",
    "a table": "| step | taken |\n|---|---:|\n| ✓ | 12.5 |\n| **x** | ✗ |",
    "symbols": "x\n: a step that is taken",
    "the paper": "Steps, as [@tea, Table 2] says, and [-@tea].",
    "a number of plain words": "Steps see note #15 and Figure 3.",
    "letters that are joined": "Steps \U0001f469\u200d\U0001f52c are taken.",
}
"""May be in a draft: the reasons are in `DRAFTED`."""
REFUSED = {
    "a link": ("Steps [x](https://evil.example).", "link https://evil.example"),
    "a link within the site": ("Steps [x](#method).", "link #method"),
    "a link in angle brackets": ("Steps <https://evil.example>.", "link https://evil.example"),
    "a bare address": ("Steps https://evil.example/a.", "link https://evil.example/a"),
    "a link by a definition": ("Steps [x][y].\n\n[y]: https://evil.example", "definition of a link Y"),
    "a definition of a link": ("Steps.\n\n[Steps]: https://evil.example", "definition of a link STEPS"),
    "an arXiv number": ("Steps arXiv:2510.26475.", "link https://arxiv.org/abs/2510.26475"),
    "a DOI": ("Steps 10.1145/3579371.3589038.", "link https://doi.org/10.1145/3579371.3589038"),
    "an address without a scheme": ("Steps www.evil.example/a.", "address www.evil.example/a"),
    "an address of another scheme": ("Steps ftp://evil.example.", "address ftp://evil.example"),
    "an e-mail address": ("Steps me@evil.example.", "address me@evil.example"),
    "an e-mail address in angle brackets": ("Steps <me@evil.example>.", "link mailto:me@evil.example"),
    "a number of a formula": ("Steps \\eqref{x}.", "link #x"),
    "a reference": ("Steps [[tea/#2|x]].", "slot note tea/#2"),
    "a section of this note": ("Steps [[§3]].", "link #§3"),
    "an embedded file": ("Steps ![[a.png]].", "slot note a.png"),
    "a picture": ("Steps ![x](https://evil.example/a.png).", "image https://evil.example/a.png"),
    "a part of a PDF": ("![x](pdf:2510.26475#figure-3)", "image pdf:2510.26475#figure-3"),
    "another paper": ("Steps [@other].", "it cites papers that it does not know: other"),
    "a citation that is none": ("Steps [@tea.", "it has a mistake: lost-syntax"),
    "a footnote": ("Steps[^1].\n\n[^1]: x", "footnote label 1"),
    "a footnote in its place": ("Steps^[x].", "footnote_ref"),
    "a footnote that is none": ("Steps[^1].", "it has a mistake: lost-syntax"),
    "a heading": ("## Steps", "heading h2"),
    "a heading with an id": ("### Steps {#own}", "heading id own"),
    "a heading by its line": ("Steps\n---", "heading h2"),
    "an id in words": ("Steps {#own}.", "it has a mistake: lost-syntax"),
    "a name of a block": ("Steps that are taken. ^own", "name own"),
    "attributes as kramdown has them": ("Steps that are taken.{: .x title=\"y\"}", "text that is not shown"),
    "a label of a formula": ("Steps:\n\n$$\nx \\label{own}\n$$", "id own"),
    "marked words": ("Steps [x]{.term}.", "span class term"),
    "marked words without a mark": ("Steps [x]{.huge}.", "it has a mistake: unknown-class"),
    "highlighted words": ("Steps ==x==.", "mark"),
    "struck words": ("Steps ~~x~~.", "s"),
    "a source of a number": ("Steps of 12.5 {from=own}", "from Origin(kind='own'"),
    "a source of words": ("Steps [12.5]{from=figure-3}.", "span from Origin(kind='figure'"),
    "arithmetic": ("Steps of 2 {from=\"1+1\"}", "from Origin(kind='derived'"),
    "a row of one's own": ("| a | b |\n|---|---|\n| x{.own} | 1 |\n| y | 2 |", "tr class row-own"),
    "merged cells": ("| a | b |\n|---|---|\n| x | 1 |\n| ^^ | 2 |", "merged_cell"),
    "tasks": ("- [ ] step\n- [x] step", "html_inline <input"),
    "a box": (":::note\nSteps.\n:::", "component note"),
    "an alert": ("> [!NOTE]\n> Steps.", "component note"),
    "a quotation": ("> Steps.", "blockquote"),
    "a rule": ("Steps.\n\n***\n\nMore.", "hr"),
    "front matter": ("---\nreviewed: true\n---\nSteps.", "hr"),
    "code": ("```html\nSteps\n```", "fence html"),
    "code by indentation": ("Steps.\n\n    code\n", "code_block"),
    "a diagram": ("```mermaid\ngraph TD\n```", "fence mermaid"),
    "a formula in characters": ("```formula\nx\n```", "fence formula"),
    "HTML": ("Steps <b>x</b>.", "html_inline <b>"),
    "HTML that is none": ("<think>x</think> Steps.", "html_inline <think>"),
    "a block of HTML": ("<div>\nSteps.\n</div>", "html_block <div>"),
    "a comment": ("Steps <!-- x -->.", "html_inline <!-- x -->"),
    "a comment as Obsidian has it": ("Steps %%x%%.", "text that is not shown"),
    "a comment over lines": ("Steps.\n\n%%\nx\n%%", "text that is not shown"),
    "a table of contents": ("Steps.\n\n[TOC]", "text that is not shown"),
    "a template": ("Steps {{ site.x }}.", "template {{"),
    "a template in code": ("Steps `{% include x %}`.", "template {%"),
    "a definition in TeX": ("Steps $\\newcommand{\\a}{x}\\a$.", "definitions in TeX"),
    "a formula that only defines": ("Steps.\n\n$$\\def\\a{x}$$", "text that is not shown"),
    "another definition in TeX": ("Steps $\\def\\alpha{\\href{javascript:1}{x}}$.", "definitions in TeX"),
    "a link in TeX": ("Steps $\\href{javascript:1}{x}$.", "it has a mistake: bad-tex"),
    "a link in the number of a formula": ("$$\nx \\tag{$\\href{a}{b}$}\n$$", "definitions in TeX"),
    "words from right to left": ("Steps \u202ethat\u202c are.", "character U+202E"),
    "the same by number": ("Steps &#x202e;that are.", "character U+202E"),
    "an invisible character": ("Ste\u200bps that are.", "character U+200B"),
    "a soft hyphen": ("Ste\u00adps that are.", "character U+00AD"),
    "a control character": ("Steps \x1b[31m are.", "character U+001B"),
    "a character of ours": ("Steps \ufdd00\ufdd1 are.", "character U+FDD0"),
    "tags of characters": ("Steps \U000e0041 are.", "character U+E0041"),
    "another end of line": ("Steps \u2028 are.", "character U+2028"),
    "a private character": ("Steps \ue000 are.", "character U+E000"),
    "many words": ("step " * 1_600, "longer than 4,000 characters"),
    "a long word": ("Steps " + "a" * 20_000, "longer than 4,000 characters"),
}  # fmt: skip
"""May not, and what is said."""


@pytest.mark.parametrize("name", FINE)
def test_a_draft_may_have(name: str) -> None:
    assert drafted(FINE[name]) == ()


@pytest.mark.parametrize("name", REFUSED)
def test_a_draft_may_not_have(name: str) -> None:
    text, words = REFUSED[name]
    assert words in " | ".join(drafted(text))


def drafted(text: str) -> tuple[str, ...]:
    """What is wrong with a text of a draft."""
    return tuple(unusable(text, JOB, BUILT_IN_WORDS))


@pytest.mark.parametrize("name", [name for name in REFUSED if name != "many words"])
def test_a_translation_has_what_its_original_has_and_nothing_more(name: str) -> None:
    """Even what is only wrong in both: it was a person who wrote it."""
    text, _ = REFUSED[name]
    before = "The whole method has a few steps, and they are taken one after the other as it is said in the paper.\n\n"
    assert translated(before + text, before + text) == ()
    assert translated(before + "Steps that are taken.", f"{before}{text}") != ()
    assert translated(before + text, before + "Steps that are taken.") != () or name in LEFT_OUT


LEFT_OUT = ("a citation that is none", "a footnote that is none", "an id in words", "a long word")
"""Mistakes, which a translation may lack."""
RULES = {
    "block": "comment_block table code math_block spaced_block bracket_block component fence blockquote hr list"
    " footnote_def reference unwrapped html_block heading lheading deflist paragraph",
    "inline": "text newline bracket_formula tick_formula formula comment equation_reference escape backticks"
    " strikethrough highlight emphasis note_reference citation link span image footnote_inline footnote_ref autolink"
    " html_inline entity",
    "core": "normalize hide_bars block math_fences alerts drop_comments unread_tables unclosed_fences show_bars bounded"
    " declared heading_options table_rows row_marks block_names anchors inline task_lists bare_links glossary_terms"
    " footnotes_apart footnote_tail emoji typographer table_marks declared_marks merged_cells text_join"
    " hold_punctuation macros equations",
}
"""The rules of our parser. A new one needs a line in the tables above; where a draft may have it, one in `DRAFTED`."""


def translated(source: str, text: str) -> tuple[str, ...]:
    """What is wrong with a translation."""
    job = translate.TranslationJob("lead", (Lang("en"), Lang("en")), source, "0123456789")
    opening, closing = lines_around(source)
    return translate.check(job, (), BUILT_IN_WORDS, f"{opening}\n{text}\n{closing}").findings


def test_every_rule_of_our_parser_was_decided_on() -> None:
    rulers = {"block": parser().block.ruler, "inline": parser().inline.ruler, "core": parser().core.ruler}
    assert {name: " ".join(ruler.get_active_rules()) for name, ruler in rulers.items()} == RULES
    seen = {one.kind for text in (*FINE.values(), *(text for text, _ in REFUSED.values())) for one in constructs(text)}
    assert seen >= DRAFTED.keys() | AS_LANGUAGES_DO


def constructs(text: str) -> list[Construct]:
    read = read_short.__wrapped__(text, Lang("en"), Location(PurePosixPath("text.md")), BUILT_IN_WORDS)
    return list(constructs_of(text, read))
