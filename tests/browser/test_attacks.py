"""Whatever a collection holds: nothing of it runs, loads, or reaches beyond its place in the page.

The sites are built in spite of all diagnostics, which would stop most attacks before a page is made. A server sends
their pages with a policy that only tells what it would stop: sanitising and escaping alone must hold, and leave nothing
for the policy to do.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from attacks import HARMLESS, PAYLOADS, notes_collection, words_collection
from pages import searched
from playwright.sync_api import Page, Request, expect
from running import PROJECT, Once, built, write
from windows import Windows

from paper_notes.languages.language import Words
from paper_notes.render.theme.theme import load_theme
from paper_notes.typography import typographic

pytestmark = pytest.mark.browser

_BAD_VALUE = re.compile(r"says Error: <[\w:]+> attribute [\w:]+: ")
"""What Chromium says of a figure with `width="red"`."""
_FACE = re.compile(r'@font-face\{font-family:"PN Math".*?font-display:block\}')
"""The font of formulas, of which nothing is the author's: to load it takes long."""
_TITLE = re.compile(r':root(?::has\(#pn-view-en:checked\))?\{--t:"[^"]*"\}')
"""The rule that tells the title to the margins of printed pages."""
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">\n?')

JUDGE = """async () => {
  const within = scope => {
    const elements = `base, object, embed, iframe, frame, frameset, applet, portal, form, textarea, select, template,
      noscript, foreignObject, image, feImage, handler, maction, annotation-xml, mglyph, semantics, svg a, svg style,
      svg script, math a, area, map, video, audio, source, picture, marquee, dialog, math[href], plaintext, xmp,
      img:not([src^="data:image/"]), use[href]:not([href^="#"]),
      input:not([type=radio], [type=checkbox], #pn-map-find)`;
    const attributes = new RegExp('^(on|xlink|srcdoc$|action$|formaction$|ping$|srcset$|poster$|background$|data$|' +
      'is$|autofocus$|contenteditable$|accesskey$|target$|http-equiv$)', 'i');
    const styles = /^(--n: *\\d+;?|--v: *[\\d.]+;?|font-size: *[\\d.]+em;?|left: *[-\\d.]+px; *top: *[-\\d.]+px;?)$/;
    const words = ['aria-label', 'title', 'id', 'begin', 'end', 'content', 'lang'];
    // what pages that are no notes have themselves: where one searches, the map of the notes
    const ours = '.home .find > .ask > #pn-q, .home .find > .filters > label > select, '
      + 'body:not(.note) .graph a';
    const bad = [...scope.querySelectorAll(elements)].filter(element => !element.matches(ours))
      .map(element => element.outerHTML.slice(0, 200));
    for (const element of scope.querySelectorAll('*')) for (const {name, value} of element.attributes) {
      const scheme = value.replace(/[\\0-\\x20]/g, '').match(/^[a-z][a-z0-9+.-]*:/i)?.[0];
      if (attributes.test(name)
        || name == 'href' && scheme && !/^(https?:|mailto:)$/i.test(scheme)
        || name == 'attributeName' && /^(on|href|xlink|style|id)/i.test(value)
        || name == 'style' && !styles.test(value) && !element.matches('body:not(.note) .graph *')
        || /url\\((?!#)/.test(value) && !words.includes(name) && element.closest('svg'))
        bad.push(`<${element.localName} ${name}="${value.slice(0, 120)}">`);
    }
    return bad;
  };
  if (document.querySelector('#pn-q')) await pn.engine().then(() => pn.search);
  // whatever waits for the reader's hand
  const stay = event => event.preventDefault();
  addEventListener('click', stay, true);
  const hands = ['mouseover', 'mouseenter', 'pointerenter', 'focus', 'click', 'toggle', 'animationstart', 'load'];
  for (const element of document.querySelectorAll('body, main, main *'))
    for (const name of hands) element.dispatchEvent(new Event(name, {bubbles: false, cancelable: true}));
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  removeEventListener('click', stay, true);
  await new Promise(done => requestAnimationFrame(() => setTimeout(done, 5)));
  const strange = within(document.body), main = document.querySelector('main');
  // a page that is written out and read again, as when it is saved or clipped, must not change its meaning
  const copy = document.createElement('div');
  copy.hidden = true; // it is read again, not drawn again
  copy.innerHTML = main?.innerHTML;
  document.body.append(copy);
  await new Promise(done => setTimeout(done));
  const again = within(copy);
  copy.remove();
  // what is not the note's: its texts, and addresses, which are judged above, may differ
  const free = ['content', 'data-en', 'data-zh', 'href', 'aria-current'];
  const attributes = element => [...element.attributes].filter(({name}) => !free.includes(name))
    .map(({name, value}) => `${name}=${value}`);
  const shape = element => element && [element.localName, attributes(element), [...element.children].map(shape)];
  const names = element => `${element.localName}#${element.id}.${element.className}`;
  const chain = element => element ? [names(element), ...chain(element.parentElement)] : [];
  const bar = document.querySelector('.bar'), foot = document.querySelector('.foot');
  const outside = {
    page: attributes(document.documentElement),
    head: [...document.head.children].filter(child => !child.matches('[http-equiv], [name^=citation_]')).map(shape),
    body: [...attributes(document.body), ...[...document.body.children].filter(e => !e.matches('script')).map(names)],
    bar: shape(bar),
    foot: foot && [...new Set([...foot.querySelectorAll(':not(nav)')].map(e => JSON.stringify(shape(e))))],
    programs: [...document.querySelectorAll('script:not([type="application/ld+json"]), style')]
      .map(e => e.textContent),
    main: [chain(main), [...main?.children || []].filter(e => e.className != 'beside').map(names)],
    one: ['main', 'h1', '.bar', '.foot', '#pn-theme', '#pn-main', '#pn-toc', '[popover]', 'link',
      'meta:not([name^=citation_])', '[name=view]',
      'button[popovertarget]'].map(selector => [selector, document.querySelectorAll(selector).length]),
  };
  // what is told to programs is data about what is on the page
  const told = [...document.querySelectorAll('[type="application/ld+json"]')].map(data => JSON.parse(data.textContent));
  if (told.some(data => data['@context'] != 'https://schema.org')) strange.push('the data of the page');
  // the page's own switches
  const chosen = () => document.querySelector('.bar .views :checked')?.value, view = chosen();
  document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'l', bubbles: true}));
  document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 't', bubbles: true}));
  const works = view != chosen() && document.documentElement.dataset.theme == 'light';
  localStorage.clear();
  const title = document.querySelector('h1')?.innerText;
  // as one string: to hand over each value by itself takes longer than to look at the page
  return JSON.stringify({strange, again, outside, works, ran: 'pwned' in window, title, foot: foot?.textContent});
}"""


