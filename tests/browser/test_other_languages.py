"""Sites in other languages than our own, opened from disk: they are whole, in their language, and can be searched."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from pages import ask, choose, with_every_kind
from playwright.sync_api import Page, Request, expect
from running import SITES, Once, built, write
from test_judges import STRUCTURE, load_axe, violations
from windows import Windows

from paper_notes.languages.language import language
from paper_notes.languages.text import Lang

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
TAGS = {"japanese": ("ja", "en"), "traditional": ("zh-Hant", "en"), "english": ("en",)}
NOTES = {
    "japanese": "optimisation/notes/01_SGD.html",
    "traditional": "compression/notes/01_Huffman.html",
    "english": "search/notes/02_PageRank.html",
}
FONTS = {"ja": "CJK JP", "zh-Hant": "CJK TC"}
SIMPLIFIED = set("们这说语读认译论诗请该样边过还进选对从页码题结续发开关门问间项须预颜书录图显标记笔签术")
HAN_AND_KANA = set(map(chr, [*range(0x3040, 0x3100), *range(0x3400, 0xA000)]))
HOSTILE = "<img src=x onerror=hacked=1>'\"`\\${hacked = 1}</script><!--<script>"

SHOWN = """() => {
  const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = texts.nextNode());) {
    const parent = node.parentElement;
    const skipped = parent.closest('script, style, math, pre, code') || !parent.getClientRects().length;
    if (skipped || !node.data.trim()) continue;
    found.push([parent.closest('[lang]').lang, node.data.trim()]);
  }
  for (const element of document.body.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
    if (element.getClientRects().length)
      for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
        if (element.getAttribute(name)) found.push([element.closest('[lang]').lang, element.getAttribute(name)]);
  return found;
}"""
"""What a reader sees or hears, each with the language that it claims to be in."""


@cache
def addresses(site: Path) -> tuple[str, ...]:
    """All pages that stay: 404.html is for servers, and those at former addresses lead on."""
    pages = (page for page in sorted(site.rglob("*.html")) if 'http-equiv="refresh"' not in page.read_text("utf-8"))
    return tuple(page.relative_to(site).as_posix() for page in pages if page.name != "404.html")


@pytest.fixture
def opened(windows: Windows, languages: dict[str, Path]) -> Iterator[Open]:
    """Opens a page of a site, which may ask for nothing but itself and texts to search, and say nothing.

    A test has one window: to open another costs more than a page.
    """
    roots = tuple(site.as_uri() for site in languages.values())

    def own(request: Request) -> bool:
        return request.url.startswith(roots) and (request.is_navigation_request() or "/search-" in request.url)

    @cache
    def window(**options: Any) -> Page:
        return windows.open(**options)

    def open_(name: str, address: str, **options: Any) -> Page:
        page = window(**options)
        page.goto(f"{languages[name].as_uri()}/{address}")
        return page

    with windows.watched(own):
        yield open_
    assert windows.wrong == []


@pytest.mark.nightly(but_every=2)
@pytest.mark.parametrize("name", ["japanese", "traditional"])
def test_languages_are_switched_and_said(opened: Open, name: str) -> None:
    first, second = TAGS[name]
    page = opened(name, NOTES[name])
    expect(page.locator("html")).to_have_attribute("lang", language(Lang(first)).html)
    expect(page.locator(f"#pn-view-{first}")).to_be_checked()
    switch = page.locator("fieldset.views label").all_inner_texts()
    both = language(Lang(first))("ui.note.both")
    assert [text.strip() for text in switch] == [language(Lang(tag)).short for tag in (first, second)] + [both]
    headings = {tag: page.locator(f"main h2[lang='{tag}'], main h2.{tag}") for tag in (first, second)}
    assert headings[first].first.is_visible()
    assert not headings[second].first.is_visible()
    page.keyboard.press("l")
    expect(page.locator(f"#pn-view-{second}")).to_be_checked()
    assert headings[second].first.is_visible()
    assert not headings[first].first.is_visible()
    choose(page, "both")
    assert headings[first].first.is_visible()
    assert headings[second].first.is_visible()
    page = opened(name, f"{NOTES[name]}?lang={second}")
    expect(page.locator(f"#pn-view-{second}")).to_be_checked()


@pytest.mark.parametrize("script", [True, False])
def test_a_former_address_leads_to_the_note(opened: Open, script: bool) -> None:
    page = opened("japanese", "inference/notes/02_自然勾配.html?lang=ja#x", java_script_enabled=script)
    page.wait_for_url("**/optimisation/notes/**")
    assert page.url.endswith(".html?lang=ja#x" if script else ".html"), "with what followed the address"
    assert page.title().startswith("自然勾配法")


def test_a_site_in_one_language_has_nothing_to_switch_and_is_in_it(opened: Open, languages: dict[str, Path]) -> None:
    texts: list[str] = []
    for address in addresses(languages["english"]):
        page = opened("english", address)
        assert page.locator("[id^=pn-view-]").count() == 0, address
        expect(page.locator("html")).to_have_attribute("lang", "en")
        shown = page.evaluate(SHOWN)
        assert [lang for lang, _ in shown if lang != "en"] == [], address
        texts += [text for _, text in shown]
    assert len(texts) > 100
    assert [text for text in texts if set(text) & HAN_AND_KANA] == []


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["japanese", "traditional"])
def test_every_word_is_in_the_language_of_the_view(opened: Open, languages: dict[str, Path], name: str) -> None:
    """Texts of the collection may exist in one language only; words of the pages do in both."""
    words = {
        tag: {word for word in language(Lang(tag)).words.values() if isinstance(word, str) and len(word) > 1}
        for tag in TAGS[name]
    }
    wrong = []
    for address in addresses(languages[name]):
        page = opened(name, address)
        page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
        for tag, other in (TAGS[name], TAGS[name][::-1]):
            choose(page, tag)
            for lang, text in page.evaluate(SHOWN):
                if lang == tag and (text in words[other] - words[tag] or set(text) & SIMPLIFIED):
                    wrong.append(f"{address} ({tag}): {text[:80]}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", ["japanese", "traditional"])
def test_fonts_are_those_of_the_script(opened: Open, name: str) -> None:
    first, _ = TAGS[name]
    page = opened(name, NOTES[name])
    font = "selector => getComputedStyle(document.querySelector(selector)).fontFamily"
    for selector in ("body", "main .body p", "main h2"):
        families = page.evaluate(font, selector)
        assert FONTS[first] in families, selector
        assert not [other for other in ("PingFang SC", "CJK SC") if other in families], selector
    assert page.evaluate("getComputedStyle(document.querySelector('main .body p')).hyphens") != "auto"
    page = opened(name, f"{NOTES[name]}?lang=en")
    assert page.evaluate("getComputedStyle(document.querySelector('main [lang=en] p')).hyphens") == "auto"


FOUND: dict[str, dict[str, set[str]]] = {
    "japanese": {
        "学習率": {"01_SGD", "02_Adam", "01_EM", "04_2014-12-23"},
        "ステップ幅": {"01_SGD", "02_Adam", "01_EM", "04_2014-12-23"},
        "パラメーター空間": {"03_自然勾配法"},
        "ﾊﾟﾗﾒｰﾀｰ空間": {"03_自然勾配法"},
        "自然勾配法についての": {"02_Adam", "03_自然勾配法"},
        "潜在変数": {"01_EM"},
        "latent variable": {"01_EM"},
        "確率的 ロビンス": set(),
        "dempster": {"01_EM"},
        "ADAM 座標": {"01_SGD", "02_Adam"},
    },
    "traditional": {
        "合併機率": {"01_Huffman"},
        "滑動視窗": {"02_LZ77"},
        "滑动视窗": {"02_LZ77"},
        "sliding window": {"02_LZ77"},
    },
    "english": {"surfer": {"02_PageRank"}, "halve invariant": {"01_Binary_search"}},
}


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("name", FOUND)
def test_search_finds_in_every_language(opened: Open, name: str) -> None:
    page = opened(name, "index.html")
    for query, found in FOUND[name].items():
        ask(page, query)
        links = page.locator("#pn-results a[href*='/notes/']").evaluate_all("links => links.map(link => link.href)")
        notes = {re.sub(r"\.html.*", "", unquote(link.rpartition("/")[2])) for link in links}
        assert notes == found, query


@pytest.mark.nightly
@pytest.mark.parametrize("name", TAGS)
def test_axe_finds_nothing(opened: Open, judges: Path, name: str) -> None:
    for address in ("index.html", NOTES[name]):
        page = opened(name, address)
        load_axe(page, judges)
        for view in (*TAGS[name], "both") if address != "index.html" else TAGS[name]:
            if len(TAGS[name]) > 1:
                choose(page, view)
            assert violations(page, STRUCTURE) == [], f"{address}, {view}"


def test_words_of_a_collection_are_texts_and_nothing_else(once: Once, windows: Windows) -> None:
    """They come with a cloned collection, as its notes do. Looked at are pages that have every kind of element."""

    def bad(message: object) -> object:
        if isinstance(message, dict):
            return {form: bad(text) for form, text in message.items()}
        return "".join([HOSTILE, *re.findall(r"\{\w+\}", str(message))])

    def make(root: Path) -> None:
        words = {word: bad(message) for word, message in language(Lang("en")).words.items()}
        files = {
            path.relative_to(SITES / "english").as_posix(): path.read_text("utf-8")
            for path in (SITES / "english/notes_src").rglob("*.*")
        }
        built(write(root, files | {"notes_src/words.en.yaml": json.dumps(words)}))

    site = once("hostile-words", make) / "site"
    with windows.watched(lambda request: request.url.startswith(site.as_uri())):
        page = windows.open()
        texts = {address: (site / address).read_text("utf-8") for address in addresses(site)}
        for address in with_every_kind(texts):
            page.goto(f"{site.as_uri()}/{address}")
            page.keyboard.press("?")
            page.keyboard.press("Escape")
            assert page.evaluate("typeof hacked") == "undefined", address
            assert page.locator("img[src=x]").count() == 0, address
            assert page.locator("main").is_visible(), address
        page.goto(f"{site.as_uri()}/index.html")
        ask(page, "surfer")
        assert page.locator("#pn-results a").first.is_visible()
        assert page.evaluate("typeof hacked") == "undefined"
    assert windows.wrong == []
