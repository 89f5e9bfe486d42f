from __future__ import annotations

from collections.abc import Iterator

import pytest
from fake_arxiv import FakeArxiv, fake_arxiv


@pytest.fixture
def arxiv_server() -> Iterator[FakeArxiv]:
    with fake_arxiv() as fake:
        yield fake
