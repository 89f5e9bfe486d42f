"""What an assistant may propose: claims for sections that nobody has written yet, as `draft` asks a model for them.

They are checked against the PDF in the same way, and wait in the same file beside the note until a person has decided.
"""

from __future__ import annotations

import json

from paper_notes.diagnostics import UserError
from paper_notes.features.drafting.commands.draft import DraftWork, keep, work_on
from paper_notes.features.mcp.answers import MOST, AssistantTools, answer

_LONGEST_NAME = 60


class AssistantDrafts:
    """The tools of `mcp --write`, with the names and descriptions that assistants see."""

    def __init__(self, answers: AssistantTools) -> None:
        self._answers = answers

    def draft_questions(self, note: str, lang: str = "", part: int = 1) -> dict[str, object]:
        """What to draft of a note and how, with the text of its paper or a part of it; read it before you propose."""
        work = self._work(note, lang)
        _, prompt, _ = work.questions[self._number(work, part)]
        more = {"truncated": True} if len(prompt.user) > MOST else {}
        of = {"lang": work.lang, "sections": work.sections, "parts": len(work.questions)}
        return answer(note=work.note.id, **of, instructions=prompt.system, paper=prompt.user[:MOST], **more)

    def propose_draft(
        self, note: str, claims: dict[str, list[dict[str, object]]], model: str, lang: str = "", part: int = 1
    ) -> dict[str, object]:
        """Propose claims by section, as `draft_questions` says. With a wrong one nothing is kept; a person decides."""
        work = self._work(note, lang)
        _, _, check = work.questions[self._number(work, part)]
        checked = check(json.dumps(claims))
        if checked.value is None:
            return answer(note=work.note.id, waiting={}, refused=checked.findings)
        name = " ".join(model.split())[:_LONGEST_NAME] or "unknown"
        _, kept = keep(self._answers.root, work, [checked.value], name)
        return answer(note=work.note.id, waiting={section: len(said) for section, said in kept.items()}, refused=())

    def _work(self, note: str, lang: str) -> DraftWork:
        """What there is to draft of a note that may be shown. Raises UserError."""
        known = self._answers.note(note)
        work = work_on(self._answers.root, known.id, (), lang or None)
        if not work.questions:
            raise UserError(
                f"{known.id}: nothing to draft", "its sections are written, or wait for a person's decision"
            )
        return work

    def _number(self, work: DraftWork, part: int) -> int:
        if part not in range(1, len(work.questions) + 1):
            raise UserError(f"there is no part {part}", f"parts: {len(work.questions)}")
        return part - 1
