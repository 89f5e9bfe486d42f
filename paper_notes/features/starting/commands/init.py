"""`paper-notes init`. What makes the files is imported when they are made: help and TAB are quick."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from paper_notes.commands.terminal import (
    all_or_nothing,
    is_terminal,
    json_option,
    print_json,
    say,
    say_problem,
    say_waiting,
    translated,
)
from paper_notes.diagnostics import UserError
from paper_notes.features.starting.pages_address import clone_address, pages_address
from paper_notes.output.plan import Plan
from paper_notes.project import install_line, origin
from paper_notes.sources.tree import SOURCE_FOLDER, Source, present, read_tree
from paper_notes.values import Struct, replace

if TYPE_CHECKING:
    from paper_notes.features.starting.beginning import Beginning

T = TypeVar("T")
UNKNOWN = "ADDRESS"
"""In the line of the README that installs the program, where nobody knows how others get it."""
TRY = "1810.04805"
"""A paper that the commands to try make a note on."""


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=".")
@click.option("--languages", show_default="by your system's, or zh,en", help="One or two; the first is shown first.")
@click.option("--title", metavar="TITLE", help="The name of the site.")
@click.option("--topic", metavar="TOPIC", help="The folder of the first topic; else it is `reading`.")
@click.option("--empty", is_flag=True, help="Begin without a topic and a first note, as for notes to import.")
@click.option(
    "--pages",
    is_flag=True,
    help="Add workflows that publish the site on GitHub Pages, and look at pull requests.",
)
@click.option("--vendor", is_flag=True, help="Keep the program with the notes, so that workflows need nobody for it.")
@click.option("--digest", is_flag=True, help="Add a workflow that fetches the papers of each day, and their topic.")
@json_option
def init(
    folder: Path,
    languages: str | None,
    title: str | None,
    topic: str | None,
    empty: bool,
    pages: bool,
    vendor: bool,
    digest: bool,
    as_json: bool,
) -> None:
    """Begin a collection in FOLDER, by default the current one: settings, a topic, and a first note that shows how.

    On a terminal it asks for languages, title and topic, if they are not given. Pages may be in any language that is
    written from left to right; where there are no words for them, English ones stand in a file to be translated. What
    you have written is never changed: in a collection that has notes already only files around them are added, and
    those that an older version wrote are brought up to date, so `init --pages` may be run at any time.
    """
    if empty and topic is not None:
        raise click.UsageError("Say one thing: --topic or --empty.")
    with all_or_nothing():
        is_new = not (folder / SOURCE_FOLDER / "site.yaml").is_file()
        asks = is_new and not as_json and is_terminal()
        choice = _choose(languages, title, topic, empty=empty, asks=asks)
        begun = _begin(folder, choice, pages=pages, vendor=vendor, digest=digest)
    created, updated = ([str(file.path) for file in files] for files in (begun.plan.create, begun.plan.update))
    if as_json:
        print_json(created=created, updated=updated, kept=begun.kept)
        return
    for word, paths in (("created", created), ("updated", updated), ("kept as it is:", begun.kept)):
        for path in paths:
            say(f"{word} {click.format_filename(folder / path)}")
    if begun.is_new:
        _say_what_to_try(folder, choice.topic)
    _say_what_is_left(begun, folder, pages=pages, digest=digest)


def _choose(languages: str | None, title: str | None, topic: str | None, *, empty: bool, asks: bool) -> Beginning:
    """What was given; what was not, the user is asked for, or has the default. Raises UserError."""
    from paper_notes.features.starting.beginning import (
        FIRST_TOPIC,
        Beginning,
        check_topic,
        chosen_languages,
        starting_words,
        usual_languages,
    )
    from paper_notes.languages.sentences import system_languages

    def answer(given: str | None, question: str, default: str, read: Callable[[str], T]) -> T:
        if given is not None or not asks:
            return read(default if given is None else given)
        while True:
            try:
                return read(click.prompt(translated(question), default=default, err=True))
            except UserError as error:
                say_problem(error.message, error.hint)
            except click.Abort as abort:
                raise KeyboardInterrupt from abort

    def folder_of_topic(name: str) -> str:
        check_topic(name)
        return name

    if asks and None in (languages, title, "" if empty else topic):
        say("Enter takes what is in brackets.")
    usual = usual_languages(system_languages(os.environ))
    chosen = answer(languages, "Languages of the notes, one or two (zh,en or en or fr,de ...)", usual, chosen_languages)
    name = starting_words(chosen[0]).languages[0]("title")
    written = answer(title, "Title of the site", name, str.strip)
    first = "" if empty else answer(topic, "Folder of the first topic", FIRST_TOPIC, folder_of_topic)
    today = datetime.date.today()  # noqa: DTZ011 -- the day on the user's own calendar
    return Beginning(chosen, first, today, "" if written == name else written)


class _Begun(Struct, frozen=True):
    plan: Plan
    is_new: bool
    """There was no collection before."""
    kept: list[str]
    """Files that were there already, and stay."""
    changed: list[str]
    """Those of them that are not as `init` writes them today."""
    installs: str
    """What workflows install."""
    base_url: str
    """Where the site will be published, if site.yaml says so since now."""


def _begin(folder: Path, choice: Beginning, *, pages: bool, vendor: bool, digest: bool) -> _Begun:
    """Write what is missing. Raises UserError."""
    from paper_notes.features.starting.beginning import (
        IGNORED,
        README,
        WORKFLOWS,
        collection_files,
        outdated,
        surrounding_files,
        with_address,
    )
    from paper_notes.features.starting.wheel import own_wheel
    from paper_notes.output.disk import apply_whole, compare
    from paper_notes.output.lock import locked

    source, base_url = origin(), pages_address(folder)
    # what no other machine can reach comes along, or the workflow would install nothing
    wheel = own_wheel() if vendor or ((pages or digest) and not source.requirement) else None
    installs = f"{wheel.path}{source.extras}" if wheel else source.requirement
    with locked(folder, say_waiting):
        sources = _sources(folder)
        own_readme, copied = (folder / README).exists(), source.folder or source.copied
        install = install_line(installs or (copied and clone_address(Path(copied))) or UNKNOWN)
        start = replace(choice, base_url=base_url, install=install, own_readme=own_readme, digest=digest)
        own = collection_files(start, sources)
        known = {"pages.yml": pages, "review.yml": pages, "digest.yml": digest}
        if pages or vendor or digest:  # all workflows that are there install the same
            known = {name: asked or (folder / WORKFLOWS / name).is_file() for name, asked in known.items()}
        workflows = [name for name, wanted in known.items() if wanted]
        around = surrounding_files(choice.languages[0], workflows, requirement=installs, wheel=wheel)
        address = with_address(sources, base_url) if pages else []
        before = [*present(folder, *(artifact.path for artifact in around)), *sources]
        whole = compare(folder, [*own, *around, *address], read=before)
        plan = replace(whole, update=(*outdated(whole.update, before), *address))
        apply_whole(folder, plan)
    differing = [artifact.path for artifact in whole.update if artifact not in plan.update]
    kept = [*plan.unchanged, *differing, *([README] if own and start.own_readme else ())]
    in_order = {file.path for file in before if file.path == IGNORED and b"\n/site/" in file.data}
    changed = [path for path in differing if path not in in_order]
    base_url = base_url if own or address else ""
    return _Begun(plan, bool(own), sorted(map(str, kept)), sorted(map(str, changed)), installs, base_url)


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
    first = ("paper-notes build", "makes the site: open site/index.html")
    if not topic:
        first = ("paper-notes import FOLDER", "takes in notes that you have: HTML, Markdown, lists of papers")
    say("Try these three:" if is_here else f"Try these three in {click.format_filename(folder)}:")
    for command, meaning in (
        first,
        ("paper-notes serve --open", "shows it in your browser, and follows what you write"),
        (
            f"paper-notes new {TRY} --topic {topic or 'reading'}",
            "starts a note on an arXiv id, a DOI, a PDF or a .bib file",
        ),
    ):
        say(f"  {command:46} # {translated(meaning)}")


def _say_what_is_left(begun: _Begun, folder: Path, *, pages: bool, digest: bool) -> None:
    """What the user has to decide, or to do by hand."""
    from paper_notes.output.disk import MANIFEST

    if ".gitignore" in begun.changed:
        say("Do not commit site/, it is made from notes_src/: see that your .gitignore has the line /site/.")
        say("PDFs of papers need not be committed either; the line for them is /notes_src/pdfs/.")
    else:
        say("Do not commit site/, it is made from notes_src/: .gitignore leaves it out, and says when you may want it.")
    if begun.is_new and (folder / MANIFEST.parent).exists() and not (folder / MANIFEST).exists():
        say(
            "site/ is there already, and no build has written it: move it away, or builds stop at files of their names."
        )
    for path in sorted(str(artifact.path) for artifact in begun.plan.create if artifact.path.name.startswith("words.")):
        say(f"Words of the pages are in English at first: translate {path}.")
    if begun.is_new and "README.md" in begun.kept:
        say("Your README.md can list the notes: put these into it, and say `readme: true` in notes_src/site.yaml:")
        say("  <!-- paper-notes:begin -->")
        say("  <!-- paper-notes:end -->")
    if any(install_line(UNKNOWN).encode() in artifact.data for artifact in begun.plan.create):
        say(f"README.md has the line that installs the program: write where others get it in place of {UNKNOWN}.")
    _say_how_to_publish(begun, folder.resolve(), pages=pages, digest=digest)


def _say_how_to_publish(begun: _Begun, here: Path, *, pages: bool, digest: bool) -> None:
    """What the workflows want of their owner, and what they install."""
    if pages:
        if any((place / ".git").exists() for place in (here, *here.parents)):
            say("To publish: git push, and choose GitHub Actions under Settings -> Pages.")
        else:
            say("To publish: git init, git remote add origin ADDRESS, and repeat this, so that it knows the address;")
            say("  git add, git commit, git push -u origin HEAD, and choose GitHub Actions under Settings -> Pages.")
        if begun.base_url:
            say(f"The site will be at {begun.base_url}: site.yaml says so, and links of README lead there.")
    if digest:
        say("To get the papers of each day, allow workflows to create pull requests: Settings -> Actions -> General.")
        if not begun.is_new:
            say("They go into the topic `daily`: add it to `topics:` of site.yaml if it is not there.")
    if begun.installs and (pages or digest):
        say(f"Workflows install {begun.installs}: the variable PAPER_NOTES in .github/workflows/.")
    for path in begun.changed:
        if path.startswith((".github/", ".vscode/paper-notes/")):
            say(f"{path} is not as init wrote it, so it stays; delete it, and repeat this, to have that of today.")
