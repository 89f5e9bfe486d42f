"""What a new collection says, in each language: a file of texts beside this module."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Any

from paper_notes.diagnostics import Diagnostic
from paper_notes.languages.language import Language, Words, flat, language, nearest
from paper_notes.languages.text import Lang
from paper_notes.sources.yaml import parse_yaml


def starting_words(*tags: Lang) -> Words:
    """The texts of new collections as words, by ids such as `note`. Raises KeyError for languages that have none.

    They are not among the words of pages: whoever translates those need not translate the beginning.
    """
    return Words(tuple(map(_words, tags)))


def _words(tag: Lang) -> Language:
    base = nearest(tag)
    if base is None:
        raise KeyError(tag)
    name = f"{base}.yaml"
    document = parse_yaml(PurePosixPath(name), files(__package__).joinpath(name).read_text("utf-8"))
    assert not isinstance(document, Diagnostic), document
    data: Any = document.value
    return replace(language(tag), words=flat(data))
