"""How large the home page of a large collection is, and how quickly it and the palette search, in Chromium, from disk.

Run it with `make bench` or `python tests/bench/search.py --notes 4000 20000`. Times depend on the machine.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parent))
from collection import make_collection

from paper_notes.build import update

PROJECT = Path(__file__).resolve().parents[2]
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
  const [page] = performance.getEntriesByType('navigation'), [ready] = performance.getEntriesByName('pn-ready');
  return {parsed: page.domInteractive, ready: ready.startTime, load: page.loadEventEnd};
}"""
TEXTS = """async query => {
  const input = document.querySelector('#pn-q'), start = performance.now();
  performance.clearMarks('pn-texts');
  input.value = query;
  input.dispatchEvent(new Event('input'));
  const frame = () => new Promise(done => requestAnimationFrame(done));
  while (!performance.getEntriesByName('pn-texts').length) {
    document.querySelector('#pn-found button')?.click();
    await frame();
  }
  const spent = performance.getEntriesByName('pn-texts')[0].startTime - start;
  return [spent, document.querySelector('#pn-found').textContent];
}"""
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


def write_home(root: Path, notes: int) -> tuple[int, int, int]:
    """Build a collection below `root`; gives the bytes of the home page and of the texts, and their files."""
    if update(make_collection(root, notes)).plan is None:
        sys.exit("the collection cannot be built")
    texts = [path.stat().st_size for path in (root / "site").glob("search-*.css")]
    return (root / "site/index.html").stat().st_size, sum(texts), len(texts)


def measure(browser: Browser, page_file: Path) -> dict[str, str]:
    """The numbers of a home page."""
    opened, first = [], []
    for _ in range(3):
        page = browser.new_page()
        page.goto(page_file.as_uri())
        page.wait_for_timeout(100)
        opened.append(page.evaluate(OPENING))
        first.append(page.evaluate(TEXTS, FULL_TEXT)[0])
        again, said = page.evaluate(TEXTS, "温度 variance")
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
    return {
        "parsed (ms after navigation)": f"{median(found['parsed'] for found in opened):.0f}",
        "interactive (ms after that)": f"{median(found['ready'] - found['parsed'] for found in opened):.0f}",
        "load event (ms after navigation)": f"{median(found['load'] for found in opened):.0f}",
        "query: median (ms)": f"{median(all_times):.1f}",
        "query: worst (ms)": f"{max(all_times):.1f} ({slowest})",
        "palette over a note: shown, median (ms)": f"{median(drawn):.1f}, worst {max(drawn):.0f} ({max(palette)[2]})",
        "palette: all texts searched, median (ms)": f"{median(whole):.1f}, worst {max(whole):.0f}",
        "first full-text query (ms)": f"{median(first):.0f}",
        "full-text query after that (ms)": f"{again:.0f} ({said})",
    }


def report(notes: int, folder: Path, browser: Browser) -> None:
    """Make, measure, print a table."""
    start = time.perf_counter()
    page, texts, files = write_home(folder, notes)
    rows = {
        "made in (s)": f"{time.perf_counter() - start:.0f}",
        "home page (bytes)": f"{page:,}",
        "texts (bytes)": f"{texts:,} in {files} files",
        **measure(browser, folder / "site/index.html"),
    }
    sys.stdout.write(f"\n{notes:,} notes\n" + "".join(f"  {name:42} {value}\n" for name, value in rows.items()))


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
