"""`paper-notes init`."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, replace
from pathlib import Path

import click

from paper_notes.commands.terminal import all_or_nothing, json_option, print_json, say, say_waiting, translated
from paper_notes.corpus.model import Lang
from paper_notes.diagnostics import UserError
from paper_notes.output.plan import Plan
from paper_notes.project import origin
from paper_notes.sources.tree import SOURCE_FOLDER, Source, read_tree

_WORKFLOWS = frozenset({".github/workflows/pages.yml", ".github/workflows/digest.yml"})
TRY = "1810.04805"
"""A paper that the commands to try make a note on."""


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=".")
@click.option("--languages", default="zh,en", show_default=True, help="One or two; the first is shown first.")
@click.option("--topic", default="reading", show_default=True, help="The folder of the first topic.")
@click.option("--pages", is_flag=True, help="Add a workflow that publishes the site on GitHub Pages.")
@click.option("--vendor", is_flag=True, help="Keep the program with the notes, so that workflows need nobody for it.")
@click.option("--digest", is_flag=True, help="Add a workflow that fetches the papers of each day, and their topic.")
@json_option
def init(folder: Path, languages: str, topic: str, pages: bool, vendor: bool, digest: bool, as_json: bool) -> None:
    """Begin a collection in FOLDER, by default the current one: settings, a topic, and a first note that shows how.

    Languages are zh, zh-Hant, en and ja. What exists is never changed: in a collection that has notes already only
    files around them are added, so `init --pages` may be run at any time.
    """
    from paper_notes.starter.beginning import check_topic, chosen_languages

    with all_or_nothing():
        check_topic(topic)
        begun = _begin(folder, chosen_languages(languages), topic, pages=pages, vendor=vendor, digest=digest)
    created = [str(artifact.path) for artifact in begun.plan.create]
    if as_json:
        print_json(created=created, kept=begun.kept)
        return
    for word, paths in (("created", created), ("kept as it is:", begun.kept)):
        for path in paths:
            say(f"{word} {click.format_filename(folder / path)}")
    if begun.is_new:
        _say_what_to_try(folder, topic)
    _say_what_is_left(begun, pages=pages, digest=digest)


@dataclass(frozen=True)
class _Begun:
    plan: Plan
    is_new: bool
    """There was no collection before."""
    kept: list[str]
    """Files that were there already."""
    installs: str
    """What workflows install."""
    base_url: str
    """Where the site will be published; empty if nobody knows yet."""


def _begin(folder: Path, languages: tuple[Lang, ...], topic: str, *, pages: bool, vendor: bool, digest: bool) -> _Begun:
    """Write what is missing. Raises UserError."""
    from paper_notes.output.disk import apply_whole, compare
    from paper_notes.output.lock import locked
    from paper_notes.starter.beginning import README, Beginning, collection_files, surrounding_files
    from paper_notes.starter.pages_address import pages_address
    from paper_notes.starter.wheel import own_wheel

    requirement, base_url = origin().requirement, pages_address(folder)
    # what no other machine can reach comes along, or the workflow would install nothing
    wheel = own_wheel() if vendor or ((pages or digest) and not requirement) else None
    with locked(folder, say_waiting):
        sources = _sources(folder)
        today = datetime.date.today()  # noqa: DTZ011 -- the day on the user's own calendar
        start = Beginning(languages, topic, today, base_url, own_readme=(folder / README).exists(), digest=digest)
        own = collection_files(start, sources)
        around = surrounding_files(languages[0], pages=pages, digest=digest, requirement=requirement, wheel=wheel)
        plan = compare(folder, [*own, *around], read=())
        apply_whole(folder, replace(plan, update=()))
    kept = [
        *plan.unchanged,
        *(artifact.path for artifact in plan.update),
        *([README] if own and start.own_readme else ()),
    ]
    return _Begun(plan, bool(own), sorted(map(str, kept)), str(wheel.path) if wheel else requirement, base_url)


def _sources(folder: Path) -> tuple[Source, ...]:
    """What is below notes_src/, if there is any. Raises UserError if it cannot be read."""
    for place in folder.resolve().parents:
        if (place / SOURCE_FOLDER / "site.yaml").is_file():
            raise UserError(f"this folder is inside of the collection {place}", "begin another one beside it")
    if not (folder / SOURCE_FOLDER).is_dir():
        return ()
    sources, problems = read_tree(folder)
    if problems:
        raise UserError("notes_src/ cannot be read; fix that first", diagnostics=problems)
    return sources


def _say_what_to_try(folder: Path, topic: str) -> None:
    is_here = folder.resolve() == Path.cwd()
    say("Try these three:" if is_here else f"Try these three in {click.format_filename(folder)}:")
    for command, meaning in (
        ("paper-notes build", "makes the site: open site/index.html"),
        ("paper-notes serve --open", "shows it in your browser, and follows what you write"),
        (f"paper-notes new {TRY} --topic {topic}", "starts a note on an arXiv id, a DOI, a PDF or a .bib file"),
    ):
        say(f"  {command:46} # {translated(meaning)}")


def _say_what_is_left(begun: _Begun, *, pages: bool, digest: bool) -> None:
    """What the user has to decide, or to do by hand."""
    if any(artifact.path.name == ".gitignore" for artifact in begun.plan.update):
        say("Do not commit site/, it is made from notes_src/: see that your .gitignore has the line /site/.")
        say("PDFs of papers need not be committed either; the line for them is /notes_src/pdfs/.")
    else:
        say("Do not commit site/, it is made from notes_src/: .gitignore leaves it out, and says when you may want it.")
    if begun.is_new and "README.md" in begun.kept:
        say("Your README.md can list the notes: put these into it, and say `readme: true` in notes_src/site.yaml:")
        say("  <!-- paper-notes:begin -->")
        say("  <!-- paper-notes:end -->")
    if pages:
        say("To publish: git push, and choose GitHub Actions under Settings -> Pages.")
        if begun.base_url and not begun.is_new:
            say(f"For links from README to the pages: base_url: {begun.base_url} in notes_src/site.yaml.")
    if digest:
        say("To get the papers of each day, allow workflows to create pull requests: Settings -> Actions -> General.")
        if not begun.is_new:
            say("They go into the topic `daily`: add it to `topics:` of site.yaml if it is not there.")
    if begun.installs:
        say(f"Workflows install {begun.installs}: the variable PAPER_NOTES in .github/workflows/.")
    for path in sorted({str(artifact.path) for artifact in begun.plan.update} & _WORKFLOWS):
        say(f"{path} is as it was; delete it, and repeat this, to have it install that.")
