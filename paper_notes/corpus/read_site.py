"""Reads `site.yaml`: the site, its look and navigation, its kinds of notes, and how much each finding matters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from paper_notes.addresses import is_outside
from paper_notes.corpus.model import (
    BUILT_IN_KINDS,
    NO_COLOUR,
    Accent,
    Footer,
    Kind,
    KindId,
    Look,
    NamedFile,
    NavigationEntry,
    ReadmeTarget,
    Site,
    Text,
    TopicId,
)
from paper_notes.corpus.schema import KindValue, ShadesValue, SiteFile
from paper_notes.corpus.tags import tags_from
from paper_notes.corpus.validate import validate
from paper_notes.diagnostics import (
    Diagnostic,
    Location,
    Suggestions,
    did_you_mean,
)
from paper_notes.languages.language import Words
from paper_notes.languages.text import Lang
from paper_notes.sources.tree import SOURCE_FOLDER, Source
from paper_notes.sources.yaml import Path, YamlDocument

_BASE = PurePosixPath(SOURCE_FOLDER)
_PICTURES = frozenset({".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif"})
_ICONS = _PICTURES | {".ico"}
_SCHEME = re.compile(r"[A-Za-z][\w+.-]*:|//")


def _look(
    file: SiteFile, document: YamlDocument, by_path: Mapping[PurePosixPath, Source], problems: list[Diagnostic]
) -> Look:
    """The look that `site.yaml` asks for. Pictures are looked for below `notes_src/`."""

    def picture(name: str | None, kinds: frozenset[str], *path: str) -> NamedFile | None:
        return None if name is None else _picture(name, document.location(path), kinds, by_path, problems)

    fonts: Any = file.fonts or ()
    return Look(
        accent=_accent(file.accent, document) if file.accent else None,
        logo=picture(file.logo.light if file.logo else None, _PICTURES, "logo", "light"),
        logo_dark=picture(file.logo.dark if file.logo else None, _PICTURES, "logo", "dark"),
        favicon=picture(file.favicon, _ICONS, "favicon"),
        fonts={use: names for use, names in fonts if names},
    )


def _navigation(file: SiteFile, document: YamlDocument, problems: list[Diagnostic]) -> tuple[NavigationEntry, ...]:
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


def _accent(value: ShadesValue, document: YamlDocument) -> Accent:
    light, dark = document.location(("accent", "light")), document.location(("accent", "dark"))
    return Accent(_six_digits(value.light), _six_digits(value.dark) if value.dark else None, light, dark)


def _six_digits(colour: str) -> str:
    digits = colour[1:].lower()
    return f"#{''.join(digit * 2 for digit in digits) if len(digits) == 3 else digits}"


def _picture(
    name: str,
    where: Location,
    kinds: frozenset[str],
    by_path: Mapping[PurePosixPath, Source],
    problems: list[Diagnostic],
) -> NamedFile | None:
    if _SCHEME.match(name):
        hint = f"save it in {_BASE}/ and write its name: pages hold all that they show"
        problems.append(Diagnostic(where, "remote-image", f'"{name[:80]}" is not a file', hint))
        return None
    source = by_path.get(_BASE / name)
    if source is None or ".." in PurePosixPath(name).parts:
        known = [str(path.relative_to(_BASE)) for path in by_path if path.suffix.lower() in kinds]
        hint = did_you_mean(name, known) or f"put it into {_BASE}/"
        message = f'there is no file "{name[:80]}" in {_BASE}/'
        problems.append(Diagnostic(where, "missing-image", message, hint))
        return None
    if source.path.suffix.lower() not in kinds:
        hint = f"use {', '.join(sorted(kind[1:].upper() for kind in kinds))}"
        message = f'"{source.path.name}" is not a kind of picture that a page can show'
        problems.append(Diagnostic(where, "bad-image", message, hint))
        return None
    return NamedFile(source, where)


_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MAX_ID = 40
"""Characters of an id at most."""


def kinds_of(words: Words) -> tuple[Kind, ...]:
    """The built-in kinds."""
    return tuple(Kind(kind, words(f"kind.{kind}"), colour) for kind, colour in BUILT_IN_KINDS.items())


def kinds_from(
    values: Mapping[str, KindValue], words: Words, document: YamlDocument, problems: list[Diagnostic]
) -> tuple[Kind, ...]:
    """The kinds of a collection: the built-in ones, renamed or in another colour as it says, then its own."""
    known = {kind.id: kind for kind in kinds_of(words)}
    for name in described(document):
        if not _ID.fullmatch(name) or len(name) > _MAX_ID:
            message = f'"{name[:_MAX_ID]}" cannot be the id of a kind'
            hint = "write a-z, 0-9 and -, as in field-report; what readers see is its `name:`"
            problems.append(Diagnostic(document.location(("kinds", name), key=True), "bad-value", message, hint))
            continue
        value = values.get(name)
        if value is None:  # the schema reports it; notes may be of this kind all the same
            known.setdefault(KindId(name), Kind(KindId(name), Text.of(dict.fromkeys(words.tags, name)), NO_COLOUR))
            continue
        kind, where = KindId(name), document.location(("kinds", name), key=True)
        built_in, written = known.get(kind), value.name.plain() if value.name else Text()
        form = f"{{{', '.join(f'{lang}: ...' for lang in words.tags)}}}" if len(words.tags) > 1 else "..."
        if not (built_in or written):
            message = f'the kind "{name}" has no name'
            problems.append(Diagnostic(where, "missing-key", message, f"add `name: {form}`"))
            written = Text.of(dict.fromkeys(words.tags, name))
        for lang in words.tags:
            if not built_in and not written.has(lang):
                where = document.location(("kinds", name, "name"))
                message = f'the name of the kind "{name}" has no {lang} text'
                problems.append(Diagnostic(where, "missing-translation", message, f"write {form}", "warning"))
        parts = {**dict(built_in.name.parts if built_in else ()), **dict(written.parts)}
        colour = value.colour or (built_in.colour if built_in else NO_COLOUR)
        known[kind] = Kind(kind, Text.of({lang: parts[lang] for lang in words.tags if lang in parts}), colour)
    return tuple(known.values())


def described(site: YamlDocument) -> tuple[str, ...]:
    """The ids of the kinds in `site.yaml`, right or wrong."""
    values = site.value.get("kinds") if isinstance(site.value, dict) else None
    return tuple(value for value in values if isinstance(value, str)) if isinstance(values, dict | list) else ()


def read_site(
    document: YamlDocument, words: Words, by_path: Mapping[PurePosixPath, Source], problems: list[Diagnostic]
) -> tuple[Site, dict[TopicId, Location]] | None:
    """The site, and where it names each topic; None if `site.yaml` is too wrong for one."""
    file, mistakes = validate(SiteFile, document, words.tags)
    problems += mistakes
    if file is None:
        return None
    base_url = file.base_url
    site = Site(
        title=file.title.plain(),
        words=replace(words, macros=tuple(sorted(file.macros.items()))),
        topics=tuple(TopicId(topic) for topic in dict.fromkeys(file.topics)),
        description=file.description.plain() if file.description else None,
        base_url=base_url.rstrip("/") + "/" if base_url else None,
        readme=_readme_targets(file, words.tags, document, problems),
        author=file.author.text() if file.author else None,
        tags=tags_from(file.tags, document, problems),
        publish_fields=tuple(name.lower() for name in file.publish_fields),
        print_sources=file.print_sources,
        assistants=file.assistants,
        look=_look(file, document, by_path, problems),
        navigation=_navigation(file, document, problems),
        footer=Footer(file.footer.text(), document.location(("footer",))) if file.footer else None,
        kinds=kinds_from(file.kinds, words, document, problems),
    )
    places = {TopicId(topic): document.location(("topics", place)) for place, topic in enumerate(file.topics)}
    return site, places


def _readme_targets(
    file: SiteFile, languages: tuple[Lang, ...], document: YamlDocument, problems: list[Diagnostic]
) -> tuple[ReadmeTarget, ...]:
    targets = []
    suggestions = Suggestions()
    known_topics = frozenset(file.topics)
    for place, value in enumerate(file.readme):
        where = document.location(("readme", place))
        for key, value_of_key, known in (("lang", value.lang, languages), ("topic", value.topic, known_topics)):
            if value_of_key is not None and value_of_key not in known:
                at, hint = document.location(("readme", place, key)), suggestions.did_you_mean(value_of_key, known)
                problems.append(Diagnostic(at, "bad-value", f'the site has no {key} "{value_of_key}"', hint))
        topic = TopicId(value.topic) if value.topic else None
        path = PurePosixPath(value.file)
        lang = Lang(value.lang) if value.lang else None
        targets.append(ReadmeTarget(path, value.region, value.content, lang, topic, where))
    return tuple(targets)
