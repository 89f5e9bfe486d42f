"""The schema of the YAML files: one model for each file; and as JSON Schema, with which editors complete keys.

A text in such a file is in each language, or one in the language of the file.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Annotated, Any, Final, LiteralString

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    GetPydanticSchema,
    RootModel,
    ValidationInfo,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import CoreSchema, PydanticCustomError
from pydantic_core.core_schema import no_info_after_validator_function

from paper_notes.addresses import ADDRESS, is_address
from paper_notes.corpus.model import (
    BUILT_IN_KINDS,
    COLOURS,
    DEFAULT_KIND,
    DEFAULT_LANGUAGES,
    MAX_TOPICS,
    Content,
    EntriesFormat,
    Fact,
    KindId,
    Lang,
    MetadataSource,
    ReadingSource,
    Status,
    Text,
)
from paper_notes.languages.language import BUILT_IN
from paper_notes.macros import NAME, Macro, MacroProblem, definitions
from paper_notes.patterns import regex
from paper_notes.sources.filenames import unusable
from paper_notes.typography import typographic


def _only(kind: LiteralString, is_right: Callable[[Any], object]) -> Callable[[Any], Any]:
    """A validator: other values are errors of this kind, for which `corpus.validate` has the words."""

    def checked(value: Any) -> Any:
        if not is_right(value):
            raise PydanticCustomError(kind, kind)
        return value

    return checked


def _bare(key: str) -> Callable[[Any], Any]:
    """A validator: a text alone is the value of this key."""
    return lambda value: {key: value} if isinstance(value, str) else value


class YamlFile(BaseModel):
    """A mapping in a YAML file, with known keys only."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


MAX_TEXT = 10_000
"""The most characters of a text in a YAML file: titles, summaries and intros are on many pages."""


def languages_of(info: ValidationInfo) -> tuple[Lang, ...]:
    """The languages of the site."""
    languages: tuple[Lang, ...] = (info.context or {}).get("languages", DEFAULT_LANGUAGES)
    return languages


def _known_language(value: str, info: ValidationInfo) -> str:
    if value not in BUILT_IN and value not in languages_of(info):
        raise PydanticCustomError("unknown_language", "unknown")
    return value


Language = Annotated[str, AfterValidator(_known_language)]
"""A language of the site, or a built-in one."""


def _bare_string(value: object, info: ValidationInfo) -> object:
    if isinstance(value, str):
        value = {(info.context or {}).get("plain") or languages_of(info)[0]: value}
    if not isinstance(value, dict):
        raise PydanticCustomError("text_type", "no text")
    if {*BUILT_IN, *languages_of(info)}.issuperset(value) and not any(map(_is_text, value.values())):
        raise PydanticCustomError("empty_text", "the text is empty in all languages")
    return value


def _is_text(value: object) -> bool:
    return bool(value.strip()) if isinstance(value, str) else value is not None


def of_site(value: dict[str, str | None], info: ValidationInfo) -> dict[str, str | None]:
    """A text in the languages of the site, in its order; in others only where it has none of these."""
    own = {str(lang): value[lang] for lang in languages_of(info) if value.get(lang) is not None}
    return own or {lang: item for lang, item in value.items() if item is not None}


Texts = dict[
    Language,
    Annotated[
        str | None,
        AfterValidator(_only("long_text", lambda value: len(value or "") <= MAX_TEXT)),
        AfterValidator(lambda value: value if value and value.strip() else None),
    ],
]


class TextValue(
    RootModel[
        Annotated[
            Texts,
            BeforeValidator(_bare_string, json_schema_input_type=str | dict[str, str | None]),
            AfterValidator(of_site),
        ]
    ]
):
    """A text in YAML: `{zh: ..., en: ...}`, or a bare string in the note's only language or the site's first."""

    model_config = ConfigDict(frozen=True)

    def markdown(self) -> Text:
        return Text.of(self.root)

    def plain(self) -> Text:
        return self.markdown().map(typographic)


def _from_value(convert: Callable[[TextValue], Text]) -> GetPydanticSchema:
    return GetPydanticSchema(lambda _, handler: no_info_after_validator_function(convert, handler(TextValue)))


Markdown = Annotated[Text, _from_value(TextValue.markdown)]
Plain = Annotated[Text, _from_value(TextValue.plain)]
"""A text without marks, with typographic signs."""


NAMES: Final = "(names)"
"""The part of an error's path for the keys that are languages."""


class WithTexts(YamlFile):
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
        schema = handler.resolve_ref_schema(handler(core))
        names = schema["properties"].pop(NAMES)
        schema["required"] = [key for key in schema.get("required", ()) if key != NAMES]
        return {**schema, "additionalProperties": names["additionalProperties"]}


