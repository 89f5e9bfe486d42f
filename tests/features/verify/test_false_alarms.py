"""Right sentences that are like wrong ones: nothing is said of them."""

from __future__ import annotations

from functools import cache
from pathlib import PurePosixPath

import making_pdfs
import pytest

from paper_notes.corpus.model import Lang, NoteText
from paper_notes.corpus.paper import BibKey
from paper_notes.features.verify.counted import counts_in, otherwise, printed_counts
from paper_notes.features.verify.declarations import Declarations
from paper_notes.features.verify.derived import derived
from paper_notes.features.verify.evidence import KeptNumber
from paper_notes.features.verify.findings import Findings
from paper_notes.features.verify.index import PaperIndex
from paper_notes.features.verify.paper import Passage, PassageRow, Word, _numbered, read_passages
from paper_notes.features.verify.rows import NumberRow
from paper_notes.features.verify.statements import read_statements
from paper_notes.features.verify.surroundings import Surroundings
from paper_notes.features.verify.verify import verify
from paper_notes.values import replace

KEY = BibKey("lu760tea")
KERNELS = (
    ("Kernel", "No. groups", "Error", "Time (seconds)", "Speedup / depth"),
    ("Exp", "12.41", "3.18", "0.148", "1.81x / 3.02"),
    ("Sph", "15.62", "3.94", "0.466", "2.05x / 3.49"),
    ("Exp+Sph", "13.27", "2.86", "0.889", "6.08x / 7.87"),
    ("Single group", "14.93", "4.07", "0.708", "1.63x / 2.83"),
)
SIZES = (
    ("Train", "Test", "Shares", "Score"),
    ("b16", "b16", "66.88 ± 0.15%", "3.96"),
    ("b16", "b8", "47.77 ± 0.23%", "3.39"),
    ("b8", "b16", "36.84 ± 0.17%", "3.24"),
    ("b8", "b8", "60.97 ± 0.20%", "3.53"),
)
CORES = (("Kernel", "36", "72"), ("Exp", "1.64x", "1.93x"), ("Sph", "2.31x", "2.77x"))


@cache
def paper() -> PaperIndex:
    tables = ("Table 1: Kernels.", KERNELS), ("Table 2: Sizes, 900 of each.", SIZES), ("Table 3: Cores.", CORES)
    pdf = making_pdfs.with_tables(*tables)
    return PaperIndex(read_passages(pdf))


@cache
def told() -> PaperIndex:
    """A paper whose sentences say more than its table."""
    table = (("Kernel", "Error"), ("Exp", "3.18"), ("Sph", "3.94"), ("Lin", "2.96"))
    sets = (("Data", "Size"), ("LeafA", "411"), ("LeafB", "532"))
    pdf = making_pdfs.with_tables(("Table 1: Kernels.", table), ("Table 2: Data.", sets))
    said = "7.3 Results", "Exp achieves a gain of 26.4% over Lin.", "It has 83.7% on LeafA."
    rows = tuple(PassageRow(1, (Word(sentence, 0.0, 9.0),)) for sentence in said)
    passages = read_passages(pdf)
    sections = (
        Passage("section", number, "Results", 1, rows if number == "7.3" else rows[1:]) for number in ("1", "7.3")
    )
    return PaperIndex(replace(passages, parts=(*passages.parts, *sections)))


def findings(text: str, lang: str = "en", at: PaperIndex | None = None) -> list[str]:
    path = PurePosixPath(f"{lang}.md")
    statements, papers = read_statements(NoteText(Lang(lang), path, text)), {KEY: at or paper()}
    doubted = Declarations(Surroundings(statements, [KEY]), papers, [KEY], {}).doubted(
        verify(statements, papers, [KEY])
    )
    rows = [
        NumberRow(
            Lang(lang),
            "lead",
            "",
            one,
            one.statement.text,
            KeptNumber(0, one.number.figures.text, one.verdict, one.spot, one.remark, 0.0, one.binding),
        )
        for one in derived(list(doubted))
    ]
    return [finding.message for finding in Findings(rows, {Lang(lang): path}, papers, [KEY]).all()]


