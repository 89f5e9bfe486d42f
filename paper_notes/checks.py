"""Rules over corpus and artifacts that no single file can break: each a small function in a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Corpus, Lang, Text
from paper_notes.dead_links import dead_links
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.render.pages import SITE
from paper_notes.sources.filenames import alike, unusable

Artifacts = Mapping[PurePosixPath, Artifact]
_LOADS = re.compile(
    r"""<(?:script|img|image|feimage|iframe|frame|source|track|video|audio|embed|object|input"""
    r"""|link(?![^>]*\brel=["']?(?:canonical|alternate|author|license|next|prev|me)\b))\b"""
    r"""[^>]*?\s(?:src|srcset|href|xlink:href|data|poster)\s*=\s*["']?(?!data:|["'#>\s])([^"'>\s]+)""",
    re.IGNORECASE,
)
_RENAME = "rename the topic, the note or the BibTeX key that it comes from"
_STYLE = re.compile(r"<style\b[^>]*>(.*?)</style>", re.DOTALL | re.IGNORECASE)
_STYLE_LOADS = re.compile(r"""(?:\burl\(|@import)\s*["']?(?!data:|["'#\s])([^"')\s]+)""", re.IGNORECASE)


def _one_language(corpus: Corpus, artifacts: Artifacts) -> Iterator[Diagnostic]:
    """Texts of the YAML files that lack a language the note (or the site) speaks."""
    languages = corpus.site.languages
    for topic in corpus.topics:
        yield from _untranslated(topic.location, "the topic's title", topic.title, languages)
        yield from _untranslated(topic.location, "the topic's intro", topic.intro, languages)
        for path in topic.reading_paths:
            yield from _untranslated(path.location, "the reading path's title", path.title, languages)
            yield from _untranslated(path.location, "the reading path's guide", path.guide, languages)
    for note in corpus.notes:
        yield from _untranslated(note.location, "the title", note.title, note.languages)
        yield from _untranslated(note.location, "the summary", note.summary, note.languages)


def _untranslated(where: Location, name: str, text: Text | None, languages: tuple[Lang, ...]) -> Iterator[Diagnostic]:
    for lang in languages:
        if text is not None and not text.has(lang):
            hint = f"add `{lang}:` to it"
            yield Diagnostic(where, "missing-translation", f"{name} has no {lang} text", hint, "warning")


def _loading(corpus: Corpus, artifacts: Artifacts) -> Iterator[Diagnostic]:
    """Pages that would ask for another file."""
    for path, artifact in artifacts.items():
        if path.suffix != ".html" or not path.is_relative_to(SITE):
            continue
        page = artifact.data.decode()
        styles = " ".join(_STYLE.findall(page))
        if found := _LOADS.search(_STYLE.sub("", page)) or _STYLE_LOADS.search(styles):
            message = f'the page needs another file: "{found[1][:80]}"'
            yield Diagnostic(Location(path), "page-loads-file", message, "inline it in the template")


def _clashing(corpus: Corpus, artifacts: Artifacts) -> Iterator[Diagnostic]:
    """Files of the site that are one to some disks, or stand where a folder must, or have a name that disks refuse."""
    seen: dict[str, PurePosixPath] = {}
    told: set[PurePosixPath] = set()
    for path in sorted(path for path in artifacts if path.is_relative_to(SITE)):
        message = ""
        other = seen.setdefault(alike(str(path)), path)
        if reason := unusable(path.name.removesuffix(path.suffix)):
            message = f'the name "{path.name}" {reason}'
        elif path.parent in told:
            continue
        elif folder := next((folder for folder in path.parents if folder in artifacts), None):
            message = f'"{folder}" would have to be a file and a folder'
        elif other != path:
            message = f'"{path}" and "{other}" are one file to disks that do not tell case or accents apart'
        if message:
            told.add(path.parent)
            yield Diagnostic(Location(path), "unportable-path", message, _RENAME)


Check = Callable[[Corpus, Artifacts], Iterator[Diagnostic]]
CHECKS: tuple[Check, ...] = (_one_language, dead_links, _loading, _clashing)


def check(corpus: Corpus, artifacts: Iterable[Artifact]) -> tuple[Diagnostic, ...]:
    """What all rules find."""
    by_path = {artifact.path: artifact for artifact in artifacts}
    return tuple(problem for rule in CHECKS for problem in rule(corpus, by_path))
