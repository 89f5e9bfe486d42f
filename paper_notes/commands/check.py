"""`paper-notes check`: all findings, or those that concern some notes or topics only."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import click

from paper_notes.build import build as work_out
from paper_notes.commands.build import notes_and_drafts, run_build, strict_option
from paper_notes.commands.completing import ENTRY
from paper_notes.commands.naming import (
    SITE_FOLDER,
    below,
    entries,
    find_name,
    find_topic,
    here,
    names_on_disk,
    taken_apart,
)
from paper_notes.commands.report_formats import REPORT_FORMATS
from paper_notes.commands.terminal import (
    INPUT_WRONG,
    jobs_option,
    json_option,
    print_json,
    print_text,
    root_option,
    say,
    say_diagnostics,
    shown,
)
from paper_notes.diagnostics import Diagnostic, UserError, has_errors, in_file_order
from paper_notes.extensions import brought
from paper_notes.patterns import regex
from paper_notes.sources.tree import NOTHING_UNSAVED, SOURCE_FOLDER, read_input_file
from paper_notes.values import Struct, asdict, replace

if TYPE_CHECKING:
    from paper_notes.build import Build

_SHOWN = 10
"""Notes that a message names at most."""
_KEY = regex(r"@([\w:.+/-]*\w)")
_WORD = regex(r"[\w:.+/-]+")


@click.command()
@click.argument("places", metavar="[NOTE | TOPIC]...", nargs=-1)
@root_option
@strict_option
@click.option("--verify", is_flag=True, help="Look in the PDFs for what notes say of their papers, as `verify` does.")
@jobs_option
@json_option
@click.option(
    "--format",
    "report",
    type=click.Choice(list(REPORT_FORMATS)),
    help="Print the findings as a review shows them.",
)
def check(
    places: tuple[str, ...],
    root: Path,
    strict: bool,
    verify: bool,
    jobs: int | None,
    as_json: bool,
    report: str | None,
) -> None:
    """Say everything that is wrong, and write nothing.

    NOTE is written as in `show`, TOPIC is the topic's folder; a file such as notes_src/library.bib will do, too. What
    is found in other files is then only counted, but for the BibTeX entries of papers that the notes name. What is
    wrong in drafts are warnings, as it stops no build.
    """
    if report and as_json:
        raise click.UsageError("--json and --format both write to standard output; leave out one")
    only = _concern(root, places) if places else None
    result = with_findings_in_drafts(run_build(root, jobs, write=False, strict=strict), root, jobs)
    if verify:
        result = _with_facts(result, root, jobs)
    concerned, others = only.splits(result.diagnostics, root) if only else (result.diagnostics, ())
    say_diagnostics(concerned)
    pdfs = result.pdf_bytes
    if as_json:
        elsewhere = {"elsewhere": len(others)} if only else {}
        listed = [diagnostic.as_json() for diagnostic in concerned]
        sizes = asdict(pdfs)
        own = {"files": sizes.pop("static"), "bytes": sizes.pop("static_bytes")}
        print_json(diagnostics=listed, pdfs=sizes, static=own, prompts=result.prompts, **elsewhere)
    if report:
        print_text(REPORT_FORMATS[report](_as_shown(concerned, root)))
    if others:
        count = "1 finding" if len(others) == 1 else f"{len(others)} findings"
        say(f"{count} elsewhere; `paper-notes check` shows all.")
    if any(finding.severity == "error" for finding in concerned) or (result.plan is None and not only):
        sys.exit(INPUT_WRONG)
    if only is None:
        _say_sizes(result)
    elif not concerned:
        say(f"{', '.join(only.names)}: nothing is wrong.")


def _as_shown(findings: Iterable[Diagnostic], root: Path) -> list[Diagnostic]:
    """The findings in the reader's language, with paths from this folder, which in a workflow is the repository's."""
    above = PurePosixPath(os.path.relpath(root).replace(os.sep, "/"))
    return [
        replace(
            finding,
            location=replace(finding.location, path=above / finding.location.path),
            message=shown(finding.message),
            hint=shown(finding.hint),
        )
        for finding in findings
    ]


def _say_sizes(result: Build) -> None:
    """What else there is to say of a collection without errors."""
    pdfs = result.pdf_bytes
    if pdfs.published:
        say(f"{_pdfs(pdfs.published)} published: the site gains {pdfs.published_bytes:,} bytes.")
    if pdfs.published and pdfs.others:  # who publishes none knows that
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
        say(f"{notes_and_drafts(result.notes, len(result.drafts))}: nothing is wrong.")


def with_findings_in_drafts(
    result: Build, root: Path, jobs: int | None, unsaved: Mapping[PurePosixPath, bytes] = NOTHING_UNSAVED
) -> Build:
    """The build with what is wrong in notes that it left out; `unsaved` as in `read_tree`."""
    if not result.drafts:
        return result
    with_them = work_out(root, jobs, drafts=True, unsaved=unsaved)
    in_drafts = [
        replace(diagnostic, severity="warning")
        for diagnostic in with_them.diagnostics
        if any(diagnostic.location.path.is_relative_to(place) for place in result.drafts)
    ]
    diagnostics = in_file_order((*result.diagnostics, *in_drafts))
    prompts, maker = with_them.prompts or result.prompts, with_them.maker or result.maker
    return replace(result, diagnostics=diagnostics, prompts=prompts, maker=maker)


def _with_facts(result: Build, root: Path, jobs: int | None) -> Build:
    """The build with what notes say of their papers and no paper at hand says."""
    if result.plan is None or has_errors(result.diagnostics):
        return result
    facts = (problem for find in brought("facts") for problem in find(root, jobs))
    return replace(result, diagnostics=in_file_order((*result.diagnostics, *facts)))


def _pdfs(count: int) -> str:
    return "1 PDF is" if count == 1 else f"{count} PDFs are"


class _Concern(Struct, frozen=True):
    """Files and folders of the collection, and what to call them."""

    paths: tuple[PurePosixPath, ...]
    names: tuple[str, ...]

    def splits(
        self, diagnostics: Iterable[Diagnostic], root: Path
    ) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
        """The findings that concern these, and the others: those in their files, and in the papers they name."""
        all_found = tuple(diagnostics)
        bib = {finding.location.path for finding in all_found if finding.location.path.suffix == ".bib"}
        entries = set(self._entries(root, bib)) if bib else set()

        def concerns(finding: Diagnostic) -> bool:
            where = finding.location
            inside = any(where.path == path or path in where.path.parents for path in self.paths)
            return inside or (where.path, where.line) in entries

        return tuple(filter(concerns, all_found)), tuple(other for other in all_found if not concerns(other))

    def _entries(self, root: Path, bib: Iterable[PurePosixPath]) -> Iterator[tuple[PurePosixPath, int]]:
        """The lines of the BibTeX entries that the notes cite or are about."""
        keys = set(self._keys(root))
        for path in bib:
            text = _text(root / path)
            starts = [(match.start(1), match[1]) for match in ENTRY.finditer(text)]
            for (start, key), (end, _) in zip(starts, [*starts[1:], (len(text), "")], strict=True):
                if key in keys:
                    first, last = text.count("\n", 0, start) + 1, text.count("\n", 0, end) + 1
                    yield from ((path, line) for line in range(first, last + (end == len(text))))

    def _keys(self, root: Path) -> Iterator[str]:
        """What may be keys of papers in the notes: words of facts, and what follows an @ in texts."""
        for path in self.paths:
            for file in _texts(root / path):
                text = _text(file)
                yield from _KEY.findall(text)
                facts = text if file.suffix == ".yaml" else text.partition("\n---")[0] * text.startswith("---")
                yield from _WORD.findall(facts)


def _concern(root: Path, typed: Iterable[str]) -> _Concern:
    """The notes and topics that were meant, and any other file or folder of sources. Raises UserError."""
    known, now = names_on_disk(root), here(root)
    paths: list[PurePosixPath] = []
    names: list[str] = []
    for name in typed:
        wanted = below(root, name)
        path = taken_apart(wanted, now).path
        if topic := find_topic(known, wanted, now):
            paths += [PurePosixPath(SOURCE_FOLDER, topic), PurePosixPath(SITE_FOLDER, topic)]
            names.append(topic)
        elif path.startswith(f"{SOURCE_FOLDER}/") and path.count("/") == 1 and (root / path).is_file():
            paths.append(PurePosixPath(path))
            names.append(path)
        else:
            note = find_name(known, wanted, now)
            folder = PurePosixPath(SOURCE_FOLDER, note.topic)
            page = PurePosixPath(SITE_FOLDER, note.topic, "notes", f"{note.name}.html")
            paths += [folder / note.name, folder / f"{note.name}.md", page]
            names.append(f"{note.topic}/#{note.number}")
    return _Concern(tuple(paths), tuple(names))


def _texts(place: Path) -> Iterator[Path]:
    """The Markdown and YAML files at or below a place; links are passed over."""
    if place.suffix in (".md", ".yaml") and place.is_file() and not place.is_symlink():
        yield place
    for entry in entries(place):
        if not entry.is_symlink():
            yield from _texts(Path(entry.path))


def _text(file: Path) -> str:
    try:
        return read_input_file(file).decode(errors="replace")
    except UserError:
        return ""
