"""`paper-notes sync`."""

from __future__ import annotations

from pathlib import Path

import click

from paper_notes.commands.collection import load_collection, without_errors
from paper_notes.commands.naming import the_note
from paper_notes.commands.terminal import all_or_nothing, json_option, print_json, root_option, say, say_waiting
from paper_notes.features.translations.record import Record, record
from paper_notes.markdown.render import render_body
from paper_notes.output.disk import apply_whole, compare
from paper_notes.output.lock import locked
from paper_notes.output.plan import Plan


@click.command()
@click.argument("note")
@click.argument("sections", metavar="[SECTION]...", nargs=-1)
@root_option
@json_option
def sync(note: str, sections: tuple[str, ...], root: Path, as_json: bool) -> None:
    """Record that the two texts of NOTE are translations of each other as they stand now.

    NOTE is written like spec-rl/4, or is the path of its folder or page, see `show`; SECTION is the id of a section,
    or `lead` for the text before the first heading. Without SECTION all sections are recorded. From then on
    `paper-notes check` reports where one language has changed and the other has not.
    """
    with all_or_nothing(), locked(root, say_waiting):
        recorded, plan = _record(root, note, sections)
    if as_json:
        updated = [str(artifact.path) for artifact in plan.update]
        parts = {"recorded": recorded.recorded, "one_language": recorded.alone, "dropped": recorded.dropped}
        print_json(note=recorded.note, **parts, updated=updated)
        return
    where = click.format_filename(root / recorded.artifact.path)
    for words, ids in (
        (f"{'recorded in' if plan.update else 'recorded already in'} {where}", recorded.recorded),
        ("not recorded, because only one language has them", recorded.alone),
        ("dropped, because the note no longer has them", recorded.dropped),
    ):
        if ids:
            say(f"{words}: {', '.join(ids)}")


def _record(root: Path, note: str, sections: tuple[str, ...]) -> tuple[Record, Plan]:
    """Read, record and write. Raises UserError."""
    corpus, sources = load_collection(root)
    wanted = the_note(corpus, root, note)
    body = render_body(wanted, words=corpus.site.words)
    without_errors(corpus, body.diagnostics, "note")
    result = record(wanted, body, sources, sections)
    plan = compare(root, [result.artifact], read=sources)
    apply_whole(root, plan)
    return result, plan
