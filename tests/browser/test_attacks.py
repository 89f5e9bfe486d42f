"""Whatever a collection holds: nothing of it runs, loads, or reaches beyond its place in the page.

The sites are built in spite of all diagnostics, which would stop most attacks before a page is made, and opened with
the pages' policy and without it: sanitising and escaping alone must hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from attacks import HARMLESS, PAYLOADS, notes_collection, words_collection
from playwright.sync_api import Page, Request
from running import PROJECT, write
from windows import Windows

from paper_notes.build import build
from paper_notes.output.disk import apply
from paper_notes.render.theme import load_theme

pytestmark = pytest.mark.browser

PARTS = 8
"""The pages are dealt out to as many tests, so that they can be opened at the same time."""
_BAD_VALUE = re.compile(r"says Error: <[\w:]+> attribute [\w:]+: ")
"""What Chromium says of a figure with `width="red"`."""
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>\n?')

JUDGE = """async () => {
  const within = scope => {
    const elements = `base, object, embed, iframe, frame, frameset, applet, portal, form, textarea, select, template,
      noscript, foreignObject, image, feImage, handler, maction, annotation-xml, mglyph, semantics, svg a, svg style,
      svg script, math a, area, map, video, audio, source, picture, marquee, dialog, math[href], plaintext, xmp,
      img:not([src^="data:image/"]), use[href]:not([href^="#"]), input:not([type=radio], [type=checkbox])`;
    const attributes = new RegExp('^(on|xlink|srcdoc$|action$|formaction$|ping$|srcset$|poster$|background$|data$|' +
      'is$|autofocus$|contenteditable$|accesskey$|target$|http-equiv$)', 'i');
    const styles = /^(--n: *\\d+;?|font-size: *[\\d.]+em;?|left: *[-\\d.]+px; *top: *[-\\d.]+px;?)$/;
    const words = ['aria-label', 'title', 'id', 'begin', 'end', 'content', 'lang'];
    // what pages that are no notes have themselves: where one searches, the list for readers without a script (text
    // here), the map of the notes, the choice of a file with reading progress
    const ours = '.home .find > .ask > #q, .home .find > .filters > label > select, .home section.topic > noscript, '
      + 'body:not(.note) .graph a, body:not(.note) .progress > [type=file]';
    const bad = [...scope.querySelectorAll(elements)].filter(element => !element.matches(ours))
      .map(element => element.outerHTML.slice(0, 200));
    for (const element of scope.querySelectorAll('*')) for (const {name, value} of element.attributes) {
      const scheme = value.replace(/[\\0-\\x20]/g, '').match(/^[a-z][a-z0-9+.-]*:/i)?.[0];
      if (attributes.test(name)
        || name == 'href' && scheme && !/^(https?:|mailto:)$/i.test(scheme)
        || name == 'attributeName' && /^(on|href|xlink|style|id)/i.test(value)
        || name == 'style' && !styles.test(value)
        || /url\\((?!#)/.test(value) && !words.includes(name) && element.closest('svg'))
        bad.push(`<${element.localName} ${name}="${value.slice(0, 120)}">`);
    }
    return bad;
  };
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
  const face = /@font-face\\{font-family:"PN Math".*?font-display:block\\}/;
  const bar = document.querySelector('.bar'), foot = document.querySelector('.foot');
  const outside = {
    page: attributes(document.documentElement),
    head: [...document.head.children].filter(child => !child.matches('[http-equiv], [name^=citation_]')).map(shape),
    body: [...attributes(document.body), ...[...document.body.children].map(names)],
    bar: shape(bar),
    foot: foot && [...new Set([...foot.querySelectorAll(':not(nav)')].map(e => JSON.stringify(shape(e))))],
    programs: [...document.querySelectorAll('script:not([type="application/ld+json"], #data), style')]
      .map(e => e.textContent.replace(face, '')),
    main: [chain(main), [...main?.children || []].map(names)],
    one: ['main', 'h1', '.bar', '.foot', '#theme', '#main', '#toc', '[popover]', 'link', 'meta:not([name^=citation_])',
      '[name=view]',
      'button[popovertarget]'].map(selector => [selector, document.querySelectorAll(selector).length]),
  };
  // what is told to programs is data about what is on the page
  const told = [...document.querySelectorAll('[type="application/ld+json"]')].map(data => JSON.parse(data.textContent));
  if (told.some(data => data['@context'] != 'https://schema.org')) strange.push('the data of the page');
  // the page's own switches
  const chosen = () => document.querySelector('.bar .views :checked')?.value, view = chosen();
  document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'l', bubbles: true}));
  document.getElementById('theme')?.click();
  const works = view != chosen() && document.documentElement.dataset.theme == 'light';
  localStorage.clear();
  return {strange, again, outside, works, ran: 'pwned' in window, title: document.querySelector('h1')?.innerText,
    foot: foot?.textContent};
}"""


@cache
def style_parts() -> tuple[str, ...]:
    theme, _ = load_theme(PROJECT)
    assert theme
    return tuple(part for _, part in theme.parts)


def without_parts(style: str) -> str:
    """The styles of a page without those of components, which depend on what stands in the note."""
    for part in style_parts():
        style = style.replace(part, "")
    return style


@dataclass
class Watched:
    """A window, and whatever its pages do."""

    page: Page
    wrong: list[str]
    going: str = ""

    def goto(self, path: Path) -> None:
        self.going = path.as_uri()
        self.page.goto(self.going)

    def did(self) -> list[str]:
        """What the pages did since this was asked."""
        did = [what for what in self.wrong if not _BAD_VALUE.match(what)]
        self.wrong.clear()
        return did

    def open(self, path: Path) -> Seen:
        """What there is to see on a page, and what is wrong with it."""
        self.goto(path)
        found = self.page.evaluate(JUDGE)
        found["outside"]["programs"] = list(map(without_parts, found["outside"]["programs"]))
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


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Builds a collection, whatever its diagnostics say, and a copy of its pages without their policy beside it."""
    monkeypatch.setattr("paper_notes.build.has_errors", lambda _: False)

    def site_of(name: str, files: dict[str, str]) -> Path:
        root = write(tmp_path / name, files)
        made = build(root)
        assert made.plan is not None
        apply(root, made.plan)
        for page in pages_of(root):
            copy = tmp_path / f"{name}-open" / page.relative_to(root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            html, policies = _POLICY.subn("", page.read_text("utf-8"))
            assert policies == 1
            copy.write_text(html, "utf-8")
        return root

    return site_of


@pytest.fixture
def watched(windows: Windows) -> Iterator[Watched]:
    """A window whose pages may ask for nothing but themselves."""
    watched: Watched

    def itself(request: Request) -> bool:
        return request.is_navigation_request() and request.url == watched.going

    with windows.watched(itself):
        watched = Watched(windows.open(), windows.wrong)
        yield watched


def pages_of(root: Path) -> list[Path]:
    return sorted((root / "site").rglob("*.html"))


def as_shown(text: str) -> str:
    """The text as a line of a page shows it."""
    return " ".join(text.split())


@pytest.mark.parametrize("part", range(PARTS))
def test_no_note_reaches_beyond_its_place(built: Callable[..., Path], watched: Watched, part: int) -> None:
    payloads = [HARMLESS, *PAYLOADS[part::PARTS]]
    root = built("notes", notes_collection(payloads))
    without_policy = root.with_name("notes-open")
    harmless = watched.open(without_policy / "site/t/notes/000_N.html")
    assert harmless.wrong == []
    wrong: list[str] = []
    for path in pages_of(without_policy):
        seen = watched.open(path)
        found = seen.wrong
        if path.parent.name == "notes":
            number = int(path.stem.partition("_")[0])
            found += seen.changed(harmless)
            if number < len(payloads) and as_shown(payloads[number]) != as_shown(seen.found["title"]):
                found.append(f"the title is {seen.found['title']}")
        wrong += [f"{path.name}: {what}" for what in found]
    for path in (root / "site/t/notes").iterdir():  # nothing else is left to see, but the policy would complain
        if path.suffix == ".html":
            watched.goto(path)
    wrong += watched.did()
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("part", range(PARTS))
def test_no_site_or_topic_says_more_than_words(built: Callable[..., Path], watched: Watched, part: int) -> None:
    payloads = PAYLOADS[part::PARTS]
    plain = built("plain", words_collection([HARMLESS])).with_name("plain-open")
    root = built("words", words_collection(payloads))
    harmless = {path.name: watched.open(path) for path in pages_of(plain)}
    assert [seen.wrong for seen in harmless.values()] == [[]] * len(harmless)
    wrong: list[str] = []
    for path in pages_of(root.with_name("words-open")):
        if path.parent.name == "notes" and path.parents[1].name != "t0":
            continue  # around it stand the words that the note of every topic has around it
        seen = watched.open(path)
        shown = as_shown(seen.found["foot"])
        lost = [payload for payload in payloads if as_shown(payload) not in shown]
        found = [*seen.wrong, *(f"does not show {payload}" for payload in lost)]
        if path.parent.name != "site":
            found += seen.changed(harmless[path.name])
        wrong += [f"{path.relative_to(root.parent)}: {what}" for what in found]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("payload", [payload for payload in PAYLOADS[:40] if payload.startswith("<")][::2])
def test_an_attack_would_be_seen(tmp_path: Path, watched: Watched, payload: str) -> None:
    page = tmp_path / "page.html"
    seen = []
    for text in (HARMLESS, payload):
        around = f'<header class="bar"></header><main><h1>x</h1>{text}</main><footer class="foot"></footer>'
        page.write_text(f"<!doctype html><body>{around}", "utf-8")
        seen.append(watched.open(page))
    assert seen[1].changed(seen[0]) or len(seen[1].wrong) > len(seen[0].wrong)
