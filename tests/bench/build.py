"""How long whole builds take: ours, Hugo's and MkDocs Material's, of the same notes, with equal work.

Run it with `make bench`. The notes are made on the spot: bilingual, 8 KB of Markdown, 8 formulas, a table and a figure
each. The peers come from PyPI, in pinned versions, into an environment of their own below a scratch folder.

Cases: cold (the output and every cache deleted; files may be in the disk's cache), one note changed (a sentence more
in the first paragraph of one language), nothing changed. The programs take turns, so that a busy machine slows down
all alike; warm cases are run several times and the median counts. "Written" is every file of the output that is newer
than the start.

Equal work: two languages, formulas to MathML at build time, figures and styles inside of every page, code in colours,
contents, paper facts, citations, links between notes resolved, lists of all notes and of each topic, feeds, and the
texts of all notes as search data.

What only we do: all mistakes are looked for (references, ids, translations out of step, figures), figures and texts
are sanitised, glossary terms are marked and listed, backlinks, the math font inside of pages, pages of papers, people,
tags, statistics, the map, BibTeX, CSL and RIS, READMEs; and unchanged files are not written again.
What only Hugo does: a page for each language of a note (we have one page for both), so twice as many files; TeX source
as an annotation of each formula. Its styles are ours without the math font, which favours it: the font is two fifths
of our page. Its search data is one file for each language, written along with the home page: as an output format of
its own, Hugo would render every note a second time for it.
What only Material does: its navigation and theme on every page (with `navigation.prune`, as its manual advises for
large sites), tags, a language switch. Styles stay in a file and there are no feeds: stock Material has neither.
Two languages are built by mkdocs-static-i18n, the usual way, in one run, without its hunt for texts that are the same
in both (its time grows with the square of the notes). Formulas are made by latex2mathml. Nothing is kept from one build
to the next, so its warm builds are its cold build: it is measured once.

The components `:::name` become HTML elements with the same Markdown inside, for both.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from collection import make_collection
from measuring import Cost, adopt_orphans, cost_of, lines, memory_kind
from peers import VERSIONS
from programs import HUGO, MATERIAL, US, Program, ours, programs_in
from read_back import LANGS, Read

from paper_notes.engine.user_cache import VARIABLE as CACHES

COLD, ONE, NOTHING = "cold", "one note changed", "nothing changed"
TARGETS: tuple[tuple[str, str, str, float | None], ...] = (
    (COLD, HUGO, "wall", 0.80),
    (COLD, MATERIAL, "wall", 0.08),
    (ONE, HUGO, "wall", 0.15),
    (NOTHING, HUGO, "wall", 0.06),
    (COLD, HUGO, "memory", 0.50),
    *((case, HUGO, "cpu", None) for case in (COLD, ONE, NOTHING)),
)
"""Our share of a peer's cost, at most. Processor time has no target; it tells more on a machine that is busy."""
SENTENCE = {"zh": "第 {} 次改动：补一句话。", "en": "Edit number {} adds a sentence."}


@dataclass(frozen=True)
class Build:
    """What a build cost, and what it wrote below its output."""

    cost: Cost
    files: int
    size: int


Builds = dict[tuple[str, str], list[Build]]
"""By case and program."""


def build(program: Program) -> Build:
    """Run it once."""
    before = _state(program.output)
    cost = cost_of(program.command, program.folder)
    written = [size for path, (stamp, size) in _state(program.output).items() if before.get(path) != (stamp, size)]
    return Build(cost, len(written), sum(written))


