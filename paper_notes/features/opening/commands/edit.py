"""`paper-notes edit`."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path, PurePath

import click

from paper_notes.commands.naming import below, find_name, find_topic, here, names_on_disk, site_languages, taken_apart
from paper_notes.commands.terminal import INPUT_WRONG, fail, lang_option, root_option, say, tell
from paper_notes.corpus.references import NoteName
from paper_notes.patterns import regex
from paper_notes.sources.tree import SOURCE_FOLDER, read_input_file

FACTS = "note.yaml"
_PLUS = frozenset("vi vim nvim gvim mvim view nano pico emacs emacsclient micro kak joe jed ne mg gedit kate".split())
"""Editors that take the line as `+12` before the file."""
_GOTO = frozenset("code code-insiders codium vscodium cursor windsurf".split())
"""Editors that take `--goto file:12`."""
_COLON = frozenset("subl sublime_text zed hx helix atom".split())
"""Editors that take `file:12`."""
_HEADING = regex(r"#{1,6}[ \t]+(.*?)[ \t]*(?:\{[^{}\n]*#([\w-]+)[^{}\n]*\}[ \t]*)?$")


@click.command()
@click.argument("note")
@lang_option("The text in this language; else the site's first.")
@click.option("--facts", is_flag=True, help=f"Open {FACTS} instead of a text.")
@click.option("--line", type=click.IntRange(min=1), metavar="N", help="Go to this line.")
@root_option
def edit(note: str, lang: str | None, line: int | None, root: Path, *, facts: bool) -> None:
    """Open a note in your editor.

    It is the editor that VISUAL or EDITOR names. Mistakes in the collection do not matter. NOTE is written as in
    `show`: spec-rl/4, or spec-rl/4#method for a section. Or it is a topic, or a file of the collection, with the line
    if you like, as messages name it: notes_src/spec-rl/04_ReSpec_2510.26475/en.md:12:3. With several words in VISUAL
    the first is the program: VISUAL="code --wait".
    """
    file, named_line = _place(root, note, lang, facts=facts)
    command = _editor()
    if not command:
        tell(str(file))
        fail(
            "neither VISUAL nor EDITOR is set, so that is the file",
            "say which you use, for example: export EDITOR=nano",
        )
    try:
        words = with_line(command, file, line or named_line)
        status = subprocess.run(words, check=False).returncode  # noqa: S603 -- what the user's own environment names
    except OSError as error:
        fail(f"{command[0]} cannot be started: {error.strerror}", "VISUAL or EDITOR names it; set it to another one")
    if status:
        say(f"{command[0]} ended with {status}.")
        raise SystemExit(INPUT_WRONG)


def _editor() -> list[str]:
    """The words of VISUAL, or of EDITOR."""
    named = os.environ.get("VISUAL", "").strip() or os.environ.get("EDITOR", "").strip()
    try:
        return shlex.split(named, posix=os.name != "nt")
    except ValueError:
        return [named]


def with_line(command: list[str], file: Path, line: int) -> list[str]:
    """The command that opens a file at a line, for editors that are known to take one; 0 is no line."""
    name, path = PurePath(command[0]).name.removesuffix(".exe").lower(), os.path.abspath(file)  # noqa: PTH100
    if not line:
        return [*command, path]
    if name in _PLUS:
        return [*command, f"+{line}", path]
    if name in _GOTO:
        return [*command, "--goto", f"{path}:{line}"]
    return [*command, f"{path}:{line}" if name in _COLON else path]


def _place(root: Path, typed: str, lang: str | None, *, facts: bool) -> tuple[Path, int]:
    """The file to open, and the line in it; 0 if none was named. Raises UserError if there is no such note."""
    wanted, now = taken_apart(below(root, typed), here(root)), here(root)
    for path in (wanted.path, os.path.join(now, wanted.path), os.path.join(SOURCE_FOLDER, wanted.path)):
        inside = os.path.normpath(path).replace(os.sep, "/").startswith(f"{SOURCE_FOLDER}/")
        if inside and (root / path).is_file() and not (lang or facts):
            return root / path, wanted.line
    names = names_on_disk(root)
    if topic := find_topic(names, below(root, typed), now):
        return root / SOURCE_FOLDER / topic / "topic.yaml", wanted.line
    note = find_name(names, below(root, typed), now, guess=True)
    file = _file(root / SOURCE_FOLDER, note, site_languages(root), lang, facts=facts)
    return file, _line(file, wanted.section) if wanted.section else wanted.line


def _file(base: Path, note: NoteName, languages: tuple[str, ...], lang: str | None, *, facts: bool) -> Path:
    """The note's text in a language, its facts, or the single file that it is."""
    single, folder = base / note.topic / f"{note.name}.md", base / note.topic / note.name
    if single.is_file():
        return single
    written = [tag for tag in languages if (folder / f"{tag}.md").is_file()]
    if facts or not (written or lang):
        return folder / FACTS
    if lang and lang not in written:
        texts = f"it has {', '.join(written)}" if written else "it has none yet"
        also = f"; to begin one, make {folder / f'{lang}.md'}" if lang in languages else ""
        fail(f"{note.topic}/#{note.number} has no text in {lang}", texts + also)
    return folder / f"{lang or written[0]}.md"


def _line(file: Path, section: str) -> int:
    """The line of the heading whose id this is; 0 if it is not found."""
    for number, line in enumerate(read_input_file(file).decode(errors="replace").splitlines(), 1):
        heading = _HEADING.fullmatch(line)
        if heading and section in (heading[2], re.sub(r"\W+", "-", heading[1].casefold()).strip("-")):
            return number
    say(f'No heading with the id "{section}" was found.')
    return 0
