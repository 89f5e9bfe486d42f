"""Tags: aliases become one tag, and variants are reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from building import said, source

from paper_notes.corpus.load import load
from paper_notes.corpus.tags import folded

CASES = yaml.safe_load((Path(__file__).parent / "tags.yaml").read_text("utf-8"))


def flow(value: object) -> str:
    """The value as YAML in one line, lists and mappings without a space inside their brackets."""
    return json.dumps(value, ensure_ascii=False).replace('"', "")


@pytest.mark.parametrize("case", CASES, ids=[case["claim"] for case in CASES])
def test_tags(case: dict[str, Any]) -> None:
    files = {
        "site.yaml": f"title: {{zh: x, en: x}}\ntopics: [one]\ntags: {flow(case['site'])}\n",
        "one/topic.yaml": "title: {zh: x, en: x}\n",
    }
    for number, tags in enumerate(case["notes"], 1):
        folder = f"one/{number:02}_{'ABC'[number - 1]}"
        files[f"{folder}/note.yaml"] = f"title: x\ntags: {flow(tags)}\n"
        files[f"{folder}/zh.md"] = "文\n"
    corpus, problems = load(tuple(source(f"notes_src/{name}", text) for name, text in files.items()))
    assert corpus is not None
    assert [list(note.tags) for note in corpus.notes] == case["become"]
    assert said(problems) == case["said"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("spec-decoding", "Spec_Decoding", True),
        ("spec decoding", "specdecoding", True),
        ("ＲＬ", "rl", True),
        ("agents", "agent", True),
        ("LLM agents", "llm-agent", True),
        ("class", "clas", False),
        ("rl", "rlhf", False),
        ("强化学习", "强化 学习", True),
        ("c", "c++", False),
    ],
)
def test_what_ways_to_write_a_tag_have_in_common(one: str, other: str, same: bool) -> None:
    assert (folded(one) == folded(other)) is same
