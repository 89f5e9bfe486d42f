"""What others say about every page: the HTML validator of the W3C, and axe about accessibility; EPUBCheck of a book."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from pages import IN_EVERY_VIEW, JUDGED, PAGES, choose, kinds, load_at, views_of, with_every_kind
from playwright.sync_api import Page
from running import EXAMPLES, paper_notes
from windows import cannot

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

DIVERSE = ("guide/notes/01_Writing_a_note.html", "index.html")
"""Pages with something of everything."""
_TRUSTED = ("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote")
QUICK = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", *_TRUSTED)
"""Java begins at once, as it does not when it is to run for long."""
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
OPTIONS = {"resultTypes": ["violations"], "iframes": False, "preload": False, "selectors": False}
_OF_COLOURS = ["color-contrast", "link-in-text-block"]
COLOURS = {**OPTIONS, "runOnly": {"type": "rule", "values": _OF_COLOURS}}
STRUCTURE = {**OPTIONS, "rules": {rule: {"enabled": False} for rule in _OF_COLOURS}}
_OF_ELEMENTS = [
    *("avoid-inline-spacing", "hidden-content", "autocomplete-valid", "aria-allowed-attr", "aria-prohibited-attr"),
    *("aria-conditional-attr", "aria-valid-attr", "aria-valid-attr-value"),
]
"""Rules about an element by itself, whatever else is shown: of two thirds of the time that axe needs."""
RELATIONS = {**OPTIONS, "rules": {rule: {"enabled": False} for rule in (*_OF_COLOURS, *_OF_ELEMENTS)}}

STYLES = """() => {
  // a few elements for each way in which text is drawn on what is behind it, by all that axe judges colours by
  const found = {}, known = new Map();
  const behind = element => {
    if (known.has(element)) return known.get(element);
    const {backgroundColor, backgroundImage, opacity} = getComputedStyle(element);
    const around = element.parentElement ? behind(element.parentElement) : '';
    const own = [backgroundColor, backgroundImage.slice(0, 99), opacity].join(' ');
    const all = own == 'rgba(0, 0, 0, 0) none 1' ? around : `${own} on ${around}`;
    known.set(element, all);
    return all;
  };
  const drawn = element => {
    const {color, fontSize, fontWeight, textShadow} = getComputedStyle(element), size = parseFloat(fontSize) * 3 / 4;
    return `${size >= 18 || size >= 14 && fontWeight >= 700 ? 'large' : 'small'} ${color} ${textShadow}`;
  };
  const link = element => { // by what it differs from the text around it
    const own = getComputedStyle(element), around = getComputedStyle(element.parentElement);
    const differs = ['fontWeight', 'fontSize', 'fontStyle', 'backgroundColor'].filter(p => own[p] != around[p]);
    return [own.textDecorationLine, own.borderBottomStyle, ...differs, 'in', drawn(element.parentElement)].join(' ');
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), elements = new Set(document.links);
  for (let node; (node = texts.nextNode());) if (node.data.trim()) elements.add(node.parentElement);
  for (const element of elements) {
    // of less than two letters axe does not say anything
    if (!element.getClientRects().length || !/[\\p{L}\\p{N}]{2}/u.test(element.textContent)) continue;
    const how = `${drawn(element)} ${element.matches('a') ? link(element) : ''} on ${behind(element)}`;
    if ((found[how] ??= []).length < 3) found[how].push(element);
  }
  window.drawn = found;
  return Object.keys(found);
}"""
FEW = """() => {
  // each kind of element, by all that axe asks of it, stays once, and the texts whose colours are not judged yet: time
  // is taken by the thousands that are as others
  const INSIDE = 'script, svg *, math *, pre *', seen = new Set(), spared = new Set(window.spared);
  const NAMES = /^(aria-|role|tabindex|href|lang|type|style)/;
  const BLOCK = 'p, ul, ol, dl, li, tr, table, figure, blockquote, pre, details, section, .row, .body > *';
  const kind = element => [element.closest('[lang]').lang, element.localName,
    element.className, element.textContent.trim() ? 'with text' : 'empty',
    ...element.getAttributeNames().filter(name => NAMES.test(name))].join(' ');
  for (const name of ['aria-labelledby', 'aria-describedby', 'aria-controls'])
    for (const element of document.querySelectorAll(`[${name}]`))
      for (const id of element.getAttribute(name).split(' ')) spared.add(document.getElementById(id));
  const kinds = block => [block, ...block.querySelectorAll('*')].filter(e => !e.matches(INSIDE)).map(kind);
  const walk = element => {
    if (element.matches(`${INSIDE}, .end *`)) return; // there is what cards are copies of
    if (element.matches(BLOCK) && !element.querySelector('h1, h2') && kinds(element).every(k => seen.has(k))
      && ![element, ...element.querySelectorAll('*')].some(e => spared.has(e))) return element.remove();
    seen.add(kind(element));
    for (const child of [...element.children]) walk(child);
  };
  walk(document.querySelector('main'));
  // of a formula axe says nothing but how its parts are coloured
  for (const math of document.querySelectorAll('main math'))
    if (![...math.querySelectorAll('*')].some(e => spared.has(e))) math.textContent = math.textContent;
}"""
SPARE = f"""judged => {{
  for (const way of ({STYLES})()) if (!judged.includes(way)) (window.spared ??= []).push(...drawn[way]);
}}"""
_judged: set[str] = set()
"""Ways of drawing text that axe has found nothing wrong with."""


@cache
def axe_of(judges: Path) -> str:
    return (judges / "axe-core/axe.min.js").read_text("utf-8")


def violations(page: Page, options: dict[str, Any] = OPTIONS, *, within: str = "document") -> list[str]:
    """What axe finds on a page that it was loaded into: the rule, the elements, and what to mend."""
    found = page.evaluate(f"options => axe.run({within}, options)", options)["violations"]
    return [
        f"{finding['id']}: {node['html'][:200]}: " + " ".join(node["failureSummary"].split())[:300]
        for finding in found
        for node in finding["nodes"][:3]
    ]


def bad_colours(page: Page) -> list[str]:
    """What axe finds wrong with the colours of texts, of which it looks at one for each way to draw text."""
    new = sorted(set(page.evaluate(STYLES)) - _judged)
    if not new:
        return []
    page.evaluate("new_ => { window.unjudged = new_.flatMap(way => drawn[way]) }", new)
    found = violations(page, COLOURS, within="{include: unjudged}")
    if not found:
        _judged.update(new)
    return found


def faults(page: Page, *, within: str = "document") -> list[str]:
    """What axe finds in both colour schemes; the way to draw a text is looked at where it is first met."""
    found = violations(page, STRUCTURE, within=within)
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        found += [f"{scheme}: {what}" for what in bad_colours(page)]
    return found


def load_axe(page: Page, judges: Path) -> None:
    """`evaluate` is not bound by the page's policy, under which no script but ours runs."""
    page.evaluate(axe_of(judges))


