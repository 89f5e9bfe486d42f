"""Texts that are deeper or more tangled than anybody writes come in as they are written, and the others beside them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import EXAMPLES, paper_notes, write

SITE = "title: {zh: 笔记, en: Notes}\nlanguages: [zh, en]\ntopics: [old]\n"
DEEP = 400 if EXAMPLES else 200
"""Deep enough to exhaust what calls itself at each level; of some kinds the time grows with the square."""
_LINES = 300 if EXAMPLES else 150
"""Of what is deeper on each line, so that the text grows with the square."""
_LISTED = "".join(f"{'  ' * depth}- item {depth}\n" for depth in range(_LINES))
_INDENTED = "".join(f'{"    " * depth}!!! note "T{depth}"\n\n' for depth in range(_LINES))
_TABS = "".join(f'{"    " * depth}=== "T{depth}"\n\n' for depth in range(_LINES))
_MAPS = "".join(f"{' ' * depth}a:\n" for depth in range(_LINES))
DEPTHS = {
    "quotes.md": "> " * DEEP + "innermost",
    "callouts.md": "".join(f"{'> ' * depth}[!note] T\n" for depth in range(1, _LINES)) + "> " * _LINES + "innermost",
    "items.md": "- " * DEEP + "innermost",
    "list.md": f"{_LISTED}{'  ' * _LINES}innermost",
    "boxes.md": ":::note\n" * DEEP + "innermost\n" + ":::\n" * DEEP,
    "fenced.md": "```{note}\n" * DEEP + "innermost\n" + "```\n" * DEEP,
    "indented.md": f"{_INDENTED}{'    ' * _LINES}innermost",
    "tabs.md": f"{_TABS}{'    ' * _LINES}innermost",
    "details.md": "<details>\n" * DEEP + "innermost\n" + "</details>\n" * DEEP,
    "jsx.md": "<Note>\n" * DEEP + "innermost\n" + "</Note>\n" * DEEP,
    "raw.md": "<div>" * DEEP + "innermost" + "</div>" * DEEP,
    "table.md": "<table><tr><td>" * DEEP + "innermost" + "</td></tr></table>" * DEEP,
    "brackets.md": "[" * 400 + "innermost" + "](x)" * 400,
    "pictures.md": "![" * 400 + "innermost" + "](x)" * 400,
    "address.md": f"![a](data:image/png;base64,{'QUJD' * 25_000})\n\ninnermost",
    "emphasis.md": "*a " * DEEP + "innermost" + "*" * DEEP,
    "edits.md": "{==" * DEEP + "innermost" + "==}" * DEEP,
    "formula.md": "$" + "{" * DEEP + "x" + "}" * DEEP + "$ innermost",
    "list.yaml.md": f"---\ntags: {'[' * DEEP}{']' * DEEP}\n---\n\ninnermost",
    "map.yaml.md": f"---\n{_MAPS}---\n\ninnermost",
    "div.html": "<div>" * DEEP + "innermost" + "</div>" * DEEP,
    "quote.html": "<blockquote>" * DEEP + "innermost" + "</blockquote>" * DEEP,
    "marks.html": "<p>" + "<b><i>" * DEEP + "innermost" + "</i></b>" * DEEP + "</p>",
    "ul.html": "<ul><li>" * DEEP + "innermost" + "</li></ul>" * DEEP,
    "cells.html": "<table><tr><td>" * DEEP + "innermost" + "</td></tr></table>" * DEEP,
    "svg.html": f"<svg>{'<g>' * DEEP}<text>innermost</text>{'</g>' * DEEP}</svg>",
    "math.html": f"<p><math>{'<mrow>' * DEEP}<mi>x</mi>{'</mrow>' * DEEP}</math> innermost</p>",
}


@pytest.fixture(scope="module")
def deep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of deep notes that was taken in beside a plain one."""
    folder = tmp_path_factory.mktemp("deep")
    write(folder / "mine", {"notes_src/site.yaml": SITE, "notes_src/old/topic.yaml": "title: Old\n"})
    for name, text in DEPTHS.items():
        page = f"<html><body><h1>{name}</h1><p>Lead.</p>{text}</body></html>"
        lead = "" if text.startswith("---") else f"# {name}\n\n"
        write(folder / "theirs", {f"deep/{name}": page if name.endswith("html") else f"{lead}{text}\n"})
    write(folder / "theirs", {"deep/plain.md": "# Plain\n\nPlain words.\n"})
    done = paper_notes("import", folder / "theirs", "--offline", "--json", "--root", folder / "mine")
    assert done.exit_code == 0, f"{done.output[-3000:]}{done.exception!r}"
    (folder / "said.json").write_text(done.stdout)
    return folder


