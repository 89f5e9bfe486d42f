"""BibTeX entries to papers: names in parts, dates, identifiers, links, and plain text where fields hold TeX."""

from __future__ import annotations

import calendar
import logging
import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any
from urllib.parse import quote

from paper_notes.corpus.model import ArxivId, BibKey, Link, Paper, PersonName
from paper_notes.diagnostics import Diagnostic, Severity, in_file_order
from paper_notes.sources.bibtex import MONTHS, BibEntry

_NO_VENUE = re.compile(r"(preprint\W+)?arxiv\b|corr$|https?:|www\.", re.IGNORECASE)
_LINK_FIELDS = {"url": "Link", "code": "Code", "project": "Project", "hf": "HF", "blog": "Blog", "pdf": "PDF"}
_ARXIV = r"(\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}|[a-z]+(?:-[a-z]+)?(?:\.[a-z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?"
_ARXIV_ID = re.compile(r"(?:arxiv:\s*|https?://(?:www\.)?arxiv\.org/(?:abs|pdf)/)?" + _ARXIV, re.IGNORECASE)
_ARXIV_PLACE = r"(?:\barxiv\.org/(?:abs|pdf|html|format)/|\b10\.48550/arxiv\.|\barxiv:\s*|^abs/)"
_ARXIV_MENTION = re.compile(_ARXIV_PLACE + _ARXIV + r"(?!\d)", re.IGNORECASE)
_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)
_URL = re.compile(r"https?://[^\s\\\"<>{}|^`]+", re.IGNORECASE)
_URL_MACRO = re.compile(r"\\url\s*\{([^{}]*)\}")
_ESCAPE = re.compile(r"\{\\([_%#&$~])\}|\\([_%#&$~])(?:\{\})?")

_TEX = re.compile(r"[\\{}~$]|--|``|''")
_MATH = re.compile(r"((?<!\\)\$(?:\\.|[^$\\])+\$)", re.DOTALL)
_LIGATURES = {"---": "—", "--": "–", "``": "“", "''": "”", "~": " ", "{": "", "}": ""}
_LIGATURE = re.compile("|".join(map(re.escape, _LIGATURES)))
_TRANSPARENT = (
    "emph textbf textit textmd textrm textsc textsf textsl texttt textup text mbox url underline textsuperscript "
    "textsubscript bf em it rm sc sf tt bfseries itshape normalfont relax - /"
)
_SYMBOLS = {"LaTeX": "LaTeX", "TeX": "TeX", "copyright": "©", "S": "§", "P": "¶", "\\": " "}
_JUNIOR = re.compile(r"(jr|sr|[ivx]+|\d(st|nd|rd|th))\.?", re.IGNORECASE)
_LONG_FAMILIES = "欧阳 司马 上官 诸葛 东方 皇甫 尉迟 公孙 慕容 令狐 宇文 长孙 司徒 夏侯 轩辕 端木 独孤 南宫".split()


def papers_from(entries: Iterable[BibEntry]) -> tuple[dict[BibKey, Paper], tuple[Diagnostic, ...]]:
    """The papers of all files by key, and all that is wrong with them. Of two with one key the first is kept."""
    papers: dict[BibKey, Paper] = {}
    known: dict[tuple[str, str], Paper] = {}
    problems: list[Diagnostic] = []
    for entry in entries:
        paper, found = paper_from(entry)
        problems += found
        if first := papers.get(paper.key):
            message = f'the key "{paper.key}" is already used in {first.location}'
            hint = "delete one of the two, or give it another key"
            problems.append(Diagnostic(paper.location, "duplicate-bibkey", message, hint))
            continue
        papers[paper.key] = paper
        same = [(what, known.setdefault((what, value), paper)) for what, value in _identities(paper)]
        for what, other in [(what, other) for what, other in same if other is not paper][:1]:
            message = f'this has the same {what} as "{other.key}" in {other.location}'
            hint = f'keep one of the two, and use its key in all notes: "{other.key}" or "{paper.key}"'
            problems.append(Diagnostic(paper.location, "duplicate-paper", message, hint, "warning"))
    return papers, in_file_order(problems)


