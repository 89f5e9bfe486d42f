"""Mistakes that people make, each in a small collection: where they are reported, by which rule, and what helps.

`mistakes.yaml` is a list of `{claim, files, said}`. `files` are put over the collection of the rules' examples, with
names as in these (see `provoking.py`). `said` is all that is reported, in order: `rule`, `at` (below `notes_src/`;
from `/` on: below the root), and words that `hint` and `message` must contain.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from provoking import Case, findings

MISTAKES: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "mistakes.yaml").read_text("utf-8"))


def ended(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake["claim"] for mistake in MISTAKES])
def test_a_mistake_is_reported_where_it_is_with_what_helps(mistake: dict[str, Any], tmp_path: Path) -> None:
    files = "".join(f"-- {name} --\n{ended(text) if text else ''}" for name, text in mistake["files"].items())
    found = findings(Case("", files, ""), tmp_path)
    wanted = mistake["said"] or []
    shown = "".join(f"{finding}\n" for finding in found)
    places = [
        (said["rule"], said["at"][1:] if said["at"].startswith("/") else f"notes_src/{said['at']}") for said in wanted
    ]
    assert [(finding.rule, str(finding.location)) for finding in found] == places, shown
    for finding, said in zip(found, wanted, strict=True):
        assert said.get("hint", "") in finding.hint, shown
        assert said.get("message", "") in finding.message, shown


def test_no_claim_is_made_twice() -> None:
    claims = [mistake["claim"] for mistake in MISTAKES]
    assert len(set(claims)) == len(claims)
