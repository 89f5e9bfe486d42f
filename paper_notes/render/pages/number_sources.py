"""The list of what the numbers of a note come from: at the end of its page, and in the cards beside them."""

from __future__ import annotations

from markupsafe import Markup, escape

from paper_notes.corpus.model import Lang, Note, Text
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.languages.language import Language
from paper_notes.languages.text import in_each
from paper_notes.markdown.body import Body, CellRegion, NumberSource
from paper_notes.render.crops import Crop, data_uri
from paper_notes.render.labels import cite_label, language_name
from paper_notes.render.links import relative
from paper_notes.render.view_factory import PageContext
from paper_notes.values import Struct, field, replace

_BOLD = Markup("<b>{}</b>")


class SourceItem(Struct, frozen=True):
    """A source; `html` is the same in all languages."""

    id: int
    html: Markup
    cell: str = ""
    """Left, top, width and height of a cell in the picture of its table, then what its labels take at the left and its
    heads at the top, in pixels on the page; empty without a picture."""


class SourceGroup(Struct, frozen=True):
    """A part of a paper, or a kind of sources, and what numbers are from there."""

    head: Text
    href: str = ""
    """Of the page of the PDF."""
    remark: Text | None = None
    id: int | None = None
    """If numbers are only known to be from there."""
    items: tuple[SourceItem, ...] = ()
    picture: Markup = field(default_factory=Markup)
    """Of the table that has the cells."""


def source_groups(note: Note, body: Body, context: PageContext) -> tuple[SourceGroup, ...]:
    """The sources of the numbers of a note: the parts of its papers by their pages, then what is no part of one."""
    groups: dict[tuple[object, ...], SourceGroup] = {}
    for number, source in enumerate(body.sources):
        key = _order(source, note)
        group = groups.get(key) or _group(source, note, context)
        html = _html(source, body, context)
        if html is None:
            groups[key] = replace(group, id=number)
        else:
            table = context.resolver.crops.table(region.table) if (region := source.region) else None
            cell = _cell(region, table) if region and table else ""
            picture = _picture(table) if table and cell else group.picture
            groups[key] = replace(group, items=(*group.items, SourceItem(number, html, cell)), picture=picture)
    return tuple(groups[key] for key in sorted(groups, key=repr))


def _picture(table: Crop) -> Markup:
    """For cards only: the page shows it where a number is touched."""
    width, height = table.size
    template = Markup('<img class="of-table" hidden src="{}" width="{}" height="{}" alt="">')
    return template.format(data_uri(table.picture), width, height)


def _cell(region: CellRegion, table: Crop) -> str:
    """As in `SourceItem`; empty for a cell on another page of a table that goes on."""
    if table.record.box is None or table.record.page != region.page:
        return ""
    left, top, right, _ = table.record.box
    scale = table.size[0] / (right - left)
    box, (beside, above) = region.box, region.body
    numbers = box[0] - left, box[1] - top, box[2] - box[0], box[3] - box[1], beside - left, above - top
    return " ".join(str(max(0, round(number * scale))) for number in numbers)


_KINDS = {"sum": "sum", "other": "elsewhere", "several": "several", "own": "own"}
"""Sources that are no part of a paper of the note, in their order, and what the catalogue calls them."""


def _order(source: NumberSource, note: Note) -> tuple[object, ...]:
    """What the sources of a group share; groups are sorted by it."""
    if source.kind in _KINDS:
        return "~", [*_KINDS].index(source.kind)
    papers = [*note.papers]
    paper = papers.index(BibKey(source.key)) if source.key in papers else len(papers)
    return "", f"{paper:03}", source.key, f"{source.page or 99_999:05}", *source.part, source.kind == "reading"


def _group(source: NumberSource, note: Note, context: PageContext) -> SourceGroup:
    words = context.words
    if source.kind in _KINDS:
        return SourceGroup(words(f"source.{_KINDS[source.kind]}"))
    paper = context.corpus.papers.get(BibKey(source.key))
    name = f"{cite_label(paper)}: " if paper and source.key not in note.papers[:1] else ""
    head = in_each(context.languages, lambda lang: name + _place(source, words[lang]))
    remark = words("source.read") if source.kind == "reading" else None
    return SourceGroup(head, _href(paper, source.page, context) if paper else "", remark)


def _place(source: NumberSource, language: Language) -> str:
    """`Table 1, p. 3` in a language."""
    kind, number = source.part
    part = ""
    if number:
        is_title = kind == "section" and not any(map(str.isdecimal, number)) and len(number) > 1
        part = number if is_title else language(f"source.{kind}", number=number)
        part = language("ui.note.abstract") if number == "abstract" else part
    elif kind == "figure":
        part = language("source.a-figure")
    page = language("source.page", page=str(source.page)) if source.page else ""
    return language("source.both", place=part, page=page) if part and page else part or page


def _href(paper: Paper, page: int, context: PageContext) -> str:
    """The page of the PDF: that of the site, that of arXiv; else where the paper is."""
    place = f"#page={page}" if page else ""
    if own := context.resolver.published.get(paper.key):
        return relative(own, context.page) + place
    if paper.arxiv:
        return f"https://arxiv.org/pdf/{paper.arxiv}{f'v{paper.version}' if paper.version else ''}{place}"
    return next((link.url + (place if link.label == "PDF" else "") for link in paper.links), "")


def _html(source: NumberSource, body: Body, context: PageContext) -> Markup | None:
    """What tells the source from others of its group; None if nothing does."""
    match source.kind:
        case "cell":
            return Markup(" × ").join(map(_BOLD.format, source.words))
        case "sentence":
            spoken = context.resolver.language_of(source.words[0])
            return Markup('<q lang="{}">{}</q>').format(spoken, source.words[0])
        case "reading" if source.words:
            return _BOLD.format(source.words[0]) + Markup("").join(f" {value}" for value in source.words[1:])
        case "sum":
            links = map(_link, source.operands, source.words)
            return Markup(" ").join((Markup(source.formula), *links)) if source.formula else escape(source.words[0])
        case "other":
            return _other(source, context)
        case "several":
            sources = [body.sources[place] for place in source.operands]
            words = (" × ".join(source.words) or source.part[1] or "·" for source in sources)
            return Markup(", ").join(map(_link, source.operands, words))
    return None


def _link(place: int, words: str) -> Markup:
    return Markup('<a class="at" href="#pn-{}">{}</a>').format(place, words)


def _other(source: NumberSource, context: PageContext) -> Markup:
    if not source.key:
        return Markup('<a class="external" rel="noopener" href="{0}">{0}</a>').format(source.words[0])
    paper = context.corpus.papers.get(BibKey(source.key))
    place = f", {source.words[0]}" if source.words[0] else ""
    if paper is None:
        return escape(source.key + place)
    return Markup('<a class="cite" href="#ref-{}">{}</a>{}').format(paper.key, cite_label(paper), place)


def stated(body: Body, context: PageContext) -> Text | None:
    """How many numbers lead to their sources, in each language; and in the other one, if that has more or fewer."""
    words, counts = context.words, {lang: half.marks for lang, half in body.halves.items()}
    if not any(counts.values()):
        return None
    first = next(iter(counts))

    def in_language(lang: Lang) -> str:
        own = lang if lang in counts else first
        other = next((tag for tag in counts if tag != own), own)
        if counts[own] == counts[other]:
            return words[lang]("ui.note.sourced", count=str(counts[own]))
        values = {"count": str(counts[own]), "other": str(counts[other]), "language": language_name(other, words)[lang]}
        return words[lang]("ui.note.sourced-differently", **values)

    return in_each(context.languages, in_language)
