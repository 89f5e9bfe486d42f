"""Progress is shown on a terminal only, and only of what takes more than a moment."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count
from threading import Event

import pytest

from paper_notes.commands import progress


def shown(
    results: Iterator[int],
    total: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    tty: bool,
) -> tuple[list[int], str]:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: tty, raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    given = list(progress.watched("Making pages", total, results))
    return given, capsys.readouterr().err


@pytest.mark.parametrize(("tty", "seconds", "is_shown"), [(True, 0.3, True), (True, 0.001, False), (False, 0.3, False)])
def test_it_is_shown_after_a_second_with_counts_on_a_terminal(
    tty: bool, seconds: float, is_shown: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = count()
    monkeypatch.setattr(progress, "monotonic", lambda: next(ticks) * seconds)
    given, said = shown(iter(range(50)), 50, capsys, monkeypatch, tty=tty)
    assert given == list(range(50))
    assert ("Making pages" in said, "/50" in said) == (is_shown, is_shown)


def test_all_results_come_also_if_there_are_none_or_fewer(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = count()
    monkeypatch.setattr(progress, "monotonic", lambda: next(ticks) * 9.0)
    for total in (0, 1, 2):
        given, _ = shown(iter(range(total)), total, capsys, monkeypatch, tty=True)
        assert given == list(range(total))


def test_a_line_stands_before_anything_can_be_counted_and_goes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", 0.01)
    for tty, said in ((True, "\r\x1b[KReading the collection ...\r\x1b[K"), (False, "")):
        monkeypatch.setattr(sys.stderr, "isatty", lambda tty=tty: tty, raising=False)
        with progress.announced("Reading the collection"):
            Event().wait(0.2)
        assert capsys.readouterr().err == said
