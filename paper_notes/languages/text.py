"""A text in one or more languages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NewType

from paper_notes.values import Struct

Lang = NewType("Lang", str)
"""A language as a BCP 47 tag in its usual case: `zh`, `zh-Hant`, `en`, `pt-BR`."""


class Text(Struct, frozen=True):
    """One text in one or more languages; asking for a missing one gives the first. Views have `Markup` for HTML."""

    parts: tuple[tuple[Lang, str], ...] = ()
    """Pairs of language and text, the site's first language first."""

    @classmethod
    def of(cls, texts: Mapping[str, str | None] | None = None, /, **more: str | None) -> Text:
        """A text from strings by tag, without those that are None: `Text.of(zh="零", en="zero")`."""
        pairs = (*(texts or {}).items(), *more.items())
        return cls(tuple((Lang(lang), text) for lang, text in pairs if text is not None))

    def __getitem__(self, lang: Lang) -> str:
        for own, text in self.parts:
            if own == lang:
                return text
        return self.parts[0][1] if self.parts else ""

    def __bool__(self) -> bool:
        return any(text for _, text in self.parts)

    @property
    def languages(self) -> tuple[Lang, ...]:
        return tuple(lang for lang, _ in self.parts)

    @property
    def same(self) -> bool:
        """True if it is equal in all languages, so that it is shown once."""
        return len({text for _, text in self.parts}) < 2

    def has(self, lang: Lang) -> bool:
        """True if the text exists in exactly this language."""
        return lang in self.languages

    def map(self, function: Callable[[str], str]) -> Text:
        """The text with `function` applied to each part."""
        return Text(tuple((lang, function(text)) for lang, text in self.parts))

    def joined(self, languages: Iterable[Lang]) -> str:
        """The text in all these languages in one line, for places where they cannot be switched."""
        return " · ".join(dict.fromkeys(self[lang] for lang in languages))


def in_each(languages: Iterable[Lang], function: Callable[[Lang], str]) -> Text:
    """The text that `function` gives for each language."""
    return Text(tuple((lang, function(lang)) for lang in languages))
