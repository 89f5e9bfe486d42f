"""The schema of the YAML files: one model for each file."""

from __future__ import annotations

import datetime
import re
from pathlib import PurePosixPath
from typing import Annotated, Any, Final

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    RootModel,
    ValidationInfo,
    model_validator,
)
from pydantic_core import CoreSchema, PydanticCustomError

from paper_notes.corpus.entry import EntriesFormat
from paper_notes.corpus.look_schema import AccentValue, Favicon, FontsValue, LogoValue
from paper_notes.corpus.look_schema import Strict as _File
from paper_notes.corpus.model import Content, Fact, Kind, Lang, MetadataSource, ReadingSource, Status, Text
from paper_notes.languages.language import BUILT_IN
from paper_notes.sources.filenames import unusable
from paper_notes.typography import typographic

DEFAULT_LANGUAGES: tuple[Lang, ...] = (Lang("zh"), Lang("en"))
MAX_TEXT = 10_000
"""The most characters of a text in a YAML file: titles, summaries and intros are on many pages."""
MAX_TERM, MAX_STEPS, MAX_TOPICS, MAX_ENTRIES = 100, 1_000, 500, 2_000
"""The most characters of a term, steps of a reading path, topics, entries of a note: texts or pages go through all."""


def _none_if_blank(value: str | None) -> str | None:
    if value and len(value) > MAX_TEXT:
        raise PydanticCustomError("long_text", "too long")
    return value if value and value.strip() else None


def _languages(info: ValidationInfo) -> tuple[Lang, ...]:
    """The languages of the site."""
    languages: tuple[Lang, ...] = (info.context or {}).get("languages", DEFAULT_LANGUAGES)
    return languages


def _plain_language(info: ValidationInfo) -> Lang:
    """That of a text that says none."""
    plain: Lang | None = (info.context or {}).get("plain")
    return plain or _languages(info)[0]


def _known_language(value: str, info: ValidationInfo) -> str:
    if value not in BUILT_IN and value not in _languages(info):
        raise PydanticCustomError("unknown_language", "unknown")
    return value


Language = Annotated[str, AfterValidator(_known_language)]
"""A language of the site, or a built-in one."""


def _bare_string(value: object, info: ValidationInfo) -> object:
    if isinstance(value, str):
        value = {_plain_language(info): value}
    if not isinstance(value, dict):
        raise PydanticCustomError("text_type", "no text")
    if {*BUILT_IN, *_languages(info)}.issuperset(value) and not any(map(_is_text, value.values())):
        raise PydanticCustomError("empty_text", "the text is empty in all languages")
    return value


def _is_text(value: object) -> bool:
    return bool(value.strip()) if isinstance(value, str) else value is not None


def _of_site(value: dict[str, str | None], info: ValidationInfo) -> dict[str, str | None]:
    """A text in the languages of the site, in its order; in others only where it has none of these."""
    own = {str(lang): value[lang] for lang in _languages(info) if value.get(lang) is not None}
    return own or {lang: item for lang, item in value.items() if item is not None}


_Texts = dict[Language, Annotated[str | None, AfterValidator(_none_if_blank)]]


class TextValue(
    RootModel[
        Annotated[
            _Texts,
            BeforeValidator(_bare_string, json_schema_input_type=str | dict[str, str | None]),
            AfterValidator(_of_site),
        ]
    ]
):
    """A text in YAML: `{zh: ..., en: ...}`, or a bare string in the note's only language or the site's first."""

    model_config = ConfigDict(frozen=True)

    def text(self) -> Text:
        """The text as Markdown."""
        return Text.of(self.root)

    def plain(self) -> Text:
        """The text as plain text, with typographic signs."""
        return self.text().map(typographic)


NAMES: Final = "(names)"
"""The part of an error's path for the keys that are languages."""


