"""`paper-notes build` and `check`."""

from __future__ import annotations

import dataclasses
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from paper_notes.commands.terminal import (
    INPUT_WRONG,
    fail,
    jobs_option,
    json_option,
    print_json,
    root_option,
    say,
    say_diagnostics,
    say_difference,
    say_waiting,
)
from paper_notes.diagnostics import Diagnostic, has_errors, in_file_order
from paper_notes.extensions import brought
from paper_notes.output.plan import Plan

if TYPE_CHECKING:
    from paper_notes.build import Build, BuildOptions
    from paper_notes.output.fingerprint import BuildRecord

_SHOWN = 10
"""Notes that a message names at most."""
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
        say(f"{_notes(record.notes, record.drafts)}: everything is up to date, nothing to write.")
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
        say(f"{_notes(result.notes, len(result.drafts))}: everything is up to date, nothing to write.")
    elif only_check:
        say_difference(plan)
        if plan.foreign:
            from paper_notes.output.disk import in_the_way

            raise in_the_way(plan.foreign)
        fail("the site is not what its sources say; run `paper-notes build`")
    else:
        counts = f"{len(plan.create)} created, {len(plan.update)} updated, {len(plan.delete)} deleted"
        say(f"{_notes(result.notes, len(result.drafts))}: {counts}, {len(plan.unchanged)} unchanged.")
        _say_kept(plan)
        say(f"Open {click.format_filename(root / 'site' / 'index.html')}")
    if errors := sum(diagnostic.severity == "error" for diagnostic in result.diagnostics):
        words = "1 mistake is" if errors == 1 else f"{errors} mistakes are"
        fail(f"{words} marked in the pages", "do not publish them; `paper-notes build` replaces them once all is fixed")


def _unchanged(root: Path) -> BuildRecord | None:
    from paper_notes.engine.cache import open_cache
    from paper_notes.output.fingerprint import unchanged

    with closing(open_cache(root)) as cache:
        return unchanged(root, cache)


def _run(root: Path, jobs: int | None, *, write: bool, **options: Unpack[BuildOptions]) -> Build:
    from paper_notes.build import build as work_out
    from paper_notes.build import update
    from paper_notes.output.renaming import unfinished

    if (stopped := unfinished(root)) and stopped.old:
        where = click.format_filename(stopped.new.relative_to("notes_src"))
        was = click.format_filename(stopped.old.relative_to("notes_src"))
        say(f"A move was interrupted; this finishes it: paper-notes move {was} {where}")
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
    from paper_notes.corpus.kept_crops import KEPT

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
@click.option(
    "--facts", is_flag=True, help="Look in the PDFs for what the notes say of their papers, too; see `verify`."
)
@jobs_option
@json_option
def check(places: tuple[str, ...], root: Path, strict: bool, facts: bool, jobs: int | None, as_json: bool) -> None:
    """Say everything that is wrong, and write nothing.

    NOTE is written as in `show`, TOPIC is the topic's folder; a file such as notes_src/library.bib will do, too. What
    is found in other files is then only counted, but for the BibTeX entries of papers that the notes name. What is
    wrong in drafts are warnings, as it stops no build.
    """
    from paper_notes.commands.concerning import concern  # which a build with nothing to do need not wait for

    only = concern(root, places) if places else None
    result = _with_findings_in_drafts(_run(root, jobs, write=False, strict=strict), root, jobs)
    if facts:
        result = _with_facts(result, root, jobs)
    concerned, others = only.splits(result.diagnostics, root) if only else (result.diagnostics, ())
    say_diagnostics(concerned)
    pdfs = result.pdf_bytes
    if as_json:
        elsewhere = {"elsewhere": len(others)} if only else {}
        shown = [diagnostic.as_json() for diagnostic in concerned]
        sizes = dataclasses.asdict(pdfs)
        own = {"files": sizes.pop("static"), "bytes": sizes.pop("static_bytes")}
        print_json(diagnostics=shown, pdfs=sizes, static=own, prompts=result.prompts, **elsewhere)
    if others:
        count = "1 finding" if len(others) == 1 else f"{len(others)} findings"
        say(f"{count} elsewhere; `paper-notes check` shows all.")
    if any(finding.severity == "error" for finding in concerned) or (result.plan is None and not only):
        sys.exit(INPUT_WRONG)
    if only is None:
        _say_sizes(result)
    elif not concerned:
        say(f"{', '.join(only.names)}: nothing is wrong.")


def _say_sizes(result: Build) -> None:
    """What else there is to say of a collection without errors."""
    pdfs = result.pdf_bytes
    if pdfs.published:
        say(f"{_pdfs(pdfs.published)} published: the site gains {pdfs.published_bytes:,} bytes.")
    if pdfs.others:
        words = f"{_pdfs(pdfs.others)} at hand and not published"
        say(f"{words}: `publish_pdf: true` would add {pdfs.other_bytes:,} bytes.")
    if pdfs.static:
        files = "1 file" if pdfs.static == 1 else f"{pdfs.static} files"
        say(f"static/ has {files}: the site gains {pdfs.static_bytes:,} bytes.")
    if result.prompts:
        said = ", ".join(f"{note} ({count})" for note, count in list(result.prompts.items())[:_SHOWN])
        more = f" and {len(result.prompts) - _SHOWN} more notes" if len(result.prompts) > _SHOWN else ""
        say(f"Still to be answered of what `paper-notes new` asks for, and not shown to readers: {said}{more}.")
    if not result.diagnostics:
        say(f"{_notes(result.notes, len(result.drafts))}: nothing is wrong.")


def _with_findings_in_drafts(result: Build, root: Path, jobs: int | None) -> Build:
    """The build with what is wrong in notes that it left out."""
    if not result.drafts:
        return result
    from paper_notes.build import build as work_out

    with_them = work_out(root, jobs, drafts=True)
    in_drafts = [
        dataclasses.replace(diagnostic, severity="warning")
        for diagnostic in with_them.diagnostics
        if any(diagnostic.location.path.is_relative_to(place) for place in result.drafts)
    ]
    diagnostics = in_file_order((*result.diagnostics, *in_drafts))
    return dataclasses.replace(result, diagnostics=diagnostics, prompts=with_them.prompts or result.prompts)


def _with_facts(result: Build, root: Path, jobs: int | None) -> Build:
    """The build with what notes say of their papers and no paper at hand says."""
    if result.plan is None or has_errors(result.diagnostics):
        return result
    facts = (problem for find in brought("facts") for problem in find(root, jobs))
    return dataclasses.replace(result, diagnostics=in_file_order((*result.diagnostics, *facts)))


def _pdfs(count: int) -> str:
    return "1 PDF is" if count == 1 else f"{count} PDFs are"


def _notes(count: int, drafts: int) -> str:
    notes = "1 note" if count == 1 else f"{count} notes"
    left_out = f" ({drafts} {'draft' if drafts == 1 else 'drafts'} left out)" if drafts else ""
    return f"{notes}{left_out}"
