"""Names of people and groups in BibTeX, split into their parts."""

from __future__ import annotations

import re
from functools import lru_cache

from paper_notes.corpus.bibliography.tex import plain_text
from paper_notes.corpus.paper import PersonName, is_eastern

_AND, _COMMA, _NO_NAME = (
    (re.compile(pattern, re.IGNORECASE), re.compile(rf"[{{}}]|{pattern}", re.IGNORECASE))
    for pattern in (r"(?:^| )and(?= |$)", ",", r"[;；、，&]|\bet al\b")
)
"""Separators of names and of their parts, and signs of several names; alone, and with the braces that hide them."""
_JUNIOR = re.compile(r"(jr|sr|[ivx]+|\d(st|nd|rd|th))\.?", re.IGNORECASE)
_SUSPECT = re.compile(rf"{_NO_NAME[1].pattern}|,.*,", re.IGNORECASE)
_LONG_FAMILIES = "欧阳 司马 上官 诸葛 东方 皇甫 尉迟 公孙 慕容 令狐 宇文 长孙 司徒 夏侯 轩辕 端木 独孤 南宫".split()
_JAPANESE = re.compile("[\u3005\u3041-\u30ff]")
_ACCENT = re.compile(r"\{\\(?:[^{}]|\{[^{}]*\})*\}")
_LABELLED = re.compile(r"(family|given|prefix|suffix)(?:-i)?\s*=\s*(.*)", re.IGNORECASE | re.DOTALL)


def split_names(field: str) -> tuple[list[str], bool]:
    """The names in a field such as `author`, as written, and whether `and others` ends it. A name may be empty."""
    text = " ".join(field.split())
    if not text:
        return [], False
    names = _split(text, _AND)
    more = len(names) > 1 and names[-1].lower() == "others"
    return (names[:-1] if more else names), more


def looks_wrong(name: str) -> bool:
    """Whether a name looks like several, or is not a name: commas between people, `et al.`"""
    if not _SUSPECT.search(name):
        return False
    commas = _split(name, _COMMA)
    labelled = all(_LABELLED.match(part) for part in commas)
    several = len(commas) > 3 or (len(commas) == 3 and not _JUNIOR.fullmatch(commas[1]))
    return (several and not labelled) or len(_split(name, _NO_NAME)) > 1


@lru_cache(maxsize=1 << 16)
def person_from(name: str) -> PersonName:
    """A name in BibTeX's forms `First von Last`, `von Last, First` and `von Last, Jr, First`, or an East Asian one.

    Braces hold together: `{Google Research}` is one last name. `张三`, `张 三` and `张, 三` are the same name.
    biblatex's `family=Harman, given=Hans` works too.
    """
    if "=" in name and (labelled := _labelled(name)):
        return labelled
    words = name.replace(",", " ").split()
    if words and is_eastern("".join(words)):
        return _eastern(words)
    from bibtexparser.middlewares.names import parse_single_name_into_parts  # slow to import

    parts = parse_single_name_into_parts(_ACCENT.sub(lambda accent: plain_text(accent[0]), name), strict=False)
    first, von = parts.first, parts.von
    if first and not von and all(word[0].islower() for word in first):
        first, von = [], first  # `de Gaulle`
    found = (first, von, parts.last, parts.jr)
    return PersonName(*(plain_text(" ".join(words)) if words else "" for words in found))


def _labelled(name: str) -> PersonName | None:
    pieces = [_LABELLED.fullmatch(part.strip('" ')) for part in _split(name, _COMMA)]
    found = {piece[1].lower(): plain_text(piece[2].strip('" ')) for piece in pieces if piece}
    if len(found) < len(pieces) or "family" not in found:
        return None
    return PersonName(found.get("given", ""), found.get("prefix", ""), found["family"], found.get("suffix", ""))


def _eastern(words: list[str]) -> PersonName:
    """A name written family name first. In one word the family name has one character, or two if it is a long one."""
    if len(words) > 1:
        return PersonName(" ".join(words[1:]), "", words[0], "")
    (word,) = words
    if _JAPANESE.search(word):
        return PersonName("", "", word, "")  # the split is unknown
    family = 2 if word[:2] in _LONG_FAMILIES else 1
    family = family if len(word) - family in (1, 2) else len(word)
    return PersonName(word[family:], "", word[:family], "")


def _split(text: str, separator: tuple[re.Pattern[str], re.Pattern[str]]) -> list[str]:
    """The text cut at each separator that is outside of braces."""
    alone, with_braces = separator
    if "{" not in text and "}" not in text:
        return [piece.strip() for piece in alone.split(text)]
    pieces, depth, start = [], 0, 0
    for match in with_braces.finditer(text):
        if match[0] in "{}":
            depth += 1 if match[0] == "{" else -1
        elif depth == 0:
            pieces.append(text[start : match.start()].strip())
            start = match.end()
    return [*pieces, text[start:].strip()]
