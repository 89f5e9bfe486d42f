"""Processor time of `import` and `build` for texts that repeat one pattern: what grows faster than the text stands out.

.venv/bin/python tests/bench/patterns.py [-k 25 100] [-w markdown] [-s 60] [PATTERN ...]
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PATTERNS = (
    *("[", "![", "](", "[a](", "[[", "![[", "[^", "[a][", "]", "[a", "[^a]: b\n", "[a]: b\n"),
    *("**a*", "_a ", "*a **b ", "a*", "`", "` ", "~~", "~", "==", "^", "^^a", "++a"),
    *("$", "$$", "$a ", "$$\n", "\\(", "\\[", "\\", "\\begin{align}\n"),
    *("<", "<a ", "<a>", "<!--", "<div>", "<div>\n", "</div>", "<svg>", "<details>\n", "<table><tr><td>", "<b>"),
    *("&", "&#", "|", "|a\n", "|a|b|\n|-|-|\n", "a | ", "-|"),
    *(":::", ":::note\n", ":::note\n:::\n", ":", ":a", ":a:", "!!! note\n", '=== "a"\n', "a\n: b\n", "a\n\n: b\n"),
    *("{", "{{", "{%", "{.a ", "{#a}", "{:", "{==", "{{<", "%%", "%%a", "#", "# a\n", "> ", "> a\n"),
    *("- ", "- a\n", "1. ", "1. a\n", "* [ ] ", "  - a\n", "~~~\n", "```\n", "---\n", "\t"),
    *("@", "@a2020 ", "[@a", "http://", "http://a ", "www.", "a@b.c ", "#1 ", "\n", "a\n", "a ", "字", "a\u0301"),
)
"""What is repeated."""
WAYS = ("markdown", "html", "build")
SITE = "title: x\nlanguages: [en]\ntopics: [old]\n"


def seconds(command: Sequence[str], most: int) -> tuple[float, int]:
    """Processor seconds of a command and of all that it started, and its exit code."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (most, most))  # noqa: E731
    with tempfile.TemporaryFile() as words:
        process = subprocess.Popen(command, stdout=words, stderr=words, preexec_fn=limit)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, process.returncode


def collection(root: Path) -> Path:
    (root / "notes_src/old").mkdir(parents=True)
    (root / "notes_src/site.yaml").write_text(SITE)
    (root / "notes_src/old/topic.yaml").write_text("title: Old\n")
    return root


def cost(way: str, text: str, most: int) -> tuple[float, int]:
    """What `way` needs for a note with this text."""
    with tempfile.TemporaryDirectory() as folder:
        root = collection(Path(folder, "mine"))
        if way == "build":
            note = root / "notes_src/old/01_x"
            note.mkdir()
            (note / "note.yaml").write_text("title: x\n")
            (note / "en.md").write_text(f"Words.\n\n{text}\n")
            return seconds([sys.executable, "-m", "paper_notes", "build", "--root", str(root), "--keep-going"], most)
        theirs = Path(folder, "theirs")
        theirs.mkdir()
        page = f"<html><body><h1>Title</h1><p>{text}</p></body></html>"
        (theirs / ("x.html" if way == "html" else "x.md")).write_text(page if way == "html" else f"# Title\n\n{text}\n")
        command = [sys.executable, "-m", "paper_notes", "import", str(theirs), "--offline", "--keep-going"]
        return seconds([*command, "--root", str(root)], most)


def rows(patterns: Sequence[str], sizes: Sequence[int], ways: Sequence[str], most: int) -> Iterator[str]:
    for way in ways:
        for pattern in patterns:
            cells: list[str] = []
            for size in sizes:
                used, status = cost(way, pattern * (size * 1000 // len(pattern.encode())), most)
                bad = "" if status in (0, 1) else f" exit {status}"
                cells.append(f"{used:6.1f}{bad}")
                if status < 0:
                    break
            yield f"{way:9} {pattern!r:24} " + " ".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("patterns", nargs="*")
    parser.add_argument("-k", "--kilobytes", nargs="+", type=int, default=[25, 50, 100])
    parser.add_argument("-w", "--ways", nargs="+", choices=WAYS, default=WAYS)
    parser.add_argument("-s", "--seconds", type=int, default=60, help="a process that needs more is stopped")
    given = parser.parse_args()
    os.environ |= {"PYTHONPATH": str(PROJECT), "LC_ALL": "C.UTF-8"}
    patterns = [one.encode().decode("unicode_escape") for one in given.patterns] or PATTERNS
    for row in rows(patterns, given.kilobytes, given.ways, given.seconds):
        sys.stdout.write(f"{row}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
