"""What a reader has read along a reading path: marked, continued, kept in the browser, carried elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pages import choose, stored
from playwright.sync_api import Page, expect
from windows import starting

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

TOPIC = "spec-rl/index.html"
PROOF = "spec-rl/notes/03_Lossless_Proof_Tutorial.html"
GUIDE = "guide/index.html"
SHORT = "guide/notes/06_Notes_you_have.html"
"""Where any topic and any note will do: it is loaded in a third of the time."""
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
    button = page.locator(".after .progress button").first
    expect(button).to_have_text("标为已读")
    button.click()
    expect(button).to_have_text("✓ 已读")
    expect(button).to_have_attribute("aria-pressed", "true")
    stored(page)
    page.goto(f"{served}/{TOPIC}")
    counts(page, "已读 1 / 5")
    onward = page.locator(f"{FIRST} .progress a")
    expect(onward).to_have_text("继续读：#1 Leviathan 等")
    expect(page.locator(f"{FIRST} .track li.done")).to_have_count(1)
    choose(page, "en")
    counts(page, "1 of 5 read")
    expect(onward).to_have_text("Continue: #1 Leviathan et al.")
    onward.click()
    page.wait_for_url("**/01_Leviathan_2211.17192.html")
    expect(page.locator(".near [rel=prev] .tick").first, "the note before is ticked").to_be_attached()


def test_two_tabs_agree_and_neither_loses_what_the_other_marked(open_page: Open, served: str) -> None:
    page = open_page(GUIDE, base=served, remembers=True)
    notes = [page.context.new_page() for _ in range(2)]
    for tab, name in zip(notes, ("06_Notes_you_have", "08_Packages_of_yours"), strict=True):
        tab.goto(f"{served}/guide/notes/{name}.html")
    for count, tab in enumerate(notes, 1):
        tab.locator(".after .progress button").first.click()
        expect(page.locator(f"{FIRST} .progress span").first).to_have_text(f"已读 {count} / 9")
        stored(page, *notes)
    notes[0].locator(".after .progress button").first.click()
    expect(page.locator(f"{FIRST} .progress span").first).to_have_text("已读 1 / 9")


def test_the_end_of_a_note_counts_after_a_minute_and_not_before(open_page: Open, served: str) -> None:
    page = open_page(SHORT, base=served, alone=True)  # with a clock of its own
    button = page.locator(".after .progress button").first
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


def store(page: Page, **records: object) -> None:
    """Put the reader's records where the pages look for them, and load the page anew."""
    site = page.locator(".crumbs a").first.text_content()
    for name, record in records.items():
        text = record if isinstance(record, str) else json.dumps(record)
        page.evaluate("([key, text]) => localStorage.setItem(key, text)", [f"pn-{name} {site}", text])
    stored(page)
    page.reload()


def record(page: Page, name: str) -> Any:
    key = f"pn-{name} {page.locator('.crumbs a').first.text_content()}"
    return json.loads(page.evaluate("key => localStorage.getItem(key) || '{}'", key))


def take(page: Page, file: Path, text: str, answer: str) -> None:
    file.write_text(text, "utf-8")
    page.locator("#pn-looks input[type=file]").set_input_files([])
    page.locator("#pn-looks [role=status]").evaluate("e => { e.textContent = '' }")
    page.locator("#pn-looks input[type=file]").set_input_files(file)
    expect(page.locator("#pn-looks [role=status]"), text[:200]).to_have_text(answer)


READ = {"spec-rl/03_Lossless_Proof_Tutorial": "2026-01-02", "spec-rl/02_Chen_2302.01318": "-2026-03-01"}
PLACE = {
    "spec-rl/04_ReSpec_2510.26475": {"id": "method", "no": "3", "at": 0.4, "t": 5, "h": ["法", "M"], "n": ["一", "A"]}
}
RECALL = {"spec-rl/01_Leviathan_2211.17192": {"a": [3, "2026-01-09"], "b": [1, "2026-01-02"]}}
WRONG = "这不是本合集的阅读记录；什么都没有改动"


