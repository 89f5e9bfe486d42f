"""What the program's values are made of: classes with typed fields that are compared by what they hold.

They are msgspec's, as the cache packs them. To define one takes a fifteenth of the time that a data class takes, and to
make one a sixth: with data classes, their definitions took a third of a small build. msgspec has no fields that are not
compared, or not shown: a value with one is a data class all the same, or compares itself, as nodes of texts do.
"""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

from msgspec import DecodeError, json, structs, to_builtins
from msgspec import Struct as Struct
from msgspec import field as field
from msgspec.structs import astuple as astuple
from msgspec.structs import fields as fields
from msgspec.structs import force_setattr as force_setattr

V = TypeVar("V")


def replace(value: V, /, **changes: Any) -> V:
    """The value with other fields. Raises TypeError for fields that it has not."""
    make: Any = structs.replace if isinstance(value, Struct) else dataclasses.replace
    return make(value, **changes)  # type: ignore[no-any-return]


def asdict(value: object) -> dict[str, Any]:
    """The fields of a value by their names, as JSON can have them."""
    fields: dict[str, Any] = to_builtins(value)
    return fields


def from_json(kind: type[V], text: str) -> V:
    """The value of this kind that a text holds. Raises ValueError if it holds none."""
    try:
        return json.decode(text, type=kind)
    except DecodeError as error:
        raise ValueError(str(error)) from error
