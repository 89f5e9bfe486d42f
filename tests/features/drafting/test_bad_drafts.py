"""Claims that a model may make up, planted one kind at a time in two languages: each is refused; true ones are not."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import making_pdfs
import pytest
import yaml
from building import source
from fake_model import FakeModel
from running import paper_notes
from swift_notes import PLACE, collection

from paper_notes.corpus.bibliography.from_bibtex import papers_from
from paper_notes.corpus.model import GlossaryTerm, Text
from paper_notes.corpus.paper import BibKey
from paper_notes.diagnostics import NOWHERE
from paper_notes.features.drafting.claims import Claim, PaperText, SourceWords
from paper_notes.features.drafting.first_texts import DraftJob, SectionRequest, check
from paper_notes.features.drafting.reviewing import doubts
from paper_notes.features.drafting.support import Setting, is_unlinked, mistakes
from paper_notes.features.verify.paper import read_passages
from paper_notes.languages.language import BUILT_IN_WORDS
from paper_notes.languages.text import Lang
from paper_notes.sources.bibtex import parse_bibtex

TITLE = "SwiftBrew: Faster Tea by Two Leaves"
PAPER = papers_from(parse_bibtex(source("library.bib", f"@misc{{tea, title={{{TITLE}}}, year={{2020}}}}"))[0])[0][
    BibKey("tea")
]
TERMS = (GlossaryTerm("steam", Text.of(zh="蒸汽", en="steam"), (), (), None, NOWHERE),)
REQUEST = SectionRequest("method", "method", "## Method", "how")


@cache
def setting(lang: str) -> Setting:
    return Setting(PaperText(read_passages(making_pdfs.methods())), Lang(lang), TITLE, TERMS)


JOB = DraftJob(PAPER, (REQUEST,), setting("en"), "", "pdf 0123456789")


def words(text: str, page: int = 1) -> dict[str, Any]:
    return {"page": page, "words": text, "table": "", "labels": []}


def cell(value: str, *labels: str, page: int = 2, table: str = "1") -> dict[str, Any]:
    return {"page": page, "words": value, "table": table, "labels": [*labels]}


def refused(text: str, evidence: list[dict[str, Any]]) -> tuple[str, ...]:
    """Why a claim is refused; nothing if it is accepted."""
    lang = "zh" if any("一" <= sign <= "鿿" for sign in text) else "en"
    job = DraftJob(PAPER, (REQUEST,), setting(lang), "", "pdf 0123456789")
    return check(job, BUILT_IN_WORDS, json.dumps({"method": [{"text": text, "evidence": evidence}]})).findings


BEATS = words("SwiftBrew outperforms TwinKettle by 2.4 points on TeaBench.")
SCALE = words("SlowPot does not scale to large pots.")
DROPS = words("Without steam, accuracy drops by 1.3% on TeaBench.")
FIVE = words("Five experts tasted 120 cups.")
LOSS = words("L = a log p(x) - b log q(y) + c R")
STEPS = words("SwiftBrew first wets the leaves and then pours steam.")
NEEDS = words("heats two leaves at a time and needs no training")
LIMITS = words("SwiftBrew was only tested on small pots")
TIME = words("One cup takes 4.86 s.")
SWIFT, TWIN, SLOW = (cell(value, name, "TeaBench") for name, value in
                     (("SwiftBrew", "71.2"), ("TwinKettle", "68.8"), ("SlowPot", "61.2")))  # fmt: skip

KNOWN = {
    "BEATS": BEATS, "SCALE": SCALE, "DROPS": DROPS, "FIVE": FIVE, "LOSS": LOSS, "STEPS": STEPS, "NEEDS": NEEDS,
    "LIMITS": LIMITS, "TIME": TIME, "SWIFT": SWIFT, "TWIN": TWIN, "SLOW": SLOW,
}  # fmt: skip
CASES: dict[str, dict[str, dict[str, Any]]] = yaml.safe_load(Path(__file__).with_name("claims.yaml").read_text("utf-8"))
SILENT = {"zh: invented: a new fact"}
"""What only a reader notices: Chinese without a name or a number cannot be compared with words of an English paper."""


def ids(kind: str) -> list[str]:
    return [f"{lang}: {name}" for name in CASES[kind] for lang in ("en", "zh")]


def why(kind: str, case: str) -> tuple[str, ...]:
    lang, _, name = case.partition(": ")
    claim = CASES[kind][name]
    return refused(claim[lang], [KNOWN[item] if isinstance(item, str) else item for item in claim["evidence"]])


@pytest.mark.parametrize("case", ids("good"))
def test_what_the_paper_says_is_accepted(case: str) -> None:
    assert why("good", case) == ()


@pytest.mark.parametrize("case", ids("bad"))
def test_what_the_paper_does_not_say_is_refused(case: str) -> None:
    lang, _, name = case.partition(": ")
    claim = CASES["bad"][name]
    assert [reason.partition('"): ')[2] for reason in why("bad", case)] == claim.get(f"said_{lang}", claim["said"])


def test_what_no_program_can_compare_is_shown_as_such_in_the_review() -> None:
    (alone,) = SILENT
    name = alone.partition(": ")[2]
    invented = Claim(CASES["bad"][name]["zh"], (setting("zh").paper.quotation(STEPS["words"], 1),))
    assert doubts(invented, setting("zh")) == (
        "nothing in it can be compared with its evidence by a program: read both",
    )
    named = Claim("SwiftBrew 先润湿叶子。", invented.evidence)
    assert doubts(named, setting("zh")) == ()


def test_evidence_is_kept_as_it_is_printed() -> None:
    claims = check(JOB, BUILT_IN_WORDS, json.dumps({"method": [{"text": "SwiftBrew pours steam.", "evidence": [
        words("swiftbrew FIRST wets the leaves and then pours steam"), cell(" 71.2", "SwiftBrew", "TeaBench")
    ]}]})).value  # fmt: skip
    assert claims
    ((claim,),) = claims.values()
    assert [str(item) for item in claim.evidence] == [
        "“SwiftBrew first wets the leaves and then pours steam.”",
        "T1[SwiftBrew, TeaBench] = 71.2",
    ]


def test_of_several_negations_none_may_be_lost() -> None:
    evidence = [SourceWords("The kettle does not scale, but it never leaks at all.", 1)]
    assert [*mistakes("The kettle does not scale, but it never leaks.", evidence, setting("en"))] == []
    lost = [*mistakes("The kettle does scale, but it never leaks at all.", evidence, setting("en"))]
    assert lost == ["its evidence says no more often: quote less, or say so"]


def test_a_model_that_makes_up_every_kind_gets_none_of_them_into_a_draft(tmp_path: Path, model: FakeModel) -> None:
    good = {"text": "SwiftBrew pours steam on the leaves.", "evidence": [STEPS]}
    bad = [
        {"text": case["en"], "evidence": [KNOWN[item] if isinstance(item, str) else item for item in case["evidence"]]}
        for case in CASES["bad"].values()
    ]
    model.reply = lambda messages: json.dumps({"method": [*bad, good]})
    root = collection(tmp_path / "tea")
    result = paper_notes("draft", "tea/1", "method", "--root", root)
    assert result.exit_code == 1
    assert all(f"method, claim {number} (" in result.stderr for number in range(1, len(bad) + 1))
    (section,) = json.loads((root / PLACE / "draft.en.json").read_text("utf-8"))["sections"]
    assert [claim["text"] for claim in section["claims"]] == [good["text"]]
    assert len(model.questions) == 4, "it was sent back three times"


@pytest.mark.parametrize(
    ("lang", "text", "unlinked"),
    [
        ("zh", "它需要水。", True),
        ("zh", "它需要水 [@tea]。", True),
        ("zh", "它需要蒸汽。", False),
        ("zh", "它需要 SwiftBrew。", False),
        ("zh", "它需要 3 杯。", False),
        ("zh", "它需要 $x$。", False),
        ("en", "It needs water.", False),
    ],
)
def test_a_claim_of_which_nothing_can_be_compared_is_known(lang: str, text: str, unlinked: bool) -> None:
    assert is_unlinked(text, setting(lang)) is unlinked