@cache
def style_parts() -> tuple[str, ...]:
    theme, _ = load_theme(PROJECT, Words.of("zh", "en"))
    assert theme
    return tuple(part for _, part in (*theme.parts, *theme.script_parts))


def without_parts(style: str) -> str:
    """A style or script of a page without those of components, which depend on what is in the note."""
    for part in style_parts():
        style = style.replace(part, "")
    return _TITLE.sub("", style)


@dataclass
class Watched:
    """A window, and whatever its pages do."""

    page: Page
    wrong: list[str]
    going: str = ""

    def goto(self, address: str) -> None:
        self.going = address
        self.page.goto(address)

    def did(self) -> list[str]:
        """What the pages did since this was asked."""
        did = [what for what in self.wrong if not _BAD_VALUE.match(what)]
        self.wrong.clear()
        return did

    def open(self, address: str) -> Seen:
        """What there is to see on a page, and what is wrong with it."""
        self.goto(address)
        found = json.loads(self.page.evaluate(JUDGE))
        found["outside"]["programs"] = [left for text in found["outside"]["programs"] if (left := without_parts(text))]
        wrong = [f"strange: {found['strange']}"] if found["strange"] else []
        wrong += [f"strange when read again: {found['again']}"] if found["again"] != found["strange"] else []
        wrong += [] if found["works"] else ["the switches of the page do not work"]
        wrong += ["has run a program"] if found["ran"] else []
        wrong += self.did()
        return Seen(found, wrong)


