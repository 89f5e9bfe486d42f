"""`paper-notes explain`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import click

from paper_notes.cli.terminal import tell

LABELS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"zh": ("  原因：", "  改法："), "en": ("  cause: ", "  cure:  ")}
)
"""What is put before cause and cure, by language: those of the catalogue, which `--help` does not read."""


@click.command()
@click.argument("rules", metavar="[RULE]...", nargs=-1)
@click.option("--in", "lang", type=click.Choice(list(LABELS)), default="en", help="The language; English by default.")
def explain(rules: tuple[str, ...], lang: str) -> None:
    """Show the cause of findings, and how to fix them.

    RULE is the id in brackets in a message, as in error[unknown-bibkey]. Without one, all rules are listed.
    """
    from paper_notes.diagnostics import did_you_mean
    from paper_notes.rules import rule_docs

    docs = rule_docs()
    for rule in rules:
        if rule not in docs:
            raise click.UsageError(f'no rule "{rule}"; {did_you_mean(rule, docs) or "explain without it lists all"}')
    cause, cure = LABELS[lang]
    for rule in rules:
        tell(rule)
        tell(f"{cause}{docs[rule].cause[lang]}")
        tell(f"{cure}{docs[rule].cure[lang]}")
    for rule in () if rules else docs:
        tell(rule)
