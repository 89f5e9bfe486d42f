"""How features join in: through one row of a table each, or an entry point of another package."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

GROUP = "paper_notes.features"
"""The group of entry points that lead to features of other packages."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the terminal: it is imported when it is called, so that `--help` is quick."""

    at: str
    """`module:object`."""
    summary: str
    """The first sentence of its help."""


@dataclass(frozen=True, slots=True)
class Feature:
    """What can be left out of the program. Everything it brings is named as `module:object`, and loaded when needed."""

    name: str
    commands: Mapping[str, Command] = field(default_factory=dict)
    """By what a user types."""
    transforms: tuple[str, ...] = ()
    """Functions that change or mark the blocks of a text on their way to a page, in this order."""
    facts: tuple[str, ...] = ()
    """Functions from the root and a number of jobs to diagnostics, for `check --facts`."""


@cache
def features() -> tuple[Feature, ...]:
    """Ours in the order of their table, then those of other packages by name."""
    from paper_notes.features import FEATURES  # which imports this module

    if not _is_offered():
        return FEATURES
    from importlib.metadata import entry_points  # takes a third of the time of `--help`

    others = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    return (*FEATURES, *(entry.load() for entry in others))


def _is_offered() -> bool:
    """Whether any installed package has an entry point of our group."""
    for folder in sys.path:
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith((".dist-info", ".egg-info")):
                    with suppress(OSError):
                        if GROUP.encode() in Path(entry.path, "entry_points.txt").read_bytes():
                            return True
    return False


def load(at: str) -> Any:
    """The object that `module:object` names."""
    module, _, name = at.partition(":")
    return getattr(import_module(module), name)


@cache
def transforms() -> tuple[Callable[..., Any], ...]:
    """The transforms of all features."""
    return tuple(load(at) for feature in features() for at in feature.transforms)
