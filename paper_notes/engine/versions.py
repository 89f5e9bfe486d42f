"""What results depend on besides their inputs: this program and its libraries."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from paper_notes.extensions import code_of_others

LIBRARIES = (
    "bibtexparser brotli jinja2 markdown-it-py markupsafe math-core mdit-py-plugins merman nh3 opencc pillow pydantic"
    " pygments pylatexenc pymupdf pyyaml rcssmin rjsmin uharfbuzz vl-convert-python"
).split()
"""Libraries whose next version may give other bytes for the same sources."""


@cache
def program_fingerprint() -> bytes:
    """SHA-256 of the code and data files of us and of packages that add to us, of the libraries' versions and Python's.

    Of contents, not modification times: those can be equal, and differ between machines and installations.
    """
    digest = hashlib.sha256(repr((sys.version_info[:2], [(name, _version(name)) for name in LIBRARIES])).encode())
    for package in (Path(__file__).parents[1], *code_of_others()):
        files = [package] if package.is_file() else package.rglob("*")
        for path in sorted(path for path in files if path.suffix in (".py", ".yaml")):
            digest.update(b"%b\0%b" % (path.relative_to(package.parent).as_posix().encode(), _sha256(path)))
    return digest.digest()


def _sha256(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""