def _identities(paper: Paper) -> list[tuple[str, str]]:
    title = "".join(filter(str.isalnum, paper.title.casefold()))
    title += "/" + paper.authors[0].family.casefold() if title and paper.authors else ""
    found = [("arXiv id", paper.arxiv), ("DOI", (paper.doi or "").lower()), ("title", title)]
    return [(what, value) for what, value in found if value]


def paper_from(entry: BibEntry) -> tuple[Paper, tuple[Diagnostic, ...]]:
    """The paper an entry describes, and what is wrong with it. Without a title, the key stands for it."""
    fields = _Fields(entry)
    title = fields.text("title")
    if not title:
        fields.say("title", "missing-field", f'the entry "{entry.key}" has no title', "add title = {...}")
    team = fields.text("organization") or fields.text("institution")
    authors, more_authors = _authors(fields)
    if not (authors or team):
        message = f'the entry "{entry.key}" has no author and no organization'
        fields.say("author", "missing-field", message, "add author = {Last, First and Last, First}", "warning")
    arxiv, doi = _arxiv(fields), _doi(fields)
    year, month, day = _date(fields)
    paper = Paper(
        key=BibKey(entry.key),
        entry_type=entry.entry_type,
        title=title or entry.key,
        authors=authors,
        more_authors=more_authors,
        team=team,
        venue=_venue(fields),
        year=year,
        month=month,
        day=day,
        arxiv=arxiv,
        doi=doi,
        links=_links(fields, arxiv, doi),
        abstract=fields.text("abstract"),
        bibtex=entry.raw,
        location=entry.location,
        version=_version(fields) if arxiv else None,
    )
    return paper, in_file_order(fields.problems)


class _Fields:
    """The fields of an entry, and what was found wrong with them."""

    def __init__(self, entry: BibEntry) -> None:
        self.entry = entry
        self.problems: list[Diagnostic] = []

    def raw(self, name: str) -> str:
        return self.entry.fields[name].value if name in self.entry.fields else ""

    def text(self, name: str) -> str:
        return plain_text(self.raw(name))

    def address(self, name: str) -> str:
        """The value with TeX's escapes of single characters undone, and otherwise as written."""
        value = _URL_MACRO.sub(r"\1", self.raw(name)).strip()
        return _ESCAPE.sub(lambda match: match[1] or match[2], value)

    def say(self, name: str, rule: str, message: str, hint: str, severity: Severity = "error") -> None:
        found = self.entry.fields.get(name, self.entry)
        self.problems.append(Diagnostic(found.location, rule, message, hint, severity))


def plain_text(tex: str) -> str:
    """Simple TeX as Unicode text in one line. Maths between dollars, and commands we do not know, stay as they are."""
    if not _TEX.search(tex):
        return " ".join(tex.split())
    parts = _MATH.split(tex)
    if "\\" in "".join(parts[::2]):
        parts[::2] = [re.sub(r"(?<!\\)[%$]", r"\\\g<0>", part) for part in parts[::2]]
        tex = re.sub(r"\\href\s*\{[^{}]*\}", "", "".join(parts))
        try:
            return " ".join(_decoder()(tex).split())
        except Exception:  # pylatexenc fails in many ways on commands without their arguments: show the TeX itself
            return " ".join(tex.split())
    parts[::2] = [_LIGATURE.sub(lambda match: _LIGATURES[match[0]], part) for part in parts[::2]]
    return " ".join("".join(parts).split())


@cache
def _decoder() -> Callable[[str], str]:
    from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

    def as_written(node: Any, l2tobj: Any) -> str:
        arguments = [node for node in getattr(node.nodeargd, "argnlist", None) or () if node is not None]
        return str(l2tobj.nodelist_to_text(arguments)) if arguments else f"\\{node.macroname} "

    logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)  # what it cannot decode stays visible in the text
    context = get_default_latex_context_db()
    context = context.filter_context(keep_categories=["latex-base", "advanced-symbols", "nonascii-specials"])
    macros = [MacroTextSpec(name, discard=False) for name in _TRANSPARENT.split()]
    macros += [MacroTextSpec(name, simplify_repl=text) for name, text in _SYMBOLS.items()]
    macros += [MacroTextSpec(name, simplify_repl=as_written) for name in ("today", "input", "include")]
    context.add_context_category("plain", prepend=True, macros=macros)
    context.set_unknown_macro_spec(MacroTextSpec("", simplify_repl=as_written))
    decode = LatexNodes2Text(latex_context=context, math_mode="verbatim").latex_to_text
    return lambda tex: str(decode(tex))


