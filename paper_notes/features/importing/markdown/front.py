"""Front matter of others: what each key is here, and where the text begins."""

from __future__ import annotations

import copy
import datetime
import re
import tomllib
from collections.abc import Iterator, Mapping
from textwrap import dedent
from typing import Any

from paper_notes.diagnostics import Diagnostic
from paper_notes.document import nodes
from paper_notes.document.parse import parse_inline
from paper_notes.features.importing.markdown.dialects import tables
from paper_notes.features.importing.markdown.headings import plain_words
from paper_notes.features.importing.types import Original
from paper_notes.identifiers import ArxivId, arxiv_in_field, arxiv_in_name, parse_arxiv
from paper_notes.patterns import regex
from paper_notes.sources.bibtex import MONTHS
from paper_notes.sources.yaml import YamlDocument, parse_yaml
from paper_notes.values import Struct, astuple, field

_FRONT_MATTER = regex(
    r"(?:---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)|\+\+\+[ \t]*\n(?P<toml>.*?)^\+\+\+)[ \t]*(?:\n|\Z)",
    re.DOTALL | re.MULTILINE,
)
_KEY = regex(r"[\w][\w -]*:(?=\s)")
_IN_QUOTES = regex(r"(?s)^(['\"])(.*)\1$")
_DAY = regex(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})(?!\d)")
_AMERICAN = regex(r"([A-Z][a-z]{2})[a-z]* (\d{1,2})(?:st|nd|rd|th)?, (\d{4})")
_WEEKDAY = regex(
    r"[ ,]*\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b[ ,.]*"
    r"|\s*(?:星期|周|週)[一二三四五六日天]",
    re.IGNORECASE,
)
_NUMBER = regex(r"\d{1,6}")
_DOI = regex(r"10\.\d{4,9}/\S+")
_TAGS = regex(r"(?=#[a-z]|#\S+[ \t]+#)#[^\W\d][\w/-]*(?:[ \t,，]+#[^\W\d][\w/-]*)*")
"""A line of tags: `#paper #rl/grpo`. A single one with a capital is a heading."""
_TRUE = frozenset({"true", "yes", "on", "1"})
_NOTHING: tuple[object, ...] = (None, "", [], {})
_ABOVE = regex(r"(?:[ \t]*\n)*(?:#[ \t][^\n]*\n(?:[ \t]*\n)*)?")
_BLANK_LINE = regex(r"\n[ \t>]*(?=\n|\Z)")
_NEXT_QUOTED = regex(r"(?:[ \t>]*\n)*(?=>)")
_BARE_CALLOUT = regex(r">[ \t]*\[![\w-]+\][-+]?[ \t]*")
_MARKER = regex(r"^[ \t>]*(?:[-*+][ \t]+)?")
_FACT = regex(
    r"(?:[^\w\s*#\[\]<>|`]{1,3}[ \t]*)?(?:\*\*|__)?(?P<key>[^\W\d_][\w /-]{0,30}?)[ \t]*(?:\*\*|__)?[ \t]*"
    r"(?P<sign>::|[:：])[ \t]*(?:\*\*|__)?[ \t]*(?P<value>\S.*)"
)
"""`**Venue**: ICLR 2026`, `status:: read`."""
_PROPERTIES = regex(r"(?:[ \t]*\n)*(?:[\w-]+::(?:[ \t].*)?(?:\n|\Z))+")
_PROPERTY = regex(r"^([\w-]+)::(.*)$", re.MULTILINE)
_AROUND = regex(r"^[\W_]+|[\W_]+$")
"""Signs around a word: `✅ read`, `#read`, `[[read]]`."""
_BETWEEN = regex(r"[ \t]+[|·•][ \t]+|[ \t]*｜[ \t]*")
_SHOWN = frozenset(
    "tags keywords created updated status rating arxiv doi address authors venue code project aliases alias".split()
)
"""What pages show of the facts of a note."""
_FIELDS = frozenset({"title", "author", "year", "citekey"})
"""What is one only behind two colons: `author: me` is who wrote the note."""
_SAID_BY_LINKS = regex(r"(?i:arxiv|doi|pdf|html|abs)|[\W_]+")
_AND = regex(r"\s*[,，、;；]\s*(?:and\s+)?|\s+and\s+")
_UNNAMED = regex(r"[()（）\d*†‡]|\bet al\b|等")
_TIME = regex(r"\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?|[A-Z][a-z]{2,8} \d{1,2}, \d{4}|\d\d?:\d\d(?::\d\d)?|[AP]M|\s")
_SLASH = regex(r"\s+/\s+")
_MOST_WORDS = 5
"""Of a tag."""
_WIKI = regex(r"\[\[[^\[\]\n]+\]\]")
_UUID = regex(r"[0-9a-f]{8}-[0-9a-f-]{27}", re.IGNORECASE)
"""What programs call a note, or Logseq a block: nobody looks for it."""
_RATING = regex(r"([1-5])(?:\s*/\s*5)?|((?:[⭐★]\ufe0f?){1,5})☆*")


