"""Searching and filtering on the home page, in a real browser, from disk."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pymupdf
import pytest
import yaml
from pages import LARGE, SECONDS, ask, searched, until
from playwright.sync_api import CDPSession, Page, Request, expect
from reading_html import in_search_file
from running import Once, built, write
from test_judges import faults, load_axe
from test_shift import WATCH
from windows import Windows, starting

from paper_notes.render.search.texts import for_script, search_file

pytestmark = pytest.mark.browser
Search = Callable[..., Page]
CASES: list[tuple[str, list[int]]] = yaml.safe_load((Path(__file__).parent / "search.yaml").read_text("utf-8"))

FIND = """async queries => {
  const found = [], input = document.querySelector("#pn-q");
  const searched = () => performance.getEntriesByName("pn-texts").length;
  for (const query of queries) {
    performance.clearMarks();
    input.value = query;
    input.dispatchEvent(new Event('input', {bubbles: true}));
    for (let waited = 0; !searched() && waited < 5000; waited += 10) await new Promise(done => setTimeout(done, 10));
    found.push([...document.querySelectorAll('#pn-results .no')].map(no => +no.innerText.replace(/\\D/g, '')));
  }
  return found;
}"""
"""Types queries, and waits for each until the texts have been searched too."""
BIB = """\
@misc{leviathan2022fast,
  title = {Fast Inference from Transformers},
  author = {Leviathan, Yaniv and Kalman, Matan},
  year = {2022},
  eprint = {2211.17192},
  archivePrefix = {arXiv},
}
"""
GLOSSARY = [
    {"zh": "投机解码", "en": "speculative decoding", "aliases": ["SD", "投机采样"], "avoid": ["推测解码"]},
    {"zh": "知识蒸馏", "en": "knowledge distillation"},
]
FACTS: dict[str, dict[str, object]] = {
    "01_Origin": {
        "title": {"zh": "投机解码的原点", "en": "The origin of speculative decoding"},
        "papers": ["leviathan2022fast"],
        "created": "2026-01-01",
        "rating": 5,
        "tags": ["draft"],
    },
    "02_Reward": {
        "title": {"zh": "後訓練的獎勵", "en": "Rewards for RL post-training"},
        "summary": {"zh": "从知识蒸馏说起，`x<y`", "en": "From knowledge distillation, on a lattice, `x<y`"},
        "kind": "tutorial",
        "created": "2026-03-01",
        "rating": 3,
        "tags": ["draft"],
    },
    "03_Lossless": {
        "title": {"zh": "投机采样没有损失", "en": "Lossless speculative decoding on a lattice"},
        "kind": "tutorial",
        "created": "2026-02-01",
        "status": "revisit",
    },
    "15_Bounds": {
        "title": {"zh": "Rényi 界与 ｆｕｌｌｗｉｄｔｈ 策略", "en": "Rényi bounds and café policies"},
        "created": "2025-01-01",
        "status": "todo",
        "tags": ["theory", "lattice"],
    },
}
TEXTS = {
    "01_Origin": ("鴛鴦 在这里。\n", "It begins with a lattice: don't say \"a drafter's bet\"... ever.\n"),
    "02_Reward": ("## 动机\n\n平常的话。\n", "## Motivation\n\nPlain words.\n"),
    "03_Lossless": ("## 核心方法\n\n**只在正文**里的`暗号`。\n", "## Method\n\nA secret *phrase* with $x < y$.\n"),
    "15_Bounds": ("x\n", ""),
}


def files_of_notes() -> dict[str, str]:
    files = {
        "notes_src/site.yaml": "title: {zh: 笔记, en: Notes}\ntopics: [t]\n",
        "notes_src/t/topic.yaml": "title: {zh: 题, en: Topic}\nemoji: 🔵\n",
        "notes_src/a.bib": BIB,
        "notes_src/glossary.yaml": json.dumps(GLOSSARY),
    }
    for name, facts in FACTS.items():
        files[f"notes_src/t/{name}/note.yaml"] = json.dumps(facts)
        for lang, text in zip(("zh", "en"), TEXTS[name], strict=True):
            if text:
                files[f"notes_src/t/{name}/{lang}.md"] = text
    return files


@pytest.fixture(scope="module")
def small(once: Once) -> Path:
    return once("small", lambda root: built(write(root, files_of_notes()))) / "site"


@pytest.fixture
def home(windows: Windows) -> Iterator[Search]:
    """Opens a home page, which may ask for nothing but itself and its texts, and say nothing on its console."""
    sites: list[str] = []

    def own(request: Request) -> bool:
        return request.url.startswith(tuple(f"{site}/{name}" for site in sites for name in ("index.html", "search-")))

    def opened(site: Path, query: str = "", **options: Any) -> Page:
        sites.append(site.as_uri())
        page = windows.open(**options)
        page.goto(f"{site.as_uri()}/index.html{query}")
        return page

    with windows.watched(own):
        yield opened
    assert windows.wrong == []


@pytest.fixture
def window(windows: Windows) -> Iterator[Callable[..., Page]]:
    """Opens a window that may ask for anything and say anything."""
    with windows.watched(lambda _: True):
        yield windows.open


def at(end: str) -> re.Pattern[str]:
    """The address of a page, by its end."""
    return re.compile(f"{re.escape(end)}$")


def choose(page: Page, name: str, value: str) -> None:
    """A filter or the order, as a reader does."""
    if not page.locator("#pn-filters").is_visible():
        page.locator("#pn-open").click()
    page.locator(f"[name={name}]").select_option(value)


def numbers(page: Page) -> list[int]:
    return [int("".join(filter(str.isdigit, no))) for no in page.locator("#pn-results .no").all_inner_texts()]


def marks(page: Page) -> list[str]:
    return page.locator("#pn-results mark").all_inner_texts()


@pytest.mark.nightly
def test_it_finds_in_both_languages_in_any_case_width_and_script(home: Search, small: Path) -> None:
    pages = {lang: home(small, f"?lang={lang}") for lang in ("zh", "en")}
    for page in pages.values():  # both at once: most of the time is a pause after each key
        page.evaluate(f"queries => {{ window.finding = ({FIND})(queries) }}", [query for query, _ in CASES])
    wrong = []
    for lang, page in pages.items():
        for (query, expected), got in zip(CASES, page.evaluate("finding"), strict=True):
            if got != expected:
                wrong.append(f"{query} ({lang}): {got}, not {expected}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("lang", "cases"),
    [
        (
            "zh",
            {
                "推测解码": ["投机解码", "投机采样"],
                "ORIGIN": ["origin"],
                "renyi": ["Rényi"],
                "fullwidth": ["ｆｕｌｌｗｉｄｔｈ"],
                "后训练": ["後訓練"],
                "theory": ["theory"],
                "secret phrase": ["secret", "phrase"],
            },
        ),
        ("en", {"speculative decoding": ["speculative decoding"] * 2, "Kalman": ["Kalman"]}),
    ],
)
def test_what_was_found_is_marked_and_shown(home: Search, small: Path, lang: str, cases: dict[str, list[str]]) -> None:
    page = home(small, f"?lang={lang}")
    for query, expected in cases.items():
        ask(page, query)
        assert marks(page) == expected, query


def test_a_hit_in_the_text_leads_to_its_section(home: Search, small: Path) -> None:
    page = home(small)
    ask(page, "只在正文里的暗号")
    why, link = page.locator("#pn-results .why"), page.locator("#pn-results h3 a")
    expect(why).to_have_text("1 核心方法 只在正文里的暗号。")
    assert unquote(link.get_attribute("href") or "") == "t/notes/03_Lossless.html#method:~:text=只在正文里的暗号"
    ask(page, "secret")
    expect(why).to_have_text("1 核心方法 A secret phrase with x<y.")
    expect(why).to_have_attribute("lang", "en")
    expect(why.locator(".in")).to_have_attribute("lang", "zh-CN")
    href = unquote(link.get_attribute("href") or "")
    assert href == "t/notes/03_Lossless.html?lang=en#method:~:text=A secret phrase with"
    ask(page, "核心方法")
    expect(why).to_have_text("1 核心方法 只在正文里的暗号。")
    assert link.get_attribute("href") == "t/notes/03_Lossless.html#method"


def test_the_number_of_hits_is_told(home: Search, small: Path) -> None:
    page = home(small, "?lang=en")
    expect(page.locator(".top .count .en")).to_have_text("4 notes")
    assert page.locator("#pn-found").get_attribute("role") == "status"
    ask(page, "lattice")
    expect(page.locator("#pn-found")).to_have_text("4 of 4 notes · 1 in their text only")
    page.locator("#pn-view-zh").dispatch_event("click")
    expect(page.locator("#pn-found")).to_contain_text("4 / 4 篇")


def test_filters_combine_live_in_the_address_and_survive_a_reload(home: Search, small: Path) -> None:
    page = home(small, "?lang=en")
    choose(page, "kind", "tutorial")
    assert numbers(page) == [2, 3]
    choose(page, "status", "read")
    assert numbers(page) == [2]
    ask(page, "distillation")
    assert numbers(page) == [2]
    expect(page).to_have_url(at("index.html?lang=en&q=distillation&kind=tutorial&status=read"))
    page.reload()
    searched(page)
    assert numbers(page) == [2]
    expect(page.locator("#pn-q")).to_have_value("distillation")
    expect(page.locator("[name=kind]")).to_have_value("tutorial")
    page.locator("#pn-clear").click()
    expect(page.locator("#pn-results")).to_be_hidden()
    expect(page.locator("#t")).to_be_visible()
    expect(page).to_have_url(at("index.html?lang=en"))


def test_each_filter_and_order(home: Search, small: Path) -> None:
    page = home(small, "?lang=en")
    for name, value, expected in (
        ("tag", "draft", [1, 2]),
        ("year", "2022", [1]),
        ("year", "2025", [15]),
        ("language", "en", [1, 2, 3]),
        ("language", "zh", [1, 2, 3, 15]),
        ("language", "both", [1, 2, 3]),
        ("rating", "3", [1, 2]),
        ("rating", "5", [1]),
        ("sort", "newest", [2, 3, 1, 15]),
        ("sort", "rating", [1, 2, 3, 15]),
        ("sort", "title", [3, 15, 2, 1]),
        ("sort", "papers", [1, 2, 3, 15]),
    ):
        choose(page, name, value)
        assert numbers(page) == expected, f"{name} {value}"
        page.locator("#pn-clear").click()


def test_an_address_that_asks_for_what_is_not_there(home: Search, small: Path) -> None:
    page = home(small, "?kind=nothing&topic=%3Cb%3E&q=origin")
    searched(page)
    assert numbers(page) == [1]


def test_choices_say_how_many_notes_they_leave(home: Search, small: Path) -> None:
    page = home(small, "?lang=en&status=read")
    page.locator("#pn-open").click()
    page.locator("[name=kind]").focus()
    assert page.locator("[name=kind] option").all_inner_texts() == ["All", "Paper (1)", "Tutorial (1)"]


def test_nothing_found_says_what_to_try(home: Search, small: Path) -> None:
    page = home(small, "?lang=en&kind=paper")
    ask(page, "Lossless speculative")
    expect(page.locator("#pn-nothing")).to_contain_text("Nothing found for “Lossless speculative”.")
    page.get_by_role("button", name="Without the filters (1)").click()
    assert numbers(page) == [3]


def test_the_order_says_relevance_while_a_query_ranks(home: Search, small: Path) -> None:
    page = home(small, "?lang=en")
    first = page.locator("[name=sort] option").first
    expect(first).to_have_text("Topic, number")
    page.locator("#pn-q").fill("origin")
    expect(first).to_have_text("Relevance")
    page.locator("#pn-q").fill("")
    expect(first).to_have_text("Topic, number")


def test_a_hit_is_marked_where_its_link_arrives(window: Callable[..., Page], small: Path) -> None:
    page = window()
    page.goto(f"{small.as_uri()}/index.html?lang=zh")
    ask(page, "secret")
    page.locator("#pn-results h3 a").click()
    page.wait_for_url("**/03_Lossless.html?lang=en*")
    expect(page.locator("em", has_text="phrase")).to_be_visible()
    page.evaluate("document.head.append(document.createElement('style'))")
    page.evaluate("document.head.lastChild.textContent = '::target-text { background: rgb(1, 254, 3) }'")
    end, marked = time.monotonic() + SECONDS, False
    while not marked:
        assert time.monotonic() < end
        page.wait_for_timeout(100)  # the browser looks for the words when the page is complete
        picture = pymupdf.Pixmap(page.screenshot())
        places = ((x, y) for x in range(0, picture.width, 4) for y in range(0, picture.height, 4))
        marked = any(picture.pixel(*place) == (1, 254, 3) for place in places)


def test_it_is_used_by_keyboard(home: Search, small: Path) -> None:
    page = home(small, "?lang=en")
    page.locator("#pn-q").focus()
    page.keyboard.type("speculative")
    searched(page)
    links = page.locator("#pn-results h3 a")
    page.keyboard.press("ArrowDown")
    expect(links.nth(0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#pn-q")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#pn-q")).to_have_value("")
    expect(page.locator("#pn-results")).to_be_hidden()


def test_enter_opens_the_first_result_and_back_finds_the_search_again(window: Callable[..., Page], small: Path) -> None:
    page = window()
    page.goto(f"{small.as_uri()}/index.html?lang=en")
    page.locator("#pn-q").fill("lossless")
    page.keyboard.press("Enter")
    page.wait_for_url("**/03_Lossless.html*")
    page.go_back()
    searched(page)
    assert numbers(page) == [3]


def test_enter_that_ends_a_composition_opens_nothing(home: Search, small: Path) -> None:
    page = home(small)
    ask(page, "origin")
    page.evaluate("""document.querySelector('#pn-q').dispatchEvent(
        new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, isComposing: true}))""")
    assert page.url.partition("?")[0].endswith("index.html")


def test_the_help_lists_its_keys(home: Search, small: Path) -> None:
    page = home(small, "?lang=en")
    page.keyboard.press("?")
    expect(page.locator("dialog kbd")).to_have_text(["l", "t", "h", "/", "?", "↓ ↑", "Enter", "Esc"])


def test_files_that_are_not_there_are_told(window: Callable[..., Page], small: Path, tmp_path: Path) -> None:
    for name in ("index.html", "search-palette.css", "search-notes.css"):
        page = window()
        (tmp_path / name).write_bytes((small / name).read_bytes())
        page.goto(f"{tmp_path.as_uri()}/index.html?lang=en&q=origin")
        if name == "search-notes.css":
            searched(page)
            expect(page.locator("#pn-found")).to_have_text("1 of 4 notes · some files with texts could not be read")
        else:
            expect(page.locator("#pn-q:placeholder-shown")).to_have_attribute(
                "placeholder", re.compile("^Search needs the other")
            )
            expect(page.locator("#t .rows")).to_be_visible()


def test_rows_of_a_large_collection_are_made_when_they_are_reached(home: Search, large: Path) -> None:
    page = home(large, "?lang=en&sort=title")
    assert page.locator("#pn-results li:not(.sentinel)").count() < LARGE
    end, made = time.monotonic() + SECONDS, page.locator("#pn-results h3")
    while made.count() < LARGE:
        assert time.monotonic() < end
        page.mouse.wheel(0, 2500)
        page.wait_for_timeout(50)
    assert len(set(made.all_inner_texts())) == LARGE


MANY = 4000


@pytest.fixture(scope="module")
def vast(large: Path, once: Once) -> Path:
    """The same home page with the facts of thousands of notes: there is no page of them."""

    def make(root: Path) -> None:
        shutil.copytree(large, root / "site", ignore=shutil.ignore_patterns("notes"))
        facts = root / "site" / "search-notes.css"
        data = in_search_file(facts.read_text("utf-8"))
        notes = data["notes"]
        for number in range(len(notes), MANY):
            row = list(notes[number % LARGE])
            row[1], row[14] = number, row[14].replace(".html", f"_{number}.html")
            notes.append(row)
        facts.write_text(search_file("notes", for_script(data)), "utf-8")

    return once("vast", make) / "site"


@pytest.mark.nightly(but_every=2)
@pytest.mark.parametrize("width", [1440, 390])
def test_thousands_of_notes_answer_a_key_at_once_and_come_as_one_scrolls(home: Search, vast: Path, width: int) -> None:
    page = home(vast, "?lang=en", width=width)
    assert len(gzip.compress((vast / "index.html").read_bytes(), 9)) <= 60_000
    expect(page.locator("#pn-filters select").first.locator("option").first).to_be_attached()
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})  # seconds of the processor
    spent = []
    for end in range(1, 13):
        before = metric(session)
        page.locator("#pn-q").evaluate(TYPE, "distillation"[:end])
        spent.append(metric(session) - before)
    before = metric(session)
    page.evaluate(SORT)
    yardstick = metric(session) - before
    assert statistics.median(spent) <= 0.5 * yardstick, (yardstick, spent)
    page.locator("#pn-q").evaluate(TYPE, "")
    page.locator(".jump a").first.click()
    rows = page.locator("#pn-results li:not(.sentinel)")
    expect(page.locator("#pn-found")).to_contain_text(f"of {MANY} notes")
    assert rows.count() < 300
    shown = rows.count()
    page.locator("#pn-results li").last.scroll_into_view_if_needed()
    until(page, "shown => document.querySelectorAll('#pn-results li').length > shown + 20", shown)


SORT = """() => {
  for (let k = 0; k < 5; k++) Array.from({ length: 1e5 }, (_, i) => i * 7919 % 100003).sort((a, b) => a - b)
}"""
"""What the time for a key is measured against: some 100 ms where a key takes 30, whatever else the machine does."""
TYPE = "(input, text) => { input.value = text; input.dispatchEvent(new Event('input')); document.body.offsetHeight }"


def metric(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(float(metric["value"]) for metric in metrics if metric["name"] == "TaskDuration")


def test_rows_go_on_to_the_end_of_a_tall_window(window: Callable[..., Page], large: Path) -> None:
    page = window(height=15_000)
    page.goto(f"{large.as_uri()}/index.html?sort=title")
    expect(page.locator("#pn-results li")).to_have_count(LARGE)


def test_a_chosen_result_stays_chosen_when_the_texts_have_been_searched(home: Search, small: Path) -> None:
    page = home(small, "?lang=en")
    page.locator("#pn-q").fill("lattice")
    page.keyboard.press("ArrowDown")
    searched(page)
    assert numbers(page) == [3, 15, 2, 1]
    expect(page.locator("#pn-results h3 a").first).to_be_focused()


SEEN = """() => {
  window.seen = [];
  const rows = document.querySelector('#pn-results'), said = document.querySelector('#pn-found');
  new MutationObserver(() => window.seen.push([rows.querySelectorAll('h3').length, said.textContent]))
    .observe(said, {childList: true});
}"""


def test_what_is_found_first_in_the_texts_is_shown_while_the_rest_is_read_and_stays(home: Search, large: Path) -> None:
    page = home(large, "?lang=en")
    assert len(list(large.glob("search-[01]*.css"))) > 3, "files that are read one after the other"
    page.evaluate(SEEN)
    page.evaluate("() => performance.clearMarks()")
    page.locator("#pn-q").fill("temperature")
    searched(page)
    shown = [rows for rows, said in page.evaluate("window.seen") if rows and "searching" in said]
    assert shown, "rows before all is read"
    assert "searching" not in page.locator("#pn-found").inner_text()
    found = numbers(page)
    assert len(found) == len(set(page.locator("#pn-results h3 a").evaluate_all("all => all.map(a => a.pathname)")))
    assert len(found) >= shown[0]


def test_a_topic_of_a_large_collection_is_shown_whole(home: Search, large: Path) -> None:
    page = home(large, "?lang=en")
    shown = page.locator("#spec-rl .rows li").count()
    page.locator("#spec-rl .more a").click()
    expect(page.locator("#pn-results")).to_be_visible()
    count = int(page.locator("#pn-found").inner_text().split(" of ")[0])
    assert count > shown
    expect(page).to_have_url(at("?lang=en&topic=spec-rl"))


def test_without_a_script_the_topics_lead_to_all_notes(window: Callable[..., Page], large: Path) -> None:
    page = window(java_script_enabled=False)
    page.goto((large / "index.html").as_uri())
    assert page.locator(".find").is_hidden()
    assert page.locator(".more a:visible").count() > 2
    rows = set[str]()
    for topic in page.locator("section.topic h2 a").evaluate_all("all => all.map(a => a.href)"):
        page.goto(topic)
        for year in [topic, *page.locator("#notes .jump a").evaluate_all("all => all.map(a => a.href)")]:
            page.goto(year)
            rows |= set(page.locator("#notes .rows h3 a").evaluate_all("all => all.map(a => a.href)"))
    assert len(rows) == LARGE


def test_nothing_shifts_when_a_search_is_opened_by_its_address(window: Callable[..., Page], large: Path) -> None:
    page = window()
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        for query in ("", "?q=distillation&lang=en", "?topic=models&lang=zh"):
            with starting(page, WATCH):
                page.goto(f"{large.as_uri()}/index.html{query}")
                searched(page)
                # a busy browser draws a row before its last words have come, which move those before them: 0.0004
                seen = [shift for shift in page.evaluate("shifts") if float(shift.split()[0]) > 0.001]
                assert seen == [], (width, query)


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_scrolls_sideways(home: Search, large: Path, width: int) -> None:
    page = home(large, "?lang=en&q=reward", width=width)
    searched(page)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.locator("#pn-q").fill("x" * 200)
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_on_a_phone_the_filters_open_on_demand(home: Search, small: Path) -> None:
    page = home(small, "?lang=en", width=390)
    expect(page.locator("#pn-filters")).to_be_hidden()
    button = page.get_by_role("button", name="Filter")
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    choose(page, "kind", "tutorial")
    assert numbers(page) == [2, 3]
    expect(button.locator(".count")).to_have_text("1")
    page.get_by_role("button", name="Remove the filter Tutorial").click()
    expect(button).to_be_focused()
    expect(page.locator("#pn-results")).to_be_hidden()
    expect(page).to_have_url(at("index.html?lang=en"))


@pytest.mark.nightly
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_while_searching(home: Search, small: Path, judges: Path, width: int) -> None:
    page = home(small, "?lang=en&kind=tutorial", width=width)
    load_axe(page, judges)
    for query in ("lattice", "secret", "nothing at all"):
        ask(page, query)
        if width < 800:
            page.evaluate("document.querySelector('main').classList.add('filtering')")
        assert faults(page) == [], query


def test_a_program_in_the_page_could_not_load_a_file(window: Callable[..., Page], small: Path, tmp_path: Path) -> None:
    """The policy lets our script load; an element that somebody put into the page stays without effect."""
    html = (small / "index.html").read_text("utf-8")
    (tmp_path / "evil.js").write_text("window.pwned = 1")
    (tmp_path / "index.html").write_text(
        html.replace("<h1>", "<script src=evil.js></script><script>pwned=1</script><h1>")
    )
    page = window()
    page.goto((tmp_path / "index.html").as_uri())
    page.wait_for_timeout(200)
    assert not page.evaluate("'pwned' in window")
