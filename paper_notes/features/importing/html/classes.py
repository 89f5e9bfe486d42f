"""The table of classes: what the elements of a page mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath

from paper_notes.diagnostics import Diagnostic
from paper_notes.features.importing.html.tree import HtmlNode
from paper_notes.sources.yaml import parse_yaml

ROLES = frozenset(
    "box mark cell figure caption stats stat number label formula math fraction numerator denominator quote source"
    " details meta contents row strong emphasis code small plain drop".split()
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an element is: its role, and the name of its component or mark."""

    role: str
    name: str = ""


PLAIN = Meaning("plain")


@cache
def built_in() -> Mapping[str, str]:
    """Our own table. Reads the data; raises ValueError where it is wrong."""
    document = parse_yaml(PurePosixPath("classes.yaml"), files(__package__).joinpath("classes.yaml").read_text("utf-8"))
    if isinstance(document, Diagnostic) or not isinstance(document.value, dict):
        raise ValueError(str(document))
    return {str(key): str(value) for key, value in document.value.items()}


def meaning_of(element: HtmlNode, table: Mapping[str, str], inside: str = "") -> Meaning | None:
    """What the table says of an element within one of the role `inside`; None if it has classes that are unknown."""
    keys = [f"{element.tag}.{name}" for name in element.classes]
    keys += [f"{inside} .{name}" for name in element.classes if inside]
    keys += [f".{name}" for name in element.classes]
    keys += [f".{family}*" for name in element.classes if (family := f"{name.partition('-')[0]}-") != f"{name}-"]
    keys += [element.tag]
    for key in keys:
        role, _, name = table.get(key, "").partition(" ")
        if role in ROLES:
            return Meaning(role, name.strip())
    return None if element.classes else PLAIN
