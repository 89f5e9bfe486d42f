"""How long one waits every day: for a build after one sentence was changed, for one with nothing to do, for help.

Run it with `make bench`. The programs take turns, so that a busy machine slows down all alike; each is also measured
by what no program with these libraries can do without, which is to import them. Processor time is that of the process
and of those it waited for, measured from outside.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from paper_notes.engine.user_cache import VARIABLE as CACHES

PROJECT = Path(__file__).resolve().parents[2]
PROGRAM = ("-c", "from paper_notes.commands import run; run()")
BASE = "import jinja2, markdown_it, yaml, click"


@dataclass(frozen=True)
class Case:
    """What is run in turn, what is done to the collection before, and the most it may take."""

    name: str
    arguments: tuple[str, ...]
    seconds: float = 0
    """Of wall time, at most; 0: no target."""
    ratio: float = 0
    """To the imports, at most."""
    before: Callable[[int], object] = lambda turn: None


def collections(scratch: Path) -> tuple[Path, Path]:
    """The one that `init` makes, and the sample collection of this project, both built."""
    own, sample = scratch / "one", scratch / "sample"
    own.mkdir()
    shutil.copytree(PROJECT / "notes_src", sample / "notes_src")
    for readme in PROJECT.glob("README*.md"):
        shutil.copy(readme, sample)
    run(("init", str(own)))
    for root in (own, sample):
        run(("build", "--root", str(root)))
    return own, sample


def run(arguments: tuple[str, ...]) -> None:
    subprocess.run([sys.executable, *PROGRAM, *arguments], stdout=subprocess.DEVNULL, check=True)


def adding(file: Path) -> Callable[[int], object]:
    """What writes one sentence more into the first paragraph of a note, another one each turn."""
    text = file.read_text("utf-8")
    paragraph = next(part for part in text.split("\n\n") if part[:1].isalpha())

    def write(turn: int) -> None:
        file.write_text(text.replace(paragraph, f"{paragraph} Sentence number {turn} is new."), "utf-8")

    return write


def commenting(file: Path) -> Callable[[int], object]:
    """What writes a comment into a YAML file, another one each turn."""
    text = file.read_text("utf-8")
    return lambda turn: file.write_text(f"{text}# turn {turn}\n", "utf-8")


def cases(own: Path, sample: Path) -> tuple[Case, ...]:
    """All rows of the table. A build with nothing to do comes after one of the same collection."""
    in_own, in_sample = (("build", "--root", str(root)) for root in (own, sample))
    own_text = next((own / "notes_src").glob("*/*/en.md"))
    sample_text = min((sample / "notes_src").glob("*/*/en.md"))
    return (
        Case("python -c pass", ("-c", "pass")),
        Case(BASE, ("-c", BASE)),
        Case("--help", (*PROGRAM, "--help"), 0.12),
        Case("1 note, a sentence changed", (*PROGRAM, *in_own), 0.6, 4, adding(own_text)),
        Case("1 note, nothing to do", (*PROGRAM, *in_own), 0.15, 1.2),
        Case("19 notes, a sentence changed", (*PROGRAM, *in_sample), 0.8, 5, adding(sample_text)),
        Case("19 notes, nothing to do", (*PROGRAM, *in_sample), 0.15, 1.2),
        Case(
            "19 notes, a comment in the glossary",
            (*PROGRAM, *in_sample),
            0.8,
            5,
            commenting(sample / "notes_src/glossary.yaml"),
        ),
    )


def measure(rows: tuple[Case, ...], runs: int) -> dict[str, list[tuple[float, float]]]:
    """Wall and processor seconds of each turn. The first, which fills the disk's cache, does not count."""
    times: dict[str, list[tuple[float, float]]] = {row.name: [] for row in rows}
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    for turn in range(runs + 1):
        for row in rows:
            row.before(turn)
            start = time.perf_counter()
            process = subprocess.Popen(
                [sys.executable, *row.arguments],
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.perf_counter() - start
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                sys.exit(f"{row.name} failed: {process.args!r}")
            if turn:
                times[row.name].append((wall, usage.ru_utime + usage.ru_stime))
    return times


def table(rows: tuple[Case, ...], times: dict[str, list[tuple[float, float]]]) -> str:
    """Fastest and median wall time, fastest processor time, and the median ratio of the turns to the imports."""
    lines = [f"{'':40} {'fastest':>9} {'median':>9} {'CPU':>9} {'of imports':>11} {'CPU':>6}   targets"]
    base = times[BASE]
    for row in rows:
        wall, cpu = zip(*times[row.name], strict=True)
        ratios = [
            statistics.median(mine[kind] / other[kind] for mine, other in zip(times[row.name], base, strict=True))
            for kind in (0, 1)
        ]
        cells = " ".join(f"{1000 * value:6.0f} ms" for value in (min(wall), statistics.median(wall), min(cpu)))
        verdict = ""
        if row.seconds:
            reached = min(wall) <= row.seconds and (not row.ratio or ratios[1] <= row.ratio)
            share = f", {row.ratio:g} x" if row.ratio else ""
            verdict = f"   {1000 * row.seconds:.0f} ms{share}: {'reached' if reached else 'missed'}"
        lines.append(f"{row.name:40} {cells} {ratios[0]:9.2f} x {ratios[1]:4.2f} x{verdict}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Make, run, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        os.environ[CACHES] = str(Path(scratch, "caches").resolve())
        rows = cases(*collections(Path(scratch)))
        sys.stdout.write(table(rows, measure(rows, options.runs)))


if __name__ == "__main__":
    main()