_HEX = "#(?:[0-9a-fA-F]{3}){1,2}"
_Hex = Annotated[str, Field(pattern=f"^{_HEX}$")]
_hex_colour = _only("colour", lambda value: isinstance(value, str) and re.fullmatch(_HEX, value))


def _six_digits(colour: str) -> str:
    digits = colour[1:].lower()
    return f"#{''.join(digit * 2 for digit in digits) if len(digits) == 3 else digits}"


Colour = Annotated[str, BeforeValidator(_hex_colour, json_schema_input_type=_Hex), AfterValidator(_six_digits)]


class ShadesValue(YamlFile):
    """`accent` in `site.yaml`."""

    light: Colour
    dark: Colour | None = None


class PicturesValue(YamlFile):
    """`logo` in `site.yaml`: names of files."""

    light: str
    dark: str | None = None


def _font_names(value: object) -> object:
    """Names as a list, or in one text with commas as in CSS."""
    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, list) or len(names) > 20:
        raise PydanticCustomError("fonts", "no names")
    names = [name.strip(" '\"") if isinstance(name, str) else "" for name in names]
    if not all(re.fullmatch(r"[\w .+&-]{1,100}", name) for name in names):
        raise PydanticCustomError("fonts", "no names")
    return names


FontNames = Annotated[tuple[str, ...], BeforeValidator(_font_names, json_schema_input_type=str | tuple[str, ...])]


class FontsValue(YamlFile):
    """`fonts` in `site.yaml`."""

    text: FontNames = ()
    headings: FontNames = ()
    code: FontNames = ()


_written = _only("empty", lambda value: value is not None)  # `#` begins a comment
_ACCENT = BeforeValidator(
    lambda value: value if isinstance(value, dict) else {"light": _hex_colour(value)}, _Hex | ShadesValue
)
AccentValue = Annotated[ShadesValue | None, _ACCENT]
LogoValue = Annotated[
    PicturesValue | None,
    BeforeValidator(_bare("light"), json_schema_input_type=str | PicturesValue),
    BeforeValidator(_written),
]
Favicon = Annotated[str | None, BeforeValidator(_written, json_schema_input_type=str)]


MAX_STEPS = 1_000
"""The most steps of a reading path: its pages go through all."""


class StepValue(YamlFile):
    """A step of a reading path: a note, and what a reader is to see in it."""

    note: str
    words: Plain | None = None


_Step = Annotated[
    StepValue,
    BeforeValidator(_bare("note"), json_schema_input_type=str | StepValue),
    BeforeValidator(_only("step", lambda value: isinstance(value, str | dict))),
]


class ReadingPathValue(YamlFile):
    """An item of `reading_paths` in `topic.yaml`."""

    id: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    title: Plain
    steps: tuple[_Step, ...] = Field(min_length=1, max_length=MAX_STEPS)
    guide: Markdown | None = None


MAX_TERM, MAX_ENTRIES = 100, 2_000
"""The most characters of a term, entries of a note: texts or pages go through all."""


def _is_address(folder: str, value: str) -> bool:
    """Whether it is such a folder, or a path in the site."""
    parts = value.removesuffix("/").split("/")
    is_usable = not any(not part or part.startswith(".") or unusable(part) for part in parts)
    return is_usable and bool(re.fullmatch(rf"{folder}|.+/|.+\.html", value))


Digest = Annotated[str, AfterValidator(_only("digest", re.compile(r"[0-9a-f]{10}").fullmatch))]
_ONE_OR_MORE = BeforeValidator(
    lambda value: [value] if isinstance(value, str) else () if value is None else value,
    json_schema_input_type=str | tuple[str, ...] | None,
)
Strings = Annotated[tuple[str, ...], _ONE_OR_MORE]
"""A list of texts; a single one needs no brackets, and an empty value is an empty list."""
Terms = Annotated[tuple[Annotated[str, Field(max_length=MAX_TERM)], ...], _ONE_OR_MORE]
_NoteAddress = Annotated[str, AfterValidator(_only("address", partial(_is_address, r"[^/]+/\d{1,6}[_-][^/]+")))]
NoteAddresses = Annotated[tuple[_NoteAddress, ...], _ONE_OR_MORE]
_TopicAddress = Annotated[str, AfterValidator(_only("topic_address", partial(_is_address, "[^/]+")))]
TopicAddresses = Annotated[tuple[_TopicAddress, ...], _ONE_OR_MORE]
Address = Annotated[str, Field(pattern=ADDRESS), AfterValidator(_only("string_pattern_mismatch", is_address))]
_DAY = regex(r"\d{4}-\d{2}-\d{2}")
_is_day = _only("date_parsing", lambda value: not isinstance(value, str) or _DAY.fullmatch(value))
Day = Annotated[datetime.date, BeforeValidator(_is_day, json_schema_input_type=datetime.date)]


