"""Sentences of the terminal in another language than English, the one in which the program writes them.

A catalogue `terminal/<tag>.yaml` maps each English sentence to its translation. `{}` is a place for a value, `{#}` one
for a number: the translation has as many `{}`, or numbered places, `{0}` and `{1}`, where the order differs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from paper_notes.languages.text import Lang
from paper_notes.patterns import regex
from paper_notes.values import Struct

ENGLISH = Lang("en")
TRANSLATED = (Lang("zh"),)
"""Languages with a catalogue."""
_PLACES = regex(r"\{(\d*)\}")
_GAPS = regex(r"(\{#?\})")
_JOINS = regex(r"(?:[^\w]|\bor\b|\band\b)*")
_QUOTES = (('"', '"'), ("`", "`"))
"""Values between them are the user's own words, and stay as they are."""
_DEEPEST = 6
"""Sentences inside of sentences at most."""


class _Sentence(Struct, frozen=True):
    """An English sentence with places, and its translation."""

    parts: tuple[str, ...]
    """The text around the places: one more than there are places."""
    numbers: tuple[bool, ...]
    """Of each place, whether only a number fits."""
    translation: str

    @classmethod
    def of(cls, english: str, translation: str) -> _Sentence:
        """Places side by side are one: where the first value ends cannot be seen."""
        while "{}{}" in english:
            english, translation = english.replace("{}{}", "{}", 1), translation.replace("{}{}", "{}", 1)
        texts = _GAPS.split(english)
        return cls(tuple(texts[::2]), tuple(place == "{#}" for place in texts[1::2]), translation)

    @property
    def weight(self) -> int:
        """The number of characters outside of the places: of several sentences that fit, the one with most is meant."""
        return sum(map(len, self.parts)) if self.has_words else 0

    @property
    def has_words(self) -> bool:
        """False if it only joins values, as `{}; {}` and `{} or {}` do: these come last, in their own order."""
        return not all(_JOINS.fullmatch(part) for part in self.parts)

    def values(self, text: str) -> list[str] | None:
        """What stands in the places of this text; None if it is another sentence."""
        first, *others = self.parts
        if not (text.startswith(first) and text.endswith(others[-1]) and all(part in text for part in others)):
            return None
        pattern = re.escape(first)
        for number, part in enumerate(others):
            # at the end, right behind a word, is a place for what may follow
            may_be_empty = others[number:] == [""] and self.parts[number][-1:].strip(" :") != ""
            pattern += r"([\d,]+)" if self.numbers[number] else "(.*)" if may_be_empty else "(.+?)"
            pattern += re.escape(part)
        match = re.fullmatch(pattern, text, re.DOTALL)
        return list(match.groups()) if match else None

    def is_quoted(self, number: int) -> bool:
        """Whether the value of this number is between quotes."""
        before, after = self.parts[number], self.parts[number + 1]
        return any(before.endswith(opening) and after.startswith(closing) for opening, closing in _QUOTES)


class Sentences:
    """Translates what the program says. Sentences without a translation stay in English."""

    def __init__(self, catalogue: Mapping[str, str]) -> None:
        self._whole = {english: other for english, other in catalogue.items() if not _GAPS.search(english)}
        with_places = dict(catalogue)
        for english, other in catalogue.items():  # fragments that follow a sentence, or are followed by a value
            if english.startswith((" ", ",", ": ", "; ")):
                with_places["{}" + english] = f"{{}}{other}" if "{0}" not in other else f"{{0}}{_shifted(other)}"
            elif english.startswith(("is ", "has ", "holds ", "begins ")):  # what is wrong with a thing that is named
                with_places["{} " + english] = f"{{}} {other}" if "{0}" not in other else f"{{0}} {_shifted(other)}"
            elif english.endswith((": ", " ")):
                with_places[english + "{}"] = other + "{}"
        sentences = (_Sentence.of(english, other) for english, other in with_places.items() if _GAPS.search(english))
        by_weight = sorted(sentences, key=lambda sentence: -sentence.weight)
        self._with_places = tuple((sentence.parts[0], sentence.parts[-1], sentence) for sentence in by_weight)
        """With how each begins and ends, which nearly all texts do otherwise: there are more than a thousand."""

    def __call__(self, text: str, deep: int = 0) -> str:
        """The text in the language of the catalogue. Values in it that are sentences, or words of ours, are too."""
        if (whole := self._whole.get(text)) is not None or deep > _DEEPEST:
            return text if whole is None else whole
        for begins, ends, sentence in self._with_places:
            if not (text.startswith(begins) and text.endswith(ends)) or (values := sentence.values(text)) is None:
                continue
            shown = [
                value if sentence.is_quoted(number) else self(value, deep + 1) for number, value in enumerate(values)
            ]
            if sentence.has_words or shown != values:
                return filled(sentence.translation, shown)
        return text


def _shifted(translation: str) -> str:
    """The translation with each of its numbers one higher."""
    return _PLACES.sub(lambda place: f"{{{int(place[1]) + 1}}}", translation)


def filled(translation: str, values: Iterable[str]) -> str:
    """A translation with values in its places, numbered or not."""
    values = tuple(values)
    unnumbered = iter(values)
    return _PLACES.sub(lambda place: values[int(place[1])] if place[1] else next(unnumbered), translation)


@cache
def sentences(lang: Lang) -> Sentences:
    """The catalogue of a language of `TRANSLATED`."""
    return Sentences(catalogue(lang))


@lru_cache(maxsize=1024)
def translated(text: str, lang: Lang) -> str:
    """One of our sentences in a language; in English if that has no catalogue."""
    return sentences(lang)(text) if lang in TRANSLATED else text


def catalogue(lang: Lang) -> Mapping[str, str]:
    """English sentences and their translations, from all sections of the language's file."""
    return {english: other for pairs in sections(lang).values() for english, other in pairs.items()}


def sections(lang: Lang) -> Mapping[str, Mapping[str, str]]:
    """The sections of a language's file: modules with what they say, `click`, and `joined`, which join others."""
    from paper_notes.sources.yaml import packaged_yaml  # slow to import, and most terminals speak English

    by_module: dict[str, dict[str, str]] = packaged_yaml(__package__, f"terminal/{lang}.yaml")
    return by_module


def terminal_language(environment: Mapping[str, str]) -> Lang:
    """The language that the user's environment asks for, as gettext reads it; English where we do not speak it.

    `LC_ALL`, `LC_MESSAGES` and `LANG` name a locale, the first that is set counts; unless it is `C`, the list of
    languages in `LANGUAGE` goes first.
    """
    spoken = (re.split(r"[_-]", name)[0].lower() for name in system_languages(environment))
    return next((Lang(tag) for tag in spoken if tag in (ENGLISH, *TRANSLATED)), ENGLISH)


def system_languages(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Names of languages that the user's environment asks for, such as `zh_TW`, the best first; see above."""
    locale = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if locale.partition(".")[0] in ("", "C", "POSIX"):
        return ()
    names = (*environment.get("LANGUAGE", "").split(":"), locale)
    return tuple(re.split(r"[.@]", name)[0] for name in names if name)
