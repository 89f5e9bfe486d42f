"""Kills builds with all their processes at random moments, and checks what they leave.

After each kill every file of the site is, byte for byte, the old or the new one, and nothing else is there. The next
build makes the new site. From the shell: `PYTHONPATH=tests python tests/safe/killing.py --rounds 500 --seed 1`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Self

from cold import ColdBuilds
from living import ORDINARY, new_collection, part, pdf, put_back, sources_of
from running import PROJECT, files_of

from paper_notes.engine.user_cache import cache_folder
from paper_notes.output.staging import TEMPORARY

MANIFEST = "site/.manifest"
KEPT_PICTURES = "notes_src/crops/"
KEPT = {"build.lock", "cache.sqlite", "collection"}
"""All that may be in the folder of the cache when a build has ended."""
LONGEST = 60
"""Seconds that a build may take."""


class Builds:
    """`paper-notes build`, again and again, each time in processes of its own."""

    def __init__(self, place: Path) -> None:
        """`place` is a folder for the output, and for a first build."""
        self._errors = place / "stderr.txt"
        self._place = place

    def __enter__(self) -> Self:
        env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(PROJECT), str(PROJECT / "tests")])}
        with self._errors.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, Path(__file__).with_name("killable.py"), self._place / "imports"],
                env=env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
            )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=LONGEST)

    def start(self, kind: str, moment: int, root: Path, jobs: str) -> int:
        """Start a build, and return the id of its process group."""
        arguments = ["build", "--root", str(root), "--jobs", jobs]
        assert self._process.stdin
        self._process.stdin.write(json.dumps([kind, moment, str(root), arguments]).encode() + b"\n")
        return int(self.line())

    def line(self, seconds: float = LONGEST) -> str:
        """The next line: `now`, or `end` and the exit status; empty after `seconds`."""
        assert self._process.stdout
        ready, _, _ = select.select([self._process.stdout], [], [], seconds)
        return self._process.stdout.readline().decode().strip() if ready else ""

    @property
    def said(self) -> str:
        """The end of the output on stderr."""
        return self._errors.read_text("utf-8")[-2000:]


class Killing:
    """A collection whose builds are killed."""

    def __init__(self, place: Path, cold: ColdBuilds, builds: Builds, seed: int) -> None:
        self._dice, self._cold, self._builds = random.Random(seed), cold, builds
        self.root = new_collection(place / "collection")
        self._taken = {True: 0.5, False: 0.5}
        """Seconds that a build takes, without and with a cache."""
        self.hit: Counter[str] = Counter()
        """Number of kills by moment."""

    def round(self) -> str:
        """Edit, kill once or twice, check, build. The result says what is wrong; empty if nothing."""
        dice, root = self._dice, self.root
        kind = dice.choice(("first", "warm", "warm", "warm", "cold", "cold"))
        if kind != "warm":
            shutil.rmtree(cache_folder(root), ignore_errors=True)
        if kind == "first":
            shutil.rmtree(root / "site", ignore_errors=True)
        old = whole(root)
        edited, new = self._edit()
        for _ in range(dice.choice((1, 1, 1, 2))):
            self._kill(old, new, cold=kind != "warm")
            if problem := look(old, whole(root), new):
                return f"{edited}, {kind}: {problem}"
        return f"{edited}, {kind}: {problem}" if (problem := self._recover(new, cold=kind != "warm")) else ""

    def _edit(self) -> tuple[str, dict[str, bytes]]:
        """What was edited, and all files as they must be after a build."""
        before = sources_of(self.root)
        while True:
            edits = self._dice.choices((*ORDINARY, pdf, part, part), k=self._dice.choice((1, 2, 4)))
            said = "; ".join(edit(self._dice, self.root) for edit in edits)
            copy, _ = self._cold.of(self.root)
            if (copy / "site").exists():
                return said, whole(copy)
            put_back(self.root, before)

    def _recover(self, new: dict[str, bytes], *, cold: bool) -> str:
        """The next build, which nobody kills."""
        start = time.monotonic()
        self._builds.start("go", 0, self.root, self._dice.choice("12"))
        if (end := self._builds.line()) != "end 0":
            return f"the next build: {end or 'takes too long'}: {self._builds.said}"
        self._taken[cold] = time.monotonic() - start
        if (now := whole(self.root)) != new:
            return f"the next build does not make the new site: {differing(now, new)}"
        left = {path.name for path in cache_folder(self.root).iterdir()} - KEPT
        return f"left beside the cache: {left}" if left else ""

    def _kill(self, old: dict[str, bytes], new: dict[str, bytes], *, cold: bool) -> None:
        """Kill a build at any time, or as a certain file is moved to its place, from inside or from outside."""
        dice = self._dice
        how = dice.choice(("any", "any", "die", "tell"))
        writes = len(differing(whole(self.root), new)) + 1
        group = self._builds.start(
            "go" if how == "any" else how, dice.randrange(1, writes + 1), self.root, dice.choice("12")
        )
        line = self._builds.line(dice.uniform(0, self._taken[cold] * 1.05) if how == "any" else LONGEST)
        if line == "now":
            time.sleep(dice.uniform(0, 0.003))
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
        end = line if line.startswith("end") else self._builds.line()
        now = whole(self.root)
        when = "before the first file" if now == old else "after the last file" if now == new else "between files"
        self.hit["too late" if end == "end 0" else when] += 1


def look(old: dict[str, bytes], now: dict[str, bytes], new: dict[str, bytes]) -> str:
    """Files that are neither as before nor as wanted."""
    for name in now.keys() | old.keys() | new.keys():
        if name.startswith(KEPT_PICTURES) and TEMPORARY in name:
            continue  # the next command removes it
        allowed = {old.get(name), new.get(name)}
        if name == MANIFEST:
            allowed.add(widened(old, new))
        if now.get(name) not in allowed:
            return f"after a kill {name} is {'gone' if name not in now else 'neither old nor new'}"
    return ""


def whole(root: Path) -> dict[str, bytes]:
    """The site, the kept pictures and the README: all that a build may write."""
    files = {
        f"{folder}{name}": data for folder in ("site/", KEPT_PICTURES) for name, data in files_of(root / folder).items()
    }
    return {**files, "README.md": (root / "README.md").read_bytes()}


def widened(old: dict[str, bytes], new: dict[str, bytes]) -> bytes:
    """The manifest while files are being deleted: it still lists those."""
    gone = [name for name in old.get(MANIFEST, b"").decode().splitlines() if name in old]
    return "".join(f"{name}\n" for name in sorted({*gone, *new[MANIFEST].decode().splitlines()})).encode()


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def main() -> None:
    """Kill many builds, and say when they were killed, and what went wrong, which is left on disk."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    place = Path(tempfile.mkdtemp(prefix="killing-"))
    start = time.monotonic()
    with ColdBuilds(place) as cold, Builds(place) as builds:
        tried = Killing(place, cold, builds, options.seed)
        for number in range(options.rounds):
            if problem := tried.round():
                sys.exit(f"round {number}: {problem}\nlook into {place}")
    shutil.rmtree(place)
    hits = ", ".join(f"{count} {when}" for when, count in tried.hit.most_common())
    print(f"{options.rounds} rounds in {time.monotonic() - start:.0f} s; killed: {hits}")  # noqa: T201


if __name__ == "__main__":
    main()
