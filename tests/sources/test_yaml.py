"""YAML as plain values with positions, and the diagnostics of bad YAML."""

from __future__ import annotations

import time
from pathlib import Path, PurePosixPath

import pytest
import yaml

from paper_notes.diagnostics import Diagnostic
from paper_notes.sources.yaml import YamlDocument, parse_yaml

HERE = Path(__file__).parent
FILE = PurePosixPath("f.yaml")
VALUES = yaml.safe_load((HERE / "yaml_values.yaml").read_text("utf-8"))
BROKEN = yaml.safe_load((HERE / "yaml_broken.yaml").read_text("utf-8"))


def parsed(text: str, first_line: int = 1) -> YamlDocument:
    document = parse_yaml(FILE, text, first_line)
    assert isinstance(document, YamlDocument), document
    return document


def refused(text: str, first_line: int = 1) -> Diagnostic:
    problem = parse_yaml(FILE, text, first_line)
    assert isinstance(problem, Diagnostic), problem
    return problem


@pytest.mark.parametrize(("text", "value"), [case[1:] for case in VALUES], ids=[case[0] for case in VALUES])
def test_values(text: str, value: object) -> None:
    assert parsed(text).value == value


@pytest.mark.parametrize(("text", "message"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_mistakes(text: str, message: str) -> None:
    assert f"{refused(text)}\n" == message


def test_every_value_and_key_has_its_place() -> None:
    document = parsed("a: {b: [x, 中, y]}\n中文:\n  - k: v\n")
    assert document.positions == {
        (): (1, 1),
        ("a",): (1, 4),
        ("a", "b"): (1, 8),
        ("a", "b", 0): (1, 9),
        ("a", "b", 1): (1, 12),
        ("a", "b", 2): (1, 15),
        ("中文",): (3, 3),
        ("中文", 0): (3, 5),
        ("中文", 0, "k"): (3, 8),
    }
    assert document.key_positions == {("a",): (1, 1), ("a", "b"): (1, 5), ("中文",): (2, 1), ("中文", 0, "k"): (3, 5)}


@pytest.mark.parametrize(
    ("path", "key", "place"),
    [
        (("a", "b"), False, "1:8"),
        (("a", "b"), True, "1:5"),
        (("a", "gone"), False, "1:4"),
        (("a", "gone"), True, "1:4"),
        (("gone", 3, "x"), False, "1:1"),
        (("c", "inside an alias"), False, "2:4"),
    ],
)
def test_what_has_no_place_has_that_of_its_parent(path: tuple[str | int, ...], key: bool, place: str) -> None:
    document = parsed("a: {b: &x {d: 1}}\nc: *x\n")
    assert str(document.location(path, key=key)) == f"f.yaml:{place}"


def test_front_matter_counts_lines_from_where_it_stands() -> None:
    assert str(parsed("a: 1\nb: 2\n", first_line=2).location(("b",))) == "f.yaml:3:4"
    assert str(refused("a: 1\na: 2\n", first_line=2)).startswith(
        'f.yaml:3:1: error[duplicate-key]: the key "a" is here twice (first on line 2)'
    )
    assert str(refused("a: [1\n", first_line=7)).startswith(
        "f.yaml:8:1: error[yaml-syntax]: the list that starts on line 7 is not closed"
    )


def test_a_bare_list_may_be_put_below_a_key() -> None:
    document = parsed("- a\n- b: c\n").below("terms")
    assert document.value == {"terms": ["a", {"b": "c"}]}
    assert str(document.location(("terms", 1, "b"))) == "f.yaml:2:6"
    assert str(document.location(("terms", 1, "b"), key=True)) == "f.yaml:2:3"
    assert str(document.location(("terms",))) == "f.yaml:1:1"


BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize(
    ("text", "place", "rule"),
    [
        (BOMB, "5:36", "yaml-too-large"),
        ("[" * 50_000, "1:42", "yaml-too-deep"),
        ("{a: " * 50_000, "1:165", "yaml-too-deep"),
        ("- " * 50_000, "1:83", "yaml-too-deep"),
        ("".join(f"{' ' * level}a:\n" for level in range(1_000)), "42:42", "yaml-too-deep"),
        (f"a: {'x' * 1_000_000}", "1:1", "yaml-too-large"),
        (f"[{'x,' * 100_000}]", "1:200000", "yaml-too-large"),
        ("a: 1\n" * 100_000, "2:1", "duplicate-key"),
    ],
    ids=["aliases", "lists", "mappings", "items", "lines", "characters", "values", "keys"],
)
def test_no_text_exhausts_the_machine(text: str, place: str, rule: str) -> None:
    start = time.process_time()
    assert str(refused(text)).startswith(f"f.yaml:{place}: error[{rule}]: ")
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 42 + "]" * 42, "more than 40 levels of nesting\n  hint: flatten it"),
        (BOMB, "more than 100,000 values\n  hint: remove repeated aliases"),
        ("x" * 1_000_001, "more than 1,000,000 characters of YAML\n  hint: split it"),
    ],
    ids=["depth", "values", "characters"],
)
def test_bounds_are_told(text: str, message: str) -> None:
    assert str(refused(text)).partition("]: ")[2] == message


def test_what_is_within_the_bounds_is_read() -> None:
    assert parsed("[" * 41 + "]" * 41).value
    assert len(str(parsed(f"a: {'x' * 999_990}").value)) > 999_990
