"""What a page and the name of its file tell of a note: number, language, dates, papers, keywords.

Authors are never guessed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Any
from unicodedata import normalize

from paper_notes.document import nodes
from paper_notes.features.importing.html.inlines import plain
from paper_notes.features.importing.html.page import Inlines, Page, PageFacts
from paper_notes.features.importing.html.tree import HtmlNode
from paper_notes.features.importing.markdown.dialects import tables
from paper_notes.features.importing.markdown.front import day_in
from paper_notes.features.importing.outside import spelled
from paper_notes.features.importing.path_language import guessed, tag_of
from paper_notes.features.importing.types import Folder
from paper_notes.identifiers import ArxivId, arxiv_in_name, arxiv_mentions, parse_arxiv, without_arxiv
from paper_notes.patterns import regex

_DATE = regex(r"(?<![\d.])(20\d\d)[-/.年](0?[1-9]|1[0-2])[-/.月](0?[1-9]|[12]\d|3[01])(?!\d)")
_UPDATED = regex(r"(?:更新|修订|修訂|最后|updated?|revised|last)[^·|\n]{0,12}$", re.IGNORECASE)
_CREATED = regex(
    r"(?:创建|建立|写于|寫於|笔记|整理|精读于|阅读|读于|created|written|noted?|read on)[^·|\n]{0,12}$", re.IGNORECASE
)
_KEYWORDS = regex(r"(?:关键词|關鍵詞|关键字|标签|キーワード|keywords?|tags?)\s*[:：]\s*(.+)", re.IGNORECASE)
_PAPER = regex(r"(?:(?:论文|論文|原文|paper|source)\s*[:：]|arxiv\s*[:：])(?=.{,80}$)", re.IGNORECASE)
_STATUS = regex(r"(?:状态|狀態|进度|status)\s*[:：]\s*([^·•|｜,，;；]+)", re.IGNORECASE)
_DOI = regex(r"(?:doi\.org/|doi:\s*)(10\.\d{4,9}/[^\s<>\"'，。；）)]+)", re.IGNORECASE)
_WEB = regex(r"https?://[^\s/]")
_KINDS = (
    ("comparison", re.compile(r"comparison|横向对比|對比|对比笔记", re.IGNORECASE)),
    ("landscape", re.compile(r"landscape|调研|survey|全景|综述", re.IGNORECASE)),
    ("tutorial", re.compile(r"tutorial|教程|入门", re.IGNORECASE)),
    ("evolution", re.compile(r"evolution|演化|演进|谱系", re.IGNORECASE)),
)


def language_of(root: HtmlNode) -> str:
    """The tag of a page's language: what it says, or else what its letters are."""
    said = root.attributes.get("lang", "").replace("_", "-").lower()
    tag = re.match(r"[a-z]{2,3}(?=-|$)", said)
    title = root.first("title") or HtmlNode()
    return tag_of("-".join(said.split("-")[:2])) or (tag[0] if tag else guessed(f"{title.words} {root.text()}"))


def facts_of(page: Page, root: HtmlNode, stem: str) -> PageFacts:
    """What the line below the title, the file's name, and elements for facts tell."""
    metas = [element for element in root.elements() if page.role(element) == "meta"]
    lines = [line for meta in metas for line in _text(meta).split("\n") if line.strip()]
    lines += _properties(page, root)
    links = [address for meta in metas for address in meta.links()]
    papers = [named[0]] if (named := arxiv_in_name(stem)) else []
    papers += [parsed[0] for parsed in map(parse_arxiv, links) if parsed]
    papers += [arxiv for line in lines for arxiv in arxiv_mentions(line)]
    cards = [] if papers else [card for card in root.elements() if "paper-card" in card.classes]
    papers += [parsed[0] for card in cards for parsed in map(parse_arxiv, card.links()) if parsed]
    first = root.first("p") or HtmlNode()
    if not papers and _PAPER.match(said := " ".join(first.text().split())):
        papers += arxiv_mentions(said) or [parsed[0] for parsed in map(parse_arxiv, first.links()) if parsed]
    kinds = [kind for text in (stem, *lines[:1]) for kind, words in _KINDS if words.search(text)]
    dates = {"created": "", "updated": "", **_dates(lines, papers)}
    known: dict[str, Any] = {"kind": kinds[0] if kinds else "", **dates, "keywords": _keywords(lines)}
    known["status"] = next(filter(None, map(_status, lines)), "")
    dois = _dois([*links, *lines])
    written = _of_head(root)
    told = {key: written.pop(key, "") for key in ("created", "updated", "keywords")}
    known |= {key: value for key, value in told.items() if value and not known[key]}
    papers += [parsed[0] for parsed in [parse_arxiv(written.get("source", ""))] if parsed and not papers]
    known = {key: value for key, value in known.items() if value}
    return PageFacts(known, written, tuple(dict.fromkeys(papers)), dois)


