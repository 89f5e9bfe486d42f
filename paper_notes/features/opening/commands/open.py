"""`paper-notes open` and `guide`: pages in the browser of the user."""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path
from urllib.parse import quote, urlencode

import click

from paper_notes.commands.build import up_to_date
from paper_notes.commands.completing import PAGES
from paper_notes.commands.naming import (
    SITE_FOLDER,
    below,
    entries,
    find_name,
    find_topic,
    here,
    names_on_disk,
    site_languages,
    taken_apart,
)
from paper_notes.commands.terminal import fail, lang_option, root_option, say, tell
from paper_notes.diagnostics import UserError, did_you_mean
from paper_notes.sources.tree import SOURCE_FOLDER

browser_option = click.option(
    "--open/--no-open", "open_browser", default=True, help="Open it in your browser, which is the default."
)


@click.command("open")
@click.argument("place", required=False)
@lang_option("Show it in this language; else as you last read it.")
@browser_option
@root_option
def open_page(place: str | None, lang: str | None, root: Path, *, open_browser: bool) -> None:
    """Open a page of the site in your browser.

    PLACE is a note as in `show` (spec-rl/4, or spec-rl/4#method for a section), a topic, or the name of a page such as
    papers, tags or map; without it the home page is opened. The file's name is printed, and with --no-open that is all.
    """
    page, section = _page(root, place or "index")
    if lang and lang not in (known := site_languages(root)):
        raise click.BadParameter(f'the site has no language "{lang}"; {did_you_mean(lang, known)}', param_hint="--lang")
    tell(str(page))
    if not _is_current(root, page):
        say("Sources were saved after this page was written: `paper-notes build` makes sure that it is current.")
    if open_browser:
        query = f"?{urlencode({'lang': lang})}" if lang else ""
        open_in_browser(page.resolve().as_uri() + query + (f"#{quote(section)}" if section else ""))


def _page(root: Path, place: str) -> tuple[Path, str]:
    """The file of the page, and the section in it. Raises UserError if there is no such note."""
    names, now = names_on_disk(root), here(root)
    wanted = taken_apart(below(root, place), now)
    topic = find_topic(names, place, now)
    if topic:
        return _built(root, f"{topic}/index.html"), wanted.section
    path = wanted.path.removeprefix(f"{SITE_FOLDER}/")
    for name in (path, f"{path}.html"):
        if name.endswith(".html") and (root / SITE_FOLDER / name).is_file():
            return _built(root, name), wanted.section
    if "/" not in path and path.removesuffix(".html") in PAGES:
        return _built(root, f"{path.removesuffix('.html')}.html"), wanted.section
    try:
        note = find_name(names, below(root, place), now, guess=True)
    except UserError as error:
        hint = did_you_mean(place, [*PAGES, *names.topics]) if "/" not in path else ""
        raise UserError(error.message, hint if hint.startswith("did") else error.hint) from error
    return _built(root, f"{note.topic}/notes/{note.name}.html"), wanted.section


def _built(root: Path, name: str) -> Path:
    """The file of a page below `site/`, which must be there."""
    file = root / SITE_FOLDER / name
    shown = click.format_filename(file)
    if not file.is_file():
        is_built = (root / SITE_FOLDER / "index.html").is_file()
        hint = "`paper-notes build` makes it"
        fail(f"there is no {shown}", f"{hint}, unless it would be empty" if is_built else hint)
    if not os.path.realpath(file).startswith(os.path.join(os.path.realpath(root / SITE_FOLDER), "")):
        fail(f"{shown} is a link that leads out of {SITE_FOLDER}/", "remove it, and run `paper-notes build`")
    return file


def _is_current(root: Path, page: Path) -> bool:
    """True if no source of the page is younger, or if nothing has changed since the last build on this machine."""
    topic, *rest = page.relative_to(root / SITE_FOLDER).parts
    base = root / SOURCE_FOLDER
    sources = base / topic / page.stem if len(rest) == 2 else base / topic if rest else base
    if _newest(sources if sources.exists() else sources.with_name(f"{sources.name}.md")) <= page.stat().st_mtime_ns:
        return True
    return up_to_date(root) is not None


def _newest(place: Path) -> int:
    """The time at which a file, or the youngest file below a folder, was saved; 0 if there is none."""
    inside = [_newest(Path(entry.path)) for entry in entries(place) if not entry.is_symlink()]
    return max([*inside, 0 if inside or not place.is_file() else place.stat().st_mtime_ns])


@click.command()
@browser_option
def guide(*, open_browser: bool) -> None:
    """Open the guide, which came with the program: no network is needed.

    The file's name is printed, and with --no-open that is all. The guide is in English and Chinese, and beside it are
    the notes that it takes its examples from.
    """
    page = guide_page()
    if not page.is_file():
        fail(f"the guide is not at {click.format_filename(page)}", "in a checkout, `make site` makes it")
    tell(str(page))
    if open_browser:
        open_in_browser(page.as_uri())


def guide_page() -> Path:
    """The first page: inside the installed package, or in the site of a checkout."""
    package = Path(__file__).resolve().parents[3]
    installed = package / "manual"
    return (installed if installed.is_dir() else package.parent / "site") / "guide" / "index.html"


def open_in_browser(address: str) -> None:
    """Open an address in the user's browser, or say that there is none.

    Not with `click.launch`: on Linux it never knows, and what it starts takes no section in the address of a file.
    """
    try:
        opened = webbrowser.open(address)
    except webbrowser.Error:
        opened = False
    if not opened:
        say("No browser could be opened: open that file yourself.")
