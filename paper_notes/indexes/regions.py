"""Finds, checks and renews the marked regions of READMEs; all else in the file stays as it is."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath
from typing import Literal, get_args

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import index_of
from paper_notes.corpus.model import Content, Corpus, Lang, NoteId, ReadmeTarget, TopicId
from paper_notes.corpus.references import Dangling
from paper_notes.diagnostics import Diagnostic, Location, did_you_mean
from paper_notes.indexes.gfm import FENCE, closed
from paper_notes.patterns import regex
from paper_notes.sources.conflicts import may_be_unmerged, read_conflicts
from paper_notes.sources.tree import text_position, with_plain_ends
from paper_notes.values import Struct, replace

_MARKER = regex(r"^\ufeff? {0,3}<!--[ \t]*paper-notes:(?P<words>[^\n]*?)(?P<end>-->|$)", re.MULTILINE)
"""A marker at the start of a line. Markers within a sentence or in indented code are ignored."""
_MARKER_IN_TEXT = regex(r"<!--(?=\s*paper-notes:)")
_PAIR = "write <!-- paper-notes:begin --> and <!-- paper-notes:end --> on lines of their own"
_FORM = "write <!-- paper-notes:begin -->, with a content, lang=en or topic=name behind `begin` if you like"
MAX_REGIONS = 100
"""Regions of one file at most."""
PaperOrder = Literal["newest", "oldest", "listed"]
ORDERS: tuple[PaperOrder, ...] = get_args(PaperOrder)
CONTENTS: tuple[Content, ...] = get_args(Content)


class Region(Struct, frozen=True):
    """The text between two markers, `text[start:stop]`: to hold `content` of one topic, or of all, in `lang`."""

    content: Content
    lang: Lang
    topic: TopicId | None
    start: int
    stop: int
    note: NoteId | None = None
    """For `entries`, the note that lists the papers; without it the latest."""
    order: PaperOrder = "newest"
    """For `papers`: by date, or as the topics list them."""
    folded: bool = False
    """Whether each topic is folded below its title."""


Report = Callable[..., None]
Write = Callable[[Region, str], str]
"""Writes the Markdown of a region. The text is the whole file; for `contents`, with its other regions renewed."""


def renewed(
    path: PurePosixPath, text: str, corpus: Corpus, write: Write
) -> tuple[Artifact | None, tuple[Diagnostic, ...]]:
    """The file with renewed regions; line ends, and all text outside of them, stay as they are."""
    targets = tuple(target for target in corpus.site.readme if target.file == path)
    regions, problems = regions_of(path, text, corpus, targets)
    if problems:
        return None, problems
    for contents in (False, True):  # a table of contents needs the headings of everything else
        before = text
        for index in reversed(range(len(regions))):
            region = regions[index]
            if (region.content == "contents") == contents:
                text = _filled(text, region, write(region, before))
        regions, problems = regions_of(path, text, corpus, targets)
    return Artifact.text(path, text), problems


def _filled(text: str, region: Region, content: str) -> str:
    # a text that mentions markers, or has an unclosed fence, must not change where the region ends
    content = closed(content.strip())
    block = _MARKER_IN_TEXT.sub("&lt;!--", f"\n\n{content}\n\n" if content else "\n")
    block = block.replace("\n", "\r\n") if "\r\n" in text[region.start : region.stop] else block
    return text[: region.start] + block + text[region.stop :]


def regions_of(
    path: PurePosixPath, text: str, corpus: Corpus, targets: tuple[ReadmeTarget, ...]
) -> tuple[tuple[Region, ...], tuple[Diagnostic, ...]]:
    """The regions of a file in their order, and a diagnostic for each wrong marker and each merge conflict outside."""
    problems: list[Diagnostic] = []

    def report(where: int, message: str, hint: str = _PAIR) -> None:
        before = with_plain_ends(text[:where])
        location = Location(path, *text_position(before, len(before)))
        problems.append(Diagnostic(location, "readme-markers", message, hint))

    regions: list[Region] = []
    region_names: set[str] = set()
    for marker, words, stop in _pairs(text, report):
        if len(regions) == MAX_REGIONS:
            report(_start(marker), f"the file has more than {MAX_REGIONS} regions", "each may hold a list of all notes")
            break
        regions.append(replace(_region(marker, words, corpus, targets, report), stop=stop))
        region_names |= {word for word in words if "=" not in word}
    if not regions and not problems:
        report(0, "site.yaml wants regions of this file kept, but there are no markers")
    for target in targets:
        if target.region and target.region not in region_names and not problems:
            message = f'{path} has no region "{target.region}"'
            hint = f"write <!-- paper-notes:begin {target.region} --> and <!-- paper-notes:end --> into it"
            problems.append(Diagnostic(target.location, "readme-markers", message, hint))
    if may_be_unmerged(text.encode()):
        problems += read_conflicts(path, with_plain_ends(_without(regions, text))).problems
    return tuple(regions), tuple(problems)


def _without(regions: Iterable[Region], text: str) -> str:
    """The text with nothing but line ends in its regions: what git could not merge there is written anew."""
    for region in regions:
        inside = text[region.start : region.stop]
        text = text[: region.start] + re.sub(r"[^\r\n]", " ", inside) + text[region.stop :]
    return text


def _pairs(text: str, report: Report) -> Iterator[tuple[re.Match[str], list[str], int]]:
    """Each marker that begins a region, with its words and the end of its region."""
    opened: tuple[re.Match[str], list[str]] | None = None
    for marker in _markers(text):
        verb, *words = marker["words"].split() or [""]
        if not marker["end"]:
            report(_start(marker), "the marker does not end on its line", _FORM)
        elif verb == "end" and not words:
            if opened:
                yield *opened, marker.start()
            else:
                report(_start(marker), "this region ends, but does not begin")
            opened = None
        elif verb == "begin":
            if opened:
                report(_start(opened[0]), "this region does not end before the next one begins")
            opened = marker, words
        else:
            report(_start(marker), f'there is no marker "paper-notes:{" ".join([verb, *words])}"', _FORM)
    if opened:
        report(_start(opened[0]), "this region does not end")


def spans(text: str) -> list[tuple[int, int]]:
    """Where the regions of a file begin and end."""
    return [(marker.end(), stop) for marker, _, stop in _pairs(text, lambda *_: None)]


def _start(marker: re.Match[str]) -> int:
    return marker.start() + marker[0].index("<")


def _markers(text: str) -> Iterator[re.Match[str]]:
    """Markers outside of code."""
    code = [fence.span() for fence in FENCE.finditer(text)]
    starts = [start for start, _ in code]
    for marker in _MARKER.finditer(text):
        before = bisect_left(starts, marker.start()) - 1
        if before < 0 or marker.start() >= code[before][1]:
            yield marker


def _region(
    marker: re.Match[str],
    words: list[str],
    corpus: Corpus,
    targets: tuple[ReadmeTarget, ...],
    report: Report,
) -> Region:
    """The region that a marker begins: as the marker says, else as site.yaml says for the file, else everything."""

    def at(word: str) -> int:
        return marker.start() + marker[0].find(word, marker[0].index("begin") + len("begin"))

    names = [word for word in words if "=" not in word]
    name = names[0] if names else ""
    target = next((target for target in targets if target.region == name), None)
    target = target or next((target for target in targets if not target.region), None)
    content: Content = (target.content if target else None) or "all"
    lang = (target.lang if target else None) or corpus.site.default_language
    known = {*CONTENTS, *(target.region for target in targets if target.region)}
    for extra in names[1:]:
        report(at(extra), f'a region has one name; "{extra}" is one too many', _FORM)
    if name and not any(target.region == name for target in targets):
        if name in CONTENTS:
            content = next(known_name for known_name in CONTENTS if known_name == name)
        else:
            report(at(name), f'there is no region "{name}"', did_you_mean(name, known))
    region = Region(content, lang, target.topic if target else None, marker.end(), marker.end())
    for word in words:
        region = _with_option(region, word, at(word), corpus, report) if "=" in word else region
    return region


def _with_option(  # noqa: C901 -- a case for each option
    region: Region, word: str, where: int, corpus: Corpus, report: Report
) -> Region:
    """The region with what an option of its marker says: `lang=en`, `note=daily/3`, `fold=topics` ...."""
    key, _, value = word.partition("=")
    behind = where + len(key) + 1
    match key:
        case "lang" if value in corpus.site.languages:
            return replace(region, lang=Lang(value))
        case "lang":
            options = " or ".join(f"lang={lang}" for lang in corpus.site.languages)
            report(behind, f'the site has no language "{value}"', f"write {options}")
        case "topic":
            if value not in corpus.site.topics:
                report(behind, f'there is no topic "{value}"', did_you_mean(value, corpus.site.topics))
            return replace(region, topic=TopicId(value))
        case "order" if order := next((order for order in ORDERS if order == value), None):
            return replace(region, order=order)
        case "order":
            report(behind, f'papers have no order "{value}"', did_you_mean(value, ORDERS))
        case "fold" if value == "topics":
            return replace(region, folded=True)
        case "fold":
            report(behind, f'a region cannot fold "{value}"', "write fold=topics")
        case "note" if region.content != "entries":
            hint = "`note=` is for `entries`: write that, or leave it out"
            report(where, f'"{region.content}" is about no single note', hint)
        case "note":
            note = index_of(corpus.notes, corpus.site.topics).find(value, TopicId(""))
            if isinstance(note, Dangling):
                report(behind, note.message, note.hint)
            elif not corpus.note(note).entries:
                report(behind, f"{corpus.note(note).reference} lists no papers", "name one with `entries:`")
            else:
                return replace(region, note=note)
        case _:
            report(
                where, f'a marker has no option "{key}"', did_you_mean(key, ("lang", "topic", "note", "order", "fold"))
            )
    return region
