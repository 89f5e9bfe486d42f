"""Front matter of others: what each key is here, and where the text begins."""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from paper_notes.diagnostics import Diagnostic
from paper_notes.features.importing.markdown.dialects import tables
from paper_notes.features.importing.types import Original
from paper_notes.identifiers import ArxivId, arxiv_in_field, parse_arxiv
from paper_notes.sources.yaml import parse_yaml

_YAML = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML = re.compile(r"\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_DAY = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_NUMBER = re.compile(r"\d{1,6}")
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_TAG_LINE = re.compile(
    r"(?P<above>(?:[ \t]*\n)*(?:#[ \t][^\n]*\n(?:[ \t]*\n)*)?)[ \t]*"
    r"(?i:(?:\*\*)?(?:tags?|标签|標籤|タグ)[:：](?:\*\*)?[ \t]*(?=#)|(?=#(?-i:[a-z])|#\S+[ \t]+#))"
    r"(?P<tags>#[^\W\d][\w/-]*(?:[ \t,，]+#[^\W\d][\w/-]*)*)[ \t]*(?=\n|\Z)"
)
"""A line of tags before all else, or below the title: `#paper #rl/grpo`. A single one with a capital is a heading."""
_TRUE = frozenset({"true", "yes", "on", "1"})


@dataclass(frozen=True)
class Front:
    """What the front matter of a text says."""

    text: str
    """What follows it."""
    first_line: int = 1
    """The line of the original on which that begins."""
    title: str = ""
    topic: str = ""
    lang: str = ""
    number: int | None = None
    aliases: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)
    arxiv: tuple[ArxivId, ...] = ()
    dois: tuple[str, ...] = ()
    broken: str = ""
    """Why it could not be read; it is then part of the text."""
    broken_at: tuple[int, int] = (1, 1)


@lru_cache(maxsize=8192)
def front(original: Original) -> Front:
    """The front matter of an original, and the tags on lines below it. Never raises: what cannot be read stays text."""
    match = _front(original)
    while tags := _TAG_LINE.match(match.text):
        named = dict.fromkeys([*match.facts.get("tags", ()), *re.findall(r"#([^\s,，]+)", tags["tags"])])
        text = tags["above"] + match.text[tags.end() :]
        match = replace(match, text=text, facts={**match.facts, "tags": [*named]})
    return match


def _front(original: Original) -> Front:
    text = original.text
    if match := _YAML.match(text):
        document = parse_yaml(original.path, match[1], 2)
        if isinstance(document, Diagnostic):
            again = parse_yaml(original.path, _quoted(match[1]), 2)
            if isinstance(again, Diagnostic):
                where = document.location
                return Front(text, broken=document.message, broken_at=(where.line, where.column))
            document = again
        value = document.value
    elif match := _TOML.match(text):
        try:
            value = tomllib.loads(match[1])
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            return Front(text, broken=str(error))
    else:
        return Front(text)
    if not isinstance(value, dict):
        return Front(text)  # two rules around words
    return _mapped(value, text[match.end() :], match[0].count("\n") + 1, posted="_posts" in original.path.parts)


def _quoted(text: str) -> str:
    """The lines `key: value` with a value in quotes where it holds signs that YAML has a meaning for."""

    def quote(match: re.Match[str]) -> str:
        return f"{match[1]}'{match[2].replace(chr(39), chr(39) * 2)}'"

    return re.sub(r"(?m)^([\w -]+:[ \t]+)(?![\[{'\"|>])(.*?(?::[ \t]|[ \t]#|^[@`%*&!]|\[).*?)[ \t]*$", quote, text)


