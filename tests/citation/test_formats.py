"""Bibliographies as BibTeX, CSL-JSON and RIS, and what pages tell programs about a paper: field by field."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

import bibtexparser
import pytest
import yaml
from running import PROJECT

from paper_notes.citation.formats import bibtex, csl_json, ris
from paper_notes.citation.page_metadata import context_object, highwire
from paper_notes.corpus.bibliography.library import read_library
from paper_notes.corpus.paper import Paper
from paper_notes.sources.bibtex import MONTHS, parse_bibtex
from paper_notes.sources.tree import Source

HERE = Path(__file__).parent
CASES = yaml.safe_load((HERE / "cases.yaml").read_text("utf-8"))
SCHEMA = yaml.safe_load((HERE / "csl_schema.yaml").read_text("utf-8"))
SAMPLE = (PROJECT / "notes_src" / "library.bib").read_text("utf-8")


@cache
def papers(text: str) -> tuple[Paper, ...]:
    found, problems = read_library([Source(PurePosixPath("notes_src/library.bib"), text.encode())], asked=("note",))
    assert problems == ()
    return tuple(found.values())


def mistakes(item: dict[str, object]) -> list[str]:
    """What CSL's schema has against an item; `csl_schema.yaml` says where that comes from."""
    people, dates, texts, loose, parts = (
        frozenset(SCHEMA[name].split()) for name in ("people", "dates", "texts", "texts_or_numbers", "name_parts")
    )
    wrong = [name for name in ("type", "id") if name not in item]
    for name, value in item.items():
        if name == "type":
            fine = value in SCHEMA["types"].split()
        elif name in people:
            fine = isinstance(value, list) and all(
                isinstance(person, dict) and person.keys() <= parts and all(isinstance(v, str) for v in person.values())
                for person in value
            )
        elif name in dates:
            pieces = value.get("date-parts") if isinstance(value, dict) and value.keys() == {"date-parts"} else None
            fine = isinstance(pieces, list) and 1 <= len(pieces) <= 2 and all(1 <= len(piece) <= 3 for piece in pieces)
        else:
            fine = (name in texts and isinstance(value, str)) or (name in loose and isinstance(value, str | int))
        wrong += [] if fine else [f"{name}: {value}"]
    return wrong


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_csl_json(case):
    (item, *_) = json.loads(csl_json(papers(case["bib"])))
    assert item == case["csl"]
    assert mistakes(item) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_ris_line_by_line(case):
    assert ris(papers(case["bib"])[:1]) == re.sub(r"^ER  -$", "ER  - ", case["ris"], flags=re.MULTILINE)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_highwire_elements(case):
    assert [[name, text] for name, text in highwire(papers(case["bib"])[0])] == [
        [f"citation_{name}", text] for name, text in case["highwire"]
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_context_objects(case):
    """Read the way Zotero reads them: cut at every `&` and `=`, then decoded."""
    pairs = [pair.split("=") for pair in context_object(papers(case["bib"])[0]).split("&")]
    assert [[key, unquote(value)] for key, value in pairs] == [["ctx_ver", "Z39.88-2004"], *case["coins"]]


@pytest.mark.parametrize("text", [SAMPLE, *(case["bib"] for case in CASES)], ids=lambda text: text[:30])
def test_exported_bibtex_is_the_same_papers_again(text):
    found = papers(text)
    again = papers(bibtex(found))
    assert csl_json(again) == csl_json(found)
    assert [paper.links for paper in again] == [paper.links for paper in found]
    assert bibtex(again) == bibtex(found)


@pytest.mark.parametrize("text", [SAMPLE, *(case["bib"] for case in CASES)], ids=lambda text: text[:30])
def test_bibtexparser_reads_the_same_entries(text):
    exported = bibtex(papers(text))
    library = bibtexparser.parse_string(exported)
    assert library.failed_blocks == []
    ours, problems = parse_bibtex(Source(PurePosixPath("x.bib"), exported.encode()))
    assert problems == ()
    assert [(entry.key, entry.entry_type) for entry in library.entries] == [(e.key, e.entry_type) for e in ours]
    for theirs, entry in zip(library.entries, ours, strict=True):
        fields = {field.key.lower(): str(field.value) for field in theirs.fields}
        fields = {name: MONTHS.get(value, value) if name == "month" else value for name, value in fields.items()}
        assert fields == {name: field.value for name, field in entry.fields.items()}


def test_the_sample_library_is_valid_csl():
    items = json.loads(csl_json(papers(SAMPLE)))
    assert len(items) > 30
    assert [mistake for item in items for mistake in mistakes(item)] == []


def test_the_schema_finds_what_is_wrong():
    item = {"type": "paper", "title": 3, "author": [{"name": "x"}], "issued": {"date-parts": []}, "colour": "red"}
    assert [mistake.partition(":")[0] for mistake in mistakes(item)] == ["id", *item]


def test_ris_has_one_line_for_each_value_and_a_line_between_papers():
    text = ris(papers(SAMPLE))
    records = text.split("\n\n")
    assert len(records) == len(papers(SAMPLE))
    for line in text.splitlines():
        assert not line or re.fullmatch(r"[A-Z][A-Z0-9]  - .*", line), line
    assert all(record.startswith("TY  - ") and record.strip("\n").endswith("ER  - ") for record in records)


def test_no_papers_are_empty_files_of_their_kind():
    assert json.loads(csl_json([])) == []
    assert ris([]) == ""
