"""What the YAML files may say: one model a file, and the mapping of its errors to places in the file."""

from __future__ import annotations

import datetime
import re
import types
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, ValidationInfo
from pydantic_core import ErrorDetails, PydanticCustomError

from paper_notes.corpus.model import Content, Fact, Kind, Lang, MetadataSource, ReadingSource, Status, Text
from paper_notes.diagnostics import Diagnostic, Suggestions
from paper_notes.sources.filenames import unusable
from paper_notes.sources.yaml import Path, YamlDocument
from paper_notes.typography import typographic

M = TypeVar("M", bound=BaseModel)


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


MAX_TEXT = 10_000
"""Characters of a text in a YAML file: titles, summaries and intros stand on many pages."""
MAX_TERM, MAX_STEPS, MAX_TOPICS = 100, 1_000, 500
"""Characters of a term, steps of a reading path, topics: every text or page goes through all of them."""


def _none_if_blank(value: str | None) -> str | None:
    if value and len(value) > MAX_TEXT:
        raise PydanticCustomError("long_text", "too long")
    return value if value and value.strip() else None


class TextValue(_File):
    """A text as YAML has it: `{zh: ..., en: ...}`, or a bare string in the site's first language."""

    zh: Annotated[str | None, AfterValidator(_none_if_blank)] = None
    en: Annotated[str | None, AfterValidator(_none_if_blank)] = None

    def text(self) -> Text:
        """Markdown, as it is written."""
        return Text(zh=self.zh, en=self.en)

    def plain(self) -> Text:
        """A text without marks, as it is shown."""
        return Text(*(half and typographic(half) for half in (self.zh, self.en)))


def _bare_string(value: object, info: ValidationInfo) -> object:
    if isinstance(value, str):
        context: Mapping[str, str] = info.context or {}
        value = {context.get("lang", "zh"): value}
    if isinstance(value, dict) and value.keys() <= {"zh", "en"} and not any(map(_is_text, value.values())):
        raise PydanticCustomError("empty_text", "the text is empty in both languages")
    return value


def _is_text(value: object) -> bool:
    return bool(value.strip()) if isinstance(value, str) else value is not None


def _any_number(value: object) -> object:
    return [value] if isinstance(value, str) else () if value is None else value


def _iso_date(value: object) -> object:
    if isinstance(value, str) and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        raise PydanticCustomError("date_parsing", "no date")
    return value


def _digest(value: str) -> str:
    if not re.fullmatch(r"[0-9a-f]{10}", value):
        raise PydanticCustomError("digest", "no digest")
    return value


Digest = Annotated[str, AfterValidator(_digest)]
Bilingual = Annotated[TextValue, BeforeValidator(_bare_string)]
Strings = Annotated[tuple[str, ...], BeforeValidator(_any_number)]
"""A list of texts; a single one may stand without brackets, and none without anything."""
Terms = Annotated[tuple[Annotated[str, Field(max_length=MAX_TERM)], ...], BeforeValidator(_any_number)]
Day = Annotated[datetime.date, BeforeValidator(_iso_date)]


class TagValue(_File):
    """What `site.yaml` says about a tag, under its name."""

    zh: Annotated[str | None, AfterValidator(_none_if_blank)] = None
    en: Annotated[str | None, AfterValidator(_none_if_blank)] = None
    aliases: Strings = ()


def _readme_targets(value: object) -> object:
    """`true` means the README at the root; a bare name means a file with nothing else said about it."""
    if value is None or (isinstance(value, str) and value.lower() in ("true", "false", "yes", "no")):
        return ({},) if isinstance(value, str) and value.lower() in ("true", "yes") else ()
    if not isinstance(value, list):
        raise PydanticCustomError("readme", "no list")
    return [{"file": item} if isinstance(item, str) else item for item in value]


def _readme_file(value: str) -> str:
    path = PurePosixPath(value)
    first = path.parts[0].casefold() if path.parts else ""
    outside = path.is_absolute() or ".." in path.parts or first in ("site", "notes_src", ".git", ".paper-notes")
    if outside or any(map(unusable, path.parts)) or path.suffix.lower() not in (".md", ".markdown"):
        raise PydanticCustomError("readme_file", "no file")
    return str(path)


