"""A package of somebody else's adds a command, a component and a reader: it is installed, and that is all."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib import import_module
from pathlib import Path

import pytest
from installing import run
from running import PROJECT, collection

LAB = PROJECT / "tests/features/lab"
RECIPE = "\n\n:::protocol Brewing {#brew}\nWater *below* the boil.\n:::\n"
ORG = "#+TITLE: Notes on Water\n* Hardness\nIt is /very/ hard.\n"
USE = """
import json, sys
from paper_notes.commands import main

for arguments in json.loads(sys.argv[1]):
    print("$", *arguments, flush=True)
    try:
        main(arguments, standalone_mode=False)
    except SystemExit as end:
        print("exit", end.code)
"""


def wheel_of(project: Path, place: Path) -> Path:
    """The wheel of a package of plain modules, as build backends make it, but without one: those are on the network."""
    facts = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]
    stem = f"{facts['name'].replace('-', '_')}-{facts['version']}"
    files = {path.relative_to(project).as_posix(): path.read_bytes() for path in project.rglob("*.py")}
    info = {
        "METADATA": f"Metadata-Version: 2.1\nName: {facts['name']}\nVersion: {facts['version']}\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "entry_points.txt": "".join(
            f"[{group}]\n" + "".join(f"{name} = {at}\n" for name, at in entries.items())
            for group, entries in facts["entry-points"].items()
        ),
    }
    files |= {f"{stem}.dist-info/{name}": text.encode() for name, text in info.items()}
    files[f"{stem}.dist-info/RECORD"] = "".join(f"{name},,\n" for name in files).encode()
    wheel = place / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return wheel


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder in which the package is installed: its wheel unpacked, as installers do it."""
    with zipfile.ZipFile(wheel_of(LAB, tmp_path)) as archive:
        archive.extractall(tmp_path / "installed")
    return tmp_path / "installed"


def used(installed: Path | None, root: Path, *commands: list[str]) -> str:
    """What paper-notes says, with the package installed or without."""
    return run(
        sys.executable,
        "-c",
        USE,
        json.dumps(commands),
        cwd=root,
        **({"PYTHONPATH": str(installed)} if installed else {}),
    ).stdout


@pytest.mark.nightly
def test_it_adds_a_command_a_component_with_a_style_and_a_reader_and_what_has_changed_is_made_again(
    installed: Path, tmp_path: Path
) -> None:
    root = collection("minimal", tmp_path)
    note = root / "notes_src/tea/01_Longjing/zh.md"
    note.write_text(RECIPE, "utf-8")
    (tmp_path / "old").mkdir()
    (tmp_path / "old/water.org").write_text(ORG, "utf-8")

    said = used(
        installed,
        root,
        ["--help"],
        ["import", str(tmp_path / "old"), "--topic", "tea", "--offline"],
        ["build"],
        ["longest", "--json"],
        ["explain", "protocol"],
    )

    assert "longest     Name the note with the most sections." in said
    assert json.loads(said.partition("$ longest --json\n")[2].partition("$")[0]) == {
        "note": "tea/02_water",
        "sections": 1,
    }
    assert "The steps of an experiment" in said
    (text,) = (root / "notes_src/tea/02_water").glob("*.md")
    assert text.read_text("utf-8") == "## Hardness\n\nIt is *very* hard."
    page = (root / "site/tea/notes/01_Longjing.html").read_text("utf-8")
    assert '<section class="protocol"' in page
    assert ".protocol{border-left:3px solid;padding-left:1rem}" in page
    assert ".protocol{" not in (root / "site/tea/notes/02_water.html").read_text("utf-8"), "it does not use it"

    module = installed / "paper_notes_lab/protocol.py"
    module.write_text(module.read_text("utf-8").replace("section", "aside"), "utf-8")
    used(installed, root, ["build"])
    assert '<aside class="protocol"' in (root / "site/tea/notes/01_Longjing.html").read_text("utf-8")
    assert "exit 1" in used(None, root, ["build"]), "nobody knows the component any more"


def test_what_does_not_fit_is_named_and_is_no_traceback(installed: Path, tmp_path: Path) -> None:
    (installed / "paper_notes_lab/__init__.py").write_text("from paper_notes.extensions import Gone\n", "utf-8")
    for arguments in (["--help"], ["build"]):
        done = subprocess.run(
            [sys.executable, "-m", "paper_notes", *arguments],
            cwd=tmp_path,
            env={"PYTHONPATH": str(installed)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1
        assert "paper_notes_lab adds to paper-notes what cannot be used: cannot import name 'Gone'" in done.stderr
        assert "hint: install the version that fits this paper-notes, or uninstall it" in done.stderr


GUIDE = PROJECT / "notes_src/guide/08_Packages_of_yours"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_names_of_the_guide_exist_and_its_code_is_that_of_the_example(lang: str) -> None:
    text = (GUIDE / f"{lang}.md").read_text("utf-8")
    names = re.findall(r"(?m)^\| `(paper_notes\.[\w.]+)` \|", text)
    assert len(names) == 16
    for name in names:
        module, _, attribute = name.rpartition(".")
        assert hasattr(import_module(module), attribute) or import_module(name), name
    code = "".join(path.read_text("utf-8") for path in (LAB / "paper_notes_lab").glob("*.py"))
    for block in re.findall(r"(?ms)^```python\n(.*?)^```", text):
        for line in block.splitlines():
            assert line.strip() in ("", "...") or line.startswith("#") or f"{line}\n" in code, line


def test_the_public_names_are_all_that_the_example_uses() -> None:
    text = (GUIDE / "en.md").read_text("utf-8")
    public = set(re.findall(r"(?m)^\| `(paper_notes\.[\w.]+)` \|", text))
    for path in (LAB / "paper_notes_lab").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("paper_notes."):
                used = {f"{node.module}.{alias.name}" for alias in node.names}
                assert used <= public or node.module in public, used - public
