"""Folders outside of a collection that builds may read: settings come with a clone, and may name any folder at all."""

from __future__ import annotations

from pathlib import Path

from paper_notes.engine.cache import Cache, pack, unpack


def may_read(root: Path, folder: Path, cache: Cache) -> bool:
    """Whether it is a folder of the collection at `root`, and not a hidden one, or its user has imported from it."""
    place, own = folder.resolve(), root.resolve()
    if place.is_relative_to(own):
        return not any(part.startswith(".") for part in place.relative_to(own).parts)
    return any(place.is_relative_to(allowed) for allowed in _allowed(root, cache))


def allow(root: Path, folder: Path, cache: Cache) -> None:
    """Let builds of the collection at `root` read a folder from now on."""
    allowed = {*_allowed(root, cache), str(folder.resolve())}
    cache.put(_key(root), pack(sorted(allowed)), of_any_program=True)
    cache.write()


def _allowed(root: Path, cache: Cache) -> list[str]:
    return unpack(list[str], cache.get(_key(root), of_any_program=True) or b"") or []


def _key(root: Path) -> str:
    return f"outside:{root.resolve()}"
