"""Where the links of a page lead: to notes that are taken in with it, to its sections, or out of the collection."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from urllib.parse import unquote

from paper_notes.features.importing.html.inline import Inline, Link, Marked, Reference, Words, plain
from paper_notes.features.importing.html.naming import bare_name, number_of
from paper_notes.features.importing.html.page import Page, below
from paper_notes.features.importing.html.tree import Element, Text
from paper_notes.features.importing.values import Place
from paper_notes.identifiers import arxiv_in_name

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_SITE = re.compile(r"(?:www\.|arxiv\.org|github\.com|huggingface\.co|[\w-]+\.(?:org|com|io|ai|net|edu|dev)/)")
_NUMBER = re.compile(
    r"(?:(?<![A-Za-z0-9_#&=?.:/@-])|(?<=[\d)][/-])|(?<=#\d)|(?<=#\d\d))#(\d{1,4})(?![A-Za-z0-9_]|-(?!#)|\.\d)"
)
_NAMING = re.compile(
    r"(?:[见見读讀跨同和与及]|笔记|筆記|参考|參考|参见|note|see|cf\.?|[(（/,、·→]|#\d+)\s*$", re.IGNORECASE
)
"""Before a number of one digit, which may as well be a rank."""


def link(page: Page, element: Element, inside: tuple[Inline, ...]) -> tuple[Inline, ...]:
    """The words of `<a>` as a link, a reference, or as they are."""
    href = " ".join(element.attributes.get("href", "").split())
    words = plain(inside)
    if not href or not words:
        return inside
    if href.startswith("#"):
        if href == "#" or not (anchor := page.anchors.get(unquote(href[1:]))):
            if href != "#":
                page.tell("dead-anchor", f"the page has no {href}: its words stay", element)
            return inside
        page.linked.add(anchor)
        return (Link(f"#{anchor}", inside),)
    if href.startswith("//") or (_SITE.match(href) and not href.lower().endswith((".html", ".htm"))):
        href = f"https:{href}" if href.startswith("//") else f"https://{href}"
    if _SCHEME.match(href):
        allowed = re.match(r"(?:https?://[^\s/]|mailto:.)", href, re.IGNORECASE)
        return (Link(href, inside),) if allowed else inside
    path, _, fragment = href.partition("#")
    found, kind = note_at(page, unquote(path.partition("?")[0]))
    if found is None:
        page.tell("dead-link", f"no note is taken in with this one as {href}: its words stay", element)
        return inside
    if kind:
        page.tell(kind, f"{href} is taken for {found.reference}", element)
    return (_reference(page, found, fragment, inside, element),)


def _reference(page: Page, place: Place, fragment: str, inside: tuple[Inline, ...], element: Element) -> Inline:
    target = place.reference
    if place.outline.path == page.original.path:
        anchor = page.anchors.get(fragment, "")
        page.linked |= {anchor} if anchor else set()
        return Link(f"#{anchor}", inside) if anchor else Words(plain(inside))
    if fragment:
        if section := dict(place.outline.sections).get(fragment, ""):
            target = f"{target}#{section}"
        else:
            page.tell("dead-anchor", f"{place.reference} has no #{fragment}: the link leads to the note", element)
    words = plain(inside)
    if re.search(r"[\[\]|]", words):
        words = words.translate(str.maketrans("[]|", "［］｜"))
        page.tell("reference-words", "brackets in the words of a reference become full-width ones", element)
    if len(inside) == 1 and isinstance(inside[0], Marked) and inside[0].mark in ("strong", "em"):
        return Marked(inside[0].mark, (Reference(target, words),))
    return Reference(target, words)


def note_at(page: Page, address: str) -> tuple[Place | None, str]:
    """The note at a relative address, and the kind of finding if it is found by less than its path."""
    path = below(page, address)
    if found := page.places.by_path.get(path):
        return found, ""
    if path.suffix.lower() not in (".html", ".htm", ".md", ""):
        return None, ""
    candidates = _nearest(page, page.places.named(path.stem))
    if len(candidates) == 1:
        return candidates[0], "reference-by-name"
    name, number, arxiv = bare_name(path.stem), number_of(path.stem), arxiv_in_name(path.stem)
    everywhere = sorted(
        {id(one): one for one in page.places.by_path.values()}.values(), key=lambda one: str(one.outline.path)
    )
    for same in (
        lambda one: _same(one.outline.name, name) and one.outline.number == number,
        lambda one: _same(one.outline.name, name),
        lambda one: arxiv is not None and arxiv_in_name(one.outline.path.stem) == arxiv,
        lambda one: _begins(one.outline.name, name),
    ):
        candidates = _nearest(page, [one for one in everywhere if same(one)], path)
        if len(candidates) == 1:
            return candidates[0], "reference-by-name"
    if number is not None and len(_letters(name)) < 2 and (one := by_number(page, number, path)):
        return one, "reference-by-number"
    return None, ""


def _same(one: str, other: str) -> bool:
    return _letters(bare_name(one)) == _letters(other) != ""


def _begins(one: str, other: str) -> bool:
    first, second = sorted((_letters(bare_name(one)), _letters(other)), key=len)
    return len(first) >= 4 and second.startswith(first)


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _nearest(page: Page, candidates: Sequence[Place], path: PurePosixPath | None = None) -> list[Place]:
    """Of several notes those of the folder that the address names, or of the page's own topic."""
    if len(candidates) < 2:
        return list(candidates)
    folder = (path or page.original.path).parent
    here = [one for one in candidates if one.outline.path.parent == folder]
    return here or [one for one in candidates if one.outline.topic == page.outline.topic] or list(candidates)


def by_number(page: Page, number: int, path: PurePosixPath | None = None) -> Place | None:
    """The note of this number: of the page's topic, or the only one that there is if its topic has no others."""
    candidates = _nearest(page, page.places.by_number.get(number, ()), path)
    if len(candidates) != 1:
        return None
    topic = page.outline.topic
    siblings = (one.outline for one in page.places.by_path.values() if one.outline.path != page.original.path)
    elsewhere = candidates[0].outline.topic != topic
    return None if elsewhere and any(one.topic == topic and one.number for one in siblings) else candidates[0]


def with_references(page: Page, text: Text, words: str) -> Iterator[Inline]:
    """Words whose plain `#15` are references to notes, where it can be no other number."""
    done = 0
    if "#" in words:
        several = len(_NUMBER.findall(words)) > 1
        for found in _NUMBER.finditer(words):
            sure = len(found[1]) > 1 or (several and _NAMING.search(words, 0, found.start()))
            sure = sure or _NAMING.search(words[: found.start()])
            place = by_number(page, int(found[1])) if sure else None
            if not place or place.outline.path == page.original.path:
                continue
            page.tell("reference-by-number", f"{found[0]} is taken for {place.reference}", text)
            yield Words(words[done : found.start()])
            yield Reference(place.reference, found[0])
            done = found.end()
    yield Words(words[done:])
