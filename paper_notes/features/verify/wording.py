"""What words say in Chinese and English, such as that something rises: tables of words, `words.yaml`, as patterns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any

from paper_notes.sources.yaml import YamlDocument, parse_yaml


@cache
def word_table(package: str, name: str) -> Mapping[str, Any]:
    """The rows of a table of words that is beside the modules of a package."""
    read = parse_yaml(PurePosixPath(name), files(package).joinpath(name).read_text("utf-8"))
    assert isinstance(read, YamlDocument), read
    assert isinstance(read.value, dict)
    return read.value


def table_of_words() -> Mapping[str, Any]:
    """The rows of `words.yaml`."""
    return word_table(__package__, "words.yaml")


def pattern_of(words: str, lang: str) -> str:
    """The pattern of words of one language; English ones are whole words."""
    words = re.sub(r"\s*\|\s*", "|", words)  # a table has several lines of them
    return words if lang == "zh" else rf"\b(?:{words})(?!\w)"


def _finding(*rows: Mapping[str, str]) -> re.Pattern[str]:
    """What finds the words of rows in both languages."""
    return re.compile("|".join(pattern_of(words, lang) for row in rows for lang, words in row.items()), re.IGNORECASE)


@cache
def saying(*names: str) -> re.Pattern[str]:
    """What finds the words of these rows of `words.yaml`."""
    return _finding(*(table_of_words()[name] for name in names))


@cache
def boasts() -> Mapping[str, re.Pattern[str]]:
    """What finds the boasts of each kind."""
    return {name: _finding(row) for name, row in table_of_words()["boasts"].items()}
