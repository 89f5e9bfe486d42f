"""Papers from the Zotero that runs on this machine: their facts, tags, PDFs, notes, and what was marked in them.

Since version 7 it answers on 127.0.0.1 as its web API does, if the user lets other programs ask it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import UserError, did_you_mean
from paper_notes.features.papers.annotations import AnnotationKind, PdfAnnotation, colour_name, draw_places
from paper_notes.features.papers.bibtex import draft_from
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.importer import Choice, Fetched, Importer, PaperReference, Services
from paper_notes.features.papers.pdf import outline_of
from paper_notes.features.papers.records import mapping, mappings, text, without_markup
from paper_notes.features.papers.request import NoResponse, Request, Response, Service
from paper_notes.features.papers.web import Web
from paper_notes.identifiers import arxiv_mentions, folded_title
from paper_notes.patterns import regex
from paper_notes.sources.pdf.document import Strokes
from paper_notes.sources.pdf.model import PdfProblem, united
from paper_notes.sources.tree import Source
from paper_notes.values import Struct, replace

ZOTERO = Service(
    "Zotero",
    "http://127.0.0.1:23119/api/users/0",
    "PAPER_NOTES_ZOTERO_URL",
    instead="start Zotero (7 or later), and in its settings, Advanced, let other applications communicate with it",
    home="zotero.org",
)
_REFERENCE = regex(
    r"zotero:(?!//)(?P<name>.+)|zotero://[\w-]+/library/(?P<kind>items|collections)/(?P<key>[A-Z0-9]{8})\b.*"
)
_KEY = regex(r"[A-Z0-9]{8}")
_CITATION_KEY = regex(r"^\s*citation key\s*:\s*(\S+)\s*$", re.IGNORECASE | re.MULTILINE)
"""Where Better BibTeX keeps its keys in Zotero 7."""
_ENTRY_KEY = regex(r"(@\w+\s*\{\s*)([^,\s]+)")
_KINDS: Mapping[str, AnnotationKind] = {
    "highlight": "marked",
    "underline": "marked",
    "note": "note",
    "text": "note",
    "ink": "drawn",
    "image": "drawn",
}
_ENDS = regex(r"</(?:p|div|li|h\d|blockquote)>|<br\s*/?>", re.IGNORECASE)
IN_ZOTERO = "zotero:"
"""In place of a name of the paper: by what the collection knows of it, as `name_of`."""
_PAGE_LABEL = regex(r"[0-9]{1,5}")
_MOST = 25
"""Items that a search may give."""


class ZoteroMark(Struct, frozen=True):
    """A mark, what puts it in order, and the lines of a pen."""

    order: str
    annotation: PdfAnnotation
    strokes: Strokes = ()

    @property
    def is_shown(self) -> bool:
        return self.annotation.kind != "drawn" or self.annotation.picture is not None


def _ask(web: Web, path: str, query: Mapping[str, str] | None = None) -> Response:
    """An answer of Zotero's; never one that was kept, as the library may have changed. Raises UserError."""
    request = Request(ZOTERO, path, {"v": "3", **(query or {})}, limit=32 * 1024 * 1024, pauses=())
    try:
        response = web.fetch(request)
    except NoResponse as problem:
        raise NoResponse(problem.message, ZOTERO.instead) from problem
    if response.status in (403, 404) and response.kind == "text/plain":
        words = response.body.decode("utf-8", "replace").strip()[:100]
        message = "Zotero does not let other programs ask it" if response.status == 403 else f"Zotero has no {path}"
        raise NoResponse(f"{message}: {words}", ZOTERO.instead)
    if response.status != 200:
        raise response.refused()
    return response


def _json(web: Web, path: str, query: Mapping[str, str] | None = None) -> object:
    try:
        return json.loads(_ask(web, path, query).body)
    except (ValueError, RecursionError) as error:
        raise NoResponse("Zotero's answer is not JSON", "is another program using its port?") from error


def recognise(name: str, keys: Container[BibKey]) -> PaperReference[str] | None:
    """`zotero:` and a key, an id or words of the title; or a link to an item or collection that Zotero copies."""
    match = _REFERENCE.fullmatch(name.strip())
    if not match:
        return None
    return PaperReference(match["name"] or f"{'collection:' * (match['kind'] == 'collections')}{match['key']}")


def name_of(paper: Paper) -> str:
    """What finds a paper of the collection in Zotero."""
    return f"zotero:{paper.doi or paper.arxiv or paper.title}"


