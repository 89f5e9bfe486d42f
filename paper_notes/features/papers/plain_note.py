"""The files of a new note that is on no paper: an idea, a tutorial, a comparison."""

from __future__ import annotations

import datetime

from paper_notes.artifacts import Artifact
from paper_notes.corpus.load import BASE
from paper_notes.corpus.model import Corpus
from paper_notes.corpus.notes import NOTE_FILE
from paper_notes.diagnostics import UserError
from paper_notes.features.papers.draft import MAX_FIELD
from paper_notes.features.papers.scaffold import as_yaml, check_builds, check_kind, check_place, next_number, short_name
from paper_notes.sources.characters import one_line
from paper_notes.sources.tree import Source

_LETTERS = 16
"""The most letters of a folder's name that are taken from a title in a script without spaces."""


def plain_note(
    corpus: Corpus,
    sources: tuple[Source, ...],
    title: str,
    *,
    kind: str,
    topic: str,
    name: str | None,
    today: datetime.date,
    is_draft: bool = False,
) -> tuple[Artifact, ...]:
    """The files of a note that builds at once. `sources` are as for `scaffold`. Raises UserError."""
    check_place(corpus, topic=topic, name=name)
    check_kind(corpus, kind)
    title = one_line(title)
    if not any(map(str.isalnum, title)) or len(title) > MAX_FIELD:
        raise UserError(f'"{title[:80]}" cannot be the title of a note', "give it a few words")
    letters = "".join(letter for letter in title if letter.isalnum())[:_LETTERS]
    folder = BASE / topic / f"{next_number(topic, sources)}_{name or short_name(title) or letters}"
    facts = {
        "title": {str(lang): title for lang in corpus.site.languages},
        "kind": kind,
        "created": today,
        "status": "todo",
        **({"draft": True} if is_draft else {}),
    }
    files = [Artifact.text(folder / NOTE_FILE, as_yaml(facts))]
    files += [Artifact.text(folder / f"{words.tag}.md", words("new.plain")) for words in corpus.site.words.languages]
    check_builds(sources, files)
    return tuple(files)
