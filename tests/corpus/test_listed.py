"""What lists say of a paper besides its publication, in fields of its entry."""

from __future__ import annotations

import pytest
from building import said, source

from paper_notes.corpus.bibliography.from_bibtex import badges, labelled_links, paper_from, versions
from paper_notes.corpus.paper import LabelledLink, Paper
from paper_notes.diagnostics import Diagnostic
from paper_notes.sources.bibtex import parse_bibtex

DATASET = "https://hf.example/datasets/x_(y)"


def paper(fields: str) -> tuple[Paper, tuple[Diagnostic, ...]]:
    entries, problems = parse_bibtex(source("l.bib", f"@misc{{k, title = {{T}}, author = {{Doe, J.}}, {fields}}}\n"))
    assert not problems
    return paper_from(entries[0])


@pytest.mark.parametrize(
    ("text", "links", "remarks"),
    [
        ("", (), ()),
        (f"[HF Dataset (Apache-2.0)]({DATASET})", (LabelledLink("HF Dataset (Apache-2.0)", DATASET),), ()),
        (
            "[Blog](https://a.example) / [code [v2]](https://b.example/c)",
            (LabelledLink("Blog", "https://a.example"), LabelledLink("code [v2]", "https://b.example/c")),
            (),
        ),
        (
            "[Hub](https://a.example) · *no official code/data as of 2026-05*; weights on request",
            (LabelledLink("Hub", "https://a.example"),),
            ("no official code/data as of 2026-05", "weights on request"),
        ),
        ("https://www.a.example/b", (LabelledLink("a.example", "https://www.a.example/b"),), ()),
    ],
)
def test_links_have_labels_and_what_is_between_them_is_a_remark(
    text: str, links: tuple[LabelledLink, ...], remarks: tuple[str, ...]
) -> None:
    assert labelled_links(text) == (links, remarks, ())


def test_versions_begin_with_dates() -> None:
    found = ("2025-01 (v1)", "2025-11 (v8)")
    for sign in ("->", "→", "·", ",", ";"):
        assert versions(f"2025-01 (v1) {sign} 2025-11 (v8)") == (found, ())
    assert versions("2025-08-27 launch · 2024-12 至今") == (("2025-08-27 launch", "2024-12 至今"), ())
    assert versions("v1, 2025-11 (v8)") == (("2025-11 (v8)",), ("v1",))


def test_the_first_version_is_the_date_of_a_paper_that_has_none() -> None:
    first, _ = paper("versions = {2025-01-31 (v1) -> 2025-11 (v8)}")
    assert (first.date_label, first.span) == ("2025-01-31", "2025-01-31 (v1) → 2025-11 (v8)")
    dated, _ = paper("versions = {2025-01 (v1)}, year = {2024}")
    assert dated.date_label == "2024"
    assert paper("year = {2024}")[0].span == "2024"


def test_a_badge_is_the_type_unless_it_is_written() -> None:
    assert badges("Tech Report; Oral") == ("Tech Report", "Oral")
    assert paper("type = {Tech Report}")[0].badges == ("Tech Report",)
    assert paper("type = {Tech Report}, badge = {Oral}")[0].badges == ("Oral",)
    assert paper("year = {2024}")[0].badges == ()


def test_an_entry_can_say_that_there_is_no_code_and_have_a_short_title() -> None:
    found, problems = paper("code = {none}, shorttitle = {EAGLE-1}, links = {[Site](https://a.example)}")
    assert (found.no_code, found.label_in_lists, found.links) == (
        True,
        "EAGLE-1",
        (LabelledLink("Site", "https://a.example"),),
    )
    assert problems == ()


def test_mistakes_have_their_places() -> None:
    _, problems = paper("links = {[Site](a.example)},\n  versions = {v1 2025}")
    assert said(problems) == (
        'l.bib:1:51: error[bad-url]: "a.example" is not a web address\n'
        "  hint: write links as [HF Dataset (Apache-2.0)](https://...), without spaces in the address\n"
        'l.bib:2:14: warning[bad-date]: "v1 2025" does not begin with a date\n'
        "  hint: write 2025-01 (v1) -> 2025-11 (v8): each begins with its date\n"
    )
