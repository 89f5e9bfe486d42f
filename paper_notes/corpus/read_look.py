"""Reads the look of the site and its navigation from `site.yaml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from paper_notes.corpus.look import Accent, FontUse, Footer, Look, NamedFile, NavigationEntry
from paper_notes.corpus.look_schema import ShadesValue
from paper_notes.corpus.schema import SiteFile
from paper_notes.diagnostics import Diagnostic, Location, Suggestions
from paper_notes.sources.tree import SOURCE_FOLDER, Source
from paper_notes.sources.yaml import Path, YamlDocument

_BASE = PurePosixPath(SOURCE_FOLDER)
_PICTURES = frozenset({".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif"})
_ICONS = _PICTURES | {".ico"}
_OUTSIDE = re.compile(r"(?:https?://|mailto:)\S+")
_SCHEME = re.compile(r"[A-Za-z][\w+.-]*:|//")


def is_outside(link: str) -> bool:
    """True for an address outside of the site."""
    return bool(_OUTSIDE.fullmatch(link))


def read_look(
    file: SiteFile, document: YamlDocument, by_path: Mapping[PurePosixPath, Source], problems: list[Diagnostic]
) -> Look:
    """The look that `site.yaml` asks for. Pictures are looked for below `notes_src/`."""
    pictures = _Pictures(by_path, problems)
    fonts: Mapping[FontUse, tuple[str, ...]] = (
        {"text": file.fonts.text, "headings": file.fonts.headings, "code": file.fonts.code} if file.fonts else {}
    )
    logo = file.logo
    return Look(
        accent=_accent(file.accent, document) if file.accent else None,
        logo=pictures.find(logo.light, document.location(("logo", "light")), _PICTURES) if logo else None,
        logo_dark=pictures.find(logo.dark, document.location(("logo", "dark")), _PICTURES)
        if logo and logo.dark
        else None,
        favicon=pictures.find(file.favicon, document.location(("favicon",)), _ICONS) if file.favicon else None,
        fonts={use: names for use, names in fonts.items() if names},
    )


def read_navigation(file: SiteFile, document: YamlDocument, problems: list[Diagnostic]) -> tuple[NavigationEntry, ...]:
    """The entries of the navigation. What they lead to is looked up later, when all pages are known."""
    entries = []
    for place, value in enumerate(file.navigation):
        path: Path = ("navigation", place, "link")
        where, title = document.location(path), value.title.plain() if value.title else None
        if _SCHEME.match(value.link) and not is_outside(value.link):
            message = f'the navigation cannot lead to "{value.link[:80]}"'
            hint = "write an address that starts with https:// or mailto:, or the name of a page, topic or note"
            problems.append(Diagnostic(where, "bad-value", message, hint))
        elif is_outside(value.link) and title is None:
            hint = "write it as {title: ..., link: ...}"
            problems.append(Diagnostic(where, "bad-value", "a link to another site needs a title", hint))
        else:
            entries.append(NavigationEntry(value.link, title, where))
    return tuple(entries)


def read_footer(file: SiteFile, document: YamlDocument) -> Footer | None:
    """The text at the foot of all pages."""
    return Footer(file.footer.text(), document.location(("footer",))) if file.footer else None


def _accent(value: ShadesValue, document: YamlDocument) -> Accent:
    light, dark = document.location(("accent", "light")), document.location(("accent", "dark"))
    return Accent(_six_digits(value.light), _six_digits(value.dark) if value.dark else None, light, dark)


def _six_digits(colour: str) -> str:
    digits = colour[1:].lower()
    return f"#{''.join(digit * 2 for digit in digits) if len(digits) == 3 else digits}"


class _Pictures:
    def __init__(self, by_path: Mapping[PurePosixPath, Source], problems: list[Diagnostic]) -> None:
        self._by_path, self._problems, self._suggestions = by_path, problems, Suggestions()

    def find(self, name: str, where: Location, kinds: frozenset[str]) -> NamedFile | None:
        if _SCHEME.match(name):
            hint = f"save it in {_BASE}/ and write its name: pages hold all that they show"
            self._problems.append(Diagnostic(where, "remote-image", f'"{name[:80]}" is not a file', hint))
            return None
        source = self._by_path.get(_BASE / name)
        if source is None or ".." in PurePosixPath(name).parts:
            known = [str(path.relative_to(_BASE)) for path in self._by_path if path.suffix.lower() in kinds]
            hint = self._suggestions.did_you_mean(name, known) or f"put it into {_BASE}/"
            message = f'there is no file "{name[:80]}" in {_BASE}/'
            self._problems.append(Diagnostic(where, "missing-image", message, hint))
            return None
        if source.path.suffix.lower() not in kinds:
            hint = f"use {', '.join(sorted(kind[1:].upper() for kind in kinds))}"
            message = f'"{source.path.name}" is not a kind of picture that a page can show'
            self._problems.append(Diagnostic(where, "bad-image", message, hint))
            return None
        return NamedFile(source, where)
