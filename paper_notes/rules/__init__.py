"""The catalogue of rules: why each is reported and how to fix it. The texts are data: one YAML file per family."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath

from paper_notes.diagnostics import Diagnostic
from paper_notes.sources.yaml import parse_yaml

Text = Mapping[str, str]
"""A text by language tag. All texts of a family have the languages of its title."""
FAMILIES = ("files", "notes", "text", "bibtex", "pdf", "facts", "site")
"""The files of the catalogue, in the order of the guide."""
_ID = re.compile(r"[a-z]+(-[a-z0-9]+)+")


@dataclass(frozen=True, slots=True)
class RuleDoc:
    """What the user reads about a rule: one or two sentences of Markdown each."""

    cause: Text
    cure: Text


@dataclass(frozen=True, slots=True)
class Family:
    """Rules about one subject, by id, in the order of the guide."""

    title: Text
    rules: Mapping[str, RuleDoc]


@cache
def families() -> Mapping[str, Family]:
    """The whole catalogue, by the names in FAMILIES. Reads the data; raises ValueError where it is wrong."""
    return {name: parse_family(name, files(__name__).joinpath(f"{name}.yaml").read_text("utf-8")) for name in FAMILIES}


@cache
def rule_docs() -> Mapping[str, RuleDoc]:
    """All rules by id, in the order of the guide. Raises ValueError where the data is wrong."""
    return {rule: doc for family in families().values() for rule, doc in family.rules.items()}


def parse_family(name: str, data: str) -> Family:
    """A family from its YAML. Raises ValueError: syntax, keys, ids, or a text that lacks a language."""
    document = parse_yaml(PurePosixPath(f"{name}.yaml"), data)
    if isinstance(document, Diagnostic):
        raise ValueError(str(document))
    top = _mapping(name, document.value, ("title", "rules"))
    title = _text(f"{name}: title", top["title"])
    rules = {}
    for rule, value in _mapping(f"{name}: rules", top["rules"]).items():
        if not _ID.fullmatch(rule):
            raise ValueError(f"{name}: {rule} is not a kebab-case id")
        parts = _mapping(f"{name}: {rule}", value, ("cause", "cure"))
        texts = {part: _text(f"{name}: {rule}: {part}", text, tuple(title)) for part, text in parts.items()}
        rules[rule] = RuleDoc(**texts)
    return Family(title, rules)


def _mapping(where: str, value: object, keys: tuple[str, ...] = ()) -> dict[str, object]:
    if not isinstance(value, dict) or (keys and tuple(value) != keys):
        raise ValueError(f"{where} is not a mapping{' of ' if keys else ''}{', '.join(keys)}")
    return value


def _text(where: str, value: object, languages: tuple[str, ...] = ()) -> Text:
    texts = _mapping(where, value, languages)
    if not all(text and isinstance(text, str) for text in texts.values()):
        raise ValueError(f"{where} has a language without text")
    return {language: str(text) for language, text in texts.items()}
