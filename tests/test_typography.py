"""Typographic signs in plain texts: titles, and summaries where they show no marks."""

from __future__ import annotations

import pytest
from building import note

from paper_notes.markdown.short_texts import plain_text
from paper_notes.typography import typographic

TITLES = {
    """What's "lossless"?""": "What’s “lossless”?",
    "the models' 'own' '90s": "the models’ ‘own’ ’90s",
    "a 5'10\" man": "a 5'10\" man",
    "1--2 --- and so on...": "1–2 — and so on…",
    '什么是"无损"--以及...': "什么是“无损”——以及……",
    'これは"可逆"--かつ...': "これは“可逆”——かつ……",
    '"무손실"이란 1--2... 그리고': "“무손실”이란 1–2… 그리고",
    """l'été "doux" -- où...""": "l’été “doux” – où…",
    "“already” — so…": "“already” — so…",
    "a--b --flag a..b": "a–b --flag a..b",
    "": "",
}


@pytest.mark.parametrize("title", TITLES)
def test_a_title(title: str) -> None:
    assert typographic(title) == TITLES[title]
    assert typographic(TITLES[title]) == TITLES[title], "twice is once"


def test_a_summary_keeps_its_code_and_formulas() -> None:
    text = 'it\'s `--flag "x"`\'s **"bold"**, $f\'\'$ -- [[#4|a "note"]]\\... https://a.org/b--c'
    shown = plain_text(text, "en", note({"en": ""}).location, lambda slot: slot.text)
    assert shown == "it’s --flag \"x\"’s “bold”, f'' – a “note”... https://a.org/b--c"
