"""What must hold for every file of a site, whoever made it: it is read by others as it is meant."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_CLOSED_BY = {
    "li": "li",
    "dt": "dt dd",
    "dd": "dt dd",
    "tr": "tr td th",
    "td": "td th",
    "th": "td th",
    "option": "option",
}
"""Elements that need no end, as another begins."""
_OPTIONAL = frozenset("li dt dd p tr td th thead tbody tfoot colgroup option rt rp head body html".split())
_OWN_SPACE = frozenset(("svg", "math"))


class _Page(HTMLParser):
    """The ids and links of a page, and where its elements do not close as they open."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.wrong: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = Counter(name for name, _ in attrs)
        self.wrong += [f"<{tag}> has {name} twice" for name, count in names.items() if count > 1]
        for name, value in attrs:
            if name == "id":
                self.ids[value or ""] += 1
            elif name in ("href", "for", "aria-labelledby", "aria-describedby", "aria-controls", "popovertarget"):
                self.links += [value or ""] if name == "href" else [f"#{part}" for part in (value or "").split()]
        while self.open and self.open[-1] in _CLOSED_BY.get(tag, "").split():
            self.open.pop()
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()
            if not _OWN_SPACE & set(self.open):
                self.wrong.append(f"<{tag}/>")

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open[-1] != tag and self.open[-1] in _OPTIONAL and tag in self.open:
            self.open.pop()
        if self.open[-1:] == [tag]:
            self.open.pop()
        else:
            self.wrong.append(f"</{tag}> in <{' '.join(self.open[-4:])}> at {self.getpos()}")

    def handle_comment(self, data: str) -> None:
        if data.startswith((">", "->", "!")):
            self.wrong.append(f"<!--{data[:9]}")


def site_problems(site: Path) -> Iterator[str]:
    """What is wrong with the files of a site."""
    pages: dict[Path, _Page] = {}
    for path in sorted(path for path in site.rglob("*") if path.is_file()):
        name, data = path.relative_to(site), path.read_bytes()
        try:
            if path.suffix == ".html" and name.parts[0] != "demo":
                pages[path] = page = _read(data.decode())
                yield from (f"{name}: {problem}" for problem in page.wrong[:3])
                yield from (f"{name}: the id {found!r} {count} times" for found, count in page.ids.items() if count > 1)
                yield from (f"{name}: not closed: {page.open}" for _ in page.open[:1])
            elif path.suffix in (".xml", ".svg"):
                ElementTree.fromstring(data)
            elif path.suffix == ".json":
                json.loads(data)
        except (ValueError, ElementTree.ParseError) as error:
            yield f"{name}: {error}"
    for path, page in pages.items():
        yield from (f"{path.relative_to(site)}: {problem}" for problem in _dead(path, page, pages))


def _read(text: str) -> _Page:
    page = _Page()
    page.feed(text)
    page.close()
    return page


def _dead(path: Path, page: _Page, pages: dict[Path, _Page]) -> Iterator[str]:
    """Links that lead nowhere."""
    for link in dict.fromkeys(page.links):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc or link.startswith("/"):
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not target.exists():
            yield f"{link!r} leads to no file"
        elif target in pages and parts.fragment and unquote(parts.fragment) not in pages[target].ids:
            yield f"{link!r} leads to no id"


def book_problems(book: Path) -> Iterable[str]:
    """What is wrong with a book: its files are XML, and all that it lists is there."""
    with zipfile.ZipFile(book) as archive:
        names = archive.namelist()
        for name in names:
            if name.endswith((".xhtml", ".opf", ".ncx", ".svg", ".xml")):
                try:
                    tree = ElementTree.fromstring(archive.read(name))
                except ElementTree.ParseError as error:
                    yield f"{book.name}: {name}: {error}"
                    continue
                ids = Counter(element.get("id") for element in tree.iter() if element.get("id"))
                yield from (f"{book.name}: {name}: the id {found!r} twice" for found, count in ids.items() if count > 1)
