"""Python, packages and extras: the versions that are installed against those that are required."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from paper_notes.features.doctor.finding import DoctorFinding

USES: Mapping[str, str] = MappingProxyType(
    {
        "mermaid": "draws ```mermaid fences",
        "vega": "draws ```vega-lite fences",
        "anki": "writes packages of cards for Anki",
        "dask": "builds on a Dask cluster",
    }
)
"""What each extra is for."""
_REQUIREMENT = re.compile(r"""([\w.-]+)\s*\(?([^;()\[\]]*)\)?\s*(?:;(.*))?$""")
_EXTRA = re.compile(r"""extra\s*==\s*['"]([\w-]+)['"]""")
_MACHINE = re.compile(r"""sys_platform\s*==\s*['"](\w+)['"]\s*and\s*platform_machine\s*==\s*['"](\w+)['"]""")
_BOUND = re.compile(r"(>=|<=|==|!=|<|>)\s*([\w.+!-]+)")


@dataclass(frozen=True, slots=True)
class Required:
    """A requirement of the metadata: `nh3<1,>=0.3.7`, or `merman<0.10,>=0.9.2; extra == 'mermaid'`."""

    name: str
    bounds: tuple[tuple[str, str], ...]
    extra: str = ""
    machines: tuple[tuple[str, str], ...] = ()
    """`sys.platform` and processor of the machines that there is a version for; empty for all."""

    def allows(self, version: str) -> bool:
        """Whether this version is within all bounds."""
        return all(_compare(operator, version, bound) for operator, bound in self.bounds)

    def __str__(self) -> str:
        """As pip takes it."""
        return self.name + ",".join(operator + bound for operator, bound in self.bounds)


def parsed(requirement: str) -> Required:
    """A requirement of the package's own metadata: names, bounds, and at most the name of an extra."""
    match = _REQUIREMENT.match(requirement)
    name, bounds, marker = match.groups() if match else (requirement, "", "")
    extra = _EXTRA.search(marker or "")
    machines = tuple(_MACHINE.findall(marker or ""))
    return Required(name, tuple(_BOUND.findall(bounds)), extra[1] if extra else "", machines)


def _compare(operator: str, version: str, bound: str) -> bool:
    mine, other = _release(version), _release(bound)
    length = max(len(mine), len(other))
    mine, other = (numbers + (0,) * (length - len(numbers)) for numbers in (mine, other))
    return {
        ">=": mine >= other,
        "<=": mine <= other,
        "==": mine == other,
        "!=": mine != other,
        "<": mine < other,
        ">": mine > other,
    }[operator]


def _release(version: str) -> tuple[int, ...]:
    """The numbers of a version, without what follows them: 2.0.1b3 is (2, 0, 1)."""
    numbers = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, numbers[0].split("."))) if numbers else (0,)


def installation(
    python: tuple[int, ...],
    wanted_python: str,
    requirements: Iterable[str],
    installed: Callable[[str], str | None],
    machine: tuple[str, str],
    pip: str = "python -m pip",
) -> Iterator[DoctorFinding]:
    """What is to say of an installation.

    Args:
        python: The version that runs.
        wanted_python: The versions that will do, as `>=3.11`.
        requirements: Those of the package's metadata.
        installed: The version of a package, or None.
        machine: `sys.platform` and processor.
        pip: How pip is called.
    """
    version = ".".join(map(str, python))
    wanted = Required("Python", tuple(_BOUND.findall(wanted_python)))
    if wanted.allows(version):
        yield DoctorFinding("ok", "python", f"Python {version}, {wanted_python or 'any version'} is required")
    else:
        yield DoctorFinding(
            "serious", "python", f"Python {version} is too old: {wanted_python} is required", "install a newer one"
        )
    needed = [parsed(requirement) for requirement in requirements]
    wrong = [problem for need in needed if not need.extra and (problem := _wrong(need, installed(need.name), pip))]
    count = sum(not need.extra for need in needed)
    yield from wrong
    if count and not wrong:
        yield DoctorFinding("ok", "packages", f"{count} packages in versions that are allowed")
    for extra in dict.fromkeys(need.extra for need in needed if need.extra):
        own = [need for need in needed if need.extra == extra]
        if all(not need.machines or machine in need.machines for need in own):
            yield _extra(extra, own, installed, pip)
        else:
            yield DoctorFinding(
                "ok", "extras", f"{extra}, which {USES.get(extra, 'is optional')}: there is none for this machine"
            )


def _wrong(needed: Required, version: str | None, pip: str) -> DoctorFinding | None:
    if version and needed.allows(version):
        return None
    state = f"{needed.name} {version} is not an allowed version" if version else f"{needed.name} is not installed"
    return DoctorFinding("serious", "packages", f"{state}: {needed} is required", f'{pip} install "{needed}"')


def _extra(extra: str, needed: list[Required], installed: Callable[[str], str | None], pip: str) -> DoctorFinding:
    use = USES.get(extra, "is optional")
    missing = [requirement for requirement in needed if not installed(requirement.name)]
    if missing:
        names = " ".join(f'"{requirement}"' for requirement in missing)
        return DoctorFinding("ok", "extras", f"{extra}, which {use}, is not installed; {pip} install {names}")
    wrong = [problem for requirement in needed if (problem := _wrong(requirement, installed(requirement.name), pip))]
    return wrong[0] if wrong else DoctorFinding("ok", "extras", f"{extra}, which {use}, is installed")
