"""Make `counts.bin` of `features/repair/`: counts of characters, in texts whose licences allow it. No text goes in.

Run it after a change of the sources: `python tests/features/repair/making_tables.py FOLDER`. The archives that
`sources.yaml` names are looked for in the folder; what is missing is downloaded there. `NOTICE` beside the tables is
written too, and names them all.
"""

from __future__ import annotations

import hashlib
import lzma
import math
import re
import struct
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from opencc import OpenCC

from paper_notes.features.repair.garbling import GARBLINGS
from paper_notes.features.repair.model import BITS, ORDER, PLACE, REST, REST_KINDS, SMALLEST, STEP, counted

PROJECT = Path(__file__).parents[3]
RUN_OF_CHINESE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
LEAST = (2.0, 0.1, 1.0)
"""The smallest counts of sequences of one, two and three characters that are kept."""
SURE = 1.3
EXPECTED = 0.04
"""A sequence of three counted less than the first is left out if its last sign has this share after the one before."""
LEAST_REST = 0.05
"""The smallest count of what is left out that is kept."""


@dataclass(frozen=True)
class Package:
    """A package, where its prose is, and how much it counts."""

    file: str
    sha256: str
    licence: str
    members: str
    weight: float = 1.0

    @property
    def is_npm(self) -> bool:
        return self.file.endswith(".tgz")


_READ = yaml.safe_load((Path(__file__).parent / "sources.yaml").read_text("utf-8"))
PACKAGES = tuple(Package(**package) for package in _READ["texts"])
WORDS = Package(**_READ["words"])
WORD_POWER, WORD_WEIGHT = 0.75, 0.005
OUR_NOTES = 2.0


def members(archive: Path, wanted: str) -> Iterator[str]:
    """The texts in an archive whose names match."""
    pattern = re.compile(wanted)
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            for name in wheel.namelist():
                if pattern.search(name):
                    yield wheel.read(name).decode("utf-8", "ignore")
        return
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.isfile() and pattern.search(member.name) and (file := tar.extractfile(member)):
                yield file.read().decode("utf-8", "ignore")


def lines_of(archive: Path, package: Package) -> list[str]:
    """The lines with Chinese or Japanese in them, each once."""
    lines: dict[str, None] = {}
    for text in members(archive, package.members):
        text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text).replace("\\n", "\n")
        for line in map(str.strip, text.split("\n")):
            if len(RUN_OF_CHINESE.findall(line)) >= 4:
                lines[line] = None
    return list(lines)


def fetched(folder: Path, package: Package) -> Path:
    """The archive, downloaded if it is missing. Raises ValueError if it is another one."""
    place = folder / package.file
    if not place.exists():
        if package.is_npm:
            name, _, version = package.file.removesuffix(".tgz").rpartition("-")
            subprocess.run(["npm", "pack", f"{name}@{version}", "--pack-destination", str(folder)], check=True)
        else:
            name, version = re.fullmatch(r"(.+?)-(\d[^-]*?)(-.*\.whl|\.tar\.gz)", package.file).groups()[:2]
            kind = [] if place.suffix == ".whl" else ["--no-binary", ":all:"]
            command = [sys.executable, "-m", "pip", "download", "--no-deps", *kind, "-d", str(folder)]
            subprocess.run([*command, f"{name}=={version}"], check=True)
    if hashlib.sha256(place.read_bytes()).hexdigest() != package.sha256:
        raise ValueError(f"{place} is another file than {package.file} was")
    return place


def folds() -> dict[str, str]:
    """Traditional characters to the simplified ones, one for one, where the simplified one is another."""
    simplify = OpenCC("t2s").convert
    signs = [chr(code) for code in range(0x4E00, 0xA000)]
    return {old: new for old in signs if (new := simplify(old)) != old and len(new) == 1}


def our_notes(without: tuple[str, ...] = ()) -> list[str]:
    """Our own notes, but for those with one of these in their paths."""
    files = sorted((PROJECT / "notes_src").rglob("*.md"))
    return [file.read_text("utf-8") for file in files if not any(part in str(file) for part in without)]


def count_all(folder: Path, without: tuple[str, ...] = ()) -> tuple[dict[str, dict[str, float]], dict[str, str]]:
    """From history to the counts of what follows, over all sources; and the folds."""
    folding = folds()
    total: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))

    def add(counts: dict[str, Counter[str]], weight: float) -> None:
        for history, followers in counts.items():
            mine = total[history]
            for sign, count in followers.items():
                mine[sign] += weight * count

    for package in PACKAGES:
        add(counted(lines_of(fetched(folder, package), package), folding), package.weight)
    add(counted(our_notes(without), folding), OUR_NOTES)
    table = str.maketrans(folding)
    for line in "".join(members(fetched(folder, WORDS), WORDS.members)).splitlines():
        word, frequency, *_ = line.split(" ")
        weight = WORD_WEIGHT * int(frequency) ** WORD_POWER
        word = word.translate(table)
        for length in range(ORDER):
            for end in range(length, len(word)):
                total[word[end - length : end]][word[end]] += weight
    return total, folding


