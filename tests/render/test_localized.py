"""Words, tags and fonts that the languages of a site put into scripts and style sheets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from running import write

from paper_notes.languages.language import Language, Words, language
from paper_notes.languages.text import Lang
from paper_notes.render.theme import localized
from paper_notes.render.theme.theme import load_theme, theme_files
from paper_notes.values import replace


def made(tag: str, script: str, digest: bytes, words: dict[str, str] | None = None) -> Language:
    """A language of a script, with the English words."""
    english = language(Lang("en"))
    known = {**english.words, **(words or {})}
    return replace(english, tag=Lang(tag), html=tag, script=script, name=tag, words=known, digest=digest)


JAPANESE, FRENCH = made("ja", "Jpan", b"1"), made("fr", "Latn", b"2", {"ui.script.copied": "C'est `copié` </"})
SITES = {
    "zh en": Words.of("zh", "en"),
    "en zh": Words.of("en", "zh"),
    "en": Words.of("en"),
    "ja en": Words((JAPANESE, language(Lang("en")))),
    "zh ja": Words((language(Lang("zh")), JAPANESE)),
    "fr": Words((FRENCH,)),
}

SCRIPTS = {
    ("zh en", "label(b, words('ui.script.copied'))"): "label(b, '已复制','Copied')",
    ("en zh", 'label(b, words("ui.script.copied"))'): "label(b, 'Copied','已复制')",
    ("en", "label(b, words('ui.script.copied'))"): "label(b, 'Copied')",
    ("fr", "words('ui.script.copied')"): "'C\\'est `copié` \\x3c/'",
    ("zh en", "words('ui.reading.progress')"): "`已读 ${done} / ${total}`,`${done} of ${total} read`",
    ("zh en", "words('count.notes')"): "`${count} 篇`,(count==1?`${count} note`:`${count} notes`)",
    ("zh en", "words('label.only', 1)"): "'仅英文','English only'",
    ("fr", "words('label.only', 1)"): "'fr only'",
    ("zh en", "words('ui.search.both')"): "'中英都有','Both'",
    ("ja en", "[languages('html')], [languages('tag')]"): "['ja','en'], ['ja','en']",
    ("zh en", "[languages('html')], [languages('name')]"): "['zh-CN','en'], ['中文','English']",
    ("ja en", "[languages('ideographic')]"): "[1,0]",
    (
        "zh en",
        "key(words); words(x); keywords('ui.script.copied')",
    ): "key(words); words(x); keywords('ui.script.copied')",
}


@pytest.mark.parametrize(("site", "source"), SCRIPTS)
def test_a_script_has_the_words_of_its_site(site: str, source: str) -> None:
    assert localized.script(source, SITES[site]) == SCRIPTS[site, source]


def test_a_word_cannot_become_a_program() -> None:
    word = made("fr", "Latn", b"3", {"ui.search.found": "`${alert(1)}` \\{n} {total}"})
    assert localized.script("words('ui.search.found')", Words((word,))) == "`\\`\\${alert(1)}\\` \\\\${n} ${total}`"


def test_the_scripts_know_what_the_places_of_their_words_are() -> None:
    scripts = [path.read_text("utf-8") for path in sorted(theme_files("assets").rglob("*.js"))]
    found = [(word, text) for text in scripts for word in re.findall(r"\bwords\('([\w.-]+)'", text)]
    assert len(found) > 60
    for word, text in found:
        for place in re.findall(r"\$\{(\w+)\}", localized.script(f"words('{word}')", SITES["zh en"])):
            assert re.search(rf"\b(?:const|let|,) (?:.*[^.\w])?{place}\b", text), (word, place)


def test_a_script_with_an_unknown_word_is_a_mistake(tmp_path: Path) -> None:
    write(tmp_path, {"assets/script.js": "say(words('ui.script.copyed'))"})
    theme, problems = load_theme(tmp_path, SITES["zh en"])
    assert theme is None
    assert [(problem.rule, problem.message) for problem in problems] == [
        ("bad-template", 'a script names the word "ui.script.copyed", which does not exist')
    ]


RULES = "a{} .@first b, .@second i{c:d} p{} em:lang(@cjk), [lang|=@cjk]{e:f} li:lang(@spaced){} [lang=@first]{}"
STYLES = {
    "zh en": "a{} .zh b, .en i{c:d} p{} em:lang(zh), [lang|=zh]{e:f} li:lang(en){} [lang=zh-CN]{}",
    "en zh": "a{} .en b, .zh i{c:d} p{} em:lang(zh), [lang|=zh]{e:f} li:lang(en){} [lang=en]{}",
    "en": "a{} p{} li:lang(en){} [lang=en]{}",
    "ja en": "a{} .ja b, .en i{c:d} p{} em:lang(ja), [lang|=ja]{e:f} li:lang(en){} [lang=ja]{}",
    "zh ja": ("a{} .zh b, .ja i{c:d} p{} em:is(:lang(zh),:lang(ja)), :is([lang|=zh],[lang|=ja]){e:f} [lang=zh-CN]{}"),
    "fr": "a{} p{} li:lang(fr){} [lang=fr]{}",
}


@pytest.mark.parametrize("site", STYLES)
def test_a_style_sheet_has_the_rules_for_the_languages_of_its_site(site: str) -> None:
    assert localized.style(RULES, SITES[site]) == STYLES[site]


SHEETS = {"Hans": "@font-face{hans}:root{--cjk:SC}", "Jpan": "@font-face{jpan}:root{--cjk:JP}"}
FONTS = {
    "zh en": SHEETS["Hans"],
    "en": SHEETS["Hans"],
    "ja en": SHEETS["Jpan"],
    "zh ja": SHEETS["Hans"] + ":lang(ja){--cjk:JP}",
}


@pytest.mark.parametrize("site", FONTS)
def test_a_site_has_the_fonts_of_its_scripts(site: str) -> None:
    assert localized.fonts(SHEETS, SITES[site]) == FONTS[site]


@pytest.mark.parametrize("site", SITES)
def test_no_other_language_is_in_the_styles_and_scripts_of_a_site(site: str, tmp_path: Path) -> None:
    theme, _ = load_theme(tmp_path, SITES[site])
    assert theme
    own = SITES[site].tags
    css = "".join([*theme.styles.values(), *(style for _, style in theme.parts)])
    scripts = "".join([theme.script, *theme.more_script.values(), *(text for _, text in theme.script_parts)])
    tags = set(re.findall(r"#pn-view-(?!both)([\w-]+)|:lang\(([\w-]+)\)|\[lang\|?=([\w-]+)\]", css))
    assert {tag.partition("-")[0] for found in tags for tag in found if tag} <= set(own)
    assert not re.search(r"@(?:first|second|cjk|spaced)\b", css)
    assert not re.search(r"\b(?:words|languages)\(['\"]", scripts)
    if not any(tag.startswith("zh") for tag in own):
        assert not re.search(r"[\u4e00-\u9fff]", scripts.replace("xyz 字", ""))
    if own[0] == "ja":
        assert " SC" not in css
        assert "Noto Sans CJK JP" in css
