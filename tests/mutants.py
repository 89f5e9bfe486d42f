"""Puts one fault at a time into a copy of the program, and shows which of them no test notices.

    MUTANTS_PACKAGE=paper_notes/markdown MUTANTS=20 MUTANTS_SEED=1 make mutants

MUTANTS is the number for the core, and the number for the features. The first run records which test calls which
function (see `calls.py`), which takes as long as all tests without a browser. For each fault the tests that call its
function are run, the closest ones first, then the rest of their files. A test that fails without the fault as well has
noticed nothing. Some survivors change nothing that anyone could notice: read each diff.
"""

from __future__ import annotations

import ast
import difflib
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from itertools import accumulate, chain, takewhile
from pathlib import Path
from typing import NamedTuple

from calls import Calls, RecordedTest, copy_project, load_calls, record_calls, run_chosen

FEATURES = "paper_notes/features/"
SECONDS = 6.0
"""What the tests that are run first may take of a processor, and then the others."""
OPERATORS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}


class Fault(NamedTuple):
    """The bytes `start` to `end` of a module replaced."""

    path: str
    function: str
    """Qualified name; of the class outside of functions, and empty outside of classes."""
    line: int
    start: int
    end: int
    text: str


class Module:
    """Finds all faults that can be put into a module."""

    def __init__(self, root: Path, file: Path) -> None:
        self.path = file.relative_to(root).as_posix()
        self.source = file.read_bytes()
        self._starts = [0, *accumulate(len(line) for line in self.source.splitlines(keepends=True))]

    def faults(self) -> Iterator[Fault]:
        """In the order of the text."""
        yield from self._below(ast.parse(self.source), "")

    def _below(self, node: ast.AST, function: str) -> Iterator[Fault]:
        children = list(ast.iter_child_nodes(node))
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                function = f"{function}.{node.name}".removeprefix(".")
                children = list(node.body)  # what decorators and annotations say is mostly for readers and mypy
            case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.JoinedStr() | ast.AnnAssign(value=None):
                return
            case ast.AnnAssign(value=ast.expr()):
                children = [node.value]
        for start, end, text in self._at(node):
            yield Fault(self.path, function, self.source.count(b"\n", 0, start) + 1, start, end, text)
        for child in children:
            yield from self._below(child, function)

    def _at(self, node: ast.AST) -> Iterator[tuple[int, int, str]]:  # noqa: C901 - a case for each kind
        """The faults of a node itself, not of what is inside of it."""
        match node:
            case ast.Compare(ops=[operator]):
                between = self._place(node.left)[1], self._place(node.comparators[0])[0]
                yield *between, self.source[slice(*between)].decode().replace(*OPERATORS[type(operator)], 1)
            case ast.Constant(value=bool()):
                yield *self._place(node), str(not node.value)
            case ast.Constant(value=int()):
                yield *self._place(node), str(node.value + 1)
            case ast.Slice():
                for bound in filter(None, (node.lower, node.upper)):
                    yield *self._place(bound), f"({ast.unparse(bound)}) + 1"
            case ast.If() | ast.While() | ast.IfExp() if not isinstance(node.test, ast.Compare):
                yield *self._place(node.test), f"(not ({ast.unparse(node.test)}))"
            case ast.comprehension():
                for test in node.ifs:
                    yield *self._place(test), f"(not ({ast.unparse(test)}))"
            case ast.BoolOp():
                other = " or " if isinstance(node.op, ast.And) else " and "
                yield *self._place(node), f"({other.join(f'({ast.unparse(value)})' for value in node.values)})"
            case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Continue() | ast.Break() | ast.Raise():
                yield *self._place(node), "pass"

    def _place(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._starts[node.lineno - 1] + node.col_offset, self._starts[node.end_lineno - 1] + node.end_col_offset


def sample_faults(root: Path, package: str, number: int, seed: str) -> dict[str, list[Fault]]:
    """As many of the faults that can be put into the core and the features of a package; the same every time."""
    files = sorted((root / package).rglob("*.py")) if (root / package).is_dir() else [root / package]
    parts: dict[str, list[Fault]] = {"core": [], "features": []}
    for fault in chain.from_iterable(Module(root, file).faults() for file in files):
        parts["features" if fault.path.startswith(FEATURES) else "core"].append(fault)
    for part, faults in parts.items():
        random.Random(seed).shuffle(faults)
        sample = (fault for fault in faults if _parses(with_fault((root / fault.path).read_bytes(), fault)))
        parts[part] = sorted(fault for fault, _count in zip(sample, range(number), strict=False))
    return parts


def with_fault(source: bytes, fault: Fault) -> bytes:
    """The text of its module."""
    return source[: fault.start] + fault.text.encode() + source[fault.end :]


def _parses(source: bytes) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def concerned(fault: Fault, calls: Calls) -> Iterator[list[RecordedTest]]:
    """The tests to run first, and those to run if these pass.

    The tree of tests mirrors the package, and a test that calls little besides the function is most likely about it. A
    class of values calls nothing: then those that call anything of its module are run. What is outside of functions may
    be noticed by tests of the whole.
    """
    masks = (calls.mask(fault.path, name) for name in (fault.function, ""))
    mask = next((mask for mask in masks if any(test.called & mask for test in calls.tests)), 0)
    calling = [test for test in calls.tests if test.called & mask]
    near = {test: (-_shared(fault.path, test.file), test.cost, test.called.bit_count()) for test in calling}
    first = _within(SECONDS, sorted(calling, key=lambda test: near[test]))
    yield first
    files = {test.file for test in calling}
    others = [test for test in calls.tests if test.file in files and not test.called & mask]
    late = sorted({*calling} - {*first}, key=lambda test: (near[test][2], test.name))
    yield _within(SECONDS, [*late, *others])
    if not fault.function:
        yield _within(SECONDS, [test for test in calls.tests if test.file.startswith("tests/test_")])


def _shared(path: str, test: str) -> int:
    """How many folders below `paper_notes/` and `tests/` two files share."""
    folders = zip(path.split("/")[1:], test.split("/")[1:], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], folders))


