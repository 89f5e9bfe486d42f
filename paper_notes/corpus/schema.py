"""What the YAML files may say: one model a file, and the mapping of its errors to places in the file."""

from __future__ import annotations

import datetime
import re
import types
from pathlib import PurePosixPath
from typing import Annotated, Any, Final, Literal, TypeVar, Union, get_args, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    RootModel,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from paper_notes.corpus.model import Content, Fact, Kind, Lang, MetadataSource, ReadingSource, Status, Text
from paper_notes.diagnostics import Diagnostic, Suggestions
from paper_notes.languages.language import BUILT_IN
from paper_notes.sources.filenames import unusable
from paper_notes.sources.yaml import Path, YamlDocument
from paper_notes.typography import typographic

M = TypeVar("M", bound=BaseModel)


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


DEFAULT_LANGUAGES: tuple[Lang, ...] = (Lang("zh"), Lang("en"))
MAX_TEXT = 10_000
"""Characters of a text in a YAML file: titles, summaries and intros stand on many pages."""
MAX_TERM, MAX_STEPS, MAX_TOPICS = 100, 1_000, 500
"""Characters of a term, steps of a reading path, topics: every text or page goes through all of them."""


def _none_if_blank(value: str | None) -> str | None:
    if value and len(value) > MAX_TEXT:
        raise PydanticCustomError("long_text", "too long")
    return value if value and value.strip() else None


def _languages(info: ValidationInfo) -> tuple[Lang, ...]:
    """Those of the site."""
    languages: tuple[Lang, ...] = (info.context or {}).get("languages", DEFAULT_LANGUAGES)
    return languages


def _known_language(value: str, info: ValidationInfo) -> str:
    if value not in BUILT_IN and value not in _languages(info):
        raise PydanticCustomError("unknown_language", "unknown")
    return value


Language = Annotated[str, AfterValidator(_known_language)]
"""One of the site, or one that the site could have."""


def _bare_string(value: object, info: ValidationInfo) -> object:
    if isinstance(value, str):
        value = {_languages(info)[0]: value}
    if not isinstance(value, dict):
        raise PydanticCustomError("text_type", "no text")
    if {*BUILT_IN, *_languages(info)}.issuperset(value) and not any(map(_is_text, value.values())):
        raise PydanticCustomError("empty_text", "the text is empty in all languages")
    return value


def _is_text(value: object) -> bool:
    return bool(value.strip()) if isinstance(value, str) else value is not None


def _of_site(value: dict[str, str | None], info: ValidationInfo) -> dict[str, str | None]:
    """The languages of the site, in its order; others only where the text has none of these."""
    own = {str(lang): value[lang] for lang in _languages(info) if value.get(lang) is not None}
    return own or {lang: item for lang, item in value.items() if item is not None}


_Texts = dict[Language, Annotated[str | None, AfterValidator(_none_if_blank)]]


class TextValue(RootModel[Annotated[_Texts, BeforeValidator(_bare_string), AfterValidator(_of_site)]]):
    """A text as YAML has it: `{zh: ..., en: ...}`, or a bare string in the site's first language."""

    model_config = ConfigDict(frozen=True)

    def text(self) -> Text:
        """Markdown, as it is written."""
        return Text.of(self.root)

    def plain(self) -> Text:
        """A text without marks, as it is shown."""
        return self.text().map(typographic)


_NAMES: Final = "(names)"
"""Stands in the place of an error for the keys that are languages."""


