"""What results depend on besides their inputs: this program and its libraries."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

LIBRARIES = (
    "bibtexparser brotli jinja2 markdown-it-py markupsafe math-core mdit-py-plugins merman nh3 opencc pillow pydantic"
    " pygments pylatexenc pymupdf pyyaml rcssmin rjsmin uharfbuzz vl-convert-python"
).split()
"""Libraries whose next version may give other bytes for the same sources."""


@cache
def program_fingerprint() -> bytes:
    """SHA-256 of our code and data files, the versions of the libraries, and of Python.

    Of contents, not modification times: those can be equal, and differ between machines and installations.
    """
    package = Path(__file__).parents[1]
    found = hashlib.sha256(repr((sys.version_info[:2], [(name, _version(name)) for name in LIBRARIES])).encode())
    for path in sorted(path for path in package.rglob("*") if path.suffix in (".py", ".yaml")):
        found.update(b"%b\0%b" % (path.relative_to(package).as_posix().encode(), _sha256(path)))
    return found.digest()


def _sha256(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""
