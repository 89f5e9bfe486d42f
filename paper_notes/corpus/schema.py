"""What the YAML files may say: one model a file, and the mapping of its errors to places in the file."""

from __future__ import annotations

import datetime
import types
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, ValidationInfo
from pydantic_core import ErrorDetails, PydanticCustomError

from paper_notes.corpus.model import Kind, Lang, ReadingSource, Status, Text
from paper_notes.diagnostics import Diagnostic, did_you_mean
from paper_notes.sources.yaml import Path, YamlDocument

M = TypeVar("M", bound=BaseModel)


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class TextValue(_File):
    """A text as YAML has it: `{zh: ..., en: ...}`, or a bare string in the site's first language."""

    zh: str | None = None
    en: str | None = None

    def text(self) -> Text:
        return Text(zh=self.zh, en=self.en)


def _bare_string(value: object, info: ValidationInfo) -> object:
    if isinstance(value, str):
        context: Mapping[str, str] = info.context or {}
        return {context.get("lang", "zh"): value}
    if isinstance(value, dict) and not any(value.get(lang) for lang in ("zh", "en")) and value.keys() <= {"zh", "en"}:
        raise PydanticCustomError("empty_text", "the text is empty in both languages")
    return value


def _one_or_more(value: object) -> object:
    return [value] if isinstance(value, str) else value


Bilingual = Annotated[TextValue, BeforeValidator(_bare_string)]
Strings = Annotated[tuple[str, ...], BeforeValidator(_one_or_more)]
"""A list of texts; a single one may stand without brackets."""


class SiteFile(_File):
    """`site.yaml`."""

    title: Bilingual
    description: Bilingual | None = None
    languages: tuple[Lang, ...] = Field(default=("zh", "en"), min_length=1)
    topics: tuple[str, ...] = Field(min_length=1)
    base_url: str | None = Field(default=None, pattern=r"^https?://[^\s/]+(/\S*)?$")
    readme: bool = False


class ReadingPathValue(_File):
    """An item of `reading_paths` in `topic.yaml`."""

    id: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    title: Bilingual
    steps: tuple[str, ...] = Field(min_length=1)
    guide: Bilingual | None = None


class TopicFile(_File):
    """`topic.yaml`."""

    title: Bilingual
    emoji: str = ""
    intro: Bilingual | None = None
    reading_paths: tuple[ReadingPathValue, ...] = ()


class CorrectionValue(_File):
    """An item of `corrects` in `note.yaml`."""

    note: str
    claim: Bilingual
    correction: Bilingual
    date: datetime.date | None = None


class NoteFile(_File):
    """`note.yaml`; see `model.Note` for what the keys mean."""

    title: Bilingual
    kind: Kind = "paper"
    papers: Strings = ()
    summary: Bilingual | None = None
    tags: Strings = ()
    created: datetime.date | None = None
    updated: datetime.date | None = None
    status: Status = "read"
    rating: int | None = Field(default=None, ge=1, le=5)
    own: bool = False
    reading_source: ReadingSource | None = None
    reviewed: bool = False
    corrects: tuple[CorrectionValue, ...] = ()
    extra: dict[str, Any] = Field(default_factory=dict)


class FrontMatter(NoteFile):
    """The head of a note that is a single file: a `note.yaml`, and the language of the text."""

    language: Lang | None = None


class TermValue(_File):
    """A row of `glossary.yaml`."""

    zh: str = Field(min_length=1)
    en: str = Field(min_length=1)
    aliases: Strings = ()
    definition: Bilingual | None = None


class GlossaryFile(_File):
    """`glossary.yaml`, its list put under `terms`."""

    terms: tuple[TermValue, ...]


def validate(model: type[M], document: YamlDocument, lang: Lang) -> tuple[M | None, tuple[Diagnostic, ...]]:
    """The file as a model, or all that is wrong with it. `lang` is what a bare string counts as."""
    if not isinstance(document.value, dict):
        message = "the file must be a mapping: lines of `key: value`"
        return None, (Diagnostic(document.location(()), "bad-value", message),)
    try:
        return model.model_validate(document.value, context={"lang": lang}), ()
    except ValidationError as error:
        return None, tuple(_diagnostic(model, document, details) for details in error.errors())


def _diagnostic(model: type[BaseModel], document: YamlDocument, error: ErrorDetails) -> Diagnostic:
    path: Path = error["loc"]
    kind, context = error["type"], error.get("ctx", {})
    if kind == "extra_forbidden":
        hint = did_you_mean(str(path[-1]), _keys_at(model, path[:-1]))
        return Diagnostic(document.location(path, key=True), "unknown-key", f'unknown key "{path[-1]}"', hint)
    if kind == "missing":
        where = document.location(path[:-1])
        return Diagnostic(where, "missing-key", f'the key "{path[-1]}" is missing', f"add `{path[-1]}:`")
    where = document.location(path)
    name = ".".join(str(part) for part in path)
    given = error.get("input")
    if kind == "literal_error":
        choices = [choice.strip(" '") for choice in context["expected"].replace(" or ", ", ").split(", ")]
        hint = did_you_mean(str(given), choices)
        return Diagnostic(where, "bad-value", f'"{given}" is not a {path[-1] if path else "value"}', hint)
    return Diagnostic(where, "bad-value", f"{name}: {_what(kind, error['msg'], given)}", _HINTS.get(kind, ""))


def _what(kind: str, message: str, given: object) -> str:
    shown = f'"{given}"' if isinstance(given, str) else "nothing" if given is None else "this"
    wanted = _WANTED.get(kind)
    return f"{shown} is not {wanted}" if wanted else message[:1].lower() + message[1:]


_WANTED = {
    "date_from_datetime_parsing": "a date",
    "date_parsing": "a date",
    "date_type": "a date",
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "int_parsing": "a whole number",
    "int_type": "a whole number",
    "string_type": "a text",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a text or a mapping with zh and en",
    "model_attributes_type": "a text or a mapping with zh and en",
    "string_pattern_mismatch": "of the right form",
    "greater_than_equal": "in the range 1 to 5",
    "less_than_equal": "in the range 1 to 5",
}
_HINTS = {
    "date_from_datetime_parsing": "write it as 2026-11-21",
    "date_parsing": "write it as 2026-11-21",
    "tuple_type": "write it as [a, b], or as lines that start with `- `",
    "empty_text": "write {zh: ..., en: ...}, or one text",
    "too_short": "give at least one",
}


def _keys_at(model: type[BaseModel], path: Path) -> tuple[str, ...]:
    """The keys that the schema knows for the mapping at `path`."""
    current: object = model
    for step in path:
        models = _models_in(current)
        if isinstance(step, str) and models:
            current = models[0].model_fields[step].annotation
    models = _models_in(current)
    return tuple(models[0].model_fields) if models else ()


def _models_in(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    if get_origin(annotation) in (Union, types.UnionType, tuple, Annotated, Literal):
        return [model for part in get_args(annotation) for model in _models_in(part)]
    return []
