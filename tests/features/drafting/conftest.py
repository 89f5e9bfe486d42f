"""A model that answers as it is told, and a collection for it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from fake_model import FakeModel, fake_model

from paper_notes.features.drafting.commands import model as commands
from paper_notes.features.papers.web import Web


@pytest.fixture(scope="session")
def server() -> Iterator[FakeModel]:
    with fake_model() as fake:
        yield fake


@pytest.fixture
def model(server: FakeModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeModel:
    """A model that is asked by commands, which wait for nothing, with a cache of its own."""
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PAPER_NOTES_CACHE", str(tmp_path / "caches"))
    monkeypatch.setattr(commands, "Web", partial(Web, sleep=lambda seconds: None))
    server.streams, server.names, server.context, server.knows = True, True, 10**9, FakeModel.knows
    server.answers, server.questions, server.headers, server.reply = [], [], [], lambda messages: ""
    return server
