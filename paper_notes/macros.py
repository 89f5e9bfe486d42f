r"""Macros of TeX: what `\newcommand` and its kin define, and formulas with the commands written out.

So whoever gets a formula gets TeX that means the same everywhere: the converter, Anki, GitHub. Macros take arguments as
in TeX, but definitions hold beyond the braces around them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from paper_notes.patterns import regex
from paper_notes.values import Struct

DEFINING = "def gdef edef xdef let newcommand renewcommand providecommand DeclareMathOperator".split()
_DEFINES = regex(
    rf"\\(?P<how>{'|'.join(DEFINING)})(?![A-Za-z])(?P<star>\*?)\s*"
    r"(?:\{\s*\\(?P<braced>[A-Za-z]+|.)\s*\}|\\(?P<bare>[A-Za-z]+|.))"
)
"""A definition up to the name."""
_SEEMS_TO_DEFINE = regex(rf"\\(?:{'|'.join(DEFINING)})(?![A-Za-z])")
MAX_WRITTEN, MAX_DEPTH = 10_000, 50
"""The most characters of a formula with its macros written out, and macros within macros."""
_MAX_WORK = 200_000
"""Characters of macros and arguments that are looked at for one formula: macros may write nothing a million times."""
_LONGEST_NAME = 60
_COMMAND = regex(r"\\(?P<name>[A-Za-z]+|.)|%[^\n]*\n", re.DOTALL)
_ENDS_IN_NAME = regex(r"\\[A-Za-z]+$")
_ARGUMENT = regex(r"#([1-9])")
_COUNT = regex(r"\s*\[\s*([1-9])\s*\]")
_PARAMETERS = regex(r"\s*((?:#[1-9])*)\s*(?=\{)")
_SPACES = regex(r"\s*")
_TOKEN = regex(r"\\[A-Za-z]+|\\.|.", re.DOTALL)
NAME = regex(r"\\?([A-Za-z]+)")
"""The name of a macro in YAML."""


class MacroProblem(Exception):
    """A macro that cannot be read or written out. `offset` counts characters from the start of the TeX."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message, self.offset = message, offset


class Macro(Struct, frozen=True):
    """What a command stands for, with `#1` for its first argument."""

    body: str
    arguments: int = 0
    default: str | None = None
    """Of the first argument, which is then in square brackets."""

    @classmethod
    def of(cls, body: str) -> Macro:
        """Of a body alone, with as many arguments as it names. Raises MacroProblem."""
        if group(f"{{{body}}}", 0) != f"{{{body}}}":
            raise MacroProblem("its braces do not match", 0)
        return cls(body, max(map(int, _ARGUMENT.findall(body)), default=0))


Macros = Mapping[str, Macro]
"""By their names, without the backslash."""
MacroItems = tuple[tuple[str, Macro], ...]
"""The items of such a mapping, for values that are compared by hash."""
Edit = tuple[int, int, str]
"""Beginning, end, and what stands there instead."""


def defines(tex: str) -> bool:
    """Whether a formula has definitions, or what means to be one."""
    return _SEEMS_TO_DEFINE.search(tex) is not None


def definitions(tex: str) -> Macros:
    """What a text that holds only definitions defines. Raises MacroProblem."""
    edits, macros = written_out(tex, {})
    rest = tex
    for start, end, _ in reversed(edits):
        rest = rest[:start] + " " * (end - start) + rest[end:]
    lines = "\n".join(line.partition("%")[0] for line in rest.split("\n"))
    if lines.strip():
        raise MacroProblem("this is no definition", len(lines) - len(lines.lstrip()))
    return macros


def written_out(tex: str, macros: Macros) -> tuple[list[Edit], Macros]:
    """The edits that write out all macros in a formula and take its definitions away, and the macros after it.

    Raises MacroProblem.
    """
    writer = _Writer(dict(macros))
    return writer.edits(tex), writer.macros


def group(tex: str, start: int, brackets: str = "{}") -> str:
    """What begins with a brace (or bracket) at `start`, up to the one that closes it; empty if there is none."""
    if tex[start : start + 1] != brackets[0]:
        return ""
    depth = braces = 0
    for token in _TOKEN.finditer(tex, start):
        braces += {"{": 1, "}": -1}.get(token[0], 0)
        depth += {brackets[0]: 1, brackets[1]: -1}.get(token[0], 0) if brackets == "{}" or braces == 0 else 0
        if depth == 0 and token[0] == brackets[1]:
            return tex[start : token.end()]
    return ""


