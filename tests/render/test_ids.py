"""The ids of pages: what a collection names never takes one that a page has itself."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from lxml import html
from naming import FILES
from running import built, write

_POINTING = ("for", "aria-labelledby", "aria-controls", "aria-describedby", "popovertarget")


def test_every_id_is_there_once_and_all_that_is_pointed_at_is_there(tmp_path: Path) -> None:
    site = built(write(tmp_path, FILES))
    pages = sorted(site.rglob("*.html"))
    assert {page.name for page in pages} >= {"stats.html", "map.html", "tags.html", "glossary.html"}
    for page in pages:
        elements = html.fromstring(page.read_bytes()).xpath("//*")
        ids = Counter(element.get("id") for element in elements if element.get("id"))
        twice = [name for name, count in ids.items() if count > 1]
        assert twice == [], page
        pointed = {element.get(name) for element in elements for name in _POINTING} - {None}
        pointed |= {a.get("href")[1:] for a in elements if (a.get("href") or "").startswith("#")}
        assert pointed - ids.keys() == set(), page


def test_a_label_with_a_footnote_comes_with_the_number_of_the_other_language(tmp_path: Path) -> None:
    lead = ":::tldr\nA.\n\n:::stats\n7\n: {}[^a]\n:::\n\nB.\n:::\n\n## H {{#h}}\nWords.\n\n[^a]: Why.\n"
    files = {
        "notes_src/site.yaml": "title: {zh: 一, en: T}\ntopics: [a]\n",
        "notes_src/a/topic.yaml": "title: {zh: 一, en: A}\n",
        "notes_src/a/01_One/note.yaml": "title: {zh: 一, en: One}\n",
        "notes_src/a/01_One/zh.md": lead.format("杯"),
        "notes_src/a/01_One/en.md": lead.format("cups"),
    }
    page = html.fromstring((built(write(tmp_path, files)) / "a/notes/01_One.html").read_bytes())
    (too,) = page.xpath('//*[@class="too"]')
    assert too.text == "cups"
    ids = [element.get("id") for element in page.xpath("//*[@id]")]
    assert len(ids) == len(set(ids))
