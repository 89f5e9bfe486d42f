"""Draft: the facts that an importer found about a paper; and its BibTeX entry."""

from __future__ import annotations

import datetime
import itertools
import re
import unicodedata
from collections.abc import Container, Mapping
from functools import partial

from paper_notes.addresses import without_secrets
from paper_notes.corpus.bibliography.tex import plain_text, plain_title
from paper_notes.corpus.model import ArxivId, MetadataSource
from paper_notes.corpus.paper import BibKey, PersonName
from paper_notes.features.papers.pdf_facts import OutlineItem
from paper_notes.identifiers import DOI_START
from paper_notes.patterns import regex
from paper_notes.sources.bibtex import MONTHS
from paper_notes.sources.characters import lines, one_line
from paper_notes.values import Struct, field, force_setattr, replace

_SUFFIX = regex(r"[JS]r\.?|I{2,3}|IV")
_PARTICLES = frozenset({"Van", "Von", "De", "Der", "Den", "Di", "Del", "Della", "Dos", "Ter", "Ten", "El", "La", "Le"})
_GROUP = regex(
    r"(?:.*\s)?Team(?:\s.*)?|.*[\s-](?:AI|Labs?|Group|Collaborations?|Consortium|Project|Initiative|Inc\.?|Research)"
)
_UNLIKE_A_NAME = regex(r"[;；、，&]|\b(?:et al|and|others)\b", re.IGNORECASE)
_UNFOLDED = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i"}
)
_MATH = regex(r"((?<!\\)\$(?:\\.|[^$\\])+\$)")


_ACCEPTED = regex(
    r"(?<!not )(?<!not yet )\b(?:accepted|to appear|published|to be published|presented|camera.ready)\b"
    r"(?=[^.;]*\b(?:as|at|by|for|in|to)\b)(?:[^.;(]|\.(?=\S))*",
    re.IGNORECASE,
)
_WITHDRAWN_COMMENT = regex(r"\bwithdraw(?:n|al)\b", re.IGNORECASE)
_WITHDRAWN_ABSTRACT = regex(
    r"\W*(?:this|the) (?:paper|article|submission|manuscript|work|preprint) (?:has been|was|is|have been) withdrawn",
    re.IGNORECASE,
)


MAX_FIELD, MAX_PERSON, MAX_DOI = 2_000, 300, 300
"""The most characters of a field, of a person's name, and of a DOI."""
MAX_ABSTRACT = 20_000
MAX_AUTHORS = 10_000
"""The most authors: the largest collaborations have 5,000."""
_LIMITS: Mapping[str, tuple[str, int]] = {
    "title": ("the title", 1_000),
    "abstract": ("the abstract", MAX_ABSTRACT),
    "primary_class": ("its class", 50),
    "journal_ref": ("its journal reference", MAX_FIELD),
    "comment": ("the comment", MAX_FIELD),
}
"""For texts of a Draft their names in messages, and the most characters: ten times those of papers."""
_OPTIONAL = frozenset({"title", "journal_ref", "comment"})
"""Those of them that are None where they are unknown."""
_MAX_KEY = 40
"""The most characters of each word in a key."""
_DOI = regex(rf"{DOI_START}[^\s{{}}\\,]+")


