"""Cases that provoke each rule: a tiny collection with one mistake, and all findings of its build.

A case is the rule, the files that differ from `COLLECTION`, and the findings, each part ended by a line with a dot.
Lines such as `-- tea/01_Green/zh.md --` begin a file below `notes_src/` (`-- /templates/note.html --`: below the
root). `-- tea/x.pdf <- a damaged PDF --` takes the file from `MADE`, `<- nothing` deletes one, `<- a link to x` makes
a link, `-- tea/02_Green <- renamed from tea/01_Green --` renames after a first build, and
`-- merman <- not installed --` hides a module. ⟦FF⟧ is a byte. `UPDATE=1 pytest` rewrites the findings.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import making_pdfs
import making_pictures
import pytest
from running import EXAMPLES, UPDATE
from said import english_left

from paper_notes import build as build_module
from paper_notes.build import Build, build, update
from paper_notes.diagnostics import Diagnostic
from paper_notes.engine.build_context import BuildContext
from paper_notes.engine.cache import Cache, open_cache
from paper_notes.engine.workers import Workers
from paper_notes.features.verify.commands.verify import facts_of
from paper_notes.languages.sentences import sentences
from paper_notes.languages.text import Lang
from paper_notes.markdown.syntax import inline
from paper_notes.rules import families
from paper_notes.values import replace

HERE = Path(__file__).parent
COLLECTION = {
    "site.yaml": "title: {zh: 笔记, en: Notes}\ntopics: [tea]\n",
    "library.bib": "@misc{lu760tea, title={The Classic of Tea}, author={Lu, Yu}, year={1760}, eprint={2601.00001}}\n",
    "tea/topic.yaml": "title: {zh: 茶, en: Tea}\n",
    "tea/01_Green/note.yaml": "title: {zh: 绿茶, en: Green tea}\n",
    "tea/01_Green/zh.md": "一。\n",
    "tea/01_Green/en.md": "One.\n",
}
_COLLECTION = {f"notes_src/{name}": text.encode() for name, text in COLLECTION.items()}
MADE: Mapping[str, Callable[[], bytes]] = {
    "two million letters": lambda: b"a" * 2_000_000,
    "a large list": lambda: b"title: T\ntopics: [tea]\nauthor: " + b"a" * 1_000_001,
    "a large PNG": lambda: making_pictures.png().ljust(1_500_008, b"\0"),
    "a PNG that was cut off": lambda: making_pictures.png()[:-30],
    "the beginning of a PNG and rubbish": lambda: making_pictures.png()[:60] + b"rubbish" * 99,
    "deep brackets": lambda: b"title: " + b"[" * 60 + b"]" * 60,
    "deep quotations": lambda: b">" * 60 + b" deep\n",
    "comments that open": lambda: b"```c++\n" + b"#if (/*" * 9_000 + b"\n```\n",
    "brackets that open": lambda: b"^[" * 20_000 + b"\n",
    "a paper": making_pdfs.paper,
    "another paper": lambda: making_pdfs.paper("2601.00007"),
    "an unknown paper": lambda: making_pdfs.paper(""),
    "a paper with results": making_pdfs.results,
    "a damaged PDF": making_pdfs.with_damaged_index,
    "a scan": lambda: making_pdfs.with_content(b"0 0 300 300 re f"),
    "a PDF that was cut off": lambda: making_pdfs.paper()[:-40],
    "a kept picture": making_pdfs.kept_figure,
    "a kept picture that was cut off": lambda: making_pdfs.kept_figure()[:-9],
}
_CASE = re.compile(r"(?P<rule>[a-z0-9-]+)\n\.\n(?P<input>.*?)^\.\n(?P<expected>.*?)^\.\n\n*", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"^-- (.+?) --\n", re.MULTILINE)
_BYTE = re.compile(rb"\xe2\x9f\xa6([0-9A-F]{2})\xe2\x9f\xa7")


@dataclass(frozen=True)
class Case:
    rule: str
    input: str
    expected: str


@cache
def cases(group: str) -> tuple[Case, ...]:
    """The cases of a file, which contains nothing else. With UPDATE=1 their findings are written again."""
    path = HERE / f"{group}.md"
    text = path.read_text("utf-8")
    found = tuple(Case(**match.groupdict()) for match in _CASE.finditer(text))
    assert "".join(map(written, found)) == text, f"{group}.md does not have the form of a case file"
    if UPDATE:
        found = tuple(replace(case, expected=said(case)) for case in found)
        path.write_text("".join(map(written, found)), "utf-8")
    return found


def said(case: Case) -> str:
    """The findings of a case as the terminal shows them."""
    with tempfile.TemporaryDirectory() as root:
        return "".join(f"{finding}\n" for finding in findings(case, Path(root)))


def written(case: Case) -> str:
    return f"{case.rule}\n.\n{case.input}.\n{case.expected}.\n\n"


def _bytes(text: str) -> bytes:
    return _BYTE.sub(lambda byte: bytes.fromhex(byte[1].decode()), text.encode())


def _write(root: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)


def _rename(root: Path, renamed: Mapping[str, str]) -> None:
    """Rename folders below `notes_src/` after a first build; `renamed` has the old names by the new paths."""
    if renamed:
        assert update(root).plan
    for name, old in renamed.items():
        (root / "notes_src" / old).rename(root / name)


class _Before:
    """A build of `COLLECTION`: that of a case makes anew what its mistake changes. In `make nightly` it makes all."""

    def __init__(self) -> None:
        self._cache, context = Cache(), BuildContext().remembering()
        self._existing, self._spill = context.existing, context.spill
        with tempfile.TemporaryDirectory() as root:
            _write(Path(root), _COLLECTION)
            assert self.build(Path(root), self._cache).plan

    def cache(self) -> Cache:
        """What that build has kept, for one that may keep other things."""
        cache = Cache()
        cache._tables = {} if EXAMPLES else {name: (kept, {}) for name, (kept, _) in self._cache._tables.items()}
        return cache

    def build(self, root: Path, cache: Cache) -> Build:
        """A build in which pages are in place that need not be made."""

        def context(cache: Cache, workers: Workers, *_: object) -> BuildContext:
            return BuildContext(cache, workers, self._existing, self._spill)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(build_module, "open_cache", lambda root: cache)
            patch.setattr(build_module, "BuildContext", context)
            return build(root)


@cache
def _before() -> _Before:
    return _Before()


def _found(case: Case, root: Path, cache: Cache) -> tuple[Diagnostic, ...]:
    """What a build reports, and `check --verify` for the rules that only it has."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inline, "MAX_LOOKAHEAD", 20_000)  # the limit is the same, only sooner reached
        found = _before().build(root, cache).diagnostics
    return (*found, *facts_of(root, 1)) if case.rule in families()["facts"].rules else found


