"""The wheel: it holds all that a build needs, and makes a collection that is not this repository."""

from __future__ import annotations

import os
import re
import sys
import zipfile
from pathlib import Path

from installing import libraries, run
from running import PROJECT, collection, files_of, paper_notes


def test_it_holds_code_data_templates_styles_script_and_fonts(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    theme = {f"paper_notes/theme/{folder}": PROJECT / folder for folder in ("templates", "assets")}
    theme["paper_notes/manual"] = PROJECT / "site"
    for folder, source in {"paper_notes": PROJECT / "paper_notes", **theme}.items():
        for name in files_of(source):
            if "__pycache__" not in name:
                assert f"{folder}/{name}" in names
    assert "paper_notes/rules/bibtex.yaml" in names
    assert "paper_notes/theme/assets/math-font/PNMath.otf" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    foreign = {name for name in names if not name.startswith(("paper_notes/", "paper_notes-"))}
    assert foreign == set(), "nothing else is installed"
    assert not [name for name in names if name.endswith((".pyc", ".tmp"))]


def test_installed_elsewhere_it_builds_the_same_site(installed: Path, tmp_path: Path) -> None:
    root = collection("bilingual", tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    # the dependencies come from this environment; the package itself (installed here as editable) from the wheel
    path = os.pathsep.join([str(installed), libraries()])
    start = (
        "import sys; import paper_notes, paper_notes.commands; print(paper_notes.__file__); paper_notes.commands.run()"
    )
    done = run(sys.executable, "-S", "-c", start, "build", "--root", root, cwd=elsewhere, PYTHONPATH=path)
    assert done.stdout.strip() == str(installed / "paper_notes/__init__.py")
    assert "3 notes: 45 created" in done.stderr
    assert list(elsewhere.iterdir()) == []

    from_checkout = collection("bilingual", tmp_path / "checkout")
    assert paper_notes("build", "--root", from_checkout).exit_code == 0
    assert files_of(root) == files_of(from_checkout)


def test_the_guide_is_inside(installed: Path, tmp_path: Path) -> None:
    path = os.pathsep.join([str(installed), libraries()])
    start = "import paper_notes.commands; paper_notes.commands.run()"
    done = run(sys.executable, "-S", "-c", start, "guide", "--no-open", cwd=tmp_path, PYTHONPATH=path)
    page = Path(done.stdout.strip())
    assert page.is_relative_to(installed / "paper_notes")
    links = {link.partition("#")[0] for link in re.findall(r'<a [^>]*href="([^"#:?]+)', page.read_text("utf-8"))}
    assert "notes/01_Writing_a_note.html" in links
    assert [link for link in links if not (page.parent / link).is_file()] == [], "nothing else is needed to follow them"