def _state(folder: Path) -> Mapping[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for parent, _, files in os.walk(folder):
        for name in files:
            stat = (path := Path(parent, name)).stat()
            found[str(path)] = stat.st_mtime_ns, stat.st_size
    return found


def build_cold(program: Program) -> Build:
    """Delete what earlier builds left, and build."""
    for path in (program.output, *program.caches):
        shutil.rmtree(path, ignore_errors=True)
    return build(program)


def measure(programs: Sequence[Program], notes: Sequence[Read], runs: int, colds: int) -> Builds:
    """All cases. Material takes part in the cold one only."""
    builds: Builds = {}

    def note_down(case: str, program: Program, made: Build) -> None:
        builds.setdefault((case, program.name), []).append(made)
        sys.stderr.write(f"  {program.name}, {case}: {made.cost.wall:.2f} s\n")

    for turn in range(colds):
        for program in programs:
            if program.name != MATERIAL or not turn:
                note_down(COLD, program, build_cold(program))
    for program in programs:
        _check_formulas(program, notes)
    warm = [program for program in programs if program.name != MATERIAL]
    for turn in range(runs):
        lang = LANGS[turn % 2]
        sentence = SENTENCE[lang].format(turn)
        note = notes[(turn + 1) * len(notes) // (runs + 1)].edited(lang, sentence)
        for program in warm:
            program.rewrite(note, lang)
            note_down(ONE, program, build(program))
            if sentence not in program.page(note, lang).read_text("utf-8"):
                sys.exit(f"{program.name} did not see that {note.name} changed")
        for program in warm:
            note_down(NOTHING, program, build(program))
    return builds


def _check_formulas(program: Program, notes: Sequence[Read]) -> None:
    """Equal work: each page of a note has its 8 formulas, and ours those of both languages."""
    for note in notes:
        for lang in LANGS:
            found = program.page(note, lang).read_text("utf-8").count("<math")
            if found < 8 * (2 if program.name == US else 1):
                sys.exit(f"{program.name}: {note.name} has {found} formulas")


def table(builds: Builds) -> str:
    """A row for each case and program."""
    heads = f"{'wall s':>9} {'(from-to)':>15} {'CPU s':>9} {memory_kind() + ' MB':>9} {'files':>7} {'MB written':>11}"
    lines = [f"{'':34} {heads}"]
    for (case, name), made in builds.items():
        walls = [one.cost.wall for one in made]
        middle = {key: _median(made, key) for key in ("wall", "cpu", "memory")}
        lines.append(
            f"{case + ', ' + name:34} {middle['wall']:9.2f} {f'({min(walls):.2f}-{max(walls):.2f})':>15}"
            f" {middle['cpu']:9.2f} {middle['memory'] / 1e6:9.0f} {statistics.median(b.files for b in made):7.0f}"
            f" {statistics.median(b.size for b in made) / 1e6:11.2f}"
        )
    return "\n".join(lines) + "\n"


def ratios(builds: Builds) -> str:
    """Our share of the peers' cost next to the target. Builds that took turns are compared with each other."""
    lines = []
    for case, peer, what, target in TARGETS:
        own, other = builds[case, US], builds.get((case, peer), [])
        if not other:
            continue
        if len(own) == len(other):
            share = statistics.median(_cost(a, what) / _cost(b, what) for a, b in zip(own, other, strict=True))
        else:
            share = _median(own, what) / _median(other, what)
        verdict = "" if target is None else f"   target {target:.2f}   {'reached' if share <= target else 'missed'}"
        lines.append(f"{f'{case}, {what}, ours of {peer}':50} {share:6.3f}{verdict}")
    return "\n".join(lines) + "\n"


def _median(made: Sequence[Build], what: str) -> float:
    return statistics.median(_cost(one, what) for one in made)


def _cost(made: Build, what: str) -> float:
    return float(getattr(made.cost, what))


def large(scratch: Path, notes: int, per_note: float) -> str:
    """The time of a note in a large collection, next to that in the one measured before."""
    program = ours(make_collection(scratch / "large", notes, real=True))
    made = build_cold(program)
    each = made.cost.wall / notes
    cost = f"{made.cost.wall:.1f} s, {each * 1000:.2f} ms a note, {each / per_note:.2f} x that above"
    return lines([
        (f"{notes:,} notes, cold", cost, ""),
        (f"{notes:,} notes, memory", f"{made.cost.memory / 1e6:.0f} MB", "2,000 MB"),
    ])  # fmt: skip


def main() -> None:
    """Make, build, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--notes", type=int, default=3800)
    parser.add_argument("--runs", type=int, default=5, help="how often a warm case is run")
    parser.add_argument("--colds", type=int, default=1, help="how often the cold case is run (Material's: once)")
    parser.add_argument("--skip", nargs="*", default=[], choices=(HUGO, MATERIAL), help="peers to leave out")
    parser.add_argument("--large", type=int, help="also build so many notes with ours, cold: 20000, say")
    parser.add_argument("--cpus", type=int, default=4, help="how many processors every program may use")
    parser.add_argument("--peers", type=Path, help="an environment with the peers, to be made or used again")
    parser.add_argument("--keep", type=Path, help="a folder to leave everything in")
    options = parser.parse_args()
    if sys.platform != "linux":
        sys.exit("processes are looked at in /proc: this needs Linux")
    adopt_orphans()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.cpus])
    with ExitStack() as stack:
        scratch = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        os.environ[CACHES] = str(scratch.resolve() / "caches")
        peers = (options.peers or scratch / "peers").resolve()
        programs, notes = programs_in(scratch.resolve(), peers, options.notes, options.skip)
        load = os.getloadavg()[0]
        start = time.perf_counter()
        builds = measure(programs, notes, options.runs, options.colds)
        sys.stdout.write(
            f"{options.notes:,} notes in two languages, {len(os.sched_getaffinity(0))} processors,"
            f" load {load:.1f} at the start, {time.perf_counter() - start:.0f} s\n"
            f"{', '.join(f'{name} {version}' for name, version in VERSIONS.items())}\n\n"
        )
        sys.stdout.write(table(builds) + "\n" + ratios(builds))
        megabytes = statistics.median(one.size for one in builds[COLD, US]) / 1e6
        sys.stdout.write(lines([("site", f"{megabytes:.0f} MB", f"{options.notes * 200 / 3750:.0f} MB")]))
        if options.large:
            per_note = _median(builds[COLD, US], "wall") / options.notes
            sys.stdout.write(large(scratch, options.large, per_note))


if __name__ == "__main__":
    main()
