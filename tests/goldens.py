"""What users get from collections of many kinds, as files by name: compares two states of the program.

    python tests/goldens.py --keep DIR      # write them all
    python tests/goldens.py --against DIR   # show as a diff what is different from those; exits 1 if anything is
    python tests/goldens.py --against DIR obsidian own

`features/importing/goldens/` has the digests of those that are in the repository; `UPDATE=1` on `test_goldens.py` there
writes them. In site/ of each is the `<main>` of pages; site/ of the sample collection is committed, so it is not here.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import io
import re
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from unittest.mock import patch

from fake_outside import daily, daily_paper, fake_outside
from running import PROJECT, files_of, paper_notes, without_sizes, write

from paper_notes import __version__
from paper_notes.features.papers import web

IMPORTING = Path(__file__).parent / "features/importing"
REFERENCE = PROJECT.parent / "shared" / "reference"
"""A collection that is not ours to publish; where it is absent, nothing is made of it."""
FOLDERS = {
    **{path.name: path for path in sorted((IMPORTING / "collections").iterdir())},
    **{f"small-{path.name}": path for path in sorted((IMPORTING / "markdown/folders").iterdir())},
    "small-html": IMPORTING / "html/notes",
}
OWN = "own"
"""The sample collection, which is there already."""
SITE = {
    "notes_src/site.yaml": "title: {zh: 笔记, en: Notes}\ntopics: [first, daily]\nbase_url: https://notes.example/\n",
    "notes_src/first/topic.yaml": "title: First\n",
    "notes_src/daily/topic.yaml": "title: Daily\n",
}
TRANSLATED = ("spec-rl/04_ReSpec_2510.26475", "daily/01_2026-01-13", "rivers/01_Meanders_2311.09876")
"""Notes of which it is recorded that their texts are translations, if they have two."""
ASKED = {
    "list.json": ("list", "--json"),
    "check.json": ("check", "--json", "-j", "1"),
    "stats.json": ("stats", "--all", "--json", "-j", "1"),
    "verify.json": ("verify", "--json", "-j", "1"),
}
NOON = 1772366400.0
"""Of 2026-03-01; `date.today()` asks `time.time()`."""
_MAIN = re.compile(r"<main\b.*</main>", re.DOTALL)
_TEXTS = (".html", ".css", ".xml", ".bib", ".json", ".md")
_DIGESTED = re.compile(r"site/(?:.*/notes/|search-|digests|feed|stats)[^/]*$")
Files = dict[str, bytes]


def imports(reference: Path | None = None) -> dict[str, list[tuple[str | Path, ...]]]:
    """What is taken in by which arguments of `import`, by the name of the collection that is made of it."""
    every: dict[str, list[tuple[str | Path, ...]]] = {name: [(folder,)] for name, folder in FOLDERS.items()}
    every["documents"] = [(file, "--topic", "daily") for file in sorted(FOLDERS["documents"].iterdir())]
    if reference and reference.is_dir():
        every["reference"] = [(reference / "notes", "--readme", reference / "collection-README.md")]
        documents = sorted(file for file in reference.glob("*.md") if file.stem != "collection-README")
        every["reference-documents"] = [(file, "--topic", "daily") for file in documents]
    return {**every, OWN: []}


def outputs(name: str, reference: Path | None = None, *, rendered: bool = True) -> Files:
    """All that users get from a collection; or only that for which none of its notes are rendered."""
    with tempfile.TemporaryDirectory() as place, patch("time.time", lambda: NOON):
        root = Path(place) / "collection"
        files: Files = {}
        commands = dict(ASKED)
        if name == OWN:
            shutil.copytree(PROJECT / "notes_src", root / "notes_src", ignore=shutil.ignore_patterns("*.pdf"))
            del commands["check.json"]  # `build --check` of the project has it
        else:
            write(root, SITE)
            if name == "documents":
                files |= _of_a_day(root)
            for arguments in imports(reference)[name]:
                command = ("import", *arguments, "--offline", "--keep-going", "--root", root)
                files[f"import/{Path(arguments[0]).name}.json"] = _said(*command, "--json")
                files[f"import/{Path(arguments[0]).name}.again.txt"] = _said(*command)
            if name == "garbled":
                files |= _repaired(FOLDERS[name], root.parent / "repaired")
            files |= {f"sources/{path}": data for path, data in files_of(root).items()}
            files |= _site(root) if rendered else {}
        if not rendered:
            commands = {"list.json": commands["list.json"]}
        files |= {path: _said(*command, "--root", root) for path, command in commands.items()}
        if rendered:
            files |= _cards_and_book(root)
        files |= _documents(root)
        places = (place, f"{PROJECT}/", f"{reference}/")
        return {path: _pinned(data, places) for path, data in files.items()}


def _repaired(folder: Path, scratch: Path) -> Files:
    """What `repair` makes of garbled files."""
    shutil.copytree(folder, scratch)
    said = {f"repaired/{path.name}.txt": _said("repair", scratch / path.name) for path in sorted(folder.iterdir())}
    return said | {f"repaired/{path}": data for path, data in files_of(scratch).items()}


def _of_a_day(root: Path) -> Files:
    """A day's papers, as Hugging Face would have them, and a note of one of them."""
    hostile = {"title": "# A `b` [[#9]] ==x== $\\bad{ $ <b>", "ai_summary": "1. [@x] *y*\n\n- z_1 $5 and $6"}
    with (
        fake_outside() as outside,
        patch.dict("os.environ", outside.environment),
        patch.object(web, "Web", partial(web.Web, sleep=lambda seconds: None)),
    ):
        outside.hf.says(daily(daily_paper(3), daily_paper(8, **hostile)), daily())
        said = _said("digest", "2026-01-13", "--root", root)
    promoted = _said("new", "daily/1#2601.00003", "--topic", "first", "--offline", "--root", root)
    return {"digest.txt": said, "promote.txt": promoted}


