"""BibTeX entries to papers: names, dates, identifiers, links, plain text of TeX; and which of their fields go out."""

from __future__ import annotations

import calendar
import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from urllib.parse import quote

from paper_notes.addresses import host_of
from paper_notes.corpus.bibliography.tex import plain_text, plain_title
from paper_notes.corpus.model import ArxivId
from paper_notes.corpus.paper import BibKey, Imprint, LabelledLink, Paper, PersonName, is_eastern
from paper_notes.diagnostics import Diagnostic, RuleId, Severity, in_file_order
from paper_notes.identifiers import DOI_SITE, DOI_START, arxiv_in_field, arxiv_url, folded_title, parse_arxiv
from paper_notes.patterns import regex
from paper_notes.sources.bibtex import MONTHS, BibEntry
from paper_notes.values import replace

_NO_NAME = r"[;；、，&]|\bet al\b"
_AND, _COMMA, _SEVERAL = (
    (re.compile(pattern, re.IGNORECASE), re.compile(rf"[{{}}]|{pattern}", re.IGNORECASE))
    for pattern in (r"(?:^| )and(?= |$)", ",", _NO_NAME)
)
"""Separators of names and of their parts, and signs of several names; alone, and with the braces that hide them."""
_JUNIOR = regex(r"(jr|sr|[ivx]+|\d(st|nd|rd|th))\.?", re.IGNORECASE)
_SUSPECT = regex(rf"{_SEVERAL[1].pattern}|,.*,", re.IGNORECASE)
_LONG_FAMILIES = "欧阳 司马 上官 诸葛 东方 皇甫 尉迟 公孙 慕容 令狐 宇文 长孙 司徒 夏侯 轩辕 端木 独孤 南宫".split()
_JAPANESE = regex("[\u3005\u3041-\u30ff]")
_ACCENT = regex(r"\{\\(?:[^{}]|\{[^{}]*\})*\}")
_LABELLED = regex(r"(family|given|prefix|suffix)(?:-i)?\s*=\s*(.*)", re.IGNORECASE | re.DOTALL)


def split_names(field: str) -> tuple[list[str], bool]:
    """The names in a field such as `author`, as written, and whether `and others` ends it. A name may be empty."""
    text = " ".join(field.split())
    if not text:
        return [], False
    names = _split(text, _AND)
    more = len(names) > 1 and names[-1].lower() == "others"
    return (names[:-1] if more else names), more


def looks_wrong(name: str) -> bool:
    """Whether a name looks like several, or is not a name: commas between people, `et al.`"""
    if not _SUSPECT.search(name):
        return False
    commas = _split(name, _COMMA)
    labelled = all(_LABELLED.match(part) for part in commas)
    several = len(commas) > 3 or (len(commas) == 3 and not _JUNIOR.fullmatch(commas[1]))
    return (several and not labelled) or len(_split(name, _SEVERAL)) > 1


@lru_cache(maxsize=1 << 16)
def person_from(name: str) -> PersonName:
    """A name in BibTeX's forms `First von Last`, `von Last, First` and `von Last, Jr, First`, or an East Asian one.

    Braces hold together: `{Google Research}` is one last name. `张三`, `张 三` and `张, 三` are the same name.
    biblatex's `family=Harman, given=Hans` works too.
    """
    if "=" in name and (labelled := _labelled(name)):
        return labelled
    words = name.replace(",", " ").split()
    if words and is_eastern("".join(words)):
        return _eastern(words)
    from bibtexparser.middlewares.names import parse_single_name_into_parts  # slow to import

    parts = parse_single_name_into_parts(_ACCENT.sub(lambda accent: plain_text(accent[0]), name), strict=False)
    first, von = parts.first, parts.von
    if first and not von and all(word[0].islower() for word in first):
        first, von = [], first  # `de Gaulle`
    given, prefix, family, suffix = (plain_text(" ".join(part)) for part in (first, von, parts.last, parts.jr))
    return PersonName(given, prefix, family, suffix)


def _labelled(name: str) -> PersonName | None:
    pieces = [_LABELLED.fullmatch(part.strip('" ')) for part in _split(name, _COMMA)]
    labels = {piece[1].lower(): plain_text(piece[2].strip('" ')) for piece in pieces if piece}
    if len(labels) < len(pieces) or "family" not in labels:
        return None
    return PersonName(labels.get("given", ""), labels.get("prefix", ""), labels["family"], labels.get("suffix", ""))