class _Writer:
    def __init__(self, macros: dict[str, Macro]) -> None:
        self.macros = macros
        self._work = 0

    def edits(self, tex: str, depth: int = 0) -> list[Edit]:
        edits: list[Edit] = []
        end = 0
        while command := _COMMAND.search(tex, end):
            start, end = command.span()
            if begins := _DEFINES.match(tex, start):
                name, macro, end = _definition(tex, begins)
                self.macros[name] = macro
                edits.append((start, end, " "))
            elif command["name"] in DEFINING:
                raise MacroProblem(f'"\\{command["name"]}" defines nothing here', start)
            elif (name := command["name"]) in self.macros:
                if depth > MAX_DEPTH:
                    raise MacroProblem(f'the macro "\\{name}" is defined by itself', start)
                body, end = _call(tex, end, name, self.macros[name])
                self._work += 100 + end - start + len(body)
                if self._work > _MAX_WORK:
                    raise MacroProblem("the macros of this formula write too much", start)
                edits.append((start, end, _apart(tex, start, self.text(body, start, depth + 1), end)))
        return edits

    def text(self, tex: str, start: int, depth: int) -> str:
        """What a macro that stands at `start` stands for in the end."""
        try:
            for begin, end, new in reversed(self.edits(tex, depth)):
                tex = tex[:begin] + new + tex[end:]
        except MacroProblem as problem:
            raise MacroProblem(problem.message, start) from None
        if len(tex) > MAX_WRITTEN:
            raise MacroProblem("the macros of this formula write too much", start)
        return tex


def _apart(tex: str, start: int, piece: str, end: int) -> str:
    """A piece that takes a place in TeX: letters would go on with the name of a command before them."""
    before = tex[max(start - _LONGEST_NAME, 0) : start]
    front = " " if piece[:1].isalpha() and _ENDS_IN_NAME.search(before) else ""
    back = " " if tex[end : end + 1].isalpha() and _ENDS_IN_NAME.search(piece) else ""
    return f"{front}{piece}{back}" or " "


def _definition(tex: str, begins: re.Match[str]) -> tuple[str, Macro, int]:
    """The name that is defined, what it stands for, and where the definition ends."""
    name, how, end = begins["braced"] or begins["bare"], begins["how"], begins.end()
    arguments, default = 0, None
    if how == "let":
        token = re.compile(r"\s*=?\s*(\\[A-Za-z]+|\\.|[^\s{}])", re.DOTALL).match(tex, end)
        if token is None or (token[1] == f"\\{name}"):
            raise MacroProblem(f'the definition of "\\{name}" has no end', begins.start())
        return name, Macro(token[1]), token.end()
    if how.endswith("def"):
        parameters = _PARAMETERS.match(tex, end)
        if parameters is None:
            raise MacroProblem(f'the definition of "\\{name}" has no #1, #2 and braces after it', begins.start())
        arguments, end = len(parameters[1]) // 2, parameters.end()
    elif how != "DeclareMathOperator" and (count := _COUNT.match(tex, end)):
        arguments, end = int(count[1]), count.end()
        start = _after_spaces(tex, end)
        if optional := group(tex, start, "[]"):
            default, end = optional[1:-1], start + len(optional)
    end = _after_spaces(tex, end)
    body = group(tex, end)
    if not body:
        raise MacroProblem(f'the definition of "\\{name}" has no end', begins.start())
    inside = body[1:-1]
    if how == "DeclareMathOperator":
        inside = rf"\operatorname{begins['star']}{{{inside}}}"
    return name, Macro(inside, arguments, default), end + len(body)


def _after_spaces(tex: str, place: int) -> int:
    spaces = _SPACES.match(tex, place)
    assert spaces, "there may be none"
    return spaces.end()


def _call(tex: str, end: int, name: str, macro: Macro) -> tuple[str, int]:
    """What a macro stands for with the arguments after its name, and where these end."""
    arguments: list[str] = []
    for number in range(macro.arguments):
        start = _after_spaces(tex, end)
        if number == 0 and macro.default is not None:
            optional = group(tex, start, "[]")
            arguments.append(optional[1:-1] if optional else macro.default)
            end = start + len(optional) if optional else end
            continue
        inside = group(tex, start)
        token = _TOKEN.match(tex, start)
        if not inside and (token is None or token[0] in "{}&$"):
            raise MacroProblem(f'the macro "\\{name}" lacks its argument {number + 1} of {macro.arguments}', end)
        arguments.append(inside[1:-1] if inside else token[0] if token else "")
        end = start + (len(inside) or len(arguments[-1]))

    def argument(match: re.Match[str]) -> str:
        number = int(match[1])
        written = arguments[number - 1] if number <= len(arguments) else ""
        return _apart(macro.body, match.start(), written, match.end()) if written else ""

    return _ARGUMENT.sub(argument, macro.body), end
