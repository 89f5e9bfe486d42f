"""Rows of tables and items of lists in a hand-kept README: what they say of a note or a paper."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from paper_notes.corpus.paper import LabelledLink
from paper_notes.document import nodes
from paper_notes.document.nodes import Inline, Link, Node, Span
from paper_notes.features.importing.markdown.rewriting import with_anchors
from paper_notes.features.importing.readme.vocabulary import GENERIC, NOTHING, OWN, Column, column_of
from paper_notes.features.importing.readme.words import PAGES, is_web, links_of, path_of, pieces, words_of
from paper_notes.patterns import regex
from paper_notes.sources.bibtex import MONTHS
from paper_notes.values import Struct, field

IsNote = Callable[[str], bool]
"""Whether a note that is taken in has this address."""
_NUMBER = regex(r"#?0*(\d{1,6})\.?")
_IN_NAME = regex(r"0*(\d{1,6})[_-]")
_BETWEEN = regex(r"\s*[;·•|\n]\s*|\s+[/,]\s+")
_STEP = regex(r"\s*(?:→|⟶|->|[;·])\s*")
_ISO = regex(r"(\d{4})(?:[-./年](\d{1,2})月?(?:[-./]?(\d{1,2})日?)?)?年?(?![\d-])(.*)", re.DOTALL)
_NAMED = regex(r"([^\W\d]{3,9})\.?,?\s+(\d{4})(?!\d)(.*)", re.DOTALL)
_DATED = regex(r"\s*(?:\[(\d{2})/(\d{2})\]|[(\[]?(\d{4}[-./]\d{2})[)\]]?)[:：]?\s+")
_DASH = regex(r"^\s*(?:[-—–:：|·]+|,)\s*")
_LEAD = 3
"""So many characters may be before the title of an item: its number, or an emoji."""
_OF_NOTES: frozenset[Column | None] = frozenset({"number", "note", "title", "about", "size"})
_OF_PAPERS: frozenset[Column | None] = frozenset(
    {"number", "title", "team", "date", "links", "code", "project", "data", "venue", "notes"}
)


class ReadmeRow(Struct, frozen=True, kw_only=True):
    """A row of a table, or an item of a list, about a note, a paper, or both."""

    span: Span
    title: str
    """Plain text; empty if there is only a word such as `link`."""
    own: bool
    number: int | None = None
    """Of the note."""
    address: str = ""
    """Of the note; empty if there is none."""
    about: str = ""
    """Markdown."""
    others: Mapping[str, str] = field(default_factory=dict)
    """Cells of columns that we have not, as Markdown, by the head of the column."""
    words: str = ""
    """All that a row of a table says but for the number and the size of the note's page, as plain text."""
    is_paper: bool = False
    badges: tuple[str, ...] = ()
    team: str = ""
    versions: tuple[str, ...] = ()
    """Each begins with its date: `2025-01 (v1)`."""
    venue: str = ""
    links: tuple[LabelledLink, ...] = ()
    remarks: tuple[str, ...] = ()
    """Words between the links."""


class ReadmeTable(Struct, frozen=True):
    """A table or list with rows of ours."""

    span: Span
    rows: tuple[ReadmeRow, ...]
    every: tuple[Span, ...]
    """Where all its rows are, those of others, too."""
    kind: Literal["notes", "papers", ""] = ""
    """What of ours can take its place. Empty: nothing says all that it has."""
    unmapped: tuple[str, ...] = ()
    """Heads of columns that we have not."""
    is_list: bool = False

    @property
    def notes(self) -> tuple[ReadmeRow, ...]:
        return tuple(row for row in self.rows if row.address)

    @property
    def papers(self) -> tuple[ReadmeRow, ...]:
        return tuple(row for row in self.rows if row.is_paper)


def is_page(address: str) -> bool:
    """Whether an address looks like that of a note with a number: `notes/04_ReSpec.html`."""
    path = path_of(address)[1]
    return bool(_IN_NAME.match(path.name)) and path.suffix.lower() in PAGES


