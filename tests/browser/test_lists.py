"""Pages of the whole collection in a browser: their cards, the map, and those that the sample has not."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from pages import DAYS, NOTES, TOPICS
from playwright.sync_api import Page, expect
from running import built, write
from test_judges import FEW, faults, load_axe
from windows import Windows

from paper_notes.render.pages.map import PAGE, map_page, map_parts
from paper_notes.render.site_pages import COLLECTION_PAGES
from paper_notes.values import replace

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
ALL = (len(NOTES), len(NOTES) - len(DAYS))
TOP = "e => e.getBoundingClientRect().top + scrollY"


@pytest.mark.nightly(but_every=2)
@pytest.mark.parametrize(("lang", "title", "summary"), [("zh", "投机解码的原点", "接受规则"), ("en", "begins", "rule")])
@pytest.mark.parametrize(
    ("address", "selector"),
    [
        ("tags.html", "a.ref[data-card]:visible"),
        ("spec-rl/notes/02_Chen_2302.01318.html", "a.note-ref:not([data-title]):visible"),
    ],
)
def test_a_link_to_a_note_has_a_card_in_the_language_of_the_page(
    open_page: Open, address: str, selector: str, lang: str, title: str, summary: str
) -> None:
    page = open_page(f"{address}?lang={lang}")
    link = page.locator(selector, has_text="#1 Leviathan").first
    link.hover()
    card = page.locator("#pn-card")
    card.wait_for(state="visible")
    assert title in card.locator("a").inner_text()
    assert summary in card.locator("p").inner_text()


def test_the_map_has_words_of_one_size_and_lines_beside_its_boxes(open_page: Open) -> None:
    page = open_page("map.html?lang=en")
    body = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.index .wide .entries')).fontSize)")
    for width in (1440, 1024):
        page.set_viewport_size({"width": width, "height": 1000})
        sizes = page.locator(".node").evaluate_all("nodes => nodes.map(n => parseFloat(getComputedStyle(n).fontSize))")
        assert len(sizes) in ALL
        assert all(14 <= size <= body for size in sizes), f"{width} px: {sizes[0]}"
        assert (
            page.locator(".node").evaluate_all("""nodes => nodes.filter(n => n.offsetHeight < 24
            || n.scrollWidth > n.clientWidth || n.querySelector('span').scrollHeight > n.clientHeight)""")
            == []
        )
        crossed = page.evaluate("""() => {
          const boxes = [...document.querySelectorAll('.node,.field h3')].map(e => e.getBoundingClientRect());
          return [...document.querySelectorAll('.line path')].flatMap(path => {
            const to = path.getScreenCTM(), all = path.getTotalLength();
            return Array.from({length: 60}, (_, i) => path.getPointAtLength(all * i / 59).matrixTransform(to))
              .filter(p => boxes.some(b =>
                p.x > b.left + 1 && p.x < b.right - 1 && p.y > b.top + 1 && p.y < b.bottom - 1));
          }).length }""")
        assert crossed == 0, "no line goes over a box, drawn as the page is wide"
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_map_of_four_columns_is_scrolled_where_their_words_do_not_fit(windows: Windows, tmp_path: Path) -> None:
    topics = ("one", "two", "three", "four")
    files = {"notes_src/site.yaml": f"title: {{zh: 四, en: Four}}\ntopics: [{', '.join(topics)}]\n"}
    for topic in topics:
        files[f"notes_src/{topic}/topic.yaml"] = f"title: {{zh: 专题, en: Topic {topic}}}\n"
        for number in (1, 2):
            files[f"notes_src/{topic}/0{number}_N/note.yaml"] = f"title: {{zh: 题, en: Note {number}}}\n"
            files[f"notes_src/{topic}/0{number}_N/en.md"] = "See [[one/#1]], [[four/#2]].\n"
    site = built(write(tmp_path, files))
    with windows.watched(lambda _: True):
        page = windows.open(width=1023)
        page.goto(f"{site.as_uri()}/map.html?lang=en")
        assert page.locator(".field > div").count() == 4
        for width, scrolls in ((390, True), (700, True), (1024, False)):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.locator(".graph").evaluate("e => e.scrollWidth > e.clientWidth") == scrolls
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.locator(".node").first.evaluate("e => e.clientWidth") > 100


def test_on_a_phone_the_map_is_scrolled_sideways_before_its_list(open_page: Open) -> None:
    page = open_page("map.html?lang=en", width=390, height=844)
    assert page.locator(".graph").evaluate("e => e.scrollWidth > e.clientWidth && e.clientWidth <= 390")
    assert (
        page.locator(".node > span").evaluate_all("""spans => spans.map(e => e.innerText).filter((_, i) =>
        spans[i].scrollHeight > spans[i].clientHeight + 2)""")
        == []
    ), "no name is cut off"
    last = page.locator(".node").last
    last.focus()
    box = last.bounding_box()
    assert box
    assert 0 <= box["x"] < 390, "the keyboard brings a box into view"
    assert page.locator("#list .entries > li:visible").count() in ALL


def test_a_large_map_has_topics_and_each_a_map_where_notes_are_found(
    windows: Windows, tmp_path: Path, judges: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(PAGE, view=partial(map_page, large=3), parts=partial(map_parts, large=3))
    pages = tuple(small if page is PAGE else page for page in COLLECTION_PAGES)
    monkeypatch.setattr("paper_notes.render.site_pages.COLLECTION_PAGES", pages)
    files = {"notes_src/site.yaml": "title: {zh: 大, en: Large}\ntopics: [one, two]\n"}
    for topic in ("one", "two"):
        files[f"notes_src/{topic}/topic.yaml"] = f"title: {{zh: 专题, en: Topic {topic}}}\n"
        for number in range(1, 43):
            name = f"notes_src/{topic}/{number:02}_N"
            files[f"{name}/note.yaml"] = f"title: {{zh: 题{number}号, en: Note {number} of {topic}}}\n"
            files[f"{name}/en.md"] = f"See [[#{number % 42 + 1}]], [[one/#2]].\n"
    site = built(write(tmp_path, files))
    with windows.watched(lambda _: True):
        page = windows.open(width=1200)
        page.goto(f"{site.as_uri()}/map.html?lang=en")
        expect(page.locator(".node")).to_have_count(2)
        expect(page.locator(".line")).to_have_count(1)
        assert page.locator("#list .ref").count() <= 16, "a few notes of each topic, and none of the others"
        page.locator(".node", has_text="Topic one · 42").focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/map-one.html*")
        expect(page.locator(".shelf [aria-current]")).to_have_text("Map", use_inner_text=True)
        expect(page.locator(".node")).to_have_count(40)
        top = page.locator("#list").evaluate(TOP)
        page.locator("#pn-map-find").fill("NOTE 5 of")
        expect(page.locator("#list .entries > li:visible")).to_have_count(4)  # it, and those that it is linked with
        expect(page.locator(".node:not(.miss)")).to_have_count(1)
        expect(page.locator(".map-find output")).to_have_text("4")
        assert page.locator("#list").evaluate(TOP) == top, "what is above the list stays where it is"
        page.locator("#pn-map-find").fill("题5号")
        expect(page.locator("#list .entries > li:visible")).to_have_count(4)
        page.locator("#pn-map-find").fill("")
        expect(page.locator("#list .entries > li:visible")).to_have_count(42)
        for address in ("map", "map-two"):
            page.goto(f"{site.as_uri()}/{address}.html?lang=en")
            page.set_viewport_size({"width": 390, "height": 844})
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            page.evaluate(FEW)
            load_axe(page, judges)
            assert faults(page) == []


def test_what_is_focused_on_the_map_keeps_its_neighbours_and_their_lines(open_page: Open) -> None:
    page = open_page("map.html?lang=en")
    seen = """selector => [...document.querySelectorAll(selector)]
        .filter(e => getComputedStyle(e).opacity == 1).map(e => e.innerText)"""
    page.add_style_tag(content="*{transition:none!important}")
    assert len(page.evaluate(seen, ".node")) in ALL
    page.locator(".node", has_text="Search-R1").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    names = page.evaluate(seen, ".node")
    assert [name for name in names if "Papers of" not in name] == [
        "#4 ReSpec",
        "#2 RL post-training frameworks compared",
        "#1 Search-R1",
        "#2 The evolution of LLM memory",
        "#3 Agents and RL",
    ]
    assert len(page.evaluate(seen, ".line")) == len(names) - 1
    title = re.compile("^#1 Search-R1: learning to search inside RL")
    expect(page.locator(".about:visible")).to_have_text(title, use_inner_text=True)
    expect(page.locator(".hint:visible")).to_have_count(0)
    page.keyboard.press("Enter")
    page.wait_for_url("**/notes/01_SearchR1*.html*")


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("topic", TOPICS)
def test_a_reading_path_is_a_line_from_station_to_station(open_page: Open, topic: str) -> None:
    for width in (1280, 390):
        page = open_page(topic, width=width)
        for track in page.locator(".track").all():
            numbers = track.locator("li").evaluate_all("steps => steps.map(step => step.getBoundingClientRect().top)")
            assert numbers == sorted(numbers)
            assert width > 800 or len(set(numbers)) == len(numbers), "one below the other on a phone"


@pytest.mark.nightly
def test_axe_finds_nothing_on_the_pages_that_the_sample_has_not(
    windows: Windows, judges: Path, bilingual: Path
) -> None:
    with windows.watched(lambda _: True):
        page = windows.open(width=390, height=844)
        for name in ("errata", "404", "papers", "map", "stats"):
            page.goto((bilingual / f"{name}.html").as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            page.evaluate(FEW)
            load_axe(page, judges)
            assert faults(page) == [], name


SMALL = """() => [...document.querySelectorAll('main a, main summary, main label, main button')]
  .filter(e => e.getClientRects().length && !e.closest('.vh, .dek, .intro, .body'))
  .filter(e => Math.max(...[...e.getClientRects()].map(box => box.height)) < 24)
  .map(e => `${e.outerHTML.slice(0, 80)} ${e.getBoundingClientRect().height}`)"""


@pytest.mark.parametrize("width", [1440, 390])
def test_papers_fit_and_links_of_the_lists_are_large_enough(open_page: Open, width: int) -> None:
    page = open_page("papers.html?lang=en", width=width, height=900)
    assert width < 1440 or page.evaluate("document.querySelector('#authors').offsetTop") <= 2650
    cited = page.locator(".stops > .cited")
    expect(cited.first).to_be_visible()
    page.locator("#pn-papers-read").check()
    expect(cited.first).to_be_hidden()
    count = int(page.locator("#pn-papers-read + span .count").inner_text())
    expect(page.locator(".stops > li:visible")).to_have_count(count)
    page.locator("#pn-papers-all").check()
    for address in ("papers", "tags", "glossary", "spec-rl/index"):
        page.goto(page.url.split("/site/")[0] + f"/site/{address}.html?lang=en")
        assert page.evaluate(SMALL) == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
    first = page.locator(".rows li").first.bounding_box()
    assert first
    assert width < 1440 or first["y"] <= 400, "the notes of a topic begin high on its page"


@pytest.mark.nightly
def test_axe_finds_nothing_on_the_map_and_statistics_of_a_large_collection(
    windows: Windows, judges: Path, many: Path
) -> None:
    with windows.watched(lambda _: True):
        page = windows.open(width=768, height=900)
        for name in ("map", "stats"):
            page.goto((many / f"{name}.html").as_uri())
            for width in (390, 768):
                page.set_viewport_size({"width": width, "height": 900})
                assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            page.evaluate(FEW)
            load_axe(page, judges)
            assert faults(page) == [], name
        page.goto((many / "stats.html").as_uri())
        page.set_viewport_size({"width": 390, "height": 900})
        for part in (".columns > span", ".weeks [data-tip]"):
            for place in (page.locator(part).first, page.locator(part).last):
                place.hover()
                assert page.evaluate("document.documentElement.scrollWidth") <= 390, "what it says has room too"
        page.goto((many / "map.html").as_uri())
        assert page.locator(".graph:visible, .matrix:visible").count() > 1


CONTRAST = """series => {
  const light = colour => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map(v => v / 255);
    return parts.map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
      .reduce((sum, v, place) => sum + v * [.2126, .7152, .0722][place], 0);
  };
  const of = e => light(getComputedStyle(e).backgroundColor), one = s => document.querySelector(s);
  const against = (a, b) => (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  const [first, second, ground] = [of(one(series + ' .s0')), of(one(series + ' .s1')), of(document.body)];
  return [against(first, ground), against(second, ground), against(first, second)];
}"""


def test_plots_are_told_apart_in_both_themes_and_say_their_values(open_page: Open) -> None:
    page = open_page("stats.html?lang=en")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        first, second, between = page.evaluate(CONTRAST, ".columns")
        assert min(first, second) >= 3, scheme
        assert between >= 1.8, scheme
    year = page.locator(".columns > span", has_text="2024").first
    assert year.locator("b").inner_text() == "9"
    expect(page.locator(".columns em:visible")).to_have_count(0)
    year.hover()
    expect(year.locator("em")).to_be_visible()
    assert year.locator("em").inner_text() == "2024: 3 read, 6 only in the library"
    for width, most in ((1280, 12), (390, 6)):
        page.set_viewport_size({"width": width, "height": 900})
        years = page.locator(".columns", has_text="2024")
        ticks = years.locator("small:visible").evaluate_all("all => all.map(e => e.getBoundingClientRect())")
        assert len(ticks) == most
        assert all(a["right"] + 2 < b["left"] for a, b in pairwise(ticks)), "no word touches the next"