@dataclass(frozen=True)
class Seen:
    found: dict[str, Any]
    wrong: list[str]

    def changed(self, harmless: Seen) -> list[str]:
        """The parts of the page outside of the note's place that are not those of a harmless page."""
        mine, others = self.found["outside"], harmless.found["outside"]
        return [
            f"{part} is {mine[part]!s:.300}, not {others[part]!s:.300}" for part in mine if mine[part] != others[part]
        ]


class Disarmed(SimpleHTTPRequestHandler):
    """Sends pages whose policy stops nothing, and is told of all that it would have stopped."""

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        html = path.read_text("utf-8")
        if path.suffix == ".css":  # the search of the home page
            self.send_response(200)
            self.send_header("Content-Type", "text/css; charset=utf-8")
            self.end_headers()
            self.wfile.write(html.encode())
            return
        policies = _POLICY.findall(html)
        assert len(policies) == 1
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Security-Policy-Report-Only", unescape(policies[0]))
        self.end_headers()
        self.wfile.write(_FACE.sub("", _POLICY.sub("", html)).encode())

    def log_message(self, *_: Any) -> None:
        pass


@dataclass(frozen=True)
class Attacked:
    """Collections that were built in spite of what they hold, and where to see their pages."""

    once: Once
    base: str
    place: Path

    def built(self, name: str, files: dict[str, str]) -> Path:
        """The folder `site/` of a collection."""

        def make(root: Path) -> None:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("paper_notes.site_files.has_errors", lambda _: False)
                patch.setattr("paper_notes.build.has_errors", lambda _: False)
                # which styles a page goes without depends on what is in the note, too
                patch.setattr("paper_notes.render.theme.theme.used_rules", lambda styles, *_: "".join(styles))
                built(write(root, files))

        return self.once(name, make) / "site"

    def address(self, page: Path) -> str:
        return f"{self.base}/{page.relative_to(self.place).as_posix()}"


@pytest.fixture(scope="module")
def attacked(once: Once) -> Iterator[Attacked]:
    place = once("attacks", lambda root: None).parent
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Disarmed, directory=str(place)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield Attacked(once, f"http://127.0.0.1:{server.server_port}", place)
    server.shutdown()
    server.server_close()


@pytest.fixture
def watched(windows: Windows) -> Iterator[Watched]:
    """A window whose pages may ask for nothing but themselves, and home for what it searches."""
    watched: Watched

    def itself(request: Request) -> bool:
        return request.url == watched.going if request.is_navigation_request() else "/search-" in request.url

    with windows.watched(itself):
        watched = Watched(windows.open(height=200), windows.wrong)
        yield watched


