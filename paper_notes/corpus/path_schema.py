"""The part of the schema for reading paths: the order to read notes in."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from paper_notes.corpus.texts import TextValue, YamlFile

MAX_STEPS = 1_000
"""The most steps of a reading path: its pages go through all."""


class StepValue(YamlFile):
    """A step of a reading path: a note, and what a reader is to see in it."""

    note: str
    words: TextValue | None = None


def _note_alone(value: object) -> object:
    if not isinstance(value, str | dict):
        raise PydanticCustomError("step", "no step")
    return {"note": value} if isinstance(value, str) else value


def _some(value: tuple[StepValue, ...]) -> tuple[StepValue, ...]:
    if not value:
        raise PydanticCustomError("too_short", "no step")
    return value


_Step = Annotated[StepValue, BeforeValidator(_note_alone, json_schema_input_type=str | StepValue)]


class ReadingPathValue(YamlFile):
    """An item of `reading_paths` in `topic.yaml`."""

    id: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    title: TextValue
    steps: Annotated[tuple[_Step, ...], AfterValidator(_some)] = Field(
        max_length=MAX_STEPS, json_schema_extra={"minItems": 1}
    )
    guide: TextValue | None = None
