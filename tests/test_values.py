"""What values are made of: fields replaced, values as JSON has them and back, expressions compiled late."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import re

import pytest

import paper_notes
from paper_notes.patterns import regex
from paper_notes.values import Struct, asdict, from_json, replace


class Part(Struct, frozen=True):
    name: str
    sizes: tuple[int, ...] = ()


class Whole(Struct, frozen=True):
    parts: tuple[Part, ...]


@dataclasses.dataclass(frozen=True)
class Shown:
    name: str
    note: str = dataclasses.field(default="", compare=False)


def test_a_field_is_replaced_in_values_of_both_kinds() -> None:
    assert replace(Part("a", (1,)), name="b") == Part("b", (1,))
    assert replace(Shown("a", "seen"), name="b").note == "seen"
    with pytest.raises(TypeError):
        replace(Part("a"), nobody="b")


def test_a_value_comes_back_from_what_json_says_of_it() -> None:
    whole = Whole((Part("a", (1, 2)), Part("b")))
    assert asdict(whole) == {"parts": ({"name": "a", "sizes": (1, 2)}, {"name": "b", "sizes": ()})}
    assert from_json(Whole, '{"parts": [{"name": "a", "sizes": [1, 2]}, {"name": "b"}]}') == whole
    for wrong in ("{", "[]", '{"parts": [{"name": 1}]}', '{"parts": 1}'):
        with pytest.raises(ValueError, match=r"JSON|Expected|truncated"):
            from_json(Whole, wrong)


def test_an_expression_is_compiled_when_it_is_first_asked_and_says_its_mistakes_then() -> None:
    word = regex(r"(?P<first>\w)\w*", re.ASCII)
    assert "search" not in vars(word)
    assert word.sub(r"\g<first>", "ab cd") == "a c"
    assert "search" in vars(word)
    assert (word.pattern, word.groupindex["first"]) == (r"(?P<first>\w)\w*", 1)
    with pytest.raises(re.error):
        regex("(").match("")
    with pytest.raises(AttributeError):
        word.nothing  # type: ignore[attr-defined] # noqa: B018


def test_every_expression_of_the_program_can_be_compiled() -> None:
    kind, count = type(regex("")), 0
    for module in pkgutil.walk_packages(paper_notes.__path__, "paper_notes."):
        if not module.name.endswith("__main__"):
            loaded = importlib.import_module(module.name)
            named = [vars(loaded), *(vars(value) for value in vars(loaded).values() if isinstance(value, type))]
            for value in (value for names in named for value in names.values() if isinstance(value, kind)):
                assert value.groups >= 0
                count += 1
    assert count > 900
