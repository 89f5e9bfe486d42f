"""The languages of a site and their words, from `site.yaml` and the collection's own files."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import yaml
from building import said, source
from hypothesis import given
from hypothesis import strategies as st
from running import PROJECT

from paper_notes.corpus.load import load
from paper_notes.corpus.words import read_words
from paper_notes.diagnostics import Diagnostic
from paper_notes.languages.language import PLURALS, Words, language, places
from paper_notes.languages.text import Lang
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml import YamlDocument, parse_yaml

CASES = yaml.safe_load((Path(__file__).parent / "words.yaml").read_text("utf-8"))
COUNTED = next(word for word, text in language(Lang("en")).words.items() if places(text) == {"count"} and "one" in text)
"""A word that has plurals in English."""


def read(site: str, files: dict[str, str]) -> tuple[Words, str]:
    """The words of a collection of these files, and their diagnostics."""
    document = parse_yaml(PurePosixPath("notes_src/site.yaml"), site)
    assert isinstance(document, YamlDocument)
    by_path = {file.path: file for file in (source(f"notes_src/{name}", text) for name, text in files.items())}
    problems: list[Diagnostic] = []
    words = read_words(document, by_path, problems)
    return words, said(problems)


@pytest.mark.parametrize("case", CASES, ids=[case["claim"] for case in CASES])
def test_words(case: dict[str, Any]) -> None:
    languages = case.get("languages")
    line = "" if languages is None else f"languages: {json.dumps(languages).replace(chr(34), '')}\n"
    words, findings = read(f"title: x\n{line}", case.get("files", {}))
    assert list(words.tags) == case["become"]
    assert (
        findings.replace("notes_src/site", "site").replace("\nnotes_src/", "\n").removeprefix("notes_src/")
        == (case["said"])
    )
    for name, expected in case.get("words", {}).items():
        tag, word = name.split(" ")
        assert words[Lang(tag)](word) == expected


def own(word: str, message: object) -> str:
    """A file with one word."""
    for part in reversed(word.split(".")):
        message = {part: message}
    return json.dumps(message)


def test_what_is_counted_may_have_all_plurals_of_the_language() -> None:
    forms = {"one": "{count} notatka", "few": "{count} notatki", "many": "{count} notatek", "other": "{count} notatki"}
    words, findings = read("languages: [pl]\n", {"words.pl.yaml": own(COUNTED, forms)})
    assert "missing-words" in findings
    assert "error" not in findings
    assert [words[Lang("pl")](COUNTED, count=count) for count in (1, 2, 5)] == [
        "1 notatka",
        "2 notatki",
        "5 notatek",
    ]


def test_what_is_counted_may_have_one_form_for_all() -> None:
    words, findings = read("languages: [ko]\n", {"words.ko.yaml": own(COUNTED, "노트 {count}개")})
    assert "error" not in findings
    assert words[Lang("ko")](COUNTED, count=1) == "노트 1개"


@pytest.mark.parametrize("forms", [{"one": "x"}, {"other": "x", "sometimes": "y"}, {"other": ""}, {"other": None}, []])
def test_plurals_that_are_not_right_are_shown(forms: object) -> None:
    words, findings = read("languages: [en]\n", {"words.en.yaml": own(COUNTED, forms)})
    assert f"error[bad-value]: `{COUNTED}` must be a text\n  hint: write a text, or one for each of zero" in findings
    assert words[Lang("en")](COUNTED, count=1) == language(Lang("en"))(COUNTED, count=1)


def test_sections_have_other_names_too() -> None:
    words, findings = read("languages: [en]\n", {"words.en.yaml": "sections: {motivation: [' Aims ']}\n"})
    assert findings == ""
    assert words[Lang("en")].sections["aims"] == words[Lang("en")].sections["motivation"] == "motivation"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_example_of_the_guide_is_right(lang: str) -> None:
    text = (PROJECT / f"notes_src/guide/02_The_collection/{lang}.md").read_text("utf-8")
    example = text.split("# notes_src/words.fr.yaml\n")[1].split("```")[0]
    words, findings = read("languages: [fr]\n", {"words.fr.yaml": example})
    assert "error" not in findings
    assert words[Lang("fr")].short == "FR"


def test_the_same_words_are_the_same_language() -> None:
    one, other, third = (
        read("languages: [en]\n", {"words.en.yaml": text})[0]
        for text in ("kind: {paper: Reading}\n", "# the same\nkind:\n  paper: Reading\n", "kind: {paper: Read}\n")
    )
    assert one == other
    assert one != third


KEYS = st.sampled_from(
    [*PLURALS, "kind", "paper", "kind.paper", "language", "name", "sections", "method", "", ".", "1", "x" * 300]
)
VALUES = st.recursive(
    st.none() | st.text("a{}count<& \n\\'\"é論", max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=12,
)


@given(VALUES, st.sampled_from(["en", "fr", "zh-Hant", "ja-JP"]))
def test_any_file_of_words_gives_words_and_findings(value: object, tag: str) -> None:
    text = json.dumps(value)
    words, _ = read(f"languages: [{tag}]\n", {f"words.{tag}.yaml": text})
    (known,) = words.languages
    assert known.words.keys() == language(Lang("en")).words.keys()
    assert all(isinstance(known(word, count=1), str) for word in known.words if word.startswith("kind."))


@given(VALUES)
def test_any_value_of_languages_gives_words(value: object) -> None:
    words, _ = read(json.dumps({"languages": value}), {})
    assert 1 <= len(words.languages) <= 2


def test_a_mistake_in_site_yaml_leaves_the_languages_known() -> None:
    files = {
        "site.yaml": "languages: [ja]\ntopics: [a]\n",
        "a/topic.yaml": "title: あ\n",
        "a/01_A/note.yaml": "title: 甲\n",
        "a/01_A/ja.md": "本文。\n",
    }
    sources = tuple(Source(PurePosixPath("notes_src", name), text.encode()) for name, text in files.items())
    assert [problem.rule for problem in load(sources)[1]] == ["missing-key"]
