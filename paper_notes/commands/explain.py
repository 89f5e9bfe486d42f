"""`paper-notes explain`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import click

from paper_notes.commands.terminal import speaks, tell
from paper_notes.corpus.model import Lang
from paper_notes.diagnostics import did_you_mean
from paper_notes.markdown.syntax.components import components
from paper_notes.rules import rule_docs

LABELS: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {"zh": ("  原因：", "  改法：", "  用途："), "en": ("  cause: ", "  cure:  ", "  use:   ")}
)
"""Labels of cause, cure and use by language. The languages are those of the catalogue, which `--help` does not read."""


@click.command()
@click.argument("names", metavar="[RULE | COMPONENT]...", nargs=-1)
@click.option("--in", "given", type=click.Choice(list(LABELS)), help="The language; else that of all messages.")
def explain(names: tuple[str, ...], given: Lang | None) -> None:
    """Show the cause of findings and how to fix them, and what components are for.

    RULE is the id in brackets in a message, as in error[unknown-bibkey]; COMPONENT is the name after the colons, as in
    :::recall. Without one, all rules are listed.
    """
    docs, lang = rule_docs(), given or speaks()
    uses = {} if all(name in docs for name in names) else _uses(lang)
    for name in names:
        if name not in docs and name not in uses:
            hint = did_you_mean(name, [*docs, *uses]) or "explain without it lists all"
            raise click.UsageError(f'no rule "{name}"; {hint}')
    cause, cure, use = LABELS[lang]
    for name in names:
        tell(name)
        if name in uses:
            tell(f"{use}{uses[name]}")
        else:
            tell(f"{cause}{docs[name].cause[lang]}")
            tell(f"{cure}{docs[name].cure[lang]}")
    for name in () if names else docs:
        tell(name)


def _uses(lang: Lang) -> dict[str, str]:
    """The use of each component. Importing them loads the Markdown parser, so call this only if one is named."""
    return {name: component.help[lang] for name, component in components().items()}
