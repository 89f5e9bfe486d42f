"""The work of a build in processes of our own, or in any given Executor."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from living import new_collection
from running import PROJECT, files_of

from paper_notes.build import update
from paper_notes.engine import workers
from paper_notes.engine.workers import FEW, PART, Workers

ELSEWHERE = """
import pickle, sys
work, arguments = pickle.load(sys.stdin.buffer)
pickle.dump(work(*arguments), sys.stdout.buffer)
"""


@contextmanager
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as executor:
        yield executor


@contextmanager
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        yield executor


@contextmanager
def dask() -> Iterator[Executor]:
    """A cluster on this machine; it is optional, but not where all is tested."""
    if os.environ.get("CI") != "true":
        pytest.importorskip("distributed")
    from distributed import Client, LocalCluster

    size = {"n_workers": 1, "threads_per_worker": 1, "processes": True}
    with LocalCluster(**size, dashboard_address=None) as cluster, Client(cluster) as client:
        yield client.get_executor()


class Telling(Executor):
    """Passes on calls, and counts them."""

    def __init__(self, other: Executor) -> None:
        self._other = other
        self.asked = 0

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        self.asked += 1
        return self._other.submit(work, *arguments, **options)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The site that one process makes."""
    root = new_collection(tmp_path_factory.mktemp("plain"))
    assert update(root, jobs=1).plan
    return files_of(root / "site")


@pytest.fixture
def plain(tmp_path: Path, expected: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> tuple[Path, dict[str, bytes]]:
    """A collection, and the site that one process makes; a few notes are worth the work of others."""
    monkeypatch.setattr(workers, "FEW", 2)
    monkeypatch.setattr(workers, "PART", 3)
    return new_collection(tmp_path / "other"), expected


@pytest.mark.nightly(but_every=3)
@pytest.mark.filterwarnings("default")  # those of other people's clusters
@pytest.mark.parametrize("workshop", [threads, processes, dask])
def test_any_executor_makes_the_same_site_and_stays_open(
    workshop: Callable[[], Any], plain: tuple[Path, dict[str, bytes]]
) -> None:
    root, expected = plain
    with workshop() as executor:
        telling = Telling(executor)
        assert update(root, executor=telling).plan
        assert telling.asked == 6, "three parts of texts and three of pages"
        assert executor.submit(abs, -1).result() == 1
    assert files_of(root / "site") == expected


class Elsewhere(Executor):
    """A new process in another folder, which cannot see the collection: only what is pickled reaches it."""

    def __init__(self, root: Path, place: Path) -> None:
        self._root, self._place = root, place

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        sent = pickle.dumps((work, arguments))
        hidden = self._root.rename(self._root.with_name("hidden"))
        try:
            env = {**os.environ, "PYTHONPATH": str(PROJECT)}
            command = [sys.executable, "-c", ELSEWHERE]
            done = subprocess.run(command, input=sent, cwd=self._place, env=env, capture_output=True, check=True)
        finally:
            hidden.rename(self._root)
        future: Future[Any] = Future()
        future.set_result(pickle.loads(done.stdout))
        return future


@pytest.mark.nightly
def test_the_work_needs_no_file_of_this_machine(
    plain: tuple[Path, dict[str, bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, expected = plain
    monkeypatch.setattr(workers, "PART", 8)
    (tmp_path / "elsewhere").mkdir()
    made = update(root, executor=Elsewhere(root, tmp_path / "elsewhere"))
    assert made.plan
    assert files_of(root / "site") == expected
    assert list((tmp_path / "elsewhere").iterdir()) == []


def double(shared: int, value: int) -> int:
    return shared * value


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_of_many_values_few_are_on_their_way(jobs: int) -> None:
    taken = 0

    def values() -> Iterator[int]:
        nonlocal taken
        for value in range(2_000):
            taken += 1
            yield value

    with ThreadPoolExecutor(2) as executor:
        for place, result in enumerate(Workers(jobs, executor).map(double, 2, values())):
            assert result == 2 * place
            assert taken - place <= max(3 * jobs * PART, FEW)
    assert taken == 2_000
