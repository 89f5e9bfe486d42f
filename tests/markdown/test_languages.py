"""Notes in other languages than Chinese and English: what depends on the script, and the language of our own words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape

import pytest
from building import NOTE, note, said
from reading_html import read

from paper_notes.corpus.model import GlossaryTerm, Lang, Text, Translated
from paper_notes.diagnostics import Location
from paper_notes.languages.language import Language, Words, language, own_language
from paper_notes.markdown.body import Body
from paper_notes.markdown.render import render_body
from paper_notes.markdown.sections import is_reserved
from paper_notes.markdown.short_texts import plain_text
from paper_notes.markdown.syntax.cjk import count
from paper_notes.markdown.translations import digests
from paper_notes.values import replace

FRENCH = own_language(Lang("fr"), {"component.proof": "Démonstration"}, {"méthode": "method"})
KOREAN = own_language(Lang("ko"), {}, {})
CHINESE, ENGLISH = language(Lang("zh")), language(Lang("en"))
JAPANESE = replace(CHINESE, tag=Lang("ja"), script="Jpan", sections={"手法": "method"}, digest=b"ja")
TRADITIONAL = replace(CHINESE, tag=Lang("zh-Hant"), script="Hant", digest=b"zh-Hant")


def rendered(*texts: tuple[Language, str], terms: tuple[GlossaryTerm, ...] = (), files: Mapping[str, str] = {}) -> Body:
    """The body of a note of a site in the languages of its texts."""
    words = Words(tuple(known for known, _ in texts))
    return render_body(note({known.tag: text for known, text in texts}, {**files}), terms, words)


def lead(known: Language, text: str) -> str:
    return rendered((known, text)).halves[known.tag].lead.strip()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two words", (2, 0)),
        ("don't re-use", (2, 0)),
        ("投机解码。", (0, 5)),
        ("モデルは速い々", (0, 7)),
        ("ﾊﾝｶｸ", (0, 4)),
        ("𛀀𠀀", (0, 2)),
        ("déjà vu, naïveté", (3, 0)),
        ("naïveté", (1, 0)),
        ("наука и жизнь", (3, 0)),
        ("드래프트 모델은 빠르다", (3, 0)),
        ("韓国語は한국어", (1, 4)),
        ("① 2 x² ½ — … μ", (2, 0)),
        ("हिन्दी में", (2, 0)),
    ],
)
def test_words_and_characters_are_counted_by_script(text: str, expected: tuple[int, int]) -> None:
    assert count(text) == expected


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("下書き\nモデル", "下書きモデル"),
        ("速い。\nしかし", "速い。しかし"),
        ("カタカナ\nひらがな", "カタカナひらがな"),
        ("投机\n解码", "投机解码"),
        ("드래프트\n모델", "드래프트 모델"),
        ("추측\n解碼", "추측 解碼"),
        ("速い\nmodel", "速い model"),
    ],
)
def test_a_line_break_between_ideographs_is_no_space(text: str, shown: str) -> None:
    where = Location(NOTE / "note.yaml")
    assert plain_text(f"**{text}**", Lang("en"), where, lambda slot: "") == shown
    assert lead(KOREAN, text).replace("\n", " ") == f"<p>{shown}</p>"


def test_emphasis_needs_no_spaces_in_kana_and_hangul() -> None:
    assert lead(JAPANESE, "これは**重要（とても）**です。") == "<p>これは<strong>重要（とても）</strong>です。</p>"
    assert lead(KOREAN, "이것은 **중요(매우)**입니다.") == "<p>이것은 <strong>중요(매우)</strong>입니다.</p>"


@pytest.mark.parametrize(
    ("one", "two", "named"),
    [
        ((FRENCH, "Idée"), (ENGLISH, "Idea"), "idée"),
        ((ENGLISH, "Idea"), (FRENCH, "Idée"), "idea"),
        ((JAPANESE, "発想"), (ENGLISH, "Idea"), "idea"),
        ((CHINESE, "想法"), (ENGLISH, "Idea"), "idea"),
        ((ENGLISH, "Idea"), (CHINESE, "想法"), "idea"),
        ((JAPANESE, "発想"), (CHINESE, "想法"), "発想"),
        ((TRADITIONAL, "想法"), (KOREAN, "생각"), "想法"),
    ],
)
def test_an_id_that_nobody_gave_is_in_latin_script_if_one_heading_is(
    one: tuple[Language, str], two: tuple[Language, str], named: str
) -> None:
    body = rendered(*((known, f"## {heading}\n\nx") for known, heading in (one, two)))
    assert [(section.id, tuple(section.halves)) for section in body.sections] == [(named, (one[0].tag, two[0].tag))]


def test_usual_sections_are_named_in_the_languages_of_the_site_and_in_english() -> None:
    body = rendered((JAPANESE, "## 手法：概要\n\na\n\n## Motivation\n\na\n"), (FRENCH, "## Méthode\n\na"))
    assert [(section.id, *section.halves) for section in body.sections] == [
        ("method", "ja", "fr"),
        ("motivation", "ja"),
    ]
    assert [section.id for section in rendered((FRENCH, "## 方法")).sections] == ["方法"], "which is Chinese"


def test_messages_name_the_files_of_the_languages_at_hand() -> None:
    body = rendered((JAPANESE, "## 一 {#a}\n\nx\n\n## 二 {#b}\n\nx"), (FRENCH, "## Un {#a}\n\nx"))
    assert said(body.diagnostics).replace(f"{NOTE}/", "") == (
        'ja.md:5:1: warning[section-mismatch]: the section "二" has no counterpart in fr.md\n'
        "  hint: write it there too, or give both the same id: ## Title {#my-id}\n"
    )


def test_ids_of_drawings_are_reserved_in_the_languages_of_the_site() -> None:
    languages = (Lang("zh-Hant"), Lang("fr"))
    assert [
        name for name in ("zh-Hant-1a", "fr-2", "en-1", "gpt-4", "fr-x", "pn-a") if is_reserved(name, languages)
    ] == [
        "zh-Hant-1a",
        "fr-2",
        "pn-a",
    ]
    assert [section.id for section in rendered((FRENCH, "## FR-1 et GPT-4")).sections] == ["s-fr-1-et-gpt-4"]
    assert [section.id for section in rendered((FRENCH, "## GPT-4")).sections] == ["gpt-4"]


def test_words_come_from_the_language_of_the_text_and_are_text() -> None:
    body = rendered((FRENCH, ":::proof\nx\n:::\n"), (ENGLISH, ":::proof\nx\n:::\n"))
    labels = [re.findall('thm-label">(.*?)<', half.lead) for half in body.halves.values()]
    assert labels == [["Démonstration"], ["Proof"]]
    hostile = own_language(Lang("fr"), dict.fromkeys(ENGLISH.words, '"><script>'), {})
    shown = lead(hostile, ":::proof\nx\n:::\n\n- [ ] a\n\n| a |\n|---|\n| ✓ |\n")
    assert read(shown).wrong == []
    assert "<script" not in shown
    assert unescape(shown).count('"><script>') == 4


def linked(body: Body) -> list[list[str]]:
    return [re.findall('class="gl"[^>]*>(.*?)<', half.lead) for half in body.halves.values()]


def terms(name: Mapping[str, str], *aliases: str, avoid: tuple[str, ...] = ()) -> tuple[GlossaryTerm, ...]:
    return (GlossaryTerm("term-a", Text.of(name), aliases, avoid, None, Location(NOTE / "glossary.yaml")),)


def test_a_term_is_found_by_its_names_in_the_language_of_the_text() -> None:
    found = terms({"en": "draft model", "fr": "modèle brouillon"}, "drafter")
    both = "modèle brouillon, draft model"
    assert linked(rendered((ENGLISH, both), (FRENCH, both), terms=found)) == [["draft model"], ["modèle brouillon"]]
    assert linked(rendered((ENGLISH, "drafter"), (FRENCH, "drafters"), terms=found)) == [["drafter"], ["drafters"]]
    named = terms({"ja": "下書きモデル", "en": "draft model"})
    assert linked(rendered((JAPANESE, "draft modelを使う"), (ENGLISH, "下書きモデル"), terms=named)) == [
        ["draft model"],
        [],
    ]
    loan = terms({"ja": "EAGLE", "en": "feature drafting"})
    assert linked(rendered((ENGLISH, "EAGLE"), terms=loan)) == [["EAGLE"]], (
        "as Chinese names in Latin letters always were"
    )


def test_terms_with_accents_are_whole_words() -> None:
    found = terms({"fr": "élan vital"}, "ход")
    assert linked(rendered((FRENCH, "un élan vital, doux"), terms=found)) == [["élan vital"]]
    assert linked(rendered((FRENCH, "prélan vital, élan vitalé, походка"), terms=found)) == [[]]
    assert linked(rendered((FRENCH, "élan-vital"), terms=found)) == [["élan-vital"]]


def test_terms_in_korean_keep_their_spaces_and_take_endings() -> None:
    found = terms({"ko": "드래프트 모델"}, "KV 캐시")
    assert linked(rendered((KOREAN, "드래프트 모델은 KV 캐시를"), terms=found)) == [["드래프트 모델"]]
    assert linked(rendered((KOREAN, "이 KV 캐시를"), terms=found)) == [["KV 캐시"]]


def test_a_space_beside_kana_may_be_there_or_not() -> None:
    found = terms({"ja": "KV キャッシュ", "en": "KV cache"})
    assert linked(rendered((JAPANESE, "このKVキャッシュは"), terms=found)) == [["KVキャッシュ"]]


def test_a_word_to_avoid_is_named_in_the_language_of_the_text() -> None:
    found = terms({"en": "draft model", "fr": "modèle brouillon"}, avoid=("petit modèle",))
    problems = rendered((ENGLISH, "x"), (FRENCH, "un petit modèle"), terms=found).diagnostics
    assert [problem.hint for problem in problems] == ['write "modèle brouillon", as glossary.yaml wants it']


FIGURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text systemLanguage="zh">a</text>'
    '<text systemLanguage="zh-Hans">b</text><text systemLanguage="zh-Hant">c</text>'
    '<text systemLanguage="en-US, fr">d</text><text systemLanguage="">e</text></svg>'
)


@pytest.mark.parametrize(("known", "letters"), [(CHINESE, "abc"), (TRADITIONAL, "ac"), (ENGLISH, "d"), (FRENCH, "d")])
def test_a_drawing_shows_what_is_in_the_language_or_a_variant_of_it(known: Language, letters: str) -> None:
    html = rendered((known, "![x](a.svg)"), files={"a.svg": FIGURE}).halves[known.tag].lead
    assert "".join(re.findall("<text>(.)", html)) == letters


def test_a_record_of_a_translation_is_of_two_languages() -> None:
    texts = {Lang("fr"): "## Un {#a}\n\nun", Lang("en"): "## One {#a}\n\none"}
    words = Words((FRENCH, ENGLISH))
    before = digests(render_body(note(texts), words=words))["a"]
    for record, expected in (
        ({"fr": before[Lang("fr")], "en": "0" * 10}, ["the French of section"]),
        ({"zh": "0" * 10, "en": before[Lang("en")]}, []),
    ):
        given = {"a": Translated({Lang(lang): value for lang, value in record.items()}, Location(NOTE / "note.yaml"))}
        body = render_body(replace(note(texts), translated=given), words=words)
        assert [problem.message[:21] for problem in body.diagnostics] == expected
        assert all("earlier English text" in problem.message for problem in body.diagnostics)
