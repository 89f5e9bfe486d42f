"""The front matter of an original as it came: each of its keys is in note.yaml, or else in `extra`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from paper_notes.diagnostics import Diagnostic
from paper_notes.features.importing.completeness import FRONT_MATTER, words_of
from paper_notes.features.importing.types import Original
from paper_notes.sources.yaml import parse_yaml

_TIME = re.compile(r"[T ]\d\d:\d\d.*")
_NOTHING: tuple[object, ...] = (None, "", [], {}, False, "false", "no", "off")


def unsaid(original: Original, said: Iterable[str], papers: Iterable[str]) -> dict[str, Any]:
    """The keys, and their values, that are not in what is `said` of a note; none if nothing can read them.

    Less than half of the words of such a value are there, and it names none of the note's `papers` by their ids.
    """
    known = {word.lstrip("0") for text in said for word in words_of(text)}
    ids = tuple(papers)

    def is_unsaid(value: object) -> bool:
        words = {word.lstrip("0") for word in words_of(_TIME.sub("", str(value)))}
        return len(words & known) * 2 < len(words) and not any(name in str(value) for name in ids)

    values = _values(original)
    return {str(key): value for key, value in values.items() if value not in _NOTHING and is_unsaid(value)}


def _values(original: Original) -> Mapping[Any, Any]:
    match = FRONT_MATTER.match(original.text)
    if match is None:
        return {}
    if match["toml"] is not None:
        try:
            return tomllib.loads(match["toml"])
        except (tomllib.TOMLDecodeError, RecursionError):
            return {}
    document = parse_yaml(original.path, match["yaml"], 2)
    return document.value if not isinstance(document, Diagnostic) and isinstance(document.value, dict) else {}