def _eastern(words: list[str]) -> PersonName:
    """A name written family name first. In one word the family name has one character, or two if it is a long one."""
    if len(words) > 1:
        return PersonName(" ".join(words[1:]), "", words[0], "")
    (word,) = words
    if _JAPANESE.search(word):
        return PersonName("", "", word, "")  # the split is unknown
    family = 2 if word[:2] in _LONG_FAMILIES else 1
    family = family if len(word) - family in (1, 2) else len(word)
    return PersonName(word[family:], "", word[:family], "")


def _split(text: str, separator: tuple[re.Pattern[str], re.Pattern[str]]) -> list[str]:
    """The text cut at each separator that is outside of braces."""
    alone, with_braces = separator
    if "{" not in text:
        return [piece.strip() for piece in alone.split(text)]
    pieces, depth, start = [], 0, 0
    for match in with_braces.finditer(text):
        if match[0] in "{}":
            depth += 1 if match[0] == "{" else -1
        elif depth == 0:
            pieces.append(text[start : match.start()].strip())
            start = match.end()
    return [*pieces, text[start:].strip()]


_PUBLISHED = (
    "abstract address addendum afterword annotator archiveprefix articleno author authortype badge blog bookauthor "
    "bookpagination booksubtitle booktitle booktitleaddon chapter code collaboration commentator crossref date day doi "
    "edition editor editora editorb editorc editortype editoratype editorbtype editorctype eid entryset entrysubtype "
    "eprint eprintclass eprinttype eventdate eventtitle eventtitleaddon foreword hf holder howpublished ids indextitle "
    "institution introduction isan isbn ismn isrn issn issue issuesubtitle issuetitle issuetitleaddon iswc journal "
    "journalsubtitle journaltitle journaltitleaddon key label langid langidopts language links location mainsubtitle "
    "maintitle maintitleaddon month mrnumber nameaddon number numpages organization origdate origlanguage origlocation "
    "origpublisher origtitle pages pagetotal pagination part pdf pmcid pmid presort primaryclass project publisher "
    "pubstate related relatedoptions relatedstring relatedtype reportnumber reprinttitle school series shortauthor "
    "shorteditor shorthand shorthandintro shortjournal shortseries shorttitle sortkey sortname sorttitle sortyear "
    "subtitle title titleaddon translator type url urldate venue version versions volume volumes xdata xref year "
    "zblnumber"
)
PUBLISHED = frozenset(_PUBLISHED.split())
"""The fields of BibTeX and biblatex that tell of the publication, numbers that catalogues give it, and our own links.

All others stay in the collection: programs put paths, dates and groups into fields of their own, people put notes.
"""


def published(entry: BibEntry, asked: Collection[str] = ()) -> BibEntry:
    """The entry without what is not published, as it is written if that is nothing. `asked` are further fields."""
    fields = {name: field for name, field in entry.fields.items() if name in PUBLISHED or name in asked}
    if len(fields) == len(entry.fields):
        return entry
    return rewritten(replace(entry, fields=fields))


def rewritten(entry: BibEntry) -> BibEntry:
    """The entry with its fields as its text, which needs no other entry and no `@string`."""
    months = {name: short for short, name in MONTHS.items()}
    lines = [f"@{entry.entry_type}{{{entry.key}"]
    for name, field in entry.fields.items():
        month = months.get(field.value) if name == "month" else None
        lines.append(f"  {name} = {month or '{' + field.value + '}'}")
    return replace(entry, raw=",\n".join(lines) + "\n}")


_LINK = regex(r"\[((?:[^\[\]]|\[[^\[\]]*\])+)\]\(\s*((?:[^\s()]|\([^\s()]*\))*)\s*\)")
_ADDRESS = regex(r"https?://[^\s\\\"<>{}|^`\[\]]+", re.IGNORECASE)
_BETWEEN = regex(r"\s*[;·\n]\s*")
_AROUND = " \t,/|*_"
_STEP = regex(r"\s*(?:→|⟶|->|[;,·])\s*")
_VERSION = regex(r"\d{4}(?:-\d\d){0,2}(?:\s.+)?")


def labelled_links(text: str) -> tuple[tuple[LabelledLink, ...], tuple[str, ...], tuple[str, ...]]:
    """The links of `[HF Dataset (Apache-2.0)](https://...); no weights`, its remarks, and addresses that are none.

    A bare address has its host as its label.
    """
    links: list[LabelledLink] = []
    remarks: list[str] = []
    wrong: list[str] = []
    for label, url, remark in _parts(text):
        if remark:
            remarks.append(remark)
        elif _ADDRESS.fullmatch(url):
            links.append(LabelledLink(label, url))
        else:
            wrong.append(url)
    return tuple(links), tuple(remarks), tuple(wrong)


