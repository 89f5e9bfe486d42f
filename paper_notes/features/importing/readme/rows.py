"""Rows of tables and items of lists in a hand-kept README: what they say of a note or a paper."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from paper_notes.features.importing.readme.blocks import (
    FoundLink,
    ReadmeBlock,
    ReadmeRow,
    code_in,
    is_web,
    links_of,
    path_of,
    plain,
)
from paper_notes.features.importing.readme.values import Kind, ListedPaper, ReadmeNote, ReadmeTable
from paper_notes.features.importing.readme.vocabulary import GENERIC, NOTHING, OWN, Column, column_of
from paper_notes.sources.bibtex import MONTHS

IsNote = Callable[[str], bool]
"""Whether a note that is taken in has this address."""
_NUMBER = re.compile(r"#?0*(\d{1,6})\.?")
_IN_NAME = re.compile(r"0*(\d{1,6})[_-]")
_BETWEEN = re.compile(r"\s*[;·•|\n]\s*|\s+[/,]\s+")
_STEP = re.compile(r"\s*(?:→|⟶|->|[;·])\s*")
_ISO = re.compile(r"(\d{4})(?:[-./年](\d{1,2})月?(?:[-./]?(\d{1,2})日?)?)?年?(?![\d-])(.*)", re.DOTALL)
_NAMED = re.compile(r"([^\W\d]{3,9})\.?,?\s+(\d{4})(?!\d)(.*)", re.DOTALL)
_LISTED = re.compile(r"\s*[*_]*(?:\[(\d{2})/(\d{2})\]|[(\[]?(\d{4}[-./]\d{2})[)\]]?)[*_]*[:：]?\s+")
_DASH = re.compile(r"^\s*(?:[-—–:：|·]+|,)\s*")
_MARKS = "*_~"
_OF_NOTES: frozenset[Column] = frozenset({"number", "note", "title", "about", "size"})
_OF_PAPERS: frozenset[Column] = frozenset(
    {"number", "title", "team", "date", "links", "code", "project", "data", "venue", "notes"}
)


def is_page(address: str) -> bool:
    """Whether an address looks like that of a note with a number: `notes/04_ReSpec.html`."""
    path = path_of(address)[1]
    return bool(_IN_NAME.match(path.name)) and path.suffix.lower() in (".html", ".htm", ".md", ".markdown")


def table_from(block: ReadmeBlock, is_note: IsNote) -> ReadmeTable | None:
    """The table as rows of ours; None if it is about something else."""
    columns = [column_of(plain(head)) for head in block.head]
    leads_to_notes = any(is_note(link.address) for row in block.rows for cell in row.cells for link in links_of(cell))
    if "note" not in columns and not leads_to_notes and "title" not in columns:
        return None
    if leads_to_notes and "title" not in columns and "note" not in columns:
        columns[_place(block.rows, is_note)] = "note"
    heads = [plain(head) for head in block.head]
    notes, papers = list[ReadmeNote](), list[ListedPaper]()
    for row in block.rows:
        note, paper = _row(row, columns, heads, is_note)
        notes += [note] if note else []
        papers += [paper] if paper else []
    if not notes and not papers:
        return None
    unmapped = tuple(head for head, column in zip(heads, columns, strict=True) if column is None and head)
    kind = _kind(columns, notes, papers)
    return ReadmeTable(block.start, block.end, kind, tuple(notes), tuple(papers), _lines(block), unmapped)


def _kind(columns: Sequence[Column | None], notes: Sequence[ReadmeNote], papers: Sequence[ListedPaper]) -> Kind:
    """What of ours says all that a table has."""
    present = set(columns)
    if notes and not papers and present <= _OF_NOTES and not any(row.others for row in notes):
        return "notes"
    return "papers" if papers and present <= _OF_PAPERS and not any(row.about for row in papers) else ""


def _lines(block: ReadmeBlock) -> tuple[int, ...]:
    return tuple(row.line for row in block.rows)


def _place(rows: Sequence[ReadmeRow], is_note: IsNote) -> int:
    """The column that leads to notes."""
    return next(
        place
        for row in rows
        for place, cell in enumerate(row.cells)
        if any(is_note(link.address) for link in links_of(cell))
    )


def _row(
    row: ReadmeRow, columns: Sequence[Column | None], heads: Sequence[str], is_note: IsNote
) -> tuple[ReadmeNote | None, ListedPaper | None]:
    cells: dict[Column, list[str]] = {}
    for column, cell in zip(columns, row.cells, strict=False):
        if column:
            cells.setdefault(column, []).append(cell)
    others = {
        head: cell
        for column, head, cell in zip(columns, heads, row.cells, strict=False)
        if column is None and head and cell
    }
    named = next((cells[name][0] for name in ("title", "note") if name in cells), "")
    to_note = _note_link(
        [*cells.get("note", ()), *cells.get("title", ()), *cells.get("notes", ()), *row.cells], is_note
    )
    if to_note is None and "note" in cells and "title" not in cells:
        to_note = next(iter(links_of(cells["note"][0])), None)  # a note that is not among the files
    title = _named(named, to_note)
    number = _number(cells.get("number", [""])[0])
    about = " ".join(cells.get("about", ()))
    is_own = bool(OWN.search(plain(named)))
    words = " ".join(
        plain(cell) for column, cell in zip(columns, row.cells, strict=False) if column not in ("size", "number")
    )
    note = paper = None
    if to_note is not None:
        number = number if number is not None else _of_name(to_note.address)
        note = ReadmeNote(row.line, number, title, to_note.address, about.strip(), is_own, others, words)
    outside = [
        replaced
        for column in ("title", "links", "code", "project", "data", "venue")
        for cell, head in _with_heads(column, columns, heads, row)
        for replaced in _outside(cell, head, column, is_note)
    ]
    says_more = any(_said(cell) for name in ("team", "date", "links", "venue") for cell in cells.get(name, ()))
    if title and (outside or (says_more and note is None)):
        versions, venue = dates_of(" · ".join(cells.get("date", ())))
        venues = [plain(cell) for cell in cells.get("venue", ()) if plain(cell).casefold() not in NOTHING]
        paper = ListedPaper(
            line=row.line,
            title=title,
            own=is_own,
            badges=code_in(named),
            team=_said(" ".join(cells.get("team", ()))),
            versions=versions,
            venue=", ".join(part for part in (venue, *venues) if part),
            links=tuple(outside),
            remarks=tuple(word for cell in cells.get("links", ()) for word in _remarks(cell)),
            about="" if note else about.strip(),
            note=to_note.address if to_note else "",
            words=words,
        )
    return note, paper


def _with_heads(
    column: Column, columns: Sequence[Column | None], heads: Sequence[str], row: ReadmeRow
) -> Iterator[tuple[str, str]]:
    for cell_column, head, cell in zip(columns, heads, row.cells, strict=False):
        if cell_column == column:
            yield cell, head


def _outside(cell: str, head: str, column: Column, is_note: IsNote) -> Iterator[FoundLink]:
    """The links of a cell to places on the web; one whose label says nothing gets the head of its column."""
    for link in links_of(cell):
        if not is_web(link.address) or is_note(link.address):
            continue
        label = link.label.strip(f"{_MARKS}[] ")
        if column == "title":
            label = ""
        elif label.casefold() in GENERIC and column in ("code", "project", "data"):
            label = head
        yield FoundLink(label, link.address, link.start, link.end)


def _note_link(cells: Sequence[str], is_note: IsNote) -> FoundLink | None:
    return next((link for cell in cells for link in links_of(cell) if is_note(link.address)), None)


def _named(cell: str, to_note: FoundLink | None) -> str:
    """The words of the cell that names a note or a paper, without its mark and badges."""
    title = plain(cell)
    for badge in code_in(cell):
        title = title.removesuffix(badge).strip()
    words = OWN.sub("", title).strip()
    return words or (to_note.label if to_note and to_note.label.casefold() not in GENERIC else "")


def _said(cell: str) -> str:
    words = plain(cell)
    return "" if words.casefold() in NOTHING else words


def _number(cell: str) -> int | None:
    match = _NUMBER.fullmatch(plain(cell))
    return int(match[1]) if match else None


def _of_name(address: str) -> int | None:
    match = _IN_NAME.match(path_of(address)[1].name)
    return int(match[1]) if match else None


def _remarks(cell: str) -> Iterator[str]:
    """What a cell of links says between them."""
    end = 0
    for link in (*links_of(cell), None):
        for part in _BETWEEN.split(cell[end : link.start if link else None]):
            words = plain(part.strip(" ,/|·")).strip(f"{_MARKS} []()（）")
            if words.casefold() not in NOTHING:
                yield words
        end = link.end if link else end


def dates_of(cell: str) -> tuple[tuple[str, ...], str]:
    """The versions of `2025-01 (v1) → 2025-11 (v8) · EMNLP 2025`, and the rest of it."""
    versions, rest = list[str](), list[str]()
    for part in map(plain, _STEP.split(cell)):
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
    names = [name for name, full in MONTHS.items() if full.lower().startswith(word.lower())]
    return f"{list(MONTHS).index(names[0]) + 1}" if names else None


def list_from(block: ReadmeBlock, is_note: IsNote) -> ReadmeTable | None:
    """The list as rows of ours: `- [Title](01_x.html) - about it`, `- [25/10] **Title** [[Paper](..)]`."""
    notes, papers = list[ReadmeNote](), list[ListedPaper]()
    for row in block.rows:
        note, paper = _item(row, is_note)
        notes += [note] if note else []
        papers += [paper] if paper else []
    if not notes and not papers:
        return None
    return ReadmeTable(block.start, block.end, "", tuple(notes), tuple(papers), _lines(block), is_list=True)


def _item(row: ReadmeRow, is_note: IsNote) -> tuple[ReadmeNote | None, ListedPaper | None]:
    cell = row.cells[0].replace("\n", " ")
    dated = _LISTED.match(cell)
    text = cell[dated.end() :] if dated else cell
    links = links_of(text)
    if not links:
        return None, None
    named = re.match(
        r"\s*(?:#?\d+[.:：]?\s+)?(?P<marks>[*_]{1,3})(?P<title>[^\[\]]+?)(?P=marks)(?=[\s,.;:：—–\[(（]|$)", text
    )
    first = links[0]
    lead = plain(text[: first.start]).strip(f"{_MARKS} -—–:：[]")
    if named:
        title, rest = plain(named["title"]), text[named.end() :]
    elif len(lead) <= _LEAD or re.fullmatch(r"#?\d+[.:：]?", lead):
        title, rest = first.label.strip(f"{_MARKS} "), text[first.end :].lstrip(_MARKS)
    else:
        return None, None  # a sentence with a link
    to_note = next((link for link in links if is_note(link.address)), None)
    shown = OWN.sub("", title).strip()
    is_own = bool(OWN.search(plain(text)))
    outside = tuple(
        FoundLink(
            "" if link is first and not named else link.label.strip(f"{_MARKS}[] "), link.address, link.start, link.end
        )
        for link in links
        if is_web(link.address) and not is_note(link.address)
    )
    about = _about(rest)
    if to_note:
        number = _number(lead) if lead else _of_name(to_note.address)
        name = shown if shown.casefold() not in GENERIC else ""
        note = ReadmeNote(row.line, number, name, to_note.address, about, is_own, {})
        paper = _listed(row, dated, shown, outside, is_own, "", to_note.address) if outside and named else None
        return note, paper
    return None, _listed(row, dated, shown, outside, is_own, about, "") if outside and shown else None


_LEAD = 3
"""So many characters may be before the title of an item: its number, or an emoji."""


def _listed(
    row: ReadmeRow,
    dated: re.Match[str] | None,
    title: str,
    links: tuple[FoundLink, ...],
    is_own: bool,
    about: str,
    note: str,
) -> ListedPaper:
    month = ""
    if dated:
        month = dates_of(dated[3])[0][0] if dated[3] else f"20{dated[1]}-{dated[2]}"
    versions = (month,) if month else ()
    return ListedPaper(row.line, title, is_own, (), "", versions, "", links, (), about, note)


def _about(rest: str) -> str:
    """What an item says behind its title, without links that are there for the paper: `[[Code](..)]`."""
    for link in reversed(links_of(rest)):
        start, end = link.start, link.end
        if rest[start - 1 : start] == "[" and rest[end : end + 1] == "]":
            rest = rest[: start - 1] + rest[end + 1 :]
    words = _DASH.sub("", OWN.sub("", rest)).strip(" ,;|·")
    return _DASH.sub("", words) if re.search(r"\w", plain(words)) else ""
