r"""TeX in a double-quoted YAML text: there a backslash begins an escape, and `\theta` is a tab and "heta"."""

from __future__ import annotations

import re
from typing import NamedTuple

_ESCAPE = re.compile(r"\\(.)([A-Za-z]*)", re.DOTALL)
_CODES = dict(zip("0abtnvfreNLP", (0, 7, 8, 9, 10, 11, 12, 13, 27, 0x85, 0x2028, 0x2029), strict=True))
"""The characters that escapes of one letter mean."""
_NAMES = {"t": "a tab", "n": "a line end", "_": "a hard space", " ": "a space"}
_COMMANDS = frozenset("nabla natural nearrow newline nolimits nonumber norm notag notin nwarrow".split())
"""What begins with an n in TeX, and is no word without it: elsewhere `\\n` is a line end that was meant."""
_IN_FORMULAS = _COMMANDS | frozenset("ne neg neq nexists ngeq ngtr ni nleq nless nmid not nsubseteq nu".split())


class Eaten(NamedTuple):
    """A command of TeX that became something else: where it is in the text, and what to say of it."""

    offset: int
    message: str


def eaten_command(raw: str) -> Eaten | None:
    """The first command of TeX in a double-quoted text, as it is in the file, that YAML reads as an escape."""
    for escape in _ESCAPE.finditer(raw):
        sign, rest = escape[1], escape[2]
        if _is_tex(sign, rest, raw, escape):
            command = f"\\{sign}{rest}"
            name = _NAMES.get(sign) or f"the character U+{_CODES[sign]:04X}"
            also = f' and "{rest}"' if rest else ""
            return Eaten(escape.start(), f'"{command}" in double quotes is {name}{also}')
    return None


def _is_tex(sign: str, rest: str, raw: str, escape: re.Match[str]) -> bool:
    if sign == "n":
        in_lines = raw.count("$$", 0, escape.start()) % 2 == 1  # a formula of several lines
        commands = _IN_FORMULAS if in_lines else _COMMANDS
        return f"n{rest}" in commands or (bool(rest) and _in_formula(raw, escape))
    if sign == "_":
        return (bool(rest) and raw[escape.start() - 1].isalpha()) or _in_formula(raw, escape)
    if sign == " ":  # programs that fold long texts write one at the start of a line, where it would be dropped
        folded = raw[: escape.start()].rstrip(" \t").endswith("\\\n")
        return not folded and _in_formula(raw, escape)
    return sign in _CODES and bool(rest)


def _in_formula(raw: str, escape: re.Match[str]) -> bool:
    """Whether it is between two dollars, and these are no prices."""
    start, end = raw.rfind("$", 0, escape.start()), raw.find("$", escape.end())
    odd = raw.count("$", 0, escape.start()) % 2 == 1
    return odd and end > 0 and not raw[start + 1].isspace() and not raw[end - 1].isspace()


def single_quotes(raw: str) -> str:
    """How to write the text instead."""
    return "write the text in 'single quotes', where a backslash is a backslash" + ", and each ' in it twice" * (
        "'" in raw
    )