def _site(root: Path) -> Files:
    """What the build says and writes."""
    files: Files = {"build.txt": _said("build", "--keep-going", "-j", "1", "--root", root)}
    files |= {f"readme/{path.name}": path.read_bytes() for path in root.glob("*.md")}
    return files | {
        f"site/{path}": _shown(path, data)
        for path, data in files_of(root / "site").items()
        if path.endswith(_TEXTS) and not path.startswith("assets/")
    }


def _cards_and_book(root: Path) -> Files:
    files: Files = {}
    place = root.parent
    _said("cards", "--format", "tsv", "--output", place / "cards.tsv", "-j", "1", "--root", root)
    files |= {path.name: path.read_bytes() for path in place.glob("cards.*")}
    files["epub.txt"] = _said("export", "--epub", "--output", place / "all.epub", "--root", root)
    if (place / "all.epub").exists():
        with zipfile.ZipFile(place / "all.epub") as book:
            files |= {f"epub/{path}": book.read(path) for path in book.namelist() if path.endswith("ml")}
    return files


def _documents(root: Path) -> Files:
    """Documents, and the record that texts are translations, which changes a source."""
    files: Files = {}
    for note in sorted(root.glob("notes_src/*/*/note.yaml")):
        name = f"{note.parent.parent.name}/{note.parent.name}"
        if "\nentries:" in f"\n{note.read_text('utf-8')}":
            files[f"documents/{name}.md"] = _said("export", name, "--root", root)
            files[f"documents/{name}.as-found.md"] = _said("export", name, "--as-found", "--root", root)
        if name in TRANSLATED:
            _said("sync", name, "--root", root)
            files[f"translated/{name}.yaml"] = note.read_bytes()
    return files


def _said(*arguments: str | Path) -> bytes:
    """What a command says, and how it ended."""
    done = paper_notes(*arguments)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    ended = f"exit {done.exit_code}\n" if done.exit_code else ""
    return f"{done.stdout}{done.stderr}{ended}".encode()


def _shown(path: str, data: bytes) -> bytes:
    """Of a page only what is its own."""
    found = _MAIN.search(data.decode()) if path.endswith(".html") else None
    return found[0].encode() if found else data


def _pinned(data: bytes, places: Iterable[str]) -> bytes:
    """Without what depends on the machine, on the version, or on styles and templates."""
    try:
        text = without_sizes(data.decode())
    except UnicodeDecodeError:
        return data
    text = text.replace(f"{IMPORTING}/", "tests/foreign/")  # where they were when the first digests were made
    for place in places:
        text = text.replace(place, "")
    return text.replace(f"paper-notes {__version__}", "paper-notes").encode()


def digests(files: Mapping[str, bytes]) -> str:
    """A line for each file, but for pages of indexes."""
    return "".join(
        f"{hashlib.sha256(data).hexdigest()[:16]} {path}\n"
        for path, data in sorted(files.items())
        if not path.startswith("site/") or _DIGESTED.match(path)
    )


def _differences(name: str, files: Mapping[str, bytes], before: Mapping[str, bytes]) -> Iterable[str]:
    for path in sorted({*files, *before}):
        old, new = before.get(path), files.get(path)
        if old == new:
            continue
        if old is None or new is None:
            yield f"{'new' if old is None else 'gone'}: {name}/{path}\n"
            continue
        lines = (io.StringIO(data.decode("utf-8", "replace")).readlines() for data in (old, new))
        for line in difflib.unified_diff(*lines, f"before/{name}/{path}", f"now/{name}/{path}", n=1):
            yield line if line.endswith("\n") else f"{line}\n"


def main() -> int:
    """Write or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collections", nargs="*", metavar="COLLECTION", help="only these, such as obsidian")
    parser.add_argument("--reference", type=Path, metavar="DIR", default=REFERENCE)
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--keep", type=Path, metavar="DIR")
    how.add_argument("--against", type=Path, metavar="DIR")
    arguments = parser.parse_args()
    different = False
    for name in arguments.collections or imports(arguments.reference):
        files = outputs(name, arguments.reference)
        if arguments.keep:
            shutil.rmtree(arguments.keep / name, ignore_errors=True)
            for path, data in files.items():
                (arguments.keep / name / path).parent.mkdir(parents=True, exist_ok=True)
                (arguments.keep / name / path).write_bytes(data)
            continue
        for line in _differences(name, files, files_of(arguments.against / name)):
            sys.stdout.write(line)
            different = True
    return int(different)


if __name__ == "__main__":
    sys.exit(main())
