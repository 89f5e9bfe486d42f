"""Rules that need the whole corpus or all artifacts: each a small function in a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact, ExistingFile
from paper_notes.corpus.model import Corpus, Lang, Text
from paper_notes.dead_links import dead_links
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.render.links import SITE, own_file
from paper_notes.render.notes import loading
from paper_notes.render.page_addresses import loaded_file
from paper_notes.sources.filenames import alike, unusable

Artifacts = Mapping[PurePosixPath, Artifact]
Links = Mapping[str, tuple[str, ...]]
_RENAME = "rename the topic, the note or the BibTeX key that it comes from"


def _one_language(corpus: Corpus, artifacts: Artifacts, links: Links) -> Iterator[Diagnostic]:
    """Texts of the YAML files that lack a language of the note (or of the site)."""
    languages = corpus.site.languages
    for topic in corpus.topics:
        yield from _untranslated(topic.location, "the topic's title", topic.title, languages)
        yield from _untranslated(topic.intro_location, "the topic's intro", topic.intro, languages)
        for path in topic.reading_paths:
            yield from _untranslated(path.location, "the reading path's title", path.title, languages)
            yield from _untranslated(path.location, "the reading path's guide", path.guide, languages)
    for note in corpus.notes:
        yield from _untranslated(note.location, "the title", note.title, note.languages)
        yield from _untranslated(note.summary_location, "the summary", note.summary, note.languages)


def _untranslated(where: Location, name: str, text: Text | None, languages: tuple[Lang, ...]) -> Iterator[Diagnostic]:
    for lang in languages:
        if text is not None and not text.has(lang):
            hint = f"add `{lang}:` to it"
            yield Diagnostic(where, "missing-translation", f"{name} has no {lang} text", hint, "warning")


def _loading(corpus: Corpus, artifacts: Artifacts, links: Links) -> Iterator[Diagnostic]:
    """Pages of ours that would load another file. Those with known links were checked when they were rendered."""
    own = {SITE / own_file(source) for source in corpus.own_files}
    for path, artifact in artifacts.items():
        if path.suffix != ".html" or not path.is_relative_to(SITE) or str(path) in links or path in own:
            continue
        if not isinstance(artifact.content, ExistingFile) and (address := loaded_file(artifact.data)):
            yield loading(artifact, address)


def _clashing(corpus: Corpus, artifacts: Artifacts, links: Links) -> Iterator[Diagnostic]:
    """Files of the site whose name is unportable: equal to another on some disks, also a folder, or a reserved name."""
    start = f"{SITE}/"
    for name, message in _unportable(tuple(sorted(name for name in map(str, artifacts) if name.startswith(start)))):
        yield Diagnostic(Location(PurePosixPath(name)), "unportable-path", message, _RENAME)


@lru_cache(maxsize=2)
def _unportable(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The first unportable file of each folder, with the message. Cached: most builds have the same names."""
    files, first_alike = frozenset(names), dict[str, str]()
    folders: dict[str, str] = {}
    seen: dict[str, tuple[str, str]] = {}
    for name in names:
        folder, _, last = name.rpartition("/")
        if folder not in folders:
            parents = (folder[:end] for end in range(len(folder), 0, -1) if end == len(folder) or folder[end] == "/")
            folders[folder] = next((parent for parent in parents if parent in files), "")
        message = ""
        other = first_alike.setdefault(alike(name), name)
        if reason := unusable(PurePosixPath(last).stem):
            message = f'the name "{last}" {reason}'
        elif folder in seen:
            continue
        elif folders[folder]:
            message = f'"{folders[folder]}" would have to be a file and a folder'
        elif other != name:
            message = f'"{name}" and "{other}" are one file to disks that do not tell case or accents apart'
        if message:
            seen.setdefault(folder, (name, message))
    return tuple(seen.values())


Check = Callable[[Corpus, Artifacts, Links], Iterator[Diagnostic]]
CHECKS: tuple[Check, ...] = (_one_language, dead_links, _loading, _clashing)


def check(corpus: Corpus, artifacts: Iterable[Artifact], links: Links | None = None) -> tuple[Diagnostic, ...]:
    """The findings of all rules. `links` are the links of pages that were rendered just now: see `dead_links`."""
    by_path = {artifact.path: artifact for artifact in artifacts}
    return tuple(problem for rule in CHECKS for problem in rule(corpus, by_path, links or {}))
