"""Bindings as values and as they are written."""

from __future__ import annotations

import pytest

from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.bindings import (
    CellBinding,
    FigureBinding,
    OwnBinding,
    QuoteBinding,
    SumBinding,
    binding_of,
    cells_of,
    nearest_cells,
    parse_binding,
)
from paper_notes.features.verify.tables import PaperTable, TableCell
from paper_notes.markdown.syntax.declared import origin_of


@pytest.mark.parametrize(
    ("text", "binding"),
    [
        ("T1[DFlash (16), Q3-8B, Avg.]", CellBinding("1", ("DFlash (16)", "Q3-8B", "Avg."))),
        ('TA.1["Avg., all", w/o [x]]', CellBinding("A.1", ("Avg., all", "w/o [x]"))),
        ("@lu760tea T2[Green tea, Score]", CellBinding("2", ("Green tea", "Score"), BibKey("lu760tea"))),
        ("T1['Avg., all', Student's]", CellBinding("1", ("Avg., all", "Student's"))),
        ('S4.2 "verbatim words"', QuoteBinding("4.2", "verbatim words")),
        ("S4.2 'verbatim words'", QuoteBinding("4.2", "verbatim words")),
        ('S[Related work] "as [3] says, “so”"', QuoteBinding("Related work", "as [3] says, “so”")),
        ("F7[step 3]", FigureBinding("7", "step 3")),
        ("= 1/(1-0.86)", SumBinding("1/(1-0.86)")),
        ('= 71.2/64.5 with T1["a; b", Score]; S2 "of 64.5; so"', SumBinding(
            "71.2/64.5", (CellBinding("1", ("a; b", "Score")), QuoteBinding("2", "of 64.5; so")))),
        ("own", OwnBinding()),
        ("F7[a]*F7[b]", None),
        ("T1[]", None), ("T[Avg.]", None), ("S4.2 words", None), ("F7[a, b]", None), ("=", None), ("Table 1", None),
    ],
)  # fmt: skip
def test_a_binding_is_read_as_it_is_written(text: str, binding: object) -> None:
    assert parse_binding(text) == binding
    if binding is not None:
        assert parse_binding(str(binding)) == binding


@pytest.mark.parametrize("text", ["T1[{}", "T1[{}]", "@k T1[{}", "S2 {}", "= {} with {}", "F7[{}"])
def test_no_text_takes_long_to_read(text: str) -> None:
    for filling in (" ", "'", '"', "[", "]", ",", "a ", "'a'", "T1[", ";"):
        written = text.replace("{}", filling * 20_000)
        parse_binding(written)
        parse_binding(written[:1_999])
        origin_of(written)


def test_labels_and_words_of_a_pdf_are_written_on_one_line_and_read_again() -> None:
    binding = CellBinding("3", ('5" disk,\nfast', "Avg."))
    assert str(binding) == 'T3["5” disk, fast", Avg.]'
    assert str(parse_binding(str(binding))) == str(binding)


def table(*rows: str, heads: str) -> PaperTable:
    """A table of `path | number | number` rows; ` > ` is between the parts of a path."""
    columns = [tuple(head.split(" > ")) for head in heads.split(" | ")]
    cells = []
    for row, line in enumerate(rows):
        path, *numbers = line.split(" | ")
        for column, (number, head) in enumerate(zip(numbers, columns, strict=True)):
            cells.append(TableCell(row, column, number, tuple(path.split(" > ")), head, 3, (0, 0, 1, 1)))
    return PaperTable("1", "Speed", 3, ("Model", "Method"), tuple(cells))


SPEED = table(
    "Qwen3-8B > EAGLE-3 | 2.1 | 3.0 | 2.2", "Qwen3-8B > DFlash (16) | 5.2 | 6.5 | 4.9",
    "LLaMA > EAGLE-3 | 1.9 | 2.8 | 2.1", "LLaMA > DFlash (16) | 4.1 | 6.0 | 4.0",
    heads="GSM8K > Speedup | GSM8K > τ | Avg. > Speedup",
)  # fmt: skip


@pytest.mark.parametrize(
    ("labels", "numbers"),
    [
        (["DFlash (16)", "Qwen3-8B", "Avg."], ["4.9"]),
        (["dflash(16)", "qwen3–8b", "AVG"], ["4.9"]),  # case, spaces and dashes do not tell
        (["DFlash (16)", "Qwen3-8B", "GSM8K"], ["5.2", "6.5"]),
        (["DFlash", "Qwen3", "τ"], ["6.5"]),  # no label is so, but one contains it
        (["DFlash (16)", "Qwen3-8B", "MATH"], []),
    ],
)
def test_a_cell_is_that_whose_row_and_column_have_all_labels(labels: list[str], numbers: list[str]) -> None:
    assert [cell.text for cell in cells_of(labels, [SPEED])] == numbers


def test_where_no_cell_has_all_labels_those_with_most_of_them_are_near() -> None:
    near = nearest_cells(["DFlash (16)", "Qwen3-8B", "MATH"], [SPEED])
    assert [cell.text for cell in near] == ["5.2", "6.5", "4.9"]
    assert nearest_cells(["MATH"], [SPEED]) == ()


def test_a_cell_is_named_by_the_fewest_labels_that_single_it_out() -> None:
    named = {cell.text: str(binding_of(cell, SPEED, BibKey("k"))) for cell in SPEED.cells}
    assert named["4.9"] == "@k T1[Qwen3-8B, DFlash (16), Avg.]"
    assert named["5.2"] == "@k T1[Qwen3-8B, DFlash (16), GSM8K, Speedup]"
    assert named["6.5"] == "@k T1[Qwen3-8B, DFlash (16), τ]"
    for cell in SPEED.cells:
        assert cells_of(binding_of(cell, SPEED).labels, [SPEED]) == (cell,)
    twice = table("A | 1 | 2", "A | 3 | 4", heads="X | Y")
    assert str(binding_of(twice.cells[0], twice)) == "T1[A, X]", "rows that are named alike cannot be told apart"
