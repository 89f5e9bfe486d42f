"""Numbers that a note declares or computes: a declaration is a claim, too."""

from __future__ import annotations

from functools import cache
from pathlib import PurePosixPath

import making_pdfs
import pytest
from building import said

from paper_notes.corpus.model import Lang, NoteText
from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.bindings import SumBinding, parse_binding
from paper_notes.features.verify.declarations import Declarations
from paper_notes.features.verify.derived import derived
from paper_notes.features.verify.evidence import KeptNumber
from paper_notes.features.verify.findings import Findings
from paper_notes.features.verify.index import PaperIndex
from paper_notes.features.verify.paper import read_passages
from paper_notes.features.verify.readings import readings_of
from paper_notes.features.verify.results import Result
from paper_notes.features.verify.rows import NumberRow
from paper_notes.features.verify.statements import read_statements
from paper_notes.features.verify.verify import Papers, Surroundings, verify
from paper_notes.languages.sentences import sentences
from paper_notes.markdown.parser import parse_note
from paper_notes.sources.tree import Source

KEY = BibKey("lu760tea")
CSV = b"point,value,how_read\nstep 1,0.71,printed\nstep 2,0.64,printed\n"
READINGS, _ = readings_of({"figure-7.csv": Source(PurePosixPath("figure-7.csv"), CSV)})


@cache
def index() -> PaperIndex:
    return PaperIndex(read_passages(making_pdfs.results()))


def row(result: Result) -> NumberRow:
    text = result.number.figures.text
    kept = KeptNumber(0, text, result.verdict, result.spot, result.remark, 0.0, result.binding)
    return NumberRow(Lang("en"), "lead", "", result, result.statement.text, kept)


def words(*rows: NumberRow) -> str:
    return "\n".join(map(str, Findings(rows, {Lang("en"): PurePosixPath("en.md")}, {KEY: index()}, [KEY]).all()))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (r'[$-0.82$]{from="-0.4/sqrt(0.4*0.6)"}', ""),
        (r'[falls by 0.82]{from="-0.4/sqrt(0.4*0.6)"}', ""),
        (r'[$-0.82$]{from="0.4/sqrt(0.4*0.6)"}', 'is 0.816497, not "-0.82"'),
        (r'[+0.82]{from="-0.4/sqrt(0.4*0.6)"}', 'is -0.816497, not "+0.82"'),
        (r'[0.65-0.82]{from="0.4/sqrt(0.4*0.6)"}', ""),  # a range
        (r'[$74/164=45.1\%$]{from="74/164"}', ""),
        (r'[$74/164=45.3\%$]{from="74/164"}', 'is 0.45122, not "45.3'),
    ],
)
def test_a_result_is_compared_with_its_sign_and_percent_sign(text: str, problem: str) -> None:
    problems = said(parse_note(NoteText(Lang("en"), PurePosixPath("en.md"), f"It is {text}.")).context.problems)
    assert problem in problems if problem else not problems


def results_of(text: str, *, papers: Papers | None = None) -> list[Result]:
    papers = {KEY: index()} if papers is None else papers
    statements = read_statements(NoteText(Lang("en"), PurePosixPath("en.md"), text))
    declarations = Declarations(Surroundings(statements, [KEY]), papers, [KEY], READINGS)
    return list(derived([*declarations.doubted(verify(statements, papers, [KEY]))]))


@pytest.mark.parametrize(
    ("text", "binding"),
    [
        ('Green tea scores 71.2, black 64.5 (Table 1): [1.10]{from="71.2/64.5"}.',
         "= 71.2/64.5 with T1[Green tea, Score]; T1[Black tea, Score]"),
        ('It is [1.10]{from="71.2/64.5"}.', "= 71.2/64.5 with T1[Green tea, Score]; T1[Black tea, Score]"),
        ("That is $71.2/64.5=1.10$ (Table 1).", "= 71.2/64.5 with T1[Green tea, Score]; T1[Black tea, Score]"),
        ('I set [0.37]{from=own}, so [2.7]{from="1/0.37"}.', "= 1/0.37 with own"),
        ('It is [2.2]{from="1.42/0.64"}; I took 1.42.', "= 1.42/0.64 with F7[step 2]"),
    ],
)  # fmt: skip
def test_each_operand_of_a_sum_has_a_binding_of_its_own(text: str, binding: str) -> None:
    bindings = [result.binding for result in results_of(text) if isinstance(result.binding, SumBinding)]
    assert list(map(str, bindings)) == [binding]
    assert parse_binding(binding) == bindings[0]


@pytest.mark.parametrize(
    ("text", "nowhere"),
    [
        ('It is [2.3]{from="6.39/2.71"}.', "6.39"),
        ('The bound is 6.39, and so [2.3]{from="6.39/2.71"}.', "2.71"),
        ('6.39 over 2.71 is [2.3]{from="6.39/2.71"}.', ""),
        ('It is [142]{from="2*71.2"} and [7120]{from="71.2*100"}.', ""),  # constants
        ('Of all, 46% are: [0.25]{from="0.46*0.54"}.', ""),  # 54% are not
        ('It is [1.1]{from="71.2/64.5"}, squared [1.22]{from="1.1039^2"}.', ""),
        ('[150K lines make 2.4 GB]{from="150000*16*1000/10^9"}.', ""),
        ('It is [21 points]{from="48-27"} cheaper.', ""),  # of shares that are printed as parts of 1
        ('See [@other]: [2.3]{from="6.39/2.71"}.', ""),  # its PDF is not at hand
    ],
)
def test_an_operand_that_is_nowhere_is_a_warning_that_names_it(text: str, nowhere: str) -> None:
    results = results_of(text)
    mismatches = [result.mismatch for result in results if result.mismatch and result.mismatch.kind == "operand"]
    assert [mismatch.printed for mismatch in mismatches] == ([nowhere] if nowhere else [])
    shown = words(*map(row, results))
    if nowhere:
        message = f"{nowhere} in 6.39/2.71 is in no paper of the note, nor in its text"
        assert f"warning[fact-not-found]: {message}" in shown
        assert "正文" in sentences(Lang("zh"))(message)


