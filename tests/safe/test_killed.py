"""Builds that are killed, in the middle of anything: see `killing.py`, which tries many more."""

from __future__ import annotations

from pathlib import Path

from cold import ColdBuilds
from killing import Builds, Killing
from running import EXAMPLES

ROUNDS = 40 if EXAMPLES else 3


def test_a_killed_build_leaves_old_files_or_new_ones_and_the_next_one_mends_all(tmp_path: Path) -> None:
    with ColdBuilds(tmp_path) as cold, Builds(tmp_path) as builds:
        tried = Killing(tmp_path, cold, builds, seed=2)
        for number in range(ROUNDS):
            assert not (problem := tried.round()), f"round {number}: {problem}"
    assert tried.hit["between files"] >= max(1, ROUNDS // 4), "the moments are where they hurt"
    assert not EXAMPLES or tried.hit["before the first file"] >= ROUNDS // 10