class Front(Struct):
    """What the front matter of a text says. It is filled key by key, and then line by line below it."""

    text: str
    """What follows it, without lines of facts."""
    values: Mapping[Any, Any] = field(default_factory=dict)
    """As they are written."""
    first_line: int = 1
    """The line of the original on which the text begins."""
    broken: str = ""
    """Why it could not be read; it is then part of the text."""
    broken_at: tuple[int, int] = (1, 1)
    is_post: bool = False
    """Whether it is one of Jekyll's posts, which have several categories in a line."""
    title: str = ""
    topic: str = ""
    lang: str = ""
    number: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)
    arxiv: list[ArxivId] = field(default_factory=list)
    dois: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    """The lines that have become facts."""
    links: dict[str, str] = field(default_factory=dict)
    """Keys whose values link to notes, and these: `up: "[[Index]]"`."""

    def take(self, meaning: str, value: object) -> bool:  # noqa: C901 -- a case a meaning
        """Take a value; False if it does not have that meaning."""
        words, several = _words(value), _several(value)
        match meaning:
            case "title" | "lang" | "number":
                is_valid = bool(_NUMBER.fullmatch(words) if meaning == "number" else words)
                return is_valid and self._first(meaning, words) == words
            case "summary" | "created" | "updated":
                fact = words if meaning == "summary" else day_in(value)
                return bool(fact) and self.facts.setdefault(meaning, fact) == fact
            case "draft":
                self.facts |= {"draft": True} if words.lower() in _TRUE else {}
                return words.lower() in (*_TRUE, "false", "no", "off")
            case "tags":
                self.tags += several
            case "keywords":
                self.facts["keywords"] = [*self.facts.get("keywords", ()), *several]
            case "topic":
                named = words.split() if self.is_post and isinstance(value, str) else several
                self._first("topic", named[0] if named else "")
                self.tags += named
            case "status":
                status = tables().statuses.get(_AROUND.sub("", words).casefold(), "")
                self.facts |= {meaning: status} if status else {}
                return bool(status)
            case "rating":
                stars = _RATING.fullmatch(words)
                self.facts |= (
                    {meaning: int(stars[1]) if stars[1] else len(stars[2].replace("\ufe0f", ""))} if stars else {}
                )
                return bool(stars)
            case "citekey":
                self.extra[meaning] = words.removeprefix("@")
            case "aliases" | "alias" if _UUID.fullmatch(words):
                return False
            case "aliases":
                self.aliases += _several(value, commas=False)
            case "alias":
                self.aliases.append(words)
            case "address" if "://" not in words:
                self.aliases.append(words)
            case "address":
                if not self._paper(arxiv_in_field(words)) and "doi.org" in words:
                    self._doi(words)
                return False  # an address elsewhere is kept
            case "arxiv":
                return self._paper(parse_arxiv(words))
            case "doi":
                return self._doi(words)
            case _:
                return False
        return True

    def keep(self, key: str, value: object) -> None:
        """Keep a value that means nothing here, or the notes that it links to."""
        linked = ", ".join(_wiki_links(value)) if key not in self.extra else ""
        kept: dict[str, Any] = self.links if linked else self.extra
        kept[key] = linked or value

    def with_properties(self) -> Front:
        """Keep what a page of Logseq says at its head, `key:: value`, as front matter that means nothing here."""
        if head := _PROPERTIES.match(self.text):
            for key, value in _PROPERTY.findall(head[0]):
                self.keep(key, value.strip())
            self.text = "\n" * head[0].count("\n") + self.text[head.end() :]
        return self

    def read(self, meaning: str, written: str) -> bool:
        """Take a value that stands in the text, if no words of it would be missing on the page."""
        inlines = parse_inline(written)
        links = [node.href for inline in inlines for node in inline.walk() if isinstance(node, nodes.Link)]
        rest = plain_words(node for node in inlines if not isinstance(node, nodes.Link))
        words = plain_words(inlines)
        match meaning:
            case "arxiv" | "doi" | "address" if links:
                is_paper = [self._paper(arxiv_in_field(href)) or self._doi(href) for href in links]
                return all(is_paper) and not _SAID_BY_LINKS.sub("", rest)
            case "code" | "project" | "venue" | "authors" | "author" | "year" if not (self.arxiv or self.dois):
                return False
            case "code" | "project":
                self.extra[meaning] = links[0] if links else ""
                return len(links) == 1 and not _SAID_BY_LINKS.sub("", rest)
            case "venue" | "year":
                self.extra[meaning] = words
                return not links
            case "author":  # one of them on each line, as `Last, First`
                self.extra["authors"] = [*self.extra.get("authors", ()), " ".join(reversed(words.split(", ")))]
                return not links and words.count(",") < 2
            case "authors":
                self.extra[meaning] = _AND.split(words)
                return not links and not _UNNAMED.search(words)
            case "aliases":
                self.aliases += _several(words)
                return True
            case "created" | "updated" if _TIME.sub("", words):
                return False
            case "tags" | "keywords" if any(
                len(tag.split()) > _MOST_WORDS for tag in _several(_SLASH.sub(", ", words))
            ):
                return False  # a sentence
        return self.take(meaning, _SLASH.sub(", ", words))

    def _first(self, name: str, words: str) -> str:
        """The value of a name, which is the first one that is taken."""
        setattr(self, name, getattr(self, name) or words)
        return str(getattr(self, name))

    def _paper(self, paper: tuple[ArxivId, int | None] | None) -> bool:
        self.arxiv += [paper[0]] if paper else []
        return bool(paper)

    def _doi(self, words: str) -> bool:
        doi = _DOI.search(words)
        if doi and not self._paper(parse_arxiv(doi[0])):
            self.dois.append(doi[0])
        return bool(doi)


