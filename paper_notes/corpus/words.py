"""The languages of a site and the words of its pages: built in, or the collection's own in `words.<tag>.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from paper_notes.corpus.schema import DEFAULT_LANGUAGES
from paper_notes.diagnostics import Diagnostic, Location, Suggestions
from paper_notes.languages.language import (
    BUILT_IN,
    FALLBACK,
    PLURALS,
    Language,
    Message,
    Words,
    canonical,
    flat,
    language,
    nearest,
    own_language,
    places,
)
from paper_notes.languages.text import Lang
from paper_notes.sources.tree import SOURCE_FOLDER, Source
from paper_notes.sources.yaml import Path, YamlDocument, parse_yaml


def words_file(lang: str) -> PurePosixPath:
    """Where a collection's own words in a language are."""
    return PurePosixPath(SOURCE_FOLDER, f"words.{lang}.yaml")


def read_words(site: YamlDocument, by_path: Mapping[PurePosixPath, Source], problems: list[Diagnostic]) -> Words:
    """The words in the languages that `site.yaml` names; in the usual ones where it does not."""
    value = site.value.get("languages") if isinstance(site.value, dict) else None
    given = value if isinstance(value, list) else []
    suggestions, found = Suggestions(), dict[Lang, Language]()
    for place, tag in enumerate(given):
        if not isinstance(tag, str):
            continue  # which the schema reports
        lang, where = canonical(tag), site.location(("languages", place))
        known = lang and _language(lang, by_path, where, problems)
        if lang and known:
            found[lang] = known
        elif lang is None or not any(problem.location == where for problem in problems):
            hint = suggestions.did_you_mean(tag, BUILT_IN)
            problems.append(Diagnostic(where, "unknown-language", f'"{tag}" is not the tag of a known language', hint))
    return Words(tuple(found.values())[:2] or Words.of(*DEFAULT_LANGUAGES).languages)


def _language(
    lang: Lang, by_path: Mapping[PurePosixPath, Source], where: Location, problems: list[Diagnostic]
) -> Language | None:
    source = by_path.get(words_file(lang))
    if source is None and nearest(lang):
        return language(lang)
    try:
        words, sections = _own(source, problems) if source else ({}, {})
        made = own_language(lang, words, sections)
    except ValueError as error:
        message = f'pages cannot be in "{lang}": {error}'
        problems.append(Diagnostic(where, "unknown-language", message, f"built in: {', '.join(BUILT_IN)}"))
        return None
    lacking = [] if nearest(lang) else sorted(language(FALLBACK).words.keys() - words.keys())
    if lacking:
        message = f"{len(lacking)} words of the pages are in English, such as `{lacking[0]}`"
        at = Location(words_file(lang))
        problems.append(Diagnostic(at, "missing-words", message, f"add them in {lang}", "warning"))
    return made


def _own(source: Source, problems: list[Diagnostic]) -> tuple[Mapping[str, Message], Mapping[str, str]]:
    """The words and the names of sections in a file of the collection, without those that are wrong."""
    document = parse_yaml(source.path, source.text)
    if isinstance(document, Diagnostic):
        problems.append(document)
        return {}, {}
    value: Any = document.value
    if not isinstance(value, dict):
        message = "the file must be a mapping: lines of `key: value`"
        problems.append(Diagnostic(document.location(()), "bad-value", message, "write it as {home: {search: ...}}"))
        return {}, {}
    english, suggestions = language(FALLBACK), Suggestions()
    names = value.pop("sections", None) or {}
    sections, mistakes = _sections(document, names, english, suggestions)
    problems += mistakes
    words: dict[str, Message] = {}
    for word, given in flat(value).items():
        problem = _wrong(document, word, given, english, suggestions)
        if problem:
            problems.append(problem)
        else:
            words[word] = given
    return words, sections


def _sections(
    document: YamlDocument, given: object, english: Language, suggestions: Suggestions
) -> tuple[dict[str, str], list[Diagnostic]]:
    """The usual names of sections, and what is wrong with them."""
    found: dict[str, str] = {}
    problems = []
    known = set(english.sections.values())
    for section, names in given.items() if isinstance(given, dict) else [("", given)]:
        where = document.location(("sections", section))
        if section not in known:
            hint = suggestions.did_you_mean(str(section), known)
            problems.append(Diagnostic(where, "unknown-key", f'unknown key "sections.{section}"', hint))
        elif isinstance(names, list) and all(isinstance(name, str) for name in names):
            found |= {name.strip().lower(): section for name in names}
        else:
            hint = "write it as [a, b], or as lines that start with `- `"
            problems.append(Diagnostic(where, "bad-value", f"`sections.{section}` must be a list of names", hint))
    return found, problems


def _wrong(
    document: YamlDocument, word: str, message: object, english: Language, suggestions: Suggestions
) -> Diagnostic | None:
    """What is wrong with a word."""
    path: Path = tuple(word.split("."))
    if word not in english.words:
        hint = suggestions.did_you_mean(word, english.words)
        return Diagnostic(document.location(path, key=True), "unknown-key", f'unknown key "{word}"', hint)
    where, wanted = document.location(path), english.words[word]
    forms: dict[Any, Any] = message if isinstance(message, dict) else {"other": message}
    if any(form not in PLURALS for form in forms) or not all(text and isinstance(text, str) for text in forms.values()):
        hint = f"write a text, or one for each of {', '.join(PLURALS)}"
        return Diagnostic(where, "bad-value", f"`{word}` must be a text", hint)
    if isinstance(message, dict) and "count" not in places(wanted):
        return Diagnostic(where, "bad-value", f"`{word}` counts nothing, so it has no plurals", "write one text")
    if unknown := sorted(places(forms) - places(wanted)):
        known = ", ".join(f"{{{place}}}" for place in sorted(places(wanted))) or "none"
        return Diagnostic(where, "bad-value", f"`{word}` has no place {{{unknown[0]}}}", f"places: {known}")
    return None
