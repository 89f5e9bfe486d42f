"""Documents of other programs as HTML, which pandoc makes of them: it is given their bytes, and may read nothing else.

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
_SECONDS, _MEMORY, _MOST = 60, "512m", 64 * 1024 * 1024
_ASKED = ("--to=html5", "--mathml", "--sandbox", "--embed-resources", "--standalone", "--wrap=none", "--quiet")
"""MathML has the TeX inside; what a document includes from elsewhere is left out; its pictures are in the HTML."""
_PICTURE = re.compile(rb'(?<=src=")data:image/(png|jpeg|gif|webp|svg\+xml);base64,([A-Za-z0-9+/=]+)(?=")')
_CITATION = re.compile(
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
    command = [program(), f"--from={READS[path.suffix.lower()]}", *_ASKED, "--variable=document-css=false"]
    command += [f"--metadata=pagetitle:{path.stem}", "+RTS", f"-M{_MEMORY}", "-RTS"]
    try:
        done = subprocess.run(  # noqa: S603 -- our own words, and no shell
            command, input=data, capture_output=True, timeout=_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ValueError(str(error)) from error
    if len(done.stdout) > _MOST:
        raise ValueError(len(done.stdout))
    files: dict[PurePosixPath, bytes] = {}

    def named(picture: re.Match[bytes]) -> bytes:
        suffix = picture[1].decode().removesuffix("+xml").replace("jpeg", "jpg")
        name = PurePosixPath(f"{path.name}.files", f"picture-{len(files) + 1}.{suffix}")
        files[path.parent / name] = base64.b64decode(picture[2])
        return str(name).encode()

    html = _CITATION.sub(_with_keys, _PICTURE.sub(named, done.stdout))
    return {path.with_suffix(".html"): html, **files}


def _with_keys(citation: re.Match[bytes]) -> bytes:
    """A citation in brackets; its keys, where pandoc shows nothing of it."""
    keys = b"; ".join(b"@" + key for key in citation[2].split())
    return citation[1] + b"[" + (citation[3].strip() or keys) + b"]</span>"
