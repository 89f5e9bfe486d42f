"""Without JavaScript every word of both languages can be read, and nothing is hidden for good."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pages import IN_EVERY_VIEW, JUDGED, NOTES, PAGES, SOURCES, VIEWS, choose, load_at, views_of
from playwright.sync_api import Page
from running import EXAMPLES

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

UNFOLD = "for (const fold of document.querySelectorAll('details')) fold.querySelector('summary').click()"
HIDDEN = """view => {
  const [first, other] = [...document.querySelectorAll('input[name=view]')].map(radio => radio.value);
  // the language that was not chosen; side by side, what the page itself says in its second language
  const of = tag => `.${tag}`;
  const away = {[first]: of(other), [other]: of(first), both: `.${other}.ui`}[view] ?? '.nothing';
  const opens = 'dialog, [popover], svg title, svg desc, svg defs, rp, template';
  // need the script, or have made place for what they opened
  const ours = '#pn-theme[hidden], #pn-seek[hidden] *, #pn-seek[hidden]'
    + ', .words-of, .progress:empty, .home .find, .said, .ways [hidden], #pn-results'
    + ', details[open] > summary';
  const seen = element => element && element.getClientRects().length > 0;
  // what stands there a second time: a link that leads to the same page, the button for what is open anyway
  const target = element => element.closest('a, button') || element.querySelector(':scope > a');
  const spare = element => (element = target(element)) && (element.matches('a')
    ? [...document.links].some(link => link.href == element.href && seen(link))
    : seen(element.popoverTargetElement));
  // a table shows the heads of its columns once: above them, or as labels in the cells of its cards
  const head = element => (element = element.closest('.stack thead, .stack .th'))
    && seen(element.closest('.stack').querySelector(element.matches('thead') ? '.th' : 'thead'));
  // what a drawing says is in the list or table below it too
  const drawn = element => element.closest('.graph, .columns em, .columns .roomy')
    && seen(document.querySelector('#list, .plots table'));
  // of a figure that was drawn for narrow and for wide columns, one
  const wider = element => (element = element.closest('.fig-body > svg'))
    && [...element.parentElement.children].some(seen);
  // headline numbers: a phone shows them once, with the labels of the other language
  const labels = element => (element = element.closest('.c2 .stats'))
    && [...document.querySelectorAll('.c1 .stats')].some(stats => seen(stats)
      && [...element.querySelectorAll('dt, dd')].every(label => stats.innerText.includes(label.textContent.trim())));
  const too = element => element.closest('.too')
    && (view == first || [...document.querySelectorAll('.c2 .stats')].some(seen));
  const twice = element => spare(element) || head(element) || drawn(element) || wider(element)
    || labels(element) || too(element);
  const bad = [];
  for (const element of document.body.querySelectorAll('*:not(script, style)')) {
    if (element.closest(`${away}, ${opens}, ${ours}`) || !seen(element) && twice(element)) continue;
    if (element.matches('.stack td:empty')) continue;
    const style = getComputedStyle(element);
    const folded = style.contentVisibility == 'hidden';
    if (style.display == 'none' || style.visibility != 'visible' || folded || style.opacity == 0 &&
        !element.matches('.anchor, .views input')) bad.push(element.outerHTML.slice(0, 120));
  }
  return bad;
}"""
# what a row shows: text in figures is not in `innerText`, alternative texts are no text of the page
TEXTS = """() => Object.fromEntries([...document.querySelectorAll('main .row')].map(row => {
  const drawn = [...row.querySelectorAll('svg, math')].filter(e => e.getClientRects().length);
  return [row.id, [row.innerText, ...drawn.map(e => e.textContent)].join(' ')];
}))"""

_FRONT = re.compile(r"\A---\n.*?^---\n", re.DOTALL | re.MULTILINE)
_NOT_WORDS = [
    re.compile(pattern, re.DOTALL | re.MULTILINE)
    for pattern in (
        r"^ *(`{3,}|~{3,}).*?^ *\1 *$",  # code: the highlighter keeps it, `test_rendering` looks at it
        r"<!--.*?-->",
        r"\$\$.*?\$\$|(?<!\\)\$[^$\n]+\$",
        r"`[^`\n]+`",
        r"!\[[^\]]*\]\([^)]*\)",
        r"\]\([^)]*\)",
        r"\[\[[^\]]*\]\]|\[@[^\]]*\]",
        r"^ *:::+ *[\w-]*|\{[^{}\n]*\}",
        r"^\[\^[^\]]*\]:|\[\^[^\]]*\]",
        r"^\[![A-Za-z]+\]|^> *\[![A-Za-z]+\]",
        r"https?://\S+|</?[A-Za-z][^>]*>",
        r"&#?\w+;|\\.",
    )
]
_CODE = re.compile(r"^(`{3,}|~{3,}).*?^\1 *$", re.MULTILINE | re.DOTALL)
_SECTION = re.compile(r"^#{2,4} .*\{#([\w-]+)\} *$", re.MULTILINE)
_NEXT = re.compile(r"^#{2,4} |^\[\^", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z]{2,}|[\u4e00-\u9fff]+")


def words_of(markdown: str) -> list[str]:
    """The words of a text that its page must show as they are: no code, formulas, addresses, names of components."""
    text = _FRONT.sub("", markdown)
    for pattern in _NOT_WORDS:
        text = pattern.sub(" | ", text)
    return _WORD.findall(text)


def source_of(address: str, lang: str) -> Path:
    topic, _, page = address.split("/")
    return SOURCES / topic / page.removesuffix(".html") / f"{lang}.md"


def test_what_counts_as_words() -> None:
    text = "## 方法 {#m}\n:::note 标题 *here*\n一 `x` [two](#a) $y$ [@key] ![z](z.svg)[^1]\n:::\n```py\ncode\n```\n"
    assert words_of(text) == ["方法", "标题", "here", "一", "two"]


def lost(words: list[str], text: str) -> list[str]:
    shown = re.sub(r"\s+", "", text).casefold()
    return sorted({word for word in words if word.casefold() not in shown})


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("address", PAGES if EXAMPLES else JUDGED)
def test_nothing_is_hidden_for_good_and_every_word_is_in_its_section(open_page: Open, address: str) -> None:
    """What stands below a heading that names its id is shown in that section, up to the next heading.

    These pages have every kind of element between them. Whether something is hidden is looked at in the view with both
    languages, on one page of each template in every view; in `make nightly` on all in every view, and words are
    looked for in all notes.
    """
    page = open_page(address, java_script_enabled=False)
    texts: dict[str, dict[str, str]] = {}
    *_, whole = views_of(page)
    every = bool(EXAMPLES) or address in IN_EVERY_VIEW
    for width in (1280, 390) if address in JUDGED else (1280,):
        if width < 1280:
            load_at(page, width)
        page.evaluate(UNFOLD)
        for view in views_of(page) if every or (width == 1280 and address in NOTES) else (whole,):
            choose(page, view)
            if address in JUDGED and (every or view == whole):
                assert page.evaluate(HIDDEN, view) == [], f"{view}, {width} px"
            if width == 1280:
                texts[view] = page.evaluate(TEXTS)
    if address in NOTES and not address.startswith("daily/"):  # their sections are cards
        every_word_is_in_its_section(address, texts)


def every_word_is_in_its_section(address: str, texts: dict[str, dict[str, str]]) -> None:
    """By the texts of sections in each view."""
    assert set(texts) == set(VIEWS)
    for lang in ("zh", "en"):
        source = source_of(address, lang).read_text("utf-8")
        words = words_of(source)
        assert len(words) > 100
        for view in (lang, "both"):
            assert lost(words, "".join(texts[view].values())) == [], f"{lang}.md in the view {view}"
        sections = _SECTION.split(_CODE.sub("", source))[1:]
        assert sections
        for section, text in zip(sections[::2], sections[1::2], strict=True):
            own = words_of(_NEXT.split(text, maxsplit=1)[0])
            assert lost(own, texts[lang][section]) == [], f"#{section} in {lang}"
