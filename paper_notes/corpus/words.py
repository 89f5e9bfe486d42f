"""The languages of a site and the words of its pages: built in, or the collection's own in `words.<tag>.yaml`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from paper_notes.corpus.model import DEFAULT_LANGUAGES
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
    meant,
    nearest,
    own_language,
    places,
)
from paper_notes.languages.text import Lang
from paper_notes.patterns import regex
from paper_notes.sources.tree import SOURCE_FOLDER, Source
from paper_notes.sources.yaml import Path, YamlDocument, parse_yaml

ABOUT = ("name", "short")
"""Keys under `language`, with which a collection describes a language of its own."""
_WORDS_FILE = regex(r"words\.[^.]+\.yaml", re.IGNORECASE)


def words_file(lang: str) -> PurePosixPath:
    """The path of a collection's own words in a language."""
    return PurePosixPath(SOURCE_FOLDER, f"words.{lang}.yaml")


def read_words(site: YamlDocument, by_path: Mapping[PurePosixPath, Source], problems: list[Diagnostic]) -> Words:
    """The words in the languages that `site.yaml` names, or else in the default ones."""
    value = site.value.get("languages") if isinstance(site.value, dict) else None
    tags = value[:2] if isinstance(value, list) else []  # the schema reports more than two
    suggestions, languages, refused = Suggestions(), dict[Lang, Language](), list[str]()
    for place, tag in enumerate(tags):
        if not isinstance(tag, str) or canonical(tag) in languages:
            continue  # reported by the schema
        where = site.location(("languages", place))
        try:
            known = _language(tag, by_path, where, problems)
        except ValueError as error:
            refused.append(tag)
            usual = canonical(tag.replace("_", "-"))
            if usual in (tag, None):
                usual = Lang(suggestions.closest(tag, BUILT_IN)) or meant(tag, BUILT_IN)
            hint = f'did you mean "{usual}"?' if usual else suggestions.did_you_mean(tag, BUILT_IN)
            message = f'pages cannot be in "{tag}": {error}'
            problems.append(Diagnostic(where, "unknown-language", message, hint))
        else:
            languages[known.tag] = known
    words = Words(tuple(languages.values()) or Words.of(*DEFAULT_LANGUAGES).languages)
    problems += _unused(by_path, {*words.tags, *refused})
    return words


def _unused(by_path: Mapping[PurePosixPath, Source], languages: Iterable[str]) -> Iterator[Diagnostic]:
    """Report files of words in other languages than these."""
    used = {words_file(lang) for lang in languages}
    files = {
        path for path in by_path if _WORDS_FILE.fullmatch(path.name) and path.parent == PurePosixPath(SOURCE_FOLDER)
    }
    for path in sorted(files - used):
        tag = path.name.split(".")[1]
        message = f'"{tag}" is not among the languages of site.yaml, so these words are left out'
        hint = f"rename the file, or add {canonical(tag) or tag} to `languages:` in site.yaml"
        yield Diagnostic(Location(path), "unlisted-language", message, hint, "warning")


def _language(
    tag: str, by_path: Mapping[PurePosixPath, Source], where: Location, problems: list[Diagnostic]
) -> Language:
    """The language of a tag, with the collection's own words; raises ValueError if pages cannot be in it."""
    lang = canonical(tag)
    if lang is None:
        raise ValueError("no language has such a tag")
    source = by_path.get(words_file(lang))
    about, words, sections = _own(source, problems) if source else ({}, {}, {})
    own = own_language(lang, words, sections, about)
    lacking = None if nearest(lang) else next((word for word in language(FALLBACK).words if word not in words), None)
    if lacking:
        message = f"words of the pages in {own.name} are missing, such as `{lacking}`: they are shown in English"
        hint = f"add them to {words_file(lang)}"
        at = Location(source.path) if source else where
        problems.append(Diagnostic(at, "missing-words", message, hint, "warning"))
    return own