def front(original: Original) -> Front:
    """The front matter of an original, and facts and tags on lines below it, or below the title.

    Never raises: what cannot be read stays text.
    """
    front = front_matter(original)
    front.is_post = "_posts" in original.path.parts
    known = tables()
    for key, value in front.values.items():
        wanted = known.meaning(str(key))
        if value not in _NOTHING and not (wanted and front.take(wanted, value)):
            front.keep(str(key), value)
    if original.path.stem.startswith("@") and " " not in original.path.stem:
        front.extra.setdefault("citekey", original.path.stem[1:])  # as Zotero's plug-ins name the notes of papers
    if not (front.arxiv or front.dois) and (named := arxiv_in_name(original.path.stem)):
        front.arxiv.append(named[0])
    if (front.arxiv or front.dois) and (people := _WIKI.findall(front.links.get("authors", ""))):
        front.extra["authors"] = [name.strip("[]").rpartition("|")[2] for name in people]  # the page names its authors
        del front.links["authors"]
    front.text = _without_facts(front.text, front)
    front.title = front.title.removeprefix("@")  # of a paper, in Logseq
    if tag_list := [*dict.fromkeys(front.tags)]:
        front.facts["tags"] = tag_list
    return front


def front_matter(original: Original) -> Front:
    """What is written at the head of an original in YAML or TOML, only its values; none if nothing can read it."""
    text = original.text
    match = _FRONT_MATTER.match(text)
    if match is None:
        return Front(text)
    if match["toml"] is not None:
        try:
            value: object = tomllib.loads(match["toml"])
            str(value)  # Python refuses to write numbers of more than some thousand digits, too
        except (ValueError, RecursionError) as error:
            return Front(text, broken=str(error))
    else:
        document = parse_yaml(original.path, match["yaml"], 2)
        if isinstance(document, Diagnostic):
            value = _key_by_key(original, match["yaml"])
            if value is None:
                where = document.location
                return Front(text, broken=document.message, broken_at=(where.line, where.column))
        else:
            value = document.value
    if not isinstance(value, dict):
        return Front(text)  # two rules around words
    return Front(text[match.end() :], value, match[0].count("\n") + 1)


