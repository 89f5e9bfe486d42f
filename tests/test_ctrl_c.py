"""Ctrl-C reaches every process of a terminal, and only the one that the user started has anything to say."""

from __future__ import annotations

import signal

from paper_notes.engine.workers import Workers


def leaves_it(_: object, __: int) -> bool:
    return signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_our_processes_leave_ctrl_c_to_the_one_that_started_them() -> None:
    workers = Workers(2)
    try:
        assert set(workers.map(leaves_it, None, range(64))) == {True}
    finally:
        workers.close()
    assert not leaves_it(None, 0)
