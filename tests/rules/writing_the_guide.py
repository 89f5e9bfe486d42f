"""Writes the guide's note of all messages, from the catalogue and from the findings of each example.

Everything from its first `##` heading on is generated; what is above is written by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from provoking import cases
from running import PROJECT

from paper_notes.languages.sentences import translated
from paper_notes.languages.text import Lang
from paper_notes.rules import families

NOTE = PROJECT / "notes_src" / "guide" / "05_Every_message"
_CURE: Mapping[str, str] = {"zh": "**改法**：", "en": "**Cure**: "}


@cache
def guide_texts() -> Mapping[Path, str]:
    """The texts of the note as they must be, by path."""
    return {NOTE / f"{lang}.md": _text(lang) for lang in _CURE}


def _text(lang: str) -> str:
    head, _, _ = (NOTE / f"{lang}.md").read_text("utf-8").partition("\n## ")
    parts = [f"{head.rstrip()}\n"]
    for name, family in families().items():
        parts.append(f"## {family.title[lang]} {{#rules-{name}}}\n")
        shown = {case.rule: case.expected for case in cases(name)}
        for rule, doc in family.rules.items():
            parts.append(f"### {rule} {{#rule-{rule}}}\n")
            parts.append(f"{doc.cause[lang]}\n\n{_CURE[lang]}{doc.cure[lang]}\n")
            parts.append(f"```text\n{_first(shown[rule], Lang(lang))}```\n")
    return "\n".join(parts)


def _first(findings: str, lang: Lang) -> str:
    """The first finding, with its hint, as the terminal says it in a language; files of the note by their names."""
    lines = findings.replace("notes_src/tea/01_Green/", "").splitlines(keepends=True)
    place, sign, message = lines[0].rstrip("\n").partition("]: ")
    said = f"{place}{sign}{translated(message, lang)}\n"
    hint = lines[1].removeprefix("  hint: ") if lines[1:] and lines[1].startswith("  hint: ") else ""
    return f"{said}  {translated('hint: ', lang)}{translated(hint.strip(), lang)}\n" if hint else said


if __name__ == "__main__":
    for path, text in guide_texts().items():
        path.write_text(text, "utf-8")
