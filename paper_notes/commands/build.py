"""`paper-notes build`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from paper_notes.addresses import TO_PAGES, is_address
from paper_notes.commands.progress import announced, watched
from paper_notes.commands.terminal import (
    check_option,
    fail,
    jobs_option,
    json_option,
    print_json,
    root_option,
    say,
    say_changes,
    say_diagnostics,
    say_waiting,
)
from paper_notes.diagnostics import Diagnostic
from paper_notes.engine.cache import open_cache
from paper_notes.extensions import brought
from paper_notes.output.fingerprint import BuildRecord, unchanged
from paper_notes.output.plan import Plan
from paper_notes.sources.tree import read_readmes

if TYPE_CHECKING:
    from paper_notes.build import Build, BuildOptions


def _address(_context: click.Context, _option: click.Parameter, given: str | None) -> str:
    if given and not is_address(given):
        raise click.BadParameter("it must be an address that starts with https://")
    return given or ""


strict_option = click.option("--strict", is_flag=True, help="Warnings are errors: with any, nothing is written.")


@click.command()
@root_option
@check_option
@click.option("--adopt", is_flag=True, help="Write also over files in site/ that no earlier build has written.")
@strict_option
@click.option(
    "--keep-going",
    is_flag=True,
    help="Build in spite of errors: pages mark them. Still exits 1, and must not be published.",
)
@click.option(
    "--base-url",
    metavar="URL",
    callback=_address,
    help="Where the site is published, if site.yaml does not say it: workflows know.",
)
@jobs_option
@json_option
def build(
    root: Path,
    only_check: bool,
    adopt: bool,
    strict: bool,
    keep_going: bool,
    base_url: str,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Bring site/ and the README tables up to date with notes_src/.

    Files of your own in site/ are left alone: if one is where a page has to be, nothing is written.
    """
    bring_in_sources(root, write=not only_check)
    record = None if base_url else up_to_date(root)
    if record and not (strict and record.diagnostics):
        _say(record.diagnostics, as_json, None, record.files)
        say(f"{notes_and_drafts(record.notes, record.drafts)}: everything is up to date, nothing to write.")
        return
    asked: BuildOptions = {"adopt": adopt, "strict": strict, "keep_going": keep_going, "base_url": base_url}
    result = run_build(root, jobs, write=not only_check, **asked)
    plan = result.plan
    _say(result.diagnostics, as_json, plan, len(plan.unchanged) if plan else 0, written=not only_check)
    if plan is None:
        if keep_going:
            fail(
                "nothing was written",
                "some of these concern all pages: site.yaml, a template or style, or the name of a page",
            )
        fail("nothing was written")
    if plan.empty:
        say(f"{notes_and_drafts(result.notes, len(result.drafts))}: everything is up to date, nothing to write.")
    elif only_check:
        say_changes(plan)
        if plan.foreign:
            from paper_notes.output.disk import in_the_way  # slow to import, as above all `paper_notes.build` is

            raise in_the_way(plan.foreign)
        fail("the site is not what its sources say; run `paper-notes build`")
    else:
        counts = f"{len(plan.create)} created, {len(plan.update)} updated, {len(plan.delete)} deleted"
        say(f"{notes_and_drafts(result.notes, len(result.drafts))}: {counts}, {len(plan.unchanged)} unchanged.")
        _say_kept(plan)
        _say_links(root, result)
        say(f"Open {click.format_filename(root / 'site' / 'index.html')}")
    if errors := sum(diagnostic.severity == "error" for diagnostic in result.diagnostics):
        words = "1 mistake is" if errors == 1 else f"{errors} mistakes are"
        fail(f"{words} marked in the pages", "do not publish them; `paper-notes build` replaces them once all is fixed")


def bring_in_sources(root: Path, *, write: bool = True) -> None:
    """Let features take what has changed outside of the collection into `notes_src/`, or fail if something has."""
    for bring_in in brought("sources"):
        bring_in(root, write=write)


def up_to_date(root: Path) -> BuildRecord | None:
    """The last build on this machine, if nothing has changed since."""
    with closing(open_cache(root)) as cache:
        return unchanged(root, cache)


def run_build(root: Path, jobs: int | None, *, write: bool, **options: Unpack[BuildOptions]) -> Build:
    """Build the site, and write it or not, and show how far it is. If a move was interrupted, say how to finish it."""
    options.setdefault("watch", watched)
    from paper_notes.build import build as work_out  # slow to import, and often nothing has changed
    from paper_notes.build import update
    from paper_notes.output.renaming import unfinished

    if stopped := unfinished(root):
        say(f"A move was interrupted; this finishes it: paper-notes {stopped.command}")
    with announced("Reading the collection"):
        if write:
            return update(root, jobs, waiting=say_waiting, **options)
        return work_out(root, jobs, **options)


def _say(
    diagnostics: tuple[Diagnostic, ...], as_json: bool, plan: Plan | None, unchanged: int, *, written: bool = True
) -> None:
    say_diagnostics(diagnostics)
    if as_json:
        print_json(
            diagnostics=[diagnostic.as_json() for diagnostic in diagnostics],
            created=[str(artifact.path) for artifact in plan.create] if plan else [],
            updated=[str(artifact.path) for artifact in plan.update] if plan else [],
            deleted=[str(path) for path in plan.delete] if plan else [],
            unchanged=unchanged,
            written=bool(plan and written and not plan.empty),
        )


def _say_kept(plan: Plan) -> None:
    """Say what was written beside the user's own files."""
    from paper_notes.corpus.kept_crops import KEPT  # what nobody needs if nothing has changed

    new = sum(artifact.path.is_relative_to(KEPT) for artifact in plan.create)
    again = [artifact.path for artifact in plan.update if artifact.path.is_relative_to(KEPT)]
    if new:
        say(f"New pictures from PDFs in {KEPT}/: {new}. Commit them, and a clone builds without the PDFs.")
    for path in again:
        say(f"{path} is drawn again, from another PDF than before.")


def _say_links(root: Path, result: Build) -> None:
    """Say once, when the tables of a README are filled for the first time, that GitHub does not show their pages."""
    before = {readme.path for readme in result.readmes if TO_PAGES.search(readme.data)}
    for readme in read_readmes(root, [readme.path for readme in result.readmes])[0]:
        if readme.path not in before and TO_PAGES.search(readme.data):
            say(f"The tables of {readme.path} link to files in site/, which GitHub does not show as pages.")
            say("Put `base_url:` into notes_src/site.yaml once the site is published: they will lead there.")


def notes_and_drafts(count: int, drafts: int) -> str:
    """How many notes there are, in words."""
    notes = "1 note" if count == 1 else f"{count} notes"
    left_out = f" ({drafts} {'draft' if drafts == 1 else 'drafts'} left out)" if drafts else ""
    return f"{notes}{left_out}"
