"""Fixtures of all tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fake_outside import FakeOutside, fake_outside


@pytest.fixture
def outside() -> Iterator[FakeOutside]:
    """arXiv, DataCite and doi.org on this machine."""
    with fake_outside() as fake:
        yield fake
