"""Tables of what was read off figures, and arithmetic with them."""

from __future__ import annotations

from decimal import Decimal
from pathlib import PurePosixPath

import pytest
from building import said

from paper_notes.features.verify.arithmetic import value_of
from paper_notes.features.verify.readings import NoReading, Readings, bindings_in, readings_of, with_numbers
from paper_notes.sources.tree import Source

HEAD = "point,value,how_read\n"


def read(text: str, name: str = "figure-7.csv") -> tuple[Readings, str]:
    readings, problems = readings_of({name: Source(PurePosixPath("n") / name, text.encode())})
    return readings, said(problems)


def test_each_line_is_a_point_its_number_and_how_it_was_read() -> None:
    readings, problems = read(f'{HEAD}# of 7a\n\nstep 1,.71,printed\n"step 2, late",−0.64,"at a bar, about"\n')
    assert problems == ""
    assert [(one.point, one.value, one.how_read, one.line) for one in readings["7"].readings] == [
        ("step 1", Decimal("0.71"), "printed", 4), ("step 2, late", Decimal("-0.64"), "at a bar, about", 5),
    ]  # fmt: skip
    assert readings["7"].at("Step 1") == readings["7"].readings[0]
    assert readings["7"].at("step 3") is None


def test_only_files_that_are_named_for_a_figure_are_read() -> None:
    assert list(read(HEAD, "figure-A.2.csv")[0]) == ["A.2"]
    assert read("anything", "figures.csv") == ({}, "")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "figure-7.csv:1:1: error[bad-value]: this is not a table of readings: it begins with nothing"),
        ("step 1,0.71,printed\n", "figure-7.csv:1:1: error[bad-value]: this is not a table of readings"),
        (f"{HEAD}step 1,0.71\n", "figure-7.csv:2:1: error[bad-value]: 2 columns instead of 3"),
        (f"{HEAD}step 1,0.71x,seen\n", 'figure-7.csv:2:8: error[bad-value]: "0.71x" is not a number'),
        (f"{HEAD}step 1,nan,seen\n", 'figure-7.csv:2:8: error[bad-value]: "nan" is not a number'),
        (f"{HEAD},0.71,seen\n", "figure-7.csv:2:1: error[bad-value]: the point has no name"),
        (f"{HEAD}a,1,x\nA,2,x\n", 'figure-7.csv:3:1: error[bad-value]: "A" is in line 2, too'),
        (f"{HEAD}a,1,\n", "figure-7.csv:2:5: error[bad-value]: the row does not say how it was read"),
    ],
)
def test_a_bad_line_is_reported_where_it_is(text: str, problem: str) -> None:
    assert problem in read(text)[1]


def test_the_product_of_the_eight_readings_of_a_figure_is_computed() -> None:
    values = (".71", ".64", ".60", ".57", ".59", ".56", ".51", ".53")
    readings, _ = read(HEAD + "".join(f"step {at},{value},printed\n" for at, value in enumerate(values, 1)))
    for expression, value in (
        ("product(F7)", "0.01388"), ("F7[step 1]*F7[step 2]", "0.4544"), ("sum(F7)/8", "0.5887"),
        ("mean(F7)", "0.5887"), ("F7[step 1]^8/product(F7)", "4.653"), ("1-min(F7)", "0.49"),
    ):  # fmt: skip
        assert f"{value_of(with_numbers(expression, readings)):.4g}" == f"{float(value):.4g}", expression


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("point,value,how_read\n第 1 步,0.64,印着\n".encode("gb18030"), "is not valid UTF-8"),
        (b"point,value,how_read\na," + b"1" * 200_000 + b",x\n", "figure-7.csv:2:"),
        (b"point,value,how_read\na,1e999999999,x\n", '"1e999999999" is not a number'),
        (b"\xef\xbb\xbfpoint,value,how_read\r\na,1,x\r\n", ""),  # as a spreadsheet saves it
    ],
)
def test_no_file_stops_it(data: bytes, problem: str) -> None:
    readings, problems = readings_of({"figure-7.csv": Source(PurePosixPath("figure-7.csv"), data)})
    assert problem in said(problems) if problem else readings["7"].readings


def test_a_long_expression_is_not_looked_through() -> None:
    assert not bindings_in("@" * 60_000)
    assert with_numbers("F7[" * 20_000, {}) == "F7[" * 20_000


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("product(F8)", "no readings of figure 8 are beside the note"),
        ("F7[step 3]", "F7[step 3] has no number"),
        ("T1[Green tea, Score]*2", "T1[Green tea, Score] has no number"),
    ],
)
def test_what_has_no_number_is_named(expression: str, message: str) -> None:
    with pytest.raises(NoReading) as error:
        with_numbers(expression, read(f"{HEAD}step 1,0.71,printed\n")[0])
    assert error.value.message == message
