"""Parts of pages, one by one: what becomes of each."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest
import yaml
from making_pictures import png
from taking_in import BEFORE, lost_words, rendered, taken_in

from paper_notes.features.importing.html.drawings import figure_of, page_style, parse_drawing
from paper_notes.features.importing.html.format import FORMAT
from paper_notes.features.importing.html.formulas import as_tex
from paper_notes.features.importing.html.page import built_in
from paper_notes.features.importing.html.tree import HtmlNode, parse
from paper_notes.features.importing.types import ImportFinding, Original

CASES = yaml.safe_load((Path(__file__).parent / "parts.yaml").read_text("utf-8"))

PAGE = "01_Page.html"
PICTURES = {"PNG": png(), "PNG2": png() + b" "}


def said(finding: ImportFinding) -> str:
    """A finding with its column in the piece, for those on its first line."""
    line, column = finding.location.line, finding.location.column
    return f"{line}:{column - len(BEFORE) * (line == 1)} {finding.group} {finding.kind}: {finding.message}"


@pytest.mark.parametrize("name", CASES["pages"])
def test_a_piece_of_html_becomes(name: str) -> None:
    case = CASES["pages"][name]
    files = {name: PICTURES.get(data, data) for name, data in case.get("files", {}).items()}
    foreign = taken_in({PAGE: f"{BEFORE}{case['html']}</body></html>", **files})[PAGE]
    assert foreign.body == case["markdown"]
    facts = {**foreign.facts, **foreign.extra, "papers": [*foreign.arxiv, *foreign.dois]}
    assert {name: value for name, value in facts.items() if value} == case.get("facts", {})
    assert [said(finding) for finding in foreign.findings] == case.get("findings", [])
    lost = lost_words(f"{BEFORE}{case['html']}</body></html>", foreign)
    assert " ".join(lost) == case.get("lost", "")
    assert rendered(foreign)[1] == ()


@pytest.mark.parametrize("html", CASES["formulas"])
def test_a_formula_becomes_tex_only_if_it_reads_the_same(html: str) -> None:
    root = parse(html, lambda *_: None)
    assert as_tex(root.children, built_in()) == CASES["formulas"][html]


@pytest.mark.parametrize("name", CASES["drawings"])
def test_a_drawing_becomes(name: str) -> None:
    case = CASES["drawings"][name]
    said: list[str] = []

    def report(_kind: str, message: str, _line: int, _column: int) -> None:
        said.append(message)

    root = parse_drawing(HtmlNode("drawing", {"source": case["svg"]}, 1, 1), report)
    assert figure_of(root, page_style(case.get("css", ""), []), report) == case["figure"]
    assert said == case.get("said", [])


@pytest.mark.parametrize(
    ("html", "is_page"),
    [
        ("<!DOCTYPE  HTML>", True),
        ("<html>", True),
        ("<p>a</p>", True),
        ("<pre>a</pre>", False),
        ("a", False),
        ('<html><meta http-equiv="refresh" content="0; url=b.html">', False),
        ("<html><meta charset='utf-8'>", True),
        (f"{' ' * 19_997}<p>", True),
        (f"{' ' * 19_998}<p>", False),
    ],
)
def test_a_page_is_known_by_how_it_begins(html: str, is_page: bool) -> None:
    assert FORMAT.recognises(Original(PurePosixPath("a.html"), html)) is is_page
