"""Facts of a note that its page tells: language, dates, papers, keywords. Authors are never guessed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from paper_notes.features.importing.html.classes import meaning_of
from paper_notes.features.importing.html.page import Page
from paper_notes.features.importing.html.tree import HtmlNode
from paper_notes.identifiers import ArxivId, arxiv_in_name, arxiv_mentions, parse_arxiv

_DATE = re.compile(r"(?<![\d.])(20\d\d)[-/.年](0?[1-9]|1[0-2])[-/.月](0?[1-9]|[12]\d|3[01])(?!\d)")
_UPDATED = re.compile(r"(?:更新|修订|修訂|最后|updated?|revised|last)[^·|\n]{0,12}$", re.IGNORECASE)
_CREATED = re.compile(
    r"(?:创建|建立|写于|寫於|笔记|整理|精读于|阅读|读于|created|written|noted?|read on)[^·|\n]{0,12}$", re.IGNORECASE
)
_KEYWORDS = re.compile(r"(?:关键词|關鍵詞|关键字|标签|キーワード|keywords?|tags?)\s*[:：]\s*(.+)", re.IGNORECASE)
_DOI = re.compile(r"(?:doi\.org/|doi:\s*)(10\.\d{4,9}/[^\s<>\"'，。；）)]+)", re.IGNORECASE)
_KINDS = (
    ("comparison", re.compile(r"comparison|横向对比|對比|对比笔记", re.IGNORECASE)),
    ("landscape", re.compile(r"landscape|调研|survey|全景|综述", re.IGNORECASE)),
    ("tutorial", re.compile(r"tutorial|教程|入门", re.IGNORECASE)),
    ("evolution", re.compile(r"evolution|演化|演进|谱系", re.IGNORECASE)),
)
_HAN, _KANA, _LATIN = re.compile(r"[\u4e00-\u9fff]"), re.compile(r"[\u3041-\u30ff]"), re.compile(r"[A-Za-z]{2,}")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a page tells of its note."""

    known: dict[str, Any] = field(default_factory=dict)
    """Keys of note.yaml."""
    arxiv: tuple[ArxivId, ...] = ()
    dois: tuple[str, ...] = ()


def language_of(root: HtmlNode, words: str) -> str:
    """The tag of a page's language: what it says, or else its script."""
    said = root.attributes.get("lang", "").replace("_", "-").lower()
    if re.match(r"zh-(?:tw|hk|mo|hant)", said):
        return "zh-Hant"
    if tag := re.match(r"[a-z]{2,3}(?=-|$)", said):
        return tag[0]
    if len(_KANA.findall(words)) > 20:
        return "ja"
    return "zh" if len(_HAN.findall(words)) * 4 > len(_LATIN.findall(words)) else "en"


def facts_of(page: Page, root: HtmlNode, stem: str) -> Facts:
    """The facts of the line below the title, of the file's name, and of elements for facts."""
    metas = [meta for meta in root.elements() if (said := meaning_of(meta, page.table)) and said.role == "meta"]
    lines = [line for meta in metas for line in "".join(_text(meta)).split("\n") if line.strip()]
    links = [link.attributes.get("href", "") for meta in metas for link in meta.elements() if link.tag == "a"]
    papers = [named[0]] if (named := arxiv_in_name(stem)) else []
    papers += [parsed[0] for parsed in map(parse_arxiv, links) if parsed]
    papers += [arxiv for line in lines for arxiv in arxiv_mentions(line)]
    if not papers:
        cards = [card for card in root.elements() if "paper-card" in card.classes]
        papers += [
            parsed[0]
            for card in cards
            for link in card.elements()
            if (parsed := parse_arxiv(link.attributes.get("href", "")))
        ]
    known: dict[str, Any] = {}
    kinds = [kind for kind, words in _KINDS if words.search(stem)] or [
        kind for kind, words in _KINDS if lines and words.search(lines[0])
    ]
    if kinds or not papers:
        known |= {"kind": kinds[0]} if kinds else {}
    known |= _dates(lines, papers)
    if keywords := _keywords(lines):
        known["keywords"] = keywords
    dois = [doi[1].rstrip(".,;") for text in (*links, *lines) for doi in _DOI.finditer(text)]
    return Facts(
        known, tuple(dict.fromkeys(papers)), tuple(dict.fromkeys(doi for doi in dois if "arxiv" not in doi.lower()))
    )


def _dates(lines: list[str], papers: list[ArxivId]) -> dict[str, str]:
    """When the note was made and changed. A date beside a paper is that of the paper."""
    dates: dict[str, str] = {}
    for line in lines:
        for date in _DATE.finditer(line):
            written = f"{date[1]}-{int(date[2]):02}-{int(date[3]):02}"
            before = line[: date.start()]
            if _UPDATED.search(before):
                dates.setdefault("updated", written)
            elif _CREATED.search(before) or not papers:
                dates.setdefault("created", written)
    if "created" in dates and dates.get("updated", "9") < dates["created"]:
        del dates["updated"]
    return dates


def _keywords(lines: list[str]) -> list[str]:
    keywords = next((match[1] for line in lines if (match := _KEYWORDS.search(line))), "")
    words = [" ".join(word.split()) for word in re.split(r"\s*[·•|、;；]\s*|\s*[,，]\s*", keywords)]
    return list(dict.fromkeys(word for word in words if word))


def _text(node: HtmlNode) -> Iterator[str]:
    if not node.tag:
        yield " ".join(node.words.split("\n"))
    elif node.tag == "br":
        yield "\n"
    else:
        for child in node.children:
            yield from _text(child)
