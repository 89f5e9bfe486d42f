"""Languages of pages: their script and names, and the words of the pages in them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from paper_notes.languages.text import Lang, Text
from paper_notes.macros import MacroItems
from paper_notes.patterns import regex
from paper_notes.values import Struct

if TYPE_CHECKING:
    from babel.core import Locale

BUILT_IN = tuple(map(Lang, ("zh", "zh-Hant", "en", "ja")))
"""Languages with words in this program."""
FALLBACK = Lang("en")
"""The language of words that a collection's own language lacks."""
_TAG = regex(r"[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?", re.IGNORECASE)
_TRADITIONAL = frozenset({"zh-TW", "zh-HK", "zh-MO"})
_ENGLISH = frozenset({"us", "uk", "gb", "au"})
"""Countries that the tables of languages take for granted."""
_PLACE = regex(r"\{(\w+)\}")
PLURALS = ("zero", "one", "two", "few", "many", "other")
"""The plural categories of Unicode CLDR. Each word that has any has `other`."""

Message = str | Mapping[str, str]
"""A word with `{places}` for values, or one such text for each plural category of its `{count}`."""


def canonical(tag: str) -> Lang | None:
    """A tag in its usual case: `zh-Hant` for `zh-hant`. None if it is not language[-script][-region]."""
    if not _TAG.fullmatch(tag):
        return None
    first, *others = tag.split("-")
    return Lang("-".join([first.lower(), *(part.title() if len(part) == 4 else part.upper() for part in others)]))


def nearest(lang: Lang) -> Lang | None:
    """The built-in language whose words fit a tag: `en` for `en-GB` (lookup of RFC 4647); None without one."""
    if lang in _TRADITIONAL:
        return Lang("zh-Hant")
    tag: str = lang
    while tag and tag not in BUILT_IN:
        tag = tag.rpartition("-")[0]
    return Lang(tag) if tag else None


def meant(name: str, known: Collection[Lang]) -> Lang | None:
    """Which of the known languages another kind of name stands for: `cn`, `ZH`, `zh-CN`, `eng`, `English`, `note_en`.

    None if nobody knows.
    """
    for part in (name, *re.split(r"[^\w]+|_", name)):
        for tag in _tags(part):
            for lang in known:
                if tag.split("-")[0] == lang.split("-")[0] and nearest(tag) == nearest(lang):
                    return lang
        for lang in known:
            if part.casefold() in _names(lang):
                return lang
    return None


def _tags(code: str) -> tuple[Lang, ...]:
    """The languages that a code stands for: as a tag, as one of three letters, as that of a country."""
    from babel.core import get_global  # slow to import, as its data are; the built-in languages need none

    first, *others = code.replace("_", "-").split("-")
    usual = get_global("language_aliases").get(first.lower(), first)
    country = "en" if code.lower() in _ENGLISH else get_global("likely_subtags").get(f"und_{code.upper()}") or ""
    spoken, *script = country.split("_")[:2]
    tags = map(canonical, ("-".join([usual, *others]), "-".join([spoken, *script]), spoken))
    return tuple(tag for tag in tags if tag)


def _names(lang: Lang) -> frozenset[str]:
    """What people call a language, in English and in the language."""
    names = english_name(lang), _locale(lang).get_display_name() or lang
    return frozenset(form for name in names for form in (name.casefold(), name.casefold().partition(" (")[0]))


def is_language(tag: str) -> bool:
    """True if it is the tag of a language that is known, in its usual case."""
    try:
        return canonical(tag) == tag and bool(_locale(Lang(tag)))
    except ValueError:
        return False


