"""How large the pages of a large collection are, how quickly home and palette search, in Chromium, from disk, and what
a changed title costs.

Run it with `make bench` or `python tests/bench/search.py --notes 4000 20000`. Times depend on the machine.
"""

from __future__ import annotations

import argparse
import gzip
import os
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

sys.path.extend(str(Path(__file__).parents[1] / folder) for folder in ("bench", "render", ""))
from collection import make_collection
from measuring import lines
from test_budget import own_share

from paper_notes.build import update
from paper_notes.engine.cache import open_cache

Figures = Iterator[tuple[str, str, str]]
QUERIES = (
    *(
        "投机解码",
        "推测解码",
        "speculative decoding",
        "蒸馏",
        "知識蒸餾",
        "ＫＶ　缓存",
        "Zhang",
        "#15",
        "2503.0",
        "2024",
    ),
    *(
        "在大批量下变慢",
        "reward",
        "EETA",
        "müller",
        "Muller 量化",
        "投机解码 显存",
        "mixture of experts costs",
        "s",
        "解",
    ),
    *("没有这样的话", "nothing like this", "Google Research NeurIPS", "sparse-math open", "离策略 lower bound 2025"),
)
FULL_TEXT = "要两个模型的温度相同"

ONE_QUERY = """query => {
  const input = document.querySelector('#pn-q');
  const start = performance.now();
  input.value = query;
  input.dispatchEvent(new Event('input'));
  document.body.offsetHeight;
  return [performance.now() - start, document.querySelector('#pn-found').textContent];
}"""
OPENING = """() => {
  const [ready, paint] = ['pn-ready', 'first-contentful-paint'].map(name => performance.getEntriesByName(name)[0]);
  return {paint: paint.startTime, ready: ready.startTime};
}"""
TEXTS = """async query => {
  const input = document.querySelector('#pn-q'), start = performance.now();
  performance.clearMarks('pn-texts');
  input.value = query;
  input.dispatchEvent(new Event('input'));
  const frame = () => new Promise(done => requestAnimationFrame(done));
  let shown = 0;
  while (!performance.getEntriesByName('pn-texts').length) {
    document.querySelector('#pn-found button')?.click();
    if (document.querySelector('#pn-results h3')) shown ||= performance.now() - start;
    await frame();
  }
  const spent = performance.getEntriesByName('pn-texts')[0].startTime - start;
  return [shown || spent, spent, document.querySelector('#pn-found').textContent];
}"""
"""Until something is shown, and until all texts that may have the words are read."""
PALETTE = """async query => {
  const input = document.querySelector('#pn-ask'), start = performance.now();
  performance.clearMarks('pn-found');
  input.value = query;
  input.dispatchEvent(new Event('input'));
  document.body.offsetHeight;
  const drawn = performance.now() - start;
  while (!performance.getEntriesByName('pn-found').length) await new Promise(done => setTimeout(done));
  return [drawn, performance.getEntriesByName('pn-found')[0].startTime - start];
}"""
"""Until something is shown, and until all texts that may have the words are read."""