def pages_of(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def as_shown(text: str) -> str:
    """The text as a line of a page shows it."""
    return " ".join(text.split())


@pytest.mark.nightly
def test_no_note_reaches_beyond_its_place(attacked: Attacked, watched: Watched) -> None:
    payloads = [HARMLESS, *PAYLOADS]
    site = attacked.built("attacks-notes", notes_collection(payloads))
    harmless = watched.open(attacked.address(site / "t/notes/000_N.html"))
    assert harmless.wrong == []
    wrong: list[str] = []
    for path in pages_of(site):
        seen = watched.open(attacked.address(path))
        found = seen.wrong
        if path.parent.name == "notes":
            number = int(path.stem.partition("_")[0])
            found += seen.changed(harmless)
            if number < len(payloads) and as_shown(typographic(payloads[number])) != as_shown(seen.found["title"]):
                found.append(f"the title is {seen.found['title']}")
        wrong += [f"{path.name}: {what}" for what in found]
    assert not wrong, "\n".join(wrong)


@pytest.mark.nightly
def test_no_text_of_a_note_runs_or_loads_anything_in_the_results(attacked: Attacked, windows: Windows) -> None:
    payloads = [HARMLESS, *PAYLOADS]
    site = attacked.built("attacks-notes", notes_collection(payloads))
    wrong = []

    def own(request: Request) -> bool:
        return request.url.startswith((f"{site.as_uri()}/index.html", f"{site.as_uri()}/search-"))

    with windows.watched(own):
        page = windows.open()
        for query in ("", *(f"?q={quote(payload)}" for payload in payloads[1::3]), "?sort=title&q=x", "?q=pwned"):
            page.goto(f"{site.as_uri()}/index.html{query}")
            searched(page)
            for _ in range(4):
                page.mouse.wheel(0, 8000)
                page.wait_for_timeout(20)
            strange = page.locator("#pn-results :not(ol, li, span, div, h2, h3, a, p, mark, time, i)").count()
            attributes = page.evaluate("""[...document.querySelectorAll('#pn-results *')]
                .flatMap(e => [...e.attributes]).map(a => a.name)
                .filter(name => !['class', 'lang', 'href', 'datetime', 'aria-hidden', 'hidden', 'id']
                .includes(name))""")
            if strange or attributes or page.evaluate("'pwned' in window"):
                wrong.append(f"{query}: {strange} elements, {attributes}")
        expect(page.locator("#pn-results li").first).to_be_attached()
    assert not wrong, "\n".join(wrong)
    assert windows.wrong == []


@pytest.mark.nightly
def test_no_site_or_topic_says_more_than_words(attacked: Attacked, watched: Watched) -> None:
    plain = attacked.built("words", words_collection([HARMLESS]))
    site = attacked.built("words-all", words_collection(PAYLOADS))
    harmless = {path.name: watched.open(attacked.address(path)) for path in pages_of(plain)}
    assert [seen.wrong for seen in harmless.values()] == [[]] * len(harmless)
    wrong: list[str] = []
    for path in pages_of(site):
        if path.parent.name == "notes" and path.parents[1].name != "t0":
            continue  # around it stand the words that the note of every topic has around it
        seen = watched.open(attacked.address(path))
        shown = as_shown(seen.found["foot"])
        lost = [payload for payload in PAYLOADS if as_shown(payload) not in shown]
        found = [*seen.wrong, *(f"does not show {payload}" for payload in lost)]
        if path.parent.name != "site":
            found += seen.changed(harmless[path.name])
        wrong += [f"{path.relative_to(site)}: {what}" for what in found]
    assert not wrong, "\n".join(wrong)


def test_an_attack_would_be_seen(tmp_path: Path, watched: Watched) -> None:
    page = tmp_path / "page.html"

    def opened(text: str) -> Seen:
        around = f'<header class="bar"></header><main><h1>x</h1>{text}</main><footer class="foot"></footer>'
        page.write_text(f"<!doctype html><body>{around}", "utf-8")
        return watched.open(page.as_uri())

    harmless = opened(HARMLESS)
    for payload in [payload for payload in PAYLOADS[:40] if payload.startswith("<")][::2]:
        seen = opened(payload)
        assert seen.changed(harmless) or len(seen.wrong) > len(harmless.wrong), payload


def test_what_the_policy_would_stop_is_seen(attacked: Attacked, watched: Watched) -> None:
    def make(root: Path) -> None:
        policy = '<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;">'
        (root / "page.html").write_text(f"<!doctype html>{policy}<img src='data:,'><p onclick='x()'>x", "utf-8")

    watched.goto(attacked.address(attacked.once("stopped", make) / "page.html"))
    with watched.page.expect_console_message(lambda message: "inline event handler" in message.text):
        watched.page.locator("p").click()
    did = watched.did()
    assert any("img-src" in what for what in did)
    assert any("inline event handler" in what for what in did)
