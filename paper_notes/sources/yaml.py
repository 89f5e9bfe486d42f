"""YAML to plain values with positions: mappings, lists, and scalars, which all stay text.

Types of scalars are not guessed: `arxiv: 2506.11250` is the text "2506.11250" and `tags: [no]` the text "no".
The schema (`corpus.schema`) turns text into dates, numbers and booleans.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, TypeVar

import yaml

from paper_notes.diagnostics import Diagnostic, Location, RuleId, Severity, naming
from paper_notes.patterns import regex
from paper_notes.sources.characters import BadCharacter, bad_character
from paper_notes.values import Struct, field

MAX_DEPTH = 40
MAX_NODES = 100_000
MAX_CHARACTERS = 1_000_000
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_HARMLESS_TAGS = frozenset({"!", *(f"tag:yaml.org,2002:{name}" for name in ("str", "map", "seq"))})
_QUOTE = """put a text with signs such as ": ", "#", "@", "*" or "[" into 'single quotes'"""

V = TypeVar("V")
Mark = Any
"""`yaml.Mark`, or the C parser's own class of the same shape: `line` and `column` from 0."""
Path = tuple[str | int, ...]
"""The path to a value: mapping keys and list indexes from the top."""
Written = tuple[tuple[str, Location], ...]
"""The texts of a list, and where each is."""


class YamlDocument(Struct, frozen=True):
    """A parsed file: `value` consists of dict, list, str and None."""

    path: PurePosixPath
    value: object = field(default_factory=dict)
    positions: Mapping[Path, tuple[int, int]] = field(default_factory=dict)
    """Line and column, from 1, of the value at a path."""
    key_positions: Mapping[Path, tuple[int, int]] = field(default_factory=dict)
    """The same for the key of a mapping's item."""

    def location(self, path: Path, *, key: bool = False) -> Location:
        """Where the value (or key) at `path` is, or else its nearest existing parent."""
        table = self.key_positions if key else self.positions
        if path in table:
            return Location(self.path, *table[path])
        while path not in self.positions and path:
            path = path[:-1]
        return Location(self.path, *self.positions.get(path, (1, 1)))

    def each(self, values: Iterable[V], *path: str | int) -> Iterator[tuple[V, Location]]:
        """What the items of the list at a path have become, each with its place."""
        return ((value, self.location((*path, place))) for place, value in enumerate(values))

    def finding(
        self, path: Path, rule: RuleId, message: str, hint: str, severity: Severity = "error", *, key: bool = False
    ) -> Diagnostic:
        """What is wrong with the value (or key) at a path."""
        return Diagnostic(self.location(path, key=key), rule, message, hint, severity)

    def below(self, key: str) -> YamlDocument:
        """The same file with its whole content under `key`, for files that may be a bare list."""
        return YamlDocument(
            self.path,
            {key: self.value},
            {(key, *at): place for at, place in self.positions.items()},
            {(key, *at): place for at, place in self.key_positions.items()},
        )


class _Problem(Exception):
    """A mistake at a mark of the parser, or at an offset."""

    def __init__(self, rule: RuleId, message: str, hint: str, at: Mark | int) -> None:
        super().__init__(message)
        self.rule, self.message, self.hint = rule, message, hint
        self.offset: int = at if isinstance(at, int) else at.index


