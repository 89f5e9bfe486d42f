"""Fixtures of all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from fake_outside import FakeOutside, fake_outside
from hypothesis import HealthCheck, settings

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "0"))
"""How many the properties are tried with; without it a few, the same every time."""
settings.register_profile(
    "ours",
    max_examples=EXAMPLES or 100,
    derandomize=not EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],  # how fast a machine is says nothing about what is tested
)
settings.load_profile("ours")


@pytest.fixture
def outside() -> Iterator[FakeOutside]:
    """arXiv, DataCite and doi.org on this machine."""
    with fake_outside() as fake:
        yield fake
