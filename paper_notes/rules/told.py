"""What the catalogue says about one rule, in each language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Told:
    """Why a finding is given, and what to do about it: one or two sentences of Markdown each."""

    cause: str
    cure: str


Rules = Mapping[str, Mapping[Literal["zh", "en"], Told]]
"""By the id of the rule, in the order of the guide."""
