"""What a reader does with a note: switch languages, follow links, print, read in the dark, read without JavaScript."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pages import stored, until
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

NOTE = "spec-rl/notes/04_ReSpec_2510.26475.html"
SHORT = "guide/notes/07_A_second_pair_of_hands.html"
"""It is loaded and laid out in a third of the time, where any note will do."""
OTHER = "guide/notes/08_Packages_of_yours.html"
VIEWS = ("zh", "en", "both")

SHOWN = """lang => [...document.querySelectorAll('main .body.' + lang + ', main h2.' + lang)]
  .map(element => getComputedStyle(element).display != 'none' && element.getClientRects().length > 0)"""

LEADS = """lang => {
  const links = document.querySelectorAll(`main .body.${lang} a[href^="#"]:not(.anchor)`), targets = new Map();
  for (const target of document.querySelectorAll('[id]'))
    targets.set(target.id, [...targets.get(target.id) ?? [], target.getClientRects().length > 0]);
  return Object.fromEntries([...links].map(link => link.getAttribute('href')).map(href =>
    [href, targets.get(href.slice(1)) ?? []]));
}"""
"""Each link into the page: what has its id, and whether that is seen."""


def choose(page: Page, view: str) -> None:
    page.locator(f"label:has(#pn-view-{view})").click()


def choose_and_settle(page: Page, view: str) -> None:
    choose(page, view)
    stored(page)


def shown(page: Page, lang: str) -> set[bool]:
    return set(page.evaluate(SHOWN, lang))


def background(page: Page) -> str:
    colour: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return colour


def test_the_switch_shows_one_language_or_both(open_page: Open) -> None:
    page = open_page(SHORT)
    assert page.locator("#pn-view-zh").is_checked(), "the site's first language comes first"
    for view, zh, en in (("zh", True, False), ("en", False, True), ("both", True, True), ("zh", True, False)):
        choose(page, view)
        assert (shown(page, "zh"), shown(page, "en")) == ({zh}, {en})
        assert page.locator("html").get_attribute("lang") == ("en" if view == "en" else "zh-CN")
        assert page.locator("main [lang=en].body, main [lang=zh-CN].body").count() > 4


def test_the_choice_is_remembered_on_the_next_page(open_page: Open, served: str) -> None:
    page = open_page(SHORT, base=served, remembers=True)
    choose_and_settle(page, "en")
    page.locator(".crumbs a").first.click()
    page.wait_for_url("**/index.html")
    expect(page.locator("#pn-view-en")).to_be_checked()
    page.locator(f'.rows a[href="{OTHER}"]').click()
    page.wait_for_url(f"**/{OTHER}")
    assert (shown(page, "zh"), shown(page, "en")) == ({False}, {True})
    choose_and_settle(page, "both")
    page.reload()
    expect(page.locator("#pn-view-both")).to_be_checked()
    assert (shown(page, "zh"), shown(page, "en")) == ({True}, {True})


def test_side_by_side_on_a_list_page_falls_back_to_something_readable(open_page: Open, served: str) -> None:
    page = open_page(SHORT, base=served, remembers=True)
    choose_and_settle(page, "both")
    page.locator(".crumbs a").first.click()
    page.wait_for_url("**/index.html")
    assert page.locator(".views input:checked").count() == 1
    assert page.locator("h1").inner_text().strip()


def test_the_address_wins_over_what_is_remembered_and_says_what_is_chosen(open_page: Open, served: str) -> None:
    page = open_page(SHORT, base=served, remembers=True)
    choose_and_settle(page, "zh")
    page.goto(f"{page.url}?lang=en#method")
    assert (shown(page, "zh"), shown(page, "en")) == ({False}, {True})
    choose(page, "zh")
    assert page.url.endswith("?lang=zh#method")
    page.goto(page.url.replace("lang=zh", "lang=nonsense"))
    assert (shown(page, "zh"), shown(page, "en")) == ({True}, {False})


def test_who_came_for_one_language_goes_on_in_it(open_page: Open, served: str) -> None:
    page = open_page(f"{SHORT}?lang=en", base=served, remembers=True)
    page.locator(".crumbs a").first.click()
    page.wait_for_url("**/index.html")
    expect(page.locator("#pn-view-en")).to_be_checked()


def test_from_disk_a_link_takes_the_language_along_where_nothing_is_kept(open_page: Open) -> None:
    page = open_page(SHORT)
    choose(page, "en")
    page.locator(".crumbs a").first.click()
    page.wait_for_url("**/index.html?lang=en")
    assert page.evaluate("localStorage.getItem('pn-view')") == "en"
    page.keyboard.press("/")
    page.locator("#pn-ask").fill("EAGLE")
    page.locator("#pn-list a[href*='05_EAGLE3']").first.wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url("**/*.html?lang=en*")
    assert page.locator("html").get_attribute("lang") == "en"


def test_the_key_l_switches(open_page: Open) -> None:
    page = open_page(SHORT)
    seen = []
    for _ in range(3):
        page.keyboard.press("l")
        seen.append(page.locator(".views input:checked").get_attribute("value"))
    assert seen == ["en", "both", "zh"]


def test_it_works_without_javascript(open_page: Open) -> None:
    page = open_page(SHORT, java_script_enabled=False)
    zh, en = page.locator("main .body.zh"), page.locator("main .body.en")
    expect(zh.first).to_be_visible()
    expect(en.first).to_be_hidden()
    choose(page, "en")
    expect(zh.first).to_be_hidden()
    expect(en.first).to_be_visible()
    choose(page, "both")
    expect(zh.first).to_be_visible()
    expect(en.first).to_be_visible()
    left, right = zh.first.bounding_box(), en.first.bounding_box()
    assert left
    assert right
    assert left["x"] + left["width"] <= right["x"], "side by side, not one below the other"
    expect(page.locator("#pn-theme")).to_be_hidden()
    assert page.locator("button.copy").count() == 0
    page.locator(".toc a[href='#draft']").click()
    expect(page.locator("#draft")).to_be_in_viewport()
    page.locator(".crumbs a").first.click()
    page.wait_for_url("**/index.html")


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("width", [390, 1280])
def test_an_address_with_a_section_goes_there_in_every_view(open_page: Open, view: str, width: int) -> None:
    page = open_page(f"{SHORT}?lang={view}#draft", width=width)
    expect(page.locator(f"#pn-view-{view}")).to_be_checked()
    top = "document.getElementById('draft').getBoundingClientRect().top"
    until(page, f"0 <= {top} && {top} <= 200")
    heading = page.locator("#draft > h2").locator("visible=true").first
    expect(heading).to_be_in_viewport()


def test_a_link_to_a_figure_leads_to_the_one_in_its_language(open_page: Open) -> None:
    page = open_page(NOTE)
    page.locator("#pn-sources > summary").click()  # which a card shows otherwise
    for lang in ("zh", "en"):
        choose(page, lang)
        leads = page.evaluate(LEADS, lang)
        assert leads
        assert {href: found for href, found in leads.items() if found != [True]} == {}


def test_switching_keeps_the_place(open_page: Open) -> None:
    page = open_page(f"{SHORT}?lang=zh")
    page.locator("#draft").evaluate("row => row.scrollIntoView()")
    expect(page.locator('.toc a[href="#draft"]')).to_have_attribute("aria-current", "true")
    choose(page, "en")
    expect(page.locator("#draft > h2.en")).to_be_in_viewport()


def test_dark_and_light(open_page: Open, served: str) -> None:
    light, dark = (
        open_page(SHORT, color_scheme="light"),
        open_page(SHORT, base=served, color_scheme="dark", remembers=True),
    )
    colours = background(light), background(dark)
    assert colours[0] != colours[1]
    seen = []
    for _ in range(3):
        dark.keyboard.press("t")
        seen.append((dark.locator("html").get_attribute("data-theme"), background(dark)))
    assert seen == [("light", colours[0]), ("dark", colours[1]), (None, colours[1])]
    dark.locator("#pn-theme").click()
    dark.locator("#pn-looks label", has_text="浅色").click()
    stored(dark)
    dark.locator(".crumbs a").first.click()
    dark.wait_for_url("**/index.html")
    assert background(dark) == colours[0], "the choice is remembered"


def test_print(open_page: Open) -> None:
    page = open_page(SHORT, color_scheme="dark")
    page.emulate_media(media="print")
    expect(page.locator(".bar")).to_be_hidden()
    expect(page.locator(".toc")).to_be_hidden()
    expect(page.locator("h1")).to_be_visible()
    assert background(page) == "rgb(255, 255, 255)"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_contents_of_a_phone_open_over_the_text_and_close(open_page: Open) -> None:
    page = open_page(SHORT, width=390, height=844)
    contents = page.locator("#pn-toc")
    expect(contents).to_be_hidden()
    page.locator("button.toc-open").click()
    expect(contents).to_be_visible()
    contents.locator('a[href="#draft"]').click()
    expect(contents).to_be_hidden()
    expect(page.locator("#draft > h2.zh")).to_be_in_viewport()


def test_the_first_key_offers_to_skip_to_the_text(open_page: Open) -> None:
    page = open_page(SHORT)
    page.keyboard.press("Tab")
    skip = page.locator(".skip")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()


def test_code_and_bibtex_can_be_copied(open_page: Open) -> None:
    page = open_page(NOTE, permissions=["clipboard-read", "clipboard-write"])
    page.locator(".by a", has_text="BibTeX").click()
    block = page.locator("#view-bibtex")
    expect(block).to_be_in_viewport()
    block.hover()
    block.locator("button.copy").click()
    expect(block.locator("button.copy")).to_have_text("已复制")
    assert page.evaluate("navigator.clipboard.readText()") == block.locator("pre").inner_text()
