"""The sample collection, built once, and a real Chromium that opens its pages from disk."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import making_pdfs
import pytest
from bench.collection import files_of_collection
from firefox import Firefox, firefox
from pages import LARGE, SECONDS
from pdf_collection import FILES
from playwright.sync_api import Page, Request, expect, sync_playwright
from running import Once, built, collection, paper_notes, write
from windows import EMPTY, Windows, cannot

from paper_notes.render import site_pages
from paper_notes.render.pages.map import PAGE as MAP
from paper_notes.render.pages.map import map_page, map_parts
from paper_notes.values import replace

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # the shell's own way rounds the width of each letter, as no reader's browser does
)
Open = Callable[..., Page]
expect.set_options(timeout=SECONDS * 1000)


@pytest.fixture(scope="session")
def site(once: Once) -> Path:
    """The folder `site/` of the sample collection."""

    def make(root: Path) -> None:
        shutil.copytree(PROJECT / "notes_src", root / "notes_src")
        for readme in PROJECT.glob("README*.md"):
            shutil.copy(readme, root)
        built(root)

    return once("sample", make) / "site"


@pytest.fixture(scope="session")
def bilingual(once: Once) -> Path:
    """The folder `site/` of a scenario that has the pages which the sample has not."""
    return once("scenario", lambda root: built(collection("bilingual", root))) / "bilingual" / "site"


@pytest.fixture(scope="session")
def languages(once: Once) -> dict[str, Path]:
    """The folders `site/` of scenarios in other languages, by their names."""

    def of(name: str) -> Path:
        return once(f"site-{name}", lambda root: built(collection(name, root))) / name / "site"

    return {name: of(name) for name in ("japanese", "traditional", "english")}


@pytest.fixture(scope="session")
def many(once: Once) -> Path:
    """The folder `site/` of a collection that is too large for one map, written over two years."""

    def make(root: Path) -> None:
        files = {"site.yaml": "title: {zh: 大, en: Large}\ntopics: [one, two, three]\n"}
        for topic in ("one", "two", "three"):
            files[f"{topic}/topic.yaml"] = f"title: {{zh: 专题, en: Topic {topic} with a long name}}\n"
        for place in range(1, 46):
            facts = f"title: {{zh: 题{place}, en: Title {place}}}\ncreated: {2024 + place % 2}-{place % 12 + 1:02}-03\n"
            text = f"## 动机\n[[#{place % 15 + 1}]] [[two/#{place % 7 + 1}]]\n"
            name = f"{('one', 'two', 'three')[place % 3]}/{(place - 1) // 3 + 1:02}_N"
            files |= {f"{name}/note.yaml": facts, f"{name}/zh.md": text} | (
                {f"{name}/en.md": text} if place % 4 else {}
            )
        built(write(root, {f"notes_src/{name}": text for name, text in files.items()}))

    return once("many", make) / "site"


@pytest.fixture(scope="session")
def large(once: Once) -> Path:
    """The folder `site/` of more notes than a page shows at once, in pages as if they were thousands."""

    def make(root: Path) -> None:
        small = replace(MAP, view=partial(map_page, large=1), parts=partial(map_parts, large=1))
        pages = tuple(small if page is MAP else page for page in site_pages.COLLECTION_PAGES)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(site_pages, "COLLECTION_PAGES", pages)
            patch.setattr("paper_notes.render.pages.topic.MOST_NOTES", LARGE // 10)
            patch.setattr("paper_notes.render.pages.topic.NEWEST", LARGE // 50)
            built(write(root, dict(files_of_collection(LARGE))))

    return once("large", make) / "site"


@pytest.fixture(scope="session")
def pdfs(once: Once) -> Path:
    """The folder `site/` of a collection with a PDF, and beside its pages the one to choose figures from."""

    def make(root: Path) -> None:
        write(root, FILES)
        pdf = root / "notes_src" / "pdfs" / "small.pdf"
        pdf.parent.mkdir()
        pdf.write_bytes(making_pdfs.paper())
        built(root)
        assert paper_notes("figures", pdf, "--output", root / "site" / "figures-small.html").exit_code == 0

    return once("pdfs", make) / "site"


@pytest.fixture(scope="session")
def judges() -> Path:
    """The npm packages that `package.json` names, installed beside it when they are not, or not these versions."""
    installed, wanted = HERE / "node_modules", (HERE / "package-lock.json").read_bytes()
    stamp = installed / ".installed-from"
    with (HERE / "package.json").open() as lock:  # the workers of a run take turns
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.is_file() or stamp.read_bytes() != wanted:
            npm = shutil.which("npm") or cannot("there is no npm on this machine (Debian: apt-get install npm)")
            command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
            done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False, timeout=300)
            if done.returncode:
                cannot(f"npm ci failed in tests/browser: {done.stdout}{done.stderr}")
            stamp.write_bytes(wanted)
    return installed


@pytest.fixture(scope="session")
def windows() -> Iterator[Windows]:
    """The browser of a worker; a test opens windows of it inside of `windows.watched`."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser")  # without windows it takes a third less time
    chromium = next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        cannot("there is no chromium on this machine (Debian: apt-get install chromium-headless-shell fonts-noto-cjk)")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield Windows(running)
        running.close()


@pytest.fixture(scope="session")
def in_firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """The Firefox of a worker."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        cannot("there is no firefox on this machine (Debian: apt-get install firefox-esr)")
    with firefox(program, tmp_path_factory.mktemp("firefox")) as browser:
        yield browser


class _Quiet(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path != EMPTY:
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b'<!doctype html><link rel="icon" href="data:,">')

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="session")
def served(site: Path) -> Iterator[str]:
    """The address of the site on a server. From disk, Chromium now and then forgets what a page has stored."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def open_page(site: Path, windows: Windows) -> Iterator[Open]:
    """Opens a page of the site: `open_page("index.html", width=390)`; other options are those of `Windows.open`.

    It is read from disk, or from the address that `base` gives.

    Whatever a test does: a page may request nothing but itself and search files, and may not complain on its console.
    """

    def itself(request: Request) -> bool:
        ours = request.url.startswith((site.as_uri(), "http://127.0.0.1:"))
        return ours and (request.is_navigation_request() or "/search-" in request.url)

    def opened(address: str, *, base: str = "", **options: Any) -> Page:
        page = windows.open(**options)
        page.goto(f"{base or site.as_uri()}/{address}")
        return page

    with windows.watched(itself):
        yield opened
    assert windows.wrong == []
