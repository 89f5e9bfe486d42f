"""An editor that saves `library.bib`, `note.yaml` and README while `new` (twice), `sync` and `build` run.

Each save has a number, and must be in its file until the next one: the editor checks before it saves again, and so does
the end of each round. What a command wrote with exit 0 must be in a file, too, or in a text that the editor has
overwritten. Editors save in three ways, at random moments and just before and after a command moves a file to its
place.

From the shell: `PYTHONPATH=tests python tests/safe/racing.py --rounds 200 --seed 1`. `--prove` shows first that
the check can fail: if a file is compared and then replaced in two steps, saves are lost, and that is reported.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import re
import select
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
import yaml
from conftest import share_compiled_templates
from running import paper_notes, write

from paper_notes.commands import main
from paper_notes.output import guarded
from paper_notes.output.staging import TEMPORARY

BIB, NOTE, README = "notes_src/library.bib", "notes_src/rl/01_One/note.yaml", "README.md"
FILES = {
    BIB: "% save 0\n@misc{one, title={One}, author={Quill, Ada}, year=2020}\n",
    NOTE: "# save 0\ntitle: {zh: 一, en: One}\npapers: [one]\n",
    README: "save 0\n\n<!-- paper-notes:begin -->\n<!-- paper-notes:end -->\n",
}
OTHERS = {
    "notes_src/site.yaml": "title: {zh: 站, en: Site}\ntopics: [rl]\nreadme: true\n",
    "notes_src/rl/topic.yaml": "title: {zh: 题, en: Topic}\n",
    "notes_src/rl/01_One/zh.md": "## 动机\n\n一。\n",
    "notes_src/rl/01_One/en.md": "## Motivation\n\nOne.\n",
    "a.bib": "@misc{lin2024, title={A Bridge}, author={Lin, Ada}, year=2024}\n",
    "b.bib": "@misc{lin2024, title={B Cable}, author={Berg, Bo}, year=2024}\n",
}
WAYS = ("rename", "in place", "truncate")
SAVE = re.compile(r"(?<=save )\d+")
LONGEST = 60
"""Seconds that any step may take."""


class Editor:
    """Saves the files again and again, with a new number each time, and checks that the last one is still there."""

    def __init__(self, root: Path, dice: random.Random, patience: float) -> None:
        """`patience` is in seconds: a save may be missing for a moment, until it is put back."""
        self.root, self.dice, self.patience = root, dice, patience
        self.saved = dict.fromkeys(FILES, 0)
        """The number of the last save of each file."""
        self.overwritten: dict[str, list[str]] = {name: [] for name in FILES}
        """Texts that a save overwrote, and that were not those that the editor had read."""
        self.blind: set[str] = set()
        """Files of which it is not known what was overwritten."""
        self.lost: list[str] = []
        self.count: Counter[str] = Counter()

    def save(self, name: str) -> None:
        text = self.seen(name)
        number = self.saved[name] + 1
        way = self.dice.choice(WAYS)
        new = SAVE.sub(str(number), text, count=1).encode()
        {"rename": self._rename, "in place": self._in_place, "truncate": self._truncate}[way](name, text, new)
        self.saved[name] = number
        self.count[way] += 1

    def seen(self, name: str) -> str:
        """The text of a file, which must have the number of the last save."""
        end = time.monotonic() + self.patience
        while True:
            text = (self.root / name).read_text("utf-8")
            if (found := SAVE.search(text)) and int(found[0]) == self.saved[name]:
                return text
            if time.monotonic() > end:
                self.lost.append(f"save {self.saved[name]} of {name}: there is {text[:20]!r}")
                self.saved[name] = int(found[0]) if found else 0
                return text if found else FILES[name]

    def _rename(self, name: str, text: str, new: bytes) -> None:
        other = self.root / "editor.swp"
        other.write_bytes(new)
        guarded.exchange(other, self.root / name)  # a rename that returns what it replaced
        self._over(name, text, other.read_bytes())
        other.unlink()

    def _in_place(self, name: str, text: str, new: bytes) -> None:
        with (self.root / name).open("r+b") as file:
            old = file.read()
            self._pause()
            file.truncate(0)
            file.seek(0)
            file.write(new[:20])
            file.flush()
            self._pause()
            file.write(new[20:])
        self._over(name, text, old)

    def _truncate(self, name: str, text: str, new: bytes) -> None:
        with (self.root / name).open("rb") as before:
            old = before.read()
            with (self.root / name).open("wb") as file:
                if os.fstat(file.fileno()).st_ino != os.fstat(before.fileno()).st_ino:
                    self.blind.add(name)
                self._pause()
                file.write(new)
        self._over(name, text, old)

    def _over(self, name: str, text: str, old: bytes) -> None:
        if old != text.encode():
            self.overwritten[name].append(old.decode(errors="replace"))

    def _pause(self) -> None:
        time.sleep(self.dice.choice((0, 0, 0.0001, 0.001)))

    def work(self, requests: int, gap: float) -> None:
        """Save at random moments, and files whose index in FILES comes from the pipe, until the pipe is closed."""
        names = list(FILES)
        while True:
            ready, _, _ = select.select([requests], [], [], self.dice.uniform(0, gap))
            byte = os.read(requests, 1) if ready else None
            if byte == b"":
                return
            self.save(names[byte[0]] if byte else self.dice.choice(names))


class Racing:
    """One collection, reset before each round. In every fourth round no editor runs: then all commands must succeed."""

    def __init__(self, place: Path, seed: int, *, compare_only: bool = False) -> None:
        self._place, self._seed, self._compare_only = place, seed, compare_only
        self._dice, self._rounds = random.Random(seed), 0
        self.root = write(place / "collection", {**FILES, **OTHERS})
        self.count: Counter[str] = Counter()
        self._commands = {
            "new a": ["new", str(self.root / "a.bib"), "--topic", "rl", "--json"],
            "new b": ["new", str(self.root / "b.bib"), "--topic", "rl", "--json"],
            "sync": ["sync", "rl/1"],
            "build": ["build", "--jobs", "1"],
        }
        for arguments in self._commands.values():  # all is imported, and all templates are compiled
            assert paper_notes(*arguments, "--root", self.root).exit_code == 0
        gc.freeze()

    def round(self) -> str:
        """One round. The result says what is wrong; empty if nothing."""
        self._set_back()
        quiet = self._rounds % 4 == 1
        self._rounds += 1
        telling, gap = (
            (0, LONGEST) if quiet else (self._dice.choice((0, 0.3, 1)), self._dice.choice((0.003, 0.03, 0.3)))
        )
        requests, seed = os.pipe(), self._dice.randrange(2**30)
        editor = self._fork("editor", lambda: self._edit(requests, seed, gap))
        running = {
            name: self._fork(name, partial(self._run, name, requests[1], f"{seed} {name}", telling))
            for name in self._dice.sample(sorted(self._commands), len(self._commands))
        }
        status = {name: os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for name, child in running.items()}
        for end in requests:
            os.close(end)
        if os.waitpid(editor, 0)[1]:
            return f"the editor: {self._said('editor')}"
        report = json.loads(self._said("editor", "stdout"))
        self.count.update({f"saves: {way}": count for way, count in report["count"].items()})
        for name, code in status.items():
            self.count[f"{name}: {'written' if code == 0 else 'nothing written'}"] += 1
            if code not in (0, 1) or "bug of ours" in self._said(name):
                return f"{name} ends with {code}: {self._said(name)}"
            if quiet and code:
                return f"{name} fails, and nobody has edited anything: {self._said(name)}"
            self.count["refusals"] += "run the command again" in self._said(name)
            self.count["refusals: put back"] += "Put back." in self._said(name)
        return "; ".join(filter(None, (*report["lost"], *self._wrong(report, status))))

    def _wrong(self, report: dict[str, dict[str, list[str]]], status: dict[str, int]) -> list[str]:
        """What is wrong after all processes have ended."""
        root, wrong = self.root, []
        texts = {name: (root / name).read_text("utf-8") for name in FILES}
        for name, text in texts.items():
            if SAVE.findall(text)[:1] != [str(report["saved"][name])]:
                wrong.append(f"save {report['saved'][name]} of {name} is lost: {text[:20]!r}")

        def kept(name: str, words: str) -> bool:
            return any(words in text for text in (texts[name], *report["overwritten"][name])) or name in report["blind"]

        notes = sorted(root.glob("notes_src/rl/*/note.yaml"))
        papers = []
        for name in ("new a", "new b"):
            if status[name] == 0:
                made = json.loads(self._said(name, "stdout"))["created"]
                paper = yaml.safe_load((root / next(path for path in made if "note.yaml" in path)).read_text("utf-8"))
                papers += paper["papers"]
                wrong += [f"{name}: no {path}" for path in made if not (root / path).exists()]
        wrong += [f"the entry {paper} is lost" for paper in papers if not kept(BIB, f"{{{paper},")]
        if status["sync"] == 0 and not kept(NOTE, "\ntranslated:\n"):
            wrong.append("the block of `translated` is lost")
        if len(set(papers)) < len(papers) or len(notes) != 1 + len(papers):
            wrong.append(f"notes: {[str(note.parent.name) for note in notes]}, of papers {papers}")
        if len({note.parent.name[:2] for note in notes}) < len(notes):
            wrong.append(f"one number twice: {[str(note.parent.name) for note in notes]}")
        left = [str(path) for path in root.rglob(f"*{TEMPORARY}")]
        return wrong + [f"left: {left}"] * bool(left)

    def _set_back(self) -> None:
        for folder in (self.root / "notes_src/rl").glob("0[2-9]*"):
            shutil.rmtree(folder)
        write(self.root, FILES)

    def _edit(self, requests: tuple[int, int], seed: int, gap: float) -> None:
        os.close(requests[1])
        editor = Editor(self.root, random.Random(seed), 0.2 if self._compare_only else 10)
        editor.work(requests[0], gap)
        found = {name: value for name, value in vars(editor).items() if name not in ("root", "dice", "patience")}
        print(json.dumps({**found, "blind": sorted(editor.blind)}))  # noqa: T201 -- into a file

    def _run(self, name: str, requests: int, seed: str, telling: float) -> None:
        """Run a command; the editor is notified before and after a file is moved to its place."""
        dice, real, places = random.Random(seed), guarded.exchange, [str(self.root / name) for name in FILES]
        calls = iter(range(1000))

        def tell(place: Path) -> None:
            if dice.random() < telling and str(place) in places:
                os.write(requests, bytes([places.index(str(place))]))
                time.sleep(dice.uniform(0, 0.001))

        def exchange(one: Path, other: Path) -> bool:
            if next(calls):
                sys.stderr.write("Put back.\n")
            tell(other)
            done = not self._compare_only and real(one, other)
            tell(other)
            return done

        guarded.exchange = exchange
        time.sleep(dice.uniform(0, 0.05))
        main([*self._commands[name], "--root", str(self.root)])

    def _fork(self, name: str, work: Callable[[], None]) -> int:
        """Run a function in a process of its own, whose output goes to files."""
        if child := os.fork():
            return child
        status = 70
        try:
            signal.alarm(LONGEST)
            for number, stream in ((1, "stdout"), (2, "stderr")):
                os.dup2(os.open(self._place / f"{name}.{stream}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
            work()
            status = 0
        except SystemExit as end:
            status = int(end.code or 0)
        except BaseException as error:
            sys.stderr.write(repr(error))
        finally:
            for stream in (sys.stdout, sys.stderr):
                with suppress(OSError):
                    stream.flush()
            os._exit(status)

    def _said(self, name: str, stream: str = "stderr") -> str:
        return (self._place / f"{name}.{stream}").read_text("utf-8")[-50_000:]


def race() -> None:
    """Run many rounds, and say what happened, and what went wrong, which is left on disk."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--prove", action="store_true", help="first lose a save, by comparing and replacing only")
    options = parser.parse_args()
    share_compiled_templates(pytest.MonkeyPatch())
    place = Path(tempfile.mkdtemp(prefix="racing-"))
    start = time.monotonic()
    if options.prove:
        careless = Racing(place / "careless", options.seed, compare_only=True)
        problem = next((found for _ in range(100) if (found := careless.round())), "")
        print(f"only compared: {problem}")  # noqa: T201
    racing = Racing(place / "careful", options.seed)
    for number in range(options.rounds):
        if problem := racing.round():
            sys.exit(f"round {number}: {problem}\nlook into {place}")
    shutil.rmtree(place)
    counts = "".join(f"  {count:5} {what}\n" for what, count in sorted(racing.count.items()))
    print(f"{options.rounds} rounds in {time.monotonic() - start:.0f} s:\n{counts}", end="")  # noqa: T201


if __name__ == "__main__":
    race()
