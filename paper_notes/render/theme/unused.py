"""Files in the collection's own `templates/` and `assets/` that no page is made with: most likely a mistyped name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePosixPath

from paper_notes.diagnostics import Diagnostic, Location, Suggestions

Files = Mapping[str, bytes]
"""By their paths below the folder."""
_PARTS = re.compile(r"css/fonts/\w+\.css|(?:css|js)/parts/\d+-[^/]+\.\w+")
_PAGES = (".html", ".htm", ".jinja", ".j2")
_LAYOUT = (".css", ".js")
"""What can only be meant for pages; other files may be there for the README, or for anything else."""
_STATIC = "a file that the site should have as it is goes into static/"


def unused_templates(own: Files, ours: Collection[str]) -> Iterator[Diagnostic]:
    """Templates that neither replace one of ours nor are named in another one."""
    named = b"\n".join(own.values())
    for name in own:
        included = any(quote + name.encode() + quote in named for quote in (b'"', b"'"))
        if name not in ours and name.endswith(_PAGES) and not (included and name.endswith(".html")):
            yield _unused(PurePosixPath("templates", name), name, ours, "no page is made with this template")


def unused_assets(own: Files, ours: Collection[str], folders: Collection[str]) -> Iterator[Diagnostic]:
    """Files that neither replace one of ours nor are style sheets in a place that is read: `folders` of `css/`."""
    sheets = re.compile(rf"css/(?:(?:{'|'.join(sorted(folders))})/)?[^/]+\.css")
    for name in own:
        if name not in ours and name.endswith(_LAYOUT) and not sheets.fullmatch(name) and not _PARTS.fullmatch(name):
            what = "style sheet" if name.endswith(".css") else "script"
            yield _unused(PurePosixPath("assets", name), name, ours, f"no page has this {what}")


def _unused(path: PurePosixPath, name: str, ours: Collection[str], message: str) -> Diagnostic:
    if path.suffix == ".css":
        hint = "put your style sheets into assets/css/ itself"
    else:
        close = Suggestions().closest(name, [known for known in ours if PurePosixPath(known).suffix == path.suffix])
        hint = f'did you mean "{close}"?' if close else _STATIC
    return Diagnostic(Location(path), "unused-theme-file", message, hint, "warning")
