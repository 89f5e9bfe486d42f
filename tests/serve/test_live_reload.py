"""The events that pages get after a build."""

from __future__ import annotations

import json
import threading
from pathlib import PurePosixPath

import pytest

from paper_notes.artifacts import Artifact
from paper_notes.diagnostics import Diagnostic, Location
from paper_notes.languages.language import Words
from paper_notes.output.plan import Plan
from paper_notes.serve.live_reload import SHOWN, Board, State, after, message, moved_to

PAGE = PurePosixPath("t/notes/01_A.html")
WRONG = Diagnostic(Location(PurePosixPath("notes_src/t/01_A/zh.md"), 3, 4), "dangling-reference", "no note", "write it")
DOUBT = Diagnostic(Location(PurePosixPath("notes_src/t/01_A/zh.md")), "note-without-text", "empty", "", "warning")


def words() -> Words:
    return Words.of("zh", "en")


def planned(create: str = "", update: str = "", delete: str = "") -> Plan:
    made = [tuple(Artifact.text(f"site/{name}", "") for name in names.split()) for names in (create, update)]
    return Plan(made[0], made[1], tuple(PurePosixPath("site", name) for name in delete.split()), ())


def told(state: State, page: str = "t/notes/01_A.html", had: str = "a", now: str = "a", since: int = 0) -> object:
    event = message(state, PurePosixPath(page), had, now, since, words)
    number, data, *rest = event.split("\n")
    assert number == f"id: {state.number}"
    assert data.startswith("data: ")
    assert rest == ["", ""], "an event is its lines and an empty one"
    facts = json.loads(data.removeprefix("data: "))
    texts = facts.pop("texts")
    assert bool(texts) == (facts["page"] == "gone" or facts["count"] > 0), (
        "there are words where there is something to say"
    )
    return facts


QUIET = {"page": "same", "moved": None, "files": [], "errors": [], "count": 0}


@pytest.mark.parametrize(
    ("had", "now", "page"),
    [("a", "a", "same"), ("a", "b", "changed"), ("a", "-", "gone"), ("-", "a", "changed"), ("-", "-", "same")],
)
def test_a_page_is_told_whether_it_is_still_the_one_on_disk(had: str, now: str, page: str) -> None:
    assert told(State(), had=had, now=now) == {**QUIET, "page": page}


def test_errors_are_told_and_warnings_are_not() -> None:
    state = after(State(), (WRONG, DOUBT), None)
    error = {
        "place": "notes_src/t/01_A/zh.md:3:4",
        "rule": "dangling-reference",
        "message": [["zh-CN", "no note"], ["en", "no note"]],
        "hint": [["zh-CN", "提示：写上正文"], ["en", "hint: write it"]],
    }
    assert told(state) == {**QUIET, "errors": [error], "count": 1}
    assert told(after(state, (DOUBT,), planned())) == QUIET


def test_many_errors_are_counted_and_the_first_are_told() -> None:
    many = tuple(Diagnostic(Location(PurePosixPath("a"), line), "a-rule", "") for line in range(1, SHOWN + 9))
    event = message(after(State(), many, None), PAGE, "a", "a", 0, words)
    assert event.count('"place"') == SHOWN
    assert f'"count": {SHOWN + 8}' in event


def test_what_a_page_says_is_in_the_languages_of_the_collection() -> None:
    def texts(*tags: str, errors: int = 1) -> dict[str, list[list[str]]]:
        many = tuple(Diagnostic(Location(PurePosixPath("a"), line), "a-rule", "") for line in range(1, errors + 1))
        event = message(after(State(), many, None), PAGE, "a", "a", 0, lambda: Words.of(*tags))
        found: dict[str, list[list[str]]] = json.loads(event.splitlines()[1].removeprefix("data: "))["texts"]
        return found

    assert texts("zh", "en")["errors"] == [["zh-CN", "1 处错误"], ["en", "1 error"]]
    assert texts("en", "zh", errors=SHOWN + 2)["more"] == [
        ["en", "2 more in the terminal"],
        ["zh-CN", "另有 2 处，见终端"],
    ]
    assert texts("en", errors=2)["errors"] == [["en", "2 errors"]]


def test_a_problem_without_a_place_is_told_like_an_error() -> None:
    state = after(State(), (), None, "cannot write site/index.html: disk\nfull")
    message = [["zh-CN", "写不了 site/index.html：disk\nfull"], ["en", "cannot write site/index.html: disk\nfull"]]
    error = {"place": "", "rule": "", "message": message, "hint": ""}
    assert told(state) == {**QUIET, "errors": [error], "count": 1}


def test_files_that_pages_load_are_told_of_once() -> None:
    first = after(State(), (), planned(create="search-all.css index.html"))
    second = after(first, (), planned(update="index.html"))
    assert told(second, since=0) == {**QUIET, "files": ["/search-all.css"]}
    assert told(second, since=1) == QUIET


@pytest.mark.parametrize(
    ("create", "delete", "there"),
    [
        ("t/notes/01_B.html t/notes/01_B.bib", "t/notes/01_A.html t/notes/01_A.bib", "/t/notes/01_B.html"),
        ("t/notes/01_B.html u/notes/02_C.html", "t/notes/01_A.html", "/t/notes/01_B.html"),
        ("t/notes/01_B.html t/notes/02_C.html", "t/notes/01_A.html", None),
        ("t/notes/01_B.html", "t/notes/01_A.html t/notes/02_C.html", None),
        ("t/notes/01_桥#1.html", "t/notes/01_A.html", "/t/notes/01_%E6%A1%A5%231.html"),
        ("u/notes/01_A.html", "t/notes/01_A.html", None),
        ("", "t/notes/01_A.html", None),
    ],
)
def test_where_a_page_has_moved_is_told_if_it_is_clear(create: str, delete: str, there: str | None) -> None:
    state = after(State(), (), planned(create=create, delete=delete))
    assert told(state, now="-") == {**QUIET, "page": "gone", "moved": there}


def test_a_page_that_moved_twice_is_found_and_one_that_came_back_is_there() -> None:
    state = State()
    for create, delete in (("t/b.html", "t/a.html"), ("t/c.html", "t/b.html")):
        state = after(state, (), planned(create=create, delete=delete))
    assert moved_to(state, PurePosixPath("t/a.html")) == PurePosixPath("t/c.html")
    assert told(state, "t/a.html", "-", "-") == {**QUIET, "page": "gone", "moved": "/t/c.html"}
    state = after(state, (), planned(create="t/a.html", delete="t/c.html"))
    assert moved_to(state, PurePosixPath("t/a.html")) is None
    assert told(state, "t/a.html", "x", "x") == QUIET


def test_a_failed_build_forgets_nothing() -> None:
    state = after(State(), (), planned(create="t/b.html search-all.css", delete="t/a.html"))
    failed = after(state, (WRONG,), None)
    assert (failed.number, failed.moved, failed.changed) == (2, state.moved, state.changed)


def test_waiting_ends_with_news_with_time_and_with_the_end() -> None:
    board = Board()
    assert board.wait(0, 0.01).number == 0
    got: list[int] = []
    waiting = threading.Thread(target=lambda: got.append(board.wait(0, 120).number))
    waiting.start()
    board.put(after(board.state, (), planned()))
    waiting.join(120)
    assert got == [1]
    waiting = threading.Thread(target=board.wait, args=(1, 120))
    waiting.start()
    board.close()
    waiting.join(120)
    assert not waiting.is_alive()
