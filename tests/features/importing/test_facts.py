"""What an original says of itself becomes note.yaml, and what means nothing here is kept."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from paper_notes.features.importing.facts import careful, digests_of_facts, facts_of
from paper_notes.features.importing.types import ImportedText, NoteHeader


def facts(
    *papers: str, former: tuple[str, ...] = (), extra: dict[str, Any] | None = None, **said: object
) -> dict[str, Any]:
    outline = NoteHeader(PurePosixPath("x.md"), "T", "", "x")
    return facts_of(
        [ImportedText(outline=outline, lang="en", title="T", body="", facts=said, extra=extra or {})],
        papers,
        {},
        former,
    )


def test_nobody_claims_that_a_note_was_read_and_a_note_on_no_paper_is_a_note() -> None:
    assert facts() == {"title": {"en": "T"}, "kind": "note", "status": "reading"}
    assert facts("ppo")["kind"] == "paper"


def test_names_of_a_note_are_keywords_and_addresses_stay_addresses() -> None:
    made = facts(aliases=["Proximal policy", "/posts/ppo/"], keywords="RL", former=("old/ppo.html",))
    assert made["keywords"] == ["RL", "Proximal policy"]
    assert made["aliases"] == ["old/ppo.html", "posts/ppo/"]


def test_an_address_with_blanks_is_no_keyword() -> None:
    made = facts(aliases=["/LLM agents/ReAct/", "/LLM agents/ReAct.html", "ReAct prompting"])
    assert made["aliases"] == ["LLM agents/ReAct/", "LLM agents/ReAct.html"]
    assert made["keywords"] == ["ReAct prompting"]


def test_each_text_has_its_short_name_and_none_is_a_keyword_too() -> None:
    made = facts(short="ReAct", aliases=["ReAct", "reasoning with tools"])
    assert (made["short"], made["keywords"]) == ({"en": "ReAct"}, ["reasoning with tools"])
    assert facts(short={"zh": "反应"})["short"] == {"zh": "反应"}


def test_what_means_nothing_here_is_kept_as_text() -> None:
    assert facts(extra={"cssclass": ["a", 1], "x": None}, mood="good")["extra"] == {
        "cssclass": ["a", "1"],
        "mood": "good",
        "x": "",
    }


def test_facts_that_are_refused_are_kept_beside_those_that_are_sure() -> None:
    made = careful({"title": {"en": "T"}, "kind": "odd", "tags": ["a"], "rating": "many", "status": "reading"})
    assert made == {"title": {"en": "T"}, "status": "reading", "extra": {"tags": ["a"], "rating": "many"}}


def test_a_value_is_the_same_as_yaml_reads_it() -> None:
    assert (
        digests_of_facts({"draft": True, "n": 3})
        == digests_of_facts({"draft": "true", "n": "3"})
        != digests_of_facts({"draft": "no", "n": "3"})
    )
