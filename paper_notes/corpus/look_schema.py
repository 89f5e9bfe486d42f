"""The schema of what `site.yaml` says about the look of the site."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

_HEX = "#(?:[0-9a-fA-F]{3}){1,2}"


class Strict(BaseModel):
    """A mapping without other keys than these."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


def _colour(value: object) -> object:
    if not isinstance(value, str) or not re.fullmatch(_HEX, value):
        raise PydanticCustomError("colour", "no colour")
    return value


def _light_alone(value: object) -> object:
    """`a` means `{light: a}`; an empty value is a mistake, as `#` begins a comment."""
    if value is None:
        raise PydanticCustomError("empty", "empty")
    return {"light": value} if isinstance(value, str) else value


def _shades(value: object) -> object:
    return _light_alone(_colour(value) if not isinstance(value, dict) else value)


_Hex = Annotated[str, Field(pattern=f"^{_HEX}$")]
Colour = Annotated[str, BeforeValidator(_colour, json_schema_input_type=_Hex)]


class ShadesValue(Strict):
    """`accent` in `site.yaml`."""

    light: Colour
    dark: Colour | None = None


class PicturesValue(Strict):
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


class FontsValue(Strict):
    """`fonts` in `site.yaml`."""

    text: FontNames = ()
    headings: FontNames = ()
    code: FontNames = ()


def _written(value: object) -> object:
    if value is None:
        raise PydanticCustomError("empty", "empty")
    return value


AccentValue = Annotated[ShadesValue | None, BeforeValidator(_shades, json_schema_input_type=_Hex | ShadesValue)]
LogoValue = Annotated[PicturesValue | None, BeforeValidator(_light_alone, json_schema_input_type=str | PicturesValue)]
Favicon = Annotated[str | None, BeforeValidator(_written, json_schema_input_type=str)]
