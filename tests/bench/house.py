"""How large and how tangled the program is, as a table: `python tests/bench/house.py`.

Lines are those of files, with blank ones and docstrings. A circle is a set of modules that import each other, at any
depth, whether at the top of a module or in a function.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PACKAGE = PROJECT / "paper_notes"
RIDDLES = ("found", "made", "one", "there")
"""Names of variables that say nothing."""


def main() -> None:
    trees = {path.relative_to(PROJECT): ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
    lines = {path: (PROJECT / path).read_text("utf-8").count("\n") for path in trees}
    core = {path: count for path, count in lines.items() if path.parts[1] != "features"}
    importing = [path for path in trees if path.parts[1:3] == ("features", "importing")]
    classes = Counter(node.name for tree in trees.values() for node in tree.body if isinstance(node, ast.ClassDef))
    twice = sorted(name for name, count in classes.items() if count > 1 and not name.startswith("_"))
    names = Counter(name for tree in trees.values() for name in variables(tree) if name in RIDDLES)
    rows = {
        "modules": len(lines),
        "lines": sum(lines.values()),
        "  of them core": sum(core.values()),
        "  of them features/importing": sum(lines[path] for path in importing),
        "calls of re, or regex, in features/importing": sum(calls(trees[path], "re", "regex") for path in importing),
        "parser set-ups": sum(
            isinstance(node, ast.Call) and ast.unparse(node.func).endswith("LinkDefinitions")
            for tree in trees.values()
            for node in ast.walk(tree)
        ),
        "circles of modules": len([*circles(trees)]),
        f"public class names twice ({', '.join(twice)})": len(twice),
        f"variables named {', '.join(RIDDLES)}": names.total(),
        "imports in functions": sum(map(imports_in_functions, trees.values())),
    }
    for folder in sorted({path.parts[1] for path in trees if len(path.parts) > 2} - {"features"}):
        rows[f"lines of {folder}"] = sum(count for path, count in lines.items() if path.parts[1] == folder)
    for folder in sorted({path.parts[2] for path in trees if path.parts[1] == "features" and len(path.parts) > 3}):
        rows[f"lines of features/{folder}"] = sum(
            count for path, count in lines.items() if path.parts[1:3] == ("features", folder)
        )
    for name, count in rows.items():
        sys.stdout.write(f"{count:7,}  {name}\n")


def variables(tree: ast.Module) -> Iterator[str]:
    """The names that a module gives to values: each place where one is bound."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg


def calls(tree: ast.Module, module: str, function: str) -> int:
    """How often functions of a module, or the one of that name, are called."""
    called = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return sum(name == function or name.startswith(f"{module}.") for name in called)


def imports_in_functions(tree: ast.Module) -> int:
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return len({node for function in functions for node in ast.walk(function) if isinstance(node, ast.ImportFrom)})


def circles(trees: Mapping[Path, ast.Module]) -> Iterator[set[str]]:
    """The sets of more than one module that all reach each other."""
    modules = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): tree for path, tree in trees.items()}
    reached = {name: {*imported(tree, modules.keys())} for name, tree in modules.items()}
    changed = True
    while changed:
        changed = False
        for name, others in reached.items():
            wider = others.union(*(reached[other] for other in others))
            changed |= wider != others
            reached[name] = wider
    seen: set[str] = set()
    for name in reached:
        circle = {other for other in reached[name] if name in reached[other]}
        if len(circle) > 1 and name not in seen:
            seen |= circle
            yield circle


def imported(tree: ast.Module, known: Collection[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield from [name] if name in known else [node.module] if node.module in known else []


if __name__ == "__main__":
    main()
