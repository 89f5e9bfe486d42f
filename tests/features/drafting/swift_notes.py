"""A collection with a note on the paper of `making_pdfs.methods`, and a model that reads it well."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import making_pdfs
from fake_model import Messages
from running import paper_notes, write

TITLE = "SwiftBrew: Faster Tea by Two Leaves"
PLACE = "notes_src/tea/01_Swift"


def words(text: str, page: int = 1) -> dict[str, Any]:
    return {"page": page, "words": text, "table": "", "labels": []}


def cell(value: str, *labels: str, page: int = 2, table: str = "1") -> dict[str, Any]:
    return {"page": page, "words": value, "table": table, "labels": [*labels]}


STEPS = words("SwiftBrew first wets the leaves and then pours steam.")
BEATS = words("SwiftBrew outperforms TwinKettle by 2.4 points on TeaBench.")
LOSS = words("L = a log p(x) - b log q(y) + c R")
SWIFT = cell("71.2", "SwiftBrew", "TeaBench")


def claim(text: str, *evidence: dict[str, Any]) -> dict[str, Any]:
    return {"text": text, "evidence": [*evidence]}


WASTE = "Brewers such as SlowPot heat the whole pot, which wastes water."
GOOD: dict[str, list[dict[str, Any]]] = {
    "one-sentence": [claim("SwiftBrew outperforms TwinKettle by 2.4 points on TeaBench.", BEATS)],
    "stats": [claim("71.2: accuracy of SwiftBrew on TeaBench", SWIFT)],
    "motivation": [claim(WASTE, words(WASTE))],
    "background": [],
    "paper-1": [claim("SwiftBrew needs no training.", words("two leaves at a time and needs no training"))],
    "paper-2": [claim("- The leaves are wetted first.", STEPS), claim("- Steam is poured then.", STEPS)],
    "paper-3": [claim("120 cups were tasted by five experts.", words("Five experts tasted 120 cups."))],
    "paper-4": [],
    "method": [claim("SwiftBrew first wets the leaves.", STEPS), claim("It then pours steam.", STEPS)],
    "formulas": [claim("$$L = a\\log p(x) - b\\log q(y) + cR$$", LOSS)],
    "experiments": [claim("On TeaBench SwiftBrew reaches 71.2 (Table 1).", SWIFT)],
    "limitations": [
        claim("SwiftBrew was only tested on small pots.", words("SwiftBrew was only tested on small pots"))
    ],
    "open-questions": [claim("1. Cold water is left to future work.", words("we leave cold water to future work"))],
    "memory-points": [claim("1. Two leaves are heated at a time.", words("heats two leaves at a time"))],
}


def asked_for(messages: Messages) -> list[str]:
    """The sections that are asked for."""
    return re.findall(r'^- "([\w-]+)":', messages[0]["content"], re.MULTILINE)


def reply(messages: Messages) -> str:
    """Answers as a good model would, of what the part that is sent says."""
    source = messages[1]["content"]

    def is_there(claim: dict[str, Any]) -> bool:
        return all(" ".join(item["words"].split()[:4]) in " ".join(source.split()) for item in claim["evidence"])

    return json.dumps({name: [claim for claim in GOOD[name] if is_there(claim)] for name in asked_for(messages)})


def collection(root: Path, languages: str = "en, zh") -> Path:
    """The collection in a folder: its note is as `new` makes it."""
    write(
        root,
        {
            "notes_src/site.yaml": f"title: {{en: Tea, zh: 茶}}\nlanguages: [{languages}]\ntopics: [tea]\n",
            "notes_src/tea/topic.yaml": "title: {zh: 茶, en: Tea}\n",
        },
    )
    (root / "swift.pdf").write_bytes(making_pdfs.methods())
    made = paper_notes("new", root / "swift.pdf", "--topic", "tea", "--name", "Swift", "--offline", "--root", root)
    assert made.exit_code == 0, made.stderr
    (root / "swift.pdf").unlink()
    (folder,) = (root / "notes_src/tea").glob("01*")
    folder.rename(root / PLACE)
    return root


def pdf_in(root: Path) -> Path:
    """The PDF of its paper."""
    (pdf,) = (root / "notes_src/pdfs").glob("*.pdf")
    return pdf