def once(known: set[str], style: re.Match[str]) -> str:
    """A style as it is the first time, and only its lines when it is there again."""
    if style[1] in known:
        return f"<style>{style[1].count(chr(10)) * chr(10)}</style>"
    known.add(style[1])
    return style[0]


@pytest.mark.nightly
def test_the_validator_finds_no_error_on_any_page(
    site: Path,
    bilingual: Path,
    pdfs: Path,
    many: Path,
    languages: dict[str, Path],
    judges: Path,
    tmp_path: Path,
) -> None:
    """Pages that have among them every kind of element; in `make nightly` all."""
    bad = tmp_path / "bad.html"
    bad.write_text("<!doctype html><title>x</title><p id=a><p id=a>", "utf-8")
    java = shutil.which("java") or cannot("there is no java on this machine (Debian: apt-get install default-jre)")
    command = [
        java,
        *QUICK,
        "-Xss4m",
        "-jar",
        judges / "vnu-jar/build/dist/vnu.jar",
        "--errors-only",
        "--format",
        "json",
    ]
    pages = [page for root in (site, bilingual, pdfs, *languages.values()) for page in sorted(root.rglob("*.html"))]
    pages += [many / "map.html", many / "stats.html"]
    if not EXAMPLES:
        texts = {page.as_posix(): page.read_text("utf-8") for page in pages}
        pages = sorted(map(Path, with_every_kind(texts)))
    copies, styles = {bad: bad}, set[str]()
    for number, page in enumerate(pages):
        copy = tmp_path / f"{number}.html"
        copy.write_text(_STYLE.sub(partial(once, styles), page.read_text("utf-8")), "utf-8")
        copies[copy] = page
    done = subprocess.run([*command, *copies], capture_output=True, encoding="utf-8", check=False, timeout=300)
    found: dict[Path, list[str]] = {}
    for message in json.loads(done.stderr)["messages"]:
        page = copies[Path(unquote(urlsplit(message["url"]).path))]
        what = f"{page}:{message.get('lastLine')}: {message['message']} in {message.get('extract', '')}"
        found.setdefault(page, []).append(what)
    assert "Duplicate ID" in "".join(found.pop(bad)), "it says what is wrong with this one"
    assert not found, "\n".join(what for wrong in found.values() for what in wrong)


