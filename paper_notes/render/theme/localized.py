"""Puts the words and languages of a site into scripts and style sheets.

Scripts refer to words as `words('ui.script.copied')` and to languages as `languages('html')`; style sheets refer to
the site's languages as `@first` and `@second`, and to kinds of languages as `:lang(@cjk)` and `:lang(@spaced)`.
"""

from __future__ import annotations

import re

from paper_notes.corpus.model import Text
from paper_notes.languages.language import Language, Message, Words
from paper_notes.patterns import regex
from paper_notes.render.labels import language_name, language_names

_WORDS = regex(r"\bwords\((['\"])([\w.-]+)\1(?:, *(\d))?\)")
_LANGUAGES = regex(r"\blanguages\((['\"])(tag|html|name|ideographic)\1\)")
_PLACE = regex(r"\{(\w+)\}")
_OF_A_KIND = regex(r"(:lang\(|\[lang\|?=)@(cjk|spaced)\b([)\]])")
_HTML = regex(r"(?<=\[lang=)@(first|second)\b")
_TAG = regex(r"@(first|second)\b")


def script(source: str, words: Words) -> str:
    """A script with its words and languages: in each language of the site, separated by commas.

    A placeholder in a word is a variable of the script, except `{languages}` (those of the site) and `{language}` (the
    one whose number, from 0, follows the id). Raises ValueError if a word does not exist.
    """

    def in_words(match: re.Match[str]) -> str:
        of = words.tags[min(int(match[3] or 0), len(words.tags) - 1)]
        values = {"languages": language_names(words), "language": language_name(of, words)}
        return ",".join(_expression(language, match[2], values) for language in words.languages)

    def in_tags(match: re.Match[str]) -> str:
        values = (getattr(language, match[2]) for language in words.languages)
        return ",".join(_literal(value) if isinstance(value, str) else str(int(value)) for value in values)

    return _LANGUAGES.sub(in_tags, _WORDS.sub(in_words, source))


def _expression(language: Language, word: str, values: dict[str, Text]) -> str:
    message: Message | None = language.words.get(word)
    if message is None:
        raise ValueError(f'a script names the word "{word}", which does not exist')
    forms = {"other": message} if isinstance(message, str) else message
    expressions = {
        form: _literal(_PLACE.sub(lambda at: values[at[1]][language.tag] if at[1] in values else at[0], text))
        for form, text in forms.items()
    }
    return f"(count==1?{expressions['one']}:{expressions['other']})" if "one" in expressions else expressions["other"]


def _literal(text: str) -> str:
    """A JavaScript literal for a text; `{n}` is replaced by the variable `n`."""
    text = text.replace("\\", "\\\\").replace("<", "\\x3c").replace("\n", "\\n")
    if not _PLACE.search(text):
        return "'" + text.replace("'", "\\'") + "'"
    return "`" + _PLACE.sub(r"${\1}", text.replace("`", "\\`").replace("${", "\\${")) + "`"


def style(source: str, words: Words) -> str:
    """A style sheet for the languages of a site. Rules for languages that it lacks are left out."""
    by_position = dict(zip(("first", "second"), words.languages, strict=False))
    kinds = {
        "cjk": [language.tag for language in words.languages if language.ideographic],
        "spaced": [language.tag for language in words.languages if not language.ideographic],
    }
    for name in ("first", "second", *kinds):
        if not (name in by_position or kinds.get(name)):
            source = re.sub(rf"[^{{}};]*@{name}\b[^{{}}]*\{{[^{{}}]*\}}", "", source)

    def any_of(match: re.Match[str]) -> str:
        selectors = [f"{match[1]}{tag}{match[3]}" for tag in kinds[match[2]]]
        return selectors[0] if len(selectors) == 1 else f":is({','.join(selectors)})"

    source = _OF_A_KIND.sub(any_of, source)
    source = _HTML.sub(lambda match: by_position[match[1]].html, source)
    return _TAG.sub(lambda match: by_position[match[1]].tag, source)


def fonts(sheets: dict[str, str], words: Words) -> str:
    """The style sheets for fonts of the site's scripts, out of `sheets` by name of the script.

    The first one is for whole pages, and is that of simplified Chinese if there is none; `:root` rules of another one
    are limited to its language.
    """
    known = [language for language in words.languages if language.script in sheets]
    first = known[0].script if known else "Hans"
    sheets_of_languages = [sheets.get(first, "")]
    for language in known:
        if language.script != first:
            rules = "".join(re.findall(r":root\{[^}]*\}", sheets[language.script]))
            sheets_of_languages.append(rules.replace(":root", f":lang({language.html})"))
    return "".join(sheets_of_languages)
