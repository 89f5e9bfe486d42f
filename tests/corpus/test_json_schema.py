"""The schemas that editors get: they let all through that is right, and see the usual mistakes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
import yaml
from running import PROJECT, paper_notes, write

from paper_notes.commands.schema import NAMES
from paper_notes.corpus.schema import SCHEMAS, json_schema

jsonschema = pytest.importorskip("jsonschema", reason="it comes with check-jsonschema, which the oldest versions lack")

GOOD = [
    PROJECT / "notes_src",
    *(PROJECT / "tests/sites" / name / "notes_src" for name in ("bilingual", "one-language")),
]
RIGHT = [path for folder in GOOD for path in sorted(folder.rglob("*.yaml")) if path.stem in SCHEMAS]


def judged(name: str, text: str) -> list[str]:
    """What an editor underlines. A day is a text to them, and for PyYAML a value of its own."""
    value = json.loads(json.dumps(yaml.safe_load(text), default=str))
    return [error.message for error in validator(name).iter_errors(value)]


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads(json_schema(name))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.relative_to(PROJECT).as_posix())
def test_what_is_right_is_right_in_an_editor(path: Path) -> None:
    assert judged(path.stem, path.read_text("utf-8")) == []


LENIENT = {
    "a title in one language": ("topic", "title: Reinforcement learning"),
    "a title that is a number": ("note", "title: 2017"),
    "steps by number and by name": ("topic", "title: T\nreading_paths: [{id: a, title: T, steps: [1, models/2]}]"),
    "one tag without brackets": ("note", "title: T\ntags: rl"),
    "readme as a switch": ("site", "title: T\ntopics: [a]\nreadme: true"),
    "readmes by name and with settings": ("site", "title: T\ntopics: [a]\nreadme: [README.md, {file: a.md, lang: en}]"),
    "a term": ("glossary", "- {zh: 项, en: term, aliases: [Term], definition: {en: A word.}}"),
    "a look": (
        "site",
        "title: T\ntopics: [a]\naccent: '#0a6'\nlogo: {light: a.svg, dark: b.svg}\nfonts: {text: A, code: [B]}",
    ),
    "a navigation": ("site", "title: T\ntopics: [a]\nnavigation: [about, {title: T, link: 'https://a.b'}]"),
    "kinds": (
        "site",
        "title: T\ntopics: [a]\nkinds: {idea: Idea, talk: {name: {en: T}, colour: 320}, digest: {colour: red}}",
    ),
    "a kind that a collection may have": ("note", "title: T\nkind: idea"),
    "a tag": ("site", "title: T\ntopics: [a]\ntags: {rl: {zh: 强化学习, aliases: RL}}"),
}


@pytest.mark.parametrize(("name", "text"), LENIENT.values(), ids=LENIENT.keys())
def test_what_may_be_written_shorter_may_be_so_there(name: str, text: str) -> None:
    assert judged(name, text) == []


MISTAKES = {
    "a misspelt key": ("note", "title: T\nsumary: S"),
    "a colour without quotes": ("site", "title: T\ntopics: [a]\naccent: #0a6b4f"),
    "a colour by its name": ("site", "title: T\ntopics: [a]\naccent: {light: green}"),
    "no title": ("topic", "emoji: x"),
    "an unknown colour": ("site", "title: T\ntopics: [a]\nkinds: {idea: {name: I, colour: pink}}"),
    "an unknown status": ("note", "title: T\nstatus: done"),
    "a rating of six": ("note", "title: T\nrating: 6"),
    "topics that are no list": ("site", "title: T\ntopics: rl"),
    "a glossary that is no list": ("glossary", "zh: 项\nen: term"),
    "an id with a space": ("topic", "title: T\nreading_paths: [{id: a b, title: T, steps: [1]}]"),
}


@pytest.mark.parametrize(("name", "text"), MISTAKES.values(), ids=MISTAKES.keys())
def test_usual_mistakes_are_seen(name: str, text: str) -> None:
    assert judged(name, text)


def test_the_command_prints_each_of_them(tmp_path: Path) -> None:
    assert set(NAMES) == set(SCHEMAS)
    for name in NAMES:
        printed = paper_notes("schema", name, "--root", tmp_path).stdout
        assert json.loads(printed) == json.loads(json_schema(name))
    assert paper_notes("schema", "paper").exit_code == 2


def test_in_a_collection_it_knows_the_kinds_of_notes(tmp_path: Path) -> None:
    write(tmp_path, {"notes_src/site.yaml": "title: T\ntopics: [a]\nkinds: {idea: Idea}\n"})
    printed = json.loads(paper_notes("schema", "note", "--root", tmp_path).stdout)
    judge = jsonschema.Draft202012Validator(printed)
    wrong = [kind for kind in ("paper", "idea", "ideas") if not judge.is_valid({"title": "T", "kind": kind})]
    assert wrong == ["ideas"]


def test_words_of_our_models_are_not_shown() -> None:
    assert "Value" not in "".join(
        line for line in json_schema("site").splitlines() if "$ref" not in line and "{" not in line
    )
    assert "`model." not in json_schema("note")
