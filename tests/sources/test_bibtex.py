"""BibTeX: entries, their positions, and the diagnostics of what cannot be read."""

import subprocess
import sys
import time
from pathlib import Path, PurePosixPath

import pytest
import yaml

from paper_notes.diagnostics import Diagnostic
from paper_notes.sources import bibtex
from paper_notes.sources.bibtex import BibEntry, parse_bibtex
from paper_notes.sources.tree import Source

BROKEN = yaml.safe_load(Path(__file__).with_name("bibtex_cases.yaml").read_text("utf-8"))
SOUND = yaml.safe_load(Path(__file__).with_name("bibtex_values.yaml").read_text("utf-8"))


def parse(text: str) -> tuple[tuple[BibEntry, ...], tuple[Diagnostic, ...]]:
    return parse_bibtex(Source(PurePosixPath("library.bib"), text.encode()))


def values(entry: BibEntry) -> dict[str, str]:
    return {name: field.value for name, field in entry.fields.items()}


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case["name"])
def test_what_is_said(case):
    entries, problems = parse(case["bib"])
    assert "".join(f"{problem}\n" for problem in problems) == case["says"]
    assert [entry.key for entry in entries] == case["keys"]


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case["name"])
def test_what_is_read(case):
    entries, problems = parse(case["bib"])
    entry = entries[-1]
    assert problems == ()
    assert values(entry) == case["fields"]
    assert (entry.key, entry.entry_type) == (case.get("key", "a"), case.get("type", entry.entry_type))
    assert entry.raw == case.get("raw", case["bib"])


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case["name"])
def test_the_exported_text_reads_the_same(case):
    entry = parse(case["bib"])[0][-1]
    (again,), problems = parse(entry.raw)
    assert problems == ()
    assert (again.key, again.entry_type, values(again)) == (entry.key, entry.entry_type, values(entry))
    assert again.raw == entry.raw


def test_places_count_characters_from_one():
    entries, _ = parse('\ufeff% 注\r\n@misc{a,\r\n\t标题 = {甲}, year =\r\n  # jan\r\n}\r\n@misc{b, note = "x" # {y}}')
    places = [str(entry.location) for entry in entries]
    assert places == ["library.bib:2:1", "library.bib:6:1"]
    assert str(entries[0].fields["标题"].location) == "library.bib:3:7"
    assert str(entries[1].fields["note"].location) == "library.bib:6:17"


def test_what_can_be_read_of_a_broken_entry_is_read():
    entries, _ = parse("@misc{a,\n title = {A {B},\n year = {2020},\n note {x},\n month = foo\n doi = {10.1/x}\n")
    assert values(entries[0]) == {"title": "A {B}", "year": "2020", "month": "foo", "doi": "10.1/x"}


def test_strings_cannot_grow_without_end():
    doubling = "".join(f"@string{{s{n + 1} = s{n} # s{n}}}\n" for n in range(60))
    _, problems = parse(f'@string{{s0 = "{"x" * 60}"}}\n{doubling}@misc{{a, title = s60}}\n')
    assert str(problems[0]) == (
        'library.bib:12:15: error[bad-value]: the value of "s11" is too long\n  hint: look at its @string values'
    )


def test_values_made_with_strings_cannot_be_long_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bibtex, "_MAX_RESOLVED_IN_ALL", 10)
    entries, problems = parse('@string{s = "12345"}\n@misc{a, b = s, c = s, d = {plain, not made}, e = s, f = s}')
    assert values(entries[0]) == {
        "b": "12345",
        "c": "12345",
        "d": "plain, not made",
        "e": "12345",
        "f": "",
    }
    assert "".join(map(str, problems)) == (
        "library.bib:2:51: error[bad-value]: the values of this file that are made with @string are too long in all\n"
        "  hint: look at its @string values"
    )


@pytest.mark.parametrize(
    "text", ["", "\n", "% only a comment", "@", "@misc", "@misc{", "@{", "{", "}", "@string{", '@a{b,c="']
)
def test_no_text_is_too_odd(text):
    entries, problems = parse(text)
    assert len(entries) <= 1
    assert (problems == ()) == (not text.strip("\n") or text.startswith("%"))


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("@a{" * 3000, "bad-bibkey"),
        ("@misc{a," + 't="' * 3000, "missing-comma"),
        ("@misc{a,t=" + "{" * 90_000, "unclosed-brace"),
        (",\n" * 9000, "unread-text"),
        ("@misc{a" + " " * 90_000, "unclosed-brace"),
    ],
    ids=lambda text: text[:12],
)
def test_long_and_broken_files_take_no_time(text, rule):
    start = time.process_time()
    assert rule in {problem.rule for problem in parse(text)[1]}
    assert time.process_time() - start < 5


def test_strings_of_a_file_hold_in_the_files_after_it():
    strings: dict[str, str] = {}
    first = Source(PurePosixPath("a.bib"), b'@string{acl = "ACL"}\n@misc{a, note = acl # icml}')
    second = Source(PurePosixPath("b.bib"), b'@string{ICML = {ICML}}\n@misc{b, note = icml # " and " # ACL}')
    _, early = parse_bibtex(first, strings)
    (entry,), problems = parse_bibtex(second, strings)
    assert str(early[0]) == (
        'a.bib:2:23: error[undefined-bib-string]: no @string "icml" is defined up to here\n'
        '  hint: write {icml} if it is text, or define it above: @string{icml = "..."}'
    )
    assert (values(entry), problems, strings) == ({"note": "ICML and ACL"}, (), {"acl": "ACL", "icml": "ICML"})
    assert entry.raw == "@misc{b, note = {ICML and ACL}}"


def test_nothing_but_our_own_code_is_imported_to_read_bibtex():
    module = "paper_notes.corpus.bibliography.from_bibtex"
    code = f"import sys, {module}; print({{'bibtexparser', 'pylatexenc'}} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


@pytest.mark.nightly
def test_thousands_of_braces_that_are_never_closed_take_a_moment() -> None:
    text = "@misc{a,\n" + "title = {x,\nnote = {y,\n" * 1_500 + "}\n"
    start = time.process_time()
    _, problems = parse(text)
    assert len(problems) > 2_400
    assert time.process_time() - start < 10
