"""Tags of JSX, such as `<Name title="words" rows={[{name: "a"}]} />`, as values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from paper_notes.patterns import regex
from paper_notes.values import Struct

Value = str | list["Value"] | dict[str, "Value"] | None
"""What an attribute says; None for what only a program knows."""
_TAG = regex(r"<(?P<name>[A-Z][\w.]*)(?=[\s/>])")
_TOKEN = regex(
    r"(?:\s|/\*.*?\*/|//[^\n]*\n)*(?P<sign>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[\w$@:.-]+|/>|\S)",
    re.DOTALL,
)
_ENDS = {"{": "}", "[": "]", "(": ")"}
_FILLED = regex(r"(?<!\\)\$\{")
"""Of strings that a program fills."""
_ESCAPE = regex(r"\\(.)", re.DOTALL)
MOST = 300_000
"""So many characters of a component are looked at."""


class Component(Struct, frozen=True):
    """A tag of JSX."""

    name: str
    attributes: Mapping[str, Value]
    end: int
    """Where what is behind it begins."""
    is_empty: bool
    """Whether it has no end of its own, as in `<Name />`."""


class _Tokens(Struct):
    """Those of a text from a place on."""

    text: str
    place: int
    end: int

    def next(self) -> str:
        """The next token; empty at the end."""
        match = _TOKEN.match(self.text, self.place, self.end)
        self.place = match.end() if match else self.end
        return match["sign"] if match else ""

    def peek(self) -> str:
        """The token that is next."""
        match = _TOKEN.match(self.text, self.place, self.end)
        return match["sign"] if match else ""

    def value(self, ends: str) -> Value:
        """The value up to one of these signs, which is not taken."""
        value: Value = None
        sign = self.next()
        if sign[:1] in ("'", '"', "`") and not _FILLED.search(sign):
            value = _ESCAPE.sub(lambda match: {"n": "\n"}.get(match[1], match[1]), sign[1:-1])
            while self.peek() == "+" and self.next() and self.peek()[:1] in ("'", '"'):
                value += self.next()[1:-1]
        elif sign == "[":
            value = [*self.items()]
        elif sign == "{":
            value = self.object()
        elif sign in ("true", "false", "null", "undefined") or sign.isdigit():
            value = ""
        else:
            self.place -= len(sign)
        if self.peek() not in ends:
            self.program(ends)
            return None
        return value

    def program(self, ends: str) -> None:
        """All up to one of these signs."""
        opened = ""
        while (sign := self.peek()) and (opened or sign not in ends):
            self.next()
            opened = opened[:-1] if sign == opened[-1:] else opened + _ENDS.get(sign, "")

    def items(self) -> Iterator[Value]:
        """Those of a list, whose first bracket has been read."""
        while (sign := self.peek()) and sign != "]":
            if sign == ",":
                self.next()
            else:
                yield self.value(",]")
        self.next()

    def object(self) -> dict[str, Value]:
        """An object, whose first brace has been read."""
        values: dict[str, Value] = {}
        for name, value in self.pairs():
            values[f"{name} " if name in values else name] = value  # some writers say a thing twice
        return values

    def pairs(self) -> Iterator[tuple[str, Value]]:
        """Those of an object, whose first brace has been read."""
        while (sign := self.next()) and sign != "}":
            name = sign.strip("'\"")
            if name.endswith(":") or self.peek() == ":":
                if not name.endswith(":"):
                    self.next()
                yield name.removesuffix(":"), self.value(",}")
            elif sign != ",":
                self.program(",}")
                yield name, None


def component_at(text: str, start: int) -> Component | None:
    """The first tag of a component there; None for anything else."""
    match = _TAG.match(text, start)
    if not match:
        return None
    tokens, attributes = _Tokens(text, match.end(), min(len(text), start + MOST)), dict[str, Value]()
    while sign := tokens.next():
        if sign in (">", "/>"):
            return Component(match["name"], attributes, tokens.place, sign == "/>")
        if sign == "{":  # all attributes of a value
            tokens.program("}")
            tokens.next()
        elif not re.match(r"[\w@:]", sign):
            return None
        elif tokens.peek() != "=":
            attributes[sign] = ""
        else:
            tokens.next()
            if tokens.peek() == "{":
                tokens.next()
                attributes[sign] = tokens.value("}")
                tokens.next()
            else:
                attributes[sign] = tokens.next()[1:-1]
    return None
