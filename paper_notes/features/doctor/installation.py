"""Python, packages and extras: the versions that are installed against those that are required."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from paper_notes.features.doctor.finding import DoctorFinding
from paper_notes.patterns import regex
from paper_notes.values import Struct

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
_REQUIREMENT = regex(r"""([\w.-]+)\s*\(?([^;()\[\]]*)\)?\s*(?:;(.*))?$""")
_EXTRA = regex(r"""extra\s*==\s*['"]([\w-]+)['"]""")
_MACHINE = regex(r"""sys_platform\s*==\s*['"](\w+)['"]\s*and\s*platform_machine\s*==\s*['"](\w+)['"]""")
_BOUND = regex(r"(>=|<=|==|!=|<|>)\s*([\w.+!-]+)")
_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = MappingProxyType(
    {
        ">=": operator.ge,
        "<=": operator.le,
        "==": operator.eq,
        "!=": operator.ne,
        "<": operator.lt,
        ">": operator.gt,
    }
)


class Required(Struct, frozen=True):
    """A requirement of the metadata: `nh3<1,>=0.3.7`, or `merman<0.10,>=0.9.2; extra == 'mermaid'`."""

    name: str
    bounds: tuple[tuple[str, str], ...]
    extra: str = ""
    machines: tuple[tuple[str, str], ...] = ()
    """`sys.platform` and processor of the machines that there is a version for; empty for all."""

    def allows(self, version: str) -> bool:
        """Whether this version is within all bounds."""
        return all(_COMPARE[sign](_release(version), _release(bound)) for sign, bound in self.bounds)

    def __str__(self) -> str:
        """As pip takes it."""
        return self.name + ",".join(sign + bound for sign, bound in self.bounds)


def parsed(requirement: str) -> Required:
    """A requirement of the package's own metadata: names, bounds, and at most the name of an extra."""
    match = _REQUIREMENT.match(requirement)
    name, bounds, marker = match.groups("") if match else (requirement, "", "")
    extra = _EXTRA.search(marker)
    return Required(name, tuple(_BOUND.findall(bounds)), extra[1] if extra else "", tuple(_MACHINE.findall(marker)))


def _release(version: str) -> tuple[int, ...]:
    """The numbers of a version, without zeros at its end and what follows them: 2.0.1b3 is (2, 0, 1), 1.0 is (1,)."""
    numbers = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, re.sub(r"(?:\.0+)+$", "", numbers[0]).split("."))) if numbers else (0,)


def installation(
    python: tuple[int, ...],
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
    version = ".".join(map(str, python))
    if Required("Python", tuple(_BOUND.findall(wanted_python))).allows(version):
        yield DoctorFinding("ok", "python", f"Python {version}, {wanted_python or 'any version'} is required")
    else:
        message = f"Python {version} is too old: {wanted_python} is required"
        yield DoctorFinding("serious", "python", message, "install a newer one")
    extras: dict[str, list[Required]] = {}
    for requirement in map(parsed, requirements):
        extras.setdefault(requirement.extra, []).append(requirement)
    needed = extras.pop("", [])
    wrong = [problem for need in needed if (problem := _wrong(need, installed(need.name), install))]
    yield from wrong
    if needed and not wrong:
        yield DoctorFinding("ok", "packages", f"{len(needed)} packages in versions that are allowed")
    for extra, needed in extras.items():
        use = USES.get(extra, "is optional")
        missing = [need for need in needed if not installed(need.name)]
        if not all(not need.machines or machine in need.machines for need in needed):
            yield DoctorFinding("ok", "extras", f"{extra}, which {use}: there is none for this machine")
        elif missing:
            names = " ".join(f'"{need}"' for need in missing)
            yield DoctorFinding("ok", "extras", f"{extra}, which {use}, is not installed; {install} {names}")
        else:
            problems = [problem for need in needed if (problem := _wrong(need, installed(need.name), install))]
            yield problems[0] if problems else DoctorFinding("ok", "extras", f"{extra}, which {use}, is installed")


def _wrong(needed: Required, version: str | None, install: str) -> DoctorFinding | None:
    if version and needed.allows(version):
        return None
    state = f"{needed.name} {version} is not an allowed version" if version else f"{needed.name} is not installed"
    return DoctorFinding("serious", "packages", f"{state}: {needed} is required", f'{install} "{needed}"')