def members(reference: PaperReference[str], services: Services) -> tuple[PaperReference[str], ...]:
    """The papers of a collection, by its name or key."""
    name = reference.id.removeprefix("collection:")
    names = _collections(_web(services))
    key = name if name in names else next((key for key, known in names.items() if known == name), "")
    if not key:
        raise UserError(f'Zotero has no collection "{name}"', did_you_mean(name, names.values()))
    items = mappings(_json(_web(services), f"/collections/{key}/items/top"))
    return tuple(PaperReference(_data_text(item, "key")) for item in items if _is_paper(item))


def find(name: str, services: Services) -> dict[str, object]:
    """The item that a key, citation key, id or title means. Raises UserError."""
    web = _web(services)
    if name.startswith("collection:"):
        raise UserError(f'"{name}" is a collection', "--all makes a note of each of its papers")
    if _KEY.fullmatch(name):
        return mapping(_json(web, f"/items/{name}"))
    words = " ".join(re.findall(r"\w[\w./:-]*", name))
    everywhere = {"q": words, "qmode": "everything" if " " not in words else "titleCreatorYear", "limit": str(_MOST)}
    items = [item for item in mappings(_json(web, "/items/top", everywhere)) if _is_paper(item)]
    same = [item for item in items if _means(item, name)] or items
    if not same:
        raise NoResponse(f'Zotero has nothing on "{name}"', "give the key of its item, as in zotero:ABCD2345")
    if len(same) == 1:
        return same[0]
    choices = [
        Choice(f"zotero:{_data_text(item, 'key')}", Draft("bibtex", title=_data_text(item, "title"))) for item in same
    ]
    problem = UserError(f'Zotero has {len(same)} items on "{name}"', f"name one, like {choices[0].reference}")
    return same[services.choose(choices, problem)]


def fetch(reference: PaperReference[str], services: Services) -> Fetched:
    """The paper as Zotero has it, its tags, notes and marks. Raises UserError."""
    item = find(reference.id, services)
    web, data, key = _web(services), mapping(item.get("data")), text(item.get("key"))
    entry = _ask(web, f"/items/{key}", {"format": "bibtex"}).body.decode("utf-8", "replace")
    if citation_key := citation_key_of(data):
        entry = _ENTRY_KEY.sub(lambda match: match[1] + citation_key, entry, count=1)
    draft, problems = draft_from(Source(PurePosixPath("zotero.bib"), entry.encode()), "")
    tags = (text(tag.get("tag")) for tag in mappings(data.get("tags")) if not tag.get("type"))
    paper, marks = Fetched(draft, problems, tags=tuple(filter(None, tags))), list[ZoteroMark]()
    for child in mappings(_json(web, f"/items/{key}/children")):
        of_child, child_key = mapping(child.get("data")), text(child.get("key"))
        if of_child.get("itemType") == "note":
            marks += _note(text(of_child.get("note")))
        if of_child.get("itemType") != "attachment" or of_child.get("contentType") != "application/pdf":
            continue
        rows = mappings(_json(web, f"/items/{child_key}/children"))
        new = [mark for row in rows for mark in _annotation(mapping(row.get("data")))]
        if paper.pdf is None:
            paper = _with_pdf(paper, web, child_key, services)
            new = _drawn(new, paper.pdf) if paper.pdf else new
        marks += new
    shown = [mark for mark in sorted(marks, key=lambda mark: mark.order) if mark.is_shown]
    names, places = _collections(web), data.get("collections")
    if named := [names[place] for place in map(text, places) if place in names] if isinstance(places, list) else []:
        services.say(f"In Zotero it is in {', '.join(named)}.")
    if left := len(marks) - len(shown):
        services.say(f"Drawings in Zotero that are left out: {left}.")
    return replace(paper, marks=tuple(mark.annotation for mark in shown))


def citation_key_of(data: Mapping[str, object]) -> str:
    """The key that Better BibTeX, or Zotero 8 itself, gave an item; empty for none."""
    in_extra = _CITATION_KEY.search(text(data.get("extra")))
    return text(data.get("citationKey")).strip() or (in_extra[1] if in_extra else "")


def _with_pdf(paper: Fetched, web: Web, key: str, services: Services) -> Fetched:
    """The paper with the PDF of an attachment, which Zotero names by its place on the disk; without it if it is bad."""
    try:
        address = urlsplit(_ask(web, f"/items/{key}/file/view/url").body.decode("utf-8", "replace").strip())
        path = unquote(address.path)
        path = path[1:] if re.match(r"/[A-Za-z]:/", path) else path
        if address.scheme != "file" or not path.lower().endswith(".pdf"):
            return paper
        pdf = services.read_file(path)
        outline = outline_of(services.read_pdf(pdf))
    except ValueError:  # its answer is no address
        return paper
    except UserError as problem:
        services.say(f"Without the PDF that Zotero has: {problem.message}.")
        return paper
    return replace(paper, pdf=pdf, pdf_file=path, draft=replace(paper.draft, outline=outline))


