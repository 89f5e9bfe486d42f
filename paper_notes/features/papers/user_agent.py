"""How we introduce ourselves to servers."""

from __future__ import annotations

from paper_notes import __version__
from paper_notes.project import addresses


def user_agent() -> str:
    """Our name, version and the project's address, as arXiv asks for."""
    name = f"paper-notes/{__version__}"
    return next((f"{name} (+{address})" for address in addresses().values()), name)