def parse_yaml(path: PurePosixPath, text: str, first_line: int = 1) -> YamlDocument | Diagnostic:
    """Parse one document. `first_line` is the file's line on which `text` starts (for front matter).

    An empty file is an empty mapping. Duplicate keys, several documents, custom tags and files that are too deep or
    too large are Diagnostics.
    """
    places = _Places(text, first_line)
    try:
        if len(text) > MAX_CHARACTERS:
            raise _Problem("yaml-too-large", f"more than {MAX_CHARACTERS:,} characters of YAML", "split it", 0)
        with naming(path):
            builder = _Builder(yaml.parse(text, Loader=_LOADER), places, text)
            value = builder.document()
        if isinstance(value, str) and (sign := _full_width(text, slice(2))):
            raise sign  # of a mapping that has no other colon
    except _Problem as problem:
        return Diagnostic(Location(path, *places.of(problem.offset)), problem.rule, problem.message, problem.hint)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        if escape := _unknown_escape(error, text):
            where = Location(path, *places.of(escape.start()))
            message = f'"{escape[0]}" in double quotes stands for no character'
            return Diagnostic(where, "yaml-syntax", message, _single_quotes(""))
        first: Mark = getattr(error, "context_mark", None) or mark
        if mark and (sign := _full_width(text, slice(max(first.line - 1, 0), mark.line + 2))):
            return Diagnostic(Location(path, *places.of(sign.offset)), sign.rule, sign.message, sign.hint)
        where = Location(path, *places.of(mark.index if mark else 0))
        return Diagnostic(where, "yaml-syntax", _syntax(error, text, first_line), _hint(text, mark))
    return YamlDocument(
        path,
        {} if value is None else value,
        MappingProxyType(builder.positions),
        MappingProxyType(builder.key_positions),
    )


def packaged_yaml(package: str, name: str) -> Any:
    """The value of a YAML file that comes with the program, in a package."""
    document = parse_yaml(PurePosixPath(name), files(package).joinpath(name).read_text("utf-8"))
    assert not isinstance(document, Diagnostic), document
    return document.value


class _Places:
    """Converts offsets to lines and columns in the file, from 1: the parser, which has some, knows more line ends."""

    def __init__(self, text: str, first_line: int) -> None:
        self.first_line = first_line
        self.starts = [0, *(end.end() for end in re.finditer("\n", text))]

    def of(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset) - 1
        return line + self.first_line, offset - self.starts[line] + 1


def _unknown_escape(error: yaml.YAMLError, text: str) -> re.Match[str] | None:
    """The escape that the parser stopped at, if it did at one; its mark may be behind the first letter of it."""
    problem, mark = str(getattr(error, "problem", "")), getattr(error, "problem_mark", None)
    if mark is None or ("escape character" not in problem and "hexdecimal" not in problem):
        return None
    return re.compile(r"\\(?:[A-Za-z]+|.)?").match(text, text.rfind("\\", 0, mark.index + 1))


_FULL_WIDTH = regex(
    r"^[ \t]*(?:- +)?[A-Za-z][\w.-]*(?P<colon>：)|^[ \t]*(?P<dash>[－—–])[ \t\u3000]|: +(?P<quote>[“”「『]).*: "
    r"|[{\[][^{}\[\]\n]*(?P<comma>[，、]) *[\w-]+ *: ",
    re.MULTILINE,
)
"""Signs of a Chinese keyboard in the place of those that YAML knows."""
_PLAIN_SIGN = {
    "colon": ("this colon is full-width, which YAML does not know", 'write ": ", with a space behind it'),
    "dash": ("this dash is none that YAML knows", 'write "- "'),
    "comma": ("this comma is full-width, which YAML does not know", 'write ", ", with a space behind it'),
    "quote": ("these quotation marks are none that YAML knows", _QUOTE),
}


def _full_width(text: str, lines: slice) -> _Problem | None:
    """The last sign of a Chinese keyboard in these lines, from 0: it may be why the text is no YAML."""
    ends = [0, *(match.end() for match in re.finditer("\n|$", text))]
    start, end = ends[lines][0], ends[lines][-1]
    for match in reversed([*_FULL_WIDTH.finditer(text, start, end)]):
        name = match.lastgroup or ""
        return _Problem("yaml-syntax", *_PLAIN_SIGN[name], match.start(name))
    return None


