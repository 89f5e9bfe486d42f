"""What users get from collections of many kinds stays as it is, byte by byte; `goldens.py` shows what does not."""

from __future__ import annotations

import pytest
from goldens import IMPORTING, OWN, digests, imports, outputs
from running import EXAMPLES, UPDATE, write

GOLDENS = IMPORTING / "goldens"


UNRENDERED = ("import/", "sources/", "list.json", "documents/", "translated/")


@pytest.mark.nightly(but_every=3)
@pytest.mark.parametrize("name", imports())
def test_imports_exports_and_findings_are_what_they_were(name: str) -> None:
    """To render all notes takes as long as all the rest: of samples and of our own notes `make nightly` does it."""
    whole = bool(UPDATE or EXAMPLES) or not (name == OWN or name.startswith("small-"))
    lines = digests(outputs(name, rendered=whole))
    if UPDATE:
        write(GOLDENS, {f"{name}.txt": lines})
    before = set((GOLDENS / f"{name}.txt").read_text("utf-8").splitlines())
    if not whole:
        before = {line for line in before if line.partition(" ")[2].startswith(UNRENDERED)}
    changed = {line.partition(" ")[2] for line in before ^ set(lines.splitlines())}
    assert not changed, f"see {GOLDENS.parents[2] / 'goldens.py'}; if that is right: UPDATE=1 pytest"


def test_no_golden_is_left_of_a_collection_that_is_gone() -> None:
    assert {path.stem for path in GOLDENS.iterdir()} == set(imports())
