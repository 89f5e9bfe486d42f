"""Which test calls which function: recorded once in .mutants/, and a plugin of pytest that runs chosen tests only.

Delete .mutants/ when many tests or functions are new.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

PROJECT = Path(__file__).resolve().parents[1]
RECORD = PROJECT / ".mutants"
SLOW = ("tests/browser", "tests/journeys", "tests/fuzz", "tests/bench")
TO, CALLED, CHOSEN = "CALLS_TO", "CALLS_OF_PROCESS", "CALLS_CHOSEN"
"""Variables of the environment: where records go, where other processes tell what they called, a list of tests."""
MOST_SECONDS = 90
"""Processor seconds of a process that runs chosen tests: more than they take."""
TELLING = f"""
import atexit, builtins, os
builtins._called = _called = set()
def _tell():
    if "{CALLED}" in os.environ:
        with open(os.path.join(os.environ["{CALLED}"], str(os.getpid())), "w") as file:
            file.write(" ".join(map(str, _called)))
atexit.register(_tell)
"""


class RecordedTest(NamedTuple):
    """A test that passed: what it costs in processor seconds, and a bit for each function that it calls."""

    name: str
    cost: float
    called: int

    @property
    def file(self) -> str:
        return self.name.partition("::")[0]


class Calls(NamedTuple):
    """All that was recorded; the quick tests come first."""

    functions: list[str]
    tests: list[RecordedTest]

    def mask(self, path: str, function: str) -> int:
        """The bits of a function and those inside of it, of a class, or of a whole module."""
        key = f"{path}:{function}"
        return sum(
            1 << number
            for number, name in enumerate(self.functions)
            if name == key or name.startswith(f"{key}." if function else key)
        )


def load_calls() -> Calls:
    """What `record_calls` has written."""
    lines = (line for file in RECORD.glob("*.jsonl") for line in file.read_text("utf-8").splitlines())
    tests = [RecordedTest(name, cost, int(called, 16)) for name, cost, called in map(json.loads, lines)]
    functions = json.loads((RECORD / "functions.json").read_text("utf-8"))
    return Calls(functions, sorted(tests, key=lambda test: (test.cost, test.name)))


def record_calls() -> None:
    """Unless that is done, run all tests without a browser on a copy that tells which functions are called."""
    if RECORD.is_dir():
        return
    with tempfile.TemporaryDirectory() as recording, tempfile.TemporaryDirectory() as folder:
        root = copy_project(Path(folder))
        functions: list[str] = []
        for module in sorted((root / "paper_notes").rglob("*.py")):
            tree = ast.parse(module.read_bytes())
            for name, function in list(_functions(tree, "")):
                after_docstring = int(ast.get_docstring(function) is not None and len(function.body) > 1)
                function.body[after_docstring:after_docstring] = ast.parse(f"_called.add({len(functions)})").body
                functions.append(f"{module.relative_to(root).as_posix()}:{name}")
            module.write_text(ast.unparse(ast.fix_missing_locations(tree)), "utf-8")
        with (root / "paper_notes/__init__.py").open("a", encoding="utf-8") as file:
            file.write(TELLING)
        ignored = (f"--ignore={path}" for path in SLOW)
        _pytest(root, "-n", "auto", "--dist", "loadfile", "-o", "timeout=1800", *ignored, **{TO: recording})
        (Path(recording) / "functions.json").write_text(json.dumps(functions), "utf-8")
        shutil.copytree(recording, RECORD)  # only now: what was stopped has recorded nothing


def _functions(node: ast.AST, above: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for child in ast.iter_child_nodes(node):
        inner = (
            f"{above}{child.name}."
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            else above
        )
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield inner.removesuffix("."), child
        yield from _functions(child, inner)


def copy_project(to: Path) -> Path:
    """All files of the repository, changed or not."""
    command = ("git", "ls-files", "-co", "--exclude-standard", "-z")
    names = subprocess.run(command, cwd=PROJECT, capture_output=True, check=True).stdout.decode().split("\0")
    for name in filter(None, names):
        if (PROJECT / name).exists():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(PROJECT / name, to / name, follow_symlinks=False)
    return to


def run_chosen(root: Path, tests: Sequence[RecordedTest]) -> str:
    """The name of the first of these tests that fails, or of how pytest ended, or nothing."""
    chosen = root / ".chosen.json"
    chosen.write_text(json.dumps([test.name for test in tests]), "utf-8")
    files = sorted({test.file for test in tests})
    hangs = ("-o", "timeout=120", "-o", "timeout_method=thread")  # ends pytest, also where Hypothesis would try again
    options = ("-x", "-n", "0", *hangs, "--tb=no", "-rfE")
    done = _pytest(root, *options, *files, seconds=MOST_SECONDS, **{CHOSEN: str(chosen)})
    if done.returncode in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return ""
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].partition(" ")[2].partition(" - ")[0] if failed else f"pytest ended with {done.returncode}"


def _pytest(root: Path, *arguments: str, seconds: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run pytest, in as many processor seconds if that is limited."""

    def limit() -> None:
        import resource

        if seconds:  # modules of tests may hang, too, where no test has begun that could be late
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    env = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'tests'}", **environment}
    command = [sys.executable, "-m", "pytest", "-p", "calls", *arguments]
    return subprocess.run(
        command,
        cwd=root,
        env=env,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        preexec_fn=limit,
    )


class _Recording:
    """Writes what each test calls, in this process and in those that it starts."""

    def __init__(self, folder: Path) -> None:
        import builtins

        import paper_notes  # noqa: F401

        self.file, self.called = folder / f"{os.getpid()}.jsonl", builtins._called  # type: ignore[attr-defined]
        self.fixtures: dict[object, set[int]] = {}
        self.processes = Path(tempfile.mkdtemp())
        os.environ[CALLED] = str(self.processes)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[Any]:
        before = set(self.called)
        self.called.clear()
        try:
            return (yield)
        finally:
            self.fixtures[fixturedef] = set(self.called)  # every test that uses the fixture counts as calling it
            self.called |= before

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[Any]:
        self.called.clear()
        failed, before = item.session.testsfailed, sum(os.times()[:4])
        result = yield
        called = set(self.called)
        for definitions in item._fixtureinfo.name2fixturedefs.values():
            called |= self.fixtures.get(definitions[-1], set())
        for file in self.processes.iterdir():
            called |= set(map(int, file.read_text().split()))
            file.unlink()
        if item.session.testsfailed == failed:
            record = (item.nodeid, round(sum(os.times()[:4]) - before, 2), f"{sum(1 << number for number in called):x}")
            with self.file.open("a", encoding="utf-8") as lines:
                lines.write(f"{json.dumps(record)}\n")
        return result

    def pytest_unconfigure(self) -> None:
        os.environ.pop(CALLED, None)
        shutil.rmtree(self.processes, ignore_errors=True)


def pytest_configure(config: pytest.Config) -> None:
    """Record, where that is asked for."""
    if TO in os.environ:
        config.pluginmanager.register(_Recording(Path(os.environ[TO])))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what was not chosen."""
    if CHOSEN in os.environ:
        chosen = set(json.loads(Path(os.environ[CHOSEN]).read_text("utf-8")))
        items[:] = [item for item in items if item.nodeid in chosen]
