"""What a text is made of, construct by construct as our parser reads it, and what of that a model may write.

A model's text is a stranger's. What is not named here is refused, so that new syntax is refused until somebody decides.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from markdown_it.token import Token

from paper_notes.macros import defines
from paper_notes.markdown.body import Slot
from paper_notes.markdown.math.convert import is_self_contained
from paper_notes.markdown.math.rewriting import LABEL
from paper_notes.markdown.parser import ParsedText
from paper_notes.patterns import regex


class Construct(NamedTuple):
    """A kind of construct, and which one it is: an address, a class, a name, a formula; empty if all are alike."""

    kind: str
    which: str = ""

    def __str__(self) -> str:
        return " ".join(f"{self.kind} {self.which[:60]}".split())


DRAFTED: Mapping[str, str] = MappingProxyType(
    {
        "paragraph": "words",
        "text": "words, and #15, which is no link; entities are the characters that they mean, and are judged as these",
        "softbreak": "words go on",
        "hardbreak": "words go on, on another line",
        "strong": "words that are stressed",
        "em": "words that are stressed",
        "held": "ours: punctuation that stays with its word",
        "code_inline": "names of programs and data, shown as written",
        "math_inline": "formulas, as far as they are `is_self_contained`",
        "math_inline_double": "the same",
        "math_block": "the same",
        "bullet_list": "words in order",
        "ordered_list": "words in order",
        "ordered_list start": "its first number",
        "list_item": "words in order",
        "dl": "symbols and what they stand for",
        "dt": "the same",
        "dd": "the same",
        **dict.fromkeys(("table", "thead", "tbody", "tr", "th", "td"), "numbers beside each other"),
        "sign": "ours: how a cell shows a tick or a cross that is in it",
        "slot cite": "the paper itself; the caller refuses others",
    }
)
"""What a draft may have, and why. A person adds links, references, marks, sources and pictures."""
AS_LANGUAGES_DO = frozenset("text softbreak hardbreak strong em held sign".split())
"""What a translation may have more or less of than its original: languages stress and break in other places."""
_OURS = frozenset(
    "alert at in_table head shown title line lines line_end numbered from_at anchor written problem".split()
)
"""What our parser notes on a token for itself."""
_BY_CONTENT = frozenset("bullet_list list_item table td th held".split())
"""Tokens whose class and style our parser works out from what is in them, and from the line below a table's head."""
_ADDRESS = regex(
    r"(?<![\w.+-])(?:www\.[\w-]++\.\w\S*|[a-z][a-z0-9+.-]*+://\w\S*|(?:mailto|xmpp):\S+|[\w.+-]++@[\w-]++\.\w[\w.-]*)",
    re.IGNORECASE,
)
"""What is words to us, and a link wherever else the file is read: on GitHub, in an editor."""
_WORDS_IN_TEX = regex(r"\\(?:text|mbox|textrm|textbf|textit|operatorname)\s*\{[^{}]*[^\x00-\x7f{}][^{}]*\}")
"""Words of a language within a formula, which a translation may translate."""
_LABELS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "mermaid": re.compile(
            r"[\[({|]\"?(?P<label>[^\[\](){}|\"\n]+)\"?[\])}|]|\"(?P<quoted>[^\"\n]+)\""
            r"|(?::[ \t]+|^[ \t]*title[ \t]+|[ \t]as[ \t]+)(?P<rest>[^\n]+)$",
            re.MULTILINE,
        ),
        "vega-lite": re.compile(r'"(?:title|subtitle|description|text)"\s*:\s*"(?P<label>(?:[^"\\\n]|\\.)+)"'),
    }
)
"""The words that people read in drawings that are written as code, by the language of the fence."""
_NO_LABELS = regex(r"^[ \t]*(?:%%|click\b|style\b|classDef\b|linkStyle\b|class\b|link\b).*", re.MULTILINE)
_TAG = regex(r"<(?P<name>[^\s<>/]*)[^<>]*>")
_TEMPLATE = regex(r"\{\{|\}\}|\{%|%\}")
"""What Jekyll, which GitHub Pages runs, and others would fill in."""
_JOINERS = "\u200c\u200d"


