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
    assert {page.name for page in pages} >= {"stats.html", "map.html", "people.html", "tags.html", "glossary.html"}
    for page in pages:
        elements = html.fromstring(page.read_bytes()).xpath("//*")
        ids = Counter(element.get("id") for element in elements if element.get("id"))
        twice = [name for name, count in ids.items() if count > 1]
        assert twice == [], page
        pointed = {element.get(name) for element in elements for name in _POINTING} - {None}
        pointed |= {a.get("href")[1:] for a in elements if (a.get("href") or "").startswith("#")}
        assert pointed - ids.keys() == set(), page
