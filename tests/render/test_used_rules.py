"""The rules of a style sheet that stay on a page."""

from __future__ import annotations

import pytest

from paper_notes.render.theme.used_rules import used_rules

PAGE = """<main class="note wide"><p>1</p><P class='odd'><table><td class=num>2</td></table></main>"""


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        (".note{color:red}", ".note{color:red}"),
        (".gone{color:red}", ""),
        (".note,.gone{a:b}", ".note{a:b}"),
        (".note .gone,main>.wide p::after{a:b}", "main>.wide p::after{a:b}"),
        (".odd,.num{a:b}", ".odd,.num{a:b}"),
        ("mark{a:b}table{a:b}", "table{a:b}"),
        ("table:has(mark,.gone) p:not(.gone){a:b}", "table:has(mark,.gone) p:not(.gone){a:b}"),
        ("#gone,[data-gone]{a:b}", "#gone,[data-gone]{a:b}"),
        (".kind-paper,.kindly{a:b}", ".kind-paper{a:b}"),
        (".made:hover{a:b}dialog{a:b}", ".made:hover{a:b}dialog{a:b}"),
        ("@media print{.gone{a:b}.note{a:b}}", "@media print{.note{a:b}}"),
        ("@media print{@supports(a:b){.gone{a:b}}}", ""),
        ("@page{a:b;@top-left{c:d}}@keyframes x{to{a:b}}", "@page{a:b;@top-left{c:d}}@keyframes x{to{a:b}}"),
        ('@import "x.css";.gone{a:b}', '@import "x.css";'),
        ('p::before{content:"}{"}.gone{a:"}"}', 'p::before{content:"}{"}'),
        ("p{a:b;&.gone{c:d}}", "p{a:b;&.gone{c:d}}"),
        (r".sm\:p-1{a:b}", r".sm\:p-1{a:b}"),
        ("*,::before{a:b}:root[data-x=gone]{a:b}", "*,::before{a:b}:root[data-x=gone]{a:b}"),
        ("p{a:b", "p{a:b"),
    ],
)
def test_a_rule_stays_if_something_of_the_page_or_of_its_scripts_may_match(rule: str, kept: str) -> None:
    assert used_rules([rule], PAGE, "make('dialog', {className: 'made' + 'kind-' + kind})") == kept


def test_a_rule_for_the_document_stays() -> None:
    assert used_rules(["html body{a:b}"], PAGE, "") == "html body{a:b}"


def test_attributes_are_found_in_letters_of_any_case() -> None:
    assert used_rules([".b{c:d}", ".e{c:d}"], '<p class="a"><p CLASS=b subclass="e">', "") == ".b{c:d}"