def table_from(table: nodes.Table, text: str, is_note: IsNote) -> ReadmeTable | None:
    """The table as rows of ours; None if it is about something else. `text` is the README's."""
    head, *body = table.rows
    heads = [words_of(cell.inlines) for cell in head.cells]
    columns = [column_of(words) for words in heads]
    if not {"note", "title"} & {*columns}:
        cells = ((place, cell) for row in body for place, cell in enumerate(row.cells))
        to_notes = (place for place, cell in cells if _to_notes([cell.inlines], is_note))
        if (column := next(to_notes, None)) is None:
            return None
        columns[column] = "note"
    rows = tuple(filter(None, (_row(row, columns, heads, text, is_note) for row in body)))
    if not rows:
        return None
    kind: Literal["notes", "papers", ""] = ""
    if {*columns} <= _OF_NOTES and not any(row.is_paper for row in rows):
        kind = "notes"
    elif {*columns} <= _OF_PAPERS and any(row.is_paper for row in rows):
        kind = "papers"
    unmapped = tuple(words for words, column in zip(heads, columns, strict=True) if column is None and words)
    return ReadmeTable(table.span, rows, tuple(row.span for row in body), kind, unmapped)


def _row(
    row: nodes.Row, columns: Sequence[Column | None], heads: Sequence[str], text: str, is_note: IsNote
) -> ReadmeRow | None:
    cells = [*zip(columns, heads, row.cells, strict=False)]

    def of(*names: Column) -> list[tuple[Inline, ...]]:
        return [cell.inlines for name in names for column, _, cell in cells if column == name]

    def words(name: Column) -> list[str]:
        return [said for inlines in of(name) if (said := words_of(inlines)).casefold() not in NOTHING]

    named = next(iter(of("title", "note")), ())
    to_notes = _to_notes([*of("note", "title", "notes"), *(cell.inlines for cell in row.cells)], is_note)
    if len({link.href for link in to_notes if words_of(link.inlines).casefold() not in GENERIC}) > 1:
        return None  # it only mentions them
    to_note = next(iter(to_notes), None)
    if to_note is None and of("note") and not of("title"):
        to_note = next(iter(links_of(named)), None)  # a note that is not among the files
    address = to_note.href if to_note else ""
    badges = tuple(node.code for inline in named for node in inline.walk() if isinstance(node, nodes.Code))
    title = words_of(named)
    for badge in badges:
        title = title.removesuffix(badge).strip()
    title = OWN.sub("", title).strip()
    if not title and to_note and (label := words_of(to_note.inlines)).casefold() not in GENERIC:
        title = label
    links = tuple(
        LabelledLink(_label(link, head, column), link.href)
        for name in ("title", "links", "code", "project", "data", "venue")
        for column, head, cell in cells
        for link in (links_of(cell.inlines) if column == name else ())
        if is_web(link.href) and not is_note(link.href)
    )
    says_more = bool(words("team") or words("date") or words("links") or words("venue"))
    is_paper = bool(title and (links or (says_more and not address)))
    if not address and not is_paper:
        return None
    versions, venue = dates_of(" · ".join(map(words_of, of("date"))))
    return ReadmeRow(
        span=row.span,
        title=title,
        own=bool(OWN.search(words_of(named))),
        number=_number(next(iter(words("number")), "")) or _number_in(address),
        address=address,
        about=" ".join(_markdown(cell, text) for column, _, cell in cells if column == "about").strip(),
        others={head: _markdown(cell, text) for column, head, cell in cells if not column and head and cell.inlines},
        words=" ".join(words_of(cell.inlines) for column, _, cell in cells if column not in ("size", "number")),
        is_paper=is_paper,
        badges=badges,
        team=" ".join(words("team")),
        versions=versions,
        venue=", ".join(filter(None, (venue, *words("venue")))),
        links=links,
        remarks=tuple(remark for inlines in of("links") for remark in _remarks(inlines)),
    )


def _to_notes(cells: Sequence[Sequence[Inline]], is_note: IsNote) -> list[Link]:
    """The links of the first cell that leads to notes."""
    links = ([link for link in links_of(inlines) if is_note(link.href)] for inlines in cells)
    return next(filter(None, links), [])


def _label(link: Link, head: str, column: Column | None) -> str:
    """What a link is called; one whose words say nothing gets the head of its column."""
    label = words_of(link.inlines).strip("[] ")
    if column == "title":
        return ""
    return head if label.casefold() in GENERIC and column in ("code", "project", "data") else label


def _markdown(cell: nodes.Cell, text: str) -> str:
    return text[slice(*cell.span)].replace("\\|", "|") if cell.inlines else ""


def _number(words: str) -> int | None:
    match = _NUMBER.fullmatch(words)
    return int(match[1]) if match else None


