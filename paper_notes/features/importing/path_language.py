"""The language of an original: what its path names, as `zh/tea.md` and `tea.zh.md` do, or what its letters are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from pathlib import PurePosixPath
from string import ascii_letters

from paper_notes.patterns import regex

_LANGUAGE = regex(r"(?:zh|en|ja|ko|fr|de|es|ru)(?:[-_][A-Za-z]{2,4})?", re.IGNORECASE)
_TAGS = {
    **dict.fromkeys("zh zh-cn zh-hans zh-sg".split(), "zh"),
    **dict.fromkeys("zh-tw zh-hk zh-mo zh-hant".split(), "zh-Hant"),
}
_TWINS = ("zh", "en", "ja", "zh-CN", "zh-cn", "zh-Hans", "zh-Hant", "zh-TW", "en-US")
"""The tags that another text of the same note may have in its path."""

_HAN, _KANA = ("\u4e00", "\u9fff"), ("\u3041", "\u30ff")
_TRADITIONAL = "們這個來學習與對應種過說還題點實現樣開關讓從發網層權優應"
_SIMPLIFIED = "们这个来学习与对应种过说还题点实现样开关让从发网层权优应"


def is_language(name: str) -> bool:
    """Whether a part of a path is the tag of a language."""
    return bool(_LANGUAGE.fullmatch(name))


def tag_of(lang: str) -> str:
    """The tag as we write it; empty for none."""
    wanted = lang.strip().replace("_", "-")
    if not _LANGUAGE.fullmatch(wanted):
        return ""
    return _TAGS.get(wanted.lower(), wanted.lower().partition("-")[0])


def language_of_path(path: PurePosixPath) -> str:
    """The tag that a path names; empty for none."""
    tags = (without_language(path.stem)[1], *path.parts[:-1])
    return next((tag_of(tag) for tag in tags if is_language(tag)), "")


def without_language(stem: str) -> tuple[str, str]:
    """The name of a file without the language at its end, and that."""
    name, _, tag = stem.rpartition(".")
    return (name, tag) if name and is_language(tag) else (stem, "")


def path_without_language(path: PurePosixPath) -> PurePosixPath:
    """The path without its suffix and languages: what the texts of one note share."""
    return PurePosixPath(*(part for part in path.parts[:-1] if not is_language(part)), without_language(path.stem)[0])


def has_twin(path: PurePosixPath, files: Collection[PurePosixPath]) -> bool:
    """Whether there is the same file in another language."""
    bare = path_without_language(path)
    parts = bare.with_name(f"{bare.name}{path.suffix}").parts
    twins = {PurePosixPath(*parts), *(bare.with_name(f"{bare.name}.{tag}{path.suffix}") for tag in _TWINS)}
    twins |= {PurePosixPath(*parts[:at], tag, *parts[at:]) for at in range(len(parts)) for tag in _TWINS}
    return any(twin in files for twin in twins - {path})


def guessed(text: str) -> str:
    """The language of a text, by its letters."""
    counts = Counter(text[:20_000])
    han, kana = (sum(count for sign, count in counts.items() if first <= sign <= last) for first, last in (_HAN, _KANA))
    latin = sum(counts[letter] for letter in ascii_letters)
    if kana * 20 > han + kana and kana > 5:
        return "ja"
    if han * 8 < latin:
        return "en"
    traditional, simplified = (sum(counts[sign] for sign in signs) for signs in (_TRADITIONAL, _SIMPLIFIED))
    return "zh-Hant" if traditional > 2 * simplified else "zh"
