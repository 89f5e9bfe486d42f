"""Markdown of a README in our own syntax: links to notes become references, and all its words stay."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from paper_notes.corpus.model import NoteText
from paper_notes.diagnostics import Location
from paper_notes.features.importing.completeness import words_of
from paper_notes.features.importing.readme.blocks import is_web, links_of, path_of, plain
from paper_notes.features.papers.make_safe import Refused, demote
from paper_notes.features.papers.note_template import as_markdown
from paper_notes.languages.text import Lang
from paper_notes.markdown.parser import parse_text
from paper_notes.markdown.short_texts import plain_text

_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*", "code": "`", "tt": "`"}
_TAG = re.compile(r"</?(strong|b|em|i|code|tt)(?:\s[^>]*)?>", re.IGNORECASE)
_BREAK = re.compile(r"\s*<br\s*/?>\s*", re.IGNORECASE)
_MARKER = re.compile(r"^\s*(?:(?:[-*+>]|\d{1,3}[.)])\s+)+")
_NUMBER = re.compile(r"#(\d{1,6})")
_WHERE = Location(PurePosixPath("README.md"))


@dataclass(frozen=True)
class NoteNames:
    """What a text of a topic may mean by an address or a number."""

    at: Callable[[str], str | None]
    """How our texts refer to the note at an address; None if it is no note."""
    numbers: Mapping[int, str]
    """How they refer to the notes of the topic, by number."""


def in_our_words(markdown: str, lang: Lang, names: NoteNames, *, inline: bool = True) -> str:
    """The same words as a text of a YAML file. If that cannot be, it becomes plain text."""
    text = _BREAK.sub(" ", _TAG.sub(lambda tag: _MARKS[tag[1].lower()], markdown.strip()))
    text = " ".join(text.split()) if inline else text
    own = set[str]()
    for link in reversed(links_of(text)):
        name = names.at(link.address)
        if name is not None:
            own.add(name)
            label = re.sub(r"[\[\]|]", " ", link.label).strip()
            reference = f"[[{name}|{label}]]" if label else f"[[{name}]]"
            text = f"{text[: link.start]}{reference}{text[link.end :]}"
        elif not is_web(link.address) and path_of(link.address)[0] != "mailto":
            text = f"{text[: link.start]}{as_markdown(link.label)}{text[link.end :]}"
    own |= set(names.numbers.values())
    text = _numbered(text, _refused(text, lang, own, inline=inline), names.numbers)
    text, demotions = demote(text, lambda text: _refused(text, lang, own, inline=inline))
    lost = Counter(words_of(plain(markdown))) - Counter(words_of(shown_words(text, lang, inline=inline)))
    if not lost and not (inline and any(demotion.is_code for demotion in demotions)):
        return text
    return as_markdown(plain(markdown)) if inline else "\n".join(map(_plainly, markdown.strip().split("\n")))


def _plainly(line: str) -> str:
    """A line without its marks, but in its list."""
    marker = _MARKER.match(line)
    start = marker[0] if marker else ""
    return start + as_markdown(plain(line[len(start) :]))


def _refused(text: str, lang: Lang, own: Container[str], *, inline: bool) -> list[Refused]:
    """Rules and places of what would be a mistake, and of what only looks like a reference."""
    parsed = parse_text(NoteText(lang, _WHERE.path, text), inline=inline)
    parsed.html(parsed.tokens)
    context = parsed.context
    errors = [(problem.rule, problem.location) for problem in context.problems if problem.severity == "error"]
    return [*errors, *((slot.kind, slot.location) for slot in context.slots if slot.target not in own)]


def _numbered(text: str, refused: Sequence[Refused], numbers: Mapping[int, str]) -> str:
    """The text with `see #04` as a reference."""
    lines = text.split("\n")
    for kind, where in sorted(refused, key=lambda pair: pair[1], reverse=True):
        line = lines[where.line - 1]
        number = _NUMBER.match(line, where.column - 1) if kind == "plain" else None
        if number and int(number[1]) in numbers:
            reference = f"[[{numbers[int(number[1])]}|{number[0]}]]"
            lines[where.line - 1] = line[: number.start()] + reference + line[number.end() :]
    return "\n".join(lines)


def shown_words(text: str, lang: Lang, *, inline: bool) -> str:
    """The words that a reader sees."""
    parts = [text] if inline else [_MARKER.sub("", line) for line in text.split("\n")]
    return " ".join(plain_text(part, lang, _WHERE, lambda slot: slot.text) for part in parts)
