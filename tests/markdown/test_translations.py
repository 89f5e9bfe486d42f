"""Which language of a section is outdated, and its diagnostics."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from building import NOTE, note, said

from paper_notes.corpus.model import Lang, Note, Translated
from paper_notes.diagnostics import Location
from paper_notes.markdown.body import Body
from paper_notes.markdown.render import render_body
from paper_notes.markdown.sections import digest
from paper_notes.markdown.translations import digests, outdated
from paper_notes.values import replace

ZH = "引子\n\n## 动机\n\n一。\n\n### 旁支\n\n二。\n\n## 局限\n\n三。\n"
EN = "Lead\n\n## Motivation\n\nOne.\n\n### Aside\n\nTwo.\n\n## Limitations\n\nThree.\n"


def noted(zh: str, en: str, *, recorded: bool = True) -> tuple[Note, Body]:
    """A note of these texts; `recorded` says that ZH and EN were recorded as translations."""
    texts: Mapping[Lang, str] = {"zh": zh, "en": en}
    made = note({lang: text for lang, text in texts.items() if text})
    if recorded:
        before = digests(render_body(note({"zh": ZH, "en": EN})))
        entries = {section: Translated(pair, Location(NOTE / "note.yaml", 9)) for section, pair in before.items()}
        made = replace(made, translated=entries)
    return made, render_body(made)


def told(zh: str, en: str) -> str:
    return said(noted(zh, en)[1].diagnostics).replace(f"{NOTE}/", "").replace("topic/01_Note", "NOTE")


def test_a_digest_is_ten_digits_of_what_is_written() -> None:
    assert digest(["## a", "", "b"]) == "e48d3e771b"
    assert digest(["", "## a  ", "", "b\t", ""]) == digest(["## a", "", "b"])
    assert len({digest([text]) for text in ("a", "b", " a", "a b", "a  b")}) == 5
    assert digest(["", "  "]) == digest([]) == ""


def test_each_section_has_a_digest_in_each_language() -> None:
    found = digests(noted(ZH, EN, recorded=False)[1])
    assert {section: tuple(now) for section, now in found.items()} == {
        "lead": ("zh", "en"),
        "motivation": ("zh", "en"),
        "aside": ("zh", "en"),
        "limitations": ("zh", "en"),
    }
    assert found["lead"] == {"zh": digest(["引子"]), "en": digest(["Lead"])}
    assert found["motivation"]["en"] == digest(["## Motivation", "", "One."])
    assert found["limitations"]["zh"] == digest(["## 局限", "", "三。"])


@pytest.mark.parametrize("text", ["## A\n\nb\n", "\n\n## A\nb", "A\n-\nb", "## A\n\n```text\n## not one\n```\n"])
def test_a_section_is_what_stands_between_headings(text: str) -> None:
    assert digests(render_body(note({"en": text}))) == {"a": {"en": digest(text.split("\n"))}}


def test_what_stands_in_another_section_does_not_count() -> None:
    before = digests(noted(ZH, EN, recorded=False)[1])
    after = digests(noted(ZH.replace("二", "二十"), EN, recorded=False)[1])
    assert {section for section in before if before[section] != after[section]} == {"aside"}


SAID = {
    "zh": (
        (ZH.replace("一", "壹"), EN),
        """\
en.md:3:1: warning[outdated-translation]: the English of section "motivation" was written for an earlier Chinese text
  hint: revise it, then run `paper-notes sync NOTE motivation`
""",
    ),
    "en": (
        (ZH, EN.replace("Three", "3")),
        """\
zh.md:11:1: warning[outdated-translation]: the Chinese of section "limitations" was written for an earlier English text
  hint: revise it, then run `paper-notes sync NOTE limitations`
""",
    ),
    "lead": (
        (ZH.replace("引子", "引言"), EN),
        """\
en.md:1:1: warning[outdated-translation]: the English before the first heading was written for an earlier Chinese text
  hint: revise it, then run `paper-notes sync NOTE lead`
""",
    ),
    "gone": (
        (ZH.replace("旁支", "旁支 {#side}"), EN.replace("Aside", "Aside {#side}")),
        """\
note.yaml:9:1: warning[stale-record]: the note has no section "aside", but `translated` has a record of it
  hint: delete it; if the section has a new id, run `paper-notes sync NOTE <new id>`
""",
    ),
}


@pytest.mark.parametrize(("texts", "expected"), SAID.values(), ids=SAID)
def test_what_is_said(texts: tuple[str, str], expected: str) -> None:
    assert told(*texts) == expected


SILENT = {
    "nothing changed": (ZH, EN),
    "both changed": (ZH.replace("一", "壹"), EN.replace("One", "1")),
    "spaces at line ends": (ZH.replace("。\n", "。 \n"), EN.replace("## Mot", "\n## Mot")),
    "a new section": (f"{ZH}\n## 结论\n\n四。\n", f"{EN}\n## Conclusion\n\nFour.\n"),
    "one language for now": (ZH.replace("一", "壹"), ""),
    "the other one for now": ("", EN.replace("One", "1").replace("Aside", "Other")),
}


@pytest.mark.parametrize("texts", SILENT.values(), ids=SILENT)
def test_where_nothing_is_said(texts: tuple[str, str]) -> None:
    assert told(*texts) == ""


def test_a_section_that_lost_its_counterpart_is_only_a_mismatch() -> None:
    text = told(ZH.replace("三", "叁"), EN.replace("## Limitations\n\nThree.\n", ""))
    assert 'the section "局限" has no counterpart in en.md' in text
    assert set(re.findall(r"\[([a-z-]+)\]", text)) == {"section-mismatch"}


@pytest.mark.parametrize(("opened", "rule"), [(":::tldr\n", "unclosed-component"), ("```\n", "unclosed-fence")])
def test_what_is_never_closed_is_said_and_none_of_what_follows_from_it(opened: str, rule: str) -> None:
    assert re.findall(r"\[([a-z-]+)\]", told(ZH, f"{opened}{EN}")) == [rule]


def test_without_a_record_nothing_is_outdated() -> None:
    assert outdated(*noted(ZH.replace("一", "壹"), EN, recorded=False)) == ()


def test_outdated_sections_come_in_the_order_of_the_page() -> None:
    found = outdated(*noted(ZH.replace("三", "叁").replace("引子", "引言"), EN.replace("Two", "2")))
    assert [(item.section, item.lang) for item in found] == [("lead", "en"), ("aside", "zh"), ("limitations", "en")]
