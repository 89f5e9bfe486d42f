"""The catalogue: every rule that a finding can name, with its cause and its cure. Other stages only name the ids."""

from __future__ import annotations

from collections.abc import Mapping

from paper_notes.rules.bibtex import BIBTEX
from paper_notes.rules.files import FILES
from paper_notes.rules.notes import NOTES
from paper_notes.rules.pdf import PDF
from paper_notes.rules.site import SITE
from paper_notes.rules.text import TEXT
from paper_notes.rules.told import Rules

GROUPS: Mapping[str, Rules] = {
    "files": FILES,
    "notes": NOTES,
    "text": TEXT,
    "bibtex": BIBTEX,
    "pdf": PDF,
    "site": SITE,
}
"""The rules by what they are about."""
RULES: Rules = {rule: told for group in GROUPS.values() for rule, told in group.items()}
"""All of them. `tests/test_rules.py` holds the table against the code, which must know the same ids."""
