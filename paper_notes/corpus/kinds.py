"""Kinds of notes: the built-in ones, and what `site.yaml` adds to them or changes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from paper_notes.corpus.model import BUILT_IN_KINDS, NO_COLOUR, Kind, KindId, Text
from paper_notes.corpus.schema import KindValue
from paper_notes.diagnostics import Diagnostic
from paper_notes.languages.language import Words
from paper_notes.sources.yaml import YamlDocument

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
MAX_ID = 40
"""Characters of an id at most."""


def kinds_of(words: Words) -> tuple[Kind, ...]:
    """The built-in kinds."""
    return tuple(Kind(kind, words(f"kind.{kind}"), colour) for kind, colour in BUILT_IN_KINDS.items())


def kinds_from(
    values: Mapping[str, KindValue], words: Words, document: YamlDocument, problems: list[Diagnostic]
) -> tuple[Kind, ...]:
    """The kinds of a collection: the built-in ones, renamed or in another colour as it says, then its own."""
    known = {kind.id: kind for kind in kinds_of(words)}
    for name in described(document):
        if not _ID.fullmatch(name) or len(name) > MAX_ID:
            message = f'"{name[:MAX_ID]}" cannot be the id of a kind'
            hint = "write a-z, 0-9 and -, as in field-report; what readers see is its `name:`"
            problems.append(Diagnostic(document.location(("kinds", name), key=True), "bad-value", message, hint))
            continue
        value = values.get(name)
        if value is None:  # the schema reports it; notes may be of this kind all the same
            known.setdefault(KindId(name), Kind(KindId(name), Text.of(dict.fromkeys(words.tags, name)), NO_COLOUR))
            continue
        kind, where = KindId(name), document.location(("kinds", name), key=True)
        built_in, written = known.get(kind), value.name.plain() if value.name else Text()
        form = f"{{{', '.join(f'{lang}: ...' for lang in words.tags)}}}" if len(words.tags) > 1 else "..."
        if not (built_in or written):
            message = f'the kind "{name}" has no name'
            problems.append(Diagnostic(where, "missing-key", message, f"add `name: {form}`"))
            written = Text.of(dict.fromkeys(words.tags, name))
        for lang in words.tags:
            if not built_in and not written.has(lang):
                where = document.location(("kinds", name, "name"))
                message = f'the name of the kind "{name}" has no {lang} text'
                problems.append(Diagnostic(where, "missing-translation", message, f"write {form}", "warning"))
        parts = {**dict(built_in.name.parts if built_in else ()), **dict(written.parts)}
        colour = value.colour or (built_in.colour if built_in else NO_COLOUR)
        known[kind] = Kind(kind, Text.of({lang: parts[lang] for lang in words.tags if lang in parts}), colour)
    return tuple(known.values())


def described(site: YamlDocument) -> tuple[str, ...]:
    """The ids of the kinds in `site.yaml`, right or wrong."""
    values = site.value.get("kinds") if isinstance(site.value, dict) else None
    return tuple(value for value in values if isinstance(value, str)) if isinstance(values, dict | list) else ()
