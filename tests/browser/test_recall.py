"""What a reader knew of a self-test: kept in the browser, asked again later, carried along with reading progress."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pages import choose, stored
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

TOPIC = "spec-rl/index.html"
NOTE = "spec-rl/notes/01_Leviathan_2211.17192.html"
ID = "spec-rl/01_Leviathan_2211.17192"
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
    expect(page.locator(".top .again")).to_have_attribute("href", "#memory-points")
    answer(page, 0, "Knew it", ".en")
    answer(page, 1, "Knew it", ".en")
    says(page, "again in 3 days", "again tomorrow", half=".en")
    expect(page.locator(".top .again")).to_have_count(0)
    choose(page, "zh")
    says(page, "3 天后再问")
    answer(page, 0, "还不会")
    assert [step for step, _ in record(page)[ID].values()] == [0, 1], "what was not known begins anew"
    stored(page)
    page.goto(f"{served}/{TOPIC}")
    expect(page.locator(".rows .due")).to_have_text("1 题待复习")
    expect(page.locator(".rows h3:has(.due)")).to_contain_text("Leviathan")


def test_it_goes_along_with_reading_progress_and_the_later_day_counts(
    open_page: Open, served: str, tmp_path: Path
) -> None:
    page = open_page(TOPIC, base=served, remembers=True)
    before = {ID: {"a": [3, "2026-01-09"], "b": [1, "2026-01-02"]}}
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [key(page), json.dumps(before)])
    stored(page)
    page.reload()
    with page.expect_download() as download:
        page.get_by_role("button", name="导出进度").click()
    file = tmp_path / "progress.json"
    download.value.save_as(file)
    written = json.loads(file.read_text("utf-8"))
    assert written["recall"] == before
    written["recall"] = {
        ID: {"a": [1, "2026-01-03"], "b": [2, "2026-01-05"], "c": [0, "2026-01-01"], "d": 5, "e": [99, "2026-01-01"]},
        "x": [],
        "gone/1_Note": {"f": [1, "soon"]},
    }
    file.write_text(json.dumps(written), "utf-8")
    page.locator("input[type=file]").set_input_files(file)
    status = page.locator("[role=status]")
    expect(status).to_have_text("新增 0 篇")
    assert record(page) == {ID: {"a": [3, "2026-01-09"], "b": [2, "2026-01-05"], "c": [0, "2026-01-01"]}}
    del written["recall"]  # as it was written before there was such a record
    file.write_text(json.dumps(written), "utf-8")
    status.evaluate("status => { status.textContent = '' }")
    page.locator("input[type=file]").set_input_files([])
    page.locator("input[type=file]").set_input_files(file)
    expect(status).to_have_text("新增 0 篇")
    assert record(page)[ID]["a"] == [3, "2026-01-09"]


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
