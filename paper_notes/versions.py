"""What our results depend on besides their inputs: this program, and the libraries that it works with."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

LIBRARIES = (
    "jinja2 markdown-it-py markupsafe math-core mdit-py-plugins merman nh3 opencc pillow pydantic pygments pylatexenc"
    " pymupdf pyyaml rcssmin rjsmin vl-convert-python bibtexparser"
).split()
"""Those whose next version may make other bytes of the same sources."""


@cache
def made_with() -> bytes:
    """32 bytes that change when the program or a library does; also when somebody edits the program's own files."""
    package = Path(__file__).parent
    stats = ((path.relative_to(package).as_posix(), path.stat()) for path in sorted(package.rglob("*.py")))
    files = [(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats]
    libraries = [(name, _version(name)) for name in LIBRARIES]
    return hashlib.sha256(repr((sys.version_info[:2], files, libraries)).encode()).digest()


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""
