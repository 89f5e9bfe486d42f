"""The text of `--help` in the language of the terminal, wrapped by the width of its characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

import click

from paper_notes.commands.terminal import translated

_PIECE = re.compile(r"(?:[“（「](?=\S))*(?:[A-Za-z0-9!-&*-~-]+|\S)[，。、；：！？）”」…,.;:!?)\]]*| +")
"""What a line may end after: a word, or one Chinese character, with the punctuation that goes with it."""

_GAP = re.compile("( {2,})")


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a paragraph, each at most `width` columns wide unless one word is wider."""
    lines = [""]
    for piece in _PIECE.findall(" ".join(text.split())):
        if columns(lines[-1] + piece.rstrip()) > width and lines[-1]:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += piece if lines[-1] or not piece.isspace() else ""
    return lines


class HelpFormatter(click.HelpFormatter):
    """Click's, with every text translated."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, translated(prefix or "Usage: "))

    def write_heading(self, heading: str) -> None:
        super().write_heading(translated(heading))

    def write_text(self, text: str) -> None:
        indent = " " * self.current_indent
        shown = [self._lines(paragraph) for paragraph in text.split("\n\n")]
        if not any(_is_wide(line) for lines in shown for line in lines):
            super().write_text(text)
            return
        self.write("\n\n".join("\n".join(indent + line for line in lines) for lines in shown) + "\n")

    def _lines(self, paragraph: str) -> list[str]:
        """The lines of a paragraph. One that begins with a backspace keeps its lines and their columns, as in Click."""
        if paragraph.startswith("\b\n"):
            lines = paragraph.removeprefix("\b\n").split("\n")
            return ["".join(map(translated, _GAP.split(line))) for line in lines]
        return wrapped(translated(" ".join(paragraph.split())), self.width - self.current_indent)

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        rows = tuple(rows)
        shown = [(name, translated(" ".join(text.split()))) for name, text in rows]
        if not any(_is_wide(text) for _, text in shown):
            super().write_dl(rows, col_max, col_spacing)
            return
        first = min(max(columns(name) for name, _ in shown), col_max) + col_spacing
        indent = " " * self.current_indent
        for name, text in shown:
            lines = wrapped(text, max(self.width - first - len(indent) - 2, 10))
            if columns(name) > first - col_spacing:
                self.write(f"{indent}{name}\n")
                name = ""
            for line in lines:
                self.write(f"{indent}{name}{' ' * (first - columns(name))}{line}\n")
                name = ""


def _is_wide(text: str) -> bool:
    return columns(text) > len(text)
