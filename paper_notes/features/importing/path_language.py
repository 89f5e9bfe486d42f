"""The language that the path of a note names: `zh/tea.md`, `tea.zh.md`."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import PurePosixPath

_LANGUAGE = re.compile(r"(?:zh|en|ja|ko|fr|de|es|ru)(?:[-_][A-Za-z]{2,4})?", re.IGNORECASE)
_TAGS = {
    **dict.fromkeys("zh zh-cn zh-hans zh-sg".split(), "zh"),
    **dict.fromkeys("zh-tw zh-hk zh-hant".split(), "zh-Hant"),
}
TWINS = ("zh", "en", "ja", "zh-CN", "zh-cn", "zh-Hans", "zh-Hant", "zh-TW", "en-US")
"""The tags that another text of the same note may have in its path."""


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
    twins = {PurePosixPath(*parts), *(bare.with_name(f"{bare.name}.{tag}{path.suffix}") for tag in TWINS)}
    twins |= {PurePosixPath(*parts[:at], tag, *parts[at:]) for at in range(len(parts)) for tag in TWINS}
    return any(twin in files for twin in twins - {path})
