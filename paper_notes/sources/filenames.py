"""Names of files that work on Windows, macOS and Linux."""

from __future__ import annotations

import unicodedata

MAX_BYTES = 200
"""The most bytes of a name: disks allow 255, and pages add a suffix."""
_DEVICES = frozenset(
    "con prn aux nul conin$ conout$".split()
    + [f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"]
)
"""Names that Windows reserves, with any suffix."""
_SIGNS = frozenset('<>:"/\\|?*#%')
"""Characters that Windows forbids, or that have a meaning in a URL."""
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories of invisible characters."""
_JOINERS = frozenset("\u200c\u200d")
"""Invisible characters that join letters and emoji, and are allowed."""


def unusable(name: str) -> str:
    """Why the name cannot name a file or folder everywhere, to follow "it"; empty if it can."""
    if sign := invisible(name):
        return f"holds the invisible character U+{ord(sign):04X}"
    if sign := next((sign for sign in name if sign in _SIGNS), ""):
        return f"holds {sign}"
    if name != name.strip() or name.endswith("."):
        return "begins or ends with a space, or ends with a dot"
    if name.split(".")[0].rstrip().casefold() in _DEVICES:
        return "is the name of a device on Windows"
    return f"is longer than {MAX_BYTES} bytes" if len(name.encode()) > MAX_BYTES else ""


def invisible(name: str) -> str:
    """The first invisible character, which could make one name look like another; empty without one."""
    if name.isascii() and name.isprintable():
        return ""
    return next((sign for sign in name if unicodedata.category(sign) in _INVISIBLE and sign not in _JOINERS), "")


def alike(path: str) -> str:
    """The same text for all paths that some disk treats as one: without case, accents in one form."""
    if path.isascii():
        return path.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
