"""A piece of text that is read at once, from left to right."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from paper_notes.features.importing.markdown.conversion import Conversion


@dataclass(frozen=True, slots=True)
class Run:
    """A paragraph, a heading, a row of a table, or a part of one."""

    conversion: Conversion
    line: int
    """Of the original, where the text begins."""
    rewrite: Callable[[str, Run], str]
    in_table: bool = False
    in_link: bool = False

    def inner(self, text: str, *, in_link: bool = False) -> str:
        """A part of the text, rewritten."""
        return self.rewrite(text, replace(self, in_link=self.in_link or in_link))

    @property
    def bar(self) -> str:
        """The bar of a reference with words."""
        return r"\|" if self.in_table else "|"


Found = re.Match[str]
Made = str | tuple[str, int] | None
"""What stands there, and where reading goes on if not behind the match; None: the row does not apply after all."""


@dataclass(frozen=True, slots=True)
class Rewriting:
    """One thing that others write: how it looks, and what it becomes."""

    name: str
    pattern: str
    make: Callable[[Run, Found], Made]


def remark(text: str) -> str:
    """A comment, which no page has."""
    text = text.replace("-->", "--&gt;").strip("\n")
    return f"<!--{text}-->" if text.strip() else ""
