"""Puts one fault at a time into a copy of the program, and shows which of them no test notices.

    MUTANTS_PACKAGE=paper_notes/markdown MUTANTS=20 MUTANTS_SEED=1 make mutants

The first run records which test calls which function (see `calls.py`), which takes as long as all tests without a
browser. For each fault the tests that call its function are run, the closest ones first, then the rest of their files.
Some survivors change nothing that anyone could notice: read each diff.
"""

from __future__ import annotations

import ast
import difflib
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from itertools import accumulate, takewhile
from pathlib import Path
from typing import NamedTuple

from calls import Calls, RecordedTest, copy_project, load_calls, record_calls, run_chosen

FIRST, SECONDS = 60, 30.0
"""How many tests are run first; and how many processor seconds those may take that are run if they pass."""
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


def sample_faults(root: Path, package: str, number: int, seed: str) -> list[Fault]:
    """Some of the faults that can be put into a module or a package, the same every time."""
    files = sorted((root / package).rglob("*.py")) if (root / package).is_dir() else [root / package]
    faults = [fault for file in files for fault in Module(root, file).faults()]
    random.Random(seed).shuffle(faults)
    sample = (fault for fault in faults if _parses(with_fault((root / fault.path).read_bytes(), fault)))
    return sorted(fault for fault, _count in zip(sample, range(number), strict=False))


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

    A test that calls little besides the function is most likely about it, and quick.
    """
    mask = calls.mask(fault.path, fault.function)
    calling = sorted((test for test in calls.tests if test.called & mask), key=lambda test: test.called.bit_count())
    yield calling[:FIRST]
    files = {test.file for test in calling}
    others = [test for test in calls.tests if test.file in files and not test.called & mask]
    rest = [*sorted(calling[FIRST:], key=lambda test: test.cost), *others]
    costs = accumulate(test.cost for test in rest)
    yield [test for test, _cost in takewhile(lambda pair: pair[1] <= SECONDS, zip(rest, costs, strict=True))]


def noticed_by(fault: Fault, root: Path, calls: Calls) -> str:
    """The first test that fails with a fault, or nothing."""
    source = (root / fault.path).read_bytes()
    (root / fault.path).write_bytes(with_fault(source, fault))
    try:
        return next(filter(None, (run_chosen(root, tests) for tests in concerned(fault, calls) if tests)), "")
    finally:
        (root / fault.path).write_bytes(source)


def main() -> None:
    """Show each fault, and how many were noticed."""
    package = os.environ.get("MUTANTS_PACKAGE", "paper_notes").rstrip("/")
    number, seed = int(os.environ.get("MUTANTS", "20")), os.environ.get("MUTANTS_SEED", "1")
    record_calls()
    calls = load_calls()
    say = sys.stdout.write
    noticed = 0
    with tempfile.TemporaryDirectory() as folder:
        root = copy_project(Path(folder))
        sample = sample_faults(root, package, number, seed)
        for fault in sample:
            source = (root / fault.path).read_bytes()
            test = noticed_by(fault, root, calls)
            noticed += bool(test)
            say(f"{'noticed ' if test else 'survived'} {fault.path}:{fault.line} {test}\n")
            if not test:
                texts = (text.decode().splitlines(keepends=True) for text in (source, with_fault(source, fault)))
                say("".join([*difflib.unified_diff(*texts, n=1)][2:]))
            sys.stdout.flush()
    say(f"{noticed} of {len(sample)} faults were noticed\n")


if __name__ == "__main__":
    main()
