"""What a reader knew of a self-test: kept in the browser, asked again later, carried along with reading progress."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from pages import choose, stored
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

NOTE = "guide/notes/06_Notes_you_have.html"
ID = "guide/06_Notes_you_have"
DAY = "2026-03-0{}T12:00:00"


def key(page: Page) -> str:
    return f"pn-recall {page.locator('.crumbs a').first.text_content()}"


def record(page: Page) -> dict[str, dict[str, list]]:
    return json.loads(page.evaluate("key => localStorage.getItem(key) || '{}'", key(page)))


def answer(page: Page, number: int, button: str, half: str = ".zh") -> None:
    item = page.locator(f"{half} .recall-item").nth(number)
    item.locator("summary").click()
    item.get_by_role("button", name=button).click()
    expect(item).not_to_have_attribute("open", "")


def says(page: Page, *texts: str, half: str = ".zh") -> None:
    """What the first questions say of themselves."""
    for number, text in enumerate(texts):
        expect(page.locator(f"{half} .recall-item .again").nth(number)).to_have_text(text)


def test_what_was_known_is_asked_again_later_each_time_and_in_both_languages(open_page: Open, served: str) -> None:
    page = open_page(NOTE, base=served, remembers=True)
    page.clock.set_fixed_time(DAY.format(1))
    page.reload()
    assert page.locator(".top .again").count() == 0
    answer(page, 0, "答对了")
    answer(page, 1, "还不会")
    says(page, "1 天后再问", "该复习了", "")
    answer(page, 0, "答对了")
    says(page, "1 天后再问")  # once a day is enough
    expect(page.locator(".zh .recall .box-title .again")).to_have_text("1 题待复习")
    stored(page)
    page.clock.set_fixed_time(DAY.format(3))
    page.reload()
    choose(page, "en")
    expect(page.locator(".top .again")).to_have_text("2 questions due")
    expect(page.locator(".top .again")).to_have_attribute("href", "#after")
    answer(page, 0, "Knew it", ".en")
    answer(page, 1, "Knew it", ".en")
    says(page, "again in 3 days", "again tomorrow", half=".en")
    expect(page.locator(".top .again")).to_have_count(0)
    choose(page, "zh")
    says(page, "3 天后再问")
    answer(page, 0, "还不会")
    assert [step for step, _ in record(page)[ID].values()] == [0, 1], "what was not known begins anew"
    stored(page)
    page.goto(f"{served}/index.html")
    expect(page.locator("#pn-due a")).to_have_text("#6 已经有笔记了 1 题待复习")
    page.locator("#pn-due a").click()
    expect(page.locator(".quiz [open], .quiz .due:visible")).to_have_count(1)


def test_the_end_of_a_note_asks_three_one_after_the_other(open_page: Open, served: str) -> None:
    page = open_page(NOTE, base=served, remembers=True, width=390)
    page.clock.set_fixed_time(DAY.format(1))
    names = page.locator(".zh .recall-item summary").all_text_contents()
    answer(page, 1, "还不会")
    stored(page)
    page.reload()
    quiz, shown = page.locator(".quiz"), page.locator(".quiz .recall-item").filter(visible=True)
    expect(quiz.locator("p").first).to_have_text("还记得吗？1 / 3")
    for place, number in enumerate((1, 0, 2)):  # the one that is due, then those never asked
        expect(shown.locator("summary")).to_contain_text(names[number])
        shown.locator("summary").click()
        shown.get_by_role("button", name="答对了").click()
        if place < 2:
            expect(shown.locator("summary")).to_be_focused()
    expect(shown).to_have_count(0)
    expect(quiz.locator("p").first).to_have_text("3 题答完了。")
    says(page, "1 天后再问", "1 天后再问", "1 天后再问")
    choose(page, "both")
    assert page.locator("[id]").evaluate_all("all => all.length == new Set(all.map(e => e.id)).size")


def test_what_is_stored_may_be_broken(open_page: Open, served: str) -> None:
    page = open_page(NOTE, base=served, remembers=True)
    for text in ("{", "[]", json.dumps({ID: {"a": [1, "x"], "b": None}})):
        page.evaluate("([key, text]) => localStorage.setItem(key, text)", [key(page), text])
        stored(page)
        page.reload()
        assert page.locator(".due").count() == 0, text
    answer(page, 0, "答对了")
    says(page, "1 天后再问")


def test_without_storage_or_a_script_questions_only_open(open_page: Open) -> None:
    page = open_page(NOTE, remembers=True)
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('private') } })")
    page.reload()
    assert page.locator(".recall-item").count() > 0
    assert page.locator(".judge").count() == 0
    page = open_page(NOTE, java_script_enabled=False)
    page.locator(".zh .recall-item summary").first.click()
    assert page.locator(".judge, .again").count() == 0
