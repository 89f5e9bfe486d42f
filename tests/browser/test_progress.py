"""What a reader has read along a reading path: marked, continued, kept in the browser, carried elsewhere."""

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
PROOF = "spec-rl/notes/03_Lossless_Proof_Tutorial.html"
FIRST = "#path-start"
OUT_OF_SIGHT = """element => new Promise(done =>
  new IntersectionObserver(([seen]) => { if (!seen.isIntersecting) done() }).observe(element))"""
"""Observers are told at the same time: by then the page knows it too."""


def counts(page: Page, text: str, message: str = "") -> None:
    expect(page.locator(f"{FIRST} .progress span").first, message).to_have_text(text)


def test_a_note_is_marked_by_hand_and_its_topic_knows(open_page: Open, served: str) -> None:
    page = open_page(TOPIC, base=served, remembers=True)
    counts(page, "已读 0 / 5")
    expect(page.locator(f"{FIRST} .progress a"), "nothing to continue before the first note").to_be_hidden()
    page.goto(f"{served}/{PROOF}")
    button = page.locator(".step-of .progress button").first
    expect(button).to_have_text("标为已读")
    button.click()
    expect(button).to_have_text("✓ 已读")
    expect(button).to_have_attribute("aria-pressed", "true")
    stored(page)
    page.goto(f"{served}/{TOPIC}")
    counts(page, "已读 1 / 5")
    onward = page.locator(f"{FIRST} .progress a")
    expect(onward).to_have_text("继续读：#1 Leviathan 等：投机解码的原点")
    expect(page.locator(f"{FIRST} .track li.done")).to_have_count(1)
    choose(page, "en")
    counts(page, "1 of 5 read")
    expect(onward).to_have_text("Continue: #1 Leviathan et al.: where speculative decoding begins")
    onward.click()
    page.wait_for_url("**/01_Leviathan_2211.17192.html")
    expect(page.locator(".turn .prev .tick").first, "the note before is ticked").to_be_attached()


def test_two_tabs_agree_and_neither_loses_what_the_other_marked(open_page: Open, served: str) -> None:
    page = open_page(TOPIC, base=served, remembers=True)
    notes = [page.context.new_page() for _ in range(2)]
    for tab, name in zip(notes, ("01_Leviathan_2211.17192", "02_Chen_2302.01318"), strict=True):
        tab.goto(f"{served}/spec-rl/notes/{name}.html")
    for count, tab in enumerate(notes, 1):
        tab.locator(".step-of .progress button").first.click()
        expect(page.locator(f"{FIRST} .progress span").first).to_have_text(f"已读 {count} / 5")
        stored(page, *notes)
    notes[0].locator(".step-of .progress button").first.click()
    expect(page.locator(f"{FIRST} .progress span").first).to_have_text("已读 1 / 5")


def test_the_end_of_a_note_counts_after_a_minute_and_not_before(open_page: Open, served: str) -> None:
    page = open_page(PROOF, base=served, alone=True)  # with a clock of its own
    button = page.locator(".step-of .progress button").first
    button.scroll_into_view_if_needed()
    page.wait_for_timeout(300)
    expect(button).to_have_text("标为已读")
    page.clock.install()
    page.reload()
    page.clock.fast_forward(61_000)
    page.evaluate("scrollTo(0, 0)")
    page.evaluate(OUT_OF_SIGHT, button.element_handle())
    button.scroll_into_view_if_needed()
    expect(button).to_have_text("✓ 已读")
    button.click()
    expect(button).to_have_text("标为已读")


def test_progress_is_exported_and_imported_from_disk(open_page: Open, served: str, tmp_path: Path) -> None:
    page = open_page(TOPIC, base=served, remembers=True)
    key = f"pn-read {page.locator('.crumbs a').first.text_content()}"
    before = json.dumps({"spec-rl/03_Lossless_Proof_Tutorial": "2026-01-02"})
    page.evaluate("([key, before]) => localStorage.setItem(key, before)", [key, before])
    stored(page)
    page.reload()
    with page.expect_download() as download:
        page.get_by_role("button", name="导出进度").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name == "reading-progress.json"
    written = json.loads(file.read_text("utf-8"))
    assert written["read"] == {"spec-rl/03_Lossless_Proof_Tutorial": "2026-01-02"}

    other = open_page(TOPIC, base=served, remembers=True, locale="en")
    written["read"] |= {"spec-rl/01_Leviathan_2211.17192": "2026-02-03", "gone/99_Note": "2026-02-03", "x": 5}
    file.write_text(json.dumps(written), "utf-8")
    other.locator("input[type=file]").set_input_files(file)
    expect(other.locator("[role=status]")).to_have_text("新增 3 篇")
    counts(other, "已读 2 / 5")


def test_a_wrong_file_is_told_of_and_changes_nothing(open_page: Open, served: str, tmp_path: Path) -> None:
    page = open_page(TOPIC, base=served, remembers=True)
    key = f"pn-read {page.locator('.crumbs a').first.text_content()}"
    page.evaluate('key => localStorage.setItem(key, \'{"spec-rl/02_Chen_2302.01318": "2026-01-02"}\')', key)
    stored(page)
    page.reload()
    file = tmp_path / "wrong.json"
    status = page.locator("[role=status]")
    for text in ("", "{", "[]", "null", '{"read": {}}', '{"form": "paper-notes reading progress", "read": []}'):
        file.write_text(text, "utf-8")
        status.evaluate("status => { status.textContent = '' }")
        page.locator("input[type=file]").set_input_files([])
        page.locator("input[type=file]").set_input_files(file)
        expect(status, text).to_have_text("这不是阅读进度的文件；什么都没有改动")
        counts(page, "已读 1 / 5", text)


def test_what_is_stored_may_be_broken(open_page: Open, served: str) -> None:
    page = open_page(TOPIC, base=served, remembers=True)
    key = f"pn-read {page.locator('.crumbs a').first.text_content()}"
    for text in ("{", "[1]", "7", '{"spec-rl/02_Chen_2302.01318": 5}'):
        page.evaluate("([key, text]) => localStorage.setItem(key, text)", [key, text])
        stored(page)
        page.reload()
        counts(page, "已读 0 / 5", text)
        assert page.evaluate("key => localStorage.getItem(key)", key) == text, "it was there"


def test_without_storage_there_is_nothing_to_press(open_page: Open) -> None:
    page = open_page(TOPIC, alone=True)  # a window of its own, which nobody has after it
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('private') } })")
    page.reload()
    assert page.locator(".track li").count() > 0
    assert page.locator(".progress").count() == 0


def test_without_a_script_a_path_is_a_list(open_page: Open) -> None:
    page = open_page(TOPIC, java_script_enabled=False)
    assert page.locator(f"{FIRST} .track a").count() == 5
    assert page.locator(".progress:visible").count() == 0
