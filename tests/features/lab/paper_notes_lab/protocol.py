"""`:::protocol title`: the steps of an experiment."""

from __future__ import annotations

from paper_notes.languages.text import Text
from paper_notes.markdown.syntax.components import ComponentBlock, ComponentKind


def _protocol(block: ComponentBlock) -> str:
    return f'<section class="protocol"{block.anchor}><p>{block.title}</p>{block.inner}</section>\n'


PROTOCOL = ComponentKind(
    "protocol",
    _protocol,
    "protocol",
    Text.of(zh="实验步骤", en="The steps of an experiment"),
    style=".protocol { border-left: 3px solid; padding-left: 1rem; }",
)
