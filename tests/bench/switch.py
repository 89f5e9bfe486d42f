"""How long a switch of the language takes: from the choice to the page laid out anew, on sample notes of all sizes.

Run it with `make bench`. Times depend on the machine; the ratio tells how much more work a note is than a page with
nothing on it, whose switch is little more than the recalculation of its style.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

PROJECT = Path(__file__).resolve().parents[2]
SWITCHES = 20
VIEWS = ("zh", "en", "both")

# What the reader waits for: the script's answer to the choice, then style and layout of the new view; and the same
# until the frame with it has been handed over to be drawn.
SWITCH = """async ([view, other]) => {
  const radio = name => document.getElementById('pn-view-' + name);
  const frame = () => new Promise(done => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
  }));
  radio(other).click();
  document.body.offsetHeight;
  await frame();
  await frame();
  const start = performance.now();
  radio(view).click();
  document.body.offsetHeight;
  const laid = performance.now() - start;
  await frame();
  return [laid, performance.now() - start];
}"""
EMPTY = """() => {
  for (const row of document.querySelectorAll('main .row, main .end, .toc li')) row.remove();
}"""


def build_sample(root: Path) -> Path:
    """The sample collection's site, in a temporary folder."""
    from paper_notes.build import build
    from paper_notes.output.disk import apply

    shutil.copytree(PROJECT / "notes_src", root / "notes_src")
    shutil.copy(PROJECT / "README.md", root)
    made = build(root)
    if made.plan is None:
        sys.exit("\n".join(map(str, made.diagnostics)))
    apply(root, made.plan)
    return root / "site"


def measure(browser: Browser, page_file: Path, width: int, *, empty: bool = False) -> dict[str, tuple[float, float]]:
    """Medians in milliseconds for each view: until the layout is done, and until the frame is."""
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    page.goto(page_file.as_uri())
    page.evaluate("document.fonts.ready")
    if empty:
        page.evaluate(EMPTY)
    medians = {}
    for place, view in enumerate(VIEWS):
        times = [page.evaluate(SWITCH, [view, VIEWS[place - 1]]) for _ in range(SWITCHES)]
        medians[view] = (statistics.median(t[0] for t in times), statistics.median(t[1] for t in times))
    context.close()
    return medians


def report(browser: Browser, site: Path, notes: int) -> None:
    """Print the table."""
    largest = sorted(site.glob("*/notes/*.html"), key=lambda page: -page.stat().st_size)
    chosen = [largest[round(place * (len(largest) - 1) / max(notes - 1, 1))] for place in range(notes)]
    out = sys.stdout.write
    out(f"median of {SWITCHES} switches to each view, in ms: laid out / on the screen (ratio to an empty page)\n\n")
    out(f"{'':40} {'KB':>5} {'px':>5}" + "".join(f"{view:>22}" for view in VIEWS) + "\n")
    for width in (1280, 390):
        base = measure(browser, chosen[-1], width, empty=True)
        cells = "".join(f"{base[view][0]:9.1f} /{base[view][1]:6.1f}     " for view in VIEWS)
        out(f"{'(empty page)':40} {'':>5} {width:>5}{cells}\n")
        for note in chosen:
            times = measure(browser, note, width)
            cells = "".join(
                f"{times[view][0]:9.1f} /{times[view][1]:6.1f} {times[view][0] / base[view][0]:3.0f}x" for view in VIEWS
            )
            out(f"{note.stem[:40]:40} {note.stat().st_size / 1024:5.0f} {width:>5}{cells}\n")


def main() -> None:
    """Build, open, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--notes", type=int, default=3, help="how many notes, from the largest to the smallest")
    parser.add_argument("--site", type=Path, help="a site that is built already")
    options = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("there is no chromium on this machine")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = options.site.resolve() if options.site else build_sample(Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        report(browser, site, options.notes)
        browser.close()


if __name__ == "__main__":
    main()
