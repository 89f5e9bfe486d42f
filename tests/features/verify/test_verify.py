"""Numbers of a note in a small paper that is made here: at the place named, elsewhere, not found, declared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import PurePosixPath
from typing import Literal

import making_pdfs
import pytest

from paper_notes.corpus.model import Lang, NoteText
from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.index import PaperIndex
from paper_notes.features.verify.paper import Passage, PassageRow, Passages, Word, read_passages
from paper_notes.features.verify.statements import StatedNumber, read_statements
from paper_notes.features.verify.surroundings import Surroundings
from paper_notes.features.verify.verify import verify
from paper_notes.values import replace

KEY = BibKey("lu760tea")


@cache
def passages() -> Passages:
    return read_passages(making_pdfs.results())


def found(text: str, lang: str = "en", *, held: bool = True, parts: Sequence[Passage] = ()) -> str:
    """The results of a text: each number with its verdict, and where it was found in the small paper or in `parts`."""
    statements = read_statements(NoteText(Lang(lang), PurePosixPath(f"{lang}.md"), text))
    index = PaperIndex(Passages(tuple(parts), 1, "") if parts else passages()) if held else None
    shown = []
    for one in verify(statements, {KEY: index}, [KEY]):
        where = f" {one.spot.kind} {one.spot.number}".rstrip() if one.spot else ""
        if one.verdict != "unchecked":
            shown.append(f"{one.number.figures.text}={one.verdict}{where}")
    return ", ".join(shown)


def test_a_paper_is_cut_at_captions_and_headings_and_its_references_are_left_out() -> None:
    assert [(part.kind, part.number) for part in passages().parts] == [
        ("front", ""), ("section", "1"), ("section", "2"), ("section", "A"), ("table", "1"), ("table", "2"),
    ]  # fmt: skip
    table = passages().parts[4]
    assert [row.text for row in table.rows][1] == "Green tea 71.2 0.48 1,024"
    assert "77.7" not in " ".join(row.text for part in passages().parts for row in part.rows)


def test_what_stands_with_a_table_after_the_references_is_read() -> None:
    parts = read_passages(making_pdfs.results(later="It cools down to 31.5 degrees.")).parts
    assert ("table", "3") in {(part.kind, part.number) for part in parts}
    assert "31.5" in " ".join(row.text for part in parts for row in part.rows)


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("Green tea scores 71.2 (Table 1).", "71.2=bound table 1"),
        ("绿茶得 71.2 分（表 1）。", "71.2=bound table 1"),
        ("Green tea scores 71.2 [@lu760tea, Table 1].", "71.2=bound table 1"),
        ("Green tea scores 72.1 (Table 1).", "72.1=missing"),
        ("Green tea scores 71.2 (Table 2).", "71.2=elsewhere table 1"),
        ("In the abstract it is 71.2.", "71.2=elsewhere table 1"),
        ("Boil it first, see Table 1. It is 71.2 (Table 2).", "71.2=elsewhere table 1"),
        ("We boil it, see Table 1. It is 71.2 then.", "71.2=bound table 1"),
        ("It takes 3.5 hours (§1).", "3.5=bound section 1"),
        ("Of all cups, 26.3% were empty (Section 2).", "26.3%=bound section 2"),
        ("It boils at 96.5 (Appendix A).", "96.5=bound section A"),
        ("On page 2, white tea costs 0.27.", "0.27=bound table 1"),
        ("White tea costs .270 s (Table 1).", ".270=bound table 1"),
        ("Black tea takes 2K cups (Table 1).", "2K=bound table 1"),
        ("Spring water: 0.83 hot (Table 2).", "0.83=bound table 2"),
        ("A reference has 77.7 in it.", "77.7=missing"),
        # what a note says of its own
        ("It is [7.1]{from=own}, or [2.5]{from=\"5/2\"}.", "7.1=declared, 2.5=declared"),
        ("That is $71.2/64.5=1.10$ (Table 1).", "71.2=bound table 1, 64.5=bound table 1, 1.10=declared"),
        ("That is $71.2/64.5=1.20$ (Table 1).", "71.2=bound table 1, 64.5=bound table 1, 1.20=missing"),
        ("All of 44.1 and 45.2 are mine. {from=own}", "44.1=declared, 45.2=declared"),
        ("## Mine {#mine} {from=own}\n\n44.1\n\n## Not\n\n45.2", "44.1=declared, 45.2=missing"),
        ("We use EAGLE-3 of 2024 on 7B models with 3 seeds.", ""),
    ],
)  # fmt: skip
def test_a_number_is_looked_for_where_the_text_says(text: str, results: str) -> None:
    assert found(text, "zh" if "绿" in text else "en") == results


TABLE = """\
Scores from Table 1:

