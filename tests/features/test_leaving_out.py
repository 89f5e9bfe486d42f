"""Each feature can be left out: without its folder and its row, the rest builds and answers as before."""

from __future__ import annotations

import subprocess
import sys

import pytest
from running import COMPILED, PROJECT

from paper_notes.features import FEATURES

SITE = PROJECT / "tests/sites/minimal"
WITHOUT = """
import importlib.abc, os, sys

import click
import paper_notes.features as table
import paper_notes.render.theme.templates as templates
from jinja2 import FileSystemBytecodeCache
from paper_notes.commands import main
from paper_notes.commands import check, schema  # once for all: no feature is imported yet

assert not [name for name in sys.modules if name.startswith("paper_notes.features.")]


class Missing(importlib.abc.MetaPathFinder):
    def __init__(self, names):
        self.names = tuple(f"paper_notes.features.{name}" for name in names)

    def find_spec(self, name, path, target=None):
        if name.startswith(self.names):
            raise ModuleNotFoundError(f"{name} was left out")


def use(root, names):
    sys.meta_path.insert(0, Missing(names))
    table.FEATURES = tuple(feature for feature in table.FEATURES if feature.name not in names)
    main(["check", "--json", "--root", root], standalone_mode=False)
    main(["schema", "note", "--root", root], standalone_mode=False)
    assert not {name for feature in table.FEATURES for name in feature.commands} - {*main.list_commands(None)}


root, compiled, *several = sys.argv[1:]
templates._Code.load_bytecode = lambda _, bucket: kept.load_bytecode(bucket)
templates._Code.dump_bytecode = lambda _, bucket: kept.dump_bytecode(bucket)
kept = FileSystemBytecodeCache(compiled)  # once for all
for names in several:
    child = os.fork()
    if not child:
        try:
            use(root, names.split(","))
        except BaseException as error:
            print(f"without {names}: {error!r}", file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.mark.nightly
def test_without_any_one_feature_and_without_all_of_them_the_rest_builds_and_answers() -> None:
    names = [feature.name for feature in FEATURES]
    command = [sys.executable, "-c", WITHOUT, str(SITE), COMPILED, *names, ",".join(names)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr.splitlines() == ["1 note: nothing is wrong."] * (len(names) + 1)
