"""The newest state of the site, and the events that report it to open pages."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath
from urllib.parse import quote

from paper_notes.diagnostics import Diagnostic
from paper_notes.languages.language import Words
from paper_notes.languages.sentences import translated
from paper_notes.output.plan import Plan
from paper_notes.serve.pages import MISSING
from paper_notes.values import Struct, field, replace

SHOWN = 50
"""Errors shown in a page at most."""


class State(Struct, frozen=True):
    """The state of the site after a build. Paths are relative to `site/`."""

    number: int = 0
    """Increases by one with each build."""
    errors: tuple[Diagnostic, ...] = ()
    problem: str = ""
    """Why the build failed, other than errors in the sources; may be empty."""
    changed: Mapping[PurePosixPath, int] = field(default_factory=dict)
    """Style sheets that pages load, with the number of the build that changed each last."""
    moved: Mapping[PurePosixPath, PurePosixPath] = field(default_factory=dict)
    """Pages that are gone, with the most likely new path of each."""
    stale: bool = False
    """The pages are as they were before the errors, or the problem: nothing was written."""


def after(state: State, diagnostics: Iterable[Diagnostic], plan: Plan | None, problem: str = "") -> State:
    """The state after one more build, of which `plan` was written."""
    number = state.number + 1
    errors = tuple(diagnostic for diagnostic in diagnostics if diagnostic.severity == "error")
    if plan is None:
        return replace(state, number=number, errors=errors, problem=problem, stale=True)
    files = {_below(artifact.path): number for artifact in (*plan.create, *plan.update)}
    loaded = {path: number for path, number in files.items() if path.suffix == ".css"}
    return State(number, errors, problem, {**state.changed, **loaded}, {**state.moved, **_moves(plan)})


def _moves(plan: Plan) -> dict[PurePosixPath, PurePosixPath]:
    """Pages that probably moved: if exactly one page of a folder was deleted and one created, it was renamed."""
    created = (artifact.path for artifact in plan.create)
    gone, come = ([path for path in paths if path.suffix == ".html"] for paths in (plan.delete, created))
    moves = {}
    for path in gone:
        candidates = [page for page in come if page.parent == path.parent]
        if len(candidates) == 1 and sum(other.parent == path.parent for other in gone) == 1:
            moves[_below(path)] = _below(candidates[0])
    return moves


def _below(path: PurePosixPath) -> PurePosixPath:
    return PurePosixPath(*path.parts[1:])


def moved_to(state: State, page: PurePosixPath) -> PurePosixPath | None:
    """The present path of a page that moved, perhaps several times; None if it is not known."""
    visited = {page}
    while page in state.moved:
        page = state.moved[page]
        if page in visited:
            return None
        visited.add(page)
    return page if len(visited) > 1 else None


def message(
    state: State, page: PurePosixPath | None, had: str, now: str, since: int, words: Callable[[], Words]
) -> str:
    """One server-sent event for a `page` that was loaded in the version `had` and has the version `now`.

    `since` is the number of the state that was last sent to the page. `words` returns the words of the site.
    """
    moved = moved_to(state, page) if page and now == MISSING else None
    verdict = "gone" if moved else "same" if had == now else "gone" if now == MISSING else "changed"
    count = len(state.errors) + bool(state.problem)
    data = {
        "page": verdict,
        "moved": _address(moved) if moved else None,
        "files": [_address(path) for path, number in state.changed.items() if number > since],
        "errors": _errors(state, words()) if count else [],
        "count": count,
        "texts": _texts(words(), count, stale=state.stale) if count or verdict == "gone" else {},
    }
    return f"id: {state.number}\ndata: {json.dumps(data)}\n\n"


def _texts(words: Words, count: int, *, stale: bool) -> dict[str, list[tuple[str, str]]]:
    """The texts that a page may show, in each language, with its HTML language tag."""
    texts = {name: words(f"serve.{name}") for name in ("gone", "moved", "home", "details", *["stale"] * stale)}
    texts |= {"errors": words("serve.errors", count=count), "more": words("serve.more", count=count - SHOWN)}
    return {name: [(words[lang].html, part) for lang, part in text.parts] for name, text in texts.items()}


def _address(path: PurePosixPath) -> str:
    return f"/{quote(str(path))}"


def _errors(state: State, words: Words) -> list[dict[str, object]]:
    """What is wrong, in each language of the site; in English where the terminal does not speak it."""
    problems = [("", "", state.problem, "")] if state.problem else []
    problems += [(str(error.location), error.rule, error.message, error.hint) for error in state.errors[:SHOWN]]
    return [
        {"place": place, "rule": rule, "message": _said(words, message), "hint": hint and _said(words, hint, "hint: ")}
        for place, rule, message, hint in problems
    ]


def _said(words: Words, sentence: str, before: str = "") -> list[tuple[str, str]]:
    return [
        (words[lang].html, (before and translated(before, lang)) + translated(sentence, lang)) for lang in words.tags
    ]


class Board:
    """Holds the newest state; any number of threads can wait for the next one."""

    def __init__(self) -> None:
        self.state = State()
        self.closed = False
        """True when no new state will follow."""
        self._news = threading.Condition()

    def put(self, state: State) -> None:
        """Replace the state, and wake all waiting threads."""
        with self._news:
            self.state = state
            self._news.notify_all()

    def close(self) -> None:
        """Announce no more states, and wake all waiting threads."""
        with self._news:
            self.closed = True
            self._news.notify_all()

    def wait(self, number: int, seconds: float) -> State:
        """Wait for a state newer than `number`, and return it; after `seconds` or `close`, the present one."""
        with self._news:
            self._news.wait_for(lambda: self.closed or self.state.number > number, seconds)
            return self.state