class Draft(Struct, frozen=True):
    """The facts of a paper that an importer found. Unknown ones are None or empty.

    Its texts are safe for source files, whatever it was made from: on one line, without invisible characters, and
    without those that are too long for a paper.
    """

    source: MetadataSource
    arxiv: ArxivId | None = None
    version: int | None = None
    """The version that was asked for or found, of a paper on arXiv."""
    year: int | None = None
    month: int | None = None
    """Year and month of version 1; from the id where no date is known."""
    title: str | None = None
    authors: tuple[PersonName, ...] = ()
    updated: datetime.date | None = None
    """Date of `version`."""
    abstract: str = ""
    """As the authors wrote it, with TeX."""
    primary_class: str = ""
    doi: str | None = None
    journal_ref: str | None = None
    comment: str | None = None
    entry_type: str = "misc"
    """BibTeX's entry type."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Further fields of its entry, as plain text: `journal`, `volume`, `pages` ..."""
    outline: tuple[OutlineItem, ...] = ()
    key: BibKey | None = None
    """Its key, if the collection has its entry."""
    entry: str = ""
    """Its entry from another .bib file, with the one it refers to; their keys may be taken."""
    left_out: tuple[str, ...] = ()
    """Values that were dropped, and why, for messages."""

    def __post_init__(self) -> None:
        """Clean all values from outside. No other place does that."""
        left_out = list(self.left_out)

        put = partial(force_setattr, self)

        def cleaned(what: str, text: str, limit: int) -> str:
            text = one_line(text)
            if len(text) > limit:
                left_out.append(f"{what}, because it has {len(text):,} characters, more than {limit:,}")
                return ""
            return text

        for name, (what, limit) in _LIMITS.items():
            text = getattr(self, name)
            put(name, text and (cleaned(what, text, limit) or (None if name in _OPTIONAL else "")))
        put("year", self.year if self.year and 1000 <= self.year <= 2999 else None)
        put("month", self.month if self.month and 1 <= self.month <= 12 else None)
        fields = {name: without_secrets(text) for name, text in self.fields.items() if text}
        put("fields", {name: cleaned(f"its {name}", text, MAX_FIELD) for name, text in fields.items()})
        authors = [name for name in map(_cleaned_name, self.authors[:MAX_AUTHORS]) if len(name.full) <= MAX_PERSON]
        if len(authors) < len(self.authors):
            left_out.append("authors, because they are too many or their names too long")
        put("authors", tuple(name for name in authors if any(map(str.isalpha, name.full))))
        doi = _DOI.match(one_line(self.doi or ""))
        if self.doi and not (doi and len(doi[0]) <= MAX_DOI):
            left_out.append("its DOI, because it is not a DOI")
            doi = None
        put("doi", doi[0] if doi else None)
        headings = ((item, one_line(item.title)[:MAX_PERSON]) for item in self.outline)
        put("outline", tuple(replace(item, title=title) for item, title in headings if any(map(str.isalnum, title))))
        put("entry", without_secrets(lines(self.entry)))
        put("left_out", tuple(dict.fromkeys(left_out)))

    @property
    def unknown_title(self) -> str:
        """The placeholder for a title that is not known yet."""
        return f"arXiv:{self.arxiv}" if self.arxiv else f"doi:{self.doi}" if self.doi else self.fields.get("url") or "?"

    @property
    def short_authors(self) -> str:
        """For lists: `Quill et al.`, `Quill and Berg`."""
        families = [name.family for name in self.authors[:3]]
        return f"{families[0]} et al." if len(families) > 2 else " and ".join(families)

    @property
    def published_in(self) -> str:
        """Where it has been or will be published: its journal reference, or that part of its comment."""
        accepted = _ACCEPTED.search(self.comment or "")
        return self.journal_ref or (accepted[0].strip(" ,:") if accepted else "")

    @property
    def withdrawn(self) -> bool:
        """True if its authors or arXiv have withdrawn it."""
        comment, abstract = self.comment or "", self.abstract
        return bool(_WITHDRAWN_COMMENT.search(comment) or _WITHDRAWN_ABSTRACT.match(abstract))


def _cleaned_name(name: PersonName) -> PersonName:
    """The name on one line; as a whole its `last`, which BibTeX requires, if that has no letter."""
    name = PersonName(one_line(name.first), one_line(name.von), one_line(name.last), one_line(name.jr))
    return name if any(map(str.isalpha, name.last)) else PersonName(last=name.full)


def person_name(text: str) -> PersonName | None:
    """A name in reading order, split into BibTeX's parts; None if it has no letter.

    A guess by BibTeX's own rule (lower-case words before the last are the `von` part), with three additions: `Jr.`
    and the like are separated, a capital particle (`Van Durme`) belongs to the family name, and one word or the name
    of a group (`DeepSeek-AI`, `Gemini Team`) is a name that has only `last`.
    """
    words = text.replace(",", " ").split()
    name = " ".join(words)
    if not any(character.isalpha() for character in name):
        return None
    if len(words) == 1 or _GROUP.fullmatch(name):
        return PersonName(last=name)
    jr = words.pop() if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else ""
    lower = [index for index in range(1, len(words) - 1) if words[index][0].islower() and words[index][-1] != "."]
    if lower:
        start, end = lower[0], lower[-1] + 1
        return PersonName(" ".join(words[:start]), " ".join(words[start:end]), " ".join(words[end:]), jr)
    last = len(words) - 1
    while last > 1 and words[last - 1] in _PARTICLES:
        last -= 1
    return PersonName(" ".join(words[:last]), "", " ".join(words[last:]), jr)


def inverted_name(text: str) -> PersonName | None:
    """A name that may begin with the family name: `van der Berg, Bruno`, `Berg, Bruno, Jr.`, `Bruno van der Berg`."""
    family, *given = (part.strip() for part in text.split(","))
    if not family or not given or not given[0]:
        return person_name(text)
    small = re.match(r"((?:[a-zà-ÿ'’]+\s)+)(\S.*)", family)
    von, last = (small[1].strip(), small[2]) if small else ("", family)
    jr = given.pop() if len(given) > 1 and _SUFFIX.fullmatch(given[-1]) else ""
    return PersonName(" ".join(given), von, last, jr) if any(map(str.isalpha, text)) else None


_GREEK = regex(r"(?<![α-ωΑ-Ω])[α-ωΑ-Ω](?![α-ωΑ-Ω])")
"""A letter that is a sign, and no part of a Greek word."""


