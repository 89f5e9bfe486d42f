"""`paper-notes draft --review`: a claim, what it rests on, and one key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from paper_notes.commands.collection import load_collection, open_collection
from paper_notes.commands.help import wrapped
from paper_notes.commands.naming import the_note
from paper_notes.commands.terminal import say, say_problem, say_waiting, tell, translated, wait_for_key
from paper_notes.corpus.model import Lang, Note
from paper_notes.diagnostics import UserError
from paper_notes.features.drafting.claims import Claim
from paper_notes.features.drafting.reviewing import Finished, as_it_is, doubts, finish, setting_of
from paper_notes.features.drafting.support import Setting
from paper_notes.features.drafting.waiting import WaitingDraft, waiting
from paper_notes.output.disk import apply, apply_whole, compare
from paper_notes.output.lock import locked
from paper_notes.sources.tree import Source
from paper_notes.values import Struct, replace

_WIDTH = 80
"""Columns of the narrowest terminal that it is made for."""
_INDENT = "    "


def review_on_terminal(root: Path, name: str, lang: str | None) -> None:
    """Ask about each claim that is open; what was decided is kept, however it ends. Raises UserError."""
    review = _Review.of(root, name, lang)
    with _kept(root, review):
        while review.draft.open:
            at, place = review.draft.open[0]
            if not _ask(review, at, place):
                break


class _Review(Struct):
    """A draft that is being reviewed."""

    note: Note
    draft: WaitingDraft
    setting: Setting | None
    before: list[tuple[int, int]]
    """The claims that were decided, the last one last."""

    @classmethod
    def of(cls, root: Path, name: str, lang: str | None) -> _Review:
        """The draft of a note, in a language or the first that there is. Raises UserError."""
        with open_collection(root) as collection:
            note = the_note(collection.corpus, root, name)
            drafts = waiting(note)
            tag = Lang(lang) if lang else next(iter(drafts), Lang(""))
            if tag not in drafts:
                raise UserError(f"{note.id}: no draft waits for a review", f"`paper-notes draft {note.id}` makes one")
            try:
                setting = setting_of(collection.corpus, note, tag, collection.pdfs)
            except UserError as problem:
                say_problem(problem.message, problem.hint)
                setting = None
        return cls(note, drafts[tag], setting, [])


def save(root: Path, finished: Finished, sources: Sequence[Source]) -> None:
    """Write what was decided, and delete the draft's file if nothing waits in it any more. Hold the lock."""
    plan = compare(root, finished.artifacts, read=sources, ours=finished.gone)
    apply_whole(root, plan)
    apply(root, replace(plan, create=(), update=()))


@contextmanager
def _kept(root: Path, review: _Review) -> Iterator[None]:
    """Write what was decided, also if the block ends with Ctrl-C."""
    try:
        yield
    except (KeyboardInterrupt, click.Abort):
        say("")
    with locked(root, say_waiting):
        corpus, sources = load_collection(root)
        note = the_note(corpus, root, review.note.id)
        review.draft = as_it_is(note, review.draft)
        finished = finish(corpus, sources, note, review.draft)
        save(root, finished, sources)
    for section, reason in finished.left:
        say(f"{review.draft.lang}.md: {section}: not written: {reason}")
    for section in finished.sections:
        say(f"{review.draft.lang}.md: {section}: written into the note")
    count = len(review.draft.open)
    say(f"Decided: {review.draft.count - count}; open: {count}.")
    if count:
        say(f"`paper-notes draft --review {review.note.id}` goes on there.")


def _ask(review: _Review, at: int, place: int) -> bool:
    """Ask about one claim; False to stop."""
    section, draft = review.draft.sections[at], review.draft
    claim = section.claims[place]
    tell("")
    tell(f"{section.name}  {draft.count - len(draft.open) + 1}/{draft.count}  {draft.lang}", bold=True)
    _show(claim, review.setting)
    key = ""
    while key not in ("a", "e", "d", "b", "q"):
        key = wait_for_key([translated("[a]ccept  [e]dit  [d]rop  [b]ack  [q]uit")]) or "q"  # the input has ended
    if key == "q":
        return False
    if key == "b":
        if review.before:
            review.draft = draft.decided(*review.before.pop(), "")
        return True
    if key == "e":
        text = click.edit(claim.own or claim.text, extension=".md")
        if text is None or not text.strip():
            return True  # nothing was saved: it is asked again
        review.draft = draft.decided(at, place, "edited", text.strip())
    else:
        review.draft = draft.decided(at, place, "accepted" if key == "a" else "dropped")
    review.before.append((at, place))
    return True


def _show(claim: Claim, setting: Setting | None) -> None:
    for line in (claim.own or claim.text).split("\n"):
        for part in wrapped(line, _WIDTH - 2):
            tell(f"  {part}")
    for item in claim.evidence:
        page = translated(f"p. {item.page}:")
        for number, part in enumerate(wrapped(f"{page} {item}", _WIDTH - 6)):
            tell(f"{_INDENT}{'' if not number else '  '}{part}")
    for doubt in doubts(claim, setting):
        for part in wrapped(f"! {translated(doubt)}", _WIDTH - 6):
            tell(f"{_INDENT}{part}")