def findings(case: Case, root: Path) -> tuple[Diagnostic, ...]:
    """The findings of the build of a case's collection, which is written to `root`."""
    _, *parts = _FILE.split(case.input)
    files = dict(_COLLECTION)
    links: dict[str, str] = {}
    missing: dict[str, None] = {}
    renamed: dict[str, str] = {}
    for head, text in zip(parts[::2], parts[1::2], strict=True):
        name, _, made = head.partition(" <- ")
        path = name.removeprefix("/") if name.startswith("/") else f"notes_src/{name}"
        if made == "not installed":
            missing[name] = None
        elif made == "nothing":
            files = {other: data for other, data in files.items() if not f"{other}/".startswith(f"{path}/")}
        elif made.startswith("renamed from "):
            renamed[path] = made.removeprefix("renamed from ")
        elif made.startswith("a link to "):
            files.pop(path, None)
            links[path] = made.removeprefix("a link to ")
        else:
            files[path] = MADE[made]() if made else _bytes(text)
    _write(root, files)
    for name, target in links.items():
        (root / name).symlink_to(target)
    _rename(root, renamed)
    installed = {name: sys.modules[name] for name in missing if name in sys.modules}
    sys.modules.update(missing)  # None is how Python marks what cannot be imported
    try:
        found = _found(case, root, _before().cache() if not renamed else open_cache(root))
    finally:
        for name in missing:
            del sys.modules[name]
        sys.modules.update(installed)
    chinese = sentences(Lang("zh"))
    for text in {text for finding in found for text in (finding.message, finding.hint) if text}:
        assert not english_left(chinese(text)), f"terminal/zh.yaml lacks a part of: {text}"
    return found
