from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from fake_outside import FakeOutside, FakePlace

from paper_notes.features.papers.web import Web


@pytest.fixture
def arxiv_server(outside: FakeOutside) -> FakePlace:
    return outside.arxiv


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with httpx.Client(trust_env=False) as client:
        yield client


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def web(client: httpx.Client, pauses: list[float]) -> Web:
    """A Web that records its pauses instead of waiting, with a clock that does not move."""
    return Web(client=client, sleep=pauses.append, clock=lambda: 1_800_000_000.0)