class TagValue(WithTexts):
    """A value of `tags` in `site.yaml`, under the name of the tag."""

    names: Annotated[Texts, AfterValidator(of_site)] = Field(alias="(names)")
    aliases: Strings = ()


_HUE = regex(r"[0-9]{1,3}")


def _colour(value: str) -> str:
    if value in COLOURS:
        return value
    if not _HUE.fullmatch(value) or int(value) >= 360:
        raise PydanticCustomError("kind_colour", "no colour")
    return str(int(value))


class KindValue(YamlFile):
    """A value of `kinds` in `site.yaml`, under the id of the kind: a mapping, or its name alone."""

    name: Plain | None = None
    colour: Annotated[
        str | None,
        AfterValidator(lambda value: value and _colour(value)),
        WithJsonSchema({"anyOf": [{"enum": COLOURS}, {"type": "integer", "minimum": 0, "maximum": 359}]}),
    ] = None


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


class ReadmeValue(YamlFile):
    """An item of `readme` in `site.yaml`; see `model.ReadmeTarget`."""

    file: Annotated[str, AfterValidator(_readme_file)] = "README.md"
    region: str = Field(default="", pattern=r"^[a-z]?[a-z0-9-]*$")
    content: Content | None = None
    lang: str | None = None
    topic: str | None = None


class NavigationValue(YamlFile):
    """An item of `navigation` in `site.yaml`; see `model.NavigationEntry`."""

    link: str = Field(min_length=1)
    title: Plain | None = None


class SourceValue(YamlFile):
    """An item of `sources` in `site.yaml`; see `model.OutsideFolder`."""

    folder: str = Field(min_length=1)
    topic: str | None = None


MAX_NAVIGATION = 20
"""Of the navigation, which is on all pages."""
MAX_SOURCES = 20
"""Folders that each build looks through."""
_Folder = Annotated[SourceValue, BeforeValidator(_bare("folder"), json_schema_input_type=str | SourceValue)]
_Entry = Annotated[NavigationValue, BeforeValidator(_bare("link"), json_schema_input_type=str | NavigationValue)]


_KIND = BeforeValidator(
    lambda value: _bare("name")({} if value is None else value), json_schema_input_type=KindValue | str | None
)
"""A name alone is a kind without a colour; an empty value is one of which nothing is said."""


def _definitions(value: object) -> object:
    """Definitions of TeX as the macros that they define."""
    if not isinstance(value, str):
        return {} if value is None else value
    try:
        return definitions(value)
    except MacroProblem as problem:
        raise PydanticCustomError("macros", "no definitions") from problem


def _macro(value: object) -> object:
    try:
        return Macro.of(value) if isinstance(value, str) else value
    except MacroProblem as problem:
        raise PydanticCustomError("macro", "no macro") from problem


_MacroName = Annotated[str, AfterValidator(_only("macro_name", NAME.fullmatch))]
MacrosValue = Annotated[
    dict[_MacroName, Annotated[Macro, BeforeValidator(_macro, json_schema_input_type=str)]],
    BeforeValidator(_definitions, json_schema_input_type=str | dict[str, str]),
    AfterValidator(lambda macros: {name.removeprefix("\\"): macro for name, macro in macros.items()}),
]
"""`macros`: bodies by the names of commands, or a text of definitions."""


class SiteFile(YamlFile):
    """`site.yaml`."""

    title: Plain
    description: Plain | None = None
    languages: Annotated[tuple[str, ...], AfterValidator(_only("languages", lambda tags: len(set(tags)) < 3))] = Field(
        default=DEFAULT_LANGUAGES, min_length=1
    )
    topics: tuple[str, ...] = Field(max_length=MAX_TOPICS)
    base_url: Address | None = None
    readme: Annotated[
        tuple[ReadmeValue, ...],
        BeforeValidator(_readme_targets, json_schema_input_type=bool | tuple[str | dict[str, str | None], ...] | None),
    ] = ()
    sources: tuple[_Folder, ...] = Field(default=(), max_length=MAX_SOURCES)
    author: Markdown | None = None
    tags: dict[str, TagValue] = Field(default_factory=dict)
    kinds: dict[str, Annotated[KindValue, _KIND]] = Field(default_factory=dict)
    rules: dict[str, Any] = Field(default_factory=dict)
    """See `corpus.severities`."""
    publish_fields: Strings = ()
    print_sources: bool = False
    assistants: bool = False
    accent: AccentValue = None
    logo: LogoValue = None
    favicon: Favicon = None
    fonts: FontsValue | None = None
    navigation: tuple[_Entry, ...] = Field(default=(), max_length=MAX_NAVIGATION)
    footer: Markdown | None = None
    macros: MacrosValue = Field(default_factory=dict)