@pytest.mark.parametrize(
    "text",
    [
        # a sentence that names a longer label names no shorter one, of this axis or of another
        "Exp+Sph has an error of 2.86 (Table 1).",
        "With a single group the error is 4.07 (Table 1).",
        "There are 15.62 groups at least (Table 1).",
        "Fused as Sph + Lin it has an error of 2.86 (Table 1).",
        # words that rows name at two levels say nothing against either
        "Trained on b8 and run on b16 it has 3.24, on b8 3.53 (Table 2).",
        "Heads of blocks of 8 have 3.24 when run on 16 (Table 2).",
        # numbers of a column that is of two things, or in other units
        "Exp+Sph takes 7.87 tokens (Table 1).",
        "Exp takes 148 ms, Sph 466 ms (Table 1).",
        "The share is 47.77% (Table 2).",
        'It is [19.11 points]{from="66.88-47.77"}.',
        'It is [186%]{from="2.86-1"} higher.',
        # a place in brackets is of what is before it; a round number is of anything
        "The error is 3.18 (Table 1), and 3.53 the score.",
        "Of the other 900 none was seen (Table 1).",
        # what is over of a whole, and a share of what is counted
        'With 66.88% in Table 2 the rest, [33.12%]{from="100-66.88"}, is lower.',
        "Exp has 12.41 lines, Sph 15.62 lines (Table 1), 79.4% of those.",
    ],
)
def test_nothing_is_said_of_right_sentences(text: str) -> None:
    assert findings(text) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "Exp has an error of 2.86 (Table 1).",
            "Table 1 has 2.86 at row Exp+Sph, column Error; the sentence speaks of Exp",
        ),
        # the first words before a colon are of all of the sentence
        (
            "Exp: as one would have it from all that was said before, the error is 3.94 (Table 1).",
            "Table 1 has 3.94 at row Sph, column Error; the sentence speaks of Exp",
        ),
        # a size is no number that a label could be of
        (
            "1.64x\n: on 36 cores what is left of Sph (Table 3)",
            "Table 3 has 1.64x at row Exp, column 36; the sentence speaks of Sph",
        ),
        # a column has one unit, which the table need not say
        (
            "The error is 3.18 ms with Exp, 3.94 s with Sph, 2.86 s with Exp+Sph, 4.07 s with one group (Table 1).",
            "Table 1 has 3.18 s at row Exp, column Error; the sentence says 3.18 ms",
        ),
        (
            "把份额从 47.77% 压到 66.88%（表 2）。",
            "Table 2 has 66.88% at row b16, column Shares; the words of the sentence say the opposite",
        ),
        # one share above another is so many points
        (
            'It has 66.88% and is [19.11%]{from="66.88-47.77"} higher than with 47.77% (Table 2).',
            '66.88-47.77 is 19.11 points, not "19.11%"',
        ),
        ("The error is 3.53 (Table 1).", '"3.53" is not in Table 1, but in Table 2, p. 1'),
    ],
)
def test_their_wrong_neighbours_are_noticed(text: str, message: str) -> None:
    assert findings(text) == [message]


def test_a_number_before_a_preposition_or_a_verb_counts_nothing() -> None:
    (count,) = counts_in("the mean on seven tasks")
    assert otherwise(count, printed_counts([["a speedup of over 3 across all tasks"]])) is None
    assert [*counts_in("a four-token example shows it")] == []
    assert printed_counts([["Figure 5 shows a simplified trace"]]) == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # a sum speaks of its cells, declared or not, and of another label with numbers of that kind
        (
            'Exp leads Sph by [0.22]{from="3.18-2.96"}; Exp has 3.18, Lin 2.96 (Table 1).',
            "the sentence speaks of Sph",
        ),
        # a number of a sentence is compared with what that of the paper compares with, or has beside it
        ("The gain over Sph is 26.4% (§1).", "the sentence speaks of Sph"),
        ("On LeafB it has 83.7% (§1).", "the sentence speaks of LeafB"),
        ("26.4%\n: gain over Sph (§1)", "the sentence speaks of Sph"),
    ],
)
def test_a_sentence_of_another_label_is_wrong(text: str, message: str) -> None:
    (found,) = [one for one in findings(text, at=told()) if "speaks of" in one]
    assert found.endswith(message)


