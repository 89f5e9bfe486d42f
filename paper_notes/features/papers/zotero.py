"""Papers from the Zotero that runs on this machine: their facts, tags, PDFs, notes, and what was marked in them.

Since version 7 it answers on 127.0.0.1 as its web API does, if the user lets other programs ask it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import UserError, did_you_mean
from paper_notes.features.papers.bibtex import draft_from
from paper_notes.features.papers.draft import Draft
from paper_notes.features.papers.importer import Choice, Fetched, Importer, PaperReference, Services
from paper_notes.features.papers.pdf import outline_of
from paper_notes.features.papers.records import mapping, mappings, text, without_markup
from paper_notes.features.papers.web import NoResponse, Request, Response, Service, Web
from paper_notes.identifiers import arxiv_mentions, folded_title
from paper_notes.sources.pdf.annotations import AnnotationKind, PdfAnnotation, colour_name
from paper_notes.sources.tree import Source

ZOTERO = Service(
    "Zotero",
    "http://127.0.0.1:23119/api/users/0",
    "PAPER_NOTES_ZOTERO_URL",
    instead="start Zotero (7 or later), and in its settings, Advanced, let other applications communicate with it",
    home="zotero.org",
)
_REFERENCE = re.compile(
    r"zotero:(?!//)(?P<name>.+)|zotero://[\w-]+/library/(?P<kind>items|collections)/(?P<key>[A-Z0-9]{8})\b.*"
)
_KEY = re.compile(r"[A-Z0-9]{8}")
_CITATION_KEY = re.compile(r"^\s*citation key\s*:\s*(\S+)\s*$", re.IGNORECASE | re.MULTILINE)
"""Where Better BibTeX keeps its keys in Zotero 7."""
_ENTRY_KEY = re.compile(r"(@\w+\s*\{\s*)([^,\s]+)")
_KINDS: Mapping[str, AnnotationKind] = {"highlight": "marked", "underline": "marked", "note": "note", "text": "note"}
_ENDS = re.compile(r"</(?:p|div|li|h\d|blockquote)>|<br\s*/?>", re.IGNORECASE)
IN_ZOTERO = "zotero:"
"""In place of a name of the paper: by what the collection knows of it, as `name_of`."""
_MOST = 25
"""Items that a search may give."""


@dataclass(frozen=True, slots=True)
class ZoteroItem:
    """What Zotero has of a paper."""

    paper: Fetched
    collections: tuple[str, ...]
    drawings: int
    """Marks that are pictures, which are left out."""


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


def fetch(reference: PaperReference[str], services: Services) -> Fetched:
    """The paper as Zotero has it. Raises UserError."""
    item = item_of(find(reference.id, services), services)
    if item.collections:
        services.say(f"In Zotero it is in {', '.join(item.collections)}.")
    if item.drawings:
        services.say(f"Drawings in Zotero that are left out: {item.drawings}.")
    return item.paper


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


def item_of(item: Mapping[str, object], services: Services, *, with_pdf: bool = True) -> ZoteroItem:
    """All that Zotero has of an item. Raises UserError."""
    web, data, key = _web(services), mapping(item.get("data")), text(item.get("key"))
    entry = _ask(web, f"/items/{key}", {"format": "bibtex"}).body.decode("utf-8", "replace")
    if citation_key := citation_key_of(data):
        entry = _ENTRY_KEY.sub(lambda match: match[1] + citation_key, entry, count=1)
    draft, problems = draft_from(Source(PurePosixPath("zotero.bib"), entry.encode()), "")
    tags = tuple(text(tag.get("tag")) for tag in mappings(data.get("tags")) if not tag.get("type"))
    children = mappings(_json(web, f"/items/{key}/children"))
    marks = list[tuple[str, PdfAnnotation]]()
    pdf, file, drawings = None, "", 0
    for child in children:
        of_child = mapping(child.get("data"))
        if of_child.get("itemType") == "note":
            marks += _note(text(of_child.get("note")))
        if of_child.get("itemType") != "attachment" or of_child.get("contentType") != "application/pdf":
            continue
        annotations = [
            mapping(mark.get("data")) for mark in mappings(_json(web, f"/items/{text(child.get('key'))}/children"))
        ]
        drawn = [mark for mark in annotations if mark.get("annotationType") in ("ink", "image")]
        drawings += len(drawn)
        marks += (mark for annotation in annotations for mark in _annotation(annotation))
        if with_pdf and pdf is None:
            pdf, file = _pdf(web, text(child.get("key")), services) or (None, "")
    if pdf is not None:
        draft = replace(draft, outline=outline_of(services.read_pdf(pdf)))
    in_order = tuple(mark for _, mark in sorted(marks, key=lambda pair: pair[0]))
    names = _collections(web)
    places = tuple(names[name] for name in _strings(data.get("collections")) if name in names)
    return ZoteroItem(Fetched(draft, problems, pdf, file, in_order, tuple(filter(None, tags))), places, drawings)


def citation_key_of(data: Mapping[str, object]) -> str:
    """The key that Better BibTeX, or Zotero 8 itself, gave an item; empty for none."""
    in_extra = _CITATION_KEY.search(text(data.get("extra")))
    return text(data.get("citationKey")).strip() or (in_extra[1] if in_extra else "")


def _pdf(web: Web, key: str, services: Services) -> tuple[bytes, str] | None:
    """The bytes of an attachment, which Zotero names by its place on the disk, and that place."""
    try:
        address = urlsplit(_ask(web, f"/items/{key}/file/view/url").body.decode("utf-8", "replace").strip())
        path = unquote(address.path)
        path = path[1:] if re.match(r"/[A-Za-z]:/", path) else path
        return (services.read_file(path), path) if address.scheme == "file" and path.lower().endswith(".pdf") else None
    except UserError as problem:
        services.say(f"Without the PDF that Zotero has: {problem.message}.")
        return None


def _annotation(data: Mapping[str, object]) -> Iterator[tuple[str, PdfAnnotation]]:
    """A mark in a PDF, and its place in the order of Zotero."""
    kind = _KINDS.get(text(data.get("annotationType")))
    words, comment = (_plain(text(data.get(name))) for name in ("annotationText", "annotationComment"))
    if kind is None or not (words or comment):
        return
    try:
        page = int(mapping(json.loads(text(data.get("annotationPosition")) or "{}")).get("pageIndex", -1)) + 1  # type: ignore[call-overload]
    except (ValueError, TypeError, RecursionError):
        page = 0
    label = text(data.get("annotationPageLabel"))
    colour = re.fullmatch(r"#([0-9a-fA-F]{6})", text(data.get("annotationColor")))
    name = colour_name(part / 255 for part in bytes.fromhex(colour[1])) if colour else ""
    number = page or (int(label) if label.isdecimal() and len(label) < 6 else 0)
    words = " ".join(words.split())
    yield text(data.get("annotationSortIndex")), PdfAnnotation(kind, number, words, comment, (0.0, 0.0, 0.0, 0.0), name)


def _note(html: str) -> Iterator[tuple[str, PdfAnnotation]]:
    """A note of the item in plain words, behind all marks; not one that Zotero has made of them."""
    if "data-annotation=" not in html and (words := _plain(html)):
        yield "~", PdfAnnotation("note", 0, "", words, (0.0, 0.0, 0.0, 0.0))


def _plain(html: str) -> str:
    lines = (without_markup(line) for line in _ENDS.sub("\n", html).split("\n"))
    return "\n".join(filter(None, lines))


def _collections(web: Web) -> dict[str, str]:
    """The names of all collections by their keys."""
    found = (mapping(row.get("data")) for row in mappings(_json(web, "/collections")))
    return {text(row.get("key")): text(row.get("name")) for row in found}


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


def _strings(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _web(services: Services) -> Web:
    if services.web is None:
        raise UserError("with --offline nobody is asked, Zotero on this machine neither", "leave out --offline")
    return services.web


IMPORTER = Importer(
    recognise,
    fetch,
    form="a paper in Zotero (zotero:title)",
    help=(("zotero:smith2024deep, zotero:DOI", "a paper in Zotero on this machine, while it runs"),),
    services=(ZOTERO,),
    is_local=True,
    members=members,
)