_META = {
    **dict.fromkeys(("created", "date", "dc.date", "article:published_time", "citation_publication_date"), "created"),
    **dict.fromkeys(("updated", "modified", "article:modified_time"), "updated"),
    **dict.fromkeys(("keywords", "article:tag"), "keywords"),
    **dict.fromkeys(("author", "article:author", "dc.creator"), "author"),
    **dict.fromkeys(("source-url", "og:url"), "source"),
}


def _properties(page: Page, root: HtmlNode) -> list[str]:
    """The rows of a table of facts as lines; those that are understood leave it."""
    lines: list[str] = []
    for table in (element for element in root.elements() if page.role(element) == "properties"):
        for holder in table.elements():
            for row in holder.elements_of("tr"):
                name, *values = (cell.content or [cell] for cell in row.content)
                said = ", ".join(
                    words for value in values for part in value if (words := " ".join(part.text().split()))
                )
                line = f"{' '.join(part.text() for part in name).strip()}: {day_in(said) or said}"
                before = line[: date.start()] if (date := _DATE.search(line)) else ""
                if _KEYWORDS.match(line) or _CREATED.search(before) or _UPDATED.search(before):
                    lines.append(line)
                    page.remove("facts", f"the note knows: {line}", row)
                    holder.children.remove(row)
    return lines


def _of_head(root: HtmlNode) -> dict[str, Any]:
    """What the head of a page tells, as keys of note.yaml; `author` and `source` are kept in `extra`."""
    told: dict[str, list[str]] = defaultdict(list)
    for element in root.elements():
        said = element.attributes
        if element.tag == "meta" and (words := " ".join(said.get("content", "").split())):
            name = said.get("name") or said.get("property") or said.get("itemprop", "")
            told[_META.get(name.lower(), "")].append(words)
        elif element.tag == "link" and said.get("rel") == "canonical" and _WEB.match(said.get("href", "")):
            told["source"].append(said["href"])
    days = ((key, date) for key in ("created", "updated") for words in told[key] if (date := _DATE.search(words)))
    head: dict[str, Any] = {key: _written(date) for key, date in days}
    head |= {"keywords": _keywords([f"keywords: {told['keywords'][-1]}"])} if told["keywords"] else {}
    head |= {"author": ", ".join(dict.fromkeys(told["author"]))} if told["author"] else {}
    return head | ({"source": told["source"][-1]} if told["source"] else {})


def _dois(texts: Iterable[str]) -> tuple[str, ...]:
    dois = (doi[1].rstrip(".,;") for text in texts for doi in _DOI.finditer(text))
    return tuple(dict.fromkeys(doi for doi in dois if "arxiv" not in doi.lower()))


# Facts that leave the text

_BETWEEN = regex(r"\s*[·•|｜]\s*")
_LABEL = regex(
    r"arxiv|doi(?:\.org)?|日期|创建(?:时间|于)?|更新(?:时间|于)?|写于|最后|修[订訂]|date|created"
    r"|(?:last )?updated|revised|pdf|\b\d{1,2}:\d\d\b|[:：\s,，]",
    re.IGNORECASE,
)


def without_facts(line: Inlines, facts: PageFacts) -> tuple[Inlines, list[str]]:
    """A line below the title without what the page of the note shows of itself, and that."""
    parts: list[list[nodes.Inline]] = [[]]
    for part in line:
        first, *others = _BETWEEN.split(part.text) if isinstance(part, nodes.Text) else [part]
        parts[-1] += [nodes.Text(first) if isinstance(first, str) else first]
        parts += [[nodes.Text(words)] for words in others if isinstance(words, str)]
    words = [plain(part) for part in parts]
    gone = {at for at, part in enumerate(parts) if _is_fact(part, facts) or _status(words[at])}
    gone |= _keyword_parts(words, facts)
    gone -= {at for at in gone if not words[at]}
    kept = [part for at, part in enumerate(parts) if at not in gone and words[at]]
    joined = [inline for part in kept for inline in (nodes.Text(" · "), *part)][1:]
    return tuple(joined) if gone else line, [words[at] for at in sorted(gone)]


