"""The catalogue of rules: complete, each provoked by an example, and in the guide as the program says it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from provoking import COLLECTION, Case, cases, findings
from running import UPDATE, paper_notes
from writing_the_guide import NOTE, guide_texts

from paper_notes.build import build
from paper_notes.diagnostics import RuleId
from paper_notes.features.explaining.commands.explain import LABELS
from paper_notes.markdown.syntax.components import COMPONENTS
from paper_notes.rules import FAMILIES, families, rule_docs

RULES = rule_docs()
CASES = [(family, case) for family in FAMILIES for case in cases(family)]


def test_the_catalogue_has_the_rules_that_code_may_name() -> None:
    """Mypy lets a Diagnostic have no other; that code reports each of them, the examples show."""
    assert [rule for family in families().values() for rule in family.rules] == list(get_args(RuleId))


def test_every_rule_is_provoked_by_an_example_in_the_order_of_the_catalogue() -> None:
    in_catalogue = [(name, rule) for name, family in families().items() for rule in family.rules]
    assert [(name, case.rule) for name, case in CASES] == in_catalogue


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


def test_the_catalogue_has_the_languages_of_the_interface() -> None:
    for family in families().values():
        assert set(family.title) == {"zh", "en"} == set(LABELS)


@pytest.mark.parametrize("rule", RULES)
def test_cause_and_cure_are_short_sentences(rule: str) -> None:
    doc = RULES[rule]
    assert set(doc.cause) == set(doc.cure) == {"zh", "en"}
    for text in (doc.cause["zh"], doc.cure["zh"]):
        assert text.endswith(("。", "）"))
        assert len(text) <= 120
    for text in (doc.cause["en"], doc.cure["en"]):
        assert text.endswith(".")
        assert text[0].isupper() or text[0] == "`"
        assert len(text) <= 240


@pytest.mark.parametrize("path", [NOTE / "zh.md", NOTE / "en.md"], ids=lambda path: path.name)
def test_the_guide_has_all_of_it_as_it_is(path: Path) -> None:
    text = guide_texts()[path]
    if UPDATE:
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text, "run `make guide`"


def test_explain_shows_cause_and_cure() -> None:
    result = paper_notes("explain", "unknown-bibkey")
    assert result.exit_code == 0
    assert result.stdout == (
        "unknown-bibkey\n"
        "  cause: A citation, `papers:`, `crossref` or `xdata` names a paper that is not in the `.bib` files.\n"
        "  cure:  Correct the spelling, or add the entry.\n"
    )
    chinese = paper_notes("explain", "duplicate-key", "bad-day", "--in", "zh").stdout.splitlines()
    assert chinese[0] == "duplicate-key"
    assert chinese[3] == "bad-day"
    assert chinese[5] == "  改法：改日期，或去掉。"


def test_explain_knows_a_rule_that_is_misspelt() -> None:
    result = paper_notes("explain", "unkown-bibkey")
    assert result.exit_code == 2
    assert result.stderr.endswith('Error: no rule "unkown-bibkey"; did you mean "unknown-bibkey"?\n')


def test_explain_tells_what_a_component_is_for() -> None:
    told = paper_notes("explain", "recall", "bad-tex").stdout.splitlines()
    assert told[:7] == [
        "recall",
        "  use:   A self-test: a definition list of questions; answers open on demand",
        "  write: :::recall",
        "         Question?",
        "         : Answer.",
        "         :::",
        "  shows: Test yourself Question? Answer.",
    ]
    assert told[7] == "bad-tex"
    chinese = paper_notes("explain", "theorem", "--in", "zh").stdout.splitlines()
    assert chinese[2:] == [
        "  写法：:::theorem Name {#thm-name}",
        "        Statement.",
        "        :::",
        "  显示：定理 1 Name Statement.",
    ]


@pytest.mark.parametrize("name", sorted(COMPONENTS))
def test_every_component_shows_how_it_is_written_and_what_becomes_of_it(name: str) -> None:
    told = paper_notes("explain", name).stdout.splitlines()
    assert told[2].startswith(f"  write: :::{name}")
    assert told[-2].strip() == ":::"
    assert re.match(r"  shows: .*\w", told[-1])


def test_explain_without_a_rule_lists_them_all() -> None:
    assert paper_notes("explain").stdout.splitlines() == list(RULES)


def test_help_does_not_read_the_catalogue() -> None:
    code = "import sys, paper_notes.commands as c; c.main(['explain', '--help'], standalone_mode=False)"
    after = "; sys.exit('yaml' in sys.modules or 'paper_notes.rules' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code + after], check=False, capture_output=True).returncode == 0
