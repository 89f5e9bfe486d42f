"""Numbers that a note computes, words for labels that its tables teach, and names that stand for each other."""

from __future__ import annotations

from functools import cache
from pathlib import PurePosixPath

import making_pdfs
import pytest

from paper_notes.corpus.model import Lang, NoteText
from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.bindings import SumBinding
from paper_notes.features.verify.cells import Grid
from paper_notes.features.verify.derived import derived
from paper_notes.features.verify.index import PaperIndex
from paper_notes.features.verify.labels import Vocabulary
from paper_notes.features.verify.paper import Passage, PassageRow, Passages, Word, read_passages
from paper_notes.features.verify.quantities import quantities_in
from paper_notes.features.verify.results import Result
from paper_notes.features.verify.statements import read_statements
from paper_notes.features.verify.tables import PaperTable, TableCell
from paper_notes.features.verify.verify import verify

KEY = BibKey("lu760tea")


@cache
def index() -> PaperIndex:
    return PaperIndex(read_passages(making_pdfs.results()))


def results_of(text: str, paper: PaperIndex | None = None) -> tuple[Result, ...]:
    statements = read_statements(NoteText(Lang("en"), PurePosixPath("en.md"), text))
    return tuple(derived(verify(statements, {KEY: paper or index()}, [KEY])))


def paper(*sentences: str) -> PaperIndex:
    """A paper that says this in a section each."""
    rows = [(PassageRow(1, (Word(sentence, 0.0, 9.0),)),) for sentence in sentences]
    parts = (Passage("section", str(at), f"Part {at}", 1, row) for at, row in enumerate(rows, 1))
    return PaperIndex(Passages(tuple(parts), 1, ""))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Green tea scores 71.2 and black tea 64.5 (Table 1). That is a factor of 1.10.", "1.10 = 71.2/64.5"),
        ("Green tea scores 71.2 and black tea 64.5 (Table 1). That is a factor of 1.11.", "rounding"),
        ("Hot, spring has 83% against 61% for river (Table 2), a change of -22 points.", "22 = 83-61"),
        ("Hot, spring has 83% against 61% for river (Table 2), a change of +22 points.", "direction"),
        ("Table 2: cold, spring has 71.24 and river 60.11.", ""),
        # a difference of what the note computes is rounded once: 21.1 of 78.873 and 57.746
        (
            'It is [57.7%]{from="41/71"}, then [78.9%]{from="56/71"}, which is 21.1 points more.',
            "21.1 = 78.9-57.7",
        ),
        ('It is [57.7%]{from="41/71"}, then [78.9%]{from="56/71"}, which is 21.3 points more.', ""),
        ('It is [57.7%]{from="41/71"}, then [78.7%]{from="56/71"}, which is 21.0 points more.', "21.0 = 78.7-57.7"),
    ],
)  # fmt: skip
def test_what_is_computed_of_numbers_beside_it_is_bound_or_contradicted(text: str, shown: str) -> None:
    results = results_of(text)
    sums = [
        f"{one.number.figures.text} = {one.binding.expression}"
        for one in results
        if isinstance(one.binding, SumBinding)
    ]
    wrong = [one.mismatch.kind for one in results if one.verdict == "contradicted" and one.mismatch]
    assert [*sums, *wrong] == ([shown] if shown else [])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("There are four teas: green, black, white and oolong, with milk.", []),
        ("There are three teas: green, black, white and oolong, with milk.", ["three"]),
        ("茶有四种：绿茶、红茶、白茶和乌龙茶，都加奶。", []),
        ("茶有五种：绿茶、红茶、白茶和乌龙茶，都加奶。", ["五"]),
        ("It goes from 0.0941 to 0.2093, more than twice.", []),
        ("It goes from 0.0941 to 0.2093, more than three times.", ["more than three times"]),
    ],
)
def test_counts_of_what_is_listed_and_multiples_in_words_are_checked(text: str, said: list[str]) -> None:
    assert [one.number.figures.text for one in results_of(text) if one.number.figures.in_words] == said


def test_a_table_that_has_none_of_the_numbers_below_is_said_to_be_wrong_once() -> None:
    table = "\n\n| Tea | Score | Cost (s) |\n|---|---|---|\n| Green tea | 71.2 | 0.48 |\n| Black tea | 64.5 | 0.31 |\n"
    assert not any(one.mismatch for one in results_of(f"As in Table 1:{table}"))
    (wrong,) = (one for one in results_of(f"As in Table 2:{table}") if one.mismatch)
    assert wrong.mismatch
    assert (wrong.mismatch.kind, wrong.statement.line) == ("place", 1)


def test_a_column_of_differences_is_bound_but_where_a_sign_is_the_other_way() -> None:
    rows = "| Green tea | 71.2 | 0.48 | -70.72 |\n| Black tea | 64.5 | 0.31 | -64.19 |\n"
    table = "As in Table 1:\n\n| Tea | Score | Cost (s) | Both |\n|---|---|---|---|\n"
    assert [one.verdict for one in results_of(table + rows)] == ["bound"] * 6
    wrong = results_of(table + rows + rows.replace("-64.19", "+64.19"))
    assert [one.number.figures.text for one in wrong if one.verdict == "missing"] == ["64.19"]


@pytest.mark.parametrize(("claim", "is_same"), [("43.1", True), ("43.2", False), ("43", False), ("43.1%", True)])
def test_a_printed_share_may_be_written_in_hundredths_digit_by_digit(claim: str, is_same: bool) -> None:
    box = (0.0, 0.0, 9.0, 9.0)
    cells = (
        TableCell(0, 0, "0.431", ("Green",), ("EM",), 1, box),
        TableCell(1, 0, "0.303", ("Black",), ("EM",), 1, box),
    )
    grid = Grid(Passage("table", "1", "", 1, ()), PaperTable("1", "", 1, (), cells), Vocabulary())
    (number,) = quantities_in(claim)
    assert ("same" in [kind for cell, kind in grid.compared(number) if cell.cell is cells[0]]) == is_same
