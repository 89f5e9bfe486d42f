"""The project's own addresses: `pyproject.toml` says them under `[project.urls]`, and nothing else does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

NAME = "paper-notes"


def addresses() -> Mapping[str, str]:
    """The addresses of the installed package by their labels, such as Homepage and Issues; empty if it has none."""
    from importlib import metadata  # slow to import

    try:
        urls = metadata.metadata(NAME).get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        return {}
    return addresses_in(urls)


def addresses_in(urls: Iterable[str]) -> Mapping[str, str]:
    """Labels and addresses of the lines `Issues, https://...` of a package's metadata."""
    pairs = (url.partition(",") for url in urls)
    return {label.strip(): address.strip() for label, _, address in pairs if address.strip().startswith("https://")}
