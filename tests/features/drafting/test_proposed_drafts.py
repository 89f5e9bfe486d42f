"""Drafts that an assistant proposes, `mcp --write`: checked as those of a model, and waiting beside the note."""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from running import files_of, paper_notes
from swift_notes import GOOD, PLACE, collection

if os.environ.get("CI") != "true" or ".venv-oldest" in sys.prefix:
    pytest.importorskip("mcp", reason="the extra; the oldest versions lack it")

import anyio
from mcp import Client

from paper_notes.features.mcp.server import server_of

WAITS = f"{PLACE}/draft.en.json"
MADE_UP = [{"text": "It is 99.9 on TeaBench.", "evidence": GOOD["method"][0]["evidence"]}]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PAPER_NOTES_CACHE", str(tmp_path / "caches"))
    return collection(tmp_path / "tea")


def called(root: Path, tool: str, *, write: bool = True, **arguments: object) -> Any:
    async def run() -> Any:
        async with Client(server_of(root, write=write)) as client:
            return await client.call_tool(tool, {"note": "tea/#1", "lang": "en", **arguments})

    with ThreadPoolExecutor(1) as threads:
        return threads.submit(anyio.run, run).result()


def test_an_assistant_is_asked_as_a_model_is_and_what_agrees_with_the_paper_waits(root: Path) -> None:
    asked = called(root, "draft_questions").structured_content
    assert (asked["parts"], asked["sections"]) == (1, [*GOOD])
    assert "Each claim is checked against the PDF by a program" in asked["instructions"]
    assert "SwiftBrew: TeaBench = 71.2; PotSet = 57.3" in asked["paper"]
    before = files_of(root)
    told = called(root, "propose_draft", claims=GOOD, model="some model\n").structured_content
    assert told["waiting"] == {name: len(claims) for name, claims in GOOD.items() if claims}
    after = files_of(root)
    assert {name for name in after if after[name] != before.get(name)} == {WAITS}
    kept = json.loads((root / WAITS).read_text("utf-8"))
    assert (kept["model"], kept["source"][:4]) == ("some model", "pdf ")
    assert not any(claim["decision"] for section in kept["sections"] for claim in section["claims"])
    assert "71.2" not in called(root, "read_note").structured_content["markdown"]
    assert paper_notes("check", "--root", root).exit_code == 0


def test_with_a_claim_that_the_paper_does_not_make_nothing_is_kept(root: Path) -> None:
    before = files_of(root)
    told = called(root, "propose_draft", claims={**GOOD, "method": MADE_UP}, model="m").structured_content
    assert told["waiting"] == {}
    assert told["refused"][0].startswith('method, claim 1 ("It is 99.9 on TeaBench.")')
    assert files_of(root) == before


def test_what_is_written_or_waits_is_not_proposed_again(root: Path) -> None:
    called(root, "propose_draft", claims=GOOD, model="m")
    undone = [name for name, claims in GOOD.items() if not claims]
    assert called(root, "draft_questions").structured_content["sections"] == undone
    again = called(root, "propose_draft", claims=GOOD, model="m").structured_content
    assert again["waiting"] == {}
    assert again["refused"]


def test_without_being_asked_for_nothing_can_be_proposed(root: Path) -> None:
    async def names(write: bool) -> dict[str, bool]:
        async with Client(server_of(root, write=write)) as client:
            return {tool.name: tool.annotations.read_only_hint for tool in (await client.list_tools()).tools}

    with ThreadPoolExecutor(1) as threads:
        plain, more = (threads.submit(anyio.run, names, write).result() for write in (False, True))
    assert all(plain.values())
    assert {name: reads for name, reads in more.items() if name not in plain} == {
        "draft_questions": True,
        "propose_draft": False,
    }
