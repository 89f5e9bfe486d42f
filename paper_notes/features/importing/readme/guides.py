"""Reading paths of a hand-kept README: a heading or a sentence, steps in their order, and what is said of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from paper_notes.features.importing.readme.blocks import ReadmeBlock, links_of, plain
from paper_notes.features.importing.readme.values import Guide, ReadmeStep
from paper_notes.features.importing.readme.vocabulary import ARROW, PATH

_NUMBERED = re.compile(r"#?0*(?P<number>\d{1,6})(?![\w.-]*\w)\s*[:：.]?\s*(?P<rest>.*)", re.DOTALL)
_GROUP = re.compile(r"[(（](?P<inside>.*)[)）]", re.DOTALL)
_NAME = re.compile(r"\s*[(（:：,，].*", re.DOTALL)
_MOST = 200
"""A step with more characters is a sentence."""


def guide_from(heading: ReadmeBlock, inside: Sequence[ReadmeBlock], title: str, lines: Sequence[str]) -> Guide | None:
    """The reading path below a heading; None if there is none."""
    if any(block.kind in ("table", "other") for block in inside):
        return None
    at = next((place for place, block in enumerate(inside) if _is_line(block)), None)
    if at is not None:
        steps, line = steps_of(inside[at].text), inside[at].text
    elif PATH.search(title):
        at = next((place for place, block in enumerate(inside) if len(_items(block)) > 1), None)
        if at is None:
            return None
        steps, line = _items(inside[at]), ""
    else:
        return None
    end = inside[-1].end
    kept = [block for place, block in enumerate(inside) if not (line and place == at)]
    text = "\n\n".join("\n".join(lines[block.start : block.end]).strip("\n") for block in kept)
    return Guide(heading.start, end, title, steps, line, text)


def _is_line(block: ReadmeBlock) -> bool:
    return block.kind == "paragraph" and len(steps_of(block.text)) > 1


def steps_of(markdown: str) -> tuple[ReadmeStep, ...]:
    """The steps of `**15 (Lossless) → 02 (EAGLE)**`; empty if it is a sentence."""
    parts = [part.strip() for part in ARROW.split(markdown)]
    if len(parts) < 2:
        return ()
    parts[0] = re.sub(r"^[^→:：(（]{1,60}[:：]\s*(?=\S)", "", parts[0])
    steps = tuple(_step(part) for part in parts)
    return () if any(len(step.words or step.name) > _MOST for step in steps) else steps


def _step(part: str) -> ReadmeStep:
    links = links_of(part)
    words = plain(part).replace("**", "").replace("__", "").strip("* ").rstrip("。;；")
    if links:
        return ReadmeStep(words, _number(words), links[0].address, links[0].label)
    match = _NUMBERED.fullmatch(words)
    if match:
        group = _GROUP.fullmatch(match["rest"])
        rest = group["inside"] if group else match["rest"]
        return ReadmeStep(rest.strip(), int(match["number"]), "", _NAME.sub("", rest).strip())
    return ReadmeStep(words, None, "", _NAME.sub("", words).strip())


def _number(words: str) -> int | None:
    match = _NUMBERED.fullmatch(words)
    return int(match["number"]) if match else None


def _items(block: ReadmeBlock) -> tuple[ReadmeStep, ...]:
    """The steps of an ordered list, each with a note."""
    if block.kind != "list" or not block.is_ordered:
        return ()
    depth = min(row.depth for row in block.rows)
    steps = []
    for row in block.rows:
        if row.depth == depth:
            links = links_of(row.cells[0])
            words = plain(row.cells[0])
            match = _NUMBERED.fullmatch(words) if words.startswith("#") else None
            if links:
                steps.append(ReadmeStep("", None, links[0].address, links[0].label))
            else:
                number = int(match["number"]) if match else None
                steps.append(ReadmeStep("", number, "", _NAME.sub("", re.split(r"\s+[-—–]\s+", words)[0]).strip()))
    return tuple(steps)