def _status(line: str) -> str:
    """How far the reader is, if a line says so."""
    said = _STATUS.search(line)
    return tables().statuses.get(said[1].strip().casefold(), "") if said else ""


def _keyword_parts(words: Sequence[str], facts: PageFacts) -> set[int]:
    """The parts of a line that are the keywords of the note."""
    start = next((at for at, part in enumerate(words) if _KEYWORDS.match(part)), len(words))
    known = facts.known.get("keywords")
    ends = (end for end in range(start + 1, len(words) + 1) if _keywords([" · ".join(words[start:end])]) == known)
    return {*range(start, next(ends, start))}


def _is_fact(part: Sequence[nodes.Inline], facts: PageFacts) -> bool:
    """Whether these words are nothing but dates of the note, and ids of its papers."""
    words = plain(part)
    texts = [words, *(node.href for inline in part for node in inline.walk() if isinstance(node, nodes.Link))]
    ids = {arxiv for text in texts for arxiv in (*arxiv_mentions(text), *(it[0] for it in [parse_arxiv(text)] if it))}
    dois, dates = _dois(texts), [_written(date) for date in _DATE.finditer(words)]
    days = {facts.known.get("created"), facts.known.get("updated")}
    if not (ids or dois or dates) or ids - {*facts.arxiv} or {*dois} - {*facts.dois} or {*dates} - days:
        return False
    for name in (*ids, *dois):
        words = words.replace(name, "")
    return not re.search(r"\w", _LABEL.sub("", _DATE.sub("", words)))


def _written(date: re.Match[str]) -> str:
    return f"{date[1]}-{int(date[2]):02}-{int(date[3]):02}"


def _text(node: HtmlNode) -> str:
    """The words inside of it; its lines are those that readers see."""
    words = "".join(map(_text, node.children)) + " ".join(node.words.split("\n"))
    return "\n" if node.tag == "br" else words


def _dates(lines: list[str], papers: list[ArxivId]) -> dict[str, str]:
    """When the note was made and changed. A date beside a paper is that of the paper."""
    dates: dict[str, str] = {}
    for line in lines:
        for date in _DATE.finditer(line):
            written = _written(date)
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
    if re.search(r"[、,，;；]", _BETWEEN.split(keywords)[0]):
        keywords = _BETWEEN.split(keywords)[0]
    words = [" ".join(word.split()) for word in re.split(r"\s*[·•|、;；]\s*|\s*[,，]\s*", keywords)]
    return list(dict.fromkeys(word for word in words if word))


# The name of the file

_NUMBER = regex(r"^(\d{1,6})(?:_+|[.\s-]+(?=\D)|$)")
_GENERIC = frozenset("notes note html pages page docs posts src content".split())


def number_of(stem: str) -> int | None:
    """The number that a name begins with: 4 of `04_ReSpec_2510.26475`."""
    number = _NUMBER.match(stem)
    return int(number[1]) if number else None


def name_of(stem: str) -> str:
    """The name without its number, with letters, digits and `. _ + -` only."""
    return re.sub(r"[^\w.+-]+", "-", normalize("NFC", _NUMBER.sub("", stem))).strip("-._") or "note"


def bare_name(stem: str) -> str:
    """The name without number and arXiv id, to compare."""
    return without_arxiv(_NUMBER.sub("", stem))


def topic_of(path: PurePosixPath) -> str:
    """The folders of a page as one name, without those that only say that there are notes."""
    folders = [part for part in path.parent.parts if part not in (".", "/")]
    named = [part for part in folders if part.lower() not in _GENERIC] or folders
    return re.sub(r"[^\w-]+", "-", normalize("NFC", "-".join(named))).strip("-_").lower()


def below(folder: Folder, page: PurePosixPath, address: str) -> PurePosixPath:
    """The file that a page means by a relative address, from the folder that is taken in."""
    path = PurePosixPath(normpath(f"/{page.parent}/{address}"))
    return spelled(path.relative_to("/"), folder.files)
