"""Texts in YAML files: in each language, or one in the language of the file."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    GetJsonSchemaHandler,
    RootModel,
    ValidationInfo,
    model_validator,
)
from pydantic_core import CoreSchema, PydanticCustomError

from paper_notes.corpus.model import Lang, Text
from paper_notes.languages.language import BUILT_IN
from paper_notes.typography import typographic


class YamlFile(BaseModel):
    """A mapping in a YAML file, with known keys only."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


DEFAULT_LANGUAGES: tuple[Lang, ...] = (Lang("zh"), Lang("en"))
MAX_TEXT = 10_000
"""The most characters of a text in a YAML file: titles, summaries and intros are on many pages."""


def _none_if_blank(value: str | None) -> str | None:
    if value and len(value) > MAX_TEXT:
        raise PydanticCustomError("long_text", "too long")
    return value if value and value.strip() else None


def languages_of(info: ValidationInfo) -> tuple[Lang, ...]:
    """The languages of the site."""
    languages: tuple[Lang, ...] = (info.context or {}).get("languages", DEFAULT_LANGUAGES)
    return languages


def _plain_language(info: ValidationInfo) -> Lang:
    """That of a text that says none."""
    plain: Lang | None = (info.context or {}).get("plain")
    return plain or languages_of(info)[0]


def _known_language(value: str, info: ValidationInfo) -> str:
    if value not in BUILT_IN and value not in languages_of(info):
        raise PydanticCustomError("unknown_language", "unknown")
    return value


Language = Annotated[str, AfterValidator(_known_language)]
"""A language of the site, or a built-in one."""


def _bare_string(value: object, info: ValidationInfo) -> object:
    if isinstance(value, str):
        value = {_plain_language(info): value}
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


Texts = dict[Language, Annotated[str | None, AfterValidator(_none_if_blank)]]


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

    def text(self) -> Text:
        """The text as Markdown."""
        return Text.of(self.root)

    def plain(self) -> Text:
        """The text as plain text, with typographic signs."""
        return self.text().map(typographic)


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
        made = handler.resolve_ref_schema(handler(core))
        names = made["properties"].pop(NAMES)
        made["required"] = [key for key in made.get("required", ()) if key != NAMES]
        return {**made, "additionalProperties": names["additionalProperties"]}
