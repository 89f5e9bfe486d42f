"""Commands on one collection, one after another, as somebody would run them who keeps it for a year."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from conforming import book_problems, site_problems
from generating import legal_collection
from running import CACHES, files_of, paper_notes

SLOW = 30
"""Seconds of processor that no command may take."""


class TooSlow(BaseException):
    """Raised where a command is when its time is over; the program does not catch it."""


class Wrong(Exception):
    """What a command did and may not do."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise TooSlow if the block takes more of the processor's time. Windows has no such timer."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def over(_signal: int, _frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class Session:
    """A collection at `root` and the commands that were run on it. The folder around it is ours as well."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.seed, self.chance = root, seed, random.Random(seed)
        self.beside = root.parent / "beside"
        self.beside.mkdir(exist_ok=True)
        self.codes: list[tuple[str, int]] = []
        self.lines: list[str] = []

    def run(self, *arguments: str | Path) -> int:
        """The exit code of a command."""
        self.lines.append(" ".join(map(str, arguments)))
        try:
            with within(SLOW):
                result = paper_notes(*arguments, "--root", self.root)
        except TooSlow as error:
            where = "".join(traceback.format_exception(error))
            raise Wrong(f"more than {SLOW} seconds of processor\n{where}") from None
        error = result.exception
        self.codes.append((str(arguments[0]), result.exit_code))
        if error is not None and not isinstance(error, SystemExit):
            raise Wrong("".join(traceback.format_exception(error)))
        if result.exit_code not in (0, 1) or "Traceback" in result.stderr:
            raise Wrong(f"exit {result.exit_code}: {result.output}")
        if "--json" in arguments and (result.stdout or not result.exit_code):
            json.loads(result.stdout)
        self.output = result.output
        return result.exit_code

    def read(self, *arguments: str | Path) -> int:
        """The exit code of a command that changes nothing."""
        before = files_of(self.root)
        code = self.run(*arguments)
        self.same(before, files_of(self.root))
        return code

    def same(self, before: dict[str, bytes], after: dict[str, bytes], *changing: str) -> None:
        """Raise Wrong if files differ other than those below the folders `changing`."""
        names = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
        if names := [name for name in names if not name.startswith(changing)]:
            raise Wrong(f"changed {names[:5]}")

    def build(self, *readmes: str) -> bool:
        """Build, and again, when there is nothing to do; whether there is a site. `readmes` may change."""
        before = files_of(self.root)
        built = self.run("build", "-j", "1") == 0
        after = files_of(self.root)
        self.same(before, after, *(("site/", "notes_src/crops/", *readmes) if built else ()))
        if not built:
            return False
        for problem in site_problems(self.root / "site"):
            raise Wrong(problem)
        for arguments in (("build", "-j", "1"), ("build", "--check", "-j", "1")):
            if self.read(*arguments):
                raise Wrong(f"the second build has something to do: {self.output}")
        return True

    def build_cold(self) -> None:
        """Raise Wrong if a site that was brought up to date is another one than one that is made at once."""
        caches = os.environ[CACHES]
        os.environ[CACHES] = str(self.beside / f"caches{len(self.lines)}")
        try:
            if self.read("build", "--check", "-j", "1"):
                raise Wrong(f"without a cache the site would be another one: {self.output}")
        finally:
            os.environ[CACHES] = caches

    def notes(self, *filters: str) -> list[str]:
        """The notes as `list` names them."""
        self.run("list", *filters)
        return re.findall(r"^([^\t\n]+/#\d+)\t", self.output, re.MULTILINE)

    @property
    def lists(self) -> list[str]:
        """The notes that list papers."""
        return self.notes("--kind", "digest", "--kind", "list")

    @property
    def bilingual(self) -> list[str]:
        """The notes with two texts."""
        return self.notes("--language", "both")

    def look(self) -> None:
        """Some of the commands that only ask."""
        notes = self.notes()
        note = self.chance.choice(notes) if notes else "tea/1"
        topic = note.split("/#")[0]
        asking: tuple[tuple[str | Path, ...], ...] = (
            ("list", "--json"), ("list", "--text", "a", "--sort", "title"), ("show", note, "--json"), ("show", note),
            ("stats", "--json", "-j", "1"), ("stats", "--all", "-j", "1"), ("verify", "--json", "-j", "1"),
            ("verify", note, "--all", "-j", "1"), ("doctor", "--json"), ("check", "--json", "-j", "1"),
            ("check", topic, "-j", "1"), ("check", "--strict", "-j", "1"), ("move", note, f"{topic}/77", "--check"),
            ("export", self.root / "notes_src/library.bib"), ("export", self.chance.choice(self.lists or [note])),
            ("topic", "renumber", topic, "--check"), ("topic", "remove", topic, "--check"), ("remove", note, "--check"),
            ("highlights", note, "--check", "--json"), ("schema", "note"), ("list", "--sort", "papers"),
            ("draft", note, "--check"), ("translate", note, "--check"), ("lookup", note, "--from", "x", "--check"),
        )  # fmt: skip
        for arguments in self.chance.sample(asking, 4):
            self.read(*arguments)
        for _ in range(2):
            self.write_elsewhere(note, topic)

    def write_elsewhere(self, note: str, topic: str) -> None:
        """A book, cards or a list beside the collection."""
        out = self.beside / f"out{len(self.lines)}"
        has_english = any(self.root.glob("notes_src/*/*/en.md"))
        languages = self.chance.choice(((), ("--lang", "en"))) if has_english else ()
        target = self.chance.choice(((), (note,), (topic,)))
        form = self.chance.choice(("book", "apkg", "tsv", "markdown", "report", "list"))
        if form == "book":
            path = self.chance.choice((target, (f"{topic}/start",)))
            if self.read("export", *path, "--epub", *languages, "--output", f"{out}.epub") == 0:
                for problem in book_problems(Path(f"{out}.epub")):
                    raise Wrong(problem)
        elif form in ("report", "list"):
            note = self.chance.choice(self.lists or [note])
            self.read("export", note, "--format", form, *languages, "--output", f"{out}.md")
        else:
            self.read("cards", *target, "--format", form, "-j", "1", *languages, "--output", f"{out}.{form}")

    def edit(self) -> None:
        """Some of the commands that change the collection; whatever they do, it is one that builds."""
        notes = self.notes()
        if not notes:
            return
        note, other = self.chance.choice(notes), self.chance.choice(notes)
        topic, other_topic = note.split("/#")[0], other.split("/#")[0]
        writing: dict[str, Callable[[], int]] = {
            "sync": lambda: self.run("sync", self.chance.choice(self.bilingual or [note])),
            "move": lambda: self.run("move", note, f"{other_topic}/{self.chance.randint(200, 300)}"),
            "rename": lambda: self.run("move", note, self.chance.choice((f"{topic}/301_新", f"{topic}/301_index"))),
            "move a topic": lambda: self.run("move", topic, "moved-topic"),
            "remove": lambda: self.run("remove", note, "--uncommitted", "--redirect", other),
            "make a topic": lambda: self.run("topic", "new", "made", "--title", "中 <b> & 'x'", "--before", topic),
            "rename a topic": lambda: self.run("topic", "move", topic, "renamed"),
            "order topics": lambda: self.run("topic", "move", topic, "--before", other_topic),
            "renumber": lambda: self.run("topic", "renumber", topic),
            "promote": lambda: self.promote(topic),
            "new": lambda: self.run("new", "--title", "中 <b> & 'x'", "--kind", "tutorial", "--topic", topic),
            "verify": lambda: self.run("verify", "--keep", "-j", "1"),
            "report": lambda: self.import_report(topic),
            "foreign": lambda: self.import_notes(),
            "html": lambda: self.import_pages(),
        }
        for name in self.chance.sample(list(writing), 2):
            before = files_of(self.root)
            if writing[name]() and name != "verify" and "notes left out" not in self.output:
                self.same(before, files_of(self.root))
        if self.run("build", "-j", "1"):
            raise Wrong(f"it does not build any more: {self.output}")
        for problem in site_problems(self.root / "site"):
            raise Wrong(problem)
        self.build_cold()

    def promote(self, topic: str) -> int:
        paper = f"260{self.chance.randint(1, 4)}.00001"
        note = self.chance.choice(self.lists or [f"{topic}/1"])
        return self.run("new", f"{note.replace('#', '')}#{paper}", "--topic", topic, "--offline")

    def import_report(self, topic: str) -> int:
        """A list that was exported, as that of somebody else: in it and in another topic."""
        path = self.beside / f"report{len(self.lines)}.md"
        as_found = ("--as-found",) if self.chance.random() < 0.3 else ()
        if code := self.run("export", self.chance.choice(self.lists or [f"{topic}/1"]), *as_found, "--output", path):
            return code
        return self.run("import", path, "--topic", self.chance.choice((topic, "reports")), "--offline")

    def import_notes(self) -> int:
        """The texts of another collection, as a folder of Markdown."""
        folder = self.beside / f"docs{len(self.lines)}"
        for name, data in legal_collection(self.seed + 1).items():
            if name.endswith((".md", ".svg", ".png", ".webp")):
                path = folder / name.removeprefix("notes_src/").replace("/en.md", "/index.md")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        keep_going = ("--keep-going",) if self.chance.random() < 0.5 else ()
        return self.run("import", folder, "--offline", *keep_going)

    def import_pages(self) -> int:
        """Pages of the site itself, as HTML of somebody else."""
        folder = self.beside / f"html{len(self.lines)}"
        folder.mkdir()
        for path in (self.root / "site").glob("*/notes/*.html"):
            (folder / path.name).write_bytes(path.read_bytes())
        return self.run("import", folder, "--topic", "taken-in", "--offline", "--keep-going")
