"""The draft of a note that waits for a person: claims with their evidence and what was decided, in a file beside it.

`draft.en.json` is plain text, with a line for each thing, so that it can be compared and committed. No page shows it,
and nothing of it is in the note until each claim of a section is decided.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from paper_notes.artifacts import Artifact
from paper_notes.corpus.model import Lang, Note
from paper_notes.diagnostics import UserError
from paper_notes.features.drafting.applying import LEAD_SENTENCE, LEAD_STATS, ModelText, as_card
from paper_notes.features.drafting.claims import Claim, Decision
from paper_notes.features.drafting.first_texts import Claims, as_markdown
from paper_notes.languages.language import Words
from paper_notes.markdown.body import LEAD
from paper_notes.sources.tree import Source
from paper_notes.values import Struct, asdict, from_json, replace

_MOST = 4 * 1024 * 1024


class WaitingSection(Struct, frozen=True):
    """A section of a note, and the claims of its draft."""

    name: str
    heading: str
    """Its line; empty for parts of the first card."""
    after: str
    claims: tuple[Claim, ...]

    @property
    def is_decided(self) -> bool:
        return all(claim.decision for claim in self.claims)


class WaitingDraft(Struct, frozen=True):
    """All that waits in one language."""

    lang: Lang
    model: str
    prompt: str
    date: str
    source: str
    """As in `Drafted`: `pdf 0123456789`."""
    sections: tuple[WaitingSection, ...]

    @property
    def open(self) -> tuple[tuple[int, int], ...]:
        """The claims that nobody has decided about: their sections and their places in these."""
        return tuple(
            (at, place)
            for at, section in enumerate(self.sections)
            for place, claim in enumerate(section.claims)
            if not claim.decision
        )

    @property
    def count(self) -> int:
        """How many claims there are."""
        return sum(len(section.claims) for section in self.sections)

    def decided(self, at: int, place: int, decision: Decision, own: str = "") -> WaitingDraft:
        """The draft with a decision about one claim."""
        section = self.sections[at]
        claims = list(section.claims)
        claims[place] = replace(claims[place], decision=decision, own=own)
        sections = list(self.sections)
        sections[at] = replace(section, claims=tuple(claims))
        return replace(self, sections=tuple(sections))

    def with_decisions_of(self, other: WaitingDraft) -> WaitingDraft:
        """The draft, with what was decided in the other about the same claims."""
        decided = {(section.name, claim.text): claim for section in other.sections for claim in section.claims}
        sections = [
            replace(section, claims=tuple(
                decided[section.name, claim.text] if decided.get((section.name, claim.text), claim).decision else claim
                for claim in section.claims
            ))
            for section in self.sections
        ]  # fmt: skip
        return replace(self, sections=tuple(sections))

    def with_claims(self, claims: Claims) -> WaitingDraft:
        """The draft with claims of a further answer, behind those of the same sections."""
        sections = {section.name: section for section in self.sections}
        for request, new in claims.items():
            known = sections.get(request.name) or WaitingSection(request.name, request.heading, request.after, ())
            sections[request.name] = replace(known, claims=(*known.claims, *new))
        return replace(self, sections=tuple(sections.values()))

    def texts(self, words: Words) -> tuple[ModelText, ...]:
        """What goes into the note: the sections that are decided and of which something is kept."""
        return tuple(
            self._text(section, words)
            for section in self.sections
            if section.is_decided and any(claim.accepted for claim in section.claims)
        )

    def _text(self, section: WaitingSection, words: Words) -> ModelText:
        accepted = [claim.accepted for claim in section.claims if claim.accepted]
        if section.name in (LEAD_SENTENCE, LEAD_STATS):
            card = as_card(section.name, accepted, words[self.lang])
            return ModelText(LEAD, self.lang, card, self.source, card=section.name)
        text = f"{section.heading}\n\n{as_markdown(accepted, self.lang)}"
        return ModelText(section.name, self.lang, text, self.source, after=section.after)

    def without(self, names: Sequence[str]) -> WaitingDraft:
        """The draft without sections."""
        return replace(self, sections=tuple(section for section in self.sections if section.name not in names))

    @property
    def dropped(self) -> tuple[str, ...]:
        """Sections of which nothing is kept."""
        return tuple(
            section.name
            for section in self.sections
            if section.is_decided and not any(claim.accepted for claim in section.claims)
        )


def file_of(note: Note, lang: Lang) -> PurePosixPath:
    """Where the draft of a note waits."""
    return note.place / f"draft.{lang}.json"


def written(note: Note, draft: WaitingDraft) -> Artifact:
    """The file of a draft."""
    return Artifact.text(file_of(note, draft.lang), json.dumps(asdict(draft), ensure_ascii=False, indent=1) + "\n")


def waiting(note: Note) -> Mapping[Lang, WaitingDraft]:
    """The drafts of a note, by language. Raises UserError if one cannot be read."""
    drafts: dict[Lang, WaitingDraft] = {}
    for name, source in note.files.items():
        if name.startswith("draft.") and name.endswith(".json") and name.count(".") == 2:
            tag = Lang(name.split(".")[1])
            drafts[tag] = _read(source, tag)
    return drafts


def _read(source: Source, lang: Lang) -> WaitingDraft:
    try:
        if len(source.data) > _MOST:
            raise ValueError
        draft = from_json(WaitingDraft, source.data.decode("utf-8-sig"))
    except ValueError:
        message = f"{source.path} is no draft of paper-notes, or was changed so that it cannot be read"
        raise UserError(message, "take back the change, or delete it: the note itself has nothing of it") from None
    return replace(draft, lang=lang)
