"""How the program was installed, so that others can install the same."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any

from paper_notes import __version__

NAME = "paper-notes"


def requirement() -> str:
    """What pip installs elsewhere: this version, or the public address that it came from (PEP 610)."""
    told = _origin()
    url = str(told.get("url", ""))
    if not url.startswith("https://"):
        return f"{NAME}=={__version__}"
    if vcs := told.get("vcs_info"):
        return f"{NAME} @ {vcs['vcs']}+{url}@{vcs['commit_id']}"
    return f"{NAME} @ {url}"


def is_local() -> bool:
    """True if it came from a file or folder of this machine, which no other one can reach."""
    return str(_origin().get("url", "")).startswith("file:")


def _origin() -> dict[str, Any]:
    try:
        told = json.loads(distribution(NAME).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, OSError, ValueError):
        return {}
    return told if isinstance(told, dict) else {}
