"""inherited(): fields that entries inherit from others, in all files."""

from pathlib import Path, PurePosixPath

import pytest
import yaml

from paper_notes.corpus.bibliography.library import inherited
from paper_notes.diagnostics import in_file_order
from paper_notes.sources.bibtex import parse_bibtex
from paper_notes.sources.tree import Source

CASES = yaml.safe_load(Path(__file__).with_name("crossrefs.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_is_inherited_and_what_is_said(case):
    entries, problems, strings = [], [], {}
    for name, text in case["files"].items():
        found, said = parse_bibtex(Source(PurePosixPath(name), text.encode()), strings)
        entries += found
        problems += said
    made, said = inherited(entries)
    entry = next(entry for entry in made if entry.key == case["of"])
    assert {name: field.value for name, field in entry.fields.items()} == case["fields"]
    assert "".join(f"{problem}\n" for problem in in_file_order([*problems, *said])) == case.get("says", "")
    assert entry.raw == case.get("raw", entry.raw)
    assert not any(entry.entry_type == "xdata" for entry in made)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_exported_entry_needs_no_other(case):
    entries, strings = [], {}
    for name, text in case["files"].items():
        entries += parse_bibtex(Source(PurePosixPath(name), text.encode()), strings)[0]
    entry = next(entry for entry in inherited(entries)[0] if entry.key == case["of"])
    (again,), problems = parse_bibtex(Source(PurePosixPath("x.bib"), entry.raw.encode()))
    assert problems == ()
    assert {name: field.value for name, field in again.fields.items()} == case["fields"]


def test_a_chain_without_end_is_no_trouble():
    text = "".join(f"@misc{{k{n}, title = {{T}}, author = {{A}}, crossref = {{k{n + 1}}}}}\n" for n in range(5010))
    entries, _ = parse_bibtex(Source(PurePosixPath("x.bib"), (text + "@misc{k5010, note = {end}}").encode()))
    made, problems = inherited(entries)
    assert str(problems[0]) == (
        "x.bib:20:50: error[crossref-cycle]: crossref leads on over more than 20 entries\n"
        "  hint: delete one crossref of them"
    )
    assert made[-2].fields["note"].value == "end"
