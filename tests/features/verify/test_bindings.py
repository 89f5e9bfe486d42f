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
    parse_binding,
)


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
        ("T1[]", None), ("T[Avg.]", None), ("S4.2 words", None), ("F7[a, b]", None), ("=", None), ("Table 1", None),
    ],
)  # fmt: skip
def test_a_binding_is_read_as_it_is_written(text: str, binding: object) -> None:
    assert parse_binding(text) == binding
    if binding is not None:
        assert parse_binding(str(binding)) == binding


def test_labels_and_words_of_a_pdf_are_written_on_one_line_and_read_again() -> None:
    binding = CellBinding("3", ('5" disk,\nfast', "Avg."))
    assert str(binding) == 'T3["5” disk, fast", Avg.]'
    assert str(parse_binding(str(binding))) == str(binding)
