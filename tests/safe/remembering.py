"""Edits a collection at random, and builds it after each edit with the cache and without.

Both must give the same site and the same diagnostics. From the shell, to try many:
`PYTHONPATH=tests python tests/safe/remembering.py --edits 400 --seed 1`.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import pytest
from cold import ColdBuilds, as_if_large, reported
from living import EDITS, Edit, new_collection, put_back, sources_of
from running import files_of

from paper_notes.build import Build, update
from paper_notes.diagnostics import has_errors
from paper_notes.engine.cache import open_cache
from paper_notes.output.disk import MANIFEST
from paper_notes.output.fingerprint import unchanged

FOREIGN, README = "mine.txt", "README.md"


class Remembering:
    """A collection that is built again and again."""

    def __init__(
        self, place: Path, cold: ColdBuilds, seed: int, edits: tuple[Edit, ...] = (), *, keep_going: float = 0.4
    ) -> None:
        """Edit at random by the seed, or with these edits one after the other; some builds keep going, or all (1)."""
        self._keep_going = keep_going
        self._edits = iter((beginning, *edits)) if edits else None
        self._dice, self._cold = random.Random(seed), cold
        self.root = new_collection(place / "collection")
        (self.root / "site").mkdir()
        self._kept = open_cache(self.root)
        """A cache that stays open, as in `serve`, while others build, too."""
        self._good = sources_of(self.root)
        self._stopped = False
        self.refused = 0
        """Number of builds with errors: then nothing may be written."""
        self.marked = 0
        """Number of builds that marked errors."""
        self.spared = 0
        """Number of builds that were skipped, by the stats of all files."""

    def close(self) -> None:
        self._kept.close()

    def step(self) -> tuple[str, str]:
        """Edit and build once: what was edited, and what is wrong with the build."""
        dice, root = self._dice, self.root
        if self._edits:
            edited = [next(self._edits)(dice, root)]
        elif self._stopped and dice.random() < 0.7:
            put_back(root, self._good)
            edited = ["what was there before the mistake"]
        else:
            edits = dice.choices(EDITS, k=dice.choice((1, 1, 1, 2, 4)))
            edited = [said for edit in edits if (said := edit(dice, root))]
        return "; ".join(edited), self._compare()

    def _updated(self, *, keep_going: bool) -> Build:
        """The site after the edits; now and then one with drafts is made before, as `serve` does."""
        cache = self._kept if self._dice.random() < 0.5 else None
        if self._dice.random() < 0.2:
            update(self.root, jobs=1, cache=self._kept, drafts=True)
        return update(self.root, jobs=1, cache=cache, keep_going=keep_going)

    def _compare(self) -> str:
        root = self.root
        (root / "site").mkdir(exist_ok=True)
        if not (root / "site" / FOREIGN).exists():
            (root / "site" / FOREIGN).write_text("mine", "utf-8")
        keep_going = self._dice.random() < self._keep_going
        copy, expected = self._cold.of(root, keep_going=keep_going)
        before, owned = files_of(root / "site"), read(root)
        with closing(open_cache(root)) as cache:
            seen = unchanged(root, cache)
        if seen:
            self.spared += 1
            if problem := _different(expected, reported(seen.diagnostics), "what is said of a build that is spared"):
                return problem
        made = self._updated(keep_going=keep_going)
        if problem := _different(expected, reported(made.diagnostics), "what is said"):
            return problem
        self._stopped = made.plan is None
        if made.plan is None:
            self.refused += 1
            return _files_differ(before, files_of(root / "site"), "with errors nothing is written")
        if seen and not made.plan.empty:
            return "a build was said to have nothing to do"
        if has_errors(made.diagnostics):
            self.marked += 1
            self._stopped = True
        else:
            self._good = sources_of(root)
        wanted = files_of(copy / "site")
        found = files_of(root / "site")
        if found.pop(FOREIGN, None) != before[FOREIGN]:
            return "a file of somebody else is gone"
        beside = (
            {**files_of(place / "notes_src/crops"), README: (place / README).read_bytes()} for place in (copy, root)
        )
        if problem := _files_differ(*beside, "the kept pictures and the README"):
            return problem
        lost = set(owned) & found.keys() - wanted.keys()
        return f"files that nobody wants any more: {lost}" if lost else _files_differ(wanted, found, "the site")


def beginning(dice: random.Random, root: Path) -> str:
    return "the beginning"


def read(root: Path) -> list[str]:
    """The files that the site's manifest lists, below the site."""
    manifest = root / MANIFEST
    lines = manifest.read_text("utf-8").splitlines() if manifest.exists() else []
    return [line.removeprefix("site/") for line in lines]


def _different(expected: list[str], found: list[str], what: str) -> str:
    if expected == found:
        return ""
    missing, more = [x for x in expected if x not in found], [x for x in found if x not in expected]
    return f"{what} differs: missing {missing}, too much {more}"


def _files_differ(expected: dict[str, bytes], found: dict[str, bytes], what: str) -> str:
    names = sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))
    return f"{what}: {len(names)} files differ, such as {names[:6]}" if names else ""


def main() -> None:
    """Try many edits, and print what went wrong: the two sites are left on disk."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--large", action="store_true", help="lists in parts, as in a collection of thousands")
    options = parser.parse_args()
    place = Path(tempfile.mkdtemp(prefix="remembering-"))
    start = time.monotonic()
    if options.large:
        as_if_large(pytest.MonkeyPatch())
    cold_builds = ColdBuilds(place, large=options.large)
    with cold_builds as cold, closing(Remembering(place, cold, options.seed)) as tried:
        for number in range(options.edits):
            edited, problem = tried.step()
            if problem:
                sys.exit(f"edit {number}: {edited}\n{problem}\nlook into {place}")
    shutil.rmtree(place)
    seconds = time.monotonic() - start
    builds = f"{tried.refused} refused, {tried.marked} marked, {tried.spared} with nothing to do"
    said = f"{options.edits} edits, {builds}: {seconds:.0f} s"
    print(said)  # noqa: T201


if __name__ == "__main__":
    main()
