"""The built-in catalogues: complete, alike, and without a word that nothing shows."""

from __future__ import annotations

import re
from functools import cache

import pytest
from running import PROJECT

from paper_notes.languages.language import BUILT_IN, FALLBACK, PLURALS, Message, language, places
from paper_notes.languages.text import Lang

ENGLISH = language(FALLBACK)
EACH = pytest.mark.parametrize("tag", BUILT_IN)
SIMPLIFIED_ONLY = "们这说语读认译论诗请该样边过还进选对并从页码题结续发开关门问间项须预颜书录图显图"
TRADITIONAL_ONLY = "這說語讀認譯論請該樣邊過還進選對從頁碼題結續發開關門問間項須預顏書錄圖顯"


def forms(message: Message) -> tuple[str, ...]:
    return (message,) if isinstance(message, str) else tuple(message.values())


@cache
def program() -> str:
    """All that could name a word: modules, templates and scripts."""
    kinds = (("paper_notes", "*.py"), ("templates", "*.html"), ("assets", "*.js"), ("assets", "*.css"))
    return "\n".join(
        path.read_text("utf-8") for folder, kind in kinds for path in sorted((PROJECT / folder).rglob(kind))
    )


@EACH
def test_a_catalogue_has_the_words_of_english(tag: Lang) -> None:
    words = language(tag).words
    assert [word for word in ENGLISH.words if word not in words] == [], "missing"
    assert [word for word in words if word not in ENGLISH.words] == [], "unknown"


@EACH
def test_a_word_has_the_places_of_english(tag: Lang) -> None:
    """Places of English are those that a collection's own words may use. Some words say `both` for the languages."""
    differ = {
        word
        for word, message in language(tag).words.items()
        if (places(message) ^ places(ENGLISH.words[word])) - {"languages"}
    }
    assert differ == set()


@EACH
def test_no_word_is_empty_or_has_a_space_too_many(tag: Lang) -> None:
    for word, message in language(tag).words.items():
        for form in forms(message):
            assert form.strip(), word
            assert form == form.strip() or word == "label.comma" or form.count("\n") > 1, word
            assert "  " not in form.replace("\n    ", "\n") or form.count("\n") > 1, word


@EACH
def test_plurals_count_and_have_what_the_language_needs(tag: Lang) -> None:
    for word, message in language(tag).words.items():
        if not isinstance(message, str):
            assert set(message) == {"one", "other"}, word
            assert "count" in places(message), word
            assert not language(tag).ideographic, word


def test_no_id_could_be_taken_for_plurals() -> None:
    parts = {part for word in ENGLISH.words for part in word.split(".")}
    assert parts.isdisjoint(PLURALS)
    assert all(re.fullmatch(r"[A-Za-z][\w-]*", part) for part in parts)


@EACH
def test_usual_names_of_sections_are_in_lower_case_and_have_the_ids_of_english(tag: Lang) -> None:
    sections = language(tag).sections
    assert set(sections.values()) == set(ENGLISH.sections.values())
    assert all(name == name.strip().lower() and not re.search("[:：]", name) for name in sections)


def test_every_word_is_shown_somewhere() -> None:
    """The program has its id, or the beginning of it where the rest is computed: `f"kind.{kind}"`."""
    quoted = set(re.findall(r"[\"'`]([\w.-]+)(?=[\"'`])", program()))
    computed = set(re.findall(r"([\w.-]+[.-])(?=[{\"'])", program()))

    def is_used(word: str) -> bool:
        heads = [word[: sign.end()] for sign in re.finditer("[.-]", word)]
        prefixes = [head[:-1] for head in heads if "." in head[:-1]]
        return word in quoted or not computed.isdisjoint(heads) or not quoted.isdisjoint(prefixes)

    assert [word for word in ENGLISH.words if not is_used(word)] == []


def test_chinese_characters_are_those_of_the_language() -> None:
    """A converted catalogue, or a word that was copied, has some of the other ones."""
    texts = {
        tag: "".join(form for message in language(Lang(tag)).words.values() for form in forms(message))
        for tag in ("zh", "zh-Hant", "ja")
    }
    assert not set(texts["zh"]) & set(TRADITIONAL_ONLY)
    assert not set(texts["zh-Hant"]) & set(SIMPLIFIED_ONLY)
    assert not set(texts["ja"]) & set("们这说译样边过还选对并从页题结续发项须颜录显這讀譯樣邊過還對從發關")


@EACH
def test_another_language_is_not_left_in_english(tag: Lang) -> None:
    """Whoever adds words copies those of English first."""
    if tag == FALLBACK:
        return
    left = {
        word
        for word, message in language(tag).words.items()
        if message == ENGLISH.words[word] and re.search(r"[A-Za-z]{3}", re.sub(r"\{\w+\}", "", str(message)))
    }
    assert left == set()
