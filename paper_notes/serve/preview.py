"""Writes the page of one note at once if only its text changed, before the whole build."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from paper_notes.build import Build
from paper_notes.output.disk import apply
from paper_notes.output.lock import locked
from paper_notes.output.plan import Plan
from paper_notes.sources.tree import read_readmes


def write_preview(root: Path, last: Build, changed: frozenset[PurePosixPath]) -> Plan | None:
    """Write the page of a note if its text is all that `changed` since the `last` build, which wrote the site.

    Returns the plan that was written, or None if more may have changed. A whole build follows in any case.
    Raises UserError.
    """
    if len(changed) != 1:
        return None
    sources, problems = read_readmes(root, changed)
    page = last.rewritten(sources[0]) if sources and not problems else None
    if page is None or not (root / page.path).is_file():
        return None
    plan = Plan(create=(), update=(page,), delete=(), unchanged=())
    with locked(root):
        apply(root, plan)
    return plan
