"""The palette over every page, in a real browser, from disk."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
import yaml
from pages import until
from playwright.sync_api import Page, expect
from running import built, write
from test_judges import faults, load_axe
from test_shift import WATCH
from windows import Windows, starting

from paper_notes.render.pages.papers import PAGE, papers_page, papers_parts
from paper_notes.render.site_pages import COLLECTION_PAGES
from paper_notes.values import replace

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
NOTE = "spec-rl/notes/04_ReSpec_2510.26475.html"
SHORT = "guide/notes/09_Your_tools.html"
"""Where it does not matter what the page says: to open it takes a fifth of the time."""
CASES: list[tuple[str, str]] = yaml.safe_load((Path(__file__).parent / "palette.yaml").read_text("utf-8"))
ROWS = """() => [...document.querySelectorAll('#pn-list [role=option]')].map(row =>
  [row.parentElement.querySelector('.head'), row.querySelector('b')].map(e =>
    e.textContent.replace(/\\u00a0/g, ' ')))"""
CHOSEN = "() => document.querySelector('#pn-list [aria-selected=true]').querySelector('b').textContent"


def opened(page: Page, key: str = "/") -> Page:
    page.keyboard.press(key)
    expect(page.locator("#pn-ask")).to_be_focused()
    until(page, "() => pn.search.then(() => true)")
    return page


def ask(page: Page, query: str) -> list[tuple[str, str]]:
    """What is shown for a query when all texts that may have it are read."""
    page.evaluate("performance.clearMarks()")
    page.locator("#pn-ask").fill(query)
    until(page, "performance.getEntriesByName('pn-found').length > 0")
    if not page.evaluate(ROWS):
        until(page, "performance.getEntriesByName('pn-corrected').length > 0")
    return [(group, title) for group, title in page.evaluate(ROWS)]


def test_what_is_shown_first_and_in_which_group(open_page: Open) -> None:
    page = opened(open_page(f"{NOTE}?lang=en"))
    wrong = []
    for query, first in CASES:
        rows = ask(page, query)
        if not rows or " / ".join(rows[0]) != first:
            wrong.append(f"{query}: {rows[:2]}, not {first}")
    assert not wrong, "\n".join(wrong)


def test_groups_come_in_the_order_of_their_use(open_page: Open) -> None:
    page = opened(open_page(f"{NOTE}?lang=en"))
    order = ["Terms", "On this page", "Notes", "Papers", "People", "Commands"]
    groups = list(dict.fromkeys(group for query in ("RL", "Chen", "map") for group, _ in ask(page, query)))
    assert sorted(groups, key=order.index) == sorted(set(groups), key=order.index)
    for query in ("RL", "Chen", "stat", "acceptance rate"):
        shown = list(dict.fromkeys(group for group, _ in ask(page, query)))
        assert shown == sorted(shown, key=order.index), query
    assert set(groups) == set(order)


def test_a_page_loads_nothing_until_the_palette_is_opened(open_page: Open, windows: Windows) -> None:
    page, asked = open_page(SHORT), list[str]()
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.wait_for_timeout(200)
    assert asked == []
    opened(page)
    until(page, "document.querySelectorAll('link[rel=stylesheet]').length == 1")
    assert asked[:2] == ["search-palette.css", "search-notes.css"]
    assert all(name.startswith("search-") for name in asked)


@pytest.mark.parametrize("key", ["/", "Control+k", "Meta+k"])
def test_keys_open_it_and_escape_returns_to_the_line_and_the_focus(open_page: Open, key: str) -> None:
    page = open_page(f"{SHORT}?lang=zh")
    link = page.locator("main h2.zh a").last
    link.focus()
    before = page.evaluate("scrollY")
    assert before > 500
    opened(page, key)
    ask(page, "接受率")
    page.keyboard.press("ArrowDown")
    page.mouse.wheel(0, 900)
    page.keyboard.press("Escape")
    expect(page.locator("#pn-palette")).to_be_hidden()
    expect(link).to_be_focused()
    assert page.evaluate("scrollY") == before
    opened(page, key)
    assert page.evaluate("getSelection().toString() || document.querySelector('#pn-ask').value") == "接受率"
    page.keyboard.press("Control+k")
    expect(page.locator("#pn-palette")).to_be_hidden()


def test_what_is_typed_before_it_is_there_is_typed_in_it(open_page: Open) -> None:
    page = open_page(f"{SHORT}?lang=en")
    page.evaluate("""() => { for (const key of '/lth?') document.body.dispatchEvent(
        new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true})) }""")
    expect(page.locator("#pn-ask")).to_have_value("lth?")
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_the_button_opens_it_and_is_large_enough(open_page: Open) -> None:
    for width, lang, name in ((1280, "en", "Search"), (390, "zh", "搜索")):
        page = open_page(f"{SHORT}?lang={lang}", width=width)
        button = page.get_by_role("button", name=name)
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
        assert page.evaluate("document.documentElement.scrollWidth") == width
        button.click()
        expect(page.locator("#pn-ask")).to_be_focused()


def test_enter_jumps_to_the_section_and_marks_the_words(open_page: Open) -> None:
    page = opened(open_page(f"{NOTE}?lang=zh"))
    rows = ask(page, "active batch")
    place = next(i for i, (group, _) in enumerate(rows) if group == "这一页")
    for _ in range(place):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#pn-palette")).to_be_hidden()
    until(page, "location.hash.length > 1 && scrollY > 300")
    assert page.url.partition("#")[0].endswith("?lang=zh"), "the same page"
    page.go_back()
    until(page, "location.hash == ''")


def test_enter_opens_a_note_at_its_section(open_page: Open) -> None:
    page = opened(open_page("glossary.html?lang=en"))
    ask(page, "Search-R1")
    page.keyboard.press("Enter")
    page.wait_for_url("**/agents/notes/01_SearchR1_2503.09516.html*")


def test_arrows_home_and_end_move_and_the_list_follows(open_page: Open) -> None:
    page = opened(open_page(f"{SHORT}?lang=en"))
    titles = [title for _, title in page.evaluate(ROWS)]
    assert len(titles) > 10
    for key, expected in (
        ("ArrowDown", 1),
        ("ArrowUp", 0),
        ("ArrowUp", -1),
        ("Home", 0),
        ("End", -1),
        ("ArrowDown", 0),
    ):
        page.keyboard.press(key)
        assert page.evaluate(CHOSEN) == titles[expected], key
    page.keyboard.press("End")
    active = page.locator("#pn-ask").get_attribute("aria-activedescendant")
    expect(page.locator(f"#{active}")).to_be_in_viewport()


def test_its_words_follow_the_language_of_the_page(open_page: Open) -> None:
    page = opened(open_page(f"{SHORT}?lang=en"))
    ask(page, "English")
    assert "Commands" not in dict(page.evaluate(ROWS)), "it is in English"
    ask(page, "中文")
    rows = page.evaluate(ROWS)
    assert rows[0] == ["Commands", "Language: 中文"]
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    opened(page).locator("#pn-ask").fill("")
    expect(page.locator("#pn-list .head").first).to_have_text("这一页")
    assert ask(page, "深色")[0] == ("命令", "颜色：深色")


def test_a_command_changes_the_colours(open_page: Open) -> None:
    page = opened(open_page("papers.html?lang=en"))
    assert ask(page, "dark")[0] == ("Commands", "Colours: Dark")
    page.locator("#pn-list [role=option]").first.click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_nothing_moves_while_it_is_opened_and_typed_in(open_page: Open) -> None:
    page = open_page(f"{SHORT}?lang=en")
    with starting(page, WATCH):
        page.reload()
        opened(page)
        box = page.locator("#pn-palette").bounding_box()
        for query in ("s", "speculative", "nothing at all like this", ""):
            page.locator("#pn-ask").fill(query)
            page.wait_for_timeout(100)
            assert page.locator("#pn-palette").bounding_box() == box, query
        assert [shift for shift in page.evaluate("shifts") if float(shift.split()[0]) > 0.001] == []


def test_on_a_phone_it_fills_what_the_keyboard_leaves(open_page: Open) -> None:
    page = open_page(SHORT, width=390, height=844)
    page.locator("#pn-seek").click()
    expect(page.locator("#pn-ask")).to_be_focused()
    assert page.locator("#pn-palette").bounding_box() == {"x": 0, "y": 0, "width": 390, "height": 844}
    page.evaluate("""() => {
      Object.defineProperty(visualViewport, 'height', {value: 420});
      visualViewport.dispatchEvent(new Event('resize'));
    }""")
    until(page, "document.querySelector('#pn-palette').offsetHeight == 420")
    page.get_by_role("button", name="关闭").click()
    expect(page.locator("#pn-palette")).to_be_hidden()


def test_a_screen_reader_hears_a_combobox_and_the_count(open_page: Open) -> None:
    page = opened(open_page(f"{SHORT}?lang=en"))
    rows = ask(page, "acceptance rate")
    box = page.get_by_role("combobox", name="Search")
    expect(box).to_have_attribute("aria-expanded", "true")
    assert page.locator(f"#{box.get_attribute('aria-controls')}").get_attribute("role") == "listbox"
    expect(page.get_by_role("group", name="Terms").get_by_role("option")).not_to_have_count(0)
    counted = sum(title != "All results on the home page" for _, title in rows)
    expect(page.locator("#pn-palette [role=status]")).to_have_text(f"{counted} results")
    assert page.locator("[role=option][aria-selected=true]").count() == 1


@pytest.mark.nightly
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_in_it(open_page: Open, judges: Path, width: int) -> None:
    page = open_page(f"{SHORT}?lang=zh", width=width)
    load_axe(page, judges)
    opened(page)
    for query in ("", "接受率", "speculatve decoding", "没有这样的东西"):
        page.locator("#pn-ask").fill(query)
        page.wait_for_timeout(300)
        assert faults(page, within="'#pn-palette'") == [], query


@pytest.fixture
def window(windows: Windows) -> Iterator[Callable[..., Page]]:
    """Opens a window that may ask for anything and say anything."""
    with windows.watched(lambda _: True):
        yield windows.open


def test_a_page_alone_says_that_search_needs_its_site(window: Callable[..., Page], site: Path, tmp_path: Path) -> None:
    shutil.copy(site / SHORT, tmp_path / "a.html")
    page = window()
    page.goto(f"{tmp_path.as_uri()}/a.html?lang=en")
    page.keyboard.press("/")
    expect(page.locator("dialog[open]")).to_have_text(
        "Search needs the other files of its site, and this page is here alone."
    )
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


def test_without_a_script_there_is_no_button(open_page: Open) -> None:
    expect(open_page(SHORT, java_script_enabled=False).locator("#pn-seek")).to_be_hidden()


def test_tags_are_no_tab_but_at_the_foot(open_page: Open) -> None:
    page = open_page("index.html?lang=en")
    assert "Tags" not in page.locator(".shelf a:visible").all_inner_texts()
    assert "Tags" in page.locator(".foot nav a:visible").all_inner_texts()


def test_a_person_is_asked_for_all_of_their_papers(open_page: Open) -> None:
    page = opened(open_page(f"{SHORT}?lang=en"))
    rows = ask(page, "wu")
    page.get_by_role("group", name="People").get_by_role("option", name="Xibin Wu").click()
    expect(page.locator("#pn-ask")).to_have_value("Xibin Wu")
    expect(page.locator("#pn-ask")).to_be_focused()
    until(page, "document.querySelector('#pn-list').textContent.includes('OpenRLHF')")
    papers = [title for group, title in page.evaluate(ROWS) if group == "Papers"]
    assert len(papers) == 3
    assert ("People", "Xibin Wu") in rows
    page.locator("#pn-list a", has_text="Laminar").last.click()
    page.wait_for_url("**/papers.html*#paper-*")
    expect(page.locator("li:target")).to_be_in_viewport()


def test_a_paper_of_a_large_library_is_on_the_page_of_its_year(
    windows: Windows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(PAGE, view=partial(papers_page, large=1), parts=partial(papers_parts, large=1))
    pages = tuple(small if page is PAGE else page for page in COLLECTION_PAGES)
    monkeypatch.setattr("paper_notes.render.site_pages.COLLECTION_PAGES", pages)
    monkeypatch.setattr("paper_notes.render.search.data.LARGE", 1)
    files = {
        "site.yaml": "title: {zh: 大, en: Large}\ntopics: [one]\n",
        "one/topic.yaml": "title: {zh: 一, en: One}\n",
        "one/01_N/note.yaml": "title: {zh: 题, en: Title}\npapers: [new, old]\n",
        "one/01_N/zh.md": "文\n",
        "library.bib": "@misc{new, title={Fresh}, year=2026}\n@misc{old, title={Weathered stone}, year=2020}\n",
    }
    site = built(write(tmp_path, {f"notes_src/{name}": text for name, text in files.items()}))
    with windows.watched(lambda _: True):
        page = windows.open()
        page.goto(f"{site.as_uri()}/one/notes/01_N.html")
        opened(page)
        assert [title for _, title in ask(page, "weathered")][:1] == ["Weathered stone"]
        page.keyboard.press("Enter")
        page.wait_for_url("**/papers-2020.html*#paper-old")
        expect(page.locator("#paper-old")).to_be_in_viewport()
        page.locator(".years a", has_text="2026").click()
        expect(page.locator("#paper-new")).to_be_in_viewport()
