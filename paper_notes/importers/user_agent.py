"""How we introduce ourselves to servers."""

from __future__ import annotations

from paper_notes import __version__


def user_agent() -> str:
    """Our name, version and the project's address, as arXiv asks for."""
    from importlib import metadata  # slow to import

    try:
        urls = metadata.metadata("paper-notes").get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        urls = []
    name = f"paper-notes/{__version__}"
    return f"{name} (+{urls[0].rpartition(',')[2].strip()})" if urls else name
