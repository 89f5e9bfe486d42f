"""What numbers, names and keys meant in the last good build: after a rename, a hint can say what they are now.

Only hints depend on it: what is written is the same without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from paper_notes.corpus.model import Corpus, Note, NoteId
from paper_notes.corpus.paper import Paper
from paper_notes.diagnostics import Diagnostic, has_errors
from paper_notes.engine.cache import Cache, pack, unpack
from paper_notes.patterns import regex
from paper_notes.sources.tree import SOURCE_FOLDER, Source
from paper_notes.values import Struct, replace

_KEY = "names in the last good build"
_NUMBER_BEFORE_NAME = regex(r"\d+_?")


class _Known(Struct, frozen=True):
    """A note or a paper as a later build can recognise it."""

    names: tuple[str, ...]
    """What references call it; the first is the one to write: `rl/#4`, then `rl/04_ReSpec`."""
    title: str
    like: tuple[str, ...]
    """What it keeps when it moves, the surest first: one of these is enough if nothing else has it."""
    former: tuple[str, ...] = ()
    """Addresses that it had before."""


_Names = dict[Literal["note", "paper"], tuple[_Known, ...]]


def remember_names(problems: Iterable[Diagnostic], corpus: Corpus, cache: Cache) -> None:
    """Keep the names of a build for the hints of later ones, unless something that it names is missing already.

    That may be where a collection makes a warning of such an error: the next build still explains it.
    """
    problems = tuple(problems)
    if not cache.works or has_errors(problems) or any(problem.about for problem in problems):
        return
    now = pack(_names(corpus))
    if cache.get(_KEY, of_any_program=True) != now:
        cache.put(_KEY, now, of_any_program=True)


def with_rename_hints(problems: Sequence[Diagnostic], corpus: Corpus, cache: Cache) -> list[Diagnostic]:
    """The findings; those about a note or paper that the last good build had say what it is called now.

    With a finding for each note that has another address than then, if the site is published and the old one not kept.
    """
    if not corpus.site.base_url and not any(problem.about for problem in problems):
        return list(problems)
    former = unpack(_Names, cache.get(_KEY, of_any_program=True) or b"")
    if former is None:
        return list(problems)
    now = _names(corpus)
    moves = {kind: _Moves(former[kind], known) for kind, known in now.items()}
    hinted = [_with_new_name(problem, moves) if problem.about else problem for problem in problems]
    return [*hinted, *(_lost_addresses(corpus, moves["note"]) if corpus.site.base_url else ())]


def _lost_addresses(corpus: Corpus, moves: _Moves) -> Iterator[Diagnostic]:
    kept, places = {alias.former for alias in corpus.aliases}, {note.id: note.location for note in corpus.notes}
    for before in moves.gone:
        now = moves.after(before)
        was = NoteId(before.names[1])
        if now and was not in kept and now.names[1] not in before.former:  # it has not gone back there
            message = f"this note was {was} in the last good build, and nothing will be at its old address"
            hint = f"run `paper-notes move {was} {now.names[1]}`: it writes `aliases: [{was}]` and fixes references"
            where = places[NoteId(now.names[1])]
            yield Diagnostic(where, "moved-note", message, hint, "warning", about=f"note {was}")


def _with_new_name(problem: Diagnostic, moves: Mapping[Any, _Moves]) -> Diagnostic:
    kind, _, name = problem.about.partition(" ")
    known = moves.get(kind)
    if known is None:
        return problem
    parts = problem.location.path.parts
    topic = parts[1] if len(parts) > 2 and parts[0] == SOURCE_FOLDER else ""
    if kind == "note" and name.startswith(f"{topic}/") and (old_topic := known.former_topic(problem)):
        name = f"{old_topic}/{name.removeprefix(f'{topic}/')}"
    before = known.before.get(name)
    if before is None:
        return problem
    after = known.after(before)
    if after is None:
        was = f'in the last good build this was "{before.title}", and nothing like it is there now'
        return replace(problem, hint=f"{was}: delete the reference")
    written = after.names[0].removeprefix(f"{topic}/") if kind == "note" else after.names[0]
    was = f'in the last good build "{name}" was "{before.title}"'
    return replace(problem, hint=f'did you mean "{written}"? {was[0].upper()}{was[1:]}')


class _Moves:
    """What became of the notes, or of the papers, of the last good build."""

    def __init__(self, before: Sequence[_Known], now: Sequence[_Known]) -> None:
        self.before = {name: known for known in before for name in known.names}
        self._now = {known.names: known for known in now}
        stayed = {known.names for known in before} & self._now.keys()
        self.gone = [known for known in before if known.names not in stayed]
        self._new = [known for known in now if known.names not in stayed]

    def after(self, before: _Known) -> _Known | None:
        """What it is now."""
        return self._now.get(before.names) or _alike(before, self._new)

    def former_topic(self, problem: Diagnostic) -> str:
        """The topic that the note of a finding was in, if it is in another one now."""
        note = "/".join(problem.location.path.parts[1:3]).removesuffix(".md")
        here = next((known for known in self._new if note in known.names), None)
        before = _alike(here, self.gone) if here else None
        return before.names[0].partition("/")[0] if before else ""


def _alike(wanted: _Known, others: Iterable[_Known]) -> _Known | None:
    """The only one that has something of it, by the surest that there is."""
    others = tuple(others)
    for sign in wanted.like:
        alike = [known for known in others if sign in known.like]
        if len(alike) == 1:
            return alike[0]
    return None


def _names(corpus: Corpus) -> _Names:
    language, former = corpus.site.default_language, dict[NoteId, tuple[str, ...]]()
    for alias in corpus.aliases:
        if alias.note:
            former[alias.note] = (*former.get(alias.note, ()), alias.address)
    notes = (
        _Known((note.reference, note.id), note.title[language], _signs(note), former.get(note.id, ()))
        for note in corpus.notes
    )
    papers = (_Known((paper.key,), paper.title, _paper_signs(paper)) for paper in corpus.papers.values())
    return {"note": tuple(notes), "paper": tuple(papers)}


def _signs(note: Note) -> tuple[str, ...]:
    texts = [f"text {text.content.sha256}" for text in note.texts if isinstance(text.content, Source)]
    titles = [f"title {title.casefold()}" for _, title in note.title.parts if title]
    name = _NUMBER_BEFORE_NAME.sub("", note.name, count=1).casefold()
    return (*texts, *titles, *([f"name {name}"] if name else []), *(f"paper {key}" for key in note.papers[:1]))


def _paper_signs(paper: Paper) -> tuple[str, ...]:
    signs = (("arXiv", paper.arxiv), ("doi", (paper.doi or "").lower()), ("title", paper.title.casefold()))
    return tuple(f"{name} {value}" for name, value in signs if value)
