"""Rules that need the whole corpus or all artifacts: dead links, missing languages, files to load, unportable names.

Every build checks every file for dead links, so files are searched for a few fixed byte strings, and only links that
seem dead are parsed. Sources are checked earlier, with better locations: one found here is a mistake of ours or of a
template.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from urllib.parse import unquote

from paper_notes.artifacts import Artifact, ExistingFile
from paper_notes.corpus.model import Corpus, Lang, Text
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.indexes.gfm import headings, is_link
from paper_notes.indexes.regions import spans
from paper_notes.patterns import regex
from paper_notes.render.links import SITE, own_file
from paper_notes.render.notes import loading
from paper_notes.render.page_addresses import ids, links_of, loaded_file
from paper_notes.sources.characters import unescape
from paper_notes.sources.filenames import alike, unusable
from paper_notes.values import Struct, field

_NO_PAGE = regex(rb"<script\b[^>]*>.*?</script>", re.DOTALL)
_ELSEWHERE = regex(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//")
_QUOTED = regex(rb'"[^"]*"')
_LINK = regex(r"\]\(([^)\s]+)\)")
_HINT = "sources are checked before: look at your templates, or report it"
_MARKDOWN = (".md", ".markdown")


class _Files(Struct, frozen=True):
    """All files that will exist, by name, and their anchors, each read when first needed."""

    artifacts: Mapping[str, Artifact]
    """Read only where there may be links or anchors: never a published PDF."""
    base_url: str | None
    anchors: dict[str, frozenset[bytes]] = field(default_factory=dict)
    dead_from_folder: dict[tuple[str, str], bool] = field(default_factory=dict)
    """Whether a link from a folder is dead, by folder and address: pages of one folder share most links."""

    def is_dead(self, name: str, href: str) -> bool:
        """Whether a link in the file `name` (as a browser reads it) leads nowhere; links to other sites never do."""
        if href[:1] in ("", "#", "?"):
            return self._is_dead(name, href)
        place = posixpath.dirname(name), href
        if place not in self.dead_from_folder:
            self.dead_from_folder[place] = self._is_dead(name, href)
        return self.dead_from_folder[place]

    def _is_dead(self, name: str, href: str) -> bool:
        if self.base_url and href.startswith(self.base_url):
            name, href = f"{SITE}/x", f"./{href[len(self.base_url) :]}"
        elif _ELSEWHERE.match(href):
            return False
        path, _, anchor = href.partition("#")
        path = path.partition("?")[0]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(path))) if path else name
        if target not in self.artifacts:
            target = f"{target}/index.html"
        if target not in self.artifacts:
            return True
        return bool(anchor) and not {anchor.encode(), unquote(anchor).encode()} & self.anchors_of(target)

    def anchors_of(self, name: str) -> frozenset[bytes]:
        if name not in self.anchors:
            self.anchors[name] = frozenset(_anchors(name, self.artifacts[name].data))
        return self.anchors[name]


def dead_links(
    corpus: Corpus, artifacts: Mapping[PurePosixPath, Artifact], known: Mapping[str, tuple[str, ...]] | None = None
) -> Iterator[Diagnostic]:
    """Each dead link once per file. In files outside of the site only the marked regions are checked.

    Files that are on disk already were checked when they were written: had their targets changed, they would have been
    rendered again. `known` has the links of pages rendered just now, by file name.
    """
    files = _Files({str(path): artifact for path, artifact in artifacts.items()}, corpus.site.base_url)
    own = {str(SITE / own_file(source)) for source in corpus.own_files}
    for name, artifact in files.artifacts.items():
        if isinstance(artifact.content, ExistingFile) or name in own:
            continue
        suffix = posixpath.splitext(name)[1].lower()
        if suffix not in _LOOK or not (name.startswith(f"{SITE}/") or suffix in _MARKDOWN):
            continue
        if known and name in known and not any(files.is_dead(name, unescape(raw)) for raw in known[name]):
            continue
        data = artifact.data
        for href, offset in _LOOK[suffix](name, data, files):
            where = Location(PurePosixPath(name), *_position(data, offset))
            message = f'the link to "{href}" leads nowhere'
            yield Diagnostic(where, "dead-link", message, _HINT, about=f"address {href}")


def _anchors(name: str, data: bytes) -> Iterator[bytes]:
    if name.endswith(_MARKDOWN):
        yield from (heading.anchor.encode() for heading in headings(data.decode()))
    else:
        yield from (unescape(raw.decode()).encode() for raw in ids(data))


def _in_markup(name: str, data: bytes, files: _Files) -> Iterator[tuple[str, int]]:
    """Dead links of HTML and XML. Text may look like an attribute, so a link counts only inside a tag."""
    for raw in links_of(data, absolute=bool(files.base_url)):
        href = unescape(raw)
        if files.is_dead(name, href) and (offset := _inside_tag(data, raw.encode())) >= 0:
            yield href, offset


def _inside_tag(data: bytes, raw: bytes) -> int:
    """The offset of the attribute in a tag of the page; -1 if it only occurs in text or in a script."""
    page = _NO_PAGE.sub(lambda script: b" " * len(script[0]), data)
    for attribute in re.finditer(rb' href="' + re.escape(raw) + rb'"', page):
        tag = page[page.rfind(b"<", 0, attribute.start()) : attribute.start()]
        if b">" not in _QUOTED.sub(b"", tag):
            return attribute.start() + 1
    return -1


def _in_feed(name: str, data: bytes, files: _Files) -> Iterator[tuple[str, int]]:
    """Dead links of a feed or text file, and addresses of the published site wherever they occur.

    In ours a bracket is `%29`: one that closes is a sign of Markdown.
    """
    yield from _in_markup(name, data, files)
    if files.base_url:
        for raw in dict.fromkeys(re.findall(re.escape(files.base_url.encode()) + rb"""[^\s<>"'&)]*""", data)):
            if files.is_dead(name, raw.decode()):
                yield raw.decode(), data.find(raw)


def _in_markdown(name: str, data: bytes, files: _Files) -> Iterator[tuple[str, int]]:
    text = data.decode()
    ours = [(0, len(text))] if name.startswith(f"{SITE}/") else spans(text)
    links: dict[str, int] = {}
    for start, stop in ours:
        for match in _LINK.finditer(text, start, stop):
            links.setdefault(match[1], match.start(1))
    for href, offset in links.items():
        if files.is_dead(name, href) and is_link(text, href):
            yield href, len(text[:offset].encode())


def _position(data: bytes, offset: int) -> tuple[int, int]:
    """Line and column, from 1, of the byte at `offset`."""
    start = data.rfind(b"\n", 0, offset) + 1
    return data.count(b"\n", 0, offset) + 1, len(data[start:offset].decode(errors="replace")) + 1


_LOOK = {".html": _in_markup, ".xml": _in_feed, ".txt": _in_feed, ".md": _in_markdown, ".markdown": _in_markdown}


Artifacts = Mapping[PurePosixPath, Artifact]
Links = Mapping[str, tuple[str, ...]]
_RENAME = "rename the topic, the note or the BibTeX key that it comes from"


def _one_language(corpus: Corpus, artifacts: Artifacts, links: Links) -> Iterator[Diagnostic]:
    """Texts of the YAML files that lack a language of the note, or of the topic's notes."""
    for topic in corpus.topics:
        languages = tuple(dict.fromkeys(lang for note in corpus.notes_of(topic.id) for lang in note.languages))
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
        if isinstance(artifact.content, ExistingFile) or path.suffix != ".html" or str(path) in links or path in own:
            continue
        if path.is_relative_to(SITE) and (address := loaded_file(artifact.data)):
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
