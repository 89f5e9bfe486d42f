"""What a note's Markdown becomes: each case of the fixture files beside this one."""

from __future__ import annotations

import pytest
from fixtures import HERE, Case, body, cases

FILES = sorted(path.name for path in HERE.glob("*.md"))
CASES = [pytest.param(case, id=f"{name[:-3]}: {case.title}") for name in FILES for case in cases(name)]


@pytest.mark.parametrize("case", CASES)
def test_renders_as_the_fixture_says(case: Case) -> None:
    assert body(case.input) == case.expected


def test_fixture_files_are_found() -> None:
    assert len(FILES) > 10
    assert len(CASES) > 150
