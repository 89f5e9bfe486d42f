"""Tables as grids: small ones drawn here as text, each line 6 points high and each letter 4 points wide."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import making_pdfs
import pymupdf
import pytest

from paper_notes.features.verify.paper import Passage, PassageRow, Word, read_passages
from paper_notes.features.verify.tables import PaperTable, table_of
from paper_notes.values import replace

PAPERS = Path(__file__).parents[4] / "shared" / "reference" / "pdfs"


def drawn(drawing: str, letter: float = 4.0) -> Passage:
    """A passage of a drawing: a line of `-` is a rule; letters are 10 points high, so rows are two lines apart."""
    rows, rules = [], []
    for number, line in enumerate(dedent(drawing).strip("\n").split("\n")):
        height = 100.0 + 6 * number
        pieces = [(letter * piece.start(), letter * piece.end(), piece[0]) for piece in re.finditer(r"\S+", line)]
        if re.fullmatch("[- ]*---[- ]*", line):
            rules += [(left, height - 3, right, height - 2.5) for left, right, _ in pieces]
        elif pieces:
            rows.append(PassageRow(1, tuple(Word(text, left, right) for left, right, text in pieces), height, 10.0))
    return Passage("table", "1", "Small", 1, tuple(rows), tuple(rules))


def said(table: PaperTable | None) -> list[str]:
    assert table is not None
    return [f"{' > '.join(cell.row_path)} | {' > '.join(cell.column_path)} = {cell.text}" for cell in table.cells]


def test_a_number_is_below_its_head_and_beside_its_label() -> None:
    table = table_of(
        drawn("""
        --------------------------------------
        Method         Speed (x)    τ    Loss

        --------------------------------------
        EAGLE (7B)       3.06x    4.03   −1.4%

        EAGLE-2          4.2x      -      0.3 ± 0.1

        Ours            10.35x   6.1 k   +12
        --------------------------------------
        """)
    )
    assert table
    assert table.corner == ("Method",)
    assert said(table) == [
        "EAGLE (7B) | Method = EAGLE (7B)", "EAGLE (7B) | Speed (x) = 3.06x", "EAGLE (7B) | τ = 4.03",
        "EAGLE (7B) | Loss = −1.4%", "EAGLE-2 | Method = EAGLE-2", "EAGLE-2 | Speed (x) = 4.2x", "EAGLE-2 | τ = -",
        "EAGLE-2 | Loss = 0.3 ± 0.1", "Ours | Speed (x) = 10.35x", "Ours | τ = 6.1 k", "Ours | Loss = +12",
    ]  # fmt: skip


def test_a_heading_belongs_to_all_columns_under_its_rule() -> None:
    lines = said(
        table_of(
            drawn("""
            ------------------------------------------
                        Maths          Code
                     ----------  ---------------------
            Method     A     B     C      D      E
            ------------------------------------------
            old       1.0   2.0   3.0    4.0    5.0

            new       1.1   2.1   3.1    4.1    5.1
            ------------------------------------------
            """)
        )
    )
    assert lines[:5] == [
        "old | Maths > A = 1.0", "old | Maths > B = 2.0", "old | Code > C = 3.0", "old | Code > D = 4.0",
        "old | Code > E = 5.0",
    ]  # fmt: skip


def test_a_heading_without_a_rule_is_over_the_columns_that_it_is_in_the_middle_of() -> None:
    lines = said(
        table_of(
            drawn("""
            --------------------------------------------
                        Plain            Hard

            Method     A     B     C      D      E   Avg
            --------------------------------------------
            old       1.0   2.0   3.0    4.0    5.0  3.0

            new       1.1   2.1   3.1    4.1    5.1  3.1
            --------------------------------------------
            """)
        )
    )
    assert lines[:6] == [
        "old | Plain > A = 1.0", "old | Plain > B = 2.0", "old | Hard > C = 3.0", "old | Hard > D = 4.0",
        "old | Hard > E = 5.0", "old | Avg = 3.0",
    ]  # fmt: skip


def test_a_head_above_no_other_is_of_its_own_columns_only() -> None:
    lines = said(
        table_of(
            drawn("""
            -----------------------------------------------------
            Method                Tokens     Search       Total
                                           p50   p95   p50   p95
            -----------------------------------------------------
            A long name of it       128    0.1   0.2   1.1   1.2

            Another long one        256    0.3   0.4   1.3   1.4
            -----------------------------------------------------
            """)
        )
    )
    assert lines[:5] == [
        "A long name of it | Tokens = 128", "A long name of it | Search > p50 = 0.1",
        "A long name of it | Search > p95 = 0.2", "A long name of it | Total > p50 = 1.1",
        "A long name of it | Total > p95 = 1.2",
    ]  # fmt: skip
    lines = said(
        table_of(
            drawn("""
            -----------------------------------------
            Method                        Latency

                                  J      p50   p95
            -----------------------------------------
            A long name of it     0.1    0.2   1.1

            Another long one      0.3    0.4   1.3
            -----------------------------------------
            """)
        )
    )
    assert [line.split(" | ")[1] for line in lines[:3]] == ["J = 0.1", "Latency > p50 = 0.2", "Latency > p95 = 1.1"]


def test_heads_merged_over_two_lines_of_heads_are_read_whole_and_of_their_column_only() -> None:
    lines = said(
        table_of(
            drawn("""
            ----------------------------------------------
                                         Latency
                    chunk size
                                 -------------------------
                      tokens
            Method                p50    p95    all     J
            ----------------------------------------------
            Zep         391       0.5    0.7    1.2    65.9

            RAG        2640       0.2    0.6    0.8    59.7
            ----------------------------------------------
            """)
        )
    )
    assert [line.split(" | ")[1] for line in lines[:5]] == [
        "chunk size tokens = 391", "Latency > p50 = 0.5", "Latency > p95 = 0.7", "Latency > all = 1.2",
        "Latency > J = 65.9",
    ]  # fmt: skip


def test_headings_alone_on_a_row_and_cells_merged_over_rows_are_labels_of_each_of_them() -> None:
    lines = said(
        table_of(
            drawn("""
            ----------------------------
            Model   Method   Speed   τ
            ----------------------------
                 Temperature = 0
            ----------------------------
                    SpS       1.9   2.2
            V 13B
                    Ours      5.5   6.6
            ----------------------------
                    SpS       1.6   2.0

            L 8B    Medusa    1.7   2.1

                    Ours      4.4   6.1
            ----------------------------
                 Temperature = 1
            ----------------------------
                    SpS       1.5   1.8
            V 13B
                    Ours      4.6   5.7
            ----------------------------
            """)
        )
    )
    assert [line for line in lines if "Speed" in line] == [
        "Temperature = 0 > V 13B > SpS | Speed = 1.9", "Temperature = 0 > V 13B > Ours | Speed = 5.5",
        "Temperature = 0 > L 8B > SpS | Speed = 1.6", "Temperature = 0 > L 8B > Medusa | Speed = 1.7",
        "Temperature = 0 > L 8B > Ours | Speed = 4.4", "Temperature = 1 > V 13B > SpS | Speed = 1.5",
        "Temperature = 1 > V 13B > Ours | Speed = 4.6",
    ]  # fmt: skip


def test_a_label_that_a_narrow_column_breaks_is_of_all_rows_between_its_rules() -> None:
    lines = said(
        table_of(
            drawn("""
            -----------------------------
            Task     Method     1      4
            -----------------------------
                     Plain     229    868
                   ----------------------
            Green-
                               955   3092
            Leaf     Quick
                              4.2x   3.6x
            -----------------------------
                     Plain     220    681
            MBPP
                   ----------------------
                     Quick     569   1621
            -----------------------------
            """)
        )
    )
    assert [line for line in lines if "| 1 " in line] == [
        "Green-Leaf > Plain | 1 = 229", "Green-Leaf > Quick | 1 = 955", "Green-Leaf > Quick | 1 = 4.2x",
        "MBPP > Plain | 1 = 220", "MBPP > Quick | 1 = 569",
    ]  # fmt: skip


def test_labels_at_the_first_row_of_each_group_are_of_as_many_rows() -> None:
    lines = said(
        table_of(
            drawn("""
            ------------------------------
                        method  Min.  Mean
            ------------------------------
            Accuracy    tree    0.58  0.63

                        forest  0.41  0.47

            Kappa       tree    0.69  0.77

                        forest  0.56  0.68
            ------------------------------
            """)
        )
    )
    assert [line for line in lines if "Mean" in line] == [
        "Accuracy > tree | Mean = 0.63", "Accuracy > forest | Mean = 0.47",
        "Kappa > tree | Mean = 0.77", "Kappa > forest | Mean = 0.68",
    ]  # fmt: skip


def test_a_remark_below_a_table_is_no_part_of_its_last_label() -> None:
    lines = said(
        table_of(
            drawn("""
            ----------------------------------
                       Start    One     Two
            ----------------------------------
            Deviance  3903.8  3906.7  3880.5

            Size           6       5       8

            AIC       3915.8  3916.7  3896.5

            BIC       3947.8  3943.4  3939.2

            2 No model had less of it
            """)
        )
    )
    assert [line for line in lines if "Start" in line][2:] == ["AIC | Start = 3915.8", "BIC | Start = 3947.8"]


def test_heads_and_labels_that_wrap_are_read_whole() -> None:
    lines = said(
        table_of(
            drawn("""
            ---------------------------------
            Method               Mean     Rel.
                                 time    speedup
                                 (ms)
            ---------------------------------
            Draft trees          12.5    1.0

            Draft trees with a   11.0    1.1

            (second) head

            No draft             30.5    0.4
            ---------------------------------
            """)
        )
    )
    assert lines == [
        "Draft trees | Mean time (ms) = 12.5", "Draft trees | Rel. speedup = 1.0",
        "Draft trees with a (second) head | Mean time (ms) = 11.0",
        "Draft trees with a (second) head | Rel. speedup = 1.1",
        "No draft | Mean time (ms) = 30.5", "No draft | Rel. speedup = 0.4",
    ]  # fmt: skip


def test_numbers_are_labels_where_words_do_not_tell_rows_apart() -> None:
    lines = said(
        table_of(
            drawn("""
            --------------------
             α     γ     SPEED
            --------------------
            0.8    2     2.44X

            0.8    5     3.69X

            0.9    2     2.71X
            --------------------
            """)
        )
    )
    assert [line for line in lines if "SPEED" in line] == [
        "0.8 > 2 | SPEED = 2.44X", "0.8 > 5 | SPEED = 3.69X", "0.9 > 2 | SPEED = 2.71X",
    ]  # fmt: skip


def test_results_are_no_labels_even_of_rows_that_have_the_same() -> None:
    lines = said(
        table_of(
            drawn("""
            --------------------
            Method  Speed     τ
            --------------------
            old     2.44x    3.1

            old     3.69x    4.2
            --------------------
            """)
        )
    )
    assert lines == ["old | Speed = 2.44x", "old | τ = 3.1", "old | Speed = 3.69x", "old | τ = 4.2"]


def test_the_last_line_of_a_head_that_comes_again_is_a_heading_of_its_rows() -> None:
    lines = said(
        table_of(
            drawn("""
            --------------------------------------
                          GSM8K       MBPP
                         -------     -------
            T = 0        Speed  τ    Speed  τ
            --------------------------------------
            EAGLE        1.9x  3.3   1.8x  3.1

            Ours         5.1x  6.5   6.1x  7.8
            --------------------------------------
            T = 1        Speed  τ    Speed  τ
            --------------------------------------
            EAGLE        1.8x  3.2   1.7x  2.9

            Ours         4.7x  6.0   5.0x  6.6
            --------------------------------------
            """)
        )
    )
    assert "T = 0 > EAGLE | GSM8K > Speed = 1.9x" in lines
    assert "T = 1 > Ours | MBPP > τ = 6.6" in lines
    assert not any(line.endswith(("Speed", "τ")) for line in lines), "which are no values"


def test_two_tables_of_one_caption_are_read_each_by_itself() -> None:
    beside = said(
        table_of(
            drawn("""
            ---------------     -----------------
            Method    A         Model   Size   B
            ---------------     -----------------
            old      1.0        tiny     1    7.0

            new      1.1        wide     20   8.0
            ---------------     -----------------
            """)
        )
    )
    assert beside == [
        "old | A = 1.0", "new | A = 1.1", "tiny | Size = 1", "tiny | B = 7.0", "wide | Size = 20", "wide | B = 8.0",
    ]  # fmt: skip
    stacked = said(
        table_of(
            drawn("""
            ------------------------
            Method   Maths   Code
            ------------------------
            old      1.0     2.0

            new      1.1     2.1
            ------------------------
            Method   Speech  Vision
            ------------------------
            old      3.0     4.0

            new      3.1     4.1
            ------------------------
            """)
        )
    )
    assert stacked[3:6] == ["new | Code = 2.1", "old | Speech = 3.0", "old | Vision = 4.0"]


def test_heads_that_come_again_are_told_apart_by_the_column_before_them() -> None:
    lines = said(
        table_of(
            drawn("""
            ------------------------------------------------
            Metric    Base 200B   ∆2     Base 500B   ∆2
            ------------------------------------------------
            ROUGE-1   33.77      +0.70   34.77      +0.39

            ROUGE-2   16.06      +0.36   16.82      +0.29
            ------------------------------------------------
            """)
        )
    )
    assert [line for line in lines if "∆" in line][:2] == [
        "ROUGE-1 | ∆2 > (Base 200B) = +0.70", "ROUGE-1 | ∆2 > (Base 500B) = +0.39",
    ]  # fmt: skip


def test_numbers_at_the_axes_of_a_chart_are_no_grid() -> None:
    chart = drawn("""
        -------------------------
        100

        50          x      x

        0     x

              10    20     30
        -------------------------
        """)
    assert table_of(replace(chart, kind="figure")) is None


def test_columns_that_begin_again_with_the_same_heads_are_further_rows() -> None:
    lines = said(
        table_of(
            drawn("""
            -----------------------------------
            x      erf(x)      x      erf(x)
            -----------------------------------
            0.0    0.000      1.1     0.880

            0.5    0.520      1.2     0.910

            1.0    0.842
            -----------------------------------
            """)
        )
    )
    assert [line for line in lines if "| erf" in line] == [
        "0.0 | erf(x) = 0.000", "0.5 | erf(x) = 0.520", "1.0 | erf(x) = 0.842", "1.1 | erf(x) = 0.880",
        "1.2 | erf(x) = 0.910",
    ]  # fmt: skip


def test_words_of_a_cell_that_wrap_are_one_cell() -> None:
    lines = said(
        table_of(
            drawn("""
            ------------------------------------------
            Function   What it gives
            ------------------------------------------
            deviance   Minus twice the log-likelihood,

                       at its maximum

            drop1      Models without a single term
            ------------------------------------------
            """)
        )
    )
    assert lines == [
        "deviance | What it gives = Minus twice the log-likelihood, at its maximum",
        "drop1 | Function = drop1", "drop1 | What it gives = Models without a single term",
    ]  # fmt: skip


def test_a_head_without_a_rule_above_it_is_read_and_marks_of_footnotes_are_not() -> None:
    page = (document := pymupdf.open()).new_page(width=595, height=842)
    page.insert_textbox((72, 72, 524, 200), 3 * making_pdfs.WORDS, fontsize=10, fontname="tiro")
    for left, head, cells in (
        (96, "Tea", ("Green", "Black")),
        (196, "Score", ("71.2", "64.5")),
        (296, "Cost", ("3", "10")),
    ):
        page.insert_text((left, 300), head, fontsize=10, fontname="tiro")
        for row, text in enumerate(cells):
            page.insert_text((left, 316 + 12 * row), text, fontsize=10, fontname="tiro")
    page.insert_text((196 + 17.5, 312), "1", fontsize=7, fontname="tiro")
    page.insert_text((296 + 10, 324), "-5", fontsize=7, fontname="tiro")
    for height in (303, 332):
        page.draw_line((90, height), (350, height))
    page.insert_text((90, 348), "Table 1: Teas with a mark of a footnote.", fontsize=9, fontname="tiro")
    page.insert_textbox((72, 380, 524, 600), 3 * making_pdfs.WORDS, fontsize=10, fontname="tiro")
    table = next(part for part in read_passages(document.tobytes()).parts if part.kind == "table")
    assert said(table_of(table)) == [
        "Green | Score = 71.2", "Green | Cost = 3", "Black | Score = 64.5", "Black | Cost = 10^-5",
    ]  # fmt: skip


def test_numbers_that_are_a_space_apart_in_all_rows_are_columns_but_not_the_parts_of_one_cell() -> None:
    lines = said(
        table_of(
            drawn("""
            --------------------------------
            Method   Speed τ    Score (Δ)
            --------------------------------
            old      1.22x 2.1  71.2 (0.3)

            new      6.08x 7.9  70.9 (1.1)
            --------------------------------
            """)
        )
    )
    assert lines == [
        "old | Speed τ = 1.22x", "old | Speed τ = 2.1", "old | Score (Δ) = 71.2 (0.3)",
        "new | Speed τ = 6.08x", "new | Speed τ = 7.9", "new | Score (Δ) = 70.9 (1.1)",
    ]  # fmt: skip


def test_what_a_statistics_package_prints_is_a_table() -> None:
    lines = said(
        table_of(
            drawn(
                """
                            Estimate Std. Error t value Pr(>|t|)

                (Intercept) -2.24111    0.09532 -23.512  < 2e-16 ***

                hours        0.04502    0.01833   2.456  0.01410 *

                teaYes       1.10094    0.26005   4.234 2.35e-05 ***
                """,
                letter=5.25,
            )
        )
    )
    assert lines == [
        "(Intercept) | Estimate = -2.24111", "(Intercept) | Std. Error = 0.09532", "(Intercept) | t value = -23.512",
        "(Intercept) | Pr(>|t|) = < 2e-16", "hours | Estimate = 0.04502", "hours | Std. Error = 0.01833",
        "hours | t value = 2.456", "hours | Pr(>|t|) = 0.01410", "teaYes | Estimate = 1.10094",
        "teaYes | Std. Error = 0.26005", "teaYes | t value = 4.234", "teaYes | Pr(>|t|) = 2.35e-05",
    ]  # fmt: skip


def test_a_table_that_goes_on_on_the_next_page_is_one() -> None:
    document = pymupdf.open()
    for caption, cells in (("Table 1: Teas.", ("Green", "71.2")), ("Table 1 (continued)", ("Black", "64.5"))):
        page = document.new_page(width=595, height=842)
        page.insert_textbox((72, 72, 524, 200), 3 * making_pdfs.WORDS, fontsize=10, fontname="tiro")
        page.insert_text((90, 280), caption, fontsize=9, fontname="tiro")
        for height, texts in ((300, ("Tea", "Score")), (316, cells)):
            for left, text in zip((96, 196), texts, strict=True):
                page.insert_text((left, height), text, fontsize=10, fontname="tiro")
        for height in (288, 304, 320):
            page.draw_line((90, height), (350, height))
        page.insert_textbox((72, 380, 524, 600), 3 * making_pdfs.WORDS, fontsize=10, fontname="tiro")
    table = table_of(next(part for part in read_passages(document.tobytes()).parts if part.kind == "table"))
    assert said(table) == ["Green | Score = 71.2", "Black | Score = 64.5"]
    assert table
    assert [(cell.page, round(cell.box[3])) for cell in table.cells] == [(1, 318), (2, 318)]


@pytest.mark.parametrize("drawing", ["Alone\n\nalone", "1\n\n2", "---\nA\n---\n", "A  B  C\n\nD  E  F\n\n---\n"])
def test_what_has_no_body_or_one_column_is_no_grid(drawing: str) -> None:
    assert table_of(drawn(drawing)) is None or len(said(table_of(drawn(drawing)))) == 2


def test_words_that_stand_in_no_columns_are_no_grid() -> None:
    assert (
        table_of(
            drawn("""
            -----------------------------------------------
            We ask the model to think of nothing, which it

            does at once and with 2 errors. Then it goes on

            to answer all 7 of the questions that we did ask
            -----------------------------------------------
            """)
        )
        is None
    )


def cell(name: str, table: str, *labels: str) -> list[str]:
    if not (PAPERS / name).exists():
        pytest.skip("no papers at hand")
    parts = [
        part
        for part in read_passages((PAPERS / name).read_bytes()).parts
        if (part.kind, part.number) == ("table", table)
    ]
    grid = table_of(parts[0])
    assert grid
    return [cell.text for cell in grid.cells if {*labels} <= {*cell.row_path, *cell.column_path}]


def test_cells_of_a_paper_have_all_of_their_labels() -> None:
    assert cell("EAGLE3_2503.01840.pdf", "1", "Temperature=1", "L33 70B", "EAGLE-2", "HumanEval", "τ") == ["3.81"]


@pytest.mark.parametrize("drawing", ["", "Nothing", "Nothing\n\nat all"])
def test_a_caption_without_columns_below_it_has_no_grid(drawing: str) -> None:
    assert table_of(drawn(drawing)) is None


def test_a_table_along_the_side_of_its_page_is_read() -> None:
    rows = (("Kernel", "Error", "Time"), ("Exp", "3.18", "0.148"), ("Sph", "3.94", "0.466"))
    upright = making_pdfs.with_tables(("Table 1: Kernels.", rows))
    with pymupdf.open(stream=upright) as source, pymupdf.open() as document:
        page = document.new_page(width=842, height=595)
        page.show_pdf_page(page.rect, source, 0, rotate=90)
        turned = read_passages(document.tobytes())
    (table,) = [part for part in turned.parts if part.kind == "table"]
    assert said(table_of(table)) == [
        "Exp | Error = 3.18", "Exp | Time = 0.148", "Sph | Error = 3.94", "Sph | Time = 0.466",
    ]  # fmt: skip


def test_names_beside_results_that_are_about_so_much_are_told_from_them() -> None:
    lines = said(
        table_of(
            drawn("""
            ------------------------------
            Method  Recall  Made of  Price
            ------------------------------
            old      94.9%   words   $19

            new       ∼99%   graphs  paid

            other     ∼85%   words   $25

            last      N/R    graphs  free
            ------------------------------
            """)
        )
    )
    assert [line for line in lines if "Recall" in line][:2] == ["old | Recall = 94.9%", "new | Recall = ∼99%"]