def _annotation(data: Mapping[str, object]) -> Iterator[ZoteroMark]:
    """A mark in a PDF."""
    kind = _KINDS.get(text(data.get("annotationType")))
    words, comment = (_plain(text(data.get(name))) for name in ("annotationText", "annotationComment"))
    if kind is None or not (words or comment or kind == "drawn"):
        return
    try:
        position = mapping(json.loads(text(data.get("annotationPosition")) or "{}"))
    except (ValueError, RecursionError):
        position = {}
    index, label = position.get("pageIndex"), text(data.get("annotationPageLabel"))
    page = index + 1 if isinstance(index, int) and index >= 0 else int(label) if _PAGE_LABEL.fullmatch(label) else 0
    colour = re.fullmatch(r"#([0-9a-fA-F]{6})", text(data.get("annotationColor")))
    name = colour_name(part / 255 for part in bytes.fromhex(colour[1])) if colour else ""
    strokes = tuple(tuple(zip(path[::2], path[1::2], strict=False)) for path in _numbers(position.get("paths")))
    corners = [(left, top, right, bottom) for left, top, right, bottom, *_ in _numbers(position.get("rects"))]
    boxes = [*corners, *((*point, *point) for stroke in strokes for point in stroke)]
    box = united(boxes) if boxes else (0.0, 0.0, 0.0, 0.0)
    annotation = PdfAnnotation(kind, page, " ".join(words.split()), comment, box, name)
    yield ZoteroMark(text(data.get("annotationSortIndex")), annotation, strokes)


def _numbers(value: object) -> list[list[float]]:
    """Lists of at least four numbers."""
    rows = value if isinstance(value, list) else []
    return [row for row in rows if isinstance(row, list) and len(row) > 3 and all(type(n) in (int, float) for n in row)]


def _drawn(marks: Sequence[ZoteroMark], pdf: bytes) -> list[ZoteroMark]:
    """The marks with pictures of what is drawn, on the pages of the PDF."""
    drawn = [mark for mark in marks if mark.annotation.kind == "drawn"]
    places = [(mark.annotation.page, mark.annotation.box, mark.strokes) for mark in drawn]
    try:
        from paper_notes.sources.pdf.reader import within_limits  # slow to import, and `new --help` lists importers

        pictures = within_limits(draw_places, pdf, places) if places else ()
    except PdfProblem:
        pictures = ()
    shown = {
        id(mark): replace(mark, annotation=replace(mark.annotation, picture=picture))
        for mark, picture in zip(drawn, pictures, strict=False)
    }
    return [shown.get(id(mark), mark) for mark in marks]


def _note(html: str) -> Iterator[ZoteroMark]:
    """A note of the item in plain words, behind all marks; not one that Zotero has made of them."""
    if "data-annotation=" not in html and (words := _plain(html)):
        yield ZoteroMark("~", PdfAnnotation("note", 0, "", words, (0.0, 0.0, 0.0, 0.0)))


def _plain(html: str) -> str:
    lines = (without_markup(line) for line in _ENDS.sub("\n", html).split("\n"))
    return "\n".join(filter(None, lines))


def _collections(web: Web) -> dict[str, str]:
    """The names of all collections by their keys."""
    collections = (mapping(row.get("data")) for row in mappings(_json(web, "/collections")))
    return {text(row.get("key")): text(row.get("name")) for row in collections}


def _means(item: Mapping[str, object], name: str) -> bool:
    data = mapping(item.get("data"))
    known = [text(data.get(field)) for field in ("DOI", "url", "extra", "archiveID", "key")]
    ids = {arxiv for value in known for arxiv in arxiv_mentions(value)}
    return (
        name.lower() in (known[0].lower(), citation_key_of(data).lower())
        or name in ids
        or (folded_title(text(data.get("title"))) == folded_title(name))
    )


def _is_paper(item: Mapping[str, object]) -> bool:
    return mapping(item.get("data")).get("itemType") not in ("attachment", "note", "annotation")


def _data_text(item: Mapping[str, object], name: str) -> str:
    return text(mapping(item.get("data")).get(name)) or text(item.get(name))


def _web(services: Services) -> Web:
    if services.web is None:
        raise UserError("with --offline nobody is asked, Zotero on this machine neither", "leave out --offline")
    return services.web


IMPORTER = Importer(
    recognise,
    fetch,
    form="a paper in Zotero (zotero:title)",
    help=(("zotero:smith2024deep, zotero:DOI", "a paper in Zotero on this machine, while it runs"),),
    is_local=True,
    members=members,
)