def test_all_that_a_reader_has_done_goes_to_another_browser_and_the_newer_wins(
    open_page: Open, served: str, tmp_path: Path
) -> None:
    page = open_page(TOPIC, base=served, remembers=True)
    store(page, read=READ, place=PLACE, recall=RECALL)
    page.goto(f"{served}/index.html")
    page.locator("#pn-theme").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="存成文件").click()
    file = tmp_path / "progress.json"
    download.value.save_as(file)
    assert download.value.suggested_filename == "reading-progress.json"
    written = json.loads(file.read_text("utf-8"))
    assert (written["version"], written["read"], written["place"], written["recall"]) == (2, READ, PLACE, RECALL)

    other = open_page(TOPIC, base=served, remembers=True, locale="en")
    place = {**PLACE["spec-rl/04_ReSpec_2510.26475"], "t": 9, "no": "5"}
    own = {"a": [1, "2026-01-03"], "b": [2, "2026-01-05"], "c": [0, "2026-01-01"]}
    store(
        other,
        read={"spec-rl/03_Lossless_Proof_Tutorial": "-2026-01-01", "spec-rl/02_Chen_2302.01318": "2026-02-01"},
        place={"spec-rl/04_ReSpec_2510.26475": place},
        recall={"spec-rl/01_Leviathan_2211.17192": own},
    )
    counts(other, "已读 1 / 5")
    other.goto(f"{served}/index.html")
    other.locator("#pn-theme").click()
    take(other, file, file.read_text("utf-8"), "文件里有 4 篇，每篇留较新的记录")
    assert record(other, "read") == READ
    assert record(other, "place") == {"spec-rl/04_ReSpec_2510.26475": place}
    merged = {"a": [3, "2026-01-09"], "b": [2, "2026-01-05"], "c": [0, "2026-01-01"]}
    assert record(other, "recall") == {"spec-rl/01_Leviathan_2211.17192": merged}
    before = {name: written[name] for name in ("form", "site", "read")}  # as older versions wrote it
    take(other, file, json.dumps(before), "文件里有 2 篇，每篇留较新的记录")
    stored(other)
    other.goto(f"{served}/{TOPIC}")
    expect(other.locator(f"{FIRST} .track li.done .no")).to_have_text(["#3"])


def test_a_damaged_or_foreign_file_is_told_of_and_changes_nothing(open_page: Open, served: str, tmp_path: Path) -> None:
    page = open_page("index.html", base=served, remembers=True)
    store(page, read={"spec-rl/02_Chen_2302.01318": "2026-01-02"})
    site = page.locator(".crumbs a").first.text_content().strip()
    good = {"form": "paper-notes reading progress", "version": 2, "site": site, "read": {"a/1_N": "2026-05-05"}}
    wrong: list[dict[str, object]] = [
        {"form": "other"},
        {"version": 3},
        {"site": "Another"},
        {"read": []},
        {"read": None},
        {"read": {"a/1_N": 5}},
        {"read": {"a/1_N": "2026-05-05", "a/b/c": "2026-05-05"}},
        {"place": {"a/1_N": {"t": 1, "at": 0.5, "id": 7, "no": ""}}},
        {"place": {"a/1_N": None}},
        {"recall": {"a/1_N": {"q": [99, "2026-01-01"]}}},
        {"recall": {"a/1_N": {"q": [1, "soon"]}}},
    ]
    page.locator("#pn-theme").click()
    for text in ("", "{", "[]", "null", *(json.dumps(good | part) for part in wrong)):
        take(page, tmp_path / "wrong.json", text, WRONG)
        assert record(page, "read") == {"spec-rl/02_Chen_2302.01318": "2026-01-02"}, text
    take(page, tmp_path / "good.json", json.dumps(good), "文件里有 1 篇，每篇留较新的记录")


@pytest.mark.nightly
def test_what_is_stored_may_be_broken(open_page: Open) -> None:
    page = open_page(GUIDE)
    topic, site = page.url, page.locator(".crumbs a").first.text_content()
    for text in ("{", "[1]", "7", '{"guide/06_Notes_you_have": 5}'):
        kept = (json.dumps(f"pn-{name} {site}") for name in ("read", "place", "recall", "seen"))
        with starting(page, "".join(f"localStorage.setItem({key}, {json.dumps(text)});" for key in kept)):
            page.goto(topic)
            counts(page, "已读 0 / 9", text)
            page.goto(topic.replace(GUIDE, "index.html"))
            expect(page.locator("#pn-again, #pn-due").filter(visible=True)).to_have_count(0)


def test_without_storage_there_is_nothing_to_press_and_nothing_fails(open_page: Open) -> None:
    page = open_page(GUIDE, alone=True)  # a window of its own, which nobody has after it
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('private') } })")
    page.reload()
    assert page.locator(".track li").count() > 0
    for address in (GUIDE, SHORT, "index.html"):
        page.goto(page.url.replace(GUIDE, address) if address != GUIDE else page.url)
        assert page.locator(".progress").count() == 0
        page.locator("#pn-theme").click()
        expect(page.locator("#pn-looks legend").first).to_be_visible()
        assert page.locator("#pn-looks input[type=file]").count() == 0
        page.go_back() if address != GUIDE else None
    page.goto(page.url.replace(GUIDE, "index.html?lang=en"))
    expect(page.locator("#pn-start, #pn-new").filter(visible=True)).to_have_count(2)
    expect(page.locator("h1")).to_have_text("Paper Notes", use_inner_text=True)
    choose(page, "zh")
    assert page.url.endswith("?lang=zh"), "which the next reload reads"


def test_without_a_script_a_path_is_a_list(open_page: Open) -> None:
    page = open_page(TOPIC, java_script_enabled=False)
    assert page.locator(f"{FIRST} .track a").count() == 5
    assert page.locator(".progress:visible").count() == 0
