"""Files that hold several: Roam's export has all pages, a notebook or document of Word the pictures that it shows.

Each is one file of a page, notebook or document, and the pictures beside it, as if the tool had written them so.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import PurePosixPath
from typing import Any

from paper_notes.features.importing.folders import ImportRequest
from paper_notes.features.importing.formats import formats
from paper_notes.features.importing.outside import free_path
from paper_notes.features.importing.placement import safe_name
from paper_notes.features.importing.types import Folder
from paper_notes.features.pandoc.pandoc import READS, documents_in, is_document, program
from paper_notes.features.papers.records import mapping, mappings
from paper_notes.patterns import regex
from paper_notes.values import replace

_SUFFIXES = {
    "image/svg+xml": "svg",
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
}
"""Pictures of notebooks, the best first."""
_REFERENCE = regex(r"\(\(([\w-]{6,})\)\)")
_SIGNS = regex(r"\[\[|\]\]|\*\*|__|\^\^|:(?=:)|\{\{.*?\}\}")
Json = dict[str, Any]
Read = Callable[[PurePosixPath], bytes | None]


def unpacked(wanted: ImportRequest) -> ImportRequest:
    """The request with the files that are in others; those that cannot be read are left out, as `broken`."""
    folder, asked = wanted.folder, wanted.asked
    for_pandoc = READS.keys() - {suffix for row in formats() for suffix in row.suffixes} if program() else set()
    files, left = set(folder.files), dict(wanted.left)
    containers: dict[PurePosixPath, PurePosixPath] = {}
    for path in sorted(folder.files, key=str):
        if asked is not None and path not in asked:
            continue  # it may be shown by one that is
        suffix = path.suffix.lower()
        data = folder.read(path) if suffix in _PARTS or suffix in for_pandoc else None
        parts = _parts(path, data) if data is not None and path.with_suffix(".html") not in files else None
        if parts is None:
            if data is not None and (suffix == ".ipynb" or is_document(path, data)):
                left[path] = "broken"
                files.discard(path)
            continue
        files = files - {path} | parts.keys()
        asked = asked - {path} | parts.keys() if asked is not None and path in asked else asked
        containers |= dict.fromkeys(parts, path)
    if not containers and left == wanted.left:
        return wanted
    read = partial(_read, folder.read, containers)
    documents = {part: path for part, path in containers.items() if path.suffix.lower() in READS}
    folder = Folder(frozenset(files), read, folder.remote)
    return replace(wanted, folder=folder, asked=asked, left=left, documents=documents)


def _read(read: Read, containers: Mapping[PurePosixPath, PurePosixPath], path: PurePosixPath) -> bytes | None:
    container = containers.get(path)
    if container is None:
        return read(path)
    parts = _parts(container, read(container) or b"")
    return parts.get(path) if parts else None


@lru_cache(maxsize=4)
def _parts(path: PurePosixPath, data: bytes) -> Mapping[PurePosixPath, bytes] | None:
    """The files in a file; None if it holds none."""
    try:
        if path.suffix.lower() in READS:
            return documents_in(path, data) if is_document(path, data) else None
        return _PARTS[path.suffix.lower()](path, json.loads(data))
    except (ValueError, RecursionError):
        return None


def _written(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode(errors="replace")


# Notebooks


def cells_of(notebook: object) -> list[Json]:
    """The cells of a notebook; none if it is none, or of a version before 2015."""
    return mappings(mapping(notebook).get("cells"))


def joined(source: object) -> str:
    """A text of a notebook, which may be a list of lines."""
    return "".join(map(str, source)) if isinstance(source, list) else str(source or "")


def _notebook(path: PurePosixPath, notebook: object) -> Mapping[PurePosixPath, bytes] | None:
    """The notebook with names of files in the place of pictures, and these."""
    cells = cells_of(notebook)
    if not isinstance(notebook, dict) or "cells" not in notebook:
        return None
    files: dict[PurePosixPath, bytes] = {}
    for number, cell in enumerate(cells, 1):
        for at, bundle in enumerate(_bundles(cell), 1):
            for kind, suffix in _SUFFIXES.items():
                data = _picture(bundle.get(kind), suffix)
                if data:
                    stem = f"cell-{number}" if at == 1 else f"cell-{number}-{at}"
                    name = PurePosixPath(f"{path.name}.files", f"{stem}.{suffix}")
                    files[path.parent / name] = data
                    bundle["picture"] = str(name)
                    break
            for kind in [kind for kind in bundle if kind.startswith("image/")]:
                del bundle[kind]
    return {path: _written(notebook), **files}


def _bundles(cell: Json) -> Iterator[Json]:
    """What the outputs and attachments of a cell are, each in all forms that it has."""
    yield from mappings([*mapping(cell.get("attachments")).values()])
    for output in mappings(cell.get("outputs")):
        if bundle := mapping(output.get("data")):
            yield bundle


def _picture(written: object, suffix: str) -> bytes:
    if not written:
        return b""
    text = joined(written)
    if suffix == "svg":
        return text.encode(errors="replace")
    try:
        return base64.b64decode(text, validate=False)
    except (binascii.Error, ValueError):
        return b""


# Roam


def _roam(path: PurePosixPath, pages: object) -> Mapping[PurePosixPath, bytes] | None:
    """A file for each page of an export that has something on it; what refers to a block has its words."""
    if (
        not isinstance(pages, list)
        or not pages
        or not all(isinstance(page, dict) and "title" in page for page in pages)
    ):
        return None
    blocks = {
        block["uid"]: (page, block) for page in pages for block in _below(page) if isinstance(block.get("uid"), str)
    }
    used: set[str] = set()

    def named(match: re.Match[str]) -> str:
        if match[1] not in blocks:
            return match[0]
        page, block = blocks[match[1]]
        used.add(match[1])
        words = _SIGNS.sub("", _REFERENCE.sub("", str(block.get("string", ""))))
        return f"[[{page['title']}#^{block_name(match[1])}|{' '.join(words.split()).replace('|', '/')}]]"

    for page in pages:
        for block in _below(page):
            block["string"] = _REFERENCE.sub(named, str(block.get("string", "")))
    for uid in used:
        blocks[uid][1]["named"] = block_name(uid)
    titles = [str(page["title"]) for page in pages if page.get("children")]
    files: dict[PurePosixPath, bytes] = {}
    for page in pages:
        if page.get("children"):
            name = safe_name(str(page["title"])) or "page"
            target = free_path(path.parent / path.stem / f"{name}.roam", files)
            files[target] = _written({**page, "pages": titles if any("#" in b["string"] for b in _below(page)) else []})
    return files


def _below(page: Json) -> Iterator[Json]:
    """All blocks of a page, each before those below it."""
    stack = [page]
    while stack:
        block = stack.pop()
        if block is not page:
            yield block
        stack += mappings(block.get("children"))[::-1]


def block_name(uid: str) -> str:
    """The name that a block of Roam has in a text."""
    return f"b-{re.sub('[^A-Za-z0-9]+', '-', uid).strip('-')}"


_PARTS = {".ipynb": _notebook, ".json": _roam}