class TopicFile(YamlFile):
    """`topic.yaml`."""

    title: Plain
    emoji: str = ""
    intro: Markdown | None = None
    reading_paths: tuple[ReadingPathValue, ...] = ()
    order: Strings = ()
    papers: Strings = ()
    aliases: TopicAddresses = ()
    macros: MacrosValue = Field(default_factory=dict)


class CorrectionValue(YamlFile):
    """An item of `corrects` in `note.yaml`."""

    note: str
    claim: Plain
    correction: Plain
    date: Day | None = None


def _in_all(value: dict[str, str], info: ValidationInfo) -> dict[str, str]:
    for lang in languages_of(info):
        if lang not in value:
            raise PydanticCustomError("missing_language", "missing", {"lang": lang})
    return {lang: value[lang] for lang in languages_of(info)}


def _of_all(value: dict[str, str], info: ValidationInfo) -> dict[str, str]:
    """Require all languages of the site, unless the record is from when the site had other languages."""
    return _in_all(value, info) if set(value) < set(languages_of(info)) else value


KIND_SCHEMA: Final = {"anyOf": [{"enum": [*BUILT_IN_KINDS]}, {"type": "string"}]}
"""Editors suggest the built-in kinds, and let through those that a collection may have besides."""


def _known_kind(value: object, info: ValidationInfo) -> object:
    known = (info.context or {}).get("kinds", tuple(BUILT_IN_KINDS))
    if not isinstance(value, str) or (known and value not in known):
        raise PydanticCustomError("kind", "no kind", {"known": known})
    return value


class MetadataValue(YamlFile):
    """`metadata` in `note.yaml`; see `model.Metadata`."""

    source: MetadataSource
    date: Day
    missing: tuple[Fact, ...] = ()


class EntryValue(YamlFile):
    """An item of `entries` in `note.yaml`; see `model.Entry`."""

    paper: str
    reading_source: ReadingSource | None = None
    upvotes: int | None = Field(default=None, ge=0)
    keywords: Strings = ()
    headline: Markdown | None = None
    as_found: object = None
    """Notes that were imported earlier have it, and nothing reads it: the document itself is kept now."""


class EntriesFromValue(YamlFile):
    """`source` in `note.yaml`; see `model.EntriesFrom`."""

    format: EntriesFormat
    url: Address | None = None
    date: Day | None = None
    bib: str | None = None
    terms: Strings = ()
    as_found: object = None
    """As that of `EntryValue`."""


class DraftedValue(YamlFile):
    """A record in `drafted` of `note.yaml`; see `model.Drafted`."""

    digest: Digest
    model: str
    prompt: str
    date: Day
    source: str


class NoteFile(YamlFile):
    """`note.yaml`; see `model.NoteFacts` and `model.Note` for what the keys mean."""

    title: Plain
    short: Plain | None = None
    kind: Annotated[KindId, BeforeValidator(_known_kind), WithJsonSchema(KIND_SCHEMA)] = DEFAULT_KIND
    papers: Strings = ()
    summary: Markdown | None = None
    tags: Strings = ()
    keywords: Strings = ()
    macros: MacrosValue = Field(default_factory=dict)
    created: Day | None = None
    updated: Day | None = None
    status: Status = "read"
    rating: int | None = Field(default=None, ge=1, le=5)
    own: bool = False
    reading_source: ReadingSource | None = None
    reviewed: bool = False
    corrects: tuple[CorrectionValue, ...] = ()
    aliases: NoteAddresses = ()
    thumbnail: bool = True
    publish_pdf: bool = False
    draft: bool = False
    extra: dict[str, Any] = Field(default_factory=dict)
    translated: dict[str, Annotated[dict[Language, Digest], AfterValidator(_of_all)]] = Field(default_factory=dict)
    drafted: dict[str, dict[Language, DraftedValue]] = Field(default_factory=dict)
    highlights: dict[str, Strings] = Field(default_factory=dict)
    metadata: MetadataValue | None = None
    source: EntriesFromValue | None = None
    entries: tuple[EntryValue, ...] = Field(default=(), max_length=MAX_ENTRIES)


class FrontMatter(NoteFile):
    """The front matter of a note in a single file: a `note.yaml`, and the language of the text."""

    language: str | None = None


class TermValue(WithTexts):
    """A row of `glossary.yaml`."""

    names: Annotated[
        dict[Language, Annotated[str, Field(min_length=1, max_length=MAX_TERM)]], AfterValidator(_in_all)
    ] = Field(alias="(names)")
    aliases: Terms = ()
    avoid: Terms = ()
    definition: Markdown | None = None


class GlossaryFile(YamlFile):
    """`glossary.yaml`, with its list under `terms`."""

    terms: tuple[TermValue, ...] = ()


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
