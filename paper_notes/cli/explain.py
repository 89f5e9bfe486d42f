"""`paper-notes explain`."""

from __future__ import annotations

from typing import Literal

import click

from paper_notes.cli.terminal import tell


@click.command()
@click.argument("rules", metavar="[RULE]...", nargs=-1)
@click.option("--in", "lang", type=click.Choice(["zh", "en"]), default="en", help="The language; English by default.")
def explain(rules: tuple[str, ...], lang: Literal["zh", "en"]) -> None:
    """Tell the cause and the cure of findings.

    RULE is what stands in brackets in a message, as in error[unknown-bibkey]. Without one, all rules are listed.
    """
    from paper_notes.diagnostics import did_you_mean
    from paper_notes.rules import RULES

    for rule in rules:
        if rule not in RULES:
            raise click.UsageError(f'no rule "{rule}"; {did_you_mean(rule, RULES) or "explain without it lists all"}')
    cause, cure = ("  原因：", "  改法：") if lang == "zh" else ("  cause: ", "  cure:  ")
    for rule in rules:
        told = RULES[rule][lang]
        tell(rule)
        tell(f"{cause}{told.cause}")
        tell(f"{cure}{told.cure}")
    for rule in () if rules else RULES:
        tell(rule)
