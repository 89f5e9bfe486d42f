"""Python, packages and extras: the versions that are installed against those that are required."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from paper_notes.features.doctor.finding import DoctorFinding

USES: Mapping[str, str] = MappingProxyType(
    {
        "mermaid": "draws ```mermaid fences",
        "vega": "draws ```vega-lite fences",
        "anki": "writes packages of cards for Anki",
        "editor": "serves notes to editors",
        "mcp": "serves notes to assistants",
        "pandoc": "imports what pandoc reads: Word, LaTeX, org ...",
        "dask": "builds on a Dask cluster",
    }
)
"""What each extra is for."""


def installation(
    python: str,
    wanted_python: str,
    requirements: Iterable[str],
    installed: Callable[[str], str | None],
    machine: tuple[str, str],
    install: str = "python -m pip install",
) -> Iterator[DoctorFinding]:
    """What is to say of an installation.

    `requirements` are those of the package's metadata, `installed` gives the version of a package, and `machine` is
    `sys.platform` and processor. `install` is the line that installs a library beside the program.
    """
    if SpecifierSet(wanted_python).contains(python, prereleases=True):
        yield DoctorFinding("ok", "python", f"Python {python}, {wanted_python or 'any version'} is required")
    else:
        message = f"Python {python} is too old: {wanted_python} is required"
        yield DoctorFinding("serious", "python", message, "install a newer one")
    every = [*map(Requirement, requirements)]
    needed = [need for need in every if not need.marker or need.marker.evaluate({"extra": ""})]
    wrong = [problem for need in needed if (problem := _wrong(need, installed(need.name), install))]
    yield from wrong
    if needed and not wrong:
        yield DoctorFinding("ok", "packages", f"{len(needed)} packages in versions that are allowed")
    system, processor = machine
    for extra, use in USES.items():
        its = [(need, need.marker) for need in every if need.marker and f'extra == "{extra}"' in str(need.marker)]
        here = {"extra": extra, "sys_platform": system, "platform_machine": processor}
        needed = [need for need, marker in its if marker.evaluate(here)]
        missing = " ".join(f'"{need.name}{need.specifier}"' for need in needed if not installed(need.name))
        if its and not needed:
            yield DoctorFinding("ok", "extras", f"{extra}, which {use}: there is none for this machine")
        elif missing:
            yield DoctorFinding("ok", "extras", f"{extra}, which {use}, is not installed; {install} {missing}")
        elif its:
            problems = [problem for need in needed if (problem := _wrong(need, installed(need.name), install))]
            yield problems[0] if problems else DoctorFinding("ok", "extras", f"{extra}, which {use}, is installed")


def _wrong(needed: Requirement, version: str | None, install: str) -> DoctorFinding | None:
    """What is wrong with an installed version. One before a release is as good as that, if somebody chose it."""
    wanted = f"{needed.name}{needed.specifier}"
    if version and needed.specifier.contains(version, prereleases=True):
        return None
    state = f"{needed.name} {version} is not an allowed version" if version else f"{needed.name} is not installed"
    return DoctorFinding("serious", "packages", f"{state}: {wanted} is required", f'{install} "{wanted}"')
