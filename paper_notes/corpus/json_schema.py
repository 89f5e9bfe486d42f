"""What the YAML files may say, as JSON Schema: editors complete keys and underline mistakes with it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from paper_notes.corpus.schema import GlossaryFile, NoteFile, SiteFile, TopicFile

SCHEMAS: Mapping[str, type[SiteFile | TopicFile | NoteFile | GlossaryFile]] = MappingProxyType(
    {"site": SiteFile, "topic": TopicFile, "note": NoteFile, "glossary": GlossaryFile}
)
"""The models of files by their names without `.yaml`."""
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(name: str, kinds: Iterable[str] | None = None) -> str:
    """The schema of one kind of file. Raises KeyError. `kinds` are those that notes may have, if that is known."""
    schema = SCHEMAS[name].model_json_schema()
    if name == "note" and kinds is not None:
        schema["properties"]["kind"]["anyOf"] = [{"enum": [*kinds]}]
    if name == "glossary":  # the file is the list itself
        schema = {"$defs": schema["$defs"], **schema["properties"]["terms"]}
    schema = {"$schema": _DIALECT, "title": f"{name}.yaml", **_for_editors(schema)}
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def _for_editors(schema: Any) -> Any:
    """Without the words of our models; and where a text is asked for, `2017` is one, as it is for us."""
    if isinstance(schema, list):
        return [_for_editors(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    is_words = {key for key in ("title", "description") if isinstance(schema.get(key), str)}
    shown = {key: _for_editors(value) for key, value in schema.items() if key not in is_words}
    if shown.get("type") == "string" and not shown.keys() & {"enum", "format"}:
        shown["type"] = ["string", "number"]
    return shown