def test_an_operand_is_not_doubted_without_the_papers() -> None:
    assert not any(one.mismatch for one in results_of('It is [2.3]{from="6.39/2.71"}.', papers={KEY: None}))


OWN = """\
| Tea (Table 1) | Score {from=own} | Cost (s) |
|---|---|---|
| Green tea | 71.2 | 0.48 |
| Black tea | 64.6 | 0.31 |
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Green tea has a score of [71.2]{from=own} in Table 1.", "Table 1 has 71.2 at row Green tea, column Score"),
        (OWN, "Table 1 has 71.2 at row Green tea, column Score"),
        ("Black tea has a score of [71.2]{from=own} in Table 1.", ""),
        ("I scored green tea [71.2]{from=own}.", ""),  # no table is named
        ("I measured [71.2]{from=own}; see Table 1.", ""),  # no row and column
        ("Green tea has a score of [71.3]{from=own} in Table 1.", ""),
    ],
)
def test_what_a_note_calls_its_own_is_looked_for_in_the_table_that_it_names(text: str, message: str) -> None:
    shown = words(*map(row, results_of(text)))
    declared = [line for line in shown.splitlines() if "its own" in line]
    if message:
        (line,) = declared
        assert f"warning[fact-elsewhere]: {message}; the note says that it is its own" in line
        assert "自己的" in sentences(Lang("zh"))(line.partition(": ")[2])
    else:
        assert not declared


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Green tea leads black tea by 6.7 points (71.2 against 64.5, Table 1).", "6.7 = 71.2-64.5"),
        ("In Table 1, green tea scores 71.2 against 64.5 of black tea, a gap of 6.7.", "6.7 = 71.2-64.5"),
        ("表 1 里绿茶（Green tea）比红茶（Black tea）高 6.7 个百分点（71.2 对 64.5）。", "6.7 = 71.2-64.5"),
        ("Green tea is 10.4% better than black tea (71.2 against 64.5, Table 1).", "10.4% = 71.2/64.5-1"),
        ("Green tea leads black tea by 7 points (71.2 against 64.5, Table 1).", "7 = 71.2-64.5"),
        ("Green tea leads black tea by 7.7 points (71.2 against 64.5, Table 1).", 'is 6.7 points, not "7.7 points"'),
        ("Hot, spring is 22% higher than river (83% against 61%, Table 2).", 'is 22 points, not "22%"'),
        ("Hot, spring is 22 points higher than river (83% against 61%, Table 2).", "22 = 83-61"),
        ("Hot, spring is 36% higher than river (83% against 61%, Table 2).", "36% = 83/61-1"),
        ("Hot, spring is 22 points higher than river (0.83 against 0.61, Table 2).", "22 = 100*(0.83-0.61)"),
        ("Hot, spring is 23 points higher than river (0.83 against 0.61, Table 2).", 'is 22 points, not "23 points"'),
        ("Hot, spring is 1.36× river (83% against 61%, Table 2).", "1.36 = 83/61"),
        ("From 61% of river to 83% of spring (both hot, Table 2) is 2 steps.", ""),
        ("Green tea scores 71.2, 6.7 points more than black tea (64.5, Table 1).", "6.7 = 71.2-64.5"),
        ("Green tea scores 71.2 and black tea 64.5 (Table 1), a difference of 6.7.", "6.7 = 71.2-64.5"),
        ("表 1：Green tea 得 71.2，比 Black tea 高 6.7 个百分点。", "6.7 = 71.2-64.5"),
        (
            "表 1：Green tea 得 71.2，比 Black tea 高 12.3 个百分点。",
            "[White tea, Score]; the sentence speaks of Black tea",
        ),
        ("Green tea leads by over 5 points (71.2 against 64.5, Table 1).", ""),
        ("Green tea leads by 9 points; 71.2 against 64.5 (Table 1) is the score.", ""),
        ("It is 9 points off. Green tea has 71.2 against 64.5 of black tea (Table 1).", ""),
    ],
)
def test_a_difference_beside_its_two_cells_is_evaluated(text: str, shown: str) -> None:
    results, is_wrong = results_of(text), bool(shown) and "=" not in shown
    if is_wrong:
        (line,) = [line for line in words(*map(row, results)).splitlines() if "error" in line]
        assert "error[fact-differs]: " in line
        assert shown in line
    sums = [
        f"{one.number.figures.text} = {one.binding.expression}"
        for one in results
        if isinstance(one.binding, SumBinding)
    ]
    assert sums == ([shown] if "=" in shown else [])
    assert is_wrong or not any(one.verdict == "contradicted" for one in results)
    assert all(len(one.binding.operands) == 2 for one in results if isinstance(one.binding, SumBinding))
