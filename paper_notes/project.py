"""This project: its addresses, where this installation of it came from, and the line that installs it elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote

from paper_notes import __version__
from paper_notes.addresses import without_secrets
from paper_notes.patterns import regex
from paper_notes.values import Struct, replace

NAME = "paper-notes"
FOR_PAGES = ("mermaid", "vega")
"""Extras without which pages differ."""
_BARE = regex(r"[\w./:+@=-]*")
"""What a shell takes as one word."""
_OF_EXTRA = regex(r"([\w.-]+).*\bextra\s*==\s*['\"]([\w-]+)")


def install_line(source: str) -> str:
    """What somebody types to have the program: `source` is a folder, a wheel, or what `InstalledFrom.requirement` says.

    `uv tool install` takes the same sources.
    """
    return f"pipx install {source}" if _BARE.fullmatch(source) else f'pipx install "{source}"'


class InstalledFrom(Struct, frozen=True):
    """Where an installation came from."""

    version: str
    requirement: str = ""
    """What pip installs on another machine; empty if that cannot reach it."""
    extras: str = ""
    """Those that are installed here and change pages, such as `[mermaid,vega]`."""
    folder: str = ""
    """The folder whose files are used where they are: an editable installation."""
    copied: str = ""
    """The folder that was copied, or the file: others cannot reach it."""


def origin() -> InstalledFrom:
    """Where this program came from, by what its installer wrote down (PEP 610)."""
    from importlib import metadata  # slow to import

    try:
        distribution = metadata.distribution(NAME)
        record = json.loads(distribution.read_text("direct_url.json") or "null")
    except (metadata.PackageNotFoundError, OSError, ValueError):
        return InstalledFrom(__version__)
    extras = _extras(distribution.requires or ())
    if isinstance(record, dict):
        return replace(_origin(distribution.version, extras, record), extras=extras)
    return InstalledFrom(distribution.version, f"{NAME}{extras}=={distribution.version}", extras)


def _extras(requirements: Iterable[str]) -> str:
    """Those of the extras for pages all of whose libraries are installed."""
    from importlib import metadata  # slow to import

    libraries: dict[str, list[str]] = {}
    for requirement in requirements:
        if (needed := _OF_EXTRA.match(requirement)) and needed[2] in FOR_PAGES:
            libraries.setdefault(needed[2], []).append(needed[1])
    installed = {name: any(metadata.distributions(name=name)) for names in libraries.values() for name in names}
    complete = [extra for extra, names in libraries.items() if all(map(installed.get, names))]
    return f"[{','.join(sorted(complete))}]" if complete else ""


def _origin(version: str, extras: str, record: Mapping[str, Any]) -> InstalledFrom:
    url = without_secrets(str(record.get("url", "")))
    if record.get("dir_info", {}).get("editable"):
        return InstalledFrom(version, folder=unquote(url.removeprefix("file://")))
    if not url.startswith("https://"):
        return InstalledFrom(version, copied=unquote(url.removeprefix("file://")))
    if vcs := record.get("vcs_info"):
        return InstalledFrom(version, f"{NAME}{extras} @ {vcs['vcs']}+{url}@{vcs['commit_id']}")
    digest = record.get("archive_info", {}).get("hashes", {}).get("sha256")
    return InstalledFrom(version, f"{NAME}{extras} @ {url}" + f"#sha256={digest}" * bool(digest))


def project_addresses() -> Mapping[str, str]:
    """Those under `[project.urls]` of `pyproject.toml`, by label, such as Issues; empty if nothing is installed."""
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
