"""Names that no disk takes ill: what Windows, macOS and Linux make of a file's name differs."""

from __future__ import annotations

import unicodedata

MAX_BYTES = 200
"""Of a name: disks take 255, and pages add an ending."""
_DEVICES = frozenset(
    "con prn aux nul conin$ conout$".split()
    + [f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"]
)
"""Names that Windows keeps for itself, with any ending."""
_SIGNS = frozenset('<>:"/\\|?*#%')
"""What Windows does not take, and what means something in an address."""
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode's classes of characters that nobody sees."""
_JOINERS = frozenset("\u200c\u200d")
"""Of those, what letters and emoji are joined with."""


def unusable(name: str) -> str:
    """Why the name cannot stand for a file or folder everywhere, after "it"; empty if it can."""
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
    """The first character that nobody sees, which could make one name look like another; empty without one."""
    if name.isascii() and name.isprintable():
        return ""
    return next((sign for sign in name if unicodedata.category(sign) in _INVISIBLE and sign not in _JOINERS), "")


def alike(path: str) -> str:
    """The same text for all paths that some disk takes for one: without case, accents in one form."""
    if path.isascii():
        return path.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
