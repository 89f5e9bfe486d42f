"""Writing beside an open page that `paper-notes serve` shows: it follows, keeps the place, and tells of mistakes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pages import SECONDS, until
from playwright.sync_api import Page, expect
from running import write
from serving import Program
from windows import Windows

pytestmark = pytest.mark.browser

SITE = "title: {zh: 网站, en: Site}\ntopics: [t]\n"
TOPIC = "title: {zh: 专题, en: Topic}\n"
NOTE = "title: {zh: 笔记, en: Note}\nsummary: {zh: 一句话, en: One line}\n"
SECTIONS = [
    f"## Section {n} {{#s{n}}}\n" + "".join(f"\nText {n}.{m}. " + "words " * 60 for m in range(8)) for n in range(6)
]
EN = "\n\n".join([*SECTIONS, ":::details Answer\nForty-two.\n:::\n"])
ADDRESS = "t/notes/01_A.html"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = {"site.yaml": SITE, "t/topic.yaml": TOPIC, "t/01_A/note.yaml": NOTE, "t/01_A/zh.md": "", "t/01_A/en.md": EN}
    files |= {"t/02_B/note.yaml": NOTE.replace("Note", "Other"), "t/02_B/en.md": "Some words."}
    files |= {"t/03_C/note.yaml": NOTE.replace("Note", "Third"), "t/03_C/en.md": "Not at rest."}
    files |= {"t/04_D/note.yaml": NOTE.replace("Note", "Fourth"), "t/04_D/en.md": "Nothing much."}
    return write(tmp_path_factory.mktemp("writing"), {f"notes_src/{name}": text for name, text in files.items()})


@pytest.fixture(scope="module")
def program(root: Path) -> Iterator[Program]:
    running = Program(root, "--port", "0")
    running.until("rebuilt")
    yield running
    running.close()


@pytest.fixture
def open_page(program: Program, windows: Windows) -> Iterator[Callable[..., Page]]:
    """Opens a page; at the end none of them may have complained.

    Tests share one program: what a test writes last must have come to its page before it ends.
    """
    pages: list[Page] = []

    def opened(address: str, width: int = 1280) -> Page:
        page = windows.open(width=width, height=800)
        pages.append(page)
        page.goto(f"{program.address}{address}")
        page.evaluate("window.loadedBefore = true")
        return page

    with windows.watched(lambda _: True):
        yield opened
        for page in pages:
            page.goto("about:blank")  # it listens no longer
    assert windows.wrong == []


def reloaded(page: Page) -> None:
    """Waits until the page was loaded anew and has come to rest."""
    until(page, "!window.loadedBefore && document.readyState == 'complete'")
    page.evaluate("window.loadedBefore = true")
    page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")


def stays(page: Page, text: str, message: str = "") -> None:
    """The text is where `scroll_to` has put it; it may take the page a moment to find it there again."""
    line = page.get_by_text(text).locator("visible=true").first
    end = time.monotonic() + SECONDS
    while abs((top := line.evaluate("e => e.getBoundingClientRect().top")) - 237) > 2:
        assert time.monotonic() < end, f"{message}: at {top}"


def scroll_to(page: Page, text: str) -> None:
    page.get_by_text(text).locator("visible=true").first.evaluate(
        "e => scrollBy(0, e.getBoundingClientRect().top - 237)"
    )


def test_a_page_that_changed_is_loaded_anew_at_the_same_place(root: Path, open_page: Callable[..., Page]) -> None:
    page, other = open_page(ADDRESS), open_page("t/notes/02_B.html", width=390)
    source = root / "notes_src/t/01_A/en.md"
    page.locator("label:has(#pn-view-en)").click()
    page.get_by_text("Answer").click()
    scroll_to(page, "Text 3.4.")
    stays(page, "Text 3.4.")

    source.write_text("A new beginning.\n\n" * 30 + EN.replace("Text 3.2.", "Text 3.2. Longer by a good deal. " * 9))
    reloaded(page)
    expect(page.get_by_text("A new beginning.").first).to_be_attached()
    expect(page.locator("#pn-view-en")).to_be_checked()
    expect(page.get_by_text("Forty-two.")).to_be_visible()
    stays(page, "Text 3.4.", "what was written above does not push it away")

    source.write_text(EN.replace("Text 3.4.", "Text 3.4. And on. "))
    reloaded(page)
    stays(page, "Text 3.4. And on.", "nor do words in the text that is read")
    assert other.evaluate("window.loadedBefore"), "a page whose bytes are the same is left alone"


@pytest.mark.nightly
def test_mistakes_are_marked_in_the_page_and_hold_no_other_page_back(
    root: Path, program: Program, open_page: Callable[..., Page]
) -> None:
    broken, sound = root / "notes_src/t/02_B/en.md", root / "notes_src/t/03_C/en.md"
    before = [path.read_text("utf-8") for path in (broken, sound)]
    page, phone = open_page("t/notes/02_B.html"), open_page("t/notes/02_B.html", width=390)
    broken.write_text("Some words: [[#99]]\n\n[[#98]]\n")
    for shown in (page, phone):
        reloaded(shown)
        expect(shown.locator("#pn-mistakes")).to_contain_text("2 处错误待改")
        shown.locator("label:has(#pn-view-en)").click()
        shown.locator("#pn-mistakes a").first.click()
        expect(shown.locator("#pn-mistake-1")).to_be_in_viewport()
        expect(shown.get_by_role("mark")).to_have_text(["[[#99]]", "[[#98]]"])
        assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
        expect(shown.get_by_role("alert").locator("summary")).to_have_text("2 errors")
        expect(shown.get_by_role("alert").locator("ol")).not_to_be_visible()
    other = open_page("t/notes/03_C.html")
    sound.write_text("Written meanwhile.")
    reloaded(other)
    expect(other.get_by_text("Written meanwhile.").first).to_be_attached()
    for path, text in zip((broken, sound), before, strict=True):
        path.write_text(text, "utf-8")
    reloaded(page)
    expect(page.locator("#pn-mistakes")).to_have_count(0)


@pytest.mark.nightly
def test_what_concerns_all_pages_is_told_in_them_until_it_is_mended(
    root: Path, program: Program, open_page: Callable[..., Page]
) -> None:
    source = root / "notes_src/site.yaml"
    before = source.read_text("utf-8")
    pages = [open_page("t/notes/02_B.html"), open_page("", width=390)]
    source.write_text(f"{before}wrong: 1\nworse: 2\n", "utf-8")
    for page in pages:
        alert = page.get_by_role("alert")
        for lang, count, said, hint in (
            ("en", "2 errors", 'unknown key "wrong"', "hint: "),
            ("zh", "2 处错误", "没有“wrong”这个键", "提示："),
        ):
            page.locator(f"label:has(#pn-view-{lang})").click()
            expect(alert.locator("summary")).to_have_text(count)
            expect(alert).to_contain_text(f"error[unknown-key]: {said}")
            expect(alert).to_contain_text(hint)
        box = alert.locator("details").bounding_box()
        assert box
        width = page.evaluate("innerWidth")
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("window.loadedBefore"), "the page stays as it was"
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert alert.evaluate(CONTRAST) > 4.5, scheme
    source.write_text(before, "utf-8")
    for page in pages:
        expect(page.get_by_role("alert").locator("details")).to_have_count(0)


CONTRAST = """alert => {
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const light = colour => {
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const linear = c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
    const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map(c => linear(c / 255));
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const box = alert.querySelector('details'), ground = light(getComputedStyle(box).backgroundColor);
  return Math.min(...['details', 'summary', '.rule', '.quiet'].map(name => {
    const ink = light(getComputedStyle(alert.querySelector(name)).color);
    return (Math.max(ink, ground) + .05) / (Math.min(ink, ground) + .05);
  }));
}"""


def test_a_page_that_was_renamed_tells_where_it_is_now(root: Path, open_page: Callable[..., Page]) -> None:
    folder = root / "notes_src/t/03_C"
    page = open_page("t/notes/03_C.html")
    folder.rename(folder.with_name("03_New"))
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("这一页已被删除或改名")
    alert.get_by_role("link").click()
    page.wait_for_url("**/t/notes/03_New.html")
    expect(page.get_by_text("Not at rest.").first).to_be_visible()


def test_a_search_goes_on_where_it_was(root: Path, open_page: Callable[..., Page]) -> None:
    page = open_page("")
    page.locator("#pn-q").fill("nothing")
    expect(page.locator("#pn-results li")).to_have_count(1)
    until(page, "location.search == '?q=nothing'")
    write(root, {"notes_src/t/04_D/en.md": f"Nothing much, and then nothing more: {time.monotonic()}"})
    reloaded(page)
    expect(page.locator("#pn-q")).to_have_value("nothing")
    expect(page.locator("#pn-q")).to_be_focused()
    expect(page.locator("#pn-results li")).to_contain_text("nothing more")


def seen(page: Page, visible: bool) -> None:
    """Another tab comes to the front, or this one again."""
    page.evaluate(
        "hidden => { Object.defineProperty(document, 'hidden', { get: () => hidden, configurable: true });"
        " document.dispatchEvent(new Event('visibilitychange')) }",
        not visible,
    )


def test_a_tab_that_nobody_sees_follows_when_it_is_looked_at(
    root: Path, program: Program, open_page: Callable[..., Page]
) -> None:
    page, other = open_page("t/notes/02_B.html"), open_page("t/notes/02_B.html")
    seen(page, visible=False)
    write(root, {"notes_src/t/02_B/en.md": "Written while nobody looked."})
    reloaded(other)
    assert page.evaluate("window.loadedBefore")
    seen(page, visible=True)
    reloaded(page)
    expect(page.get_by_text("Written while nobody looked.").first).to_be_attached()


@pytest.mark.nightly
def test_after_a_pause_of_the_server_pages_go_on(tmp_path: Path, windows: Windows) -> None:
    files = {"site.yaml": SITE, "t/topic.yaml": TOPIC, "t/01_A/note.yaml": NOTE, "t/01_A/en.md": "First."}
    root = write(tmp_path, {f"notes_src/{name}": text for name, text in files.items()})
    first = Program(root, "--port", "0")
    with windows.browser.new_context() as context:
        page, same = context.new_page(), context.new_page()
        try:
            first.until("rebuilt")
            for tab, address in ((page, ADDRESS), (same, "map.html")):
                tab.goto(f"{first.address}{address}")
                tab.evaluate("window.loadedBefore = true")
            assert first.press_ctrl_c()[0] == 0
        finally:
            first.close()
        write(root, {"notes_src/t/01_A/en.md": "Second."})
        again = Program(root, "--port", str(first.port))
        try:
            again.until("rebuilt")
            reloaded(page)
            expect(page.get_by_text("Second.").first).to_be_attached()
            assert same.evaluate("window.loadedBefore"), "it is the same as before"
        finally:
            again.close()