def _syntax(error: yaml.YAMLError, text: str, first_line: int) -> str:
    """The parser's message in plainer words."""
    context, problem = (str(getattr(error, name, None) or "") for name in ("context", "problem"))
    mark, start = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    if "tab character" in problem:
        return "a tab cannot indent a line"
    if problem.endswith(("cannot start any token", "expected node content", "alphabetic or numeric character")):
        first = start if "alphabetic" in problem else mark  # the sign before the name that an alias lacks
        character = _line(text, first)[first.column : first.column + 1] if first else ""
        if not character.strip():
            return "a tab cannot indent a line" if character == "\t" else "a value is missing here"
        return f'a value cannot start with "{character}"'
    if "Unicode character escape" in problem:
        return "this escape is not a character"
    if problem.startswith("mapping values are not allowed"):
        return 'a ": " is not allowed here'
    unclosed = next((unclosed for part, unclosed in _UNCLOSED.items() if part in context), "")
    if unclosed and problem.startswith(("did not find expected", "found unexpected end")) and start:
        return unclosed.format(start.line + first_line)
    goes_on = mark is not None and bool(_line(text, mark)[: mark.column].strip())
    return next((wrong[goes_on] for part, wrong in _MISPLACED.items() if part in context), "this is no YAML")


_UNCLOSED = {
    "flow sequence": "the list that starts on line {} is not closed",
    "flow mapping": "the mapping that starts on line {} is not closed",
    "quoted scalar": "the quotation that starts on line {} is not closed",
}
_GOES_ON = "the value has ended: nothing may follow it on its line"
_MISPLACED = {
    "block collection": ("this line is no item of the list above it", _GOES_ON),
    "block mapping": ("this line is indented otherwise than those beside it", _GOES_ON),
    "block scalar": ('nothing may follow "|" or ">" on its line',) * 2,
}
"""What is wrong where the parser expected another part of something, at the start of a line and within one."""


def _line(text: str, mark: Mark | None) -> str:
    lines = text.splitlines()
    return lines[mark.line] if mark and mark.line < len(lines) else ""


def _hint(text: str, mark: Mark | None) -> str:
    line = _line(text, mark)
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return "YAML is indented with spaces, not tabs"
    if line.count(": ") > 1 or any(mark in line for mark in "：#@`%*&"):
        return _QUOTE
    return "look at this line and the one before it: quotes, brackets and indentation must match"


def _start(event: yaml.Event) -> Mark:
    """Where an event starts: every event of a text has a mark."""
    mark: Mark = event.start_mark
    return mark