def _number_in(address: str) -> int | None:
    match = _IN_NAME.match(path_of(address)[1].name)
    return int(match[1]) if match else None


def _remarks(inlines: Sequence[Inline]) -> Iterator[str]:
    """What a cell of links says between them."""
    between = "".join(piece if isinstance(piece, str) else "\n" for piece in pieces(inlines))
    for part in _BETWEEN.split(between):
        words = part.strip(" ,/|·[]()（）")
        if words.casefold() not in NOTHING:
            yield words


def dates_of(words: str) -> tuple[tuple[str, ...], str]:
    """The versions of `2025-01 (v1) → 2025-11 (v8) · EMNLP 2025`, and the rest of it."""
    versions, rest = list[str](), list[str]()
    for part in _STEP.split(words):
        if match := _ISO.fullmatch(part):
            year, month, day, more = match.groups()
        elif (match := _NAMED.fullmatch(part)) and (month := _month(match[1])):
            year, day, more = match[2], None, match[3]
        else:
            rest += [part] if part.casefold() not in NOTHING else []
            continue
        date = "-".join([year, *(f"{int(number):02}" for number in (month, day) if number)])
        versions.append(f"{date} {more.strip()}".strip())
    return tuple(versions), " · ".join(rest)


def _month(word: str) -> str | None:
    numbers = (number for number, name in enumerate(MONTHS.values(), 1) if name.lower().startswith(word.lower()))
    return next(map(str, numbers), None)


def list_from(block: nodes.List, text: str, is_note: IsNote) -> ReadmeTable | None:
    """The list as rows of ours: `- [Title](01_x.html) - about it`, `- [25/10] **Title** [[Paper](..)]`."""
    items = [node for node in block.walk() if isinstance(node, nodes.Paragraph)]
    rows = tuple(filter(None, (_item(item, text, is_note) for item in items)))
    return ReadmeTable(block.span, rows, tuple(item.span for item in items), is_list=True) if rows else None


def _item(item: nodes.Paragraph, text: str, is_note: IsNote) -> ReadmeRow | None:
    links, before = links_of(item.inlines), list[Node]()
    for title in with_anchors(item.inlines):
        if (isinstance(title, nodes.Styled) or title in links) and not _DATED.fullmatch(f"{words_of([title])} "):
            break
        before.append(title)
    else:
        return None
    lead = f"{words_of(before)} "
    dated = _DATED.match(lead)
    lead = lead[dated.end() if dated else 0 :].strip(" -—–:：[]")
    if not links or (len(lead) > _LEAD and not re.fullmatch(r"#?\d+[.:：]?", lead)):
        return None  # a sentence with a link
    is_named = not links_of([title])
    shown = OWN.sub("", words_of([title])).strip()
    address = next((link.href for link in links if is_note(link.href)), "")
    outside = tuple(
        LabelledLink("" if link is links[0] and not is_named else words_of(link.inlines).strip("[] "), link.href)
        for link in links
        if is_web(link.href) and not is_note(link.href)
    )
    is_paper = bool(outside and shown and (is_named or not address))
    if not address and not is_paper:
        return None
    month = f"20{dated[1]}-{dated[2]}" if dated and dated[1] else dates_of(dated[3])[0][0] if dated else ""
    return ReadmeRow(
        span=item.span,
        title="" if address and shown.casefold() in GENERIC else shown,
        own=bool(OWN.search(words_of(item.inlines))),
        number=_number(lead) or _number_in(address),
        address=address,
        about=_about(text, Span(title.span.end, item.inlines[-1].span.end), links),
        is_paper=is_paper,
        versions=(month,) if month else (),
        links=outside,
    )


def _about(text: str, span: Span, links: Sequence[Link]) -> str:
    """What an item says behind its title, but for links of its paper: `[[Code](..)]`, `[[Code]](..)`."""
    rest, done = "", span.start
    for start, end in (link.span for link in links):
        outside = int(text[start - 1 : start] == "[" and text[end : end + 1] == "]")
        if start > done and (outside or text.startswith("[[", start)):
            rest, done = rest + text[done : start - outside], end + outside
    rest = " ".join(f"{rest}{text[done : span.end]}".split())
    words = _DASH.sub("", _DASH.sub("", OWN.sub("", rest)).strip(" ,;|·"))
    return words if any(map(str.isalnum, words)) else ""
