"""What is asked for: the path below `site/` that an address means, and whether the asker may ask at all."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from urllib.parse import unquote_to_bytes

EVENTS = "/.paper-notes/events"
"""Where pages listen. Names that begin with a dot are never files of the site."""
_HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
_IMPLIED = 80
"""The port that addresses and Host headers leave out."""
_UNUSABLE = re.compile(r"[\x00-\x1f\x7f\\/]")


def is_ours(host: str, port: int) -> bool:
    """True if a Host header names this machine and this port.

    Another page in the same browser may have a name that leads here (DNS rebinding); its requests carry that name.
    """
    name, _, given = host.lower().rpartition(":")
    return (name in _HOSTS and given == str(port)) or (port == _IMPLIED and host.lower() in _HOSTS)


def wanted_path(target: str) -> PurePosixPath | None:
    """The path below `site/` that the path of an address means: `topic/index.html` for `/topic/`.

    None where no file can be. Nothing is put right: whatever leads upwards, is hidden, or could mean something else on
    another system, is refused.
    """
    if not target.startswith("/"):
        return None
    try:
        parts = [unquote_to_bytes(part).decode() for part in target[1:].split("/")]
    except UnicodeDecodeError:
        return None
    if parts[-1] == "":
        parts[-1] = "index.html"
    if any(not part or part.startswith(".") or _UNUSABLE.search(part) for part in parts):
        return None
    return PurePosixPath(*parts)
