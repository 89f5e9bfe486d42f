"""Brings a `languages/terminal/<tag>.yaml` up to date: sorts it, drops what nobody says, prints what is missing.

Run it as `PYTHONPATH=tests python tests/languages/writing_sentences.py zh [NEW.json]`; the JSON file maps English
sentences to translations, those that are missing. Without it they are printed as such a file.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import yaml
from said import PACKAGE, help_texts, sentences

from paper_notes.languages.sentences import sections
from paper_notes.languages.text import Lang

OTHERS = ("click", "joined")
"""Sections of sentences that are not in our source: Click's own, and those that only join others."""


def main() -> None:
    """Write the file, and print what it lacks."""
    lang, *given = sys.argv[1:]
    old = sections(Lang(lang))
    known = {english: other for pairs in old.values() for english, other in pairs.items()}
    for name in given:
        known |= {english: other for english, other in json.loads(Path(name).read_text("utf-8")).items() if other}
    said = {text: module.removesuffix(".py") for module, _, text in reversed(list(sentences()))}
    said = {text: "--help" for text in help_texts() if text not in said} | said
    new: dict[str, dict[str, str]] = {name: dict(old.get(name, {})) for name in OTHERS}
    for text, module in sorted(said.items(), key=lambda item: item[1]):
        if text in known and not any(text in new[name] for name in OTHERS):
            new.setdefault(module, {})[text] = known[text]
    target = PACKAGE / "languages" / "terminal" / f"{lang}.yaml"
    target.write_text(yaml.safe_dump(new, allow_unicode=True, width=10_000, sort_keys=False), "utf-8")
    missing = {text: "" for text in said if text not in known}
    print(json.dumps(missing, ensure_ascii=False, indent=0))  # noqa: T201 -- the result


if __name__ == "__main__":
    main()
