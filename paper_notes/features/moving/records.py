"""The record of translations: sections in which only references change stay recorded as translations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from paper_notes.corpus.model import Corpus
from paper_notes.features.moving.edits import FileEdit, by_file, edited
from paper_notes.markdown.render import render_body
from paper_notes.markdown.translations import digests
from paper_notes.sources.tree import Source
from paper_notes.sources.yaml import YamlDocument, parse_yaml


def renewed_records(
    corpus: Corpus, by_path: Mapping[PurePosixPath, Source], edits: Iterable[FileEdit]
) -> Iterator[FileEdit]:
    """The digests in `translated:` of sections that are as recorded, and that these edits change."""
    changed, words = by_file(edits), corpus.site.words
    for note in corpus.notes:
        if not note.translated or not any(text.path in changed for text in note.texts):
            continue
        source = by_path[note.location.path]
        document = parse_yaml(source.path, source.text)
        new = {
            text.path: replace(text, content=Source(text.path, edited(by_path[text.path], changed[text.path])))
            for text in note.texts
            if text.path in changed
        }
        changed_note = replace(note, texts=tuple(new.get(text.path, text) for text in note.texts))
        before, after = (digests(render_body(which, words=words)) for which in (note, changed_note))
        for section, record in note.translated.items():
            for lang, digest in record.digests.items():
                now = after.get(section, {}).get(lang, digest)
                if before.get(section, {}).get(lang) == digest != now and isinstance(document, YamlDocument):
                    where = document.location(("translated", section, lang))
                    line = source.text.split("\n")[where.line - 1]
                    yield FileEdit(replace(where, column=line.index(digest, where.column - 1) + 1), digest, now)
