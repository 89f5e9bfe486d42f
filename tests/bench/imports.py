"""What an import costs, beside the first build of what it made, whose notes it has rendered and proven already.

Run it with `make bench` or `python tests/bench/imports.py --notes 300 3750 [--html FOLDER]`. A ratio to the build of
the same notes without a cache says more than seconds of a busy machine. With `lossy`, the page of one note lacks a
word, as if a reader had a fault.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from foreign_notes import make_folder
from measuring import Cost, adopt_orphans, cost_of

from paper_notes.engine.user_cache import cache_folder

US = (sys.executable, "-m", "paper_notes")
LOSING = """
import sys
from paper_notes.commands import run
from paper_notes.features.importing import page_proof
whole = page_proof.note_html
page_proof.note_html = lambda *work: whole(*work).replace("quokka", "")
run()
"""
"""The program, whose pages lack a word; processes that are forked have it so, too."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, nargs="+", default=[300])
    parser.add_argument("--html", type=Path, help="a folder of HTML notes, imported as well")
    asked = parser.parse_args()
    adopt_orphans()
    head = (
        f"{'notes':>12} {'wall':>8} {'processors':>11} {'a note':>9} {'memory':>8} {'of a cold build':>16}  at most\n"
    )
    sys.stdout.write(head)
    with tempfile.TemporaryDirectory() as scratch:
        for count in asked.notes:
            notes = make_folder(Path(scratch, f"notes-{count}"), count)
            cold = _row(f"{count}", notes, count)
            last = sorted(notes.glob("*/*.md"))[count // 2]
            last.write_text(last.read_text("utf-8") + "\n## Animals\n\nA quokka is no wallaby.\n", "utf-8")
            _row(f"{count} lossy", notes, count, cold)
            shutil.rmtree(notes)
        if asked.html:
            _row("HTML", asked.html.resolve(), sum(1 for _ in asked.html.rglob("*.htm*")), most=15 / 81)


def _row(name: str, notes: Path, count: int, cold: Cost | None = None, most: float = 60 / 3750) -> Cost:
    """Import the notes into a new collection, tell what it cost, and give the cost of the build without a cache.

    `most`: seconds that one note may take.
    """
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        subprocess.run([*US, "init", root], check=True, capture_output=True)
        shutil.rmtree(root / "notes_src" / "reading", ignore_errors=True)
        program = US if cold is None else (sys.executable, "-c", LOSING)
        cost = cost_of(
            [*program, "import", str(notes), "--root", str(root), "--offline"], root, may_fail=cold is not None
        )
        if cold is None:
            shutil.rmtree(cache_folder(root), ignore_errors=True)
            cold = cost_of([*US, "build", "--root", str(root)], root)
        shutil.rmtree(cache_folder(root), ignore_errors=True)
    cells = f"{cost.wall:6.1f} s {cost.cpu:9.1f} s {1000 * cost.cpu / count:6.1f} ms {cost.memory / 2**20:5.0f} MB"
    sys.stdout.write(f"{name:>12} {cells} {cost.cpu / cold.cpu:14.2f} x  {most * count:.1f} s wall\n")
    sys.stdout.flush()
    return cold


main()
