"""Which versions are installed: those that are locked fit pyproject.toml, and the oldest ones are its lower bounds."""

from __future__ import annotations

import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from pins import LOCKED, LOWEST, OLDEST, lower_bounds, oldest, project
from running import PROJECT

TOLD = project()
REQUIRED = [
    *TOLD["project"]["dependencies"],
    *(text for texts in TOLD["project"]["optional-dependencies"].values() for text in texts),
    *TOLD["build-system"]["requires"],
    *(text for group in TOLD["dependency-groups"].values() for text in group if isinstance(text, str)),
]


def pinned() -> dict[str, str]:
    lines = [line for line in LOCKED.read_text("utf-8").splitlines() if not line.startswith("#")]
    return {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}


@pytest.mark.parametrize("text", dict.fromkeys(REQUIRED))
def test_what_pyproject_asks_for_is_locked_to_a_version_it_allows(text: str) -> None:
    wanted = Requirement(text)
    assert wanted.specifier.contains(pinned()[canonicalize_name(wanted.name)]), "run `make lock`"


def test_the_oldest_versions_are_those_of_pyproject() -> None:
    assert OLDEST.read_text("utf-8") == oldest(), "run `python tests/pins.py oldest`"


def test_every_dependency_has_a_lower_bound() -> None:
    dependencies = TOLD["project"]["dependencies"]
    assert len(lower_bounds(dependencies)) == len(dependencies)
    with pytest.raises(AssertionError, match="no lower bound of click"):
        lower_bounds(["click<9"])
    assert lower_bounds(["Merman>=0.9.2,<0.10; sys_platform != 'linux'"]) == {
        "merman": 'Merman==0.9.2 ; sys_platform != "linux"'
    }


SAFE = {
    "distributed": "2026.1.0",  # CVE-2026-23528
    "h11": "0.16.0",  # CVE-2025-43859
    "idna": "3.7",  # CVE-2024-3651
    "jinja2": "3.1.6",  # CVE-2024-56201, CVE-2024-56326, CVE-2025-27516
    "nh3": "0.3.7",  # RUSTSEC-2025-0071, RUSTSEC-2026-0193, RUSTSEC-2026-0213
    "opencc": "1.2.0",  # CVE-2025-15536
    "pillow": "12.3.0",  # CVE-2025-48379, CVE-2026-25990, CVE-2026-40192, and what 12.3.0 fixes
    "pygments": "2.20.0",  # CVE-2026-4539
    "pymupdf": "1.28.0",  # CVE-2026-25556, CVE-2026-3308
}
"""The first versions without a hole that was published."""


@pytest.mark.parametrize(("name", "version"), SAFE.items())
def test_no_version_with_a_published_hole_is_allowed(name: str, version: str) -> None:
    extras = [text for texts in TOLD["project"]["optional-dependencies"].values() for text in texts]
    bound = lower_bounds([*TOLD["project"]["dependencies"], *extras])[name].partition("==")[2]
    assert Version(bound) >= Version(version)


def test_the_lock_is_made_with_the_oldest_python() -> None:
    assert TOLD["project"]["requires-python"] == f">={'.'.join(map(str, LOWEST))}"


def test_make_installs_what_is_locked() -> None:
    makefile = (PROJECT / "Makefile").read_text("utf-8")
    installs = [line for line in makefile.splitlines() if "/$(PIP) " in line]
    assert len(installs) == 5
    assert all("--constraint constraints" in line for line in installs)
    for_a_site, _, for_tests = makefile.partition("# what its tests need, too")
    assert "--group" not in for_a_site, "who makes a site needs no browser driver"
    assert "--group dev" in for_tests
    assert "constraints*.txt" in str(tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"])