def sizes(site: Path) -> Figures:
    """Of what is written; packed is what a server sends."""

    def packed(pattern: str) -> str:
        sent = ((len(gzip.compress(path.read_bytes(), 9)), path.relative_to(site)) for path in site.glob(pattern))
        size, path = max(sent, default=(0, "none"))
        return f"{size / 1e3:.0f} KB ({path})"

    texts = [path.stat().st_size for path in site.glob("search-*.css")]
    notes = sorted(site.glob("*/notes/*.html"))
    share = statistics.median(own_share(path.read_text("utf-8")) for path in notes[:: len(notes) // 50])
    every = [path.stat().st_size for path in site.rglob("*") if path.is_file()]
    yield "home page, packed", packed("index.html"), "60 KB"
    yield "map, packed", packed("map.html"), "150 KB"
    yield "largest map of a topic, packed", packed("map-*.html"), "150 KB"
    yield "largest page of a topic, packed", packed("*/*.html"), ""
    yield "largest other page, packed", packed("[!im]*.html"), ""
    largest = max(path.stat().st_size for path in [*site.rglob("README*.md"), *site.parent.glob("README*.md")])
    yield "largest README", f"{largest / 1e3:.0f} KB", "400 KB"
    yield "a note's own share, packed, median", f"{share / 1e3:.1f} KB", "25 KB"
    yield "search data", f"{sum(texts) / 1e6:.1f} MB in {len(texts)} files", ""
    yield "site", f"{sum(every) / 1e6:.0f} MB in {len(every):,} files", ""


def title_changed(root: Path) -> str:
    """Seconds of all processors until all pages have a new title, in a process that builds again, as `serve` does."""
    note = min(root.glob("notes_src/*/*/note.yaml"))
    with closing(open_cache(root)) as cache:
        for word in ("", "newly "):
            text = note.read_text("utf-8")
            note.write_text(re.sub(r'("en": ")', rf"\1{word}", text, count=1), "utf-8")
            start = sum(os.times()[:4])
            update(root, cache=cache)
    return f"{sum(os.times()[:4]) - start:.1f} s of processor"


def measure(browser: Browser, page_file: Path) -> Figures:
    """Milliseconds of a home page, and of the palette over a note."""
    opened, first, every = [], [], []
    for _ in range(3):
        page = browser.new_page()
        page.goto(page_file.as_uri())
        page.wait_for_timeout(1000)
        opened.append(page.evaluate(OPENING))
        shown, spent, _ = page.evaluate(TEXTS, FULL_TEXT)
        first.append(shown)
        every.append(spent)
        _, again, said = page.evaluate(TEXTS, "温度 variance")
        page.close()
    page = browser.new_page()
    page.goto(page_file.as_uri())
    page.wait_for_timeout(300)  # nobody types sooner
    times: dict[str, list[float]] = {}
    for _ in range(5):
        for query in QUERIES:
            times.setdefault(query, []).append(page.evaluate(ONE_QUERY, query)[0])
    page.close()
    page = browser.new_page()
    page.goto(next(page_file.parent.glob("*/notes/*.html")).as_uri())
    page.keyboard.press("/")
    page.wait_for_timeout(1000)  # it loads
    palette = [(*page.evaluate(PALETTE, query), query) for _ in range(3) for query in QUERIES]
    page.close()
    drawn, whole, _ = zip(*palette, strict=True)
    all_times = [found for of_query in times.values() for found in of_query]
    slowest = max(times, key=lambda query: max(times[query]))
    median = statistics.median
    yield "home: first paint", f"{median(found['paint'] for found in opened):.0f} ms", "300 ms"
    yield "home: interactive", f"{median(found['ready'] for found in opened):.0f} ms", ""
    yield "home: a key, median", f"{median(all_times):.1f} ms, worst {max(all_times):.1f} ({slowest})", "50 ms"
    yield "palette: a key, median", f"{median(drawn):.1f} ms, worst {max(drawn):.0f} ({max(palette)[2]})", "50 ms"
    yield "palette: all texts searched, median", f"{median(whole):.1f} ms, worst {max(whole):.0f}", ""
    yield "home: first query, words of most notes", f"{median(first):.0f} ms", "500 ms"
    yield "home: until all its notes are counted", f"{median(every):.0f} ms", ""
    yield "home: one after that", f"{again:.0f} ms ({said})", "100 ms"


def report(notes: int, folder: Path, browser: Browser) -> None:
    """Make, measure, print a table."""
    start = time.perf_counter()
    if update(make_collection(folder, notes)).plan is None:
        sys.exit("the collection cannot be built")
    made = f"{time.perf_counter() - start:.0f} s"
    sys.stdout.write(
        f"\n{notes:,} notes\n"
        + lines([
            ("made in", made, ""),
            *sizes(folder / "site"),
            *measure(browser, folder / "site/index.html"),
            ("a title changed", title_changed(folder), "1.5 s"),
        ])
    )  # fmt: skip


def main() -> None:
    """Make, open, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--notes", type=int, nargs="+", default=[4000])
    parser.add_argument("--keep", type=Path, help="a folder to leave the pages in")
    options = parser.parse_args()
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    chromium = next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        sys.exit("there is no chromium on this machine")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for notes in options.notes:
            report(notes, (options.keep or Path(folder)) / str(notes), browser)
        browser.close()


if __name__ == "__main__":
    main()