@dataclass
class _Meaning:
    """What the keys of a front matter mean here, as they are read."""

    posted: bool
    """Jekyll's posts have several categories in a line."""
    facts: dict[str, Any] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    single: dict[str, str] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)
    arxiv: list[ArxivId] = field(default_factory=list)
    dois: list[str] = field(default_factory=list)

    def take(self, meaning: str, value: object) -> bool:  # noqa: C901 -- a case a meaning
        """Take a value; False if it does not have that meaning."""
        words, several = _words(value), _several(value)
        match meaning:
            case "title" | "lang" | "number":
                is_valid = bool(_NUMBER.fullmatch(words) if meaning == "number" else words)
                return is_valid and self.single.setdefault(meaning, words) == words
            case "summary" | "created" | "updated":
                fact = words if meaning == "summary" else _day(value)
                return bool(fact) and self.facts.setdefault(meaning, fact) == fact
            case "draft":
                self.facts |= {"draft": True} if words.lower() in _TRUE else {}
                return words.lower() in (*_TRUE, "false", "no", "off")
            case "tags":
                self.tags += several
            case "keywords":
                self.facts["keywords"] = [*self.facts.get("keywords", ()), *several]
            case "topic":
                named = words.split() if self.posted and isinstance(value, str) else several
                self.single.setdefault("topic", named[0] if named else "")
                self.tags += named
            case "aliases":
                self.aliases += _several(value, commas=False)
            case "alias":
                self.aliases.append(words)
            case "address" if "://" not in words:
                self.aliases.append(words)
            case "address":
                if not self._paper(arxiv_in_field(words)) and "doi.org" in words:
                    self._doi(words)
                return False  # an address elsewhere is kept
            case "arxiv":
                return self._paper(parse_arxiv(words))
            case "doi":
                return self._doi(words)
            case _:
                return False
        return True

    def _paper(self, paper: tuple[ArxivId, int | None] | None) -> bool:
        self.arxiv += [paper[0]] if paper else []
        return bool(paper)

    def _doi(self, words: str) -> bool:
        doi = _DOI.search(words)
        if doi and not self._paper(parse_arxiv(doi[0])):
            self.dois.append(doi[0])
        return bool(doi)


def _mapped(values: Mapping[str, Any], text: str, first_line: int, *, posted: bool) -> Front:
    known = tables()
    meaning = _Meaning(posted)
    for key, value in values.items():
        name = str(key)
        if value is not None and value not in ("", [], {}):
            wanted = known.keys.get(name, known.keys.get(name.lower(), ""))
            if not wanted or not meaning.take(wanted, value):
                meaning.extra[name] = _plain(value)
    if tags := [*dict.fromkeys(meaning.tags)]:
        meaning.facts["tags"] = tags
    single = meaning.single
    return Front(
        text,
        first_line,
        single.get("title", ""),
        single.get("topic", ""),
        single.get("lang", ""),
        int(single["number"]) if "number" in single else None,
        tuple(dict.fromkeys(alias for alias in meaning.aliases if alias)),
        meaning.facts,
        meaning.extra,
        tuple(dict.fromkeys(meaning.arxiv)),
        tuple(dict.fromkeys(meaning.dois)),
    )


def _words(value: object) -> str:
    """A value as one line."""
    if isinstance(value, list | tuple):
        return ", ".join(map(_words, value))
    return "" if value is None or isinstance(value, dict) else " ".join(str(value).split())


def _several(value: object, *, commas: bool = True) -> list[str]:
    """A list as it is; a text at its commas, or at its blanks if each part is a `#tag`."""
    if isinstance(value, list | tuple):
        return [words.removeprefix("#") for entry in value if (words := _words(entry))]
    words = _words(value)
    parts = re.split("[,，、;；]", words) if commas else [words]
    if commas and len(parts) == 1 and words.startswith("#"):
        parts = words.split()
    return [part.strip().removeprefix("#") for part in parts if part.strip()]


def _day(value: object) -> str:
    """The day in a value, as `2026-01-13`; empty without one."""
    if isinstance(value, dict):
        value = value.get("date", "")
    match = _DAY.search(str(value))
    try:
        return datetime.date(*map(int, match.groups())).isoformat() if match else ""
    except ValueError:
        return ""


def _plain(value: object) -> Any:
    """A value of text, lists and mappings only: TOML has dates and numbers."""
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value if isinstance(value, bool | int | float) or value is None else str(value)
