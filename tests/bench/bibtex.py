"""How long a large .bib takes: read cold, with names, TeX and dates, and again from the cache, against bibtexparser 2.

Run it with `make bench`. bibtexparser only splits the file into fields here; it decodes nothing. The file is made on
the spot: as many people as a field has, accents and maths in some names and titles, strings, and an abstract in some.
"""

from __future__ import annotations

import argparse
import logging
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import PurePosixPath

import bibtexparser

from paper_notes.corpus.bibliography.library import read_library
from paper_notes.engine.cache import Cache
from paper_notes.sources.tree import Source

SYLLABLES = "le vi than chen ro zi ere ka mat ha ning zhou oz gur gar cia mul ler ban do pe tri ana shi yu wen".split()
ACCENTS = ("{\\`e}", '{\\"o}', "\\'{e}", "{\\c c}", "\\v{c}")
WORDS = "learning fast inference via speculative decoding in time with less rewards for models of language".split()
TEX = ("{LLM}", "$O(n^2)$", "50\\%", "R\\&D", "Erd{\\H o}s", "--", "``so''")


def bib_file(entries: int, seed: int = 0) -> str:
    """The same file for the same numbers."""
    dice = random.Random(seed)

    def name() -> str:
        word = "".join(dice.choice(SYLLABLES) for _ in range(2)).capitalize()
        return f"{word}{dice.choice(ACCENTS)}r" if dice.random() < 0.08 else word

    def words(number: int) -> str:
        return " ".join(dice.choice(TEX if dice.random() < 0.1 else WORDS) for _ in range(number))

    people = [f"{'van ' * (dice.random() < 0.05)}{name()}, {name()}" for _ in range(entries * 3)]
    made = [
        "@string{icml = {International Conference on Machine Learning}}",
        '@string{proc = "Proceedings of " # icml}',
    ]
    for number in range(entries):
        authors = " and ".join(dice.choice(people) for _ in range(dice.randint(1, 8)))
        abstract = f"\n  abstract      = {{{words(120)}.}}," if dice.random() < 0.2 else ""
        made.append(f"""
@inproceedings{{key{number}paper,
  title         = {{{words(dice.randint(5, 12))} {number}}},
  author        = {{{authors}}},
  booktitle     = {dice.choice(("icml", "proc", "{Some {C}onference}"))},
  year          = {{{dice.randint(1990, 2026)}}},
  month         = {dice.choice(("jan", "feb", "oct", "{May}"))},
  pages         = {{{number}--{number + 9}}},
  eprint        = {{{dice.randint(10, 25):02}{dice.randint(1, 12):02}.{number:05}}},
  archivePrefix = {{arXiv}},
  primaryClass  = {{cs.LG}},
  doi           = {{10.1145/{dice.randint(1000000, 9999999)}.{number}}},
  url           = {{https://example.org/papers/{number}?a=%20b&c=d_e}},{abstract}
}}""")
    return "\n".join(made) + "\n"


class Drawer(Cache):
    """A cache in memory: what is measured is our part of it."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: dict[bytes | str, bytes] = {}

    def get(self, key: bytes | str, *, of_any_program: bool = False) -> bytes | None:
        return self._kept.get(key)

    def put(self, key: bytes | str, value: bytes, *, of_any_program: bool = False) -> None:
        self._kept[key] = value


def seconds(work: Callable[[], object], runs: int) -> float:
    """The median of some runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    logging.disable()  # bibtexparser tells of every month that is no @string
    text = bib_file(arguments.entries)

    def sources() -> list[Source]:
        return [Source(PurePosixPath("library.bib"), text.encode())]

    drawer = Drawer()
    papers, problems = read_library(sources(), drawer)
    plain = seconds(lambda: bibtexparser.parse_string(text), arguments.runs)
    say = sys.stdout.write
    say(f"{len(papers):,} entries, {len(text) / 1e6:.1f} MB, {len(problems)} findings; medians of {arguments.runs}\n")
    rows = [
        ("bibtexparser 2, plain", plain),
        ("paper-notes, cold", seconds(lambda: read_library(sources()), arguments.runs)),
        ("paper-notes, from the cache", seconds(lambda: read_library(sources(), drawer), arguments.runs)),
        ("   and every paper used", seconds(lambda: [*read_library(sources(), drawer)[0].values()], arguments.runs)),
    ]
    for name, taken in rows:
        say(f"{name:<30}{taken:8.3f} s{taken / plain:8.2f} x\n")


if __name__ == "__main__":
    main()