| Tea | Score | Cups |
|---|---|---|
| Green | {} | 1,024 |
| Black | {} | 2,048 |
| White | 58.9 | 512 |
"""


def test_cells_are_looked_for_in_the_row_and_column_of_their_neighbours() -> None:
    assert found(TABLE.format("71.2", "64.5")).count("=bound table 1") == 6
    swapped = found(TABLE.format("64.5", "71.2"))
    assert "64.5=contradicted" in swapped
    assert "71.2=contradicted" in swapped
    assert "58.9=bound table 1" in swapped
    assert "72.1=missing" in found(TABLE.format("72.1", "64.5"))


def test_a_table_may_be_turned_and_may_leave_rows_out() -> None:
    turned = "| | White | Green |\n|---|---|---|\n| Score | 58.9 | 71.2 |\n| Cups | 512 | 1,024 |\n\nFrom Table 1."
    assert found(turned).count("=bound table 1") == 4
    assert "58.9=contradicted" in found(turned.replace("58.9 | 71.2", "71.2 | 58.9"))


def scattered(kind: Literal["table", "figure"], *words: str) -> Passage:
    """A passage with each word on a row and in a column of its own."""
    rows = (PassageRow(1, (Word(word, 50.0 * number, 50.0 * number + 9),)) for number, word in enumerate(words))
    return Passage(kind, "1", "", 1, tuple(rows))


def test_in_figures_whose_layout_is_another_one_rare_numbers_are_enough() -> None:
    """But only for numbers that hardly any other would be taken for."""
    figure = scattered("figure", "58.91", "71.24", "64.57", "3", "8")
    table = "{}\n\n| Tea | Score | Cups |\n|---|---|---|\n| Green | 71.24 | 3 |\n| Black | 64.57 | 8 |\n"
    near = found(table.format("Scores from Fig. 1:"), parts=[figure])
    assert near == "71.24=bound figure 1, 3=elsewhere figure 1, 64.57=bound figure 1, 8=elsewhere figure 1"


def test_a_label_speaks_against_a_number_in_a_figure() -> None:
    figure = scattered("figure", "71.24", "Green", "Black", "64.57")
    table = "From Fig. 1:\n\n| Tea | Score |\n|---|---|\n| {} | 71.24 |\n| {} | 64.57 |\n"
    legend = scattered("table", "Green 71.24", "Black 64.57")
    assert found(table.format("Green", "Black"), parts=[figure]).count("=bound figure 1") == 2
    rows = tuple(
        PassageRow(1, (Word(name, 0, 9), Word(number, 90, 99)))
        for name, number in (("Green", "71.24"), ("Black", "64.57"))
    )
    labelled = replace(legend, kind="figure", rows=rows)
    assert found(table.format("Green", "Black"), parts=[labelled]).count("=bound figure 1") == 2
    assert "bound" not in found(table.format("Black", "Green"), parts=[labelled])


def test_the_text_beside_a_table_names_its_place_within_the_section_only() -> None:
    table = "| Tea | Score |\n|---|---|\n| Green | 71.2 |\n"
    assert found(f"Scores from Table 1:\n\n{table}") == "71.2=bound table 1"
    assert found(f"{table}\nThese are of Table 1.\n") == "71.2=bound table 1"
    assert layers(f"See Table 1.\n\n## Mine {{#m}}\n\n{table}", "71.2") == [[], [], [], []]
    assert layers(f"{table}\n## Others {{#o}}\n\nSee Table 1.\n", "71.2") == [[], [], [], []]


def around(
    text: str, written: str, main: Sequence[BibKey] = (KEY,), names: Mapping[BibKey, str] | None = None
) -> tuple[Surroundings, int, StatedNumber]:
    """What is around a number, the statement that it is in, and the number."""
    surroundings = Surroundings(read_statements(NoteText(Lang("en"), PurePosixPath("en.md"), text)), main, names)
    for at, statement in enumerate(surroundings.statements):
        for number in statement.numbers:
            if number.figures.text == written:
                return surroundings, at, number
    raise AssertionError(f"{written} is no number of the text")


def layers(text: str, written: str) -> list[list[str]]:
    """The places for a number, those named nearest first."""
    surroundings, at, number = around(text, written)
    return [[place.name for place in layer] for layer in surroundings.layers(at, number)]


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        ("71.2", "b a"),  # cited in its sentence
        ("64.5", "a"),
        ("8.5", "c a"),  # spoken of by its name
        ("3.5", "b a"),  # cited in its row
        ("4.5", "a"),
        ("6.5", "d a"),
    ],
)
def test_the_papers_of_a_number_are_those_cited_beside_it_then_that_of_the_note(written: str, keys: str) -> None:
    text = (
        "It is 71.2 [@b]. It was 64.5. DTea has 8.5.\n\n"
        "| Tea | Cups | More |\n|---|---|---|\n"
        "| Green [@b] | 3.5 | [@unknown] |\n| Black | 4.5 | x |\n| White | 6.5 | as [@d] |\n"
    )
    names = {BibKey("c"): "DTea"}
    surroundings, at, number = around(text, written, [BibKey("a")], names)
    assert " ".join(surroundings.papers(at, number, dict.fromkeys(map(BibKey, "abcd")))) == keys


def test_the_places_of_a_cell_are_those_of_its_row_and_column_then_those_beside_the_table() -> None:
    table = "| Tea | Score (Fig. 2) | Cups (Fig. 6) |\n|---|---|---|\n| Green (Table 3) | 71.2 | 8.5 (§7) |\n"
    text = f"Far, Table 9.\n\nBefore, Table 1.\n\n{table}\nAfter, Table 4.\n\nFar, Table 5.\n\n## Other\n\nTable 8.\n"
    every = ["Table 9", "Table 1", "Fig. 2", "Fig. 6", "Table 3", "§7", "Table 4", "Table 5"]
    assert layers(text, "71.2") == [
        ["Fig. 2", "Table 3", "§7"], ["Table 1", "Table 4", "Fig. 2", "Fig. 6"], ["Table 3"], every,
    ]  # fmt: skip
    assert layers(text, "8.5")[0] == ["§7"]


def test_the_places_of_a_number_in_words_are_those_of_its_sentence_then_of_its_paragraph() -> None:
    text = "First, Table 1.\n\nIt is 71.2 (Table 2). So §3. By Eq. 4.\n\nThen Table 5.\n"
    assert layers(text, "71.2") == [
        ["Table 2"],
        ["Table 2", "§3"],
        ["Table 1"],
        ["Table 1", "Table 2", "§3", "Table 5"],
    ]


def test_words_of_its_row_support_a_number_that_many_others_are_like() -> None:
    teas = [*(f"Tea{number}" for number in range(40)), "Oolong"]
    rows = tuple(PassageRow(1, (Word(tea, 0, 9), Word(str(30 + at), 90, 99))) for at, tea in enumerate(teas))
    parts = [Passage("table", "1", "", 1, rows)]
    table = "From Table 1:\n\n| Cups | Tea |\n|---|---|\n| 70 | {} |\n| x | Oolong |\n"
    assert found(table.format("Oolong"), parts=parts) == "70=bound table 1"
    assert found(table.format("Rooibos"), parts=parts) == "70=ambiguous table 1"


def test_the_columns_rows_and_cells_of_a_table_can_be_declared() -> None:
    table = "From Table 1.\n\n| Tea | Score | Mine {from=own} |\n|---|---|---|\n| Green | 71.2 | 9.9 |\n"
    assert found(table) == "71.2=bound table 1, 9.9=declared"
    row = "From Table 1.\n\n| Tea | Score |\n|---|---|\n| Green | 71.2 |\n| Mine {from=own} | 9.9 |\n"
    assert found(row) == "71.2=bound table 1, 9.9=declared"
    whole = "| Tea {from=own} | Score |\n|---|---|\n| Green | 71.3 |\n"
    assert found(whole) == "71.3=declared"


def test_what_a_note_repeats_has_the_place_that_it_names_once() -> None:
    text = ":::tldr\n64.5 it is, not 64.6.\n:::\n\n## Results {#r}\n\nBlack tea scores 64.5 (Table 1).\n"
    assert found(text) == "64.5=bound table 1, 64.6=missing, 64.5=bound table 1"


def test_without_a_pdf_nothing_is_said() -> None:
    assert found("Green tea scores 71.2 (Table 1).", held=False) == "71.2=no-pdf"


def test_small_whole_numbers_say_nothing_in_words_and_something_in_cells() -> None:
    assert found("Three of 4 teas.") == ""
    assert found("Table 1:\n\n| Tea | Cups |\n|---|---|\n| Green | 7 |\n") == "7=missing"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Black tea scores 71.2 (Table 1).", "label"),
        ("Black tea (71.2) is better than white tea (58.9), see Table 1.", "label"),
        ("黑茶 Black tea 的得分从 71.2 起（表 1）。", "label"),
        ("Of all cups, 26.3 points were empty (Section 2).", "points"),
        ("Of all cups, 26.3× were empty (Section 2).", "unit"),
        ("From black to green tea it falls from 64.5 to 71.2 (Table 1).", "direction"),
        ("从 64.5（Black）降到 71.2。", "direction"),
        ("It rises from 71.2 (green) to 64.5.", "direction"),
        ("Black tea falls to 71.2.", "label"),
        ("Boiling lifts black tea from 71.2 to 64.5.", "direction"),
        ("绿茶好，Black tea 只有 71.2。", "label"),
    ],
)
def test_what_the_words_say_against_the_paper_is_a_contradiction(text: str, kind: str) -> None:
    statements = read_statements(NoteText(Lang("en"), PurePosixPath("en.md"), text))
    results = verify(statements, {KEY: PaperIndex(passages())}, [KEY])
    assert [result.mismatch.kind for result in results if result.mismatch] == [kind]


def test_a_number_is_bound_to_its_cell_or_its_words() -> None:
    text = "Green tea scores 71.2 (Table 1). Of all cups, 26.3% were empty (Section 2)."
    statements = read_statements(NoteText(Lang("en"), PurePosixPath("en.md"), text))
    cell, quote = (result.binding for result in verify(statements, {KEY: PaperIndex(passages())}, [KEY]))
    assert str(cell) == "T1[Green tea, Score]"
    assert str(quote).startswith("S2 ")


def test_words_right_before_another_number_are_not_of_this_one() -> None:
    assert found("Black tea scores 64.5 with Cups 2,048 (Table 1).") == "64.5=bound table 1, 2,048=bound table 1"


def test_rows_whose_labels_are_exchanged_are_noticed() -> None:
    table = TABLE.format("71.2", "64.5").replace("Green", "X").replace("Black", "Green").replace("X", "Black")
    assert found(table).count("=contradicted table 1") == 4


def test_numbers_that_follow_labels_in_turn_are_of_these() -> None:
    text = "Of both, Green tea in a 2wine cup had a score of {} and Black tea in a cup one of {}."
    assert found(text.format("71.2", "64.5")) == "71.2=bound table 1, 64.5=bound table 1"
    assert found(text.format("64.5", "71.2")) == "64.5=contradicted table 1, 71.2=contradicted table 1"


def test_a_percentage_is_looked_for_in_sentences_before_cells_without_one() -> None:
    lines = ((Word("Cups", 0, 9), Word("12", 90, 99)), (Word("Pots", 0, 9), Word("34", 90, 99)))
    cells = Passage("table", "1", "", 1, tuple(PassageRow(1, words) for words in lines))
    said = PassageRow(1, tuple(Word(word, 0, 9) for word in "The tea solves 12% more thirst than water.".split()))
    parts = [cells, replace(cells, kind="section", number="1", title="Thirst", rows=(said,))]
    assert found("The tea solves 12% more thirst.", parts=parts) == "12%=bound section 1"
    assert found("The tea solves 12% fewer thirst.", parts=parts) == "12%=contradicted section 1"
    assert found("The tea solves 12 points more thirst.", parts=parts) == "12=contradicted section 1"
