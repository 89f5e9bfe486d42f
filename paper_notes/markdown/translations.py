"""Outdated translations: the record in `translated:` compared with the texts as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from paper_notes.corpus.model import Lang, Note
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.languages.language import english_name
from paper_notes.markdown.body import LEAD, Body


@dataclass(frozen=True, slots=True)
class Outdated:
    """A section whose text in `lang` is as recorded, while the other language's has changed since."""

    section: str
    lang: Lang
    location: Location
    """Where its heading in that language is."""


def digests(body: Body) -> Mapping[str, Mapping[Lang, str]]:
    """Digests of the text of each section in the languages that have it; `lead` comes first."""
    lead = {lang: half.lead_digest for lang, half in body.halves.items() if half.lead_digest}
    sections = {section.id: {lang: half.digest for lang, half in section.halves.items()} for section in body.sections}
    return {LEAD: lead, **sections} if lead else sections


def outdated(note: Note, body: Body) -> tuple[Outdated, ...]:
    """The sections where one language changed since the record and the other did not, in the order of the page.

    Where both changed, somebody worked on both: they are not reported until a new record is made.
    """
    places = {section.id: section.halves for section in body.sections}
    starts = {text.lang: Location(text.path, text.first_line) for text in note.texts}
    found = []
    for section, now in digests(body).items():
        record = note.translated.get(section)
        if record is None or len(now) < 2 or now.keys() != record.digests.keys():
            continue
        same = [lang for lang in now if record.digests[lang] == now[lang]]
        if len(same) == 1:
            behind = same[0]
            where = starts[behind] if section == LEAD else places[section][behind].location
            found.append(Outdated(section, behind, where))
    return tuple(found)


def check_translations(note: Note, body: Body) -> Iterator[Diagnostic]:
    """Report outdated translations, and records of sections that are gone."""
    command = f"`paper-notes translated {note.id}"
    for found in outdated(note, body):
        place = "before the first heading" if found.section == LEAD else f'of section "{found.section}"'
        other = next(lang for lang in body.halves if lang != found.lang)
        message = f"the {english_name(found.lang)} {place} was written for an earlier {english_name(other)} text"
        hint = f"revise it, then run {command} {found.section}`"
        yield Diagnostic(found.location, "outdated-translation", message, hint, "warning")
    if len(body.halves) < 2:
        return  # the other language may be missing for a while; ids may differ without it
    known = digests(body)
    for section, record in note.translated.items():
        if section not in known:
            message = f'the note has no section "{section}", but `translated` has a record of it'
            hint = f"delete it; if the section has a new id, run {command} <new id>`"
            yield Diagnostic(record.location, "stale-record", message, hint, "warning")
