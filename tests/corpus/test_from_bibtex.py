"""BibTeX entries to papers, and the diagnostics of bad fields."""

from pathlib import Path, PurePosixPath

import pytest
import yaml

from paper_notes.corpus.bibliography.from_bibtex import paper_from, papers_from, person_from
from paper_notes.corpus.bibliography.tex import plain_text
from paper_notes.corpus.paper import LabelledLink, Paper, PersonName
from paper_notes.diagnostics import Diagnostic
from paper_notes.sources.bibtex import BibEntry, parse_bibtex
from paper_notes.sources.tree import Source

HERE = Path(__file__).parent
NAMES = yaml.safe_load((HERE / "names.yaml").read_text("utf-8"))
SIGNS = {
    r"$\alpha_{t}$-VAE": r"$\alpha_{t}$-VAE",
    r"$\pi_0$: a flow": "π₀: a flow",
    r"$\mathsf{GRPO}$ and $\mathbf{S}^{3}$": "GRPO and S³",
    r"On $O(n^2)$, $k$-NN and H$_2$O": "On O(n²), k-NN and H₂O",
    r"$\frac{a}{b}$ costs $5": r"$\frac{a}{b}$ costs $5",
    r"\$5 and \$6, or $7 and $8": "$5 and $6, or $7 and $8",
    r"In $n \log n$": r"In $n \log n$",
    r"$x^{n+1}$ is $x^{\mathrm{T}}$": r"xⁿ⁺¹ is $x^{\mathrm{T}}$",
    "$x^β$": "$x^β$",
}
TEX = yaml.safe_load((HERE / "tex.yaml").read_text("utf-8"))
SOUND = yaml.safe_load((HERE / "papers.yaml").read_text("utf-8"))
BROKEN = yaml.safe_load((HERE / "papers_broken.yaml").read_text("utf-8"))


def entries(text: str, path: str = "library.bib") -> tuple[BibEntry, ...]:
    found, problems = parse_bibtex(Source(PurePosixPath(path), text.encode()))
    assert problems == ()
    return found


def said(problems: tuple[Diagnostic, ...]) -> str:
    return "".join(f"{problem}\n" for problem in problems)


def fact(paper: Paper, name: str) -> object:
    value = getattr(paper, name)
    return [[link.label, link.url] for link in value if isinstance(link, LabelledLink)] if name == "links" else value


@pytest.mark.parametrize(("name", "parts", "full"), NAMES, ids=lambda value: value if isinstance(value, str) else "")
def test_names(name, parts, full):
    person = person_from(name)
    assert person == PersonName(*parts)
    assert person.full == full


@pytest.mark.parametrize(("tex", "plain"), TEX)
def test_plain_text(tex, plain):
    assert plain_text(tex) == plain


@pytest.mark.parametrize(("tex", "shown"), SIGNS.items())
def test_a_title_has_the_signs_of_its_formulas_and_no_tex_where_they_say_it_all(tex: str, shown: str) -> None:
    (entry,) = entries(f"@misc{{a, title = {{{tex}}}, author = {{B}}}}")
    assert paper_from(entry)[0].title == shown


def test_deep_braces_are_no_trouble():
    tex = "{" * 5000 + '\\"o' + "}" * 5000
    assert plain_text(tex) in (tex, "ö")


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case["bib"][:90])
def test_what_a_paper_is(case):
    paper, problems = paper_from(entries(case["bib"])[0])
    assert problems == ()
    assert {name: fact(paper, name) for name in case["is"]} == case["is"]


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case["bib"][:90])
def test_the_exported_entry_is_the_same_paper(case):
    paper, _ = paper_from(entries(case["bib"])[0], ("note",))
    again, problems = paper_from(entries(paper.bibtex)[0], ("note",))
    assert (again, problems) == (paper, ())


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case["name"])
def test_what_is_said(case):
    papers, problems = papers_from(entries(case["bib"]))
    assert said(problems) == case["says"]
    assert "".join(papers) == case["keys"]


def test_a_paper_with_mistakes_keeps_what_is_right():
    bib = "@misc{a, year = 20, month = may, url = {x}, code = {https://x.org}, doi = {10.1145/1}}"
    paper, _ = paper_from(entries(bib)[0])
    assert (paper.title, paper.year, paper.month, paper.authors) == ("a", None, 5, ())
    assert [link.label for link in paper.links] == ["DOI", "Code"]


@pytest.mark.parametrize("month", ["²", "9" * 5000])
def test_digits_that_are_no_number_are_no_month(month):
    paper, problems = paper_from(
        entries(f"@misc{{a, title = {{A}}, author = {{B}}, year = 2020, month = {{{month}}}}}")[0]
    )
    assert (paper.year, paper.month) == (2020, None)
    assert [problem.rule for problem in problems] == ["bad-month"]


def test_one_key_in_two_files():
    here = entries("@misc{a, title = {A}, author = {B}}\n")
    there = entries("\n@misc{a, title = {C}, author = {D}}\n", "more/other.bib")
    papers, problems = papers_from([*here, *there])
    assert said(problems) == (
        'more/other.bib:2:1: error[duplicate-bibkey]: the key "a" is already used in library.bib:1:1\n'
        "  hint: delete one of the two, or give it another key\n"
    )
    assert papers["a"].title == "A"


def test_a_link_whose_host_nobody_can_read_is_called_by_its_address():
    paper, problems = paper_from(entries("@misc{a, title = {A}, author = {B}, links = {https://x\u2100y/}}")[0])
    assert [(link.label, link.url) for link in paper.links] == [("https://x\u2100y", "https://x\u2100y")]
    assert problems == ()
