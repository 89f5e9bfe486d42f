"""The marked regions of the root README: found, checked, and renewed without touching anything around them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Lang, Site
from paper_notes.diagnostics import Diagnostic, Location

ROOT_README = PurePosixPath("README.md")
_START = r"^ {0,3}<!--\s*paper-notes:"
"""A marker stands at the start of a line: one that is quoted in a sentence or in indented code means nothing."""
_REGION = re.compile(
    rf"(?P<begin>{_START}begin(?:\s+lang=(?P<lang>\S+?))?\s*-->)(?P<inside>.*?)(?P<end>{_START}end\s*-->)",
    re.DOTALL | re.MULTILINE,
)
_BEGIN = re.compile(f"{_START}begin", re.MULTILINE)
_END = re.compile(f"{_START}end", re.MULTILINE)
_MARKER_IN_TEXT = re.compile(r"<!--(?=\s*paper-notes:)")


def root_readme(
    text: str, site: Site, content: Callable[[Lang], str]
) -> tuple[Artifact | None, tuple[Diagnostic, ...]]:
    """The root README with each region holding the `content` in its language; line ends stay as they are."""
    problems = _problems(text, site)
    if problems:
        return None, problems
    crlf = "\r\n" in text

    def renewed(match: re.Match[str]) -> str:
        lang = next((lang for lang in site.languages if lang == match["lang"]), site.default_language)
        # a text of the collection that speaks about markers must not end the region
        block = _MARKER_IN_TEXT.sub("&lt;!--", f"\n\n{content(lang)}\n")
        return match["begin"] + (block.replace("\n", "\r\n") if crlf else block) + match["end"]

    return Artifact.text(ROOT_README, _REGION.sub(renewed, text)), ()


def _problems(text: str, site: Site) -> tuple[Diagnostic, ...]:
    begins, ends = list(_BEGIN.finditer(text)), list(_END.finditer(text))
    regions = list(_REGION.finditer(text))
    hint = "write <!-- paper-notes:begin --> and <!-- paper-notes:end --> on lines of their own"
    if not begins and not ends:
        message = "site.yaml says `readme: true`, but there are no markers"
        return (Diagnostic(Location(ROOT_README), "readme-markers", message, hint),)
    nested = any(_BEGIN.search(match["inside"]) for match in regions)
    if len(begins) != len(ends) or len(regions) != len(begins) or nested:
        message = f"{len(begins)} begin markers and {len(ends)} end markers do not make pairs"
        return (Diagnostic(_place(text, (begins or ends)[0].start()), "readme-markers", message, hint),)
    problems = []
    for match in regions:
        if match["lang"] and match["lang"] not in site.languages:
            message = f'the site has no language "{match["lang"]}"'
            known = " or ".join(f"lang={lang}" for lang in site.languages)
            where = _place(text, match.start("lang"))
            problems.append(Diagnostic(where, "readme-markers", message, f"write {known}"))
    return tuple(problems)


def _place(text: str, offset: int) -> Location:
    return Location(ROOT_README, text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))
