"""Formulas in every delimiter, with dollars as we write them; sums of money stay words."""

from __future__ import annotations

import re

from paper_notes.features.importing.markdown.run import Found, Made, Rewriting, Run


def _tex(run: Run, tex: str, dollars: str) -> str:
    tex = re.sub(r"\n[ \t]*>?[ \t]*", " " if dollars == "$" else "\n", tex.strip())
    if run.in_table:
        tex = re.sub(r"(?<!\\)\|", r"\\vert ", tex).replace("\n", " ")
    return f"{dollars}{tex}{dollars}"


_SURELY = re.compile(r"\\[A-Za-z]|[\^_=<>+]|^\s*[A-Za-z0-9]\s*$")
_SURELY_DISPLAY = re.compile(r"\\[A-Za-z]{2}|\^|\s=\s")
_MONEY = re.compile(r"\d[\d.,]*+\s?(?:[KMBTkmbt]\b|[A-Za-z\u4e00-\u9fff]{2,}|[-–—~/,.，。、；;:：]|\s)")


def _round(run: Run, found: Found) -> Made:
    return _tex(run, found["round"], "$") if _SURELY.search(found["round"]) else None


def _square(run: Run, found: Found) -> Made:
    return _tex(run, found["square"], "$$") if _SURELY_DISPLAY.search(found["square"]) else None


def _on_github(run: Run, found: Found) -> Made:
    return _tex(run, found["ticked"], "$")


def _display(run: Run, found: Found) -> Made:
    return _tex(run, found["display"], "$$")


def _formula(run: Run, found: Found) -> Made:
    tex = found["tex"]
    if _MONEY.match(tex) and not re.search(r"[\\_^={}]", tex):
        return None
    before = found.string[max(found.start() - 1, 0) : found.start()]
    if before.isdigit() and not re.search(r"\\[A-Za-z]|[_^]", tex):
        return None
    return _tex(run, tex, "$")


def _spaced(run: Run, found: Found) -> Made:
    tex = found["spaced"]
    if "\\(" in tex or "\\[" in tex:
        return None
    return _tex(run, tex, "$") if re.search(r"\\[A-Za-z]|[_^=]", tex) else None


_SURE = re.compile(r"\\[A-Za-z]|[_^]")
_OURS = re.compile(r"\$(?!\s)(?P<ours>(?:\\.|[^$\\`])+)(?<![\s，。、；：！？])\$", re.DOTALL)
"""What our syntax takes for a formula."""


def _dollar(run: Run, found: Found) -> Made:
    """A dollar of money has a backslash only where it would begin a formula."""
    return r"\$" if begins_formula(found.string, found.start()) else "$"


TICKED = (Rewriting("gh_formula", r"\$`(?P<ticked>[^`\n]+)`\$", _on_github),)
BRACKETED = (
    Rewriting("round_formula", r"\\{1,2}\((?P<round>(?:(?!\n[ \t]*\n).)+?)\\{1,2}\)", _round),
    Rewriting("square_formula", r"\\{1,2}\[(?P<square>(?:(?!\n[ \t]*\n).)+?)\\{1,2}\]", _square),
)
IN_DOLLARS = (
    Rewriting("display_formula", r"\$\$(?P<display>(?:\\.|[^$\\]|\$(?!\$))+?)\$\$", _display),
    Rewriting("formula", r"\$(?!\s)(?P<tex>(?:\\.|[^$\\`])+?)(?<!\s)\$(?!\d)", _formula),
    Rewriting(
        "spaced_formula", r"\$(?P<spaced>[ \t]+[^$\n`]+?[ \t]*|(?=[^\s\d])[^$\n`]*\\[A-Za-z][^$\n`]*[ \t]+)\$", _spaced
    ),
    Rewriting("dollar", r"\$", _dollar),
)
"""Rows of `inline.REWRITINGS`."""


def begins_formula(text: str, place: int) -> bool:
    """Whether our syntax would take the dollar at a place for the start of a formula."""
    found = _OURS.match(text, place)
    if not found:
        return False
    beside = text[max(place - 1, 0) : place] + text[found.end() : found.end() + 1]
    return bool(_SURE.search(found["ours"])) or not any(map(str.isdigit, beside))
