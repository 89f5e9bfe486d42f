"""The words of pages that are rendered outside of a build, in the languages of the collection."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from paper_notes.corpus.load import SITE_FILE
from paper_notes.corpus.model import DEFAULT_LANGUAGES
from paper_notes.corpus.words import read_words, words_file
from paper_notes.languages.language import Words
from paper_notes.sources.tree import read_readmes
from paper_notes.sources.yaml import YamlDocument, parse_yaml


def collection_words(root: Path) -> Words:
    """The words in the languages that `site.yaml` names now; in the default ones if it cannot be read."""
    try:
        own = (PurePosixPath(path.relative_to(root).as_posix()) for path in root.glob(str(words_file("*"))))
        sources, _ = read_readmes(root, (SITE_FILE, *own))
    except OSError:
        sources = ()
    by_path = {source.path: source for source in sources}
    site = parse_yaml(SITE_FILE, by_path[SITE_FILE].text) if SITE_FILE in by_path else None
    return read_words(site, by_path, []) if isinstance(site, YamlDocument) else Words.of(*DEFAULT_LANGUAGES)
