"""An example or two for the help of each command."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import click

EXAMPLES: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        "build": (
            ("paper-notes build", "bring site/ up to date"),
            ("paper-notes build --check", "as CI does: is site/ what its sources say?"),
        ),
        "cards": (
            ("paper-notes cards --topic spec-rl", "cards.apkg, for Anki"),
            ("paper-notes cards spec-rl/4 --lang en --format markdown", "English ones of a note, to read"),
        ),
        "check": (
            ("paper-notes check", "all that is wrong"),
            ("paper-notes check spec-rl/4", "only what concerns this note"),
        ),
        "complete": (("paper-notes complete spec-rl/4", "ask for what could not be known offline"),),
        "completion": (("source <(paper-notes completion bash)", "try it in this terminal"),),
        "digest": (
            ("paper-notes digest --min-votes 10", "today's papers that others recommend"),
            ("paper-notes digest 2026-W03 --from arxiv:cs.CL", "a week of a category"),
        ),
        "doctor": (("paper-notes doctor", "before the collection is pushed for the first time"),),
        "draft": (("paper-notes draft spec-rl/4 method --to en", "one section, in English"),),
        "edit": (
            ("paper-notes edit spec-rl/4 --lang en", "its English text"),
            ("paper-notes edit notes_src/library.bib:12:3", "the place that a message names"),
        ),
        "explain": (("paper-notes explain bad-tex recall", "a rule, and a component"),),
        "export": (
            ("paper-notes export daily/1 --as-found", "the report that it was made from"),
            ("paper-notes export refs.bib --output list.md", "any BibTeX file as a list"),
            ("paper-notes export spec-rl --epub --lang en", "a topic as a book"),
        ),
        "figures": (("paper-notes figures notes_src/pdfs/2510.26475.pdf", "then copy the line of one into a note"),),
        "guide": (("paper-notes guide", "no network is needed"),),
        "import": (("paper-notes import 2026-01-13.md list.md --topic daily", "nothing in them is lost"),),
        "init": (("paper-notes init ~/my-notes --languages zh,en --pages", "with a workflow for GitHub Pages"),),
        "list": (
            ("paper-notes list --topic spec-rl --sort newest", ""),
            ('paper-notes list --text "speculative decoding" --json', "for scripts"),
        ),
        "move": (("paper-notes move spec-rl/4 models/7", "to another topic, with all references"),),
        "new": (
            ("paper-notes new 2510.26475 --topic spec-rl", "an arXiv paper"),
            ("paper-notes new paper.pdf --topic models --offline", "a PDF, without asking anybody"),
        ),
        "open": (
            ("paper-notes open", "the home page"),
            ("paper-notes open spec-rl/4#method --in en", "a section of a note, in English"),
        ),
        "outdated": (("paper-notes outdated --exit-code", "fails if any is, for a weekly job"),),
        "promote": (('paper-notes promote "daily/1#2601.05110" --topic spec-rl', "with what is written of it there"),),
        "repair": (("paper-notes repair list.md --check", "say what would be done"),),
        "schema": (("paper-notes schema note > note.schema.json", ""),),
        "serve": (("paper-notes serve --open", "then write"),),
        "show": (("paper-notes show spec-rl/4", ""),),
        "stats": (("paper-notes stats --all", "with everything that is left to do"),),
        "translate": (
            ("paper-notes translate spec-rl/4 --to en --check", "what would be sent, and how much"),
            ("paper-notes translate spec-rl/4 method", "one section"),
        ),
        "verify": (
            ("paper-notes verify", "all notes, in numbers"),
            ("paper-notes verify spec-rl/4 --keep", "where, and keep it for the page"),
        ),
        "translated": (("paper-notes translated spec-rl/4 method gaps", "two sections of note 4"),),
    }
)
"""Lines to type and what they do, by command."""


def show_examples(command: click.Command) -> None:
    """Put the examples at the end of a command's help."""
    lines = EXAMPLES.get(command.name or "", ())
    width = max((len(line) for line, meaning in lines if meaning), default=0)
    shown = [f"  {line:{width}}  # {meaning}" if meaning else f"  {line}" for line, meaning in lines]
    if shown and not command.epilog:
        command.epilog = "\n".join(["\b", "Examples:" if len(shown) > 1 else "Example:", *shown])
