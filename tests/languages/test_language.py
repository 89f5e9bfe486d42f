"""Languages: their tags, their words, and those that a collection brings along."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from paper_notes.languages.language import (
    BUILT_IN,
    Language,
    Words,
    canonical,
    english_name,
    flat,
    is_language,
    language,
    meant,
    nearest,
    own_language,
    places,
)
from paper_notes.languages.text import Lang, Text
from paper_notes.values import replace

EN, JA, FR, PL = Lang("en"), Lang("ja"), Lang("fr"), Lang("pl")
WORDS = {
    "hello": "Hello",
    "found": "{n} of {total}",
    "by": "by {who}",
    "less": "{who} < all",
    "notes": {"one": "{count} note", "other": "{count} notes"},
}
SAYS = replace(language(EN), words=WORDS)


@pytest.mark.parametrize(
    ("tag", "usual"),
    [
        ("zh", "zh"),
        ("ZH-hant", "zh-Hant"),
        ("zh-hant-tw", "zh-Hant-TW"),
        ("pt-br", "pt-BR"),
        ("es-419", "es-419"),
        ("fil", "fil"),
        ("zh_Hans", None),
        ("english", None),
        ("e", None),
        ("en-", None),
        ("en-GB-oxendict", None),
        ("", None),
        ("../../etc", None),
        ("en\n", None),
        ("ｅｎ", None),
    ],
)
def test_a_tag_has_one_way_to_be_written(tag: str, usual: str | None) -> None:
    assert canonical(tag) == usual


@given(st.text(max_size=12))
def test_any_text_is_a_tag_or_not(text: str) -> None:
    tag = canonical(text)
    assert tag is None or (tag.isascii() and canonical(tag) == tag)


@pytest.mark.parametrize(
    ("tag", "built_in"),
    [
        ("en", "en"),
        ("en-GB", "en"),
        ("zh-CN", "zh"),
        ("zh-Hans", "zh"),
        ("zh-Hans-SG", "zh"),
        ("zh-TW", "zh-Hant"),
        ("zh-HK", "zh-Hant"),
        ("zh-Hant-HK", "zh-Hant"),
        ("ja-JP", "ja"),
        ("fr", None),
        ("fr-CA", None),
    ],
)
def test_the_words_of_a_variant_are_those_of_the_nearest_language(tag: str, built_in: str | None) -> None:
    assert nearest(Lang(tag)) == built_in


def test_a_variant_is_a_language_of_its_own_tag() -> None:
    british, taiwan = language(Lang("en-GB")), language(Lang("zh-TW"))
    assert (british.tag, british.html, british.script, british.short) == ("en-GB", "en-GB", "Latn", "EN")
    assert (taiwan.tag, taiwan.html, taiwan.script) == ("zh-TW", "zh-TW", "Hant")
    assert taiwan("kind.paper") == language(Lang("zh-Hant"))("kind.paper")
    assert british != language(EN)
    with pytest.raises(KeyError):
        language(FR)


@pytest.mark.parametrize(
    ("tag", "html", "script", "ideographic"),
    [
        ("zh", "zh-CN", "Hans", True),
        ("zh-Hant", "zh-Hant", "Hant", True),
        ("ja", "ja", "Jpan", True),
        ("en", "en", "Latn", False),
    ],
)
def test_the_built_in_languages(tag: str, html: str, script: str, ideographic: bool) -> None:
    known = language(Lang(tag))
    assert (known.tag, known.html, known.script, known.ideographic) == (tag, html, script, ideographic)
    assert known.name
    assert known.short


def test_places_are_filled_in() -> None:
    assert SAYS("hello") == "Hello"
    assert SAYS("found", n=3, total=12345) == "3 of 12,345"
    assert SAYS("by", who="2024") == "by 2024"
    assert SAYS("by", who=0.5) == "by 0.5"
    assert SAYS("by", who="{n}") == "by {n}", "a value is not a message"


def test_what_is_not_there_is_our_mistake() -> None:
    with pytest.raises(KeyError):
        SAYS("hullo")
    with pytest.raises(KeyError):
        SAYS("found", n=3)


def test_a_text_as_value_gives_its_part_in_the_language() -> None:
    who = Text.of(ja="彼ら", en="them")
    assert SAYS("by", who=who) == "by them"
    assert replace(SAYS, tag=JA)("by", who=who) == "by 彼ら"
    assert replace(SAYS, tag=FR)("by", who=who) == "by 彼ら"


def test_html_as_value_makes_html_of_all() -> None:
    link = Markup("<a>&amp;</a>")
    assert SAYS("less", who=link) == Markup("<a>&amp;</a> &lt; all")
    assert isinstance(SAYS("less", who=link), Markup)
    assert SAYS("found", n="<b>", total=link) == "&lt;b&gt; of <a>&amp;</a>"
    assert SAYS("less", who=Text.of(en=link)) == "<a>&amp;</a> &lt; all"
    assert not isinstance(SAYS("less", who="<b>"), Markup)


def test_what_is_counted_has_plurals() -> None:
    assert [SAYS("notes", count=count) for count in (0, 1, 2, 1001)] == ["0 notes", "1 note", "2 notes", "1,001 notes"]


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("pl", ["one", "few", "many", "few", "many"]),
        ("fr", ["one", "other", "other", "other", "one"]),
        ("ru", ["one", "few", "many", "few", "many"]),
        ("ko", ["other", "other", "other", "other", "other"]),
    ],
)
def test_another_language_has_the_plurals_of_unicode(tag: str, expected: list[str]) -> None:
    forms = {form: form for form in ("one", "few", "many", "other")}
    own = own_language(Lang(tag), {"notes": forms}, {})
    assert [own("notes", count=count) for count in (1, 2, 5, 22, 0)] == expected


def test_a_plural_that_is_not_written_is_the_other() -> None:
    own = own_language(PL, {"notes": {"one": "{count} notatka", "other": "{count} notatki"}}, {})
    assert [own("notes", count=count) for count in (1, 2, 5)] == ["1 notatka", "2 notatki", "5 notatki"]


def test_a_language_of_the_collection_falls_back_to_english() -> None:
    own = own_language(FR, {"kind.paper": "Article"}, {"méthode": "method"})
    assert (own("kind.paper"), own("kind.tutorial")) == ("Article", "Tutorial")
    assert (own.tag, own.html, own.script, own.name, own.short) == ("fr", "fr", "Latn", "français", "français")
    assert own.sections == {"méthode": "method"}
    named = own_language(FR, {}, {}, {"short": "FR"})
    assert (named.name, named.short) == ("français", "FR")


def test_words_of_the_collection_go_before_built_in_ones() -> None:
    own = own_language(EN, {"kind.paper": "Reading"}, {"aims": "motivation"}, {"short": "Eng"})
    assert (own("kind.paper"), own("kind.tutorial")) == ("Reading", "Tutorial")
    assert own.sections["aims"] == own.sections["motivation"] == "motivation"
    assert (own.name, own.short) == ("English", "Eng")
    assert own != language(EN)
    assert own_language(EN, {}, {}) == language(EN)


@pytest.mark.parametrize(
    ("tag", "script"),
    [("ko", "Kore"), ("ru", "Cyrl"), ("el", "Grek"), ("sr-Latn", "Latn"), ("pt-BR", "Latn"), ("hi", "Deva")],
)
def test_the_script_of_a_language_is_known(tag: str, script: str) -> None:
    own = own_language(Lang(tag), {}, {})
    assert own.script == script
    assert not own.ideographic


@pytest.mark.parametrize("tag", ["ar", "he", "fa", "ur"])
def test_right_to_left_is_refused(tag: str) -> None:
    with pytest.raises(ValueError, match="right to left"):
        own_language(Lang(tag), {}, {})


@pytest.mark.parametrize("tag", ["en-QQ", "zh-XX", "jp", "xx", "zxx", "fr-XX"])
def test_an_unknown_language_is_refused(tag: str) -> None:
    with pytest.raises(ValueError, match="no such language"):
        own_language(Lang(tag), {}, {})


def test_a_language_is_its_tag_and_its_words() -> None:
    one, other = (own_language(FR, {"kind.paper": word}, {}, {}) for word in ("Article", "Texte"))
    assert one == own_language(FR, {"kind.paper": "Article"}, {})
    assert one != other
    assert hash(one) != hash(other)
    assert pickle.loads(pickle.dumps(one)) == one, "workers get it"


def test_ids_of_nested_words() -> None:
    data = {"a": {"b": {"c": "x"}}, "d": "y", "e": {"f": {"one": "1", "other": "2"}}, "g": {"few": "z"}, "h": {}}
    assert flat(data) == {"a.b.c": "x", "d": "y", "e.f": {"one": "1", "other": "2"}, "g": {"few": "z"}}
    assert places({"one": "{count}", "other": "{count} {what}"}) == {"count", "what"}
    assert places("{} { x } {{y}}") == {"y"}


def test_the_words_of_a_site_are_in_its_order() -> None:
    words = Words.of("ja", "en")
    assert words.tags == ("ja", "en")
    assert words.html == {"ja": "ja", "en": "en"}
    assert words("kind.paper").languages == ("ja", "en")
    assert words("kind.paper")[EN] == words[EN]("kind.paper") == "Paper"
    assert Words.of("zh").html == {"zh": "zh-CN"}


def test_languages_that_a_site_does_not_have_can_be_asked_for_if_they_are_built_in() -> None:
    assert Words()[JA] == language(JA)
    assert Words()("kind.paper") == Text()
    own = own_language(EN, {"kind.paper": "Reading"}, {})
    assert Words((own,))[EN] is own
    with pytest.raises(KeyError):
        Words.of("en")[FR]


def test_all_built_in_languages_are_loaded_once() -> None:
    assert all(language(tag) is language(tag) for tag in BUILT_IN)
    assert all(isinstance(language(tag), Language) for tag in BUILT_IN)


def test_messages_are_in_english() -> None:
    assert [english_name(Lang(tag)) for tag in ("zh", "ja", "fr", "pt-BR")] == [
        "Chinese",
        "Japanese",
        "French",
        "Portuguese (Brazil)",
    ]


@pytest.mark.parametrize(
    ("name", "known", "wanted"),
    [
        *(
            (name, "zh en", "zh")
            for name in ("cn", "ZH", "zh-CN", "zh_Hans", "chi", "Chinese", "中文", "note.zh", "zh (1)")
        ),
        *((name, "zh en", "en") for name in ("EN", "en-US", "en_GB", "eng", "english", "uk", "text_en")),
        *((name, "ja en-GB", "en-GB") for name in ("en", "English", "en-US")),
        *((name, "ja en", "ja") for name in ("jp", "jpn", "JA", "日本語")),
        *((name, "zh zh-Hant", "zh-Hant") for name in ("tw", "zh-TW", "zh-hant", "zh_HK")),
        *((name, "en pt-BR", "pt-BR") for name in ("pt", "br", "Portuguese")),
        *((name, "zh en", None) for name in ("index", "README", "jp", "fr", "main", "what-is-it", "", "-")),
    ],
)
def test_names_of_other_kinds_stand_for_a_language(name: str, known: str, wanted: str | None) -> None:
    assert meant(name, tuple(map(Lang, known.split()))) == wanted


def test_a_tag_is_that_of_a_known_language_in_its_usual_case() -> None:
    assert [tag for tag in ("fr", "FR", "pt-BR", "pt-br", "cn", "index", "", "zh-Hant") if is_language(tag)] == [
        "fr",
        "pt-BR",
        "zh-Hant",
    ]
