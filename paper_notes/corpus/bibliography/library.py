"""All .bib files to the papers of the collection, cached as one value, with what entries inherit from others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from paper_notes.corpus.bibliography.from_bibtex import papers_from, rewritten
from paper_notes.corpus.paper import BibKey, Paper
from paper_notes.diagnostics import Diagnostic, Location, Suggestions, in_file_order, naming
from paper_notes.engine.cache import Cache
from paper_notes.sources.bibtex import BibEntry, BibField, parse_bibtex
from paper_notes.sources.tree import Source
from paper_notes.values import replace

Library = tuple[dict[BibKey, Paper], tuple[Diagnostic, ...]]


def read_library(sources: Iterable[Source], cache: Cache | None = None, asked: Collection[str] = ()) -> Library:
    """The papers of the .bib files among the sources by key, and their diagnostics.

    Files are read in the order of the sources. An `@string` is valid from its place to the end of the last file;
    `crossref` and `xdata` may refer to any entry of any file. `asked` are the fields that the site publishes besides
    the usual ones.
    """
    files = [source for source in sources if source.path.suffix.lower() == ".bib"]
    if not files:
        return {}, ()
    inputs = [(file.path, file.sha256) for file in files], sorted(asked)
    kind: type[Library] = tuple[dict[BibKey, Paper], tuple[Diagnostic, ...]]
    return (cache or Cache()).memo("papers", inputs, kind, lambda: _read(files, asked))


def _read(files: list[Source], asked: Collection[str]) -> Library:
    entries: list[BibEntry] = []
    problems: list[Diagnostic] = []
    strings: dict[str, str] = {}
    for file in files:
        with naming(file.path):
            of_file, diagnostics = parse_bibtex(file, strings)
        entries += of_file
        problems += diagnostics
    complete, diagnostics = inherited(entries)
    problems += diagnostics
    papers, diagnostics = papers_from(complete, asked)
    return papers, (*problems, *diagnostics)


def is_known(
    key: BibKey,
    papers: Mapping[BibKey, Paper],
    where: Location,
    suggestions: Suggestions,
    problems: list[Diagnostic],
) -> bool:
    """Whether there is a paper of this key; else that is reported at the place that names it."""
    if key in papers:
        return True
    parts = [part.strip() for part in key.split(",")]
    listed = f"write [{', '.join(parts)}]" if len(parts) > 1 and papers.keys() >= set(parts) else ""
    hint = listed or suggestions.did_you_mean(key, papers) or "add it to library.bib"
    message = f'no entry "{key}" in the .bib files'
    problems.append(Diagnostic(where, "unknown-bibkey", message, hint, about=f"paper {key}"))
    return False


_TITLES: Mapping[str, Mapping[str, str]] = {
    "proceedings": {"title": "booktitle", "subtitle": "booksubtitle"},
    "collection": {"title": "booktitle", "subtitle": "booksubtitle"},
    "book": {"title": "booktitle", "subtitle": "booksubtitle"},
    "reference": {"title": "booktitle", "subtitle": "booksubtitle"},
    "periodical": {"title": "journaltitle"},
    **{f"mv{kind}": {"title": "maintitle"} for kind in ("book", "collection", "proceedings", "reference")},
}
"""For each type of parent, the names of its titles in the child, as in biblatex. Other types are like proceedings."""
_OWN = frozenset(
    "title subtitle shorttitle titleaddon doi url urldate eprint eprinttype eprintclass archiveprefix primaryclass "
    "abstract badge code project hf blog pdf links versions file keywords crossref xref xdata ids options".split()
)
"""Fields that are not inherited, because they describe one paper only, above all identifiers."""

_LONGEST = 20
"""The longest chain of links between entries: a volume of a set of a series needs three."""


def inherited(entries: Iterable[BibEntry]) -> tuple[tuple[BibEntry, ...], tuple[Diagnostic, ...]]:
    """The entries with their inherited fields, without those of type `@xdata`, and diagnostics for broken links.

    An entry's own field wins, even an empty one; then `xdata` in its order; then `crossref`.
    """
    entries = tuple(entries)
    if not any("crossref" in entry.fields or "xdata" in entry.fields for entry in entries):
        return tuple(entry for entry in entries if entry.entry_type != "xdata"), ()
    heirs = _Heirs(entries)
    complete = tuple(heirs.resolved(entry, (entry.key,)) for entry in entries)
    return tuple(entry for entry in complete if entry.entry_type != "xdata"), in_file_order(heirs.problems)


class _Heirs:
    """Resolves the links of all entries, each once. A key that two entries have means the first."""

    def __init__(self, entries: tuple[BibEntry, ...]) -> None:
        self.by_key = {entry.key: entry for entry in reversed(entries)}
        self.done: dict[int, BibEntry] = {}
        self.problems: list[Diagnostic] = []
        self.suggestions = Suggestions()

    def resolved(self, entry: BibEntry, path: tuple[str, ...]) -> BibEntry:
        """The entry with all inherited fields; `path` holds the keys from the first heir to this one."""
        if id(entry) in self.done:
            return self.done[id(entry)]
        fields = dict(entry.fields)
        for name in ("xdata", "crossref"):
            if link := fields.pop(name, None):
                keys = [key.strip() for key in link.value.split(",")] if name == "xdata" else [link.value]
                for key in keys:
                    if parent := self._parent(name, key, link, path):
                        for theirs, field in parent.fields.items():
                            ours = theirs if name == "xdata" else _name_in_child(parent.entry_type, theirs)
                            if ours:
                                fields.setdefault(ours, field)
        same = fields.keys() == entry.fields.keys()
        self.done[id(entry)] = entry if same else rewritten(replace(entry, fields=fields))
        return self.done[id(entry)]

    def _parent(self, name: str, key: str, link: BibField, path: tuple[str, ...]) -> BibEntry | None:
        parent = self.by_key.get(key)
        if parent is None:
            message = f'{name} leads to "{key}", but there is no such entry in the .bib files'
            others = self.by_key.keys() - set(path)
            hint = self.suggestions.did_you_mean(key, others) or "write the entry, or delete the field"
            self.problems.append(Diagnostic(link.location, "unknown-bibkey", message, hint, about=f"paper {key}"))
            return None
        if key in path:
            circle = " → ".join((*path[path.index(key) :], key))
            message = f"{name} goes round in a circle: {circle}"
            self.problems.append(Diagnostic(link.location, "crossref-cycle", message, f"delete one {name} of it"))
            return None
        if len(path) == _LONGEST:
            message = f"{name} leads on over more than {_LONGEST} entries"
            self.problems.append(Diagnostic(link.location, "crossref-cycle", message, f"delete one {name} of them"))
            return None
        return self.resolved(parent, (*path, key))


def _name_in_child(parent_type: str, name: str) -> str:
    """The name in the child of a field of the parent; empty if it is not inherited."""
    titles = _TITLES.get(parent_type, _TITLES["proceedings"])
    return titles.get(name, "" if name in _OWN else name)
