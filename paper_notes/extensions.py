"""How features join in: through one row of a table each, or an entry point of another package.

What packages of others may use is listed in the guide (`notes_src/guide/`): names that are there are kept.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from paper_notes.diagnostics import UserError
from paper_notes.values import Struct, field

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint  # takes a third of the time of `--help`

GROUP = "paper_notes.features"
"""The group of entry points that lead to features of other packages."""
OURS = "paper_notes.features:FEATURES"
"""The table of our own, which is loaded as those of others are: it imports this module."""


Group = Literal["Write", "Look", "Change", "Publish", "Import", "Rarely"]
"""What a user is about to do."""


class Command(Struct, frozen=True):
    """A command of the terminal: it is imported when it is called, so that `--help` is quick."""

    at: str
    """`module:object`."""
    summary: str
    """The first sentence of its help."""
    group: Group = "Rarely"
    """Under which `paper-notes --help` lists it."""
    old_names: Mapping[str, str] = field(default_factory=dict)
    """What it and its options were called, and what they are called now. Old names work until the next version."""


class Feature(Struct, frozen=True):
    """What can be left out of the program. Everything it brings is named as `module:object`, and loaded when needed."""

    name: str
    commands: Mapping[str, Command] = field(default_factory=dict)
    """By what a user types."""
    transforms: tuple[str, ...] = ()
    """Functions that change or mark the blocks of a text on their way to a page, in this order."""
    facts: tuple[str, ...] = ()
    """Functions from the root and a number of jobs to diagnostics, for `check --verify`."""
    components: tuple[str, ...] = ()
    """What `:::name` makes of its content: each a `ComponentKind` of `markdown.syntax.components`."""
    prompts: tuple[str, ...] = ()
    """Functions that blank what a new note asks for: from text and language to `markdown.parser.WithoutPrompts`."""
    syntax: tuple[str, ...] = ()
    """Plugins for the parser of what becomes a page: functions that add rules to it."""
    fences: tuple[str, ...] = ()
    """What draws the code fences of a language: each a `Fence` of `markdown.syntax.code`."""
    served: tuple[str, ...] = ()
    """Pages that `serve` makes when they are asked for: each an `OwnPage` of `serve.own_pages`."""
    sources: tuple[str, ...] = ()
    """Functions that bring `notes_src/` up to date before a build: from root and `write`, see `commands.build`."""
    formats: tuple[str, ...] = ()
    """Formats of notes that `import` reads: each a `NoteFormat` of `features.importing.types`."""


@cache
def features() -> tuple[Feature, ...]:
    """Ours in the order of their table, then those of other packages by name."""
    return (*load(OURS), *(load(entry.value) for entry in _others()))


@cache
def _others() -> tuple[EntryPoint, ...]:
    """The entry points of other packages."""
    if not _is_offered():
        return ()
    from importlib.metadata import entry_points

    return tuple(sorted(entry_points(group=GROUP), key=lambda entry: entry.name))


def code_of_others() -> tuple[Path, ...]:
    """The folders and modules of packages whose features have joined in: what they make depends on them."""
    specs = filter(None, (find_spec(entry.module.partition(".")[0]) for entry in _others()))
    places = (place for spec in specs for place in spec.submodule_search_locations or [spec.origin or ""])
    return tuple(map(Path, dict.fromkeys(places)))


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
    """The object that `module:object` names. Raises UserError if another package does not have it."""
    module, _, name = at.partition(":")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        if module.startswith("paper_notes."):
            raise
        package = module.partition(".")[0]
        hint = "install the version that fits this paper-notes, or uninstall it"
        raise UserError(f"{package} adds to paper-notes what cannot be used: {error}", hint) from error


@cache
def brought(
    what: Literal["transforms", "facts", "components", "prompts", "syntax", "fences", "served", "sources", "formats"],
) -> tuple[Any, ...]:
    """All of a kind that features bring, ours first."""
    return tuple(load(at) for feature in features() for at in getattr(feature, what))
