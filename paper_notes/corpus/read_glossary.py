"""Reads `glossary.yaml`."""

from __future__ import annotations

from paper_notes.corpus.model import GlossaryTerm, Lang, Text
from paper_notes.corpus.schema import GlossaryFile
from paper_notes.corpus.validate import validate
from paper_notes.diagnostics import Diagnostic
from paper_notes.identifiers import slugs
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml import parse_yaml


def read_terms(source: Source, languages: tuple[Lang, ...], problems: list[Diagnostic]) -> tuple[GlossaryTerm, ...]:
    """The terms in the order of the file."""
    document = parse_yaml(source.path, source.text)
    if isinstance(document, Diagnostic):
        problems.append(document)
        return ()
    if isinstance(document.value, list):
        document = document.below("terms")
    file, mistakes = validate(GlossaryFile, document, languages)
    problems += mistakes
    if file is None:
        return ()
    names = [Text.of(value.names) for value in file.terms]
    parts = ([part for _, part in name.parts] for name in names)
    ids = slugs(
        (next(filter(str.isascii, texts), texts[0]) for texts in parts), "term"
    )  # in Latin letters if there are
    return tuple(
        GlossaryTerm(
            id=next(ids),
            name=names[position],
            aliases=value.aliases,
            avoid=value.avoid,
            definition=value.definition.text() if value.definition else None,
            location=document.location(("terms", position)),
        )
        for position, value in enumerate(file.terms)
    )