@pytest.mark.nightly
def test_epubcheck_finds_nothing_in_a_book_of_sample_notes(site: Path, tmp_path: Path) -> None:
    """Of the guide, which has to show all that a note may hold; in `make nightly` of all notes."""
    java, jar = shutil.which("java"), shutil.which("epubcheck")
    if not (java and jar):
        cannot("there is no epubcheck on this machine (Debian: apt-get install epubcheck)")
    target, report = tmp_path / "all.epub", tmp_path / "report.json"
    what = [] if EXAMPLES else ["guide"]
    assert paper_notes("export", *what, "--epub", "--output", target, "--root", site.parent).exit_code == 0
    command = [java, *QUICK, "-jar", jar, target, "--json", report]
    subprocess.run(command, capture_output=True, check=False, timeout=300)
    found = json.loads(report.read_text("utf-8"))
    assert found["messages"] == []
    with zipfile.ZipFile(target) as whole:
        chapters = {name for name in whole.namelist() if name.endswith(".xhtml")}
    assert len(chapters) > (20 if EXAMPLES else 9)
    assert chapters <= {item["fileName"] for item in found["items"]}, "it has looked at all of them"


def test_axe_sees_every_kind_of_element(site: Path) -> None:
    def every(addresses: Iterable[str]) -> set[str]:
        return {kind for address in addresses for kind in kinds((site / address).read_text("utf-8"))}

    assert every(PAGES) - every(JUDGED) == set(), "site/ is not current: run `make site`"


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("address", JUDGED)
def test_axe_finds_nothing_in_any_view(open_page: Open, judges: Path, address: str) -> None:
    """Every kind of element, and of a page of each template all views on a desk, and the one with both languages on a
    phone; in `make nightly` all there too.

    Colours are looked at in both schemes, once for each way to draw a text.
    """
    page = open_page(address)
    *others, whole = views_of(page)
    found: list[str] = []
    views = (whole, *others) if address in IN_EVERY_VIEW else (whole,)
    for width in (1280, 390) if address in IN_EVERY_VIEW else (1280,):
        if width < 1280:
            load_at(page, width)
            views = views if EXAMPLES else (whole,)
        page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
        load_axe(page, judges)
        for view in views:
            choose(page, view)
            for scheme in ("dark", "light"):
                page.emulate_media(color_scheme=scheme)
                page.evaluate(SPARE, sorted(_judged))
        page.evaluate(FEW)
        for view in views:
            choose(page, view)
            wrong = violations(page, STRUCTURE if view == whole else RELATIONS)
            for scheme in ("dark", "light"):
                page.emulate_media(color_scheme=scheme)
                wrong += [f"{scheme}: {what}" for what in bad_colours(page)]
            found += [f"{view}, {width} px: {what}" for what in wrong]
    assert not found, "\n".join(found)