def _parts(text: str) -> Iterator[tuple[str, str, str]]:
    """Label and address of each link, or a remark between links."""
    end = 0
    for match in _LINK.finditer(text):
        yield from _bare(text[end : match.start()])
        yield plain_text(match[1]), match[2], ""
        end = match.end()
    yield from _bare(text[end:])


def _bare(text: str) -> Iterator[tuple[str, str, str]]:
    for part in _BETWEEN.split(text):
        words = part.strip(_AROUND)
        if _ADDRESS.fullmatch(words):
            yield (host_of(words) or words).removeprefix("www."), words, ""
        elif words:
            yield "", "", plain_text(words)


def versions(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The versions of `2025-01 (v1) -> 2025-11 (v8)`, and parts that do not begin with a date."""
    parts = [part for part in _STEP.split(plain_text(text)) if part]
    return tuple(filter(_VERSION.fullmatch, parts)), tuple(part for part in parts if not _VERSION.fullmatch(part))


def badges(text: str) -> tuple[str, ...]:
    """The badges of `Tech Report; Oral`."""
    return tuple(part for part in map(str.strip, plain_text(text).split(";")) if part)


_NO_VENUE = regex(r"(preprint\W+)?arxiv\b|corr$|https?:|www\.", re.IGNORECASE)
_EDITED = frozenset("book collection mvbook mvcollection mvproceedings periodical proceedings reference".split())
"""Types of entries that may have editors instead of authors."""
_NO_AUTHOR = "add author = {Last, First and Last, First}; `paper-notes lookup --all` looks for them"
_LINK_FIELDS = {"url": "Link", "code": "Code", "project": "Project", "hf": "HF", "blog": "Blog", "pdf": "PDF"}
_DOI = regex(rf"{DOI_SITE}({DOI_START}\S+)", re.IGNORECASE)
_URL = regex(r"https?://[^\s\\\"<>{}|^`]+", re.IGNORECASE)
_URL_MACRO = regex(r"\\url\s*\{([^{}]*)\}")
_LETTER = regex(r"\w")
_ESCAPE = regex(r"\{\\([_%#&$~])\}|\\([_%#&$~])(?:\{\})?")


def papers_from(
    entries: Iterable[BibEntry], asked: Collection[str] = ()
) -> tuple[dict[BibKey, Paper], tuple[Diagnostic, ...]]:
    """The papers of all entries by key, and their diagnostics. Of two with one key the first is kept.

    `asked` are the fields that are published besides `PUBLISHED`.
    """
    papers: dict[BibKey, Paper] = {}
    known: dict[tuple[str, str], Paper] = {}
    problems: list[Diagnostic] = []
    for entry in entries:
        paper, mistakes = paper_from(entry, asked)
        problems += mistakes
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
    title = folded_title(paper.title)
    title += "/" + paper.authors[0].family.casefold() if title and paper.authors else ""
    identities = [("arXiv id", paper.arxiv), ("DOI", (paper.doi or "").lower()), ("title", title)]
    return [(what, value) for what, value in identities if value]


def paper_from(entry: BibEntry, asked: Collection[str] = ()) -> tuple[Paper, tuple[Diagnostic, ...]]:
    """The paper that an entry describes, and its diagnostics. Without a title, the key is used."""
    fields = _Fields(entry)
    title = ": ".join(part for part in (fields.text("title"), fields.text("subtitle")) if part)
    if not fields.text("title"):
        fields.report("title", "missing-field", f'the entry "{entry.key}" has no title', "add title = {...}")
    team = fields.text("organization", "institution")
    authors, more_authors = _authors(fields)
    open_to_all = published(entry, asked)
    imprint = _imprint(fields, noted="note" in open_to_all.fields)
    if not (authors or team or (imprint.editors and entry.entry_type in _EDITED)):
        message = f'the entry "{entry.key}" has no author and no organization'
        fields.report("author", "missing-field", message, _NO_AUTHOR, "warning")
    (arxiv, version), doi = _arxiv(fields), _doi(fields)
    year, month, day = _date(fields)
    known_versions = _versions(fields)
    if year is None and known_versions:
        year, month, day = _first_date(known_versions[0])
    links, remarks = _labelled_links(fields)
    paper = Paper(
        key=BibKey(entry.key),
        entry_type=entry.entry_type,
        title=title or entry.key,
        authors=authors,
        more_authors=more_authors,
        team=team,
        venue=_venue(fields),
        imprint=imprint,
        year=year,
        month=month,
        day=day,
        arxiv=arxiv,
        doi=doi,
        links=_links(fields, arxiv, doi) + links,
        abstract=fields.text("abstract"),
        bibtex=open_to_all.raw,
        location=entry.location,
        version=version,
        short=fields.text("shorttitle"),
        versions=known_versions,
        badges=badges(fields.raw("badge") or fields.raw("type")),
        remarks=remarks,
        no_code=_says_none(fields),
    )
    return paper, in_file_order(fields.problems)


class _Fields:
    """The fields of an entry, and the problems found in them."""

    def __init__(self, entry: BibEntry) -> None:
        self.entry = entry
        self.problems: list[Diagnostic] = []

    def raw(self, name: str) -> str:
        bib_field = self.entry.fields.get(name)
        return bib_field.value if bib_field else ""

    def text(self, *names: str) -> str:
        """The plain text of the first of these fields that is not empty."""
        for name in names:
            read = plain_title if name.endswith("title") else plain_text
            if (bib_field := self.entry.fields.get(name)) and (text := read(bib_field.value)):
                return text
        return ""

    def address(self, name: str) -> str:
        """The value as written, except that TeX's escapes of single characters are decoded."""
        value = self.raw(name)
        if "\\" not in value:
            return value
        value = _URL_MACRO.sub(r"\1", value).strip()
        return _ESCAPE.sub(lambda match: match[1] or match[2], value)

    def report(self, name: str, rule: RuleId, message: str, hint: str, severity: Severity = "error") -> None:
        bib_field = self.entry.fields.get(name, self.entry)
        self.problems.append(Diagnostic(bib_field.location, rule, message, hint, severity))


def _authors(fields: _Fields, name: str = "author") -> tuple[tuple[PersonName, ...], bool]:
    names, more_authors = split_names(fields.raw(name))
    for person in names:
        empty = not _LETTER.search(person)
        if empty or looks_wrong(person):
            message = "a name is missing here" if empty else f'"{person}" does not look like one name'
            hint = 'join names by " and ", each as "Last, First" or "First Last"; write "and others" for et al.'
            fields.report(name, "bad-name", message, hint, "warning")
    return tuple(person_from(name) for name in names if _LETTER.search(name)), more_authors


def _imprint(fields: _Fields, *, noted: bool) -> Imprint:
    text = fields.text
    journal = text("journal", "journaltitle")
    return Imprint(
        journal="" if _NO_VENUE.match(journal) else journal,
        book=text("booktitle", "maintitle"),
        series=text("series"),
        volume="" if _NO_VENUE.match(journal) else text("volume"),
        number=text("number", "issue"),
        pages=text("pages"),
        publisher=text("publisher", "school", "institution"),
        place=text("address", "location"),
        edition=text("edition"),
        kind=text("type"),
        isbn=text("isbn"),
        issn=text("issn"),
        note=text("note") if noted else "",
        language=text("langid", "language"),
        editors=_authors(fields, "editor")[0],
    )


def _venue(fields: _Fields) -> str:
    names = ("journal", "journaltitle", "booktitle", "publisher", "howpublished", "school")
    return next((text for text in map(fields.text, names) if text and not _NO_VENUE.match(text)), "")


_DATE_PARTS: tuple[tuple[str, RuleId, str], ...] = (
    ("year", "bad-year", "write four digits"),
    ("month", "bad-month", "write oct, October or 10"),
    ("day", "bad-day", "write a day of its month"),
)
"""Fields of a date, each with the rule and the hint for a bad value."""


def _date(fields: _Fields) -> tuple[int | None, int | None, int | None]:
    """Year, month and day, from `date` or from the fields of these names; `month` may hold a day too."""
    texts = [fields.text(name) for name in ("year", "month", "day")]
    date = fields.text("date")
    iso = re.match(r"(\d{4})(?:-(\d\d?))?(?:-(\d\d?))?(?=$|[/T~?%])", date)
    if iso:
        texts = [new or old for new, old in zip(iso.groups(""), texts, strict=True)]
    elif date:
        fields.report("date", "bad-date", f'"{date}" is not a date', "write 2025-10-30, 2025-10 or 2025", "warning")
    words = re.findall(r"[^\W\d]+|\d+", texts[1].lower())
    months = [list(MONTHS).index(word[:3]) + 1 for word in words if MONTHS.get(word[:3], "").lower().startswith(word)]
    numbers = [int(word) for word in words if re.fullmatch(r"\d{1,4}", word)]
    if months and numbers:
        texts[2] = texts[2] or str(numbers[0])
    year = int(texts[0]) if re.fullmatch(r"[12]\d{3}", texts[0]) else None
    month = next((number for number in (months or numbers)[:1] if 1 <= number <= 12), None)
    days = calendar.monthrange(year or 2000, month)[1] if month else 0
    day = int(texts[2]) if re.fullmatch(r"\d\d?", texts[2]) and 1 <= int(texts[2]) <= days else None
    for (name, rule, hint), text, value in zip(_DATE_PARTS, texts, (year, month, day), strict=True):
        if text and value is None and not (name == "day" and texts[1] and not month):
            place = "date" if iso else name if fields.raw(name) else "month"
            fields.report(place, rule, f'"{text}" is not a {name}', hint, "warning")
    return year, month, day


def _arxiv(fields: _Fields) -> tuple[ArxivId | None, int | None]:
    """The id on arXiv, and the version from `eprint = {2510.26475v2}` or `version`."""
    eprint = fields.address("eprint")
    archive = (fields.raw("archiveprefix") or fields.raw("eprinttype")).lower()
    own = parse_arxiv(eprint) if archive in ("", "arxiv") else None
    if archive == "arxiv" and eprint and not own:
        hint = "write it as 2510.26475 or cs/0112017"
        fields.report("eprint", "bad-arxiv-id", f'"{eprint}" is not an arXiv id', hint)
    mentions = ("url", "doi", "journal", "howpublished", "volume", "note", "pdf")
    known = own or next(filter(None, (arxiv_in_field(fields.address(name)) for name in mentions)), None)
    if known is None:
        return None, None
    version = re.fullmatch(r"v?([1-9]\d?)", fields.address("version"), re.IGNORECASE)
    return known[0], (own and own[1]) or (int(version[1]) if version else None)


def _doi(fields: _Fields) -> str | None:
    doi, url = fields.address("doi"), fields.address("url")
    match = _DOI.fullmatch(doi) or (_DOI.fullmatch(url) if not doi else None)
    if doi and not match:
        fields.report("doi", "bad-doi", f'"{doi}" is not a DOI', "write it as 10.1145/3442188.3445922")
    return match[1] if match else None


def _links(fields: _Fields, arxiv: ArxivId | None, doi: str | None) -> tuple[LabelledLink, ...]:
    links = [LabelledLink("arXiv", arxiv_url(arxiv))] if arxiv else []
    links += [LabelledLink("DOI", "https://doi.org/" + quote(doi, safe="/:;()._-~!$&'*+,=@"))] if doi else []
    for name, label in _LINK_FIELDS.items():
        url = fields.address(name)
        if name == "url" and not url and fields.address("howpublished").startswith("http"):
            url = fields.address("howpublished")
        if name == "code" and _says_none(fields):
            continue
        on_arxiv, by_doi = arxiv_in_field(url), _DOI.fullmatch(url)
        same = (on_arxiv and on_arxiv[0] == arxiv) or (by_doi and by_doi[1].lower() == (doi or "").lower())
        if url and not _URL.fullmatch(url):
            fields.report(name, "bad-url", f'"{url}" is not a web address', "write it as https://..., without spaces")
        elif url and not (name == "url" and same):
            links.append(LabelledLink(label, url))
    return tuple(links)


def _says_none(fields: _Fields) -> bool:
    """Whether `code = {none}` says that there is no official code."""
    return fields.raw("code").strip().lower() == "none"


def _labelled_links(fields: _Fields) -> tuple[tuple[LabelledLink, ...], tuple[str, ...]]:
    """The links and remarks of `links`."""
    links, remarks, wrong = labelled_links(fields.address("links"))
    for url in wrong:
        hint = "write links as [HF Dataset (Apache-2.0)](https://...), without spaces in the address"
        fields.report("links", "bad-url", f'"{url}" is not a web address', hint)
    return links, remarks


def _versions(fields: _Fields) -> tuple[str, ...]:
    listed, wrong = versions(fields.raw("versions"))
    for part in wrong:
        hint = "write 2025-01 (v1) -> 2025-11 (v8): each begins with its date"
        fields.report("versions", "bad-date", f'"{part}" does not begin with a date', hint, "warning")
    return listed


def _first_date(version: str) -> tuple[int | None, int | None, int | None]:
    """Year, month and day with which a version begins."""
    year, month, day = (*(int(part) for part in version.split()[0].split("-")), None, None)[:3]
    return year, month if month and 1 <= month <= 12 else None, day