def _authors(fields: _Fields) -> tuple[tuple[PersonName, ...], bool]:
    names = _split(" ".join(fields.raw("author").split()), r"(?:^| )and(?= |$)")
    more_authors = len(names) > 1 and names[-1].lower() == "others"
    names = names[:-1] if more_authors else names
    for name in names if fields.raw("author") else ():
        commas = _split(name, ",")
        several = len(commas) > 3 or (len(commas) == 3 and not _JUNIOR.fullmatch(commas[1]))
        empty = not re.search(r"\w", name)
        if empty or several or len(_split(name, r"[;；、，&]|\bet al\b")) > 1:
            message = "a name is missing here" if empty else f'"{name}" does not look like one name'
            hint = 'join names by " and ", each as "Last, First" or "First Last"; write "and others" for et al.'
            fields.say("author", "bad-name", message, hint, "warning")
    return tuple(person_from(name) for name in names if re.search(r"\w", name)), more_authors


def person_from(name: str) -> PersonName:
    """A name in BibTeX's forms `First von Last`, `von Last, First` and `von Last, Jr, First`, or a Chinese one.

    Braces hold together: `{Google Research}` is one last name. `张三`, `张 三` and `张, 三` are the same name.
    """
    head, *others = (_split(part, "[ ~]+") for part in _split(name, ","))
    small = [i for i, word in enumerate(head[:-1]) if _is_small(word)]
    if others:
        split = small[-1] + 1 if small else 0
        parts = others[-1], head[:split], head[split:], [] if len(others) == 1 else others[0]
    elif all("\u4e00" <= character <= "\u9fff" for character in "".join(head)):
        parts = head[1:], [], head[:1], []
        if len(head) == 1:
            family = 2 if head[0][:2] in _LONG_FAMILIES else 1
            family = family if len(head[0]) - family in (1, 2) else len(head[0])
            parts = [head[0][family:]], [], [head[0][:family]], []
    else:
        start, end = (small[0], small[-1] + 1) if small else (len(head) - 1,) * 2
        parts = head[:start], head[start:end], head[end:], []
    return PersonName(*(plain_text(" ".join(words)) for words in parts))


def _is_small(word: str) -> bool:
    letter = next(filter(str.isalpha, plain_text(word)), "X")
    return letter.islower() and (word[0] != "{" or word[1] == "\\")


def _split(text: str, separator: str) -> list[str]:
    """The text cut at each separator that is outside of braces."""
    pieces, depth, start = [], 0, 0
    for match in re.finditer(f"[{{}}]|{separator}", text, re.IGNORECASE):
        if match[0] in "{}":
            depth += 1 if match[0] == "{" else -1
        elif depth == 0:
            pieces.append(text[start : match.start()].strip())
            start = match.end()
    return [*pieces, text[start:].strip()]


def _venue(fields: _Fields) -> str:
    names = ("journal", "journaltitle", "booktitle", "publisher", "howpublished", "school")
    return next((text for text in map(fields.text, names) if text and not _NO_VENUE.match(text)), "")