@pytest.mark.nightly(but_every=4)
@pytest.mark.parametrize("name", DEPTHS)
def test_a_deep_note_comes_in_with_its_words(name: str, deep: Path) -> None:
    said = {Path(note["original"]).name: note for note in json.loads((deep / "said.json").read_text())["notes"]}
    assert said[name]["kept"] == said[name]["characters"] > 0
    folder = deep / "mine/notes_src" / said[name]["note"]
    assert "innermost" in "".join(path.read_text("utf-8") for path in folder.rglob("*.[ms][dv]*"))


@pytest.mark.nightly
def test_deep_notes_build(deep: Path) -> None:
    done = paper_notes("build", "--root", deep / "mine")
    assert done.exit_code == 0, done.output[-3000:]


TANGLED = ("[", "![", "[[", "![[", "[^", "[a](", "[a][", "[a", "{", "{{<", "{%", "{==", "\\(", "\\[", "<a ", "> ", "- ")


@pytest.mark.nightly
def test_open_brackets_are_shown_as_they_were_written(tmp_path: Path) -> None:
    write(tmp_path / "mine", {"notes_src/site.yaml": SITE, "notes_src/old/topic.yaml": "title: Old\n"})
    for number, pattern in enumerate(TANGLED):
        write(tmp_path / "theirs", {f"open/n{number:02}.md": f"# N\n\nBefore.\n\n{pattern * 300}\n\nAfter *it*.\n"})
        page = f"<html><body><h1>N</h1><p>{pattern.replace('<', '&lt;') * 300} end</p></body></html>"
        write(tmp_path / "theirs", {f"open/p{number:02}.html": page})
    write(tmp_path / "theirs", {"open/some.md": "# Some\n\n" + "[0, 1) and $[a, b)$ are intervals. " * 90})
    done = paper_notes("import", tmp_path / "theirs", "--offline", "--json", "--root", tmp_path / "mine")
    assert done.exit_code == 0, done.output
    for note in json.loads(done.stdout)["notes"]:
        original = Path(note["original"])
        text = (tmp_path / "mine/notes_src" / note["note"] / "en.md").read_text("utf-8")
        assert note["kept"] == note["characters"]
        if original.name.startswith("n"):
            shown = TANGLED[int(original.stem[1:])] * 300
            assert f"Before.\n\n```text\n{shown.rstrip()}" in text
            assert text.rstrip().endswith("After *it*.")
            assert [found["kind"] for found in note["findings"]] == ["as-text"]
        elif original.name == "some.md":
            assert "```" not in text


@pytest.mark.nightly
def test_a_cell_of_a_table_may_be_long(tmp_path: Path) -> None:
    write(tmp_path / "mine", {"notes_src/site.yaml": SITE, "notes_src/old/topic.yaml": "title: Old\n"})
    cell = "word " * 30_000
    table = f"# T\n\n```{{csv-table}} Kilns\nclay,{cell}\n```\n"
    write(tmp_path / "theirs", {f"a/Kilns {'0' * 32}.csv": f"Name,Text\nclay,{cell}\n", "a/table.md": table})
    done = paper_notes("import", tmp_path / "theirs", "--offline", "--json", "--root", tmp_path / "mine")
    assert done.exit_code == 0, done.output[-3000:]
    notes = json.loads(done.stdout)["notes"]
    assert [note["kept"] == note["characters"] > 120_000 for note in notes] == [True, True]
