"""Makes the guide's note of all messages: from the catalogue, and from what the build says of each example.

Everything from its first `##` heading on is made; what stands above is written by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from provoking import cases
from running import PROJECT

from paper_notes.rules import GROUPS

NOTE = PROJECT / "notes_src" / "guide" / "05_Every_message"
_TITLES: Mapping[str, tuple[str, str]] = {
    "files": ("文件与 YAML", "Files and YAML"),
    "notes": ("笔记与引用", "Notes and references"),
    "text": ("正文、公式与图", "Text, formulas and figures"),
    "bibtex": ("BibTeX", "BibTeX"),
    "pdf": ("PDF", "PDFs"),
    "site": ("站点", "The site"),
}


@cache
def guide_texts() -> Mapping[Path, str]:
    """Both texts of the note as they must be."""
    return {NOTE / "zh.md": _text("zh"), NOTE / "en.md": _text("en")}


def _text(lang: str) -> str:
    head, _, _ = (NOTE / f"{lang}.md").read_text("utf-8").partition("\n## ")
    parts = [f"{head.rstrip()}\n"]
    for group, rules in GROUPS.items():
        parts.append(f"## {_TITLES[group][lang == 'en']} {{#rules-{group}}}\n")
        shown = {case.rule: case.expected for case in cases(group)}
        for rule, told in rules.items():
            cure = "**改法**：" if lang == "zh" else "**Cure**: "
            words = told["zh" if lang == "zh" else "en"]
            parts.append(f"### {rule} {{#rule-{rule}}}\n")
            parts.append(f"{words.cause}\n\n{cure}{words.cure}\n")
            parts.append(f"```text\n{_first(shown[rule])}```\n")
    return "\n".join(parts)


def _first(findings: str) -> str:
    """The first finding, with its hint; files of the note by their names."""
    lines = findings.replace("notes_src/tea/01_Green/", "").splitlines(keepends=True)
    return "".join(lines[: 2 if lines[1:] and lines[1].startswith("  hint: ") else 1])


if __name__ == "__main__":
    for path, text in guide_texts().items():
        path.write_text(text, "utf-8")
