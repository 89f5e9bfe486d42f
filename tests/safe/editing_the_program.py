"""Edits a copy of the program at random, and builds a collection with all that is remembered, and from nothing.

Both must make the same site and say the same. Each build is a process of its own, as after an upgrade. From the shell:
`PYTHONPATH=tests python tests/safe/editing_the_program.py --edits 200 --seed 1`.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from living import EDITS, new_collection, put_back, sources_of
from running import PROJECT, files_of

CHANGES: tuple[tuple[str, str, str], ...] = (
    ("paper_notes/languages/zh.yaml", "paper: 论文精读", "paper: 论文细读"),
    ("paper_notes/languages/en.yaml", "name: English", "name: ENGLISH"),
    ("templates/macros.html", 'class="no"', 'class="no own"'),
    ("templates/home.html", "<h1>", '<h1 class="own">'),
    ("assets/css/10-base.css", "font-weight:650", "font-weight:660"),
    ("assets/script.js", "let rows = []", "let ours, rows = []"),
    ("paper_notes/corpus/paper.py", '" and ".join(families)', '" & ".join(families)'),
    ("paper_notes/corpus/bibliography/from_bibtex.py", "venue=_venue(fields)", "venue=_venue(fields).upper()"),
    ("paper_notes/render/labels.py", '{max(1, round(count / 1000))} KB"', '{max(1, round(count / 1000))} kB"'),
    ("paper_notes/render/labels.py", "WORDS_PER_MINUTE = 180", "WORDS_PER_MINUTE = 2"),
    ("paper_notes/markdown/syntax/components.py", '<figure class="quote{', '<figure class="own quote{'),
    ("paper_notes/markdown/syntax/cjk.py", "return len(_WORD.findall(text))", "return 1 + len(_WORD.findall(text))"),
    ("paper_notes/document/write.py", "(f\"| {' | '.join([*row", "(f\"|  {' | '.join([*row"),
    ("paper_notes/indexes/published.py", '"<title>{}</title>").format(note', '"<title>{}!</title>").format(note'),
    ("paper_notes/citation/formats.py", 'yield "AN", f"arXiv:', 'yield "AN", f"arxiv:'),
    ("paper_notes/render/crops.py", "DENSITY = 2", "DENSITY = 1"),
)
"""A file of the program, and a change of it that the site shows."""


class EditedProgram:
    """A collection, and a copy of the program that builds it."""

    def __init__(self, place: Path, seed: int, *, pdf: bool = True) -> None:
        """The collection has no PDF if it should not: then all builds are faster."""
        self._place, self._dice = place, random.Random(seed)
        self._copy = place / "program"
        for folder in ("paper_notes", "templates", "assets"):
            shutil.copytree(PROJECT / folder, self._copy / folder)  # with what Python has compiled
        self.root = new_collection(place / "collection", pdf=pdf)
        self._good = sources_of(self.root)
        self.refused = 0

    def begin(self) -> int:
        """Build for the first time, which remembers all; the exit code."""
        return self._build(self.root, self._place / "kept")[0]

    def step(self, *changes: tuple[str, str, str]) -> tuple[str, str]:
        """What was edited now, and what is wrong with what was built after it."""
        dice = self._dice
        put_back(self.root, self._good)
        edited = [self._edit(change) for change in changes or (None,)]
        if not changes and dice.random() < 0.5:
            edited.append(dice.choice(EDITS)(dice, self.root))
        kept, nothing = self._place / "kept", self._place / "nothing"
        fresh = self._place / "fresh" / "collection"
        shutil.rmtree(nothing, ignore_errors=True)
        shutil.rmtree(fresh, ignore_errors=True)
        code, said = self._build(self.root, kept)
        shutil.copytree(self.root, fresh, ignore=shutil.ignore_patterns("site"))
        expected_code, expected = self._build(fresh, nothing)
        if (code, said) != (expected_code, expected):
            return "; ".join(edited), f"said {code}: {said}\nfrom nothing {expected_code}: {expected}"
        if code:
            self.refused += 1
            return "; ".join(edited), ""
        self._good = sources_of(self.root)
        made, wanted = files_of(self.root / "site"), files_of(fresh / "site")
        wrong = sorted(name for name in made.keys() | wanted.keys() if made.get(name) != wanted.get(name))
        return "; ".join(edited), ", ".join(wrong)

    def _edit(self, change: tuple[str, str, str] | None) -> str:
        """Make a change, or take it back; or add a comment, which changes nothing that anybody sees."""
        if change is None and self._dice.random() < 0.2:
            path = self._dice.choice(sorted((self._copy / "paper_notes").rglob("*.py")))
            path.write_text(f"{path.read_text('utf-8')}# {self._dice.random()}\n", "utf-8")
            return f"a comment in {path.name}"
        name, old, new = change or self._dice.choice(CHANGES)
        path = self._copy / name
        text = path.read_text("utf-8")
        there, wanted = (old, new) if old in text and new not in text else (new, old)
        assert there in text, f"{name} has neither {old!r} nor {new!r}: bring CHANGES up to date"
        path.write_text(text.replace(there, wanted), "utf-8")
        return f"{wanted!r} in {name}"

    def _build(self, root: Path, caches: Path) -> tuple[int, Sequence[str]]:
        command = [sys.executable, "-m", "paper_notes", "build", "--root", str(root), "--jobs", "1", "--adopt"]
        env = {**os.environ, "PYTHONPATH": str(self._copy), "PAPER_NOTES_CACHE": str(caches), "NO_COLOR": "1"}
        env["PYTHONDONTWRITEBYTECODE"] = "1"  # of two edits in a second it sees one
        done = subprocess.run(command, env=env, capture_output=True, encoding="utf-8", check=False, cwd=self._place)
        lines = [line.replace(str(root), "ROOT") for line in done.stderr.splitlines() if ": error[" in line]
        return done.returncode, [*lines, *(line for line in done.stderr.splitlines() if ": warning[" in line)]


def main() -> None:
    """Try many edits, and say what went wrong: what was built is left to be looked at."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    place, start = Path(tempfile.mkdtemp(prefix="edited-program-")), time.monotonic()
    tried = EditedProgram(place, options.seed)
    for number in range(options.edits):
        edited, problem = tried.step()
        if problem:
            sys.exit(f"edit {number}: {edited}\n{problem}\nlook into {place}")
    shutil.rmtree(place)
    print(f"{options.edits} edits, {tried.refused} refused: {time.monotonic() - start:.0f} s")  # noqa: T201


if __name__ == "__main__":
    main()
