"""The text of a note that is taken in, as our own parser reads it: without a mistake, and with all its words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape

from paper_notes.corpus.model import Lang, Note, NoteText, TopicId
from paper_notes.corpus.paper import BibKey
from paper_notes.corpus.references import Dangling, NoteIndex, split_section
from paper_notes.diagnostics import Location
from paper_notes.features.importing.kept import Kept, compare_words, page_html
from paper_notes.features.importing.values import Finding, Foreign
from paper_notes.features.papers.acceptable import escaped, plainer
from paper_notes.languages.language import Words
from paper_notes.markdown.body import Body, Slot
from paper_notes.markdown.render import render_body

_ESCAPES, _ROUNDS = 12, 60
"""How often what is refused is escaped before its block becomes code, and how often in all."""
_TEX = re.compile(
    r"\$\$.+?\$\$|\$[^$\n]+\$|\\\((?:(?!\\[()]).)+\\\)|\\\[(?:(?!\\[\[\]]).)+\\\]|(?ms:^```(?:formula|math)\n.*?^```)",
    re.DOTALL,
)
"""What begins in a formula ends the search for its end: else each of many that do not end would look through all."""


@dataclass(frozen=True)
class Known:
    """What texts may refer to."""

    words: Words
    index: NoteIndex
    titles: Mapping[str, str]
    """What a reference without words shows, by the id of the note."""
    papers: frozenset[BibKey]


@dataclass(frozen=True, slots=True)
class Arrived:
    """A text that was taken in, after all that had to be changed so that it builds."""

    body: str
    kept: Kept
    sections: tuple[str, ...]
    """The ids of its sections, and the names of its blocks with a `^`."""
    references: tuple[tuple[str, str], ...]
    """Notes and sections that it refers to."""
    findings: tuple[Finding, ...]
    warnings: Mapping[str, int]
    """How many warnings the next check will have, by rule."""


def arrive(known: Known, job: tuple[Note, Foreign]) -> Arrived:
    """What a text has become. `job` has the note as it is loaded, and what its text in one language was made from."""
    note, foreign = job
    lang = Lang(foreign.lang)
    place = next(text.path for text in note.texts if text.lang == lang)
    body, findings = foreign.body, list[Finding]()
    for number in range(_ROUNDS):
        rendered = _render(note, lang, body, known)
        refused = list(_refused(rendered, note.topic, known))
        if not refused:
            break
        where = Location(foreign.outline.path)
        mended = escaped(body, refused) if number < _ESCAPES else body
        if mended == body:
            rule, location = refused[0]
            mended, is_code = plainer(body, location.line)
            line = body.split("\n")[location.line - 1].strip()[:60]
            message = f'the block with "{line}" is shown as it was written, because it would be a mistake here ({rule})'
            if not is_code:
                message = f'"{line}" would be a mistake here ({rule}), so it is plain text'
            findings.append(Finding("unmapped", "shown-as-written", message, where))
        else:
            findings += [_escape_finding(rule, body, location, where) for rule, location in refused]
        if mended == body:
            break
        body = mended
    page = page_html(rendered, _titles(rendered, note.topic, known))
    shown = f"{escape(foreign.title)}\n{page}\n{escape(_facts(foreign))}"
    kept = compare_words(foreign.words, shown, " ".join(_TEX.findall(body)))
    warnings: dict[str, int] = {}
    for found in rendered.diagnostics:
        if found.severity == "warning" and found.location.path == place:
            warnings[found.rule] = warnings.get(found.rule, 0) + 1
    return Arrived(
        body,
        kept,
        (
            *(section.id for section in rendered.sections),
            *(f"^{block}" for half in rendered.halves.values() for block in half.ids),
        ),
        tuple(
            split_section(slot.target)
            for half in rendered.halves.values()
            for slot in half.slots
            if slot.kind == "note"
        ),
        tuple(findings),
        warnings,
    )


def _render(note: Note, lang: Lang, body: str, known: Known) -> Body:
    texts = tuple(NoteText(text.lang, text.path, body) for text in note.texts if text.lang == lang)
    return render_body(replace(note, texts=texts, translated={}), words=known.words)


def _refused(body: Body, topic: TopicId, known: Known) -> list[tuple[str, Location]]:
    """Rules and places of what would be a mistake in the note's text."""
    found: list[tuple[str, Location]] = [
        (problem.rule, problem.location) for problem in body.diagnostics if problem.severity == "error"
    ]
    for half in body.halves.values():
        found += [("reference", slot.location) for slot in half.slots if _dangles(slot, topic, known)]
    return found


def _dangles(slot: Slot, topic: TopicId, known: Known) -> bool:
    if slot.kind == "note":
        return isinstance(known.index.find(split_section(slot.target)[0], topic), Dangling)
    return slot.kind in ("cite", "paper") and BibKey(slot.target) not in known.papers


def _titles(body: Body, topic: TopicId, known: Known) -> dict[str, str]:
    found: dict[str, str] = {}
    for half in body.halves.values():
        for slot in half.slots:
            note = known.index.find(split_section(slot.target)[0], topic) if slot.kind == "note" else None
            if note and not isinstance(note, Dangling):
                found[slot.target] = known.titles.get(note, "")
    return found


def _facts(foreign: Foreign) -> str:
    """All that the page shows of the facts, as one text."""
    return f"{foreign.facts} {foreign.extra} {' '.join(foreign.arxiv)} {' '.join(foreign.dois)}"


def _escape_finding(rule: str, body: str, location: Location, where: Location) -> Finding:
    line = body.split("\n")[min(location.line, body.count("\n") + 1) - 1]
    quoted = line[max(location.column - 1, 0) :].strip()[:40] or line.strip()[:40]
    return Finding("mended", "escaped", f'"{quoted}" would be a mistake here ({rule}), so it is plain text', where)