def _date(fields: _Fields) -> tuple[int | None, int | None, int | None]:
    """Year, month and day, from `date` or from the fields of these names; `month` may hold a day too."""
    texts = [fields.text(name) for name in ("year", "month", "day")]
    date = fields.text("date")
    iso = re.match(r"(\d{4})(?:-(\d\d?))?(?:-(\d\d?))?(?=$|[/T~?%])", date)
    if iso:
        texts = [new or old for new, old in zip(iso.groups(""), texts, strict=True)]
    elif date:
        fields.say("date", "bad-date", f'"{date}" is no date', "write 2025-10-30, 2025-10 or 2025", "warning")
    words = re.findall(r"[^\W\d]+|\d+", texts[1].lower())
    months = [list(MONTHS).index(word[:3]) + 1 for word in words if MONTHS.get(word[:3], "").lower().startswith(word)]
    numbers = [int(word) for word in words if word.isdigit()]
    if months and numbers:
        texts[2] = texts[2] or str(numbers[0])
    year = int(texts[0]) if re.fullmatch(r"[12]\d{3}", texts[0]) else None
    month = next((number for number in (months or numbers)[:1] if 1 <= number <= 12), None)
    days = calendar.monthrange(year or 2000, month)[1] if month else 0
    day = int(texts[2]) if re.fullmatch(r"\d\d?", texts[2]) and 1 <= int(texts[2]) <= days else None
    hints = {"year": "write four digits", "month": "write oct, October or 10", "day": "write a day of its month"}
    for (name, hint), text, value in zip(hints.items(), texts, (year, month, day), strict=True):
        if text and value is None and not (name == "day" and texts[1] and not month):
            place = "date" if iso else name if fields.raw(name) else "month"
            fields.say(place, f"bad-{name}", f'"{text}" is no {name}', hint, "warning")
    return year, month, day


def _arxiv(fields: _Fields) -> ArxivId | None:
    eprint = fields.address("eprint")
    archive = (fields.raw("archiveprefix") or fields.raw("eprinttype")).lower()
    match = _ARXIV_ID.fullmatch(eprint) if archive in ("", "arxiv") else None
    if archive == "arxiv" and eprint and not match:
        fields.say("eprint", "bad-arxiv-id", f'"{eprint}" is no arXiv id', "write it as 2510.26475 or cs/0112017")
    mentions = ("url", "doi", "journal", "howpublished", "volume", "note", "pdf")
    found = match or next(filter(None, (_ARXIV_MENTION.search(fields.address(name)) for name in mentions)), None)
    return _arxiv_id(found) if found else None


def _version(fields: _Fields) -> int | None:
    """Of the paper on arXiv: from `eprint = {2510.26475v2}`, or from `version`."""
    found = re.search(r"\dv([1-9]\d?)$", fields.address("eprint")) or re.fullmatch(
        r"v?([1-9]\d?)", fields.address("version"), re.IGNORECASE
    )
    return int(found[1]) if found else None


def _arxiv_id(match: re.Match[str]) -> ArxivId:
    return ArxivId(re.sub(r"\.[a-z]+/", "/", match[1].lower()))


def _doi(fields: _Fields) -> str | None:
    doi, url = fields.address("doi"), fields.address("url")
    match = _DOI.fullmatch(doi) or (_DOI.fullmatch(url) if not doi else None)
    if doi and not match:
        fields.say("doi", "bad-doi", f'"{doi}" is no DOI', "write it as 10.1145/3442188.3445922")
    return match[1] if match else None


def _links(fields: _Fields, arxiv: ArxivId | None, doi: str | None) -> tuple[Link, ...]:
    links = [Link("arXiv", f"https://arxiv.org/abs/{arxiv}")] if arxiv else []
    links += [Link("DOI", "https://doi.org/" + quote(doi, safe="/:;()._-~!$&'*+,=@"))] if doi else []
    for name, label in _LINK_FIELDS.items():
        url = fields.address(name)
        if name == "url" and not url and fields.address("howpublished").startswith("http"):
            url = fields.address("howpublished")
        on_arxiv, by_doi = _ARXIV_MENTION.search(url), _DOI.fullmatch(url)
        same = (on_arxiv and _arxiv_id(on_arxiv) == arxiv) or (by_doi and by_doi[1].lower() == (doi or "").lower())
        if url and not _URL.fullmatch(url):
            fields.say(name, "bad-url", f'"{url}" is no web address', "write it as https://..., without spaces")
        elif url and not (name == "url" and same):
            links.append(Link(label, url))
    return tuple(links)
