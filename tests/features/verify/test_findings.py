"""Words of findings: the cell, the reason, and which language has it right; and numbers whose cell is named by hand."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import PurePosixPath

import making_pdfs
import pytest

from paper_notes.corpus.model import Lang, NoteText
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import Diagnostic
from paper_notes.features.verify.bindings import Binding, FigureBinding, SumBinding, parse_binding
from paper_notes.features.verify.evidence import KeptNumber, Spot
from paper_notes.features.verify.findings import Findings
from paper_notes.features.verify.index import PaperIndex
from paper_notes.features.verify.origins import named_by_hand
from paper_notes.features.verify.paper import read_passages
from paper_notes.features.verify.readings import readings_of
from paper_notes.features.verify.results import Mismatch, Result, Verdict
from paper_notes.features.verify.rows import NumberRow
from paper_notes.features.verify.statements import StatedNumber, Statement, read_statements
from paper_notes.languages.sentences import sentences
from paper_notes.sources.tree import Source
from paper_notes.values import replace

KEY = BibKey("lu760tea")
CSV = b"point,value,how_read\nstep 1,0.71,printed\nstep 2,0.64,printed\n"
READINGS, _ = readings_of({"figure-7.csv": Source(PurePosixPath("figure-7.csv"), CSV)})


@cache
def index() -> PaperIndex:
    """Of a paper whose last section has a title, as in a letter, and no number."""
    read = read_passages(making_pdfs.results())
    unnumbered = replace(read.parts[2], number="", title="Discussion")
    return PaperIndex(replace(read, parts=(*read.parts, unnumbered)))


def statements(text: str, lang: str = "en") -> tuple[Statement, ...]:
    return read_statements(NoteText(Lang(lang), PurePosixPath(f"{lang}.md"), text))


def numbers(text: str, lang: str = "en") -> Iterator[tuple[StatedNumber, Statement]]:
    for statement in statements(text, lang):
        for number in statement.numbers:
            yield number, statement


def row(result: Result, lang: str = "en") -> NumberRow:
    text = result.number.figures.text
    kept = KeptNumber(0, text, result.verdict, result.spot, result.remark, 0.0, result.binding)
    return NumberRow(Lang(lang), "lead", "", result, result.statement.text, kept)


def words(*rows: NumberRow) -> str:
    paths = {Lang(lang): PurePosixPath(f"{lang}.md") for lang in ("zh", "en")}
    return "\n".join(map(str, Findings(rows, paths, {KEY: index()}, [KEY]).all()))


def contradicted(said: str, mismatch: Mismatch, lang: str = "en") -> NumberRow:
    number, statement = next(numbers(said, lang))
    return row(Result(number, statement, "contradicted", mismatch=mismatch), lang)


def cell(text: str = "T1[Green tea, Score]") -> Binding:
    binding = parse_binding(f"@{KEY} {text}")
    assert binding
    return binding


@pytest.mark.parametrize(
    ("said", "mismatch", "message"),
    [
        ("Black tea scores 71.2.", Mismatch("label", cell(), "71.2", ("Black tea",)),
         "Table 1 has 71.2 at row Green tea, column Score; the sentence speaks of Black tea"),
        ("It scores 71.3.", Mismatch("value", cell(), "71.2"),
         "Table 1 has 71.2 at row Green tea, column Score; the sentence says 71.3"),
        ("It is -1.4 s.", Mismatch("sign", cell("T1[Green tea, Cost (s)]"), "1.4"),
         "Table 1 has 1.4 at row Green tea, column Cost (s); the sentence says -1.4 s"),
        ("It is 1.4 points.", Mismatch("points", cell(), "1.4%"),
         "Table 1 has 1.4% at row Green tea, column Score; the sentence says 1.4 points"),
        ("It falls by 3%.", Mismatch("direction", cell(), "+3%"),
         "Table 1 has +3% at row Green tea, column Score; the words of the sentence say the opposite"),
        ("It is 0.72.", Mismatch("value", FigureBinding("7", "step 1"), "0.71"),
         "Fig. 7 has 0.71 at step 1; the sentence says 0.72"),
        ("It is 1.2.", Mismatch("sum", SumBinding("T1[Green tea, Score]/64.5"), "1.10388"),
         'T1[Green tea, Score]/64.5 is 1.10388, not "1.2"'),
    ],
)  # fmt: skip
def test_a_finding_names_the_cell_and_the_reason(said: str, mismatch: Mismatch, message: str) -> None:
    shown = words(contradicted(said, mismatch))
    assert f"error[fact-differs]: {message}\n  hint: " in shown
    chinese = sentences(Lang("zh"))(message)
    assert not any(word in chinese.replace("Table", "") for word in (" has ", "sentence", " row ", " not ")), chinese


def test_a_number_of_the_place_named_in_another_row_is_not_said_to_be_in_another_place() -> None:
    number, statement = next(numbers("It is 71.2 (Table 1)."))
    spot = Spot("table", "1", 2, KEY)
    shown = words(row(Result(number, statement, "elsewhere", spot, "Table 1, §3")))
    assert 'Table 1 has "71.2", but not in the row and column that are spoken of' in shown
    assert "not in Table 1, but in Table 1" not in shown
    assert '"71.2" is not in Table 2, but in Table 1, p. 2' in words(
        row(Result(number, statement, "elsewhere", spot, "Table 2"))
    )


def test_the_language_that_has_it_right_is_named() -> None:
    wrong = contradicted("It scores 71.3.", Mismatch("value", cell(), "71.2"))
    number, statement = next(numbers("得 71.2 分。", "zh"))
    right = row(Result(number, statement, "bound", Spot("table", "1", 2, KEY), binding=cell()), "zh")
    assert "hint: zh.md:1 says 71.2, which agrees with Table 1, Green tea × Score, p. 2: correct it here" in words(
        right, wrong
    )


def test_a_cell_in_which_two_labels_have_the_same_words_is_told_by_its_row_and_column() -> None:
    assert "at row Spring, column Hot" in words(
        contradicted("It is 82%.", Mismatch("value", cell("T2[Spring, Hot]"), "83%"))
    )


def by_hand(text: str) -> Result | None:
    number, statement = next(numbers(text))
    return named_by_hand(number, statement, {KEY: index()}, [KEY], READINGS)


@pytest.mark.parametrize(
    ("written", "origin", "verdict", "message"),
    [
        ("71.2", "T1[Green tea, Score]", "bound", ""),
        ("71.2", "T1[score, GREEN]", "bound", ""),
        ("71", "@lu760tea T1[Green tea, Score]", "bound", ""),
        ("71.3", "T1[Green tea, Score]", "contradicted", "Table 1 has 71.2 at row Green tea, column Score"),
        ("71.2", "T1[Score]", "ambiguous", "T1[Score] means several cells"),
        ("71.2", "T1[Red tea, Score]", "missing", "T1[Red tea, Score] is not in the paper"),
        ("71.2", "T8[Green tea, Score]", "missing", "T8[Green tea, Score] is not in the paper"),
        ("71.2", "@other T1[Green tea, Score]", "no-pdf", ""),
        ("26.3%", "S2 'Of all cups, 26.3% were empty'", "bound", ""),
        ("26.4%", "S2 'Of all cups, 26.3% were empty'", "contradicted", "§2 has Of all cups, 26.3% were empty"),
        ("26.3%", "S1 'Of all cups, 26.3% were empty'", "missing", "is not in the paper"),
        ("26.3%", "S[discussion] '26.3% were empty'", "bound", ""),
        ("0.71", "F7[Step 1]", "bound", ""),
        ("0.72", "F7[step 1]", "contradicted", "Fig. 7 has 0.71 at step 1"),
        ("0.454", "product(F7)", "bound", ""),
        ("1.10", "T1[Green tea, Score]/T1[Black tea, Score]", "bound", ""),
        ("1.2", "T1[Green tea, Score]/T1[Black tea, Score]", "contradicted", "is 1.10388, not"),
        ("1.2", "T1[Green tea, Score]/T1[Red tea, Score]", "missing", "T1[Red tea, Score] has no number"),
        ("1.2", "product(F8)", "missing", "no readings of figure 8 are beside the note"),
        ("7.1", "1/(1-0.86)", None, ""),
        ("7.1", "own", None, ""),
    ],
)  # fmt: skip
def test_a_cell_that_is_named_by_hand_has_to_single_out_a_number_that_agrees(
    written: str, origin: str, verdict: Verdict | None, message: str
) -> None:
    result = by_hand(f'It is [{written}]{{from="{origin}"}}.')
    assert (result.verdict if result else None) == verdict
    if result:
        assert message in words(row(result)) if message else words(row(result)) == ""


def test_labels_that_do_not_single_out_a_cell_are_answered_with_those_that_do() -> None:
    hints: list[Diagnostic] = []
    for origin in ("T1[Score]", "T1[Green tea, Sweetness]"):
        result = by_hand(f'It is [71.2]{{from="{origin}"}}.')
        assert result
        hints += Findings([row(result)], {Lang("en"): PurePosixPath("en.md")}, {KEY: index()}, [KEY]).all()
    assert hints[0].hint.startswith("write one of: @lu760tea T1[Green tea, Score]; @lu760tea T1[Black tea, Score];")
    assert hints[1].hint.startswith("write one of: @lu760tea T1[Green tea, Score]; @lu760tea T1[Green tea, Cost (s)];")
