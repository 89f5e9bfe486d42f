"""The likeliest characters of a line, and how likely each is: forward-backward over all that they may have been."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from paper_notes.features.repair.model import CharacterModel
from paper_notes.features.repair.tables import ORDER

_HISTORY = ORDER - 1
_BEAM = 1e-5
"""A way of reading the text that is this much less likely than the best one so far is given up."""
_WIDEST = 60
"""Ways that are followed at a time."""
_MANY = 40
"""Candidates of a character that are looked at: the most frequent ones."""

Ranked = tuple[tuple[str, float], ...]
"""Characters with their probabilities, the likeliest first."""


def read_line(model: CharacterModel, cells: Sequence[tuple[str, ...]]) -> list[Ranked]:
    """For each cell of the line, which has one or more candidates, those candidates with their probabilities.

    The probability of a character is settled by the two before and the two after it, so each run of doubtful cells
    is read by itself.
    """
    cells = [_frequent(model, cell) for cell in cells]
    ranked_cells: list[Ranked] = [((cell[0], 1.0),) for cell in cells]
    doubtful = [index for index, cell in enumerate(cells) if len(cell) > 1]
    position = 0
    while position < len(doubtful):
        last = position
        while last + 1 < len(doubtful) and doubtful[last + 1] - doubtful[last] <= _HISTORY:
            last += 1
        first, end = doubtful[position], min(len(cells), doubtful[last] + 1 + _HISTORY)
        history = "".join(model.fold(cell[0]) for cell in cells[max(0, first - _HISTORY) : first])
        for index, ranked in zip(range(first, end), _read_run(model, history, cells[first:end]), strict=True):
            if len(cells[index]) > 1:
                ranked_cells[index] = ranked
        position = last + 1
    return ranked_cells


def _read_run(model: CharacterModel, history: str, cells: Sequence[tuple[str, ...]]) -> list[Ranked]:
    ahead: dict[str, float] = {history: 1.0}
    steps: list[tuple[dict[str, float], list[tuple[str, str, str, float]]]] = []
    for cell in cells:
        signs = [(sign, model.fold(sign)) for sign in cell]
        edges: list[tuple[str, str, str, float]] = []
        after: dict[str, float] = defaultdict(float)
        for before, weight in ahead.items():
            for sign, fold in signs:
                likely = model.probability(before, sign if len(cell) > 1 else fold)
                then = (before + fold)[-_HISTORY:]
                after[then] += weight * likely
                edges.append((before, sign, then, likely))
        steps.append((ahead, edges))
        ahead = _pruned(after)
    behind = dict.fromkeys(ahead, 1.0)
    ranked_cells: list[Ranked] = []
    for weights, edges in reversed(steps):
        total: dict[str, float] = defaultdict(float)
        nearer: dict[str, float] = defaultdict(float)
        for before, sign, then, likely in edges:
            rest = behind.get(then, 0.0) * likely
            nearer[before] += rest
            total[sign] += weights[before] * rest
        everything = sum(total.values())
        ranked = sorted(((sign, weight / everything) for sign, weight in total.items()), key=lambda entry: -entry[1])
        ranked_cells.append(tuple(ranked))
        best = max(nearer.values())
        behind = {key: weight / best for key, weight in nearer.items()}
    return ranked_cells[::-1]


def _frequent(model: CharacterModel, cell: tuple[str, ...]) -> tuple[str, ...]:
    if len(cell) <= _MANY:
        return cell
    return tuple(sorted(cell, key=lambda sign: -model.probability("", sign))[:_MANY])


def _pruned(ways: dict[str, float]) -> dict[str, float]:
    best = max(ways.values())
    kept = {way: weight / best for way, weight in ways.items() if weight >= best * _BEAM}
    if len(kept) > _WIDEST:
        kept = dict(sorted(kept.items(), key=lambda entry: -entry[1])[:_WIDEST])
    return kept
