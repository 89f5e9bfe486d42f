"""The catalogue of rules: complete, provoked by an example each, and told in the guide as the program says it."""

from __future__ import annotations

from pathlib import Path

import pytest
from provoking import COLLECTION, GROUPS, Case, cases, findings
from running import UPDATE, paper_notes
from test_architecture import rules
from writing_the_guide import guide_texts

from paper_notes.build import build
from paper_notes.rules import GROUPS as TOLD
from paper_notes.rules import RULES

CASES = [(group, case) for group in GROUPS for case in cases(group)]


def test_the_catalogue_has_the_rules_of_the_code_and_no_others() -> None:
    assert set(rules()) - set(RULES) == set(), "add them to paper_notes/rules"
    assert set(RULES) - set(rules()) == set(), "no code gives these"
    assert sum(map(len, TOLD.values())) == len(RULES)


def test_every_rule_is_provoked_by_an_example_in_the_order_of_the_catalogue() -> None:
    assert [(group, case.rule) for group, case in CASES] == [(g, rule) for g, told in TOLD.items() for rule in told]


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=lambda case: case.rule)
def test_the_example_gives_this_finding_and_nothing_else(case: Case, tmp_path: Path) -> None:
    found = findings(case, tmp_path)
    assert "".join(f"{diagnostic}\n" for diagnostic in found) == case.expected
    assert {diagnostic.rule for diagnostic in found} == {case.rule}


def test_the_collection_of_the_examples_has_no_mistake_of_its_own(tmp_path: Path) -> None:
    for name, text in COLLECTION.items():
        (tmp_path / "notes_src" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "notes_src" / name).write_text(text, "utf-8")
    made = build(tmp_path)
    assert made.plan
    assert made.diagnostics == ()


@pytest.mark.parametrize("rule", RULES)
def test_cause_and_cure_are_told_in_both_languages(rule: str) -> None:
    zh, en = RULES[rule]["zh"], RULES[rule]["en"]
    for text in (zh.cause, zh.cure):
        assert text.endswith(("。", "）"))
        assert len(text) <= 120
    for text in (en.cause, en.cure):
        assert text.endswith(".")
        assert text[0].isupper() or text[0] == "`"
        assert len(text) <= 240


@pytest.mark.parametrize("path", guide_texts(), ids=lambda path: path.name)
def test_the_guide_tells_all_of_it_as_it_is(path: Path) -> None:
    text = guide_texts()[path]
    if UPDATE:
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text, "run `make guide`"


def test_explain_tells_cause_and_cure() -> None:
    result = paper_notes("explain", "unknown-bibkey")
    assert result.exit_code == 0
    assert result.stdout == (
        "unknown-bibkey\n"
        "  cause: A citation, `papers:`, `crossref` or `xdata` names a paper that is not in the `.bib` files.\n"
        "  cure:  Mend the spelling, or add the entry.\n"
    )
    chinese = paper_notes("explain", "duplicate-key", "bad-day", "--in", "zh").stdout.splitlines()
    assert chinese[0] == "duplicate-key"
    assert chinese[3] == "bad-day"
    assert chinese[5] == "  改法：改日期，或去掉。"


def test_explain_knows_a_rule_that_is_misspelt() -> None:
    result = paper_notes("explain", "unkown-bibkey")
    assert result.exit_code == 2
    assert result.stderr.endswith('Error: no rule "unkown-bibkey"; did you mean "unknown-bibkey"?\n')


def test_explain_without_a_rule_lists_them_all() -> None:
    assert paper_notes("explain").stdout.splitlines() == list(RULES)