@pytest.mark.parametrize(
    "text",
    [
        'Exp leads Lin by [0.22]{from="3.18-2.96"} (Table 1).',
        "The gain over Lin is 26.4% (§1).",
        "On LeafA it has 83.7% (§1).",
    ],
)
def test_its_own_label_is_right(text: str) -> None:
    assert not [one for one in findings(text, at=told()) if "speaks of" in one]


def test_the_number_of_a_section_is_none_of_its_text() -> None:
    assert findings("It leads by 7.3 points.", at=told()) == ['"7.3" is in no paper of the note']


@cache
def alike() -> PaperIndex:
    """A paper of two tables whose captions tell apart what their labels do not, in the unit that one of them has."""
    rows = (("Kernel", "Mean", "Worst"), ("Exp", "3.18", "4.26"), ("Sph", "3.94", "5.07"))
    others = (("Kernel", "Mean", "Worst"), ("Exp", "2.61", "3.45"), ("Sph", "2.87", "4.13"))
    names = (
        "Table 1: Times of both kernels in seconds, mountain stations.",
        "Table 2: Times of both kernels, coast stations.",
    )
    return PaperIndex(read_passages(making_pdfs.with_tables(*zip(names, (rows, others), strict=True))))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("At mountain stations Exp has a mean of 3.18 s (Table 1).", ""),
        ("Exp has a mean of 3.18 (Table 1).", ""),
        ("At the coast Exp has a mean of 2.61, in the mountain one of 3.18.", ""),
        (
            "At the coast Exp has a mean of 3.18 (Table 1).",
            "Table 1 has 3.18 at row Exp, column Mean; the sentence speaks of coast",
        ),
        (
            "Exp has a mean of 3.18 minutes (Table 1).",
            "Table 1 has 3.18 at row Exp, column Mean; the sentence says 3.18 min",
        ),
    ],
)
def test_a_caption_names_what_all_of_a_table_is_of(text: str, message: str) -> None:
    assert findings(text, at=alike()) == ([message] if message else [])


def test_a_place_that_is_wrong_in_what_explains_a_term_is_shown_there() -> None:
    text = "3.18\n: mean of Exp (Table 2)"
    path = PurePosixPath("en.md")
    statements, papers = read_statements(NoteText(Lang("en"), path, text)), {KEY: alike()}
    (one,) = [each for each in verify(statements, papers, [KEY]) if each.number.figures.text == "3.18"]
    assert (one.verdict, one.mismatch and one.mismatch.line) == ("elsewhere", 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Stations up to 200 km away count.", ""),
        ("Stations up to 200 m away count.", "the sentence says 200 m"),
    ],
)
def test_a_length_of_a_text_in_another_unit_is_wrong(text: str, message: str) -> None:
    said = "2 Data", "Stations count up to 200 km away."
    rows = tuple(PassageRow(1, (Word(sentence, 0.0, 9.0),)) for sentence in said)
    parts = (*alike().passages.parts, Passage("section", "2", "Data", 1, rows))
    paper = PaperIndex(replace(alike().passages, parts=parts))
    assert [one.partition("; ")[2] for one in findings(text, at=paper)] == ([message] if message else [])


@cache
def printed() -> PaperIndex:
    """A section with what a program printed, more numbers than tell something, and a table on its page."""
    said = (
        "5.2 Results",
        "The true mean falls for heavy drinkers:",
        "R> summary(model, digits = 0.5)",
        "heavy black tea drinkers 0.1 0.2 0.3 0.4 0.6",
        "90+ 0.7 0.8 0.9 8.889485e-01 1.1",
        "0.96972",
        "A burn-in of 100 000 samples takes three hours.",
    )
    table = (("Kernel", "Error"), ("Exp (677)", "12.41"), ("Sph (409)", "15.62"), ("Lin", "677"))
    pdf = making_pdfs.with_tables(("Table 1: Kernels.", table))
    passages = read_passages(pdf)
    rows = tuple(PassageRow(1, (Word(line, 0.0, 9.0),)) for line in said)
    sections = Passage("section", "5.2", "Results", 1, rows), Passage("section", "6", "Other", 2, rows[2:5])
    return PaperIndex(replace(passages, parts=(*passages.parts, *sections)))


