"""The rows of components: each is whole, and what it writes reaches the page."""

from __future__ import annotations

import re

import pytest
from building import note
from fixtures import HERE, body, cases
from running import PROJECT

from paper_notes.markdown import parser
from paper_notes.markdown.render import render_body
from paper_notes.markdown.sanitise import WRITTEN_CLASSES, sanitise
from paper_notes.markdown.syntax.components import COMPONENTS

GUIDE = sorted((PROJECT / "notes_src/guide").glob("*/*.md"))
FIXTURES = sorted(path.name for path in HERE.glob("*.md") if path.name != "html.md")  # whose classes are not ours
PARTS = sorted((PROJECT / "assets/css/parts").glob("*.css"))


def classes(html: str) -> set[str]:
    return {name for found in re.findall(r'class="([^"]*)"', html) for name in found.split()}


@pytest.fixture
def dropped(monkeypatch: pytest.MonkeyPatch) -> dict[str, set[str]]:
    """Classes that were written into a text and, below "dropped", those of them that the sanitiser took out."""
    found: dict[str, set[str]] = {"written": set(), "dropped": set()}

    def spy(html: str) -> str:
        clean = sanitise(html)
        found["written"] |= classes(html)
        found["dropped"] |= classes(html) - classes(clean)
        return clean

    monkeypatch.setattr(parser, "sanitise", spy)
    return found


@pytest.mark.nightly
def test_no_class_is_dropped(dropped: dict[str, set[str]]) -> None:
    """Of all that the guide and the fixtures show; and rows name no class that their component never writes."""
    for path in GUIDE:
        files: dict[str, str | bytes] = {beside.name: beside.read_bytes() for beside in path.parent.glob("*.svg")}
        render_body(note({"zh": path.read_text("utf-8")}, files))
    for name in FIXTURES:
        for case in cases(name):
            body(case.input)
    assert dropped["dropped"] == set()
    assert {name for component in COMPONENTS.values() for name in component.classes.split()} <= dropped["written"]


@pytest.mark.parametrize("name", COMPONENTS)
def test_a_row_is_whole(name: str) -> None:
    component = COMPONENTS[name]
    styled = {mark for path in PARTS for mark in path.stem.partition("-")[2].split("+")}
    assert styled & set(component.classes.split()), "no style sheet in assets/css/parts is named for it"
    assert all(len(component.help[lang]) < 80 for lang in component.help.languages)
    assert component.help.has("en")


def test_notes_cannot_write_the_classes_of_components() -> None:
    assert not WRITTEN_CLASSES & {name for component in COMPONENTS.values() for name in component.classes.split()}