class ReadmeValue(_File):
    """An item of `readme` in `site.yaml`; see `model.ReadmeTarget`."""

    file: Annotated[str, AfterValidator(_readme_file)] = "README.md"
    region: str = Field(default="", pattern=r"^[a-z]?[a-z0-9-]*$")
    content: Content | None = None
    lang: Lang | None = None
    topic: str | None = None


class SiteFile(_File):
    """`site.yaml`."""

    title: Bilingual
    description: Bilingual | None = None
    languages: tuple[Lang, ...] = Field(default=("zh", "en"), min_length=1)
    topics: tuple[str, ...] = Field(min_length=1, max_length=MAX_TOPICS)
    base_url: str | None = Field(default=None, pattern=r"^https?://[^\s/]+(/\S*)?$")
    readme: Annotated[tuple[ReadmeValue, ...], BeforeValidator(_readme_targets)] = ()
    author: Bilingual | None = None
    tags: dict[str, TagValue] = Field(default_factory=dict)


class ReadingPathValue(_File):
    """An item of `reading_paths` in `topic.yaml`."""

    id: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    title: Bilingual
    steps: tuple[str, ...] = Field(min_length=1, max_length=MAX_STEPS)
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
    date: Day | None = None


class TranslatedValue(_File):
    """An item of `translated` in `note.yaml`; see `model.Translated`."""

    zh: Digest
    en: Digest


class MetadataValue(_File):
    """`metadata` in `note.yaml`; see `model.Metadata`."""

    source: MetadataSource
    date: Day
    missing: tuple[Fact, ...] = ()


class NoteFile(_File):
    """`note.yaml`; see `model.NoteFacts` and `model.Note` for what the keys mean."""

    title: Bilingual
    kind: Kind = "paper"
    papers: Strings = ()
    summary: Bilingual | None = None
    tags: Strings = ()
    created: Day | None = None
    updated: Day | None = None
    status: Status = "read"
    rating: int | None = Field(default=None, ge=1, le=5)
    own: bool = False
    reading_source: ReadingSource | None = None
    reviewed: bool = False
    corrects: tuple[CorrectionValue, ...] = ()
    thumbnail: bool = True
    publish_pdf: bool = False
    extra: dict[str, Any] = Field(default_factory=dict)
    translated: dict[str, TranslatedValue] = Field(default_factory=dict)
    metadata: MetadataValue | None = None


class FrontMatter(NoteFile):
    """The head of a note that is a single file: a `note.yaml`, and the language of the text."""

    language: Lang | None = None


class TermValue(_File):
    """A row of `glossary.yaml`."""

    zh: str = Field(min_length=1, max_length=MAX_TERM)
    en: str = Field(min_length=1, max_length=MAX_TERM)
    aliases: Terms = ()
    avoid: Terms = ()
    definition: Bilingual | None = None


class GlossaryFile(_File):
    """`glossary.yaml`, its list put under `terms`."""

    terms: tuple[TermValue, ...] = ()


def validate(model: type[M], document: YamlDocument, lang: Lang) -> tuple[M | None, tuple[Diagnostic, ...]]:
    """The file as a model, and all that is wrong with it. `lang` is what a bare string counts as.

    With errors the model is made of the keys that are right, so that what stands on it can be checked in the same run;
    it is None only if a key that must be there is missing or wrong.
    """
    if not isinstance(document.value, dict):
        message = "the file must be a mapping: lines of `key: value`"
        hint = f"known keys: {', '.join(model.model_fields)}"
        return None, (Diagnostic(document.location(()), "bad-value", message, hint),)
    try:
        return model.model_validate(document.value, context={"lang": lang}), ()
    except ValidationError as error:
        errors = error.errors()
    wrong = {details["loc"][0] for details in errors if details["loc"]}
    right = {key: value for key, value in document.value.items() if key not in wrong}
    suggestions = Suggestions()
    problems = tuple(_diagnostic(model, document, details, suggestions) for details in errors)
    try:
        return model.model_validate(right, context={"lang": lang}), problems
    except ValidationError:
        return None, problems


