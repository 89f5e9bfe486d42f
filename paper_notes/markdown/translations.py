"""Outdated translations and sections of a model: the records in `note.yaml` compared with the texts as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from paper_notes.corpus.model import Drafted, Lang, Note
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.languages.language import english_name
from paper_notes.markdown.body import LEAD, Body, Unread
from paper_notes.values import Struct


class Outdated(Struct, frozen=True):
    """A section whose text in `lang` is as recorded, while the other language's has changed since."""

    section: str
    lang: Lang
    location: Location
    """Where its heading in that language is."""
    drafted: bool = False
    """It is the text of a model, which nobody has changed, and can be made again."""


def digests(body: Body) -> Mapping[str, Mapping[Lang, str]]:
    """Digests of the text of each section in the languages that have it; `lead` comes first."""
    lead = {lang: half.lead_digest for lang, half in body.halves.items() if half.lead_digest}
    sections = {section.id: {lang: half.digest for lang, half in section.halves.items()} for section in body.sections}
    return {LEAD: lead, **sections} if lead else sections


def machine_written(note: Note, body: Body) -> Iterator[tuple[str, Lang, Drafted]]:
    """The sections whose text is still as a model wrote it; all others are a person's."""
    now = digests(body) if note.drafted else {}
    for section, records in note.drafted.items():
        for lang, record in records.items():
            if now.get(section, {}).get(lang) == record.digest:
                yield section, lang, record


def unread(note: Note, body: Body) -> tuple[Unread, ...]:
    """The sections that a model wrote and no one has read, in the order of the page."""
    written = () if note.reviewed else machine_written(note, body)
    models = {(section, lang): record.model for section, lang, record in written}
    places = (LEAD, *(section.id for section in body.sections))
    return tuple(
        Unread(section, lang, models[section, lang])
        for section in places
        for lang in body.halves
        if (section, lang) in models
    )


def outdated(note: Note, body: Body) -> tuple[Outdated, ...]:
    """The sections where one language changed since the record and the other did not, in the order of the page.

    Where both changed, somebody worked on both: they are not reported until a new record is made.
    """
    places = {section.id: section.halves for section in body.sections}
    starts = {text.lang: Location(text.path, text.first_line) for text in note.texts}
    sections = []
    behind = _behind(note, body)
    for section, now in digests(body).items():
        record = note.translated.get(section)
        same = [lang for lang in now if record and record.digests.get(lang) == now[lang]]
        recorded = record is not None and len(now) == 2 and now.keys() == record.digests.keys()
        lang = behind.get(section) or (same[0] if recorded and len(same) == 1 else None)
        if lang is not None:
            where = starts[lang] if section == LEAD else places[section][lang].location
            sections.append(Outdated(section, lang, where, section in behind))
    return tuple(sections)


def _behind(note: Note, body: Body) -> dict[str, Lang]:
    """The sections whose text is still that of a model, which translated it from a text that has changed since."""
    now, behind = digests(body), dict[str, Lang]()
    for section, lang, record in machine_written(note, body):
        source, _, digest = record.source.partition(" ")
        other = now[section].get(Lang(source))
        if source != lang and other not in (None, digest):
            behind[section] = lang
    return behind


def check_translations(note: Note, body: Body) -> Iterator[Diagnostic]:
    """Report outdated translations, and records of sections that are gone."""
    command = f"`paper-notes sync {note.id}"
    for stale in outdated(note, body):
        place = "before the first heading" if stale.section == LEAD else f'of section "{stale.section}"'
        other = next(lang for lang in body.halves if lang != stale.lang)
        message = f"the {english_name(stale.lang)} {place} was written for an earlier {english_name(other)} text"
        again = f"run `paper-notes translate {note.id} {stale.section}`: a model wrote it, and nobody has changed it"
        hint = again if stale.drafted else f"revise it, then run {command} {stale.section}`"
        yield Diagnostic(stale.location, "outdated-translation", message, hint, "warning")
    if len(body.halves) < 2:
        return  # the other language may be missing for a while; ids may differ without it
    known = digests(body)
    for section, record in note.translated.items():
        if section not in known:
            message = f'the note has no section "{section}", but `translated` has a record of it'
            hint = f"delete it; if the section has a new id, run {command} <new id>`"
            yield Diagnostic(record.location, "stale-record", message, hint, "warning")
