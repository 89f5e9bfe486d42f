"""Servers that misbehave: the exact words for each, how often they are asked, and how long is waited."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from fake_outside import Answer, FakeOutside, csl_item, daily, daily_paper, datacite_record, feed

from paper_notes.corpus.model import ArxivId
from paper_notes.diagnostics import UserError
from paper_notes.features.lists import daily as daily_papers
from paper_notes.features.papers import arxiv, datacite, doi, downloads, web
from paper_notes.features.papers.arxiv import ArxivReference
from paper_notes.features.papers.web import Web
from paper_notes.values import replace

CASES: Mapping[str, Any] = yaml.safe_load((Path(__file__).parent / "misbehaviour.yaml").read_text("utf-8"))
TEXTS = {
    "feed": feed(),
    "other feed": feed("http://arxiv.org/abs/2302.01318v1"),
    "datacite": datacite_record(),
    "doi": csl_item(),
    "hf": daily(daily_paper(1), daily_paper(2)),
}
PAPER = ArxivReference(ArxivId("2510.26475"))
SERVICES = {
    "arxiv": arxiv.ARXIV,
    "datacite": datacite.DATACITE,
    "doi": doi.DOI,
    "pdf": downloads.ARXIV_PDF,
    "hf": daily_papers.HUGGING_FACE,
}


def answer_of(case: Mapping[str, Any]) -> Answer:
    body = TEXTS[case["text"]] if "text" in case else case.get("body", "").encode()
    body = bytes.fromhex(case["bytes"]) if "bytes" in case else body
    body = b" " * case["repeat"] if "repeat" in case else body
    body = b'{"data":' + b"[" * case["nested"] if "nested" in case else body
    switches = {name: case[name] for name in ("status", "headers", "delay", "drip", "cut", "reset") if name in case}
    return Answer(body[: case.get("keep")], **switches)


DAY = datetime.date(2026, 1, 13)


def ask(place: str, fake: FakeOutside, outside: Web) -> None:
    service = replace(SERVICES[place], url=getattr(fake, place).url, instead="")
    if place == "arxiv":
        arxiv.ask(outside, PAPER, service)
    elif place == "datacite":
        datacite.ask(outside, arxiv.offline_draft(PAPER), service)
    elif place == "hf":
        daily_papers.fetch_day(outside, daily_papers.origin_of("hf"), DAY, DAY)
    elif place == "doi":
        doi.ask(outside, "10.1234/nest.2024.7", service)
    else:
        downloads.download_pdf(outside, replace(PAPER, version=2), service)


@pytest.mark.parametrize("name", CASES)
def test_misbehaviour(
    name: str, outside: FakeOutside, client: httpx.Client, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES[name]
    if "delay" in case:
        monkeypatch.setattr(web, "TIMEOUT", 0.2)
    if "drip" in case:
        monkeypatch.setattr(web, "PATIENCE", 0.1)
    place = getattr(outside, case["from"])
    place.says(answer_of(case))
    asking = Web(client=client, addresses=outside.environment, sleep=pauses.append, clock=lambda: 1_800_000_000.0)
    with pytest.raises(UserError) as caught:
        ask(case["from"], outside, asking)
    assert caught.value.message == case["message"]
    assert caught.value.hint == case["hint"]
    assert pauses == case.get("pauses", [])
    tries = case.get("tries", 1 + len(case.get("pauses", [])))
    assert len(place.questions) == tries
