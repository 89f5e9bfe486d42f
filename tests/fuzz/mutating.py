"""Collections with mistakes that nobody would think of: legal ones, changed at random, the same for the same seed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from generating import legal_collection
from running import PROJECT, SITES, files_of

Files = dict[str, "bytes | Link"]
"""A collection: what each path holds."""
Mutator = Callable[[random.Random, bytes], bytes]
LARGEST = 60_000
"""In bytes: beyond that a text is not made longer."""

TOKENS = tuple(
    r"""
    $ $$ \( \frac{ \begin{aligned} \end{aligned} \left( \\ & \mathbb{R} \tag{1} \text{ } \require{x} \newcommand
    ::: :::: :::tldr :::stats :::figure :::formula :::symbols :::details :::quote :::timeline :::recall :::paper
    :::note :::theorem :::proof :::step :::example :::unknown {#id} {#图} {.term} {.good} [text]{.pill .new} {#a
    #b} [[#1]] [[#99]] [[ ]] [[#1#id]] [[models/#1]] [[01_First]] [[#1|text]] [@key] [@a; @b, p. 3] @key [@]
    [^1] [^1]: ![alt](figure.svg) ![](pdf:2310.00001#figure-1) ![](pdf:2310.00001#page-1:0,0,1,1)
    ![a](b.png){width=3} <pdf:x#page-0> [text](https://example.org/) [x](javascript:alert(1))
    [x](data:text/html,x) [x](#id) [x](../a.md) <https://a.b> # ## ### #### ##### - * + 1. 999999999. > >> |
    |--|--| || \| ` `` ``` ~~~ ```mermaid ```vega-lite ```python [!NOTE] [!WARNING] [!x] [ ] [x] --- *** === ~~
    == __ ** * _ ^ ~ -- … “ ” （ ） ， 。 《 》 ： <!-- --> <br> <script>alert(1)</script> <svg onload=x>
    <details> </details> <p id=x class=y style=z> <a href=x> <table><tr><td> &lt; &#xfdd0; &#0; &#x110000; &amp;
    & < > " ' \ \: \$ \[ é e\u0301 👩‍👩‍👧 中 文 ｆｕｌｌ \u202e \u200b \ufeff \u2028 \x85 \x0c \t \r \x00
    title: kind: papers: tags: summary: created: updated: corrects: translated: metadata: extra: topics:
    languages: readme: {zh: en: [] {} !!python/object:x &a *a ? | |- >- ~ null true no 1e9 -1 2026-02-30 0x10
    .inf : - -- %YAML <<: " @article{ @misc{a, @string{ @comment @preamble{ author={ year= title="}
    crossref={a}, xdata={a}, month=jan#feb url={ \'e \alpha {\"u} $x$ doi={10.1/x} eprint={2310.00001} and
    others <svg> </svg> <g id="a"> <use href="#a"/> <text> <path d="M0 0"/> <style>*{} <image href="x"/>
    <foreignObject> <!DOCTYPE <!ENTITY viewBox="0 0 1 1" viewBox="NaN" fill="url(#a)" <?xml <![CDATA[ ]]>
    <!--paper-notes:begin--> <!--paper-notes:end--> <!--paper-notes:begin list lang=en topic=x-->
    paper-notes:begin {{ page }} {% block x %} {% endfor %} {{ page.nothing }} {{ 1/0 }} {% include "base.html"
    %} {{ page|x }} {#
    """.split()
)
LINE_STARTS = ("", " ", "    ", "\t", "> ", "- ", "  - ", "1. ", "| ", "# ", "## ", ":::", "$$", ": ", "key: ", "\n")
NAMES = (
    "zh.md", "en.md", "note.yaml", "topic.yaml", "site.yaml", "glossary.yaml", "library.bib", "README.md", "a.svg",
    "figure.png", "x.pdf", "2310.00001.pdf", "07_new.md", "7_x.md", "00_zero.md", "01_题 目.md", "08_a#b?.md",
    "09_%41.md", "10_'\".md", "11_<b>.md", "12_-.md", "999999_x.md", "0000001_x.md", "CON.md", "13_e\u0301.md",
    "14_\u202e.md", "15_.md", "16_..md", "17_\udcff.md", "a\nb.md", "x" * 200 + ".md", ".hidden", "index.html",
)  # fmt: skip


@dataclass(frozen=True)
class Link:
    """A symbolic link, as it is written."""

    target: str


@cache
def pool() -> tuple[dict[str, bytes], ...]:
    """Real collections: those of the tests, and the one of this repository, a note or two at a time."""
    scenarios = [files_of(folder) for folder in sorted(SITES.iterdir())]
    tests = [{name: data for name, data in files.items() if not name.startswith("expected/")} for files in scenarios]
    return tuple(tests)


@cache
def real_notes() -> tuple[tuple[str, dict[str, bytes]], ...]:
    """The notes of this repository by their folder's name."""
    folders = sorted(path.parent for path in (PROJECT / "notes_src").glob("*/*/note.yaml"))
    return tuple((folder.name, files_of(folder)) for folder in folders)


@cache
def material() -> dict[str, tuple[bytes, ...]]:
    """All texts that pieces are taken from, by the ends of their names."""
    texts: dict[str, list[bytes]] = {}
    collections = [*pool(), *(files for _, files in real_notes()), _files(PROJECT / "notes_src", "*.bib", "*.yaml")]
    for files in [*collections, _files(PROJECT / "tests" / "markdown", "*.md", "*.yaml")]:
        for name, data in files.items():
            texts.setdefault(Path(name).suffix, []).append(data)
    return {suffix: tuple(found) for suffix, found in texts.items()}


@cache
def templates() -> tuple[tuple[str, bytes], ...]:
    """What a collection may override."""
    found = {**_files(PROJECT, "templates/*.html", "assets/css/*.css", "assets/*.js")}
    return tuple(sorted(found.items()))


def _files(folder: Path, *patterns: str) -> dict[str, bytes]:
    paths = sorted(path for pattern in patterns for path in folder.glob(pattern))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def how_broken(seed: int) -> int:
    """How many changes a seed makes to its collection: most make none, and a build can be gone on with."""
    return random.Random(seed).choice((0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 16))


def mutant(seed: int, changes: int) -> Files:
    """The collection of a seed, with so many changes to a legal one."""
    chance = random.Random(seed)
    files: Files = dict(legal_collection(seed))
    for _ in range(changes):
        if chance.random() < 0.2:
            chance.choice(STRUCTURAL)(chance, files)
        elif texts := [name for name, data in files.items() if isinstance(data, bytes) and not name.endswith(".pdf")]:
            name = chance.choice(texts)
            for _ in range(chance.choice((1, 1, 1, 2, 4, 20))):
                files[name] = chance.choice(TEXTUAL)(chance, _bytes(files[name]))
    return files


def _bytes(data: bytes | Link) -> bytes:
    assert isinstance(data, bytes)
    return data


def _lines(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


def _flip(chance: random.Random, data: bytes) -> bytes:
    changed = bytearray(data or b" ")
    for _ in range(chance.choice((1, 1, 3, 10))):
        place = chance.randrange(len(changed))
        changed[place] = chance.choice((changed[place] ^ (1 << chance.randrange(8)), chance.randrange(256), 32, 10))
    return bytes(changed)


def _cut(chance: random.Random, data: bytes) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _delete(chance: random.Random, data: bytes) -> bytes:
    start, end = _slice(chance, data)
    return data[:start] + data[end:]


def _duplicate(chance: random.Random, data: bytes) -> bytes:
    start, end = _slice(chance, data)
    times = chance.choice((1, 1, 2, 10, 100, 5000))
    piece = data[start:end][: LARGEST // times]
    return data if len(data) > LARGEST else data[:start] + piece * times + data[start:]


def _slice(chance: random.Random, data: Sequence[object]) -> tuple[int, int]:
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + chance.choice((1, 2, 5, 20, 100, 1000)))


def _delete_lines(chance: random.Random, data: bytes) -> bytes:
    lines = _lines(data)
    start, end = _slice(chance, lines)
    return b"".join(lines[:start] + lines[end:])


def _swap_lines(chance: random.Random, data: bytes) -> bytes:
    lines = _lines(data) or [b"\n"]
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _duplicate_lines(chance: random.Random, data: bytes) -> bytes:
    lines = _lines(data)
    start, end = _slice(chance, lines)
    times = chance.choice((1, 1, 2, 20))
    return data if len(data) > LARGEST else b"".join(lines[:start] + lines[start:end] * times + lines[start:])


def _indent_lines(chance: random.Random, data: bytes) -> bytes:
    lines = _lines(data)
    start, end = _slice(chance, lines)
    mark = chance.choice(LINE_STARTS).encode()
    return b"".join(lines[:start] + [mark + line for line in lines[start:end]] + lines[end:])


def _splice(chance: random.Random, data: bytes) -> bytes:
    other = chance.choice(chance.choice(sorted(material().items()))[1])
    start, end = _slice(chance, data)
    theirs = _slice(chance, other)
    return data[:start] + other[slice(*theirs)] + data[chance.choice((start, end)) :]


def _splice_lines(chance: random.Random, data: bytes) -> bytes:
    other = _lines(chance.choice(chance.choice(sorted(material().items()))[1]))
    lines = _lines(data)
    start, end = _slice(chance, lines)
    theirs = _slice(chance, other)
    return b"".join(lines[:start] + other[slice(*theirs)] + lines[chance.choice((start, end)) :])


def _insert_token(chance: random.Random, data: bytes) -> bytes:
    place = chance.randrange(len(data) + 1)
    if chance.random() < 0.5:  # at the start of a line
        place = data.rfind(b"\n", 0, place) + 1
    written = b""
    for _ in range(chance.choice((1, 1, 2, 3))):
        token = chance.choice(TOKENS)
        if "\\u" in token or "\\x" in token or token in ("\\t", "\\r"):
            token = token.encode().decode("unicode_escape", errors="replace")
        times = chance.choice((1, 1, 1, 1, 2, 50, 1000))
        written += (token.encode("utf-8", "replace") + chance.choice((b"", b" ", b"\n"))) * times
    return data if len(data) > LARGEST else data[:place] + written + data[place:]


_KEY = re.compile(rb"^([ \t-]*)([a-z_]+):", re.MULTILINE)
_VALUE = re.compile(rb"(?<=: )[^\n]+")


def _change_key(chance: random.Random, data: bytes) -> bytes:
    keys = list(_KEY.finditer(data))
    if not keys:
        return data
    key, other = chance.choice(keys), chance.choice(keys)
    new = chance.choice((other[2], key[2][:-1], key[2] * 2, b"title", b"papers", b"zh", b""))
    return data[: key.start(2)] + new + data[key.end(2) :]


def _change_value(chance: random.Random, data: bytes) -> bytes:
    values = list(_VALUE.finditer(data))
    if not values:
        return data
    value, other = chance.choice(values), chance.choice(values)
    odd = (b"", b"[]", b"{}", b"[[[]]]", b"null", b"1", b"-1", b"9" * 400, b'""', b"{zh: }", b"[zh, zh]", b"2026-02-30")
    new = chance.choice((other[0], chance.choice(odd), chance.choice(TOKENS).encode()))
    return data[: value.start()] + new + data[value.end() :]


TEXTUAL: tuple[Mutator, ...] = (
    _flip, _cut, _delete, _duplicate, _delete_lines, _swap_lines, _duplicate_lines, _indent_lines, _splice,
    _splice_lines, _splice_lines, _insert_token, _insert_token, _insert_token, _insert_token, _change_key,
    _change_value, _change_value,
)  # fmt: skip


def _folder(chance: random.Random, files: Files) -> str:
    folders = {""} | {name.rpartition("/")[0] for name in files}
    return chance.choice(sorted(folders))


def _new_name(chance: random.Random, files: Files) -> str:
    return f"{_folder(chance, files)}/{chance.choice(NAMES)}".lstrip("/")


def _put(files: Files, name: str, data: bytes | Link) -> None:
    """A file takes the place of what stands in its way."""
    parts = name.split("/")
    for length in range(1, len(parts)):
        files.pop("/".join(parts[:length]), None)
    for other in [other for other in files if other.startswith(f"{name}/")]:
        del files[other]
    files[name] = data


def _rename(chance: random.Random, files: Files) -> None:
    if files:
        data = files.pop(chance.choice(sorted(files)))
        _put(files, _new_name(chance, files), data)


def _remove(chance: random.Random, files: Files) -> None:
    if files:
        del files[chance.choice(sorted(files))]


def _rename_folder(chance: random.Random, files: Files) -> None:
    folder = _folder(chance, files)
    new = chance.choice(("07_x", "notes_src/x", "notes_src", "notes_src/a/b/c", "notes_src/01_a", "notes_src/é x/02_y"))
    for name in [name for name in files if folder and name.startswith(f"{folder}/")]:
        _put(files, new + name.removeprefix(folder), files.pop(name))


def _copy(chance: random.Random, files: Files) -> None:
    if files:
        _put(files, _new_name(chance, files), files[chance.choice(sorted(files))])


def _add_file(chance: random.Random, files: Files) -> None:
    suffix = chance.choice(sorted(material()))
    _put(files, _new_name(chance, files), chance.choice((b"", b"\xff\xfe", chance.choice(material()[suffix]))))


def _add_link(chance: random.Random, files: Files) -> None:
    targets = (".", "..", "nothing", "/", "/dev/null", "../../notes_src", *sorted(files)[:3])
    _put(files, _new_name(chance, files), Link(chance.choice(targets)))


def _add_template(chance: random.Random, files: Files) -> None:
    name, data = chance.choice(templates())
    _put(files, name, chance.choice(TEXTUAL)(chance, data) if chance.random() < 0.8 else data)


def _add_real_note(chance: random.Random, files: Files) -> None:
    topics = sorted(name.rpartition("/")[0] for name in files if name.endswith("/topic.yaml"))
    name, note = chance.choice(real_notes())
    for part, data in note.items():
        _put(files, f"{(topics or ['notes_src/x'])[0]}/{chance.randrange(20, 99)}_{name}/{part}", data)


STRUCTURAL: tuple[Callable[[random.Random, Files], None], ...] = (
    _rename, _remove, _rename_folder, _copy, _add_file, _add_link, _add_template, _add_real_note,
)  # fmt: skip