class _Builder:
    """Builds values from parser events, within limits, so that no input can exhaust the stack or the memory."""

    def __init__(self, events: Iterator[yaml.Event], places: _Places, text: str) -> None:
        self.events = events
        self.places = places
        self.text = text
        self.positions: dict[Path, tuple[int, int]] = {}
        self.key_positions: dict[Path, tuple[int, int]] = {}
        self.anchors: dict[str, tuple[object, int]] = {}
        self.nodes = 0

    def document(self) -> object:
        value: object = None
        is_second = False
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent) and is_second:
                raise _Problem("yaml-syntax", "a second document starts here", "keep one document", _start(event))
            if isinstance(event, yaml.NodeEvent):
                value, is_second = self.node(event, ()), True
        return value

    def node(self, event: yaml.Event, path: Path) -> object:
        mark = _start(event)
        self.positions[path] = self.places.of(mark.index)
        if len(path) > MAX_DEPTH:
            raise _Problem("yaml-too-deep", f"more than {MAX_DEPTH} levels of nesting", "flatten it", mark)
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self.anchors:
                raise _Problem(
                    "yaml-syntax", f'there is no "&{event.anchor}" before the alias "*{event.anchor}"', _QUOTE, mark
                )
            value, size = self.anchors[event.anchor]
            self.count(size, mark)
            return value
        before = self.nodes
        self.count(1, mark)
        tag = getattr(event, "tag", None)
        if tag and tag not in _HARMLESS_TAGS:
            shown = tag.replace("tag:yaml.org,2002:", "!!")
            raise _Problem("yaml-syntax", f'the tag "{shown}" is not supported', "write plain values", mark)
        if isinstance(event, yaml.ScalarEvent):
            value = None if event.implicit[0] and not event.style and event.value in _NULLS else event.value
            self.check_characters(event)
        elif isinstance(event, yaml.SequenceStartEvent):
            value = self.sequence(path)
        else:
            value = self.mapping(path)
        anchor = getattr(event, "anchor", None)
        if anchor:
            self.anchors[anchor] = (value, self.nodes - before)
        return value

    def check_characters(self, scalar: yaml.ScalarEvent) -> None:
        """An escape sequence may not bring in what no file may hold, nor eat the first letter of a TeX command."""
        text, mark, end = scalar.value, _start(scalar), scalar.end_mark
        if scalar.style == '"' and end:
            raw = self.text[mark.index : end.index]
            if eaten := _eaten_command(raw):
                raise _Problem("control-character", eaten.message, _single_quotes(raw), mark.index + eaten.offset)
        if bad := bad_character(text):
            raise _Problem("control-character", bad.message, "delete the escape", mark)
        if "\r" in text:  # the file's own line ends are all `\n` here
            raise _Problem(
                "control-character", "the character U+000D is not allowed in a text", "delete the escape", mark
            )

    def count(self, nodes: int, mark: Mark) -> None:
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            raise _Problem("yaml-too-large", f"more than {MAX_NODES:,} values", "remove repeated aliases", mark)

    def sequence(self, path: Path) -> list[object]:
        items: list[object] = []
        for event in self.events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            items.append(self.node(event, (*path, len(items))))
        return items

    def mapping(self, path: Path) -> dict[str, object]:
        items: dict[str, object] = {}
        for event in self.events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            mark = _start(event)
            if not isinstance(event, yaml.ScalarEvent):
                raise _Problem("yaml-syntax", "a key must be a plain text", _QUOTE, mark)
            key = event.value
            self.check_characters(event)
            if key in items:
                line = self.key_positions[(*path, key)][0]
                message = f'the key "{key}" is here twice (first on line {line})'
                raise _Problem("duplicate-key", message, "keep one of the two", mark)
            self.key_positions[(*path, key)] = self.places.of(mark.index)
            items[key] = self.node(next(self.events), (*path, key))
        return items


# TeX in a double-quoted text: there a backslash begins an escape, and `\theta` is a tab and "heta"

_ESCAPE = regex(r"\\(.)([A-Za-z]*)", re.DOTALL)
_CODES = dict(zip("0abtnvfreNLP", (0, 7, 8, 9, 10, 11, 12, 13, 27, 0x85, 0x2028, 0x2029), strict=True))
"""The characters that escapes of one letter mean."""
_NAMES = {"t": "a tab", "n": "a line end", "_": "a hard space", " ": "a space"}
_COMMANDS = frozenset("nabla natural nearrow newline nolimits nonumber norm notag notin nwarrow".split())
"""What begins with an n in TeX, and is no word without it: elsewhere `\\n` is a line end that was meant."""
_IN_FORMULAS = _COMMANDS | frozenset("ne neg neq nexists ngeq ngtr ni nleq nless nmid not nsubseteq nu".split())


def _eaten_command(raw: str) -> BadCharacter | None:
    """The first command of TeX in a double-quoted text, as it is in the file, that YAML reads as an escape."""
    for escape in _ESCAPE.finditer(raw):
        sign, rest = escape[1], escape[2]
        if _is_tex(sign, rest, raw, escape):
            command = f"\\{sign}{rest}"
            name = _NAMES.get(sign) or f"the character U+{_CODES[sign]:04X}"
            also = f' and "{rest}"' if rest else ""
            return BadCharacter(escape.start(), f'"{command}" in double quotes is {name}{also}')
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


def _single_quotes(raw: str) -> str:
    """How to write the text instead."""
    twice = ", and each ' in it twice" if "'" in raw else ""
    return "write the text in 'single quotes', where a backslash is a backslash" + twice