@pytest.mark.parametrize(
    "text",
    [
        "It is 0.8 there (§5.2).",  # be it by chance
        "The estimate is 0.889 (§5.2).",
        "The p value is 0.96972 (§5.2).",
        "The burn-in is 100,000 samples (§5.2).",
        "It takes 3 hours (§5.2).",
        "Sph has an error of 15.62 (§5.2).",  # in a table on the page of the section
        "It rises to 0.1 (§5.2).",  # what the text before a listing says is not of the listing
        "Of the 677 of Exp the error is 12.41 (Table 1).",  # a label is no number of another row
    ],
)
def test_nothing_is_said_of_what_a_section_has(text: str) -> None:
    assert findings(text, at=printed()) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Sph has an error of 15.62 (§6).", '"15.62" is not in §6, but in Table 1, p. 1'),
        ("The p value is 0.96792 (§5.2).", '"0.96792" is not in §5.2, and in no paper of the note'),
        ("It takes 4 hours (§5.2).", '"4" is not in §5.2, and in no paper of the note'),
    ],
)
def test_what_a_section_has_not_is_noticed(text: str, message: str) -> None:
    assert findings(text, at=printed()) == [message]


@pytest.mark.parametrize(
    ("heading", "number"),
    [
        (("2.3", 2), "2.3"),
        (("", 3), "2.2"),  # without a number, inside of 2.2
        (("55", 3), "2.2"),  # `55 blocks`
        (("", 2), ""),
        (("A", 1), "A"),
    ],
)
def test_a_section_without_a_number_belongs_to_the_one_around_it(heading: tuple[str, int], number: str) -> None:
    assert _numbered(*heading, ("2.2", 2))[0] == number


def test_a_heading_may_begin_with_a_word_that_looks_like_a_number() -> None:
    import pymupdf

    document = pymupdf.open()
    for _ in range(4):
        page = document.new_page(width=595, height=842)
        page.insert_text((100, 120), "A LOGISTIC ESTIMATOR")  # a running head
    page.insert_text((72, 300), "3.3. A Logistic Estimator", fontsize=14)
    page.insert_text((72, 330), "It is 0.71 there.")
    page.insert_text((72, 400), "4. Conclusion", fontsize=14)
    document.set_toc([[1, "Examples", 1], [2, "A Logistic Estimator", 4], [1, "Conclusion", 4]])
    parts = read_passages(document.tobytes()).parts
    assert [(part.number, part.title) for part in parts][1:] == [("3.3", "A Logistic Estimator"), ("4", "Conclusion")]


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("Time (s)", []),
        ("时间（毫秒）", ["Table 1 has 0.148 s at row Exp, column Time (seconds); the sentence says 时间（毫秒）"]),
        ("Time in hours", ["Table 1 has 0.148 s at row Exp, column Time (seconds); the sentence says Time in hours"]),
        ("Length (m)", []),  # whatever it is, no other unit of time
    ],
)
def test_a_head_in_another_unit_than_that_of_the_paper_is_wrong(head: str, said: list[str]) -> None:
    text = f"From Table 1:\n\n| Kernel | {head} |\n|---|---|\n| Exp | 0.148 |\n| Sph | 0.466 |\n| Exp+Sph | 0.889 |\n"
    assert findings(text) == said


@cache
def test_a_line_with_wide_spaces_is_one_row() -> None:
    import pymupdf

    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    for at, words in enumerate((("heavy smoker", "2.758", "0.7272"), ("moderate", "3.073", "0.8986"))):
        for column, word in enumerate(words):
            page.insert_text((72 + 100 * column, 100 + 12 * at), word, fontsize=10)
    (part,) = read_passages(document.tobytes()).parts
    assert [row.text for row in part.rows] == ["heavy smoker 2.758 0.7272", "moderate 3.073 0.8986"]
