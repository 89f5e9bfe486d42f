"""Writes which versions are installed: `constraints.txt`, for all who work on this, and the oldest ones that must do.

python tests/pins.py lock      the newest of everything, tried out in a fresh environment
python tests/pins.py oldest    the lower bounds that pyproject.toml promises to users
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Iterable
from itertools import product
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).resolve().parents[1]
LOCKED, OLDEST = PROJECT / "constraints.txt", PROJECT / "constraints-oldest.txt"
LOWEST = (3, 11)
_PLATFORMS = (("linux", "Linux", "posix"), ("darwin", "Darwin", "posix"), ("win32", "Windows", "nt"))
_PYTHONS = ("3.11", "3.12", "3.13", "3.14")
_HEAD = {
    LOCKED: "# Everything that is installed to work on paper-notes, and to publish. Made by `make lock`.\n",
    OLDEST: "# The oldest versions that pyproject.toml allows, and the tools to test them. Made by `make lock`.\n",
}


def project() -> dict:
    return tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))


def lower_bounds(requirements: Iterable[str]) -> dict[str, str]:
    """What each requirement asks for at least, as a line of a constraints file, by its name."""
    found = {}
    for text in requirements:
        wanted = Requirement(text)
        bounds = [one.version for one in wanted.specifier if one.operator in (">=", "==")]
        assert bounds, f"pyproject.toml says no lower bound of {wanted.name}"
        marker = f" ; {wanted.marker}" if wanted.marker else ""
        found[canonicalize_name(wanted.name)] = f"{wanted.name}=={bounds[0]}{marker}"
    return found


def oldest() -> str:
    """The text of `constraints-oldest.txt`: lower bounds for what users get, locked versions for what tests it."""
    told = project()
    extras = [text for texts in told["project"]["optional-dependencies"].values() for text in texts]
    lines = lower_bounds([*told["project"]["dependencies"], *extras])
    locked = {canonicalize_name(line.partition("==")[0]): line for line in LOCKED.read_text("utf-8").splitlines()[1:]}
    tools = [canonicalize_name(Requirement(text).name) for text in told["dependency-groups"]["test"]]
    lines |= {name: locked[name] for name in ("pip", *tools) if name not in lines}
    return _HEAD[OLDEST] + "".join(f"{lines[name]}\n" for name in sorted(lines))


def lock() -> str:
    """The text of `constraints.txt`: the newest versions that go together, found by installing them."""
    if sys.version_info[:2] != LOWEST:
        sys.exit(f"lock with Python {'.'.join(map(str, LOWEST))}, so that every Python we support can have it")
    with tempfile.TemporaryDirectory() as place:
        venv.create(place, with_pip=True)
        python = str(Path(place, "Scripts" if os.name == "nt" else "bin", "python"))
        pip = (python, "-m", "pip", "--disable-pip-version-check", "--quiet")
        backend = project()["build-system"]["requires"]
        subprocess.run([*pip, "install", "--upgrade", "pip"], check=True)
        subprocess.run([*pip, "install", "--editable", PROJECT, "--group", f"{PROJECT}/pyproject.toml:dev"], check=True)
        subprocess.run([*pip, "install", *backend], check=True)
        inspected = subprocess.run([*pip, "inspect", "--local"], check=True, capture_output=True)
        installed = [one["metadata"] for one in json.loads(inspected.stdout)["installed"]]
        found = {canonicalize_name(metadata["name"]): metadata for metadata in installed}
        del found["paper-notes"]
        found.pop("setuptools", None)
        pins = {name: f"{metadata['name']}=={metadata['version']}" for name, metadata in found.items()}
        for name in _elsewhere(found.values()) - pins.keys():
            report = subprocess.run(
                [*pip, "install", "--dry-run", "--ignore-installed", "--no-deps", "--report", "-", name],
                check=True,
                capture_output=True,
            )
            metadata = json.loads(report.stdout)["install"][0]["metadata"]
            pins[name] = f"{metadata['name']}=={metadata['version']}"
    return _HEAD[LOCKED] + "".join(f"{pins[name]}\n" for name in sorted(pins))


def _elsewhere(installed: Iterable[dict]) -> set[str]:
    """What the installed packages need on another system, or with another Python."""
    wanted = set()
    for metadata in installed:
        for requirement in map(Requirement, metadata.get("requires_dist", ())):
            if requirement.marker and any(requirement.marker.evaluate(one) for one in _environments()):
                wanted.add(canonicalize_name(requirement.name))
    return wanted


def _environments() -> Iterable[dict[str, str]]:
    for (system, name, kind), python in product(_PLATFORMS, _PYTHONS):
        yield {
            "sys_platform": system,
            "platform_system": name,
            "os_name": kind,
            "python_version": python,
            "python_full_version": f"{python}.1",
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
            "extra": "",
        }


if __name__ == "__main__":
    if sys.argv[1:] == ["lock"]:
        LOCKED.write_text(lock(), "utf-8")
    OLDEST.write_text(oldest(), "utf-8")