class _Named(_File):
    """A mapping with keys of its own, in which every other key is a language: `{zh: ..., en: ..., aliases: ...}`."""

    @model_validator(mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if not isinstance(value, dict):
            return value
        own = {key: item for key, item in value.items() if key in cls.model_fields}
        return {**own, _NAMES: {key: item for key, item in value.items() if key not in own}}


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
Strings = Annotated[tuple[str, ...], BeforeValidator(_any_number)]
"""A list of texts; a single one may stand without brackets, and none without anything."""
Terms = Annotated[tuple[Annotated[str, Field(max_length=MAX_TERM)], ...], BeforeValidator(_any_number)]
Day = Annotated[datetime.date, BeforeValidator(_iso_date)]


class TagValue(_Named):
    """What `site.yaml` says about a tag, under its name."""

    names: Annotated[_Texts, AfterValidator(_of_site)] = Field(alias="(names)")
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
    lang: str | None = None
    topic: str | None = None


class SiteFile(_File):
    """`site.yaml`."""

    title: TextValue
    description: TextValue | None = None
    languages: tuple[str, ...] = Field(default=DEFAULT_LANGUAGES, min_length=1, max_length=2)
    topics: tuple[str, ...] = Field(min_length=1, max_length=MAX_TOPICS)
    base_url: str | None = Field(default=None, pattern=r"^https?://[^\s/]+(/\S*)?$")
    readme: Annotated[tuple[ReadmeValue, ...], BeforeValidator(_readme_targets)] = ()
    author: TextValue | None = None
    tags: dict[str, TagValue] = Field(default_factory=dict)


class ReadingPathValue(_File):
    """An item of `reading_paths` in `topic.yaml`."""

    id: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    title: TextValue
    steps: tuple[str, ...] = Field(min_length=1, max_length=MAX_STEPS)
    guide: TextValue | None = None


class TopicFile(_File):
    """`topic.yaml`."""

    title: TextValue
    emoji: str = ""
    intro: TextValue | None = None
    reading_paths: tuple[ReadingPathValue, ...] = ()


class CorrectionValue(_File):
    """An item of `corrects` in `note.yaml`."""

    note: str
    claim: TextValue
    correction: TextValue
    date: Day | None = None


class MetadataValue(_File):
    """`metadata` in `note.yaml`; see `model.Metadata`."""

    source: MetadataSource
    date: Day
    missing: tuple[Fact, ...] = ()


class NoteFile(_File):
    """`note.yaml`; see `model.NoteFacts` and `model.Note` for what the keys mean."""

    title: TextValue
    kind: Kind = "paper"
    papers: Strings = ()
    summary: TextValue | None = None
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
    translated: dict[str, dict[Language, Digest]] = Field(default_factory=dict)
    metadata: MetadataValue | None = None


class FrontMatter(NoteFile):
    """The head of a note that is a single file: a `note.yaml`, and the language of the text."""

    language: str | None = None


def _in_all(value: dict[str, str], info: ValidationInfo) -> dict[str, str]:
    for lang in _languages(info):
        if lang not in value:
            raise PydanticCustomError("missing_language", "missing", {"lang": lang})
    return {lang: value[lang] for lang in _languages(info)}


class TermValue(_Named):
    """A row of `glossary.yaml`."""

    names: Annotated[
        dict[Language, Annotated[str, Field(min_length=1, max_length=MAX_TERM)]], AfterValidator(_in_all)
    ] = Field(alias="(names)")
    aliases: Terms = ()
    avoid: Terms = ()
    definition: TextValue | None = None


class GlossaryFile(_File):
    """`glossary.yaml`, its list put under `terms`."""

    terms: tuple[TermValue, ...] = ()


def validate(
    model: type[M], document: YamlDocument, languages: tuple[Lang, ...]
) -> tuple[M | None, tuple[Diagnostic, ...]]:
    """The file as a model, and all that is wrong with it. A bare string is in the first of the site's languages.

    With errors the model is made of the keys that are right, so that what stands on it can be checked in the same run;
    it is None only if a key that must be there is missing or wrong.
    """
    if not isinstance(document.value, dict):
        message = "the file must be a mapping: lines of `key: value`"
        hint = f"known keys: {', '.join(model.model_fields)}"
        return None, (Diagnostic(document.location(()), "bad-value", message, hint),)
    try:
        return model.model_validate(document.value, context={"languages": languages}), ()
    except ValidationError as error:
        errors = error.errors()
    wrong = {details["loc"][0] for details in errors if details["loc"]}
    right = {key: value for key, value in document.value.items() if key not in wrong}
    suggestions = Suggestions()
    problems = tuple(_diagnostic(model, document, details, languages, suggestions) for details in errors)
    try:
        return model.model_validate(right, context={"languages": languages}), problems
    except ValidationError:
        return None, problems


def _diagnostic(
    model: type[BaseModel],
    document: YamlDocument,
    error: ErrorDetails,
    languages: tuple[Lang, ...],
    suggestions: Suggestions,
) -> Diagnostic:
    path: Path = tuple(part for part in error["loc"] if part not in (_NAMES, "[key]"))
    kind, context = error["type"], error.get("ctx", {})
    if kind in ("extra_forbidden", "unknown_language"):
        known = [key for key in _keys_at(model, path[:-1]) if key not in ("root", "names")]
        hint = suggestions.did_you_mean(str(path[-1]), [*languages, *known] if kind != "extra_forbidden" else known)
        return Diagnostic(document.location(path, key=True), "unknown-key", f'unknown key "{path[-1]}"', hint)
    if kind == "missing_language":
        where = document.location(path)
        return Diagnostic(where, "missing-key", f'the key "{context["lang"]}" is missing', f"add `{context['lang']}:`")
    if kind == "missing":
        where = document.location(path[:-1])
        return Diagnostic(where, "missing-key", f'the key "{path[-1]}" is missing', f"add `{path[-1]}:`")
    where = document.location(path)
    name = ".".join(part for part in path if isinstance(part, str))
    given = _shown(error.get("input"))
    if kind in ("empty_text", "text_type"):
        form = f"{{{', '.join(f'{lang}: ...' for lang in languages)}}}"
        wrong = "is empty" if kind == "empty_text" else f"must be a text or {form}, not {given}"
        return Diagnostic(where, "bad-value", f"`{name}` {wrong}", f"write {form}, or one text")
    if kind == "literal_error":
        choices = [choice.strip(" '") for choice in context["expected"].replace(" or ", ", ").split(", ")]
        hint = suggestions.did_you_mean(str(error.get("input")), choices)
        return Diagnostic(where, "bad-value", f"`{name}` cannot be {given}", hint)
    if kind == "model_type":
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
