"""pandoc: documents of other programs to HTML, and Markdown to theirs. It is given bytes, and may read nothing else.

pandoc comes with the extra `pandoc`, or is where the user's programs are.
"""

from __future__ import annotations

import base64
import re
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache
from importlib import util
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from paper_notes.patterns import regex

READS: Mapping[str, str] = {
    ".docx": "docx",
    ".epub": "epub",
    ".fb2": "fb2",
    ".latex": "latex",
    ".mediawiki": "mediawiki",
    ".muse": "muse",
    ".odt": "odt",
    ".opml": "opml",
    ".org": "org",
    ".rst": "rst",
    ".rtf": "rtf",
    ".t2t": "t2t",
    ".tex": "latex",
    ".textile": "textile",
    ".typ": "typst",
}
"""Its formats by the ends of names."""


class Form(NamedTuple):
    """A format of documents that pandoc writes."""

    suffix: str
    """The end of the names of its files."""
    holds_pictures: bool = True
    """Whether they are in the document itself; else they are files beside it."""


WRITES: Mapping[str, Form] = {
    "docx": Form(".docx"),
    "odt": Form(".odt"),
    "latex": Form(".tex", holds_pictures=False),
    "typst": Form(".typ", holds_pictures=False),
    "org": Form(".org", holds_pictures=False),
    "html5": Form(".html"),
    "rtf": Form(".rtf"),
}
"""By pandoc's own names."""
_MARKDOWN = "markdown-raw_html-raw_tex-raw_attribute+lists_without_preceding_blankline"
"""What a note has as HTML or TeX beside its formulas is not for other programs."""
_SECONDS, _MEMORY, _MOST = 60, "512m", 64 * 1024 * 1024
_TO_HTML = ("--to=html5", "--mathml", "--embed-resources")
"""MathML has the TeX inside; what a document includes from elsewhere is left out; its pictures are in the HTML."""
_PICTURE = regex(rb'(?<=src=")data:image/(png|jpeg|gif|webp|svg\+xml);base64,([A-Za-z0-9+/=]+)(?=")')
_CITATION = regex(
    rb'(<span\s+class="citation" data-cites="([^"]*)">)(?:\[(?:cite[^:\]]*:)?)?(.*?)\]?</span>', re.DOTALL
)


@cache
def program() -> str:
    """Where pandoc is; empty if there is none."""
    if util.find_spec("pypandoc"):
        import pypandoc  # type: ignore[import-untyped]

        return str(pypandoc.get_pandoc_path())
    found = shutil.which("pandoc") or ""
    return found if Path(found).is_absolute() else ""  # none that happens to be in the current folder


def reads(path: PurePosixPath) -> bool:
    """Whether it is for pandoc, by its name."""
    return path.suffix.lower() in READS


def is_document(path: PurePosixPath, data: bytes) -> bool:
    """Whether pandoc makes a note of it: a file of LaTeX that declares no class is a part of another one."""
    kind = READS.get(path.suffix.lower(), "")
    return bool(kind) and (kind != "latex" or rb"\documentclass" in data)


def documents_in(path: PurePosixPath, data: bytes) -> Mapping[PurePosixPath, bytes]:
    """The HTML of a document, and its pictures beside it. Raises ValueError if pandoc cannot read it."""
    title = f"--metadata=pagetitle:{path.stem}"
    page = _run(f"--from={READS[path.suffix.lower()]}", *_TO_HTML, "--variable=document-css=false", title, given=data)
    files: dict[PurePosixPath, bytes] = {}

    def named(picture: re.Match[bytes]) -> bytes:
        suffix = picture[1].decode().removesuffix("+xml").replace("jpeg", "jpg")
        name = PurePosixPath(f"{path.name}.files", f"picture-{len(files) + 1}.{suffix}")
        files[path.parent / name] = base64.b64decode(picture[2])
        return str(name).encode()

    html = _CITATION.sub(_with_keys, _PICTURE.sub(named, page))
    return {path.with_suffix(".html"): html, **files}


def document_of(markdown: str, form: str) -> bytes:
    """A document of one of `WRITES`, from Markdown of pandoc's. Raises ValueError if pandoc cannot write it."""
    return _run(f"--from={_MARKDOWN}", f"--to={form}", "--citeproc", given=markdown.encode())


def _run(*arguments: str, given: bytes) -> bytes:
    """What pandoc writes. Raises ValueError."""
    always = ("--sandbox", "--standalone", "--wrap=none", "--quiet", "+RTS", f"-M{_MEMORY}", "-RTS")
    try:
        done = subprocess.run(  # noqa: S603 -- our own words, and no shell
            [program(), *arguments, "--output=-", *always],
            input=given,
            capture_output=True,
            timeout=_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ValueError(str(error)) from error
    if len(done.stdout) > _MOST:
        raise ValueError(len(done.stdout))
    return done.stdout


def _with_keys(citation: re.Match[bytes]) -> bytes:
    """A citation in brackets; its keys, where pandoc shows nothing of it."""
    keys = b"; ".join(b"@" + key for key in citation[2].split())
    return citation[1] + b"[" + (citation[3].strip() or keys) + b"]</span>"