class _WithTexts(_File):
    """A mapping with known keys, in which every other key is a language: `{zh: ..., en: ..., aliases: ...}`.

    The items of languages are moved under NAMES.
    """

    @model_validator(mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if not isinstance(value, dict):
            return value
        own = {key: item for key, item in value.items() if key in cls.model_fields}
        return {**own, NAMES: {key: item for key, item in value.items() if key not in own}}

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """As it is written: the languages are keys beside the others."""
        made = handler.resolve_ref_schema(handler(core))
        names = made["properties"].pop(NAMES)
        made["required"] = [key for key in made.get("required", ()) if key != NAMES]
        return {**made, "additionalProperties": names["additionalProperties"]}


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
_OneOrMore = str | tuple[str, ...] | None
"""What may be written for a list of texts."""
Strings = Annotated[tuple[str, ...], BeforeValidator(_any_number, json_schema_input_type=_OneOrMore)]
"""A list of texts; a single one needs no brackets, and an empty value is an empty list."""
Terms = Annotated[
    tuple[Annotated[str, Field(max_length=MAX_TERM)], ...],
    BeforeValidator(_any_number, json_schema_input_type=_OneOrMore),
]
Day = Annotated[datetime.date, BeforeValidator(_iso_date, json_schema_input_type=datetime.date)]


class TagValue(_WithTexts):
    """A value of `tags` in `site.yaml`, under the name of the tag."""

    names: Annotated[_Texts, AfterValidator(_of_site)] = Field(alias="(names)")
    aliases: Strings = ()


def _readme_targets(value: object) -> object:
    """`true` means the README at the root; a bare name means a file with default settings."""
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


class NavigationValue(_File):
    """An item of `navigation` in `site.yaml`; see `look.NavigationEntry`."""

    link: str = Field(min_length=1)
    title: TextValue | None = None


def _link_alone(value: object) -> object:
    return {"link": value} if isinstance(value, str) else value


MAX_ENTRIES = 20
"""Of the navigation, which is on all pages."""
_Entry = Annotated[NavigationValue, BeforeValidator(_link_alone, json_schema_input_type=str | NavigationValue)]


def _one_or_two(languages: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(languages)) > 2:
        raise PydanticCustomError("languages", "too many")
    return languages


class SiteFile(_File):
    """`site.yaml`."""

    title: TextValue
    description: TextValue | None = None
    languages: Annotated[tuple[str, ...], AfterValidator(_one_or_two)] = Field(default=DEFAULT_LANGUAGES, min_length=1)
    topics: tuple[str, ...] = Field(min_length=1, max_length=MAX_TOPICS)
    base_url: str | None = Field(default=None, pattern=r"^https?://[^\s/]+(/\S*)?$")
    readme: Annotated[
        tuple[ReadmeValue, ...],
        BeforeValidator(_readme_targets, json_schema_input_type=bool | tuple[str | dict[str, str | None], ...] | None),
    ] = ()
    author: TextValue | None = None
    tags: dict[str, TagValue] = Field(default_factory=dict)
    rules: dict[str, Any] = Field(default_factory=dict)
    """See `corpus.severities`."""
    publish_fields: Strings = ()
    accent: AccentValue = None
    logo: LogoValue = None
    favicon: Favicon = None
    fonts: FontsValue | None = None
    navigation: tuple[_Entry, ...] = Field(default=(), max_length=MAX_ENTRIES)
    footer: TextValue | None = None


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


def _in_all(value: dict[str, str], info: ValidationInfo) -> dict[str, str]:
    for lang in _languages(info):
        if lang not in value:
            raise PydanticCustomError("missing_language", "missing", {"lang": lang})
    return {lang: value[lang] for lang in _languages(info)}


def _of_all(value: dict[str, str], info: ValidationInfo) -> dict[str, str]:
    """Require all languages of the site, unless the record is from when the site had other languages."""
    return _in_all(value, info) if set(value) < set(_languages(info)) else value


class MetadataValue(_File):
    """`metadata` in `note.yaml`; see `model.Metadata`."""

    source: MetadataSource
    date: Day
    missing: tuple[Fact, ...] = ()


class EntryValue(_File):
    """An item of `entries` in `note.yaml`; see `model.Entry`."""

    paper: str
    reading_source: ReadingSource | None = None
    upvotes: int | None = Field(default=None, ge=0)
    keywords: Strings = ()
    headline: TextValue | None = None
    as_found: dict[str, Any] = Field(default_factory=dict)


class EntriesFromValue(_File):
    """`source` in `note.yaml`; see `model.EntriesFrom`."""

    format: EntriesFormat
    url: str | None = Field(default=None, pattern=r"^https?://[^\s/]+(/\S*)?$")
    date: Day | None = None
    bib: str | None = None
    terms: Strings = ()
    as_found: dict[str, Any] = Field(default_factory=dict)


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
    translated: dict[str, Annotated[dict[Language, Digest], AfterValidator(_of_all)]] = Field(default_factory=dict)
    metadata: MetadataValue | None = None
    source: EntriesFromValue | None = None
    entries: tuple[EntryValue, ...] = Field(default=(), max_length=MAX_ENTRIES)


class FrontMatter(NoteFile):
    """The front matter of a note in a single file: a `note.yaml`, and the language of the text."""

    language: str | None = None


class TermValue(_WithTexts):
    """A row of `glossary.yaml`."""

    names: Annotated[
        dict[Language, Annotated[str, Field(min_length=1, max_length=MAX_TERM)]], AfterValidator(_in_all)
    ] = Field(alias="(names)")
    aliases: Terms = ()
    avoid: Terms = ()
    definition: TextValue | None = None


class GlossaryFile(_File):
    """`glossary.yaml`, with its list under `terms`."""

    terms: tuple[TermValue, ...] = ()
