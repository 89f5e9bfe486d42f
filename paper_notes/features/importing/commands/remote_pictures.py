"""Pictures that originals show from other sites, put into the folder as if they had been there."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from html import unescape
from pathlib import Path, PurePosixPath

from paper_notes.commands.progress import counting
from paper_notes.commands.terminal import say
from paper_notes.diagnostics import UserError
from paper_notes.features.importing.commands.requested_files import is_text
from paper_notes.features.importing.folders import ImportRequest
from paper_notes.features.papers.commands.services import open_web
from paper_notes.features.papers.downloads import download_picture

DOWNLOADED = PurePosixPath(".downloaded")
"""Where they are in the folder; no file there is among its own."""
_SHOWN = re.compile(
    r"!\[[^\]\n]*\]\(\s*<?((?:https?:)?//[^\s<>)]+)|<img\b[^>]*?\bsrc\s*=\s*[\"']?((?:https?:)?//[^\s\"'>]+)",
    re.IGNORECASE,
)


def addresses_in(text: str) -> tuple[str, ...]:
    """The addresses of pictures of other sites in Markdown or HTML, as they stand there."""
    return tuple(dict.fromkeys(match[1] or unescape(match[2]) for match in _SHOWN.finditer(text)))


def with_pictures(root: Path, wanted: ImportRequest) -> ImportRequest:
    """What is wanted, with the pictures of other sites that its files show. One that cannot be had stays a link."""
    folder = wanted.folder
    files = sorted((path for path in folder.files if is_text(path)), key=str)
    texts = ((folder.read(path) or b"").decode(errors="replace") for path in files)
    addresses = dict.fromkeys(address for text in texts for address in addresses_in(text))
    named: dict[str, PurePosixPath] = {}
    content: dict[PurePosixPath, bytes] = {}
    with open_web(root) as web, counting("Fetching pictures", len(addresses)) as progress:
        for number, address in enumerate(addresses, 1):
            try:
                data, suffix = download_picture(web, f"https:{address}" if address.startswith("//") else address)
                stem = (
                    re.sub(r"[^\w-]+", "-", PurePosixPath(address.partition("?")[0]).stem).strip("-")[:40] or "picture"
                )
                named[address] = DOWNLOADED / f"{stem}-{hashlib.sha256(data).hexdigest()[:8]}{suffix}"
                content[named[address]] = data
            except UserError as problem:
                say(f"{address}: {problem.message}")
            progress(number)
    read = partial(_read, folder.read, content)
    return replace(wanted, folder=replace(folder, files=folder.files.union(content), read=read, remote=named))


def _read(
    read: Callable[[PurePosixPath], bytes | None], content: Mapping[PurePosixPath, bytes], path: PurePosixPath
) -> bytes | None:
    return content[path] if path in content else read(path)
