"""Which program this is: its own code and data, that of packages that add to it, its libraries, and Python."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from paper_notes.engine.file_stats import Stat, any_fresh, stats_below, stats_digest
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
            name, content = path.relative_to(package.parent).as_posix(), hashlib.sha256(path.read_bytes()).digest()
            digest.update(b"%b\0%b" % (name.encode(), content))
    return digest.digest()


def _version(library: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # slow to import, and seldom needed

    try:
        return version(library)
    except PackageNotFoundError:
        return ""


def program_state() -> tuple[bytes, bool]:
    """What tells that a file of the program has changed, without opening one; and whether one was changed just now."""
    stats = list(program_stats())
    return stats_digest(stats), any_fresh(stats)


def program_stats() -> Iterator[tuple[str, Stat]]:
    """This program, packages that add to it, and the folders of its libraries, which change when one is installed."""
    yield from stats_below(
        Path(__file__).parents[2], ("paper_notes", "templates", "assets", *map(str, code_of_others()))
    )
    yield sys.version, ""
    for place in sys.path:
        try:
            yield place, str(os.stat(place).st_mtime_ns)
        except OSError:
            continue
