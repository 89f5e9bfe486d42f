"""Reads `site.yaml`, `topic.yaml` and `glossary.yaml`, when one of them says something new."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from paper_notes.addresses import is_outside
from paper_notes.corpus.model import (
    BUILT_IN_KINDS,
    NO_COLOUR,
    Accent,
    Alias,
    Footer,
    GlossaryTerm,
    Kind,
    KindId,
    Look,
    NamedFile,
    NavigationEntry,
    NoteId,
    OutsideFolder,
    ReadingPath,
    ReadmeTarget,
    Site,
    Text,
    Topic,
    TopicId,
)
from paper_notes.corpus.schema import GlossaryFile, KindValue, SiteFile, TopicFile
from paper_notes.corpus.tags import tags_from
from paper_notes.corpus.topics import BASE, TOPIC_FILE, ReadGlossary, ReadSite, ReadTopic, WrittenPath
from paper_notes.corpus.validate import read_yaml, validate
from paper_notes.diagnostics import NOWHERE, Diagnostic, Location, Suggestions, did_you_mean
from paper_notes.identifiers import slugs
from paper_notes.languages.language import Words
from paper_notes.languages.text import Lang
from paper_notes.patterns import regex
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml import Path, YamlDocument
from paper_notes.values import replace

_PICTURES = frozenset({".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif"})
_ICONS = _PICTURES | {".ico"}
_SCHEME = regex(r"[A-Za-z][\w+.-]*:|//")


def read_site(document: YamlDocument, words: Words, by_path: Mapping[PurePosixPath, Source]) -> ReadSite:
    """The site that `site.yaml` describes. Pictures that it names are below `notes_src/`."""
    file, mistakes = validate(SiteFile, document, words.tags)
    if file is None:
        return None, {}, mistakes
    problems = [*mistakes]
    at, base_url = document.location, file.base_url
    site = Site(
        title=file.title,
        words=replace(words, macros=tuple(sorted(file.macros.items()))),
        topics=tuple(TopicId(topic) for topic in dict.fromkeys(file.topics)),
        description=file.description,
        base_url=base_url.rstrip("/") + "/" if base_url else None,
        readme=_readme_targets(file, words.tags, document, problems),
        sources=_outside_folders(file, document, problems),
        author=file.author,
        tags=tags_from(file.tags, document, problems),
        publish_fields=tuple(name.lower() for name in file.publish_fields),
        print_sources=file.print_sources,
        assistants=file.assistants,
        look=_look(file, document, by_path, problems),
        navigation=_navigation(file, document, problems),
        footer=Footer(file.footer, at(("footer",))) if file.footer else None,
        kinds=kinds_from(file.kinds, words, document, problems),
    )
    places = {TopicId(topic): where for topic, where in document.each(file.topics, "topics")}
    return site, places, tuple(problems)


def _look(
    file: SiteFile, document: YamlDocument, by_path: Mapping[PurePosixPath, Source], problems: list[Diagnostic]
) -> Look:
    def picture(name: str | None, kinds: frozenset[str], *path: str) -> NamedFile | None:
        return None if name is None else _picture(name, document.location(path), kinds, by_path, problems)

    fonts: Any = file.fonts or ()
    light, dark = document.location(("accent", "light")), document.location(("accent", "dark"))
    return Look(
        accent=Accent(file.accent.light, file.accent.dark, light, dark) if file.accent else None,
        logo=picture(file.logo.light if file.logo else None, _PICTURES, "logo", "light"),
        logo_dark=picture(file.logo.dark if file.logo else None, _PICTURES, "logo", "dark"),
        favicon=picture(file.favicon, _ICONS, "favicon"),
        fonts={use: names for use, names in fonts if names},
    )


def _navigation(file: SiteFile, document: YamlDocument, problems: list[Diagnostic]) -> tuple[NavigationEntry, ...]:
    """The entries of the navigation. What they lead to is looked up later, when all pages are known."""
    entries = []
    for place, value in enumerate(file.navigation):
        at: Path = ("navigation", place, "link")
        if _SCHEME.match(value.link) and not is_outside(value.link):
            message = f'the navigation cannot lead to "{value.link[:80]}"'
            hint = "write an address that starts with https:// or mailto:, or the name of a page, topic or note"
            problems.append(document.finding(at, "bad-value", message, hint))
        elif is_outside(value.link) and value.title is None:
            hint = "write it as {title: ..., link: ...}"
            problems.append(document.finding(at, "bad-value", "a link to another site needs a title", hint))
        else:
            entries.append(NavigationEntry(value.link, value.title, document.location(at)))
    return tuple(entries)


def _picture(
    name: str,
    where: Location,
    kinds: frozenset[str],
    by_path: Mapping[PurePosixPath, Source],
    problems: list[Diagnostic],
) -> NamedFile | None:
    if _SCHEME.match(name):
        hint = f"save it in {BASE}/ and write its name: pages hold all that they show"
        problems.append(Diagnostic(where, "remote-image", f'"{name[:80]}" is not a file', hint))
        return None
    source = by_path.get(BASE / name)
    if source is None or ".." in PurePosixPath(name).parts:
        known = [str(path.relative_to(BASE)) for path in by_path if path.suffix.lower() in kinds]
        hint = did_you_mean(name, known) or f"put it into {BASE}/"
        message = f'there is no file "{name[:80]}" in {BASE}/'
        problems.append(Diagnostic(where, "missing-image", message, hint))
        return None
    if source.path.suffix.lower() not in kinds:
        hint = f"use {', '.join(sorted(kind[1:].upper() for kind in kinds))}"
        message = f'"{source.path.name}" is not a kind of picture that a page can show'
        problems.append(Diagnostic(where, "bad-image", message, hint))
        return None
    return NamedFile(source, where)


_ID = regex(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MAX_ID = 40
"""Characters of an id at most."""


def kinds_from(
    values: Mapping[str, KindValue], words: Words, document: YamlDocument, problems: list[Diagnostic]
) -> tuple[Kind, ...]:
    """The kinds of a collection: the built-in ones, renamed or in another colour as it says, then its own."""
    known = {kind: Kind(kind, words(f"kind.{kind}"), colour) for kind, colour in BUILT_IN_KINDS.items()}
    for name in described(document):
        if not _ID.fullmatch(name) or len(name) > _MAX_ID:
            message = f'"{name[:_MAX_ID]}" cannot be the id of a kind'
            hint = "write a-z, 0-9 and -, as in field-report; what readers see is its `name:`"
            problems.append(document.finding(("kinds", name), "bad-value", message, hint, key=True))
            continue
        value = values.get(name)
        if value is None:  # the schema reports it; notes may be of this kind all the same
            known.setdefault(KindId(name), Kind(KindId(name), Text.of(dict.fromkeys(words.tags, name)), NO_COLOUR))
            continue
        kind = KindId(name)
        built_in, written = known.get(kind), value.name or Text()
        form = f"{{{', '.join(f'{lang}: ...' for lang in words.tags)}}}" if len(words.tags) > 1 else "..."
        if not (built_in or written):
            message = f'the kind "{name}" has no name'
            problems.append(document.finding(("kinds", name), "missing-key", message, f"add `name: {form}`", key=True))
            written = Text.of(dict.fromkeys(words.tags, name))
        for lang in words.tags:
            if not built_in and not written.has(lang):
                at = ("kinds", name, "name")
                message = f'the name of the kind "{name}" has no {lang} text'
                problems.append(document.finding(at, "missing-translation", message, f"write {form}", "warning"))
        parts = {**dict(built_in.name.parts if built_in else ()), **dict(written.parts)}
        colour = value.colour or (built_in.colour if built_in else NO_COLOUR)
        known[kind] = Kind(kind, Text.of({lang: parts[lang] for lang in words.tags if lang in parts}), colour)
    return tuple(known.values())


def described(site: YamlDocument) -> tuple[str, ...]:
    """The ids of the kinds in `site.yaml`, right or wrong."""
    values = site.value.get("kinds") if isinstance(site.value, dict) else None
    return tuple(value for value in values if isinstance(value, str)) if isinstance(values, dict | list) else ()


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
                message = f'the site has no {key} "{value_of_key}"'
                hint = suggestions.did_you_mean(value_of_key, known)
                problems.append(document.finding(("readme", place, key), "bad-value", message, hint))
        topic = TopicId(value.topic) if value.topic else None
        path = PurePosixPath(value.file)
        lang = Lang(value.lang) if value.lang in languages else None
        targets.append(ReadmeTarget(path, value.region, value.content, lang, topic, where))
    return tuple(targets)


def _outside_folders(file: SiteFile, document: YamlDocument, problems: list[Diagnostic]) -> tuple[OutsideFolder, ...]:
    """The folders of `sources`, none of which may be one of the collection's own."""
    folders = []
    for place, value in enumerate(file.sources):
        first = "".join(PurePosixPath(posixpath.normpath(value.folder)).parts[:1])
        if first in _OWN or (first.startswith(".") and first != ".."):  # git's, or an editor's
            message = f'"{value.folder}" is a folder of this collection itself'
            hint = "name the folder of notes that another program keeps, as in ../vault"
            problems.append(document.finding(("sources", place, "folder"), "bad-value", message, hint))
        else:
            folders.append(OutsideFolder(value.folder, TopicId(value.topic) if value.topic else None))
    return tuple(folders)