def constructs_of(text: str, read: ParsedText) -> Iterator[Construct]:
    """All constructs of a text, as often as they are there."""
    yield from _in_tokens(read.tokens)
    yield from (Construct("character", f"U+{ord(sign):04X}") for sign in _unseen(text))
    yield from (Construct("definition of a link", str(name)) for name in read.env["references"])
    yield from [Construct("text that is not shown")] * read.context.counters["unshown"]


def _in_tokens(tokens: Iterable[Token]) -> Iterator[Construct]:
    for token in tokens:
        kind = token.type.removesuffix("_open")
        if token.nesting < 0:
            continue
        if token.type == "inline":
            yield from (Construct(name, str(token.meta[name])) for name in token.meta.keys() - _OURS)
            yield from _in_tokens(token.children or ())
            continue
        if token.type == "slot":
            slots = [part for part in token.meta.get("shown", ()) if isinstance(part, Slot)]
            yield from (Construct(f"slot {slot.kind}", slot.target) for slot in slots)
            yield from () if slots else (Construct("sign"),)
            continue
        yield Construct(kind, _which(token))
        yield from (
            Construct(f"{kind} {name}", str(token.meta[name])) for name in token.meta.keys() - _OURS if token.meta[name]
        )
        yield from (
            Construct(f"{kind} {name}", str(value))
            for name, value in token.attrs.items()
            if not (name in ("class", "style") and kind in _BY_CONTENT) and (kind, name) not in _SHOWN
        )
        if kind.startswith("math"):
            display = kind != "math_inline"
            written, *_ = token.meta.get("written", (token.content,))
            if defines(written) or not is_self_contained(token.content, display=display):
                yield Construct("definitions in TeX")
            yield from (Construct("id", name) for name in LABEL.findall(token.content))
        elif kind in ("text", "code_inline"):
            yield from _in_words(token.content)
        elif kind == "fence":
            yield from _in_words("\n".join(labels(token)[1]))
        yield from _in_tokens(token.children or ())


_SHOWN = frozenset({("link", "href"), ("image", "src"), ("image", "alt")})
"""Attributes that `_which` gives."""


def labels(token: Token) -> tuple[str, tuple[str, ...]]:
    """The code of a drawing without the words that people read in it, and these words; without any for other code."""
    language, _, title = token.info.strip().partition(" ")
    pattern = _LABELS.get(language)
    if pattern is None:
        return token.content, ()
    words = [re.sub(r"\s*\{#[^}]*\}$", "", title)]
    fixed = [match.span() for match in _NO_LABELS.finditer(token.content)]

    def without(match: re.Match[str]) -> str:
        if any(start <= match.start() < end for start, end in fixed):
            return match[0]
        label = next(filter(None, match.groupdict().values()))
        words.append(_TAG.sub(" ", label))
        kept = "".join(tag[0] for tag in _TAG.finditer(label) if tag["name"].lower() != "br")
        return match[0].replace(label, kept)

    return pattern.sub(without, token.content), tuple(words)


def _which(token: Token) -> str:
    """What a construct of this kind is told by."""
    if token.type in ("link_open", "image"):
        return str(token.attrs.get("href", token.attrs.get("src", "")))
    if token.type == "component_open":
        return token.info.strip()
    if token.type == "fence" and labels(token)[1]:
        language, _, title = token.info.strip().partition(" ")
        return "\n".join((language, *re.findall(r"\{#[^}]*\}$", title), labels(token)[0]))
    if token.type in ("code_inline", "code_block", "fence"):
        return f"{token.info.strip()}\n{token.content}".strip()
    if token.type.startswith("math"):
        return "".join(_WORDS_IN_TEX.sub(r"\\text{}", token.content).split())
    if token.type in ("html_inline", "html_block"):
        return " ".join(token.content.split())
    return token.tag if token.type == "heading_open" else ""


def _in_words(words: str) -> Iterator[Construct]:
    yield from (Construct("address", match[0]) for match in _ADDRESS.finditer(words))
    yield from (Construct("template", match[0]) for match in _TEMPLATE.finditer(words))
    yield from (Construct("character", f"U+{ord(sign):04X}") for sign in _unseen(words))


def _unseen(text: str) -> Iterator[str]:
    """Characters that control, turn or hide what is around them, or are none; but those that join letters are fine."""
    for sign in text:
        if sign >= "\x7f" or sign < " ":
            category = unicodedata.category(sign)
            if (category[0] == "C" and sign not in "\n\t" + _JOINERS) or category in ("Zl", "Zp"):
                yield sign
