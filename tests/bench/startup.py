"""How long `paper-notes --help` takes, next to what no program with click and jinja2 can do without.

Run it with `make bench`. The programs take turns, so that a busy machine slows down all alike.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

RUNS = 40
PROGRAMS = {
    "python -c pass": ("-c", "pass"),
    'python -c "import click, jinja2"': ("-c", "import click, jinja2"),
    "paper-notes --help": ("-c", "import sys; from paper_notes.commands import run; sys.argv = ['x', '--help']; run()"),
    "paper-notes new --help": (
        "-c",
        "import sys; from paper_notes.commands import run; sys.argv = ['x', 'new', '-h']; run()",
    ),
}
BASE = 'python -c "import click, jinja2"'


def main() -> None:
    times: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for turn in range(RUNS + 1):
        for name, arguments in PROGRAMS.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
            if turn:  # the first fills the disk's cache
                times[name].append(time.perf_counter() - start)
    sys.stdout.write(f"{'':34} {'median':>9} {'fastest':>9} {'of click, jinja2 (paired)':>26}\n")
    for name, own in times.items():
        ratio = statistics.median(mine / base for mine, base in zip(own, times[BASE], strict=True))
        cells = f"{statistics.median(own) * 1000:6.1f} ms {min(own) * 1000:6.1f} ms {ratio:24.2f} x"
        sys.stdout.write(f"{name:34} {cells}\n")


main()