def _without_facts(text: str, front: Front, start: int = -1) -> str:
    """The text without the lines of facts at its head, which have become facts; its lines keep their numbers.

    From a `start` on they are those between which and the head there are only callouts.
    """
    above, is_head = _ABOVE.match(text), start < 0
    start = above.end() if above and is_head else max(start, 0)
    end = next((match.start() for match in _BLANK_LINE.finditer(text, start)), len(text))
    lines = text[start:end].split("\n")
    left = list[str]()
    for line in lines:
        is_of_item = line[:1] in (" ", "\t") and bool(left) and left[-1].startswith(("- ", "* ", " ", "\t"))
        if is_of_item or not ((is_head or "::" in line) and _is_fact(line, front)):
            left.append(line)
    if len(left) == len(lines):
        below = _NEXT_QUOTED.match(text, end) if text[start : start + 1] == ">" else None
        return _without_facts(text, front, below.end()) if below else text
    front.lines += [line for line in lines if line not in left]
    blank = "\n" * (len(lines) - len(left))
    left = [""] if len(left) == 1 and _BARE_CALLOUT.fullmatch(left[0]) else left
    return _without_facts(
        f"{text[:start]}{blank}{chr(10).join(left)}{text[end:]}", front, -1 if is_head else start + len(blank)
    )


def _is_fact(line: str, front: Front) -> bool:
    """Whether all of a line, such as `**Venue**: ICLR · **Status**: read`, has become facts that the page shows."""
    if _TAGS.fullmatch(line.strip()):
        front.tags += re.findall(r"#([^\s,，]+)", line)
        return True
    said: list[tuple[str, str]] = []
    for part in _BETWEEN.split(_MARKER.sub("", line).rstrip(" \t\\")):
        fact = _FACT.fullmatch(part)
        wanted = tables().meaning(fact["key"]) if fact else ""
        if fact and (wanted in _SHOWN or (wanted in _FIELDS and fact["sign"] == "::")):
            said.append((wanted, fact["value"]))
        elif said:
            said[-1] = said[-1][0], f"{said[-1][1]} {part}"
        else:
            return False
    before = copy.deepcopy(front)
    if said and all(front.read(wanted, value) for wanted, value in said):
        return True
    for name, value in zip(front.__struct_fields__, astuple(before), strict=True):
        setattr(front, name, value)
    return False


def _key_by_key(original: Original, text: str) -> dict[Any, Any] | None:
    """The values of front matter that is no YAML as a whole, such as `title: Foo: bar`; None if it has no keys at all.

    A value that cannot be read by itself is its words.
    """
    values: dict[Any, Any] = {}
    for block in re.split(r"\n(?=[^\s-])", dedent(text)):
        document = parse_yaml(original.path, block)
        if isinstance(document, YamlDocument) and isinstance(document.value, dict | None):
            values |= document.value or {}
        elif match := _KEY.match(block):
            values[match[0].rstrip(" :")] = _IN_QUOTES.sub(r"\2", " ".join(block[match.end() :].split()))
        else:
            return None
    return values


def _words(value: object) -> str:
    """A value as one line."""
    if isinstance(value, list | tuple):
        return ", ".join(map(_words, value))
    return "" if value is None or isinstance(value, dict) else " ".join(str(value).split())


def _several(value: object, *, commas: bool = True) -> list[str]:
    """A list as it is; a text at its commas, or at its blanks if each part is a `#tag`."""
    if isinstance(value, list | tuple):
        return [words.removeprefix("#") for entry in value if (words := _words(entry))]
    words = _words(value)
    parts = re.split("[,，、;；]", words) if commas else [words]
    if commas and len(parts) == 1 and words.startswith("#"):
        parts = words.split()
    return [part.strip().removeprefix("#") for part in parts if part.strip()]


def _wiki_links(value: object) -> Iterator[str]:
    """The links to notes in a value. Without quotes, `[[Name]]` is a list in a list to YAML."""
    match value:
        case str():
            yield from _WIKI.findall(value)
        case [[str(name)]] if "[[" not in name:
            yield f"[[{name}]]"
        case [*entries]:
            for entry in entries:
                yield from _wiki_links(entry)


def day_in(value: object) -> str:
    """The day in a value, as `2026-01-13`; empty without one."""
    if isinstance(value, dict):
        value = value.get("date", "")
    match = _DAY.search(str(value))
    numbers = [*map(int, match.groups())] if match else []
    try:
        if american := _AMERICAN.search(str(value)):
            numbers = [int(american[3]), [*MONTHS].index(american[1].lower()) + 1, int(american[2])]
        return datetime.date(*numbers).isoformat() if numbers else ""
    except ValueError:
        return ""


def named_day(name: str) -> str:
    """The day that is all of a name, but for what day of the week it is; empty of a name such as `2026-01-13 plan`."""
    rest = _WEEKDAY.sub("", name).strip()
    return day_in(rest) if _DAY.fullmatch(rest.rstrip("日")) or _AMERICAN.fullmatch(rest) else ""
