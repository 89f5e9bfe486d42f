"""The catalogue of rules: why each is reported and how to fix it. The texts are data: one YAML file per family."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from paper_notes.sources.yaml import packaged_yaml
from paper_notes.values import Struct

Text = Mapping[str, str]
"""A text by language tag. All texts of a family have the languages of its title."""
FAMILIES = ("files", "notes", "text", "bibtex", "pdf", "facts", "site")
"""The files of the catalogue, in the order of the guide."""


class RuleDoc(Struct, frozen=True):
    """What the user reads about a rule: one or two sentences of Markdown each."""

    cause: Text
    cure: Text


class Family(Struct, frozen=True):
    """Rules about one subject, by id, in the order of the guide."""

    title: Text
    rules: Mapping[str, RuleDoc]


@cache
def families() -> Mapping[str, Family]:
    """The whole catalogue, by the names in FAMILIES."""
    return dict(zip(FAMILIES, map(_family, FAMILIES), strict=True))


@cache
def rule_docs() -> Mapping[str, RuleDoc]:
    """All rules by id, in the order of the guide."""
    return {rule: doc for family in families().values() for rule, doc in family.rules.items()}


def _family(name: str) -> Family:
    data = packaged_yaml(__name__, f"{name}.yaml")
    return Family(data["title"], {rule: RuleDoc(**texts) for rule, texts in data["rules"].items()})
