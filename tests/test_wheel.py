"""The wheel: it holds all that a build needs, and makes a collection that is not this repository."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from running import PROJECT, collection, files_of, paper_notes


def run(*command: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PIP_TARGET"))}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**env, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--no-input")
    run(*pip, "wheel", PROJECT, "--no-deps", "--wheel-dir", place, cwd=place)
    (made,) = place.glob("paper_notes-*.whl")
    return made


def test_it_holds_code_data_templates_styles_script_and_fonts(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    theme = {f"paper_notes/theme/{folder}": PROJECT / folder for folder in ("templates", "assets")}
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


def test_installed_elsewhere_it_builds_the_same_site(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    root = collection("bilingual", tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    # the dependencies come from this environment; the package itself (installed here as editable) from the wheel
    path = os.pathsep.join([str(tmp_path / "installed"), sysconfig.get_paths()["purelib"]])
    start = "import sys; import paper_notes, paper_notes.cli; print(paper_notes.__file__); paper_notes.cli.run()"
    done = run(sys.executable, "-S", "-c", start, "build", "--root", root, cwd=elsewhere, PYTHONPATH=path)
    assert done.stdout.strip() == str(tmp_path / "installed/paper_notes/__init__.py")
    assert "3 notes: 43 created" in done.stderr
    assert list(elsewhere.iterdir()) == []

    from_checkout = collection("bilingual", tmp_path / "checkout")
    assert paper_notes("build", "--root", from_checkout).exit_code == 0
    assert files_of(root) == files_of(from_checkout)
