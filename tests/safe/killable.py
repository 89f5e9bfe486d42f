"""Runs `paper-notes`, each time in a process group of its own that can be stopped at a certain moment.

For each line of JSON on stdin, `[kind, moment, root, arguments]`, it writes the id of the process, and `end` with its
status when that has ended. The moment counts the files that were moved into `site/` or to the kept pictures, or removed
there: before that one, `die` kills the whole group, `tell` writes the line `now` and goes on, and `go` does nothing.
Other processes do work from the second note on; templates are compiled once for all.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import sys
from itertools import count
from pathlib import Path

import pytest
from conftest import share_compiled_templates
from running import built, collection

from paper_notes.commands import main
from paper_notes.commands.build import run_build as _imports  # noqa: F401
from paper_notes.engine import workers

WRITING = {"os.rename": 1, "os.link": 1, "os.remove": 0, "os.rmdir": 0}
"""Audit events of Python, and which of their arguments is the file."""


def watch(kind: str, moment: int, root: str) -> None:
    """Kill the group, or report, at the moment."""
    inside, counted = tuple(f"{Path(root, name)}{os.sep}" for name in ("site", "notes_src/crops")), count(1)

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event not in WRITING or not str(arguments[WRITING[event]]).startswith(inside) or next(counted) != moment:
            return
        if kind == "die":
            os.killpg(0, signal.SIGKILL)
        os.write(1, b"now\n")

    sys.addaudithook(hook)


def run(kind: str, moment: int, root: str, arguments: list[str]) -> None:
    """In a process of its own: `paper-notes` with these arguments."""
    os.setsid()
    os.write(1, b"%d\n" % os.getpid())
    if kind != "go":
        watch(kind, moment, root)
    main(arguments)


if __name__ == "__main__":
    workers.FEW = workers.PART = 2
    share_compiled_templates(pytest.MonkeyPatch())
    built(collection("bilingual", Path(sys.argv[1])))  # all is imported, and all templates are compiled
    for line in sys.stdin:
        if child := os.fork():
            _, status = os.waitpid(child, 0)
            os.write(1, b"end %d\n" % status)
            continue
        status = 1
        try:
            run(*json.loads(line))
            status = 0
        except SystemExit as end:
            status = int(end.code or 0)
        finally:
            atexit._run_exitfuncs()  # as a program that ends by itself does; `os._exit` skips them
            os._exit(status)