_OWN = frozenset({"", "notes_src", "site", "templates", "assets"})


def read_topic(topic_id: TopicId, source: Source | None, languages: tuple[Lang, ...]) -> ReadTopic:
    """The topic of a folder; a bare one if its file is missing or wrong."""
    path = BASE / topic_id / TOPIC_FILE
    bare = Topic(topic_id, Text.of({languages[0]: topic_id}), "", None, (), Location(path))
    if source is None:
        hint = f"write `title: {{{', '.join(f'{lang}: ...' for lang in languages)}}}` into it"
        missing = Diagnostic(Location(path), "missing-topic-file", f"there is no {path}", hint)
        return ReadTopic(bare, diagnostics=(missing,))
    problems: list[Diagnostic] = []
    document, file = read_yaml(TopicFile, path, source.text, problems, languages)
    if file is None:
        return ReadTopic(bare, diagnostics=tuple(problems))
    where = document.location(("intro",)) if file.intro else NOWHERE
    paths = (
        WrittenPath(
            ReadingPath(
                path.id,
                path.title,
                tuple(NoteId(step.note) for step in path.steps),
                path.guide,
                document.location(("reading_paths", number)),
                tuple(step.words for step in path.steps),
            ),
            tuple(at for _, at in document.each(path.steps, "reading_paths", number, "steps")),
            document.location(("reading_paths", number, "id")),
        )
        for number, path in enumerate(file.reading_paths)
    )
    return ReadTopic(
        Topic(topic_id, file.title, file.emoji, file.intro, (), Location(path), where),
        tuple(Alias(topic_id, None, address, at) for address, at in document.each(file.aliases, "aliases")),
        dict(file.macros),
        tuple(paths),
        tuple(document.each(file.papers, "papers")),
        tuple(document.each(file.order, "order")),
        tuple(problems),
    )


def read_terms(source: Source, languages: tuple[Lang, ...]) -> ReadGlossary:
    """The terms in the order of the file, and what is wrong in it."""
    problems: list[Diagnostic] = []
    document, file = read_yaml(GlossaryFile, source.path, source.text, problems, languages, listed="terms")
    values = file.terms if file else ()
    latin = (next(filter(str.isascii, value.names.values()), next(iter(value.names.values()))) for value in values)
    terms = tuple(
        GlossaryTerm(term_id, Text.of(value.names), value.aliases, value.avoid, value.definition, at)
        for term_id, (value, at) in zip(slugs(latin, "term"), document.each(values, "terms"), strict=True)
    )
    return terms, tuple(problems)
