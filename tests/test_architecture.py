"""The shape of the package: what may import what, and which few modules touch the world outside."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest
from running import PROJECT

PACKAGE = PROJECT / "paper_notes"
MODULES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))
PARTS = sorted({module.partition("/")[0] for module in MODULES})
"""Folders and files of the package: a test each, and not one for each of hundreds of modules."""
TOP = {part.removesuffix(".py") for part in PARTS}

STAGES = (
    (
        "__init__",
        "values",
        "patterns",
        "diagnostics",
        "identifiers",
        "addresses",
        "project",
        "artifacts",
        "typography",
        "macros",
        "extensions",
        "engine",
    ),
    ("sources",),
    ("languages",),
    ("corpus",),
    ("citation",),
    ("markdown",),
    ("document",),
    ("render",),
    ("indexes",),
    ("checks",),
    ("site_files",),
    ("output",),
    ("built",),
    ("build",),
    ("serve",),
    ("commands",),
    ("__main__",),
)
"""The core, in the order in which data goes through it: each imports from itself and from earlier ones only."""
BESIDE = {
    "rules": {"__init__", "values", "patterns", "diagnostics", "sources"},
}
"""What stands beside the stages, and what it may use. Only commands use these."""
FEATURES = {
    "papers": {"moving", "opening", "starting"},
    "importing": {"papers", "lists", "moving", "repair", "git", "diagrams", "pandoc", "starting"},
    "lists": {"papers", "drafting", "moving", "repair", "epub", "library", "pandoc"},
    "queries": set[str](),
    "library": {"queries", "verify"},
    "mcp": {"library", "verify", "drafting"},
    "lsp": {"moving", "verify"},
    "translations": set[str](),
    "verify": {"papers"},
    "drafting": {"papers", "verify"},
    "cards": {"epub"},
    "epub": {"diagrams"},
    "pandoc": {"epub"},
    "diagrams": set[str](),
    "moving": {"git"},
    "repair": set[str](),
    "doctor": {"git", "starting"},
    "git": set[str](),
    "starting": set[str](),
    "opening": set[str](),
    "explaining": {"starting"},
}
"""The features, and which others each may use. All may use the core, which uses none."""

CLI = frozenset(module for module in MODULES if module.startswith("commands/") or "/commands/" in module)
OUTPUT = frozenset(
    {
        "output/disk.py",
        "output/guarded.py",
        "output/lock.py",
        "output/renaming.py",
        "output/fingerprint.py",
        "output/staging.py",
    }
)
DISK = OUTPUT | {
    "features/pandoc/pandoc.py",  # looks where it is
    "engine/cache.py",
    "engine/outside_folders.py",  # asks where links lead
    "engine/file_stats.py",
    "engine/program.py",
    "engine/user_cache.py",
    "extensions.py",
    "project.py",
    "features/cards/anki.py",
    "features/verify/wording.py",
    "features/epub/epub.py",
    "features/importing/html/page.py",
    "features/git/repository.py",
    "sources/inside.py",
    "sources/yaml.py",  # files of the program
    "features/importing/outside.py",
    "sources/tree.py",
    "render/theme/theme.py",
    "features/repair/model.py",
    "features/starting/beginning.py",
    "features/starting/pages_address.py",
    "features/starting/wheel.py",
    "serve/files.py",
}
CLOCK = CLI | {"features/papers/web.py"}
NETWORK = frozenset({"features/papers/web.py", "features/papers/transfer.py"})
WORKERS = frozenset({"engine/workers.py"})
LIMITED = frozenset({"engine/sandboxed_process.py"})
SERVER = frozenset({"serve/server.py"})
LOOP = frozenset(
    {"serve/session.py", "serve/watch.py", "serve/words.py", "serve/own_pages.py"}
)  # they name files, look at their times, and read none
PATHS = frozenset(
    {
        "features/library/collection.py",
        "features/lsp/server.py",
        "features/mcp/answers.py",
        "features/mcp/server.py",
    }
)  # they name the folder of a collection, and read none
NOBODY: frozenset[str] = frozenset()
OUTSIDE = {
    "os": DISK | CLI | WORKERS | LIMITED,
    "pathlib.Path": DISK | {"build.py", "built.py", *CLI} | SERVER | LOOP | PATHS,
    **dict.fromkeys(("tempfile", "shutil", "glob", "fileinput", "mmap"), DISK),
    **dict.fromkeys(("httpx", "ssl", "urllib.request", "requests"), NETWORK),
    "socket": NETWORK | SERVER,
    **dict.fromkeys(("http", "socketserver"), SERVER),
    # two must not trust files that are younger than a tick, one tells how long a build took, one removes old caches,
    # one shows what takes more than a second
    "time": NETWORK
    | LIMITED
    | {
        "engine/file_stats.py",
        "output/fingerprint.py",
        "serve/session.py",
        "engine/user_cache.py",
        "commands/progress.py",
    },
    "ctypes": frozenset({"output/guarded.py"}),
    **dict.fromkeys(("fcntl", "msvcrt"), frozenset({"output/guarded.py", "output/lock.py"})),
    **dict.fromkeys(("random", "secrets", "uuid", "locale"), NOBODY),
    **dict.fromkeys(("resource", "faulthandler", "atexit"), LIMITED),
    "pickle": LIMITED | WORKERS,
    "subprocess": LIMITED
    | {"features/opening/commands/edit.py", "features/git/repository.py"}  # the second is the only one that starts git
    | {"features/starting/wheel.py", "features/pandoc/pandoc.py"},  # pip, for an editable installation; pandoc
    "multiprocessing": WORKERS,
    # each open page has a thread of the server; and a timer ends connections
    "threading": WORKERS
    | LIMITED
    | SERVER
    | {"serve/live_reload.py", "commands/progress.py", "commands/serve.py", "features/papers/transfer.py"},
    # which keep a picture or a ZIP file in memory
    "io": DISK
    | {"sources/pdf/picture.py", "markdown/figures/pixels.py", "features/epub/epub.py", "features/cards/anki.py"}
    | {"features/verify/table_files.py", "features/diagrams/plot.py"},  # rows of CSV
    "sqlite3": frozenset({"engine/cache.py"}),
    "sys": CLI
    | WORKERS
    | LIMITED
    | {
        "engine/program.py",
        "extensions.py",
        "output/guarded.py",
        "output/lock.py",
        "features/starting/wheel.py",
    },
    "click": CLI,
}
"""Names of the outside world, and the modules that may import them."""
CALLS = {
    **dict.fromkeys(("open", "input", "print", "breakpoint", "exec", "eval"), NOBODY),
    **dict.fromkeys(
        (".echo", ".secho"), frozenset({"commands/terminal.py"})
    ),  # which lets through what no terminal obeys
    **dict.fromkeys((".today", ".now", ".utcnow"), CLOCK),
    **dict.fromkeys((".read_text", ".read_bytes", ".write_bytes", ".mkdir", ".unlink", ".iterdir", ".rglob"), DISK),
    ".write_text": DISK | {"commands/help.py"},  # Click calls it that when a paragraph is added to the help
}
"""Calls that touch it, and the modules that may make them."""
WRAPPED = {
    "jinja2": {"render/theme/templates.py"},
    "nh3": {"markdown/sanitise.py"},
    "opencc": {"render/search/folding.py"},
    "babel": {"languages/language.py"},
    "brotli": {"render/theme/font_subset.py"},
    "uharfbuzz": {"render/theme/font_subset.py"},
    "math_core": {"markdown/math/convert.py"},
    "pygments": {"markdown/syntax/code.py"},
    "merman": {"features/diagrams/mermaid.py"},
    "vl_convert": {"features/diagrams/vega.py"},
    "genanki": {"features/cards/anki.py"},
    "mcp": {"features/mcp/server.py"},
    "pygls": {"features/lsp/server.py"},
    "pypandoc": {"features/pandoc/pandoc.py"},
    "lsprotocol": {"features/lsp/server.py"},
    "bibtexparser": {"corpus/bibliography/from_bibtex.py"},
    "pylatexenc": {"corpus/bibliography/tex.py"},
    "pymupdf": {"sources/pdf/document.py"},
    "PIL": {"sources/pdf/picture.py", "markdown/figures/pixels.py"},  # one writes pictures, one reads them
    "pydantic": {
        "corpus/schema.py",
        "corpus/validate.py",
    },
    "pydantic_core": {
        "corpus/schema.py",
        "corpus/validate.py",
    },
    "watchfiles": {"serve/watch.py"},
    "msgspec": {"engine/cache.py", "features/library/values.py", "values.py"},
    "platformdirs": {"engine/user_cache.py"},
    "yaml": {
        "sources/yaml.py",
        "sources/yaml_edit.py",
        "features/papers/scaffold.py",
        "features/lists/documents.py",
    },
}
"""Dependencies, each wrapped in one module."""


class Facts(NamedTuple):
    """What the tests ask about a module; hundreds of syntax trees would only slow down the collection of garbage."""

    docstring: str | None
    imports: tuple[str, ...]
    """Full names: `paper_notes.corpus.model.Text`, `os`."""
    at_top: tuple[str, ...]
    """Those of them that are imported from a module, outside of functions."""
    calls: tuple[tuple[int, str], ...]
    """The line, and `name` or `.method`."""
    state: tuple[int, ...]
    """Lines with `global`, or with a list or a set in a variable of the module."""
    named: tuple[str, ...]
    """Variables of the module, as often as they get a value."""


_LEAVES = (ast.Name, ast.Constant, ast.expr_context, ast.operator, ast.cmpop, ast.alias, ast.arg)
"""Nodes that have nothing of interest below them."""


@cache
def facts(module: str) -> Facts:
    tree = ast.parse((PACKAGE / module).read_text("utf-8"))
    imports, at_top, calls = list[str](), list[str](), list[tuple[int, str]]()
    state = [
        node.lineno for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.List | ast.Set)
    ]
    nodes: list[tuple[ast.AST, bool]] = [(tree, False)]
    for node, is_inside in nodes:  # which grows: nodes and whether they are in a function
        deeper = is_inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        nodes += [(child, deeper) for child in ast.iter_child_nodes(node) if not isinstance(child, _LEAVES)]
        if isinstance(node, ast.Import):
            imports += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            imports += names
            at_top += names if not is_inside else ()
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            calls.append((node.lineno, node.func.id))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            calls.append((node.lineno, f".{node.func.attr}"))
        elif isinstance(node, ast.Global):
            state.append(node.lineno)
    named = tuple(target for node in tree.body for target in _targets(node))
    return Facts(ast.get_docstring(tree), tuple(imports), tuple(at_top), tuple(calls), tuple(state), named)


def modules_of(part: str) -> list[str]:
    return [module for module in MODULES if module.partition("/")[0] == part]


def stage_of(module: str) -> str:
    return module.removesuffix(".py").split("/")[0]


def ours(module: str) -> Iterator[list[str]]:
    """What a module imports of the package, as parts of full names without `paper_notes`."""
    for name in facts(module).imports:
        first, *parts = name.split(".")
        if first == "paper_notes":
            yield parts if parts[0] in TOP else ["__init__", *parts]


def test_every_module_has_its_stage() -> None:
    known = {name for stage in STAGES for name in stage} | BESIDE.keys() | {"features"}
    assert {stage_of(module) for module in MODULES} <= known
    assert {path.name for path in (PACKAGE / "features").iterdir() if path.is_dir() and path.name[0] != "_"} == {
        *FEATURES
    }


def test_the_core_imports_from_earlier_stages_and_no_feature() -> None:
    order = [name for stage in STAGES for name in stage]
    for module in MODULES:
        here = stage_of(module)
        if here == "features":
            continue
        allowed = BESIDE[here] | {here} if here in BESIDE else set(order[: order.index(here) + 1])
        allowed |= BESIDE.keys() if here == "commands" else set()
        for parts in ours(module):
            assert parts[0] in allowed, f"{module} imports {'.'.join(parts)}"


def test_a_feature_uses_the_core_and_the_features_that_its_row_names() -> None:
    for module in MODULES:
        _, feature, *_ = (*module.split("/"), "")
        if stage_of(module) == "features" and feature != "__init__.py":
            used = {parts[1] for parts in ours(module) if parts[0] == "features"} - {feature}
            assert used <= FEATURES[feature], f"{module} uses {used - FEATURES[feature]}"


def test_the_proof_of_an_import_knows_nothing_of_the_importer() -> None:
    proof = [module for module in MODULES if module.startswith("features/importing/proof/")]
    assert len(proof) > 3
    for module in proof:
        used = {".".join(parts) for parts in ours(module) if parts[0] == "features"}
        assert all(name.startswith("features.importing.proof.") for name in used), f"{module} uses {used}"


def test_features_use_each_other_in_no_circle() -> None:
    order = TopologicalSorter(FEATURES)
    assert {*order.static_order()} == {*FEATURES}


def test_modules_import_each_other_in_no_circle() -> None:
    """At their tops, also for types alone: what needs each other is one module, or has its names in the wrong one."""
    names = {module.removesuffix(".py").removesuffix("/__init__").replace("/", "."): module for module in MODULES}
    needs = {name: {found for found in _named(module, names) if found != name} for name, module in names.items()}
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def _named(module: str, names: Mapping[str, str]) -> Iterator[str]:
    """The modules of the package that a module imports outside of its functions."""
    for name in facts(module).at_top:
        full = name.removeprefix("paper_notes.")
        yield from [name for name in (full, full.rpartition(".")[0]) if name in names][:1]


def reaches(name: str, wanted: str) -> bool:
    return name == wanted or name.startswith(f"{wanted}.")


@pytest.mark.parametrize("part", PARTS)
def test_only_the_shell_touches_the_world(part: str) -> None:
    for module in modules_of(part):
        for name in facts(module).imports:
            for wanted, allowed in {**OUTSIDE, **WRAPPED}.items():
                assert not reaches(name, wanted) or module in allowed, f"{module} imports {name}"
        for line, called in facts(module).calls:
            assert called not in CALLS or module in CALLS[called], f"{module}:{line} calls {called}"


@pytest.mark.parametrize("part", PARTS)
def test_modules_are_small_and_named_for_what_they_do(part: str) -> None:
    for module in modules_of(part):
        assert len((PACKAGE / module).read_text("utf-8").splitlines()) <= 700, module
        assert not re.search(r"util|helper|common|misc|manager|tools", Path(module).name), module
        assert facts(module).docstring, f"{module}: a module says in its docstring what it is for"


@pytest.mark.parametrize("part", PARTS)
def test_no_state_at_module_level(part: str) -> None:
    """No `global`, and no lists or dicts in variables that code could fill."""
    for module in modules_of(part):
        assert facts(module).state == (), f"{module}: no `global`; use a tuple or a frozenset"


@pytest.mark.parametrize("part", PARTS)
def test_a_module_gives_no_name_twice(part: str) -> None:
    """The first value would be lost for all functions of the module, as where two modules become one."""
    for module in modules_of(part):
        named = Counter(facts(module).named)
        assert [name for name, count in named.items() if count > 1 and name != "_"] == [], module


def _targets(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name))


def test_the_build_is_read_in_a_minute() -> None:
    text = (PACKAGE / "build.py").read_text("utf-8")
    assert len(text.splitlines()) <= 130
    names = ["read_tree(", "load(", "render_bodies(", "SiteMaker(", "compare("]
    assert _are_in_order(names, text[text.index("\ndef _build(") :])
    files = (PACKAGE / "site_files.py").read_text("utf-8")
    assert _are_in_order(["render_pages(", "indexes(", "check("], files[files.index("def _made(") :])


def _are_in_order(names: list[str], text: str) -> bool:
    places = [re.search(rf"[ (]{re.escape(name)}", text) for name in names]
    starts = [place.start() for place in places if place]
    return len(starts) == len(names) and starts == sorted(starts)


ARCHITECTURE, CONTRIBUTING = ((PROJECT / f"{name}.md").read_text("utf-8") for name in ("ARCHITECTURE", "CONTRIBUTING"))


def test_every_part_of_the_package_is_in_the_architecture() -> None:
    named = set(re.findall(r"`([\w/]+(?:\.py|/))`", ARCHITECTURE))
    parts = {path.name if path.is_file() else f"{path.name}/" for path in PACKAGE.iterdir()}
    missing = {part for part in parts if part.endswith((".py", "/"))} - named - {"__init__.py", "__pycache__/"}
    assert not missing


@pytest.mark.parametrize("text", [ARCHITECTURE, CONTRIBUTING], ids=["architecture", "contributing"])
def test_what_the_pages_for_developers_name_is_there(text: str) -> None:
    paths = {path for path in re.findall(r"`([\w/*]+(?:\.\w+|/))`", text) if "/" in path or path.endswith(".py")}
    assert len(paths) > 5
    for path in paths - {"assets/css/parts/NN-name.css", "site/.manifest"}:
        assert any(any(base.glob(path)) for base in (PROJECT, PACKAGE)), path
    for name in re.findall(r"\b[a-z_.]+\.[a-z_]+\b", text):
        module, _, function = name.rpartition(".")
        if function != "py" and (path := PACKAGE / f"{module.replace('.', '/')}.py").is_file():
            assert f"def {function}(" in path.read_text("utf-8"), name
