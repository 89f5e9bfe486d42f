"""`evidence.tsv` as it was before bindings and as it is now."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.bindings import Binding, CellBinding, OwnBinding, QuoteBinding, SumBinding
from paper_notes.features.verify.evidence import NAME, Evidence, KeptNumber, KeptSection, Spot, read_evidence, written
from paper_notes.sources.tree import Source

SPOT = Spot("table", "1", 2, "lu760tea")
HEAD = "# Where the papers say it.\npdf\tlu760tea\tabc\nen\tlead\t0123\n"


def read(data: bytes) -> Evidence:
    evidence = read_evidence(Source(PurePosixPath(NAME), data))
    assert evidence
    return evidence


def test_a_file_without_bindings_is_read_and_written_again_with_the_same_rows() -> None:
    rows = "0\t71.2\tplace\ttable\t1\t2\tlu760tea\t\t0.01\n1\t7.1\tdeclared\t\t\t\t\town\t0.00\n"
    evidence = read((HEAD + rows).encode())
    assert [(number.verdict, number.kind) for number in evidence.sections[0].numbers] == [
        ("bound", "place"), ("declared", "own"),
    ]  # fmt: skip
    assert written(evidence).decode().splitlines()[3:] == rows.replace("place", "bound").splitlines()


@pytest.mark.parametrize(
    ("binding", "column"),
    [
        (CellBinding("1", ("Green tea", "Score"), BibKey("lu760tea")), "T1[Green tea, Score]"),
        (CellBinding("1", ("Green, tea", "Score"), BibKey("other")), '@other T1["Green, tea", Score]'),
        (QuoteBinding("2", "as [3] says, 26.3%", BibKey("lu760tea")), 'S2 "as [3] says, 26.3%"'),
        (SumBinding("71.2/64.5"), "= 71.2/64.5"),
        (OwnBinding(), "own"),
    ],
)
def test_a_binding_is_a_column_and_what_was_accepted_another(binding: Binding, column: str) -> None:
    numbers = tuple(
        KeptNumber(place, "71.2", "bound", SPOT, "", 0.5, binding, by) for place, by in enumerate(("", "ab"))
    )
    evidence = Evidence({"lu760tea": "abc"}, (KeptSection("en", "lead", "0123", numbers),))
    lines = written(evidence).decode().splitlines()
    assert [line.split("\t")[9:] for line in lines[3:]] == [[column], [column, "accepted", "ab"]]
    assert read(written(evidence)) == evidence
    assert written(read(written(evidence))) == written(evidence)
    assert list(evidence.accepted()) == [("en", "ab", "71.2")]