def blended(counts: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """Counts of shorter sequences, between how often they occur and after how many characters (as Kneser and Ney do).

    A shorter sequence is asked for where the longer one was never seen. A character that follows one other character
    only, however often, is unlikely there; one that is merely frequent is likelier than its contexts say.
    """
    kinds: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for history, followers in counts.items():
        if history:
            for sign, count in followers.items():
                kinds[history[1:]][sign] += min(count, 1.0)
    found = dict(counts)
    for history, followers in counts.items():
        if len(history) < ORDER - 1 and history != "\n":
            here = kinds.get(history, {})
            found[history] = {
                sign: math.sqrt(count * max(here.get(sign, 0.0), min(count, 1.0))) for sign, count in followers.items()
            }
    return found


def cut(counts: dict[str, dict[str, float]], folding: dict[str, str]) -> dict[str, dict[str, float]]:
    """What is worth its place; of the rest, how much it was and how many sequences it had after each history.

    Rare sequences are left out; and those of three characters of which none can lose a byte, as most are: whichever way
    a text is read they are in it, so they decide nothing.
    """
    lossy = {sign for sign in (*counts[""], *folding) if set(sign.encode()[1:]) & set(GARBLINGS[0].lost)}
    lossy |= {new for old, new in folding.items() if old in lossy}
    totals = {history: sum(followers.values()) for history, followers in counts.items()}

    def expected(history: str, sign: str) -> bool:
        return counts[history].get(sign, 0.0) > EXPECTED * totals[history]

    found = {}
    for history, followers in counts.items():
        order = len(history)
        least = LEAST[order] if order else SMALLEST
        every = order < ORDER - 1 or not lossy.isdisjoint(history)
        kept = {sign: count for sign, count in followers.items() if count >= least and (every or sign in lossy)}
        if order == ORDER - 1:
            shorter = history[1:]
            kept = {sign: count for sign, count in kept.items() if count >= SURE or not expected(shorter, sign)}
        if kept and order:
            rest = sum(followers.values()) - sum(kept.values())
            kinds = sum(min(count, 1.0) for sign, count in followers.items() if sign not in kept)
            kept |= {sign: count for sign, count in ((REST, rest), (REST_KINDS, kinds)) if count > LEAST_REST}
        if kept:
            found[history] = kept
    return found


def tables(folder: Path, without: tuple[str, ...] = ()) -> bytes:
    """The file of the tables."""
    counts, folding = count_all(folder, without)
    counts = cut(blended(counts), folding)
    single = counts[""]
    signs = sorted(sign for sign, count in single.items() if count >= LEAST[0] or "\u4e00" <= sign <= "\u9fff")
    signs = sorted(signs, key=lambda sign: -single[sign])[: (1 << BITS) - 3]  # frequent ones get numbers that pack well
    signs = [REST, REST_KINDS, *signs]
    numbers = {sign: number for number, sign in enumerate(signs)}
    levels: list[dict[int, int]] = [{} for _ in range(ORDER)]
    for history, followers in counts.items():
        if not all(sign in numbers for sign in history):
            continue
        prefix = 0
        for sign in history:
            prefix = prefix << BITS | numbers[sign]
        order = len(history)
        for sign, count in followers.items():
            if sign in numbers:
                level = round(math.log2(count / SMALLEST) / STEP)
                levels[order][prefix << BITS | numbers[sign]] = min(63, max(0, level))
    used = {old: new for old, new in folding.items() if new in numbers}
    return packed("".join(signs), used, levels)


def packed(characters: str, folds: dict[str, str], counts: list[dict[int, int]]) -> bytes:
    """The file of the tables. `counts[n]` has the level of each sequence of n + 1 characters, by its number."""
    parts = [characters.encode(), "".join(old + new for old, new in sorted(folds.items())).encode()]
    for levels in counts:
        keys = sorted(levels)
        steps = [key - before for before, key in zip([0, *keys], keys, strict=False)]
        raw = struct.pack(f"<{len(steps)}Q", *steps)
        parts += [raw[place::8] for place in range(6)]
        parts.append(bytes(levels[key] for key in keys))
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]
    body = lzma.compress(b"".join(parts), lzma.FORMAT_XZ, filters=filters)
    return struct.pack(f"<I{len(parts)}I", len(parts), *map(len, parts)) + body


def notice() -> str:
    """Whose texts were counted, under which licences."""
    rows = "".join(f"{package.file}: {package.licence}\n" for package in (WORDS, *PACKAGES))
    return f"""\
counts.bin holds counts of single characters and of sequences of two and three; no text can be made from it. They were
counted by making_tables.py of its tests in the notes of this repository (MIT), and in these packages of PyPI and npm:

{rows}"""


if __name__ == "__main__":
    made = tables(Path(sys.argv[1]))
    PLACE.write_bytes(made)
    PLACE.with_name("NOTICE").write_text(notice(), "utf-8")
    sys.stdout.write(f"{PLACE}: {len(made):,} bytes\n")