def ascii_words(text: str) -> tuple[str, ...]:
    """The words without accents, punctuation and other scripts: `EAGLE3` for `EAGLE-3`, and `pi0` for `π₀`."""
    text = _GREEK.sub(lambda letter: unicodedata.name(letter[0]).rpartition(" ")[2].lower(), text)
    folded = unicodedata.normalize("NFKD", text.translate(_UNFOLDED)).encode("ascii", "ignore").decode()
    words = (re.sub(r"[^A-Za-z0-9]", "", word) for word in folded.split())
    return tuple(word for word in words if word)


def bibtex_entry(draft: Draft, taken: Container[BibKey]) -> str:
    """The paper as BibTeX, under a key that is not taken.

    Every entry needs a title (`corpus.bibliography.from_bibtex` requires it); the id is used until it is known.
    """
    title = _tex(draft.title or "", protect=True)
    fields = {
        "title": title if plain_text(title) else f"{{{_tex(draft.unknown_title)}}}",
        "author": " and ".join(map(_author, draft.authors)),
        "howpublished": _tex(draft.published_in),
        **{name: value if name in ("url", "code", "project") else _tex(value) for name, value in draft.fields.items()},
        "year": f"{draft.year}" if draft.year else "",
        "month": list(MONTHS)[draft.month - 1] if draft.month else "",
        "eprint": draft.arxiv or "",
        "archivePrefix": "arXiv" if draft.arxiv else "",
        "primaryClass": re.sub(r"[^\w.-]", "", draft.primary_class),
        "version": f"{draft.version}" if draft.arxiv and draft.version else "",
        "doi": draft.doi or "",
        "abstract": _tex(draft.abstract),
    }
    lines = [
        f"  {name} = {value},\n" if name == "month" else f"  {name} = {{{value}}},\n"
        for name, value in fields.items()
        if value
    ]
    return f"@{draft.entry_type}{{{free_key(proposed_key(draft), taken)},\n{''.join(lines)}}}\n"


def proposed_key(draft: Draft) -> str:
    """`chen2025respec`: family name, year, first word of the title."""
    author = draft.authors[0] if draft.authors else PersonName()
    family = ascii_words(author.last if author.first else author.last.removeprefix("The ").partition(" ")[0])
    title = [word for word in ascii_words(plain_title(draft.title or "")) if word.lower() not in ("a", "an", "the")]
    if family and draft.title:
        return f"{''.join(family)[:_MAX_KEY]}{draft.year or ''}{''.join(title[:1])[:_MAX_KEY]}".lower()
    if draft.arxiv or draft.doi:
        name = f"arxiv{draft.arxiv}" if draft.arxiv else f"doi{draft.doi}"
        return re.sub(r"\W", "", name, flags=re.ASCII).lower()[: 2 * _MAX_KEY]
    address = re.sub(r"^https?://(?:www\.)?|\W", "", draft.fields.get("url", ""), flags=re.ASCII).lower()
    return "".join(title[:3]).lower()[:40] or address[: 2 * _MAX_KEY] or "paper"


def free_key(key: str, taken: Container[BibKey]) -> BibKey:
    """The key, with a letter after it if it is taken."""
    endings = itertools.chain(["", *"abcdefghijklmnopqrstuvwxyz"], (f"x{number}" for number in itertools.count(1)))
    return next(free for ending in endings if (free := BibKey(key + ending)) not in taken)


def _author(name: PersonName) -> str:
    """`von Last, Jr, First`; a name with only `last` in braces, so that BibTeX does not split it."""
    parts = [_tex(part) for part in (f"{name.von} {name.last}".strip(), name.jr, name.first) if part]
    if not name.first or any(map(_UNLIKE_A_NAME.search, parts)):
        return f"{{{_tex(name.full)}}}"
    return ", ".join(parts)


def _tex(text: str, *, protect: bool = False) -> str:
    """A text from arXiv, which may hold TeX, as the value of a field; `protect` keeps the capitals of `ReSpec`."""
    text = re.sub(r"(?<!\\)[%&#]", r"\\\g<0>", _balanced(text).rstrip("\\"))
    text = re.sub(r"\\?@(?=\w*[{(])", "{@}", text)  # it looks like the start of another entry
    parts = _MATH.split(text)
    for index in range(0, len(parts), 2):
        plain = re.sub(r"(?<!\\)[_$]", r"\\\g<0>", parts[index])
        parts[index] = re.sub(r"(?<![\\\w])[^\W_]+", _protected, plain) if protect else plain
    return "".join(parts)


def _balanced(text: str) -> str:
    """The text without unmatched braces: with one of them, the entry would not end."""
    opened: list[int] = []
    lonely: set[int] = set()
    for brace in re.finditer(r"[{}]", text):
        if brace[0] == "{":
            opened.append(brace.start())
        elif opened:
            opened.pop()
        else:
            lonely.add(brace.start())
    lonely.update(opened)
    return "".join(character for index, character in enumerate(text) if index not in lonely)


def _protected(match: re.Match[str]) -> str:
    word = match[0]
    is_special = any(map(str.isupper, word[1:])) or (word[0].isupper() and any(map(str.isdigit, word)))
    return f"{{{word}}}" if is_special else word