def _within(seconds: float, tests: list[RecordedTest]) -> list[RecordedTest]:
    """As many of the tests as take so long together."""
    costs = accumulate(test.cost for test in tests)
    return [test for test, _cost in takewhile(lambda pair: pair[1] <= seconds, zip(tests, costs, strict=True))]


def noticed_by(fault: Fault, root: Path, calls: Calls) -> str:
    """The first test that fails with a fault, or nothing."""
    source = (root / fault.path).read_bytes()
    (root / fault.path).write_bytes(with_fault(source, fault))
    try:
        return next(filter(None, (run_chosen(root, tests) for tests in concerned(fault, calls) if tests)), "")
    finally:
        (root / fault.path).write_bytes(source)


def failing(root: Path, tests: list[RecordedTest]) -> Iterator[str]:
    """All of these tests that fail."""
    if tests and (failed := run_chosen(root, tests)):
        yield failed
        others = [test for test in tests if test.name != failed]
        yield from failing(root, others if len(others) < len(tests) else [])


def main() -> None:
    """Show each fault, and how many were noticed."""
    package = os.environ.get("MUTANTS_PACKAGE", "paper_notes").rstrip("/")
    number, seed = int(os.environ.get("MUTANTS", "20")), os.environ.get("MUTANTS_SEED", "1")
    record_calls()
    calls = load_calls()
    say = sys.stdout.write
    with tempfile.TemporaryDirectory() as folder:
        root = copy_project(Path(folder))
        parts = sample_faults(root, package, number, seed)
        noticed: dict[Fault, str] = {}
        for fault in chain.from_iterable(parts.values()):
            source = (root / fault.path).read_bytes()
            test = noticed[fault] = noticed_by(fault, root, calls)
            say(f"{'noticed ' if test else 'survived'} {fault.path}:{fault.line} {test}\n")
            if not test:
                texts = (text.decode().splitlines(keepends=True) for text in (source, with_fault(source, fault)))
                say("".join([*difflib.unified_diff(*texts, n=1)][2:]))
            sys.stdout.flush()
        for failed in failing(root, [test for test in calls.tests if test.name in noticed.values()]):
            say(f"fails without a fault: {failed}\n")
            noticed = {fault: test for fault, test in noticed.items() if test != failed}
    for part, faults in parts.items():
        say(f"{part}: {sum(bool(noticed.get(fault)) for fault in faults)} of {len(faults)} faults were noticed\n")


if __name__ == "__main__":
    main()