class Language(Struct, frozen=True, eq=False):
    """A language for pages, from `language` or `own_language`. Languages with equal content are equal."""

    tag: Lang
    html: str
    """Its tag in HTML, feeds and JSON-LD: `zh-CN` for `zh`."""
    script: str
    """ISO 15924: `Hans`, `Hant`, `Jpan`, `Latn` ..."""
    name: str
    """Its name in itself: `中文`."""
    short: str
    """The short name on the language switch."""
    words: Mapping[str, Message]
    """The words by id, such as `home.search`."""
    sections: Mapping[str, str]
    """Ids of sections by their usual names in lower case."""
    digest: bytes
    """SHA-256 of all other fields."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Language) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def ideographic(self) -> bool:
        """True if it is written without spaces between words: Chinese and Japanese."""
        return self.script in ("Hans", "Hant", "Hani", "Jpan")

    def __call__(self, word: str, /, **values: object) -> str:
        """The word of this id with its places filled: whole numbers get thousands separators.

        The result is HTML if one of the values is. A Text gives its part in this language. Raises KeyError for an
        unknown word, or a place without a value.
        """
        message = self.words[word]
        if not isinstance(message, str):
            message = message[self._plural(message, values["count"])]
        if not values:
            return message
        shown = {name: self._shown(value) for name, value in values.items()}
        if any(hasattr(value, "__html__") for value in shown.values()):
            return Markup(_PLACE.sub(lambda place: str(escape(shown[place[1]])), str(escape(message))))
        return _PLACE.sub(lambda place: shown[place[1]], message)

    def _shown(self, value: object) -> str:
        if isinstance(value, Text):
            return value[self.tag]
        return f"{value:,}" if isinstance(value, int) else value if isinstance(value, str) else str(value)

    def _plural(self, forms: Mapping[str, str], count: object) -> str:
        assert isinstance(count, int), "what a word counts"
        english = nearest(self.tag) == FALLBACK  # needs no tables
        form = ("one" if count == 1 else "other") if english else _cldr_plural(self.tag, count)
        return form if form in forms else "other"


@lru_cache(maxsize=4096)
def _cldr_plural(tag: Lang, count: int) -> str:
    return str(_locale(tag).plural_form(count))


@cache
def language(lang: Lang) -> Language:
    """A built-in language, or a variant of one, such as `en-GB`. Raises KeyError for others."""
    base = nearest(lang)
    if base is None:
        raise KeyError(lang)
    if lang != base:
        own = language(base)
        return _language(lang, lang, own.script, own.name, own.short, own.words, own.sections)
    from paper_notes.sources.yaml import packaged_yaml  # slow to import, and `--help` needs no words

    data = packaged_yaml(__package__, f"{base}.yaml")
    about = data.pop("language")
    sections = {name: section for section, names in data.pop("sections").items() for name in names}
    return _language(lang, about["html"], about["script"], about["name"], about["short"], flat(data), sections)


def own_language(
    lang: Lang, words: Mapping[str, Message], sections: Mapping[str, str], about: Mapping[str, str] | None = None
) -> Language:
    """A language with a collection's own words. Missing ones are built in, or in English.

    `about` may have its `name`, and its `short` name. Raises ValueError if the language is unknown, or is written from
    right to left.
    """
    about, base = about or {}, nearest(lang)
    if lang not in BUILT_IN:
        locale = _locale(lang)
    if base:
        own = language(lang)
        if not (words or sections or about):
            return own
        name, short = about.get("name", own.name), about.get("short", own.short)
        return _language(lang, own.html, own.script, name, short, {**own.words, **words}, {**own.sections, **sections})
    from babel.core import get_global

    if locale.text_direction != "ltr":
        raise ValueError("it is written from right to left")
    likely = get_global("likely_subtags").get(locale.language, "").split("_")
    script = locale.script or (likely[1] if len(likely) > 1 else "Latn")
    name = about.get("name") or locale.get_display_name(locale) or lang
    english = language(FALLBACK)
    return _language(lang, lang, script, name, about.get("short", name), {**english.words, **words}, sections)


def _locale(lang: Lang) -> Locale:
    """What Unicode CLDR knows of a language. Raises ValueError if that is nothing."""
    from babel.core import Locale, UnknownLocaleError

    try:
        return Locale.parse(lang, sep="-")
    except UnknownLocaleError as error:
        raise ValueError("no such language is known") from error


def english_name(lang: Lang) -> str:
    """The English name of a language, for messages: `Chinese`."""
    return _locale(lang).get_display_name("en") or lang


def flat(data: Mapping[str, Any]) -> dict[str, Message]:
    """Nested words by their ids: `home: {search: ...}` is `home.search`. A mapping of plural categories is one word."""
    words: dict[str, Message] = {}
    for name, value in data.items():
        if isinstance(value, dict) and "other" not in value and not (value and value.keys() <= set(PLURALS)):
            words |= {f"{name}.{rest}": message for rest, message in flat(value).items()}
        else:
            words[name] = value
    return words


def places(message: Message) -> frozenset[str]:
    """The names of the places of a word."""
    forms = (message,) if isinstance(message, str) else message.values()
    return frozenset(name for form in forms for name in _PLACE.findall(form))


def _language(
    tag: Lang, html: str, script: str, name: str, short: str, words: Mapping[str, Message], sections: Mapping[str, str]
) -> Language:
    content = repr((tag, html, script, name, short, sorted(words.items()), sorted(sections.items())))
    return Language(tag, html, script, name, short, words, sections, hashlib.sha256(content.encode()).digest())


class Words(Struct, frozen=True):
    """The words of a site's pages, in each of its languages."""

    languages: tuple[Language, ...] = ()
    """The first is the default. Indexing also gives other built-in languages."""
    macros: MacroItems = ()
    """Macros of TeX that hold in all texts of the site."""

    @classmethod
    def of(cls, *tags: str) -> Words:
        """The words of built-in languages."""
        return cls(tuple(language(Lang(tag)) for tag in tags))

    @property
    def tags(self) -> tuple[Lang, ...]:
        return tuple(language.tag for language in self.languages)

    @property
    def html(self) -> Mapping[Lang, str]:
        """The tag of each language in HTML."""
        return {language.tag: language.html for language in self.languages}

    def __getitem__(self, lang: Lang) -> Language:
        return next((known for known in self.languages if known.tag == lang), None) or language(lang)

    def __call__(self, word: str, /, **values: object) -> Text:
        """The word of this id in each language; see `Language`."""
        return Text(tuple((language.tag, language(word, **values)) for language in self.languages))

    def alike(self, text: str) -> Text:
        """A text that is the same in each language, such as `arXiv`."""
        return Text(tuple((language.tag, text) for language in self.languages))


BUILT_IN_WORDS = Words()
"""Words for texts without a site."""
