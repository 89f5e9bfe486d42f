"""Checks the Host header of a request, and turns its address into a path below `site/`."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from urllib.parse import unquote_to_bytes

EVENTS = "/.paper-notes/events"
"""The address of the event stream. It starts with a dot, so it is never a file of the site."""
_HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
_IMPLIED = 80
"""The port that addresses and Host headers omit."""
_UNUSABLE = re.compile(r"[\x00-\x1f\x7f\\/]")


def is_ours(host: str, port: int) -> bool:
    """True if a Host header names this machine and this port.

    Another site may have a name that resolves to this machine (DNS rebinding); its requests carry that name.
    """
    name, _, port_text = host.lower().rpartition(":")
    return (name in _HOSTS and port_text == str(port)) or (port == _IMPLIED and host.lower() in _HOSTS)


def wanted_path(target: str) -> PurePosixPath | None:
    """The path below `site/` for the path of an address: `topic/index.html` for `/topic/`.

    None if there can be no such file. Nothing is normalised: paths that lead upwards, are hidden, or could mean
    something else on another system are refused.
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
