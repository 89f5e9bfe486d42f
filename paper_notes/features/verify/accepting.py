"""Deciding what numbers are bound to: claims, what is proposed for each, and a dialogue of one key a claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from paper_notes.corpus.model import Lang
from paper_notes.features.verify.bindings import Binding, OwnBinding
from paper_notes.features.verify.evidence import KeptNumber, Spot
from paper_notes.features.verify.report import NoteReport
from paper_notes.features.verify.rows import NumberRow
from paper_notes.values import Struct, field, replace

MOST = 9
"""Proposals, each with a digit."""
_TO_DECIDE = frozenset(("cell", "sentence", "ambiguous", "contradicted", "elsewhere", "missing"))


class OpenClaim(Struct, frozen=True):
    """A number that is to be bound, in all languages that say it."""

    rows: tuple[NumberRow, ...]
    """That of the language which is shown is the first."""
    proposals: tuple[Binding, ...]
    """The best first."""

    @property
    def is_certain(self) -> bool:
        """Whether nothing speaks against the only proposal."""
        return self.rows[0].kept.verdict == "bound" and len(self.proposals) == 1

    @property
    def table(self) -> tuple[str, int]:
        """The section and the table of the note that it is in; -1 for words."""
        row = self.rows[0]
        return row.section, row.result.statement.table


def claims_to_decide(report: NoteReport, shown: Lang) -> tuple[OpenClaim, ...]:
    """The numbers that nobody has decided upon, in their order; what both languages say is asked once."""
    groups: dict[object, list[NumberRow]] = {}
    counts = Counter[object]()
    for row in sorted(report.rows, key=lambda row: row.lang != shown):
        origin = row.result.number.origin
        is_by_hand = origin is not None and origin.kind in ("cell", "derived", "figure")
        if row.kept.kind in _TO_DECIDE and not (row.kept.accepted or row.from_kept or is_by_hand):
            figures = row.result.number.figures
            said = figures.plain.normalize(), figures.unit, figures.sign
            claim = row.section, said, proposals_for(row)
            counts[row.lang, claim] += 1  # two numbers that look alike may be of different cells
            order = 0 if row.kept.verdict == "bound" else counts[row.lang, claim]
            groups.setdefault((claim, order), []).append(row)
    return tuple(OpenClaim(tuple(rows), proposals_for(rows[0])) for rows in groups.values())


def proposals_for(row: NumberRow) -> tuple[Binding, ...]:
    """What the number may be bound to."""
    result = row.result
    of_mismatch = (result.mismatch.binding,) if result.mismatch else ()
    every = (result.binding, *result.candidates, *of_mismatch)
    return tuple(dict.fromkeys(binding for binding in every if binding))[:MOST]


class Dialogue(Struct):
    """The claims one after the other, and what was decided; a key at a time."""

    claims: Sequence[OpenClaim]
    decided: dict[int, Binding | None] = field(default_factory=dict)
    """By the place of the claim; None for one that was left as it is."""
    _steps: list[tuple[int, ...]] = field(default_factory=list)
    """The claims that each key decided, for going back."""

    @property
    def at(self) -> int:
        """The place of the next claim; their number at the end."""
        return next((place for place in range(len(self.claims)) if place not in self.decided), len(self.claims))

    @property
    def is_done(self) -> bool:
        return self.at >= len(self.claims)

    @property
    def accepted(self) -> int:
        return sum(binding is not None for binding in self.decided.values())

    def of_table(self) -> tuple[int, ...]:
        """The claims of the table of this one that can be decided with it; empty if that is one or none."""
        table = self.claims[self.at].table
        places = tuple(
            place
            for place, claim in enumerate(self.claims)
            if place not in self.decided and claim.table == table and claim.is_certain
        )
        return places if table[1] >= 0 and len(places) > 1 else ()

    def accept_certain(self) -> None:
        """Accept all whose only proposal nothing speaks against."""
        places = [place for place, claim in enumerate(self.claims) if claim.is_certain]
        self._decide({place: self.claims[place].proposals[0] for place in places})

    def press(self, key: str) -> bool:
        """Do what a key stands for; False if it stands for nothing here."""
        claim, place = self.claims[self.at], self.at
        if key == "b" and self._steps:
            for decided in self._steps.pop():
                del self.decided[decided]
            return True
        if key == "t" and (places := self.of_table()):
            self._decide({other: self.claims[other].proposals[0] for other in places})
        elif key in ("y", "\r", "\n") and claim.proposals:
            self._decide({place: claim.proposals[0]})
        elif key.isdecimal() and 0 < int(key) <= len(claim.proposals):
            self._decide({place: claim.proposals[int(key) - 1]})
        elif key in ("n", " "):
            self._decide({place: None})
        elif key == "o":
            self._decide({place: OwnBinding()})
        else:
            return False
        return True

    def _decide(self, decided: Mapping[int, Binding | None]) -> None:
        self.decided.update(decided)
        self._steps.append(tuple(decided))


def with_accepted(report: NoteReport, dialogue: Dialogue, spots: Mapping[Binding, Spot]) -> NoteReport:
    """The report with what was accepted. `spots` are where cells are."""
    accepted: dict[int, KeptNumber] = {}
    for place, binding in dialogue.decided.items():
        for row in dialogue.claims[place].rows if binding else ():
            verdict, remark = ("declared", "own") if isinstance(binding, OwnBinding) else ("bound", "")
            spot = spots.get(binding, row.kept.spot if verdict == "bound" else None) if binding else None
            accepted[id(row)] = replace(
                row.kept, verdict=verdict, spot=spot, remark=remark, binding=binding, accepted=row.claim
            )
    rows = (replace(row, kept=accepted[id(row)]) if id(row) in accepted else row for row in report.rows)
    return replace(report, rows=tuple(rows))
