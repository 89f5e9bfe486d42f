"""The schema of the YAML files, and the diagnostics of what it does not allow."""

from __future__ import annotations

import datetime
from pathlib import Path, PurePosixPath
from typing import TypeVar, get_type_hints

import pytest
import yaml
from building import said
from pydantic import BaseModel

from paper_notes.corpus import schema
from paper_notes.corpus.model import Lang, NoteFacts, Text
from paper_notes.corpus.schema import FrontMatter, GlossaryFile, NoteFile, SiteFile, TopicFile
from paper_notes.corpus.validate import validate
from paper_notes.sources.yaml import YamlDocument, parse_yaml

M = TypeVar("M", bound=BaseModel)
BROKEN = yaml.safe_load((Path(__file__).parent / "schema_broken.yaml").read_text("utf-8"))


def document(text: str) -> YamlDocument:
    parsed = parse_yaml(PurePosixPath("f.yaml"), text)
    assert isinstance(parsed, YamlDocument)
    return parsed


def valid(model: type[M], text: str, *languages: str) -> M:
    value, problems = validate(model, document(text), tuple(map(Lang, languages or ("zh", "en"))))
    assert problems == ()
    assert value is not None
    return value


@pytest.mark.parametrize("case", BROKEN, ids=[case["claim"] for case in BROKEN])
def test_mistakes(case: dict[str, str]) -> None:
    _, problems = validate(getattr(schema, case["model"]), document(case["text"]), ("zh", "en"))
    assert said(problems) == case["said"]


def test_the_keys_that_are_right_are_kept() -> None:
    note, problems = validate(NoteFile, document("title: x\ntags: [a]\nkind: papr\nqqq: z\nrating: 9\n"), ("zh", "en"))
    assert note == valid(NoteFile, "title: x\ntags: [a]\n")
    assert [problem.location.line for problem in problems] == [3, 5, 4]


@pytest.mark.parametrize("text", ["titel: x", "title: []", "title: ''", "- x", "x"])
def test_without_a_key_that_must_be_there_there_is_no_value(text: str) -> None:
    assert validate(NoteFile, document(text), ("zh", "en"))[0] is None


def test_a_note_with_everything() -> None:
    note = valid(
        NoteFile,
        """
title: {zh: 题, en: Title}
kind: comparison
papers: [a2020, "b2021"]
summary: {en: S}
tags: [x, 2506.11250]
created: 2026-01-02
updated: '2026-11-21'
status: revisit
rating: 5
own: yes
reading_source: html
reviewed: true
corrects:
  - {note: 15, claim: C, correction: {zh: 改}, date: 2026-01-03}
extra: {any: [thing, {at: all}]}
translated: {method: {zh: 0123456789, en: 00000e0000}}
""",
    )
    assert note.title == Text.of(zh="题", en="Title")
    assert (note.kind, note.papers, note.tags) == ("comparison", ("a2020", "b2021"), ("x", "2506.11250"))
    assert note.summary is not None
    assert note.summary == Text.of(en="S")
    assert (note.created, note.updated) == (datetime.date(2026, 1, 2), datetime.date(2026, 11, 21))
    assert (note.status, note.rating, note.own, note.reading_source, note.reviewed) == (
        "revisit",
        5,
        True,
        "html",
        True,
    )
    [correction] = note.corrects
    assert (correction.note, correction.claim, correction.correction) == (
        "15",
        Text.of(zh="C"),
        Text.of(zh="改"),
    )
    assert correction.date == datetime.date(2026, 1, 3)
    assert note.extra == {"any": ["thing", {"at": "all"}]}
    assert {section: tuple(value.values()) for section, value in note.translated.items()} == {
        "method": ("0123456789", "00000e0000")
    }


def test_facts_have_the_types_that_the_file_gives_them() -> None:
    """They are copied by name, which no type checker sees."""
    facts, file = get_type_hints(NoteFacts), get_type_hints(NoteFile)
    assert facts == {name: file[name] for name in facts}


def test_a_note_needs_a_title_only() -> None:
    note = valid(NoteFile, "title: x\nsummary:\ntags:\npapers:\ncreated: ~\n")
    assert (note.title, note.summary, note.tags, note.papers) == (Text.of(zh="x"), None, (), ())
    assert (note.kind, note.status, note.created, note.rating, note.own) == ("paper", "read", None, None, False)


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("title: x", "zh", Text.of(zh="x")),
        ("title: x", "en", Text.of(en="x")),
        ("title: {zh: x}", "en", Text.of(zh="x")),
        ("title: {zh: '', en: x}", "zh", Text.of(en="x")),
        ("title: {zh: ' ', en: x}", "zh", Text.of(en="x")),
        ("title: {zh: , en: x}", "zh", Text.of(en="x")),
        ("title: 2506.11250", "zh", Text.of(zh="2506.11250")),
        ("title: no", "en", Text.of(en="no")),
    ],
)
def test_a_bare_text_is_in_the_first_language_and_a_blank_one_is_missing(text: str, lang: Lang, expected: Text) -> None:
    assert valid(NoteFile, text, lang).title == expected


def test_a_single_text_is_a_list_of_one() -> None:
    assert valid(NoteFile, "title: x\npapers: a2020\ntags: b\n").papers == ("a2020",)


def test_the_site() -> None:
    site = valid(SiteFile, "title: x\ntopics: [a, b]\n")
    assert (site.languages, site.topics, site.base_url, site.readme) == (("zh", "en"), ("a", "b"), None, ())
    assert valid(SiteFile, "title: x\ntopics: [a]\nbase_url: https://me.example.org/x\n").base_url


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("readme: true", ["README.md"]),
        ("readme: yes", ["README.md"]),
        ("readme: false", []),
        ("readme:", []),
        ("readme: []", []),
        ("readme: [README.md, docs/./INDEX.md, {file: README.en.md, lang: en}, {lang: en}]",
         ["README.md", "docs/INDEX.md", "README.en.md", "README.md"]),
    ],
)  # fmt: skip
def test_the_readmes_of_a_site(text: str, files: list[str]) -> None:
    assert [target.file for target in valid(SiteFile, f"title: x\ntopics: [a]\n{text}\n").readme] == files


def test_a_topic() -> None:
    topic = valid(TopicFile, "title: x\nemoji: 🔵\nreading_paths: [{id: a-1, title: t, steps: [1, m/#2], guide: g}]\n")
    assert (topic.emoji, [step.note for step in topic.reading_paths[0].steps]) == ("🔵", ["1", "m/#2"])


def test_front_matter_has_a_language() -> None:
    assert valid(FrontMatter, "title: x\nlanguage: en\n").language == "en"
    assert valid(FrontMatter, "title: x\n").language is None


def test_a_glossary_may_be_empty() -> None:
    assert valid(GlossaryFile, "").terms == ()


def test_a_text_gives_the_other_language_for_one_it_has_not() -> None:
    text = Text.of(en="x")
    assert (text["zh"], text["en"], text.has("zh"), text.has("en")) == ("x", "x", False, True)
