"""`paper-notes build` and `check`."""

from __future__ import annotations

import dataclasses
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from paper_notes.cli.concerning import concern
from paper_notes.cli.terminal import (
    INPUT_WRONG,
    fail,
    jobs_option,
    json_option,
    print_json,
    root_option,
    say,
    say_diagnostics,
    say_waiting,
)

if TYPE_CHECKING:
    from paper_notes.build import Build, Options
    from paper_notes.diagnostics import Diagnostic
    from paper_notes.output.fingerprint import BuildRecord
    from paper_notes.output.plan import Plan

strict_option = click.option("--strict", is_flag=True, help="Warnings are errors: with any, nothing is written.")

keep_going_option = click.option(
    "--keep-going",
    is_flag=True,
    help="Build in spite of errors: pages mark them. Still exits 1, and is not to publish.",
)


@click.command()
@root_option
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit 1 if something would be written.")
@click.option("--adopt", is_flag=True, help="Write also over files in site/ that no earlier build has written.")
@strict_option
@keep_going_option
@jobs_option
@json_option
def build(
    root: Path, only_check: bool, adopt: bool, strict: bool, keep_going: bool, jobs: int | None, as_json: bool
) -> None:
    """Bring site/ and the README tables up to date with notes_src/.

    Files of your own in site/ are left alone: if one is where a page has to be, nothing is written.
    """
    record = _unchanged(root)
    if record and not (strict and record.diagnostics):
        _say(record.diagnostics, as_json, None, record.files)
        say(f"{_notes(record.notes)}: everything is up to date, nothing to write.")
        return
    result = _run(root, jobs, write=not only_check, adopt=adopt, strict=strict, keep_going=keep_going)
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
        say(f"{_notes(result.notes)}: everything is up to date, nothing to write.")
    elif only_check:
        _say_difference(plan)
        if plan.foreign:
            from paper_notes.output.disk import in_the_way

            raise in_the_way(plan.foreign)
        fail("the site is not what its sources say; run `paper-notes build`")
    else:
        counts = f"{len(plan.create)} created, {len(plan.update)} updated, {len(plan.delete)} deleted"
        say(f"{_notes(result.notes)}: {counts}, {len(plan.unchanged)} unchanged.")
        _say_kept(plan)
        say(f"Open {click.format_filename(root / 'site' / 'index.html')}")
    if errors := sum(found.severity == "error" for found in result.diagnostics):
        words = "1 mistake is" if errors == 1 else f"{errors} mistakes are"
        fail(f"{words} marked in the pages", "do not publish them; `paper-notes build` replaces them once all is fixed")


def _unchanged(root: Path) -> BuildRecord | None:
    from paper_notes.engine.cache import open_cache
    from paper_notes.output.fingerprint import unchanged

    with closing(open_cache(root)) as cache:
        return unchanged(root, cache)


def _run(root: Path, jobs: int | None, *, write: bool, **options: Unpack[Options]) -> Build:
    from paper_notes.build import build as work_out
    from paper_notes.build import update

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


def _say_difference(plan: Plan) -> None:
    updated = [artifact.path for artifact in (*plan.update, *((plan.manifest,) if plan.manifest else ()))]
    created = [artifact.path for artifact in plan.create]
    for word, paths in (("create", created), ("update", updated), ("delete", plan.delete)):
        for path in paths:
            say(f"would {word} {path}")


def _say_kept(plan: Plan) -> None:
    """Say what was written beside the user's own files."""
    from paper_notes.corpus.kept import KEPT

    new = sum(artifact.path.is_relative_to(KEPT) for artifact in plan.create)
    again = [artifact.path for artifact in plan.update if artifact.path.is_relative_to(KEPT)]
    if new:
        say(f"New pictures from PDFs in {KEPT}/: {new}. Commit them, and a clone builds without the PDFs.")
    for path in again:
        say(f"{path} is drawn again, from another PDF than before.")


@click.command()
@click.argument("places", metavar="[NOTE | TOPIC]...", nargs=-1)
@root_option
@strict_option
@jobs_option
@json_option
def check(places: tuple[str, ...], root: Path, strict: bool, jobs: int | None, as_json: bool) -> None:
    """Say everything that is wrong, and write nothing.

    NOTE is written as in `show`, TOPIC is the topic's folder; a file such as notes_src/library.bib will do, too. What
    is found in other files is then only counted, but for the BibTeX entries of papers that the notes name.
    """
    only = concern(root, places) if places else None
    result = _run(root, jobs, write=False, strict=strict)
    found, others = only.splits(result.diagnostics, root) if only else (result.diagnostics, ())
    say_diagnostics(found)
    pdfs = result.pdf_bytes
    if as_json:
        elsewhere = {"elsewhere": len(others)} if only else {}
        shown = [diagnostic.as_json() for diagnostic in found]
        sizes = dataclasses.asdict(pdfs)
        own = {"files": sizes.pop("static"), "bytes": sizes.pop("static_bytes")}
        print_json(diagnostics=shown, pdfs=sizes, static=own, **elsewhere)
    if others:
        count = "1 finding" if len(others) == 1 else f"{len(others)} findings"
        say(f"{count} elsewhere; `paper-notes check` shows all.")
    if any(one.severity == "error" for one in found) or (result.plan is None and not only):
        sys.exit(INPUT_WRONG)
    if only:
        if not found:
            say(f"{', '.join(only.names)}: nothing is wrong.")
        return
    if pdfs.published:
        say(f"{_pdfs(pdfs.published)} published: the site gains {pdfs.published_bytes:,} bytes.")
    if pdfs.others:
        words = f"{_pdfs(pdfs.others)} at hand and not published"
        say(f"{words}: `publish_pdf: true` would add {pdfs.other_bytes:,} bytes.")
    if pdfs.static:
        files = "1 file" if pdfs.static == 1 else f"{pdfs.static} files"
        say(f"static/ has {files}: the site gains {pdfs.static_bytes:,} bytes.")
    if not result.diagnostics:
        say(f"{_notes(result.notes)}: nothing is wrong.")


def _pdfs(count: int) -> str:
    return "1 PDF is" if count == 1 else f"{count} PDFs are"


def _notes(count: int) -> str:
    return "1 note" if count == 1 else f"{count} notes"
