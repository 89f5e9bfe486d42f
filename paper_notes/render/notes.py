"""The pages of all notes: each is rendered, here or in other processes, only if its inputs changed."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.corpus.error_markers import NO_MARKERS, ErrorMarkers
from paper_notes.corpus.model import Corpus, Lang, Note, NoteId
from paper_notes.diagnostics import NOWHERE, Diagnostic, Location, has_errors, naming
from paper_notes.engine.build_context import BuildContext
from paper_notes.engine.cache import digest_of, unpack
from paper_notes.markdown.bodies import Bodies, unpacked
from paper_notes.markdown.body import Body, Slot
from paper_notes.render.links import HOME, SITE, LinkResolver, note_path
from paper_notes.render.mistakes import of_note
from paper_notes.render.page_addresses import links_of, loaded_file
from paper_notes.render.page_inputs import InputCollector, PageInputs, SiteContext, corpus_of, relations_of, resolver_of
from paper_notes.render.pages.note import NotePage, note_page
from paper_notes.render.search.texts import cards_of, entry
from paper_notes.render.theme.templates import TemplateProblem
from paper_notes.render.theme.theme import Theme, theme_of
from paper_notes.render.view_factory import PageContext
from paper_notes.sources.tree import Source
from paper_notes.values import Struct, replace

NoteWork = tuple[PageInputs, bytes]
"""A note to be rendered: the inputs of its page, and its body from `Bodies.packed`."""


class NotePageFile(Struct, frozen=True):
    """The result: the page of a note and what was found out about it."""

    path: PurePosixPath
    """Relative to the site."""
    page: bytes
    text: str
    """The text of the note as an entry of a search file."""
    links: tuple[str, ...]
    """Links of the page that have to be checked."""
    loads: str
    """The address of a file that the page would load; empty if there is none."""
    diagnostics: tuple[Diagnostic, ...]


def note_file(common: bytes, work: NoteWork) -> NotePageFile:
    """Render the page of a note. `common` is a packed SiteContext."""
    with naming(SITE / note_path(work[0].note)):
        return _note_file(common, work)


def _note_file(common: bytes, work: NoteWork) -> NotePageFile:
    problems = list[Diagnostic]()
    view, context, body = _page(common, work, problems.append)
    html = context.render("note.html", view)
    page, note, resolver, site = html.encode(), work[0].note, context.resolver, context.corpus.site

    def words(slot: Slot, lang: Lang) -> str:
        return resolver.html(replace(slot, embedded=False), HOME, note.topic, lang, listed=False)

    text = entry(note.id, body, words, site.languages, cards_of(note, context.corpus.papers))
    links = links_of(page, absolute=bool(site.base_url))
    return NotePageFile(context.page, page, text, links, loaded_file(page), tuple(problems))


def note_html(common: bytes, work: NoteWork) -> str:
    """The page alone, for who only wants to read it: its template filled in, without styles of its own."""
    view, context, _ = _page(common, work, lambda _: None)
    try:
        return context.theme.templates.fill("note.html", view, context.theme.words)
    except TemplateProblem:
        return ""


def _page(common: bytes, work: NoteWork, report: Callable[[Diagnostic], None]) -> tuple[NotePage, PageContext, Body]:
    shared, theme = _opened(common)
    inputs, packed = work
    note, body = inputs.note, unpacked(packed)
    context = PageContext(
        corpus_of(shared, inputs),
        resolver_of(shared, inputs),
        theme,
        note_path(note),
        "note",
        note.topic,
        report,
        shared.lists,
        checks=False,
        navigation=shared.navigation,
        mistakes=of_note(note, inputs.mistakes, shared.site.languages),
    )
    return note_page(note, body, context, relations_of(inputs)), context, body


@lru_cache(maxsize=2)
def _opened(common: bytes) -> tuple[SiteContext, Theme]:
    """The unpacked context and the theme, cached in each process."""
    shared = unpack(SiteContext, common)
    assert shared is not None, "packed by this very version"
    return shared, theme_of(shared.theme, shared.site.words)


class _Made(Struct, frozen=True):
    """The cached record of a page that was rendered."""

    sha256: str
    text_size: int
    diagnostics: tuple[Diagnostic, ...]


class NotePages(Struct, frozen=True):
    """The pages of all notes, and their texts for the search."""

    artifacts: Mapping[NoteId, Artifact]
    keys: Mapping[NoteId, bytes]
    """SHA-256 of all inputs of each page."""
    text_sizes: Mapping[NoteId, int]
    """Bytes of the search text of each note."""
    links: Mapping[str, tuple[str, ...]]
    """Links of the pages that were rendered in this build, by the path of the page."""
    diagnostics: tuple[Diagnostic, ...]
    text: Callable[[NoteId], str]
    """Gives the text of a note as an entry of a search file."""

    @property
    def sizes(self) -> Mapping[NoteId, int]:
        """Size of each page in bytes."""
        return {note: artifact.size for note, artifact in self.artifacts.items()}


class NotePageMaker(Struct, frozen=True, dict=True):
    """Renders the pages of notes: all for a build, or one that `serve` shows before the build ends."""

    notes: tuple[Note, ...]
    """All notes, with their texts."""
    bodies: Bodies
    common: bytes
    """A packed SiteContext."""
    collector: InputCollector
    marks: ErrorMarkers = NO_MARKERS

    def file(self, note: Note) -> NotePageFile:
        """Render the page of a note, and its search text, without the cache."""
        return note_file(self.common, (self.collector.of(note), self._marked.packed(note.id)))

    @cached_property
    def _marked(self) -> Bodies:
        """The bodies as pages show them."""
        return self.bodies.marked(self.notes, self.marks.of_note)

    def rewritten(self, source: Source) -> Artifact | None:
        """Render the page of the note that has `source` as a text now, if the change concerns this page only.

        None if other pages may have changed, too, or if there are errors: then a whole build is needed.
        """
        now = self._with(source)
        if now is None:
            return None
        note, inputs = now, self.collector.of(now)
        summary, packed = self.bodies.rendered(now, ())
        if summary.mentions != self.bodies.summaries[note.id].mentions:
            return None
        if has_errors(summary.diagnostics) or inputs.mistakes:
            if self.marks.severities is None:
                return None
            mistakes = self._mistakes(now, packed, summary.diagnostics)
            inputs, packed = replace(inputs, mistakes=mistakes), self.bodies.rendered(now, mistakes)[1]
        file = note_file(self.common, (inputs, packed))
        sound = not file.loads and not has_errors(file.diagnostics)
        return Artifact(SITE / file.path, file.page) if sound else None

    def found(self, source: Source) -> tuple[Diagnostic, ...] | None:
        """What is wrong in a text that is `source` now, but for what a whole build knows; None if it is no text."""
        now = self._with(source)
        if now is None:
            return None
        now = replace(now, texts=tuple(text for text in now.texts if text.path == source.path))
        summary, packed = self.bodies.rendered(now, ())
        references = _in_references(now, unpacked(packed), self.collector.resolver)
        return tuple(problem for problem in (*summary.diagnostics, *references) if problem.location.path == source.path)

    def _with(self, source: Source) -> Note | None:
        """The note whose text this is, with it; None if it is no text of a note and nothing else."""
        changed = (note for note in self.notes if any(text.path == source.path for text in note.texts))
        note = next(changed, None)
        if note is None or any(text.start for text in note.texts) or not source.text.strip():
            return None
        texts = tuple(replace(text, content=source) if text.path == source.path else text for text in note.texts)
        return replace(note, texts=texts)

    def _mistakes(self, note: Note, packed: bytes, in_texts: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
        """What is wrong with a note after its text changed: in the text, and as before in its other files."""
        texts = {text.path for text in note.texts}
        before = (mistake for mistake in self.marks.of_note(note.id) if mistake.location.path not in texts)
        references = _in_references(note, unpacked(packed), self.collector.resolver)
        return ErrorMarkers(self.marks.errors_among((*before, *in_texts, *references))).of_note(note.id)

    def pages(self, context: BuildContext) -> NotePages:
        """All pages. Those with unchanged inputs are taken from disk."""
        shared, by_id, cache = digest_of(self.common), {note.id: note for note in self.notes}, context.cache
        keys = {
            note.id: digest_of(shared, self._marked.digests[note.id], self.collector.key(self.collector.of(note)))
            for note in self.notes
        }
        artifacts: dict[NoteId, Artifact | None] = dict.fromkeys(by_id)
        links, texts = dict[str, tuple[str, ...]](), dict[NoteId, bytes]()

        def is_there(note_id: NoteId, record: _Made) -> bool:
            artifacts[note_id] = context.existing(SITE / note_path(by_id[note_id]), record.sha256)
            return artifacts[note_id] is not None

        def make(missing: Sequence[NoteId]) -> Iterator[_Made]:
            works = ((self.collector.of(by_id[note]), self._marked.packed(note)) for note in missing)
            files = context.workers.map(note_file, self.common, works, "Making pages", len(missing))
            for note, file in zip(missing, files, strict=True):
                artifact = artifacts[note] = context.spill(Artifact(SITE / file.path, file.page))
                links[str(artifact.path)] = file.links
                text = file.text.encode()
                cache.put(_name(keys[note]), zlib.compress(text, 1))
                if not cache.works:
                    texts[note] = text
                loads = (loading(artifact, file.loads),) if file.loads else ()
                yield _Made(artifact.sha256, len(text), (*file.diagnostics, *loads))

        with context.table("pages") as table:
            records = table.memo_all(keys, _Made, make, valid=is_there)

        def text(note_id: NoteId) -> str:
            kept = cache.get(_name(keys[note_id]))
            known = texts.get(note_id) or (zlib.decompress(kept) if kept else None)
            return known.decode() if known is not None else self.file(by_id[note_id]).text

        return NotePages(
            {note: artifact for note, artifact in artifacts.items() if artifact},
            keys,
            {note: known.text_size for note, known in records.items()},
            links,
            tuple(problem for known in records.values() for problem in known.diagnostics),
            text,
        )


def loading(artifact: Artifact, address: str) -> Diagnostic:
    """The diagnostic for a page that would load another file."""
    message = f'the page needs another file: "{address[:80]}"'
    hint = "a page holds all that it shows: put it in as a data: address, or delete it"
    return Diagnostic(Location(artifact.path), "page-loads-file", message, hint, about=f"address {address}")


def wrong_references(corpus: Corpus, bodies: Bodies, resolver: LinkResolver) -> Iterator[Diagnostic]:
    """Diagnostics of references in texts. A body is only unpacked if its outline has a wrong reference."""
    for note in corpus.written:
        slots = tuple(Slot(kind, target, "", NOWHERE) for kind, target in bodies.outlines[note.id].mentions)
        if resolver.check(slots, note.topic, note.id):
            yield from _in_references(note, bodies[note.id], resolver)
    yield from _circles(corpus, bodies, resolver)


Place = tuple[NoteId, str]
"""A section of a note."""


def _circles(corpus: Corpus, bodies: Bodies, resolver: LinkResolver) -> Iterator[Diagnostic]:
    """Report sections that show each other in the end. Pages show what one of them shows as a link."""
    shows: dict[Place, dict[Place, str]] = {}
    for note in corpus.written:
        for section, target in bodies.outlines[note.id].embedded:
            if isinstance(place := resolver.find(target, note.topic), tuple):
                shows.setdefault((note.id, section), {})[place] = target
    known: set[frozenset[Place]] = set()
    for start in shows:
        circle = _circle(start, shows)
        if circle and frozenset(circle) not in known:
            known.add(frozenset(circle))
            target = shows[start][circle[1 % len(circle)]]
            halves = bodies[start[0]].halves.values()
            where = next(
                slot.location for half in halves for slot in half.slots if slot.embedded and slot.target == target
            )
            names = " → ".join(f"{corpus.note(note).reference}#{section}" for note, section in (*circle, start))
            hint = f"make one of them a link, without the !: [[{target}]]"
            yield Diagnostic(where, "circular-excerpt", f"these sections show each other: {names}", hint)


def _circle(start: Place, shows: Mapping[Place, Mapping[Place, str]]) -> tuple[Place, ...]:
    """The shortest way from a section through those that are shown, back to it; empty if there is none."""
    ways: list[tuple[Place, ...]] = [(start,)]
    seen: set[Place] = set()
    for way in ways:
        for place in shows.get(way[-1], ()):
            if place == start:
                return way
            if place not in seen:
                seen.add(place)
                ways.append((*way, place))
    return ()


def _in_references(note: Note, body: Body, resolver: LinkResolver) -> Iterator[Diagnostic]:
    for half in body.halves.values():
        yield from resolver.check(half.slots, note.topic, note.id)


def _name(key: bytes) -> bytes:
    return b"words " + key