Own = tuple[Mapping[str, str], Mapping[str, Message], Mapping[str, str]]


def _own(source: Source, problems: list[Diagnostic]) -> Own:
    """Names of the language, words, and section names in a file of the collection; wrong ones are only reported."""
    document = parse_yaml(source.path, source.text)
    if isinstance(document, Diagnostic):
        problems.append(document)
        return {}, {}, {}
    if not isinstance(document.value, dict):
        message = "the file must be a mapping: lines of `key: value`"
        problems.append(document.finding((), "bad-value", message, "write it as {home: {search: ...}}"))
        return {}, {}, {}
    file = _WordsFile(document, problems)
    value: dict[str, Any] = dict(document.value)
    about, sections = dict[str, str](), dict[str, str]()
    for name, item in file.items("language", value.pop("language", None), ABOUT):
        if _is_text(item):
            about[name] = item
        else:
            file.report(("language", name), f"`language.{name}` must be a text", "write a text")
    for name, item in file.items("sections", value.pop("sections", None), set(file.english.sections.values())):
        if isinstance(item, list) and all(map(_is_text, item)):
            sections |= {heading.strip().lower(): name for heading in item}
        else:
            hint = "write it as [a, b], or as lines that start with `- `"
            file.report(("sections", name), f"`sections.{name}` must be a list of names", hint)
    return about, {word: text for word, text in flat(value).items() if file.is_right(word, text)}, sections


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


class _WordsFile:
    """Reports what is wrong in a file of words."""

    def __init__(self, document: YamlDocument, problems: list[Diagnostic]) -> None:
        self._document, self._problems, self._suggestions = document, problems, Suggestions()
        self.english = language(FALLBACK)

    def report(self, path: Path, message: str, hint: str) -> None:
        self._problems.append(self._document.finding(path, "bad-value", message, hint))

    def _unknown(self, path: Path, name: str, known: Collection[str], wrong: str) -> None:
        hint = self._suggestions.did_you_mean(wrong, known)
        self._problems.append(self._document.finding(path, "unknown-key", f'unknown key "{name}"', hint, key=True))

    def items(self, name: str, value: object, known: Collection[str]) -> Iterator[tuple[str, Any]]:
        """The items of a mapping in the file that have a known key; others are reported."""
        if not isinstance(value, dict | None):
            self.report((name,), f"`{name}` must be a mapping", f"write it as {{{min(known)}: ...}}")
            return
        for key, item in (value or {}).items():
            if key in known:
                yield key, item
            else:
                self._unknown((name, key), f"{name}.{key}", known, key)

    def is_right(self, word: str, message: object) -> bool:
        """Whether a word is one of ours and its text can stand for it; else that is reported."""
        path: Path = (word,) if (word,) in self._document.positions else tuple(word.split("."))
        if inner := next((known for known in self.english.words if known.startswith(f"{word}.")), None):
            self.report(path, f"`{word}` must be a mapping", f"write it as {{{inner.removeprefix(word + '.')}: ...}}")
            return False
        if word not in self.english.words:
            self._unknown(path, word, self.english.words, word)
            return False
        wanted = places(self.english.words[word])
        forms: dict[str, Any] = message if isinstance(message, dict) else {"other": message}
        if "other" not in forms or not all(map(_is_text, forms.values())) or not forms.keys() <= {*PLURALS}:
            hint = f"write a text, or one for each of {', '.join(PLURALS)}" if "count" in wanted else "write a text"
            self.report(path, f"`{word}` must be a text", hint)
        elif isinstance(message, dict) and "count" not in wanted:
            self.report(path, f"`{word}` counts nothing, so it has no plurals", "write one text")
        elif unknown := sorted(places(forms) - wanted):
            known = ", ".join(f"{{{place}}}" for place in sorted(wanted)) or "none"
            self.report(path, f"`{word}` has no place {{{unknown[0]}}}", f"places: {known}")
        else:
            return True
        return False