def _diagnostic(
    model: type[BaseModel], document: YamlDocument, error: ErrorDetails, suggestions: Suggestions
) -> Diagnostic:
    path: Path = error["loc"]
    kind, context = error["type"], error.get("ctx", {})
    if kind == "extra_forbidden":
        hint = suggestions.did_you_mean(str(path[-1]), _keys_at(model, path[:-1]))
        return Diagnostic(document.location(path, key=True), "unknown-key", f'unknown key "{path[-1]}"', hint)
    if kind == "missing":
        where = document.location(path[:-1])
        return Diagnostic(where, "missing-key", f'the key "{path[-1]}" is missing', f"add `{path[-1]}:`")
    where = document.location(path)
    name = ".".join(part for part in path if isinstance(part, str))
    given = _shown(error.get("input"))
    if kind == "empty_text":
        return Diagnostic(where, "bad-value", f"`{name}` is empty", _HINTS[kind])
    if kind == "literal_error":
        choices = [choice.strip(" '") for choice in context["expected"].replace(" or ", ", ").split(", ")]
        hint = suggestions.did_you_mean(str(error.get("input")), choices)
        return Diagnostic(where, "bad-value", f"`{name}` cannot be {given}", hint)
    if kind == "model_type" and context.get("class_name") != TextValue.__name__:
        return Diagnostic(where, "bad-value", f"`{name}` must be a mapping, not {given}", "write it as {key: value}")
    wanted = _PATTERNS.get(name, "") if kind == "string_pattern_mismatch" else _WANTED.get(kind, "something else")
    if kind == "too_long":
        wanted, given = f"a list of {context['max_length']:,} at most", f"one of {context['actual_length']:,}"
    return Diagnostic(where, "bad-value", f"`{name}` must be {wanted}, not {given}", _HINTS.get(kind, _MEND))


def _shown(given: object) -> str:
    if isinstance(given, str):
        return f'"{given[:200]}{"…" * (len(given) > 200)}"' if given else "empty"
    if isinstance(given, list):
        return "a list" if given else "an empty list"
    return "a mapping" if isinstance(given, dict) else "empty"


_PATTERNS = {
    "base_url": "an address that starts with https://",
    "readme.region": "made of a-z, 0-9 and -, with a letter first",
    "reading_paths.id": "made of a-z, 0-9 and -, with a letter first",
}
_WANTED = {
    **dict.fromkeys(("date_from_datetime_parsing", "date_parsing", "date_type"), "a date"),
    **dict.fromkeys(("bool_parsing", "bool_type"), "true or false"),
    **dict.fromkeys(("int_parsing", "int_type"), "a whole number"),
    "string_type": "a text",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a text or a mapping with zh and en",
    "model_attributes_type": "a text or a mapping with zh and en",
    "string_too_short": "a text",
    "string_too_long": f"a text of {MAX_TERM} characters at most",
    "too_short": "a list with something in it",
    "greater_than_equal": "a number from 1 to 5",
    "less_than_equal": "a number from 1 to 5",
    "readme": "true, false or a list of files",
    "readme_file": "a Markdown file of the collection, outside of site/ and notes_src/",
    "digest": "ten digits, each 0-9 or a-f",
    "long_text": f"a text of {MAX_TEXT:,} characters at most",
}
_MEND = "mend the value, or delete the key if you do not need it"
_HINTS = {
    "date_from_datetime_parsing": "write it as 2026-11-21",
    "date_parsing": "write it as 2026-11-21",
    "tuple_type": "write it as [a, b], or as lines that start with `- `",
    "model_type": "write {zh: ..., en: ...}, or one text",
    "empty_text": "write {zh: ..., en: ...}, or one text",
    "readme": "write true for README.md, or [README.md, docs/INDEX.md]",
    "readme_file": "write its path from the root of the collection, such as docs/INDEX.md",
    "long_text": "write long texts into the note",
    "digest": "delete the section's line; `paper-notes translated` writes it anew",
}


def _keys_at(model: type[BaseModel], path: Path) -> tuple[str, ...]:
    """The keys that the schema knows for the mapping at `path`."""
    current: object = model
    for step in path:
        if _is_mapping(current):
            current = get_args(current)[1]
            continue
        models = _models_in(current)
        if isinstance(step, str) and models:
            current = models[0].model_fields[step].annotation
    models = _models_in(current)
    return tuple(models[0].model_fields) if models else ()


def _is_mapping(annotation: object) -> bool:
    """True for mappings whose keys are the user's own."""
    return get_origin(annotation) is dict


def _models_in(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    if get_origin(annotation) in (Union, types.UnionType, tuple, Annotated, Literal):
        return [model for part in get_args(annotation) for model in _models_in(part)]
    return []