@pytest.mark.nightly
@pytest.mark.parametrize("address", DIVERSE)
def test_axe_finds_nothing_wrong_with_any_colour(open_page: Open, judges: Path, address: str) -> None:
    """Each text by itself: what lies behind it may be something that is not around it."""
    page = open_page(address)
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    load_axe(page, judges)
    choose(page, views_of(page)[-1])
    page.evaluate(FEW)
    assert violations(page, COLOURS) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, COLOURS) == []


@pytest.mark.nightly
def test_axe_finds_nothing_in_what_opens_over_the_page(open_page: Open, judges: Path) -> None:
    note, short = "spec-rl/notes/02_Chen_2302.01318.html", "guide/notes/03_Papers_and_citations.html"
    wide = open_page(f"{note}?lang=en")
    wide.evaluate(FEW)
    load_axe(wide, judges)
    for link, within in (("a.cite", "document"), ("a[data-card]", "'#pn-card'"), ("a.gl", "'#pn-card'")):
        wide.locator(f"{link}:visible").first.hover()
        wide.wait_for_selector("#pn-card", state="visible")
        assert faults(wide, within=within) == [], link
        assert wide.locator("#pn-card").is_visible()
        wide.mouse.move(0, 0)
        wide.wait_for_selector("#pn-card", state="hidden")
    wide.keyboard.press("?")
    wide.wait_for_selector("dialog[open]")
    assert faults(wide, within="'dialog[open]'") == [], "help of the keys"
    phone = open_page(f"{short}?lang=zh", width=390, height=844)
    phone.evaluate(FEW)
    load_axe(phone, judges)
    phone.locator("button.toc-open").click()
    assert faults(phone) == [], "contents"


def test_axe_finds_nothing_in_the_card_of_a_footnote(open_page: Open, judges: Path) -> None:
    page = open_page("guide/notes/01_Writing_a_note.html?lang=en")
    page.evaluate(FEW)
    load_axe(page, judges)
    page.locator(".footnote-ref a:visible").first.hover()
    page.wait_for_selector("#pn-card", state="visible")
    assert faults(page, within="'#pn-card'") == []


def test_axe_would_say_so(open_page: Open, judges: Path) -> None:
    """Also of one of many elements of a kind, where few of them are left."""
    page = open_page("guide/notes/03_Papers_and_citations.html")
    load_axe(page, judges)
    page.evaluate("""() => {
        document.querySelector('h1').style.color = '#8888';
        const last = [...document.querySelectorAll('.body.zh > p')].at(-1);
        last.append(Object.assign(document.createElement('img'), {src: 'data:,'}));
        last.previousElementSibling.append(Object.assign(document.createElement('a'), {href: '#references'}));
    }""")
    before = page.locator("main *").count()
    page.evaluate(FEW)
    assert page.locator("main *").count() < before * 3 / 4
    assert {finding.partition(":")[0] for finding in violations(page)} == {"color-contrast", "image-alt", "link-name"}


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize(
    "style",
    [
        "h1 {color: #8888}",
        "main {background: #555}",
        "h1 {opacity: 0.3}",
        "@media (prefers-color-scheme: dark) {h1 {color: #444}}",
        "@media (max-width: 400px) {main p {color: #999 !important}}",
        ".foot a {color: #999 !important}",
    ],
)
def test_a_bad_colour_would_be_found_where_it_is_drawn(open_page: Open, judges: Path, style: str) -> None:
    page = open_page("daily/index.html")
    load_axe(page, judges)
    page.add_style_tag(content=style)
    found = []
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found += bad_colours(page)
    assert any("color-contrast" in finding for finding in found)
